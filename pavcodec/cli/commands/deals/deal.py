"""`pavcodec deal`: deals at random, or all deals of a condition."""

from __future__ import annotations

import argparse
import json
from typing import Any

from pavcodec.cli.asking import QuestionCommand, add_fields, question_of
from pavcodec.cli.parsers import describe
from pavcodec.questions.sets import Collected


class DealCommand(QuestionCommand):
    """The command of a question whose answer writes itself."""

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        """Describe the arguments of the command."""
        describe(parser, self.question.examples.rstrip("\n"), self.question.details)
        add_fields(parser, self.question)

    def run(self, args: argparse.Namespace) -> int:
        """Ask, and write the answer; JSON of a collection is a summary."""
        answer: Any = question_of(args, self.question).answer()
        answer.write()
        if args.json and isinstance(answer, Collected):
            print(json.dumps(answer.to_dict(), indent=2))
        return 1 if answer.is_fault else 0
