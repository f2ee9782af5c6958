"""Readers of owners: the layouts that the readers of boards give, as arrays.

Rule 1: `Format.read` is the definition. A loop reads on as long as the text or the bytes are
        strictly right; where they are not, the reader of boards gets the line or the record.
Rule 2: the rows are the owners of its boards that have cards, in their order, and the problems are
        its problems, in theirs.
Rule 3: a problem may stop the reading; what was read before is not lost.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, BinaryIO, TypeVar

import numpy as np

from pavcodec.arrays.text.reading import Found, read_deals
from pavcodec.arrays.text.reading import read_numbers as numbers_of
from pavcodec.arrays.words.limbs import MOST
from pavcodec.boards.batch import ManyRanks, batches_of, layouts_of
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

__all__ = ["Rows", "read_line_owners", "read_number_owners"]

T = TypeVar("T")

_AT_ONCE = 1 << 14
"""The rows that are handed on at a time."""


class Rows:
    """Owners as they are found, handed on when there are many."""

    def __init__(self) -> None:
        self._rows = np.empty((_AT_ONCE, DECK_SIZE), np.uint8)
        self._count = 0

    @property
    def room(self) -> Owners:
        """The rows that are still to be written."""
        return self._rows[self._count :]

    @property
    def are_full(self) -> bool:
        """Whether there is no room left."""
        return self._count == len(self._rows)

    def wrote(self, count: int) -> None:
        """Take so many rows that were written into the room."""
        self._count += count

    def add(self, boards: Iterable[Board], context: Context) -> Iterator[Owners]:
        """Take the owners of boards; yield the rows whenever they are full."""
        for layout in layouts_of(boards, context):
            self._rows[self._count] = np.frombuffer(layout.owners, np.uint8)
            self._count += 1
            if self.are_full:
                yield self.hand_on()

    def hand_on(self) -> Owners:
        """Return what was found, and begin anew."""
        found, self._rows = self._rows[: self._count], np.empty_like(self._rows)
        self._count = 0
        return found

    def all_of(self, found: Iterator[T]) -> Iterator[T | Owners]:
        """Yield what is found, and the rest when it ends or when a problem stops it."""
        try:
            yield from found
        except Exception:
            if self._count:
                yield self.hand_on()
            raise
        if self._count:
            yield self.hand_on()


def read_line_owners(stream: BinaryIO, context: Context) -> Iterator[Owners]:
    """Yield the owners of deal texts, one a line."""
    rows = Rows()
    return rows.all_of(_read_lines(stream, context, read_deals, boards_of_lines, rows))


def read_number_owners(stream: BinaryIO, context: Context) -> Iterator[Owners]:
    """Yield the owners of numbers of the context's numbering, one a line."""
    ranks: object = context.numbering
    if not isinstance(ranks, ManyRanks) or ranks.last >= MOST:
        return batches_of(board.layout for board in read_numbers(stream, context) if board.layout)
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
) -> Iterator[Owners]:
    """Yield full rows; `boards_of` gets each line at which `read` stops."""
    number = 0
    for text in _whole_lines(stream):
        place = 0
        while place < len(text):
            found = read(text, place, rows.room)
            rows.wrote(found.rows)
            number, place = number + found.rows, found.end
            if rows.are_full:
                yield rows.hand_on()
            elif place < len(text):
                end = text.index(b"\n", place)
                line = decode(text[place:end])
                number, place = number + 1, end + 1
                boards = boards_of(items([(number, line)], context), context)
                yield from rows.add(boards, context)
                if not is_text(line):
                    return


def _whole_lines(stream: BinaryIO) -> Iterator[bytes]:
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
