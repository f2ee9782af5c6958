"""`pavcodec convert`: one file into another format."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from typing import BinaryIO, cast

from pavcodec.cli.streams import (
    Problems,
    UsageError,
    add_common,
    add_numbering,
    add_reading,
    boards_of,
    chosen_numbering,
    complain,
    name_of,
    named_format,
    open_binary_output,
    refuse_nothing,
    refuse_same_file,
    refuse_screen,
)
from pavcodec.convert import Format, format_names, output_format
from pavcodec.formats import Board, Context
from pavcodec.formats.pbn_writer import ENCODINGS
from pavcodec.records import Checksum, SummedStream

__all__ = ["add_arguments", "run"]

_EPILOG = """\
Formats go by suffix, or by name with --from and --to; '-' is the standard input or output.
PBN keeps every tag, section and comment; 'lines' and 'numbers' keep the cards. Binary formats keep
what 'pavcodec formats' says, and their checksum is printed: the sum of their 32-bit words.

examples:
  pavcodec convert event.pbn deals.txt
  pavcodec convert deals.txt deals.pbn
  pavcodec convert --to numbers --as andrews event.pbn -
  pavcodec convert event.pbn solved.zrd
  pavcodec convert loose.pbn export.pbn"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Describe the arguments of the command."""
    names = ", ".join(format_names())
    parser.epilog = _EPILOG
    parser.add_argument("input", metavar="IN", help="file to read; - is stdin")
    parser.add_argument("output", metavar="OUT", help="file to write; - is stdout")
    add_reading(parser)
    parser.add_argument(
        "--to", dest="to_format", metavar="FORMAT", help=f"write this format ({names})"
    )
    add_numbering(parser)
    parser.add_argument(
        "--encoding",
        choices=ENCODINGS,
        help="of written PBN (default: iso-8859-1, utf-8 if a character needs it)",
    )
    add_common(parser, output=False)


class _Tally:
    """Counts what passes, for the summary."""

    def __init__(self) -> None:
        self.boards = 0
        self.without_cards = 0

    def count(self, boards: Iterator[tuple[str, Board]]) -> Iterator[Board]:
        """Yield the boards, counted."""
        for _, board in boards:
            self.boards += 1
            self.without_cards += board.layout is None
            yield board


def run(args: argparse.Namespace) -> int:
    """Convert one file."""
    if args.json and args.output == "-":
        raise UsageError("--json prints a summary, so OUT must be a file, not '-'")
    problems = Problems(strict=args.strict)
    ranks = chosen_numbering(args)
    format_name = named_format(args)
    target = output_format(args.output, args.to_format)
    refuse_screen(target, args.output)
    if not target.keeps_tags:
        refuse_same_file([args.input], args.output)
    tally = _Tally()
    source = boards_of(
        [args.input], problems, format_name=format_name, ranks=ranks, output=args.output
    )
    context = Context(name_of(args.input), problems, problems.strict, ranks, args.encoding)
    checksum = None
    with open_binary_output(args.output) as out:
        if target.is_text:
            written = target.write(tally.count(source), out, context)
        else:
            summed = SummedStream(out)
            written = target.write(tally.count(source), cast("BinaryIO", summed), context)
            checksum = summed.checksum
        refuse_nothing(args.output, written, problems)
    _summarise(args, target, tally, problems, checksum)
    return problems.exit_code


def _summarise(
    args: argparse.Namespace,
    target: Format,
    tally: _Tally,
    problems: Problems,
    checksum: Checksum | None,
) -> None:
    """Tell what was left out and what binary files sum up to, and everything with --json."""
    left_out = tally.without_cards if target.keeps_cards and not target.keeps_tags else 0
    if args.json:
        row: dict[str, object] = {
            "boards": tally.boards,
            "left_out": left_out,
            "problems": problems.count,
        }
        row |= {"format": target.name, "keeps": target.keeps}
        if checksum is not None:
            row |= {"bytes": checksum.bytes, "checksum": str(checksum)}
        print(json.dumps(row))
        return
    if left_out:
        boards = "1 board" if left_out == 1 else f"{left_out} boards"
        complain(f"{boards} without cards left out: {target.name} keeps {target.keeps}")
    if checksum is not None:
        line = f"{target.name}: {checksum.bytes:,} bytes, checksum {checksum}"
        if args.output == "-":
            complain(line)
        else:
            print(line)
