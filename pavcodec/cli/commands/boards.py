"""Commands on boards that do more than ask: show, solve and grep."""

from __future__ import annotations

import argparse
import os
import sys
from typing import Any

from pavcodec.boards import Board
from pavcodec.cli.asking import (
    BoardsCommand,
    EachCommand,
    QuestionCommand,
    print_answer,
    question_of,
)
from pavcodec.cli.parsers import option_group
from pavcodec.errors import PavError
from pavcodec.formats import Format
from pavcodec.formats.registry import FORMATS
from pavcodec.questions.asking import QuestionError
from pavcodec.questions.folders import makes_folder
from pavcodec.questions.inputs import Problems
from pavcodec.questions.outputs import (
    format_of_output,
    open_binary_output,
    refuse_existing,
    refuse_nothing,
)

_NUMBER = "#"
"""The place of the board number in the name of an output."""


def _drawn() -> list[str]:
    """Return the names of the formats that are only looked at."""
    return [each.name for each in FORMATS.values() if each.is_drawn and not each.is_read]


class ShowCommand(EachCommand):
    """The command that draws boards; a picture of each may be a file of its own."""

    def add_target(self, parser: argparse.ArgumentParser) -> None:
        """Describe the option of the format."""
        option_group(parser, "output").add_argument(
            "--to",
            choices=("text", *_drawn()),
            help="draw text, pages of HTML or PDF, or SVG (default: by the suffix of -o, else "
            "text)",
        )

    def target(self, args: argparse.Namespace) -> Format | None:
        """Return the format of pages or of pictures; None for text."""
        target = super().target(args)
        if target is None and not args.to and not args.json:
            target = format_of_output(args.output)
        if target is None or target.name == "lines":  # .txt is the suffix of any text
            return None
        if target.name in _drawn():
            return target
        raise QuestionError(f"show draws boards; 'pavcodec convert' writes {target.name}")

    def run(self, args: argparse.Namespace) -> int:
        """Draw the boards, or each into a file of its own."""
        target = self.target(args)
        if target is None or target.name != "svg" or _NUMBER not in os.path.basename(args.output):
            return super().run(args)
        problems = Problems(strict=args.strict)
        boards, context = question_of(args, self.question).to_write(args.files, problems)
        folder, name = os.path.split(args.output)
        files: dict[str, Board] = {}
        for position, board in enumerate(boards, 1):
            path = os.path.join(folder, name.replace(_NUMBER, str(board.number or position)))
            if path in files:
                raise PavError(f"{path}: two boards have the same number")
            files[path] = board
        refuse_existing(files, force=args.force)
        for path, board in files.items():
            with open_binary_output(path) as out:
                target.write([board], out, context)
        refuse_nothing(args.output, len(files), problems)
        return problems.exit_code


class SolveCommand(EachCommand):
    """The command that solves boards: a screen gets diagrams, and a pipe PBN."""

    def run(self, args: argparse.Namespace) -> int:
        """Show the solved boards, or write them."""
        question: Any = question_of(args, self.question)
        if question.is_shown and (args.json or sys.stdout.isatty()):
            return super().run(args)
        if args.json and args.output == "-":
            raise QuestionError("--json prints a summary, so -o must name a file")
        if question.is_shown:
            args.to = "pbn"
        return print_answer(args, question_of(args, self.question).answer())


class GrepCommand(BoardsCommand):
    """The command that prints the boards it finds, or writes a folder of them."""

    def run(self, args: argparse.Namespace) -> int:
        """Search, and write the boards, their number, or a part for each part."""
        question: Any = question_of(args, self.question)
        args.where, args.files = question.where, list(question.files)
        if not args.count and makes_folder(args.files, args.output):
            return print_answer(args, question.folder(args))
        return super().run(args)


COMMANDS: dict[str, type[QuestionCommand]] = {
    "grep": GrepCommand,
    "show": ShowCommand,
    "solve": SolveCommand,
}
