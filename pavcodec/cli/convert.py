"""`pavcodec convert`: one file into another format."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator

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
)
from pavcodec.convert import Format, format_names, output_format
from pavcodec.formats import Board, Context
from pavcodec.formats.pbn_writer import ENCODINGS

__all__ = ["add_arguments", "run"]

_EPILOG = """\
Formats go by suffix, or by name with --from and --to; '-' is the standard input or output.
PBN keeps every tag, section and comment; 'lines' and 'numbers' keep the cards.

examples:
  pavcodec convert event.pbn deals.txt
  pavcodec convert deals.txt deals.pbn
  pavcodec convert --to numbers --as andrews event.pbn -
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
    if not target.keeps_tags:
        refuse_same_file([args.input], args.output)
    tally = _Tally()
    source = boards_of(
        [args.input], problems, format_name=format_name, ranks=ranks, output=args.output
    )
    context = Context(name_of(args.input), problems, problems.strict, ranks, args.encoding)
    with open_binary_output(args.output) as out:
        target.write(tally.count(source), out, context)
        refuse_nothing(args.output, tally.boards, problems)
    _summarise(args, target, tally, problems)
    return problems.exit_code


def _summarise(args: argparse.Namespace, target: Format, tally: _Tally, problems: Problems) -> None:
    """Tell what was left out, and everything with --json."""
    left_out = 0 if target.keeps_tags else tally.without_cards
    if args.json:
        row = {"boards": tally.boards, "left_out": left_out, "problems": problems.count}
        print(json.dumps(row | {"format": target.name, "keeps": target.keeps}))
    elif left_out:
        boards = "1 board" if left_out == 1 else f"{left_out} boards"
        complain(f"{boards} without cards left out: {target.name} keeps {target.keeps}")
