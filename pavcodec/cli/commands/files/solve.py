"""`pavcodec solve`: boards with their double-dummy tricks, on the screen or in a file."""

from __future__ import annotations

import argparse
import sys

from pavcodec.cli.asking import EachCommand, print_answer, question_of
from pavcodec.questions.asking import QuestionError
from pavcodec.questions.solve import Solve


class SolveCommand(EachCommand):
    """The command that solves boards: a screen gets diagrams, and a pipe PBN."""

    def run(self, args: argparse.Namespace) -> int:
        """Show the solved boards, or write them."""
        question = question_of(args, Solve)
        if question.is_shown and (args.json or sys.stdout.isatty()):
            return super().run(args)
        if args.json and args.output == "-":
            raise QuestionError("--json prints a summary, so -o must name a file")
        if question.is_shown:
            args.to = "pbn"
        return print_answer(args, question_of(args, Solve).answer())


COMMAND = SolveCommand(Solve)
