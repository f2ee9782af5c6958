"""Write archives: ordered ones block by block, sorted ones after all boards are read."""

from __future__ import annotations

import os
import stat
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING, BinaryIO, TypeAlias

import numpy as np

from pavcodec.archive.block_codec import AT_ONCE, BlockCodec
from pavcodec.archive.container import (
    BlockType,
    End,
    Entry,
    Kind,
    build_block,
    build_end,
    build_entries,
)
from pavcodec.arrays import Limbs, are_new, below, checked, sorting
from pavcodec.boards.batch import CONTRACTS, BoardBatch, Gathered
from pavcodec.boards.board import Board
from pavcodec.boards.tricks import NOT_SOLVED
from pavcodec.errors import LayoutError, PavError
from pavcodec.files.opening import check_stream, open_output
from pavcodec.layout import Layout

if TYPE_CHECKING:
    from numpy.typing import NDArray


Item: TypeAlias = "Board | Layout | NDArray[np.uint8] | NDArray[np.uint64] | BoardBatch"
"""A board, a layout, owners `uint8[n, 52]`, numbers `uint64[n, 2]`, or a batch of boards."""

Target: TypeAlias = "str | os.PathLike[str] | BinaryIO"

Piece: TypeAlias = tuple[Limbs, "list[Board] | BoardBatch | None"]
"""Numbers, and their boards, or None for numbers alone."""


class ArchiveWriter:
    """Writes the blocks of an archive to a stream, then the index and the end.

    For a new archive, the constructor writes the header. To append to an archive, give `size`, its
    size in bytes; `previous`, the offset of its last index; and `boards`, the number of its boards.
    """

    def __init__(
        self,
        stream: BinaryIO,
        codec: BlockCodec,
        *,
        size: int = 0,
        previous: int = 0,
        boards: int = 0,
    ) -> None:
        self._stream = stream
        self._codec = codec
        self._offset = size
        self._previous = previous
        self.boards = boards
        self._entries: list[Entry] = []
        if not size:
            self._write(codec.header)

    def write(self, items: Iterable[Item]) -> None:
        """Write boards, layouts, owners and numbers, then the index and the end.

        Raise `LayoutError` if a layout, and `NumberError` if a number, is not in the space.
        """
        pieces = self._pieces(items)
        self.write_pieces(self._sorted(pieces) if self._codec.is_sorted else pieces)

    def write_batches(self, batches: Iterable[BoardBatch]) -> None:
        """Write the boards of batches as `write` does; the archive must be ordered."""
        begin = 0
        for pieces in _full_batches(batches):
            boards = sum(map(len, pieces))
            numbers = tags = None
            with suppress(PavError):  # `_ranked` below raises it with the place of the board
                if not any(isinstance(piece, Gathered) for piece in pieces):
                    owners = np.concatenate([piece.owners for piece in pieces])
                    rows = self._codec.space.numbers_of_owners(owners)
                    tags = self._codec.tags_of_batches(rows, pieces)
                    numbers = rows
            if numbers is not None and tags is not None:
                data, entry = self._codec.block(numbers, tags)
                self.copy(entry, data)
            else:
                one_by_one = [board for piece in pieces for board in piece]
                for rows, some in self._ranked(one_by_one, begin + boards):
                    self._write_blocks(rows, some)
            begin += boards
        self.finish()

    def write_pieces(self, pieces: Iterable[Piece]) -> None:
        """Write numbers and their boards, then the index and the end.

        They must be sorted if the kind requires it. Numbers alone fill whole blocks, and boards
        begin one. Raise `NumberError` if a number is not below the cardinality.
        """
        for numbers, boards in _whole_blocks(pieces):
            self._write_blocks(numbers, boards)
        self.finish()

    def copy(self, entry: Entry, data: bytes) -> None:
        """Write the bytes of a block of boards unchanged, and add its entry to the index."""
        self._write(data)
        self._entries.append(entry)
        self.boards += entry.count

    def finish(self) -> None:
        """Write the index and the end, and flush the file to the disk."""
        index = self._offset
        self._write(
            build_block(
                BlockType.INDEX,
                len(self._entries),
                build_entries(self._previous, self._entries, self._codec.sorted_below),
                self._codec.header,
            )
        )
        self._sync()  # before the end: a file with an end has everything before it
        self._write(build_end(End(index, self.boards)))
        self._sync()

    def _write(self, data: bytes) -> None:
        self._stream.write(data)
        self._offset += len(data)

    def _sync(self) -> None:
        """Flush the stream to the disk, if it is a file."""
        getattr(self._stream, "flush", lambda: None)()
        try:
            descriptor = self._stream.fileno()
        except (OSError, AttributeError):
            return  # not a file
        if stat.S_ISREG(os.fstat(descriptor).st_mode):
            os.fsync(descriptor)

    def _write_blocks(self, numbers: Limbs, boards: list[Board] | BoardBatch | None) -> None:
        for begin in range(0, len(numbers), AT_ONCE):
            end = min(begin + AT_ONCE, len(numbers))
            if isinstance(boards, BoardBatch):
                some: list[Board] | BoardBatch | None = boards.rows(begin, end)
            else:
                some = None if boards is None else boards[begin:end]
            for data, entry in self._codec.blocks(numbers[begin:end], some):
                self.copy(entry, data)

    def _sorted(self, pieces: Iterable[Piece]) -> Iterator[Piece]:
        """Collect all pieces, and yield them sorted by number."""
        collected: list[Limbs] = []
        boards: list[list[Board] | BoardBatch | None] = []
        keeps_boards = self._codec.keeps_tags or self._codec.keeps_tricks
        for numbers, some in pieces:
            collected.append(numbers)
            boards.append(some if keeps_boards else None)
        rows = np.concatenate(collected) if collected else np.empty((0, 2), np.uint64)
        if any(each is not None for each in boards):
            if not any(isinstance(each, list) for each in boards):
                tricks = [_tricks_of(*piece) for piece in zip(collected, boards, strict=True)]
                yield from self._sorted_tricks(rows, np.concatenate(tricks))
                return
            whole: list[Board] = []
            for numbers, some in zip(collected, boards, strict=True):
                if some is None:  # numbers alone are boards without tags
                    whole += map(Board, self._codec.space.layouts(numbers))
                else:
                    whole += some
            rows, order = self._in_order(rows)
            yield rows, [whole[row] for row in order.tolist()]
            return
        del collected
        sort_rows(rows)
        if self._codec.kind is Kind.SET and not (are_first := are_new(rows)).all():
            rows = rows[are_first]
        for begin in range(0, len(rows), AT_ONCE):  # all at once would be copied
            yield rows[begin : begin + AT_ONCE], None

    def _sorted_tricks(self, rows: Limbs, tricks: NDArray[np.uint8]) -> Iterator[Piece]:
        """Yield numbers with tricks, `uint8[n, 20]`, and no tags, sorted by number."""
        rows, order = self._in_order(rows)
        for begin in range(0, len(rows), AT_ONCE):
            part = slice(begin, begin + AT_ONCE)
            owners = self._codec.space.rows(rows[part])
            yield rows[part], BoardBatch(owners, tricks=tricks[order[part]])

    def _in_order(self, rows: Limbs) -> tuple[Limbs, NDArray[np.intp]]:
        """Return sorted numbers and their old rows; a set has the first of equal numbers."""
        order = sorting(rows)
        rows = rows[order]
        if self._codec.kind is Kind.SET:
            are_first = are_new(rows)
            rows, order = rows[are_first], order[are_first]
        return rows, order

    def _pieces(self, items: Iterable[Item]) -> Iterator[Piece]:
        """Yield numbers and boards; boards without arrays are ranked a block at a time."""
        done = 0
        pending: list[Board] = []
        for item in items:
            if isinstance(item, np.ndarray | BoardBatch):
                yield from self._ranked(pending, done)
                pending = []
                if isinstance(item, BoardBatch):
                    yield from self._ranked_batch(item, done)
                    done += len(item)
                else:
                    yield from self._ranked_array(item)
                continue
            pending.append(_board(item))
            done += 1
            if len(pending) == AT_ONCE:
                yield from self._ranked(pending, done)
                pending = []
        yield from self._ranked(pending, done)

    def _ranked(self, boards: list[Board], end: int) -> Iterator[Piece]:
        if not boards:
            return
        layouts = [board.layout for board in boards]
        try:
            numbers = self._codec.space.numbers(layouts)
        except LayoutError:
            self._refuse(layouts, end - len(boards))
            raise
        yield numbers, boards

    def _refuse(self, layouts: list[Layout | None], begin: int) -> None:
        """Raise `LayoutError` for the first layout that is not in the space, with its place."""
        for number, layout in enumerate(layouts, begin + 1):
            try:
                self._codec.space.number(layout)
            except LayoutError as error:
                raise LayoutError(f"board {number} of those given: {error}") from None

    def _ranked_batch(self, batch: BoardBatch, begin: int) -> Iterator[Piece]:
        """Yield the numbers of a batch, with its boards; a batch without tags stays a batch."""
        if batch.holds:
            yield from self._ranked(list(batch), begin + len(batch))
            return
        numbers = self._codec.space.numbers_of_owners(batch.owners)
        yield numbers, replace(batch, origin=None)

    def _ranked_array(self, rows: NDArray[np.generic]) -> Iterator[Piece]:
        space = self._codec.space
        if rows.dtype == np.uint8:
            yield space.numbers_of_owners(rows.astype(np.uint8, copy=False)), None
            return
        numbers: Limbs = checked("numbers", rows, np.uint64, 2)
        if not below(numbers, space.cardinality).all():
            self._codec.coder.encode(numbers)  # raises `NumberError` with the row
        yield numbers, None


def _tricks_of(numbers: Limbs, boards: list[Board] | BoardBatch | None) -> NDArray[np.uint8]:
    """Return the tricks of a piece, which has no boards but those of a batch without tags."""
    if isinstance(boards, BoardBatch) and boards.tricks is not None:
        return boards.tricks
    return np.full((len(numbers), CONTRACTS), NOT_SOLVED, np.uint8)


def _whole_blocks(pieces: Iterable[Piece]) -> Iterator[Piece]:
    """Join numbers without boards to full blocks; yield numbers with boards unchanged."""
    rest: list[Limbs] = []
    for numbers, boards in pieces:
        if boards is not None:
            if rest:
                yield np.concatenate(rest), None
            yield numbers, boards
            rest = []
            continue
        rest.append(numbers)
        if sum(map(len, rest)) >= AT_ONCE:
            joined = np.concatenate(rest)
            whole = len(joined) - len(joined) % AT_ONCE
            yield joined[:whole], None
            rest = [joined[whole:]]
    if rest:
        yield np.concatenate(rest), None


def _full_batches(batches: Iterable[BoardBatch]) -> Iterator[list[BoardBatch]]:
    """Yield the rows of batches in lists that fill a block each, then the remaining rows."""
    pieces: list[BoardBatch] = []
    room = AT_ONCE
    for batch in batches:
        begin = 0
        while begin < len(batch):
            end = min(begin + room, len(batch))
            pieces.append(batch.rows(begin, end))
            begin, room = end, room - (end - begin)
            if not room:
                yield pieces
                pieces, room = [], AT_ONCE
    if pieces:
        yield pieces


def _board(item: Board | Layout | object) -> Board:
    if isinstance(item, Board):
        return item
    if isinstance(item, Layout):
        return Board(item)
    raise TypeError(f"an archive stores boards and layouts, not {type(item).__name__!r}")


def write_to(target: Target, codec: BlockCodec, work: Callable[[ArchiveWriter], None]) -> int:
    """Call `work` with a writer for a file or a stream, and return the number of boards."""
    if isinstance(target, str | os.PathLike):
        with open_output(target, durable=True) as stream:
            return write_to(stream, codec, work)
    check_stream("an archive", target)
    writer = ArchiveWriter(target, codec)
    work(writer)
    return writer.boards


def sort_rows(rows: Limbs) -> None:
    """Sort numbers, `uint64[n, 2]`, in place, without additional memory.

    The 16 bytes of a row, highest byte first, sort like the number, and numpy sorts byte strings.

    >>> rows = np.array([[1, 0], [0, 7], [0, 2]], np.uint64)
    >>> sort_rows(rows)
    >>> rows.tolist()
    [[0, 2], [0, 7], [1, 0]]
    """
    swap = sys.byteorder == "little"
    if swap:
        rows.byteswap(inplace=True)
    rows.view("S16")[:, 0].sort()
    if swap:
        rows.byteswap(inplace=True)
