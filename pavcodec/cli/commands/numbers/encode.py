"""`pavcodec encode`: layouts to numbers, one in each line."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator

from pavcodec.cli.asking import add_common, add_fields, add_reading, question_of
from pavcodec.cli.parsers import describe
from pavcodec.errors import LayoutError
from pavcodec.questions.asking import Answer
from pavcodec.questions.encode import Encode
from pavcodec.questions.inputs import Problems, boards_of, named_format
from pavcodec.questions.outputs import open_text_output, refuse_nothing, refuse_same_file


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    describe(parser, Encode.examples.rstrip("\n"), Encode.details)
    parser.add_argument(
        "files", nargs="*", metavar="DEAL", help="deals or files of deals; - or none is stdin"
    )
    add_fields(parser, Encode, "numbering", "where", "one_based")
    add_fields(parser, Encode, "hex", "all", "board")
    add_fields(parser, Encode, "memory")
    add_reading(parser)
    add_common(parser)


def run(args: argparse.Namespace) -> int:
    """Print the number of each layout."""
    problems = Problems(strict=args.strict)
    asked = question_of(args, Encode)
    asked.check()
    answers = _answers(args, asked, problems)
    refuse_same_file(args.files, args.output)
    done = 0
    with open_text_output(args.output) as out:
        for answer in answers:
            lines = map(json.dumps, answer.documents()) if args.json else answer.lines()
            out.write("\n".join([*lines, ""]))
            done += 1
        refuse_nothing(args.output, done, problems, "no deals")
    return problems.exit_code


def _answers(args: argparse.Namespace, asked: Encode, problems: Problems) -> Iterator[Answer]:
    """Return the answers for all arguments, which are deals as text or files."""
    boards = boards_of(
        args.files,
        problems,
        format_name=named_format(args),
        ranks=asked.coder.numbering,
    )

    def answers() -> Iterator[Answer]:
        for source, board in boards:
            if board.layout is None:
                continue
            try:
                yield asked.of_board(board, source)
            except LayoutError as error:
                told = f"{error}: '{board.layout}'"
                problems.report(source, board.line, told, board.tags.get("Board"))

    return answers()
