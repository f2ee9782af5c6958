"""Code that the commands for archives share: open an archive, and read boards for an archive."""

from __future__ import annotations

import argparse
import json
import os
from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import groupby, islice
from typing import TYPE_CHECKING, BinaryIO, cast

from pavcodec.boards import Board, Context
from pavcodec.cli.output.figures import many
from pavcodec.cli.output.progress import Progress
from pavcodec.cli.output.streams import (
    Problems,
    UsageError,
    add_reading,
    complain,
    name_of,
    named_format,
    open_input,
    read_inputs,
)
from pavcodec.cli.parsers import option_group
from pavcodec.errors import LayoutError
from pavcodec.formats import Format, Need, boards_in
from pavcodec.layout import Layout
from pavcodec.numberings import Numbering, numbering

if TYPE_CHECKING:
    from pavcodec.archive import Archive
    from pavcodec.archive.spaces import ArchiveSpace
    from pavcodec.archive.writer import Item
    from pavcodec.boards.batch import BoardBatch

__all__ = [
    "Collection",
    "add_collected",
    "open_input_archive",
    "refuse_json_on_stdout",
    "summarise",
]

_AT_ONCE = 8192


def open_input_archive(path: str, memory: int | None = None) -> Archive:
    """Open an archive; read the standard input whole, because the index is at the end."""
    from pavcodec.archive import Archive
    from pavcodec.limits.memory import MEMORY

    if path != "-":
        return Archive.open(path, memory=memory or MEMORY)
    with open_input(path) as stream:
        return Archive(stream.read(), name_of(path), memory=memory or MEMORY)


def add_collected(parser: argparse.ArgumentParser) -> None:
    """Add the options for the boards that are put into an archive; see `Collection`."""
    option_group(parser, "archive").add_argument(
        "--cards-only", action="store_true", help="keep only the cards; this is the fastest way"
    )
    add_reading(parser)


class Collection:
    """The boards of files as items for the writer of an archive.

    If only the cards are needed, the items are arrays of numbers, otherwise boards, or batches with
    tricks. A board outside the space of the archive is reported as a problem.
    """

    def __init__(self, args: argparse.Namespace, problems: Problems, space: ArchiveSpace) -> None:
        self.without_cards = 0
        """The number of omitted boards without cards, if the archive keeps cards only."""
        self._problems = problems
        self._space = space
        self._format = named_format(args)
        self._only_cards: bool = args.cards_only
        self._keeps_tricks: bool = getattr(args, "tricks", False)
        self._keeps_all: bool = getattr(args, "all", not args.cards_only)
        self._output: str = args.output
        self._has_every_board = len(space.parts) > 1
        self._ranks = _read_numbering(space)

    def items(self, files: list[str]) -> Iterator[Item]:
        """Yield the boards of files in turn; `-` is the standard input."""
        return read_inputs(
            files,
            self._problems,
            self._of_stream,
            format_name=self._format,
            ranks=self._ranks,
            output=self._output,
        )

    def _of_stream(
        self, found: Format, stream: BinaryIO, context: Context, progress: Progress
    ) -> Iterator[Item]:
        need = Need.CARDS if self._only_cards and not self._keeps_tricks else Need.TAGS
        if self._problems.strict:
            need = Need.STEPS
        context = replace(context, on_skipped=self._leave_out)
        found_boards = progress.watch(found.read_batches(stream, context, need), boards_in)
        for are_single, some in groupby(found_boards, lambda each: isinstance(each, Board)):
            if are_single:
                yield from self._of_boards(cast("Iterator[Board]", some), context)
            else:
                yield from self._numbers(cast("Iterator[BoardBatch]", some), context)

    def _of_boards(self, boards: Iterable[Board], context: Context) -> Iterator[Item]:
        """Yield the boards that belong into the archive."""
        if self._only_cards:
            boards = self._with_cards(boards)
        yield from boards if self._has_every_board else self._fitting(boards, context)

    def _leave_out(self, boards: int) -> None:
        self.without_cards += boards

    def _with_cards(self, boards: Iterable[Board]) -> Iterator[Board]:
        """Yield the boards with cards, without their other data."""
        for board in boards:
            if board.layout is None:
                self._leave_out(1)
            else:
                plain = Board(board.layout)
                tricks = board.tricks if self._keeps_tricks else None
                yield plain if tricks is None else plain.with_tricks(tricks)

    def _numbers(self, batches: Iterable[BoardBatch], context: Context) -> Iterator[Item]:
        """Yield the numbers of layouts, or batches that have tricks."""
        done = 0
        for batch in batches:
            has_more = batch.has_tricks and (self._keeps_tricks or self._keeps_all)
            try:
                numbers = self._space.numbers_of_owners(batch.owners)
                yield batch if has_more else numbers
            except LayoutError:
                words = (Board(Layout(row.tobytes())) for row in batch.owners)
                for place, board in enumerate(batch if has_more else words, done + 1):
                    yield from self._if_fitting(board, context, place)
            done += len(batch)

    def _fitting(self, boards: Iterable[Board], context: Context) -> Iterator[Board]:
        """Yield the boards in the space; report the other boards."""
        remaining = iter(boards)
        while some := list(islice(remaining, _AT_ONCE)):
            try:
                self._space.numbers([board.layout for board in some])
            except LayoutError:
                for board in some:
                    yield from self._if_fitting(board, context)
            else:
                yield from some

    def _if_fitting(self, board: Board, context: Context, place: int = 0) -> Iterator[Board]:
        """Yield a board if it is in the space; `place` is its position if it has no line."""
        try:
            self._space.number(board.layout)
        except LayoutError as error:
            name = board.tags.get("Board") or (str(place) if place else None)
            context.problem(board.line, str(error), name)
        else:
            yield board


def _read_numbering(space: ArchiveSpace) -> Numbering:
    """Return the numbering of input numbers; for a condition they are not indexes."""
    from pavcodec.cli.options.spaces import ranks_of

    first = space.parts[0]
    if len(space.parts) > 1:
        return numbering("deal")
    return first.numbering if first.where is None else ranks_of(first.numbering)


def summarise(
    args: argparse.Namespace, boards: int, problems: Problems, without_cards: int = 0
) -> None:
    """Print the number of omitted boards, and the size of the archive; with --json as JSON."""
    size = os.path.getsize(args.output) if os.path.isfile(args.output) else None
    row: dict[str, object] = {"boards": boards}
    if size is not None:
        row["bytes"] = size
        row["bits_per_deal"] = round(8 * size / boards, 3) if boards else 0
    if args.json:
        print(json.dumps(row | {"left_out": without_cards, "problems": problems.count}))
        return
    if without_cards:
        complain(f"{many(without_cards, 'board')} without cards left out")
    if size is not None:
        bits = f", {row['bits_per_deal']:,} bits each" if boards else ""
        print(f"{args.output}: {many(boards, 'board')}, {many(size, 'byte')}{bits}")


def refuse_json_on_stdout(args: argparse.Namespace) -> None:
    """Raise `UsageError` if the JSON summary and the archive are both for the standard output."""
    if args.json and args.output == "-":
        raise UsageError("--json prints a summary, so -o must name a file")
