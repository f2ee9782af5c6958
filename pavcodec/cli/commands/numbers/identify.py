"""`pavcodec identify`: the numberings, codes and formats in which a text is a deal."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator

from pavcodec.boards import Context, Problem
from pavcodec.cli.asking import add_common, add_fields
from pavcodec.cli.parsers import describe, option_group
from pavcodec.errors import PavError, TextError
from pavcodec.formats.plain.texts import numbered_lines
from pavcodec.questions.asking import Answer
from pavcodec.questions.identify import CodeList, Identify
from pavcodec.questions.inputs import ARGUMENTS, Problems, open_input


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    describe(parser, Identify.examples.rstrip("\n"), Identify.details)
    parser.add_argument(
        "codes", nargs="*", metavar="CODE", help="texts to read; - or none is stdin"
    )
    add_fields(parser, Identify, "one_based")
    option_group(parser, "output").add_argument(
        "--list", action="store_true", help="list the codes"
    )
    add_common(parser, output=False)


def run(args: argparse.Namespace) -> int:
    """Print the readings of each text."""
    if args.list:
        _print(CodeList(), args, indent=2)
        return 0
    problems = Problems()
    several = len(args.codes) > 1 or args.codes in ([], ["-"])
    for source, line, text in _texts(args.codes or ["-"], problems):
        faults: list[Problem] = []
        start = f"{' '.join(text.splitlines())}  " if several else ""
        try:
            readings = Identify(text, one_based=args.one_based).readings(faults.append, start)
        except PavError as error:
            reason = error.message if isinstance(error, TextError) else str(error)
            problems.report(source, line, reason)
            continue
        for fault in faults:
            problems.report(source, line, fault.reason, fault.board)
        _print(readings, args)
    return problems.exit_code


def _print(answer: Answer, args: argparse.Namespace, indent: int | None = None) -> None:
    rows = (json.dumps(row, indent=indent) for row in answer.documents())
    for line in rows if args.json else answer.lines():
        print(line)


def _texts(words: list[str], problems: Problems) -> Iterator[tuple[str, int, str]]:
    """Yield (source, line, text) for each text."""
    for position, word in enumerate(words, 1):
        if word != "-":
            yield ARGUMENTS, position, word
            continue
        with open_input(word) as stream:
            for line, text in numbered_lines(stream, Context("stdin", problems)):
                yield "stdin", line, text
