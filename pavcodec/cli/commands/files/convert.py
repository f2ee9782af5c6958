"""`pavcodec convert`: one file into another format."""

from __future__ import annotations

import argparse
import json
import os
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, BinaryIO, cast

from pavcodec.boards import Board, Context
from pavcodec.cli.output.losses import Differences, Repeated, add_unique
from pavcodec.cli.output.progress import Progress
from pavcodec.cli.output.streams import (
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
    open_input,
    refuse_nothing,
    refuse_same_file,
    refuse_screen,
)
from pavcodec.cli.output.targets import add_force, is_same_file, refuse_existing
from pavcodec.cli.parsers import describe, option_group
from pavcodec.errors import PavError
from pavcodec.formats import Format, open_boards, output_format, recognise
from pavcodec.formats.pbn.writer import ENCODINGS
from pavcodec.records import Checksum, SummedStream

if TYPE_CHECKING:
    from pavcodec.boards.batch import BoardBatch

__all__ = ["add_arguments", "run"]

_LARGE = 1 << 20
"""The bytes of a file from which on loading the loops is worth its time."""

_EXAMPLES = """\
  pavcodec convert event.pbn deals.txt
  pavcodec convert --to numbers --as andrews event.pbn -
  pavcodec convert --unique results.pbn deals.txt"""

_DETAILS = """\
The suffixes of the files give the formats, or --from and --to name them. PBN keeps every tag,
section and comment; 'lines' and 'numbers' keep only the cards; 'pavcodec formats' lists what each
binary format keeps. For a binary file convert prints the checksum, the sum of its 32-bit words."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Describe the arguments of the command."""
    describe(parser, _EXAMPLES, _DETAILS)
    parser.add_argument("input", metavar="IN", help="file to read; - is stdin")
    parser.add_argument("output", metavar="OUT", help="file to write; - is stdout")
    add_reading(parser)
    add_numbering(parser)
    group = option_group(parser, "output")
    group.add_argument(
        "--to",
        dest="to_format",
        metavar="FORMAT",
        help="write this format ('pavcodec formats' lists the formats)",
    )
    group.add_argument(
        "--encoding",
        choices=ENCODINGS,
        help="the encoding of written PBN (default: iso-8859-1, or utf-8 if the input has it or "
        "a character needs it)",
    )
    add_unique(parser)
    add_force(parser)
    add_common(parser, output=False)


class _Tally:
    """Counts what passes, for the summary."""

    def __init__(self, repeated: Repeated) -> None:
        self.boards = 0
        self.without_cards = 0
        self.has_tags = False
        """Whether any board has more than cards."""
        self.differences = Differences()
        self.repeated = repeated

    def count(self, boards: Iterator[tuple[str, Board]]) -> Iterator[Board]:
        """Yield the boards, counted."""
        for _, board in boards:
            self.has_tags = self.has_tags or bool(board.entries)
            self.boards += 1
            self.without_cards += board.layout is None
            yield board

    def left_out(self, boards: int) -> None:
        """Count boards without cards that did not pass."""
        self.boards += boards
        self.without_cards += boards


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
    elif is_same_file(args.input, args.output):
        refuse_existing([args.output], force=args.force)
    tally = _Tally(Repeated(target, chosen=args.unique))
    context = Context(
        name_of(args.input),
        problems,
        problems.strict,
        ranks,
        args.encoding,
        note=complain,
        differ=tally.differences.note,
    )
    checksum = None
    with open_binary_output(args.output, target) as out:
        stream = out
        if not target.is_text:
            summed = SummedStream(out)
            stream, checksum = cast("BinaryIO", summed), summed.checksum
        source = boards_of(
            [args.input], problems, format_name=format_name, ranks=ranks, output=args.output
        )
        written = _write(args, target, source, stream, context, tally=tally)
        refuse_nothing(args.output, written, problems)
    _summarise(args, target, tally, problems, checksum)
    return problems.exit_code


def _write(  # noqa: PLR0913 (all that a conversion is made of)
    args: argparse.Namespace,
    target: Format,
    source: Iterator[tuple[str, Board]],
    stream: BinaryIO,
    context: Context,
    *,
    tally: _Tally,
) -> int:
    """Write the boards of the input, and return how many were written."""
    if tally.repeated.is_looked_for:
        return target.write(tally.repeated.without(tally.count(source)), stream, context)
    if _is_for_arrays(args, target):
        return target.write_batches(_batches(args, context, tally), stream, context)
    return target.write(tally.count(source), stream, context)


def _is_for_arrays(args: argparse.Namespace, target: Format) -> bool:
    """Tell whether a file is read as arrays: if it is large, and nothing but cards passes.

    Strict reading stops at the first problem, so it goes board by board.
    """
    if args.strict or not os.path.isfile(args.input):
        return False
    if target.arrays is None or os.path.getsize(args.input) < _LARGE:
        return False
    try:
        with open(args.input, "rb") as stream:
            source, _ = recognise(stream, path=args.input, name=args.from_format)
    except OSError:
        return False
    return source.arrays is not None and (target.is_cards_only or source.is_cards_only)


def _batches(args: argparse.Namespace, context: Context, tally: _Tally) -> Iterator[BoardBatch]:
    """Yield the boards that have cards, many at once."""
    from pavcodec.boards.batch import BoardBatch

    again = _BoardsAgain(args.input, args.from_format, context)
    context = replace(context, on_skipped=tally.left_out)
    with open_input(args.input) as stream:
        source, whole = recognise(stream, path=args.input, name=args.from_format)
        found = source.read_owners(whole, context)
        done = 0
        progress = Progress(stream, context.source, "boards", output=args.output)
        for owners in progress.watch(found, len):
            tally.boards += len(owners)
            tally.has_tags = not source.is_cards_only
            origin = partial(again.board, done)
            yield BoardBatch(owners, origin=origin, has_more=not source.is_cards_only)
            done += len(owners)


class _BoardsAgain:
    """The boards of a file that have cards, read once more when a problem is to be told of one.

    What is wrong with the file itself is told by then. Boards come quickly one after another.
    """

    def __init__(self, path: str, name: str | None, context: Context) -> None:
        self._path, self._name = path, name
        self._context = replace(context, report=lambda _: None)
        self._begin()

    def _begin(self) -> None:
        found = _boards_with_cards(self._path, self._name, self._context)
        self._boards = enumerate(found)
        self._last: tuple[int, Board | None] = -1, None

    def board(self, begin: int, place: int) -> Board:
        """Return the board of a place in the rows that begin with a board."""
        wanted = begin + place
        if wanted < self._last[0]:
            self._begin()
        while self._last[0] < wanted:
            self._last = next(self._boards, (wanted, None))
        if self._last[1] is None:
            raise PavError(f"{self._path}: it was changed while it was read")
        return self._last[1]


def _boards_with_cards(path: str, name: str | None, context: Context) -> Iterator[Board]:
    with open_input(path) as stream:
        boards = open_boards(stream, context, path=path, name=name)
        yield from (board for board in boards if board.layout is not None)


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
            "left_out": left_out + tally.repeated.left_out,
            "problems": problems.count,
        }
        row |= {"format": target.name, "keeps": target.keeps, "loses": target.loses}
        if checksum is not None:
            row |= {"bytes": checksum.bytes, "checksum": str(checksum)}
        print(json.dumps(row))
        return
    if left_out:
        boards = "1 board" if left_out == 1 else f"{left_out} boards"
        complain(f"{boards} without cards left out: {target.name} keeps {target.keeps}")
    tally.repeated.tell()
    if tally.has_tags and not target.keeps_tags:
        complain(f"{target.name} keeps {target.keeps}; it loses {target.loses}")
    tally.differences.tell(target)
    if checksum is not None:
        line = f"{target.name}: {checksum.bytes:,} bytes, checksum {checksum}"
        if args.output == "-":
            complain(line)
        else:
            print(line)
