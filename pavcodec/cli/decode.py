"""`pavcodec decode`: numbers to layouts, one a line."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from typing import BinaryIO

from pavcodec.cli.streams import (
    Problems,
    add_common,
    add_numbering,
    chosen_numbering,
    open_binary_output,
    refuse_nothing,
    standard_input,
)
from pavcodec.convert import format_names, format_of
from pavcodec.errors import NumberError
from pavcodec.formats import Board, Context
from pavcodec.formats.plain import numbered_lines, parse_number
from pavcodec.layout import Layout
from pavcodec.numberings import Numbering

__all__ = ["add_arguments", "run"]

_EPILOG = """\
Numbers are decimal, or hexadecimal after 0x. Without arguments, or for '-', they are read from the
standard input, one a line; an argument that is no number is a file of numbers.

examples:
  pavcodec decode 0
  pavcodec decode --as balanced 2058009868335972036308496610386240
  pavcodec decode --hex ad55e315634dda658bf491ff
  pavcodec encode event.pbn | pavcodec decode --to pbn -o same.pbn"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Describe the arguments of the command."""
    parser.epilog = _EPILOG
    parser.add_argument(
        "numbers",
        nargs="*",
        metavar="NUMBER",
        help="numbers or files of numbers; - or none is stdin",
    )
    add_numbering(parser)
    parser.add_argument("--hex", action="store_true", help="read hexadecimal digits, 0x or not")
    parser.add_argument(
        "--to",
        dest="to_format",
        default="lines",
        metavar="FORMAT",
        help=f"write this format (default: lines; one of {', '.join(format_names())})",
    )
    parser.add_argument("--strict", action="store_true", help="stop at the first problem")
    add_common(parser)


def run(args: argparse.Namespace) -> int:
    """Print the layout of each number."""
    problems = Problems(strict=args.strict)
    ranks = chosen_numbering(args)
    target = format_of(args.to_format)
    with open_binary_output(args.output) as out:
        decoded = _Counted(_decode(args, ranks, problems))
        if args.json:
            for number, layout in decoded:
                row = {"number": str(number), "deal": str(layout)}
                out.write(f"{json.dumps(row)}\n".encode())
        else:
            context = Context("numbers", problems, problems.strict, ranks)
            target.write((Board(layout) for _, layout in decoded), out, context)
        refuse_nothing(args.output, decoded.done, problems)
    return problems.exit_code


class _Counted:
    """Numbers and layouts, counted as they pass."""

    def __init__(self, pairs: Iterator[tuple[int, Layout]]) -> None:
        self.done = 0
        self._pairs = pairs

    def __iter__(self) -> Iterator[tuple[int, Layout]]:
        for pair in self._pairs:
            self.done += 1
            yield pair


def _decode(
    args: argparse.Namespace, ranks: Numbering, problems: Problems
) -> Iterator[tuple[int, Layout]]:
    """Yield each number with its layout; what is no number of the numbering is a problem."""
    for source, line, text in _texts(args.numbers or ["-"], problems, hexadecimal=args.hex):
        try:
            number = parse_number(text, hexadecimal=args.hex)
            layout = ranks.unrank(number)
        except NumberError as error:
            problems.report(source, line, str(error))
        else:
            yield number, layout


def _texts(
    words: list[str], problems: Problems, *, hexadecimal: bool
) -> Iterator[tuple[str, int, str]]:
    """Yield (source, line, text) for each number to read: arguments, files, the standard input."""
    for place, word in enumerate(words, start=1):
        if word == "-":
            yield from _standard_input(problems)
            continue
        try:
            parse_number(word, hexadecimal=hexadecimal)
        except NumberError as error:
            try:
                with open(word, "rb") as stream:
                    yield from _lines(stream, word, problems)
            except OSError as failure:
                reason = f"{error}, or the name of a file ({failure.strerror})"
                problems.report("arguments", place, reason)
        else:
            yield "arguments", place, word


def _standard_input(problems: Problems) -> Iterator[tuple[str, int, str]]:
    try:
        yield from _lines(standard_input(), "stdin", problems)
    except OSError as error:
        problems.report("stdin", None, f"cannot be read: {error.strerror}")


def _lines(stream: BinaryIO, name: str, problems: Problems) -> Iterator[tuple[str, int, str]]:
    """Yield (source, line, text) for each line that holds something."""
    for line, text in numbered_lines(stream, Context(name, problems, problems.strict)):
        yield name, line, text
