"""`pavcodec identify`: the numberings, codes and formats in which a text is a deal."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator

from pavcodec.boards import Context, Problem
from pavcodec.cli.output.streams import add_common
from pavcodec.cli.parsers import describe, option_group
from pavcodec.codes import Reading, code, code_names
from pavcodec.errors import PavError, TextError
from pavcodec.formats.pasted import identify
from pavcodec.formats.plain.texts import numbered_lines
from pavcodec.questions.inputs import Problems, open_input
from pavcodec.questions.tables import print_table

_EXAMPLES = """\
  pavcodec identify 6976424A64820BB4FF80D8A08EB9
  pavcodec identify --json 12345678901234567890123456789
  pavcodec identify 'North: ♠AK9 ♥Q10 ♦9642 ♣KJ53'
  pavcodec identify --list"""

_DETAILS = """\
identify reads a text as a number in every numbering, and in every code whose form it has: 52
digits, 28 hexadecimal digits, 26 letters with a check, and so on. It prints one line for each
scheme in which the text is a deal, with the number, or with the board if the code holds one; if
there are several texts, the line begins with the text. Numbers are decimal, or hexadecimal after 0x
or with letters among the digits; marks or blanks may divide the thousands.

Any other text is a deal in a format, such as PBN, LIN or an address of Bridge Base's hand viewer,
or hands as people type them. An argument may have several lines. identify prints a line for each
board. In the standard input, each line is a text."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    describe(parser, _EXAMPLES, _DETAILS)
    parser.add_argument(
        "codes", nargs="*", metavar="CODE", help="texts to read; - or none is stdin"
    )
    option_group(parser, "input").add_argument(
        "--one-based", action="store_true", help="numbers start at 1"
    )
    option_group(parser, "output").add_argument(
        "--list", action="store_true", help="list the codes"
    )
    add_common(parser, output=False)


def run(args: argparse.Namespace) -> int:
    """Print the readings of each text."""
    if args.list:
        _list(as_json=args.json)
        return 0
    problems = Problems()
    several = len(args.codes) > 1 or args.codes in ([], ["-"])
    for source, line, text in _texts(args.codes or ["-"], problems):
        faults: list[Problem] = []
        try:
            readings = identify(text, one_based=args.one_based, report=faults.append)
        except PavError as error:
            reason = error.message if isinstance(error, TextError) else str(error)
            problems.report(source, line, reason)
            continue
        for fault in faults:
            problems.report(source, line, fault.reason, fault.board)
        if args.json:
            print(json.dumps({"code": text, "schemes": [_row(reading) for reading in readings]}))
        else:
            start = f"{' '.join(text.splitlines())}  " if several else ""
            for reading in readings:
                columns = f"{start}{reading.scheme:<18} {_number_or_board(reading):<37}"
                if sys.stdout is not None and sys.stdout.isatty():  # a pipe has one line for each
                    print(f"{columns.rstrip()}\n    {reading.layout}")
                else:
                    print(f"{columns} {reading.layout}")
    return problems.exit_code


def _texts(words: list[str], problems: Problems) -> Iterator[tuple[str, int, str]]:
    """Yield (source, line, text) for each text."""
    for position, word in enumerate(words, 1):
        if word != "-":
            yield "arguments", position, word
            continue
        with open_input(word) as stream:
            for line, text in numbered_lines(stream, Context("stdin", problems)):
                yield "stdin", line, text


def _number_or_board(reading: Reading) -> str:
    """Return the number of a reading, otherwise its board, otherwise ""."""
    if reading.number is not None:
        return str(reading.number)
    return "" if reading.board is None else f"board {reading.board}"


def _kind(reading: Reading) -> str:
    """Return what the scheme of a reading is."""
    if reading.number is not None:
        return "numbering"
    return "code" if reading.scheme in code_names(rare=True) else "format"


def _row(reading: Reading) -> dict[str, object]:
    """Return a reading as a JSON object."""
    row: dict[str, object] = {
        "scheme": reading.scheme,
        "kind": _kind(reading),
        "deal": str(reading.layout),
    }
    if reading.number is not None:
        row |= {"number": str(reading.number), "hex": hex(reading.number)}
    if reading.board is not None:
        row["board"] = reading.board
    return row


def _list(*, as_json: bool) -> None:
    """Print all codes."""
    rows = [(scheme.name, scheme.summary) for scheme in map(code, code_names(rare=True))]
    if as_json:
        print(json.dumps([{"name": name, "summary": summary} for name, summary in rows], indent=2))
    else:
        print_table(("code", "how a deal is written"), rows, folds=True)
