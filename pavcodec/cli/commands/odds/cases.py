"""`pavcodec cases`: the cases of a condition on the screen, in a text or in a binary listing."""

from __future__ import annotations

import argparse

from pavcodec.cli.asking import QuestionCommand, question_of
from pavcodec.questions.asking import Answer, QuestionError
from pavcodec.questions.cases import Cases, FoundCases
from pavcodec.questions.outputs import Out


class CasesCommand(QuestionCommand):
    """The command that lists cases: a file gets a listing, unless a text is asked for."""

    def run(self, args: argparse.Namespace) -> int:
        """Print the cases, or write the listing."""
        if args.tsv and args.json:
            raise QuestionError("{tsv} and --json do not go together")
        if args.output == "-" or args.tsv or args.json:
            out = Out(args.output, inputs=filter(None, [args.listing]), force=args.force)
            args.output = "-"
            self.show(args, question_of(args, Cases).answer(), out)
        else:
            question_of(args, Cases).answer()
        return 0

    def show(self, args: argparse.Namespace, answer: Answer, output: Out) -> None:
        """Print the cases one by one."""
        assert isinstance(answer, FoundCases)
        with output.open_text() as out:
            lines = answer.json_lines() if args.json else answer.lines()
            out.writelines(f"{line}\n" for line in lines)


COMMAND = CasesCommand(Cases)
