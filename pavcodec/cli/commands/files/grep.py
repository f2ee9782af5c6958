"""`pavcodec grep`: the boards that satisfy a condition."""

from __future__ import annotations

import argparse

from pavcodec.cli.asking import BoardsCommand, print_answer, question_of
from pavcodec.questions.folders import makes_folder
from pavcodec.questions.grep import Grep


class GrepCommand(BoardsCommand):
    """The command that prints the boards it finds, or writes a folder of them."""

    def run(self, args: argparse.Namespace) -> int:
        """Search, and write the boards, their number, or a part for each part."""
        question = question_of(args, Grep)
        args.where, args.files = question.where, list(question.files)
        if not args.count and makes_folder(args.files, args.output):
            return print_answer(args, question.folder(args))
        return super().run(args)
