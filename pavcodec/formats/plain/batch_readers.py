"""Readers of batches: owners as arrays, and boards on demand from the text in memory.

Rule 1: `Format.read` is the definition. A loop reads on as long as the text or the bytes are
        strictly right; the reader of boards reads each other line or record.
Rule 2: the rows are the owners of its boards that have cards, in the same order, and the problems
        are the same, in the same order.
Rule 3: a problem may stop the reading; the rows before it are not lost.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from itertools import islice
from typing import TYPE_CHECKING, BinaryIO, TypeVar

import numpy as np

from pavcodec.arrays.text.reading import Found, read_deals
from pavcodec.arrays.text.reading import read_numbers as numbers_of
from pavcodec.arrays.words.limbs import MOST
from pavcodec.boards.batch import BoardBatch, ManyRanks, batches_of_boards, with_cards
from pavcodec.boards.board import Board
from pavcodec.boards.context import Context
from pavcodec.cards import DECK_SIZE
from pavcodec.files.text import blocks, decode
from pavcodec.formats.plain.texts import (
    boards_of_lines,
    boards_of_numbers,
    is_text,
    items,
    read_numbers,
)

if TYPE_CHECKING:
    from pavcodec.arrays.owners.rows import Owners

__all__ = ["Rows", "read_line_batches", "read_number_batches", "whole_lines"]

T = TypeVar("T")

_AT_ONCE = 1 << 14
"""The rows of a batch."""


class _Stretch:
    """The boards of consecutive rows; `read` makes them from their text, as far as needed."""

    def __init__(
        self, begin: int, read: Callable[[], Iterator[Board]], has_more: Callable[[], bool]
    ) -> None:
        self._begin = begin
        self._read = read
        self.has_more = has_more
        self._rest: Iterator[Board] | None = None
        self._boards: list[Board] = []

    def board(self, row: int) -> Board:
        """Return the board of a row."""
        if self._rest is None:
            self._rest = self._read()
        self._boards += islice(self._rest, max(0, row - self._begin + 1 - len(self._boards)))
        return self._boards[row - self._begin]


class Rows:
    """Collects owners, and yields them in batches."""

    def __init__(self) -> None:
        self._begin()

    def _begin(self) -> None:
        self._rows = np.empty((_AT_ONCE, DECK_SIZE), np.uint8)
        self._count = 0
        self._begins: list[int] = []
        self._stretches: list[_Stretch] = []

    @property
    def room(self) -> Owners:
        """The rows that are still to be written."""
        return self._rows[self._count :]

    @property
    def are_full(self) -> bool:
        """Whether there is no room left."""
        return self._count == len(self._rows)

    def wrote(
        self,
        count: int,
        read: Callable[[], Iterator[Board]],
        has_more: Callable[[], bool] = bool,
    ) -> None:
        """Count rows that were written into the room.

        `read` yields their boards, and `has_more` returns whether these have tags.
        """
        if count:
            self._begins.append(self._count)
            self._stretches.append(_Stretch(self._count, read, has_more))
            self._count += count

    def add(self, boards: Iterable[Board], context: Context) -> Iterator[BoardBatch]:
        """Add the owners of boards; yield a batch whenever the rows are full."""
        for board in with_cards(boards, context):
            assert board.layout is not None
            self.room[0] = np.frombuffer(board.layout.owners, np.uint8)
            self.wrote(1, partial(iter, [board]), partial(_has_tags, board))
            if self.are_full:
                yield self.batch()

    def batch(self) -> BoardBatch:
        """Return the rows so far as a batch, and begin anew."""
        begins, stretches = self._begins, self._stretches

        def board(row: int) -> Board:
            return stretches[bisect_right(begins, row) - 1].board(row)

        def has_more() -> bool:
            return any(stretch.has_more() for stretch in stretches)

        found = BoardBatch(self._rows[: self._count], origin=board, has_more=has_more)
        self._begin()
        return found

    def all_of(self, found: Iterator[T]) -> Iterator[T | BoardBatch]:
        """Yield the items of `found`, and the remaining rows at its end or before its exception."""
        try:
            yield from found
        except Exception:
            if self._count:
                yield self.batch()
            raise
        if self._count:
            yield self.batch()


def _has_tags(board: Board) -> bool:
    """Return whether a board has more than the tag Deal."""
    return any(tag.name != "Deal" or tag.lines for tag in board.entries)


def read_line_batches(stream: BinaryIO, context: Context) -> Iterator[BoardBatch]:
    """Yield the boards of deal texts, one a line."""
    rows = Rows()
    return rows.all_of(_read_lines(stream, context, read_deals, boards_of_lines, rows))


def read_number_batches(stream: BinaryIO, context: Context) -> Iterator[BoardBatch]:
    """Yield the boards of numbers of the context's numbering, one a line."""
    ranks: object = context.numbering
    if not isinstance(ranks, ManyRanks) or ranks.last >= MOST:
        return batches_of_boards(read_numbers(stream, context), context)
    scratch = np.empty((_AT_ONCE, 2), np.uint64)
    unrank, least, most = ranks.unrank_many, ranks.first, ranks.last

    def read(text: bytes, begin: int, room: Owners) -> Found:
        numbers = scratch[: len(room)]
        found = numbers_of(text, begin, numbers, least=least, most=most)
        if found.rows:
            room[: found.rows] = unrank(numbers[: found.rows])
        return found

    rows = Rows()
    return rows.all_of(_read_lines(stream, context, read, boards_of_numbers, rows))


def _read_lines(
    stream: BinaryIO,
    context: Context,
    read: Callable[[bytes, int, Owners], Found],
    boards_of: Callable[[Iterable[tuple[int, str]], Context], Iterator[Board]],
    rows: Rows,
) -> Iterator[BoardBatch]:
    """Yield full batches; `boards_of` reads each line at which `read` stops."""

    def boards(line: int, text: bytes) -> Iterator[Board]:
        lines = map(decode, text.split(b"\n")[:-1])
        return boards_of(items(enumerate(lines, line), context), context)

    done = 0
    for text in whole_lines(stream):
        place = 0
        while place < len(text):
            found = read(text, place, rows.room)
            rows.wrote(found.rows, partial(boards, done + 1, text[place : found.end]))
            done, place = done + found.rows, found.end
            if rows.are_full:
                yield rows.batch()
            elif place < len(text):
                end = text.index(b"\n", place) + 1
                done += 1
                yield from rows.add(boards(done, text[place:end]), context)
                if not is_text(decode(text[place : end - 1])):
                    return
                place = end


def whole_lines(stream: BinaryIO) -> Iterator[bytes]:
    """Yield a text in blocks of whole lines, a newline after the last one."""
    held: list[bytes] = []
    for data in blocks(stream):
        cut = data.rfind(b"\n") + 1
        if cut:
            yield b"".join([*held, data[:cut]])
            held = [data[cut:]]
        else:
            held.append(data)
    if any(held):
        yield b"".join([*held, b"\n"])
