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
from concurrent.futures import Future, ThreadPoolExecutor
from functools import partial
from itertools import islice
from types import TracebackType
from typing import TYPE_CHECKING, BinaryIO, Generic, Self, TypeAlias, TypeVar

import numpy as np

from pavcodec.arrays.text.reading import Found, read_deals
from pavcodec.arrays.text.reading import read_numbers as numbers_of
from pavcodec.arrays.text.writing import format_deals, format_numbers
from pavcodec.arrays.words.limbs import MOST, subtract
from pavcodec.boards.batch import BoardBatch, ManyRanks, batches_of_boards, with_cards
from pavcodec.boards.board import Board, Context
from pavcodec.cards import DECK_SIZE
from pavcodec.errors import PavError
from pavcodec.files.text import blocks, decode
from pavcodec.formats.plain.texts import (
    boards_of_lines,
    boards_of_numbers,
    is_text,
    items,
    read_numbers,
    write_lines,
    write_numbers,
)

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from pavcodec.arrays.owners.rows import Owners
    from pavcodec.arrays.words.limbs import Limbs

    Bytes: TypeAlias = NDArray[np.uint8]


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

        batch = BoardBatch(self._rows[: self._count], origin=board, has_more=has_more)
        self._begin()
        return batch

    def all_of(self, items: Iterator[T]) -> Iterator[T | BoardBatch]:
        """Yield items, and the remaining rows at their end or before their exception."""
        try:
            yield from items
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
        readable = numbers_of(text, begin, numbers, least=least, most=most)
        if readable.rows:
            room[: readable.rows] = unrank(numbers[: readable.rows])
        return readable

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
        offset = 0
        while offset < len(text):
            readable = read(text, offset, rows.room)
            rows.wrote(readable.rows, partial(boards, done + 1, text[offset : readable.end]))
            done, offset = done + readable.rows, readable.end
            if rows.are_full:
                yield rows.batch()
            elif offset < len(text):
                end = text.index(b"\n", offset) + 1
                done += 1
                yield from rows.add(boards(done, text[offset:end]), context)
                if not is_text(decode(text[offset : end - 1])):
                    return
                offset = end


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


# Writers of batches: the bytes of the writers of boards, made from arrays.
#
# Rule 1: `Format.write` is the definition. It writes each part of a batch that has no bytes here,
#         such as one with a layout that the numbering lacks, and reports the problems.
# Rule 2: a thread makes the next part while one part is written.


_BOARDS_AT_ONCE = 1 << 12
"""The boards that are formatted at a time: few enough that their text stays in the cache."""


class PipelinedWriter(Generic[T]):
    """Calls a function with results in order, while a thread makes the next result."""

    def __init__(self, take: Callable[[T], None]) -> None:
        self._take = take
        self._pool = ThreadPoolExecutor(1)
        self._coming: Future[T] | None = None

    def submit(self, job: Callable[[], T]) -> None:
        """Begin a job, and wait for the result of the previous job."""
        before, self._coming = self._coming, self._pool.submit(job)
        if before is not None:
            self._take(before.result())

    def finish(self) -> None:
        """Wait for the result of the last job."""
        last, self._coming = self._coming, None
        if last is not None:
            self._take(last.result())

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        with self._pool:
            if error is None:
                self.finish()


def parts_of(batch: BoardBatch) -> Iterator[BoardBatch]:
    """Yield a batch in parts of `_BOARDS_AT_ONCE` boards."""
    for begin in range(0, len(batch), _BOARDS_AT_ONCE):
        yield batch.rows(begin, min(begin + _BOARDS_AT_ONCE, len(batch)))


def write_parts(
    batches: Iterable[BoardBatch],
    stream: BinaryIO,
    make: Callable[[BoardBatch], Bytes | None],
    write_slowly: Callable[[BoardBatch], int],
) -> int:
    """Write all parts, by `write_slowly` where `make` returns None; return how many boards."""
    written = 0

    def make_both(part: BoardBatch) -> tuple[BoardBatch, Bytes | None]:
        return part, make(part)

    def take(made: tuple[BoardBatch, Bytes | None]) -> None:
        nonlocal written
        part, data = made
        if data is None:
            written += write_slowly(part)
        else:
            stream.write(data.reshape(-1).data)
            written += len(part)

    with PipelinedWriter(take) as behind:
        for batch in batches:
            for part in parts_of(batch):
                behind.submit(partial(make_both, part))
    return written


def write_line_batches(batches: Iterable[BoardBatch], stream: BinaryIO, context: Context) -> int:
    """Write one deal text a line, as `write_lines` does."""

    def make(part: BoardBatch) -> Bytes:
        return format_deals(np.ascontiguousarray(part.owners))

    return write_parts(batches, stream, make, lambda part: write_lines(part, stream, context))


def write_number_batches(batches: Iterable[BoardBatch], stream: BinaryIO, context: Context) -> int:
    """Write each layout's number in decimal, as `write_numbers` does."""

    def make(part: BoardBatch) -> Bytes | None:
        numbers = numbers_of_batch(part, context)
        return None if numbers is None else format_numbers(numbers)

    return write_parts(batches, stream, make, lambda part: write_numbers(part, stream, context))


def numbers_of_batch(part: BoardBatch, context: Context, *, from_0: bool = False) -> Limbs | None:
    """Return the numbers of a part; None if a layout has none, or two words are too short."""
    ranks: object = context.numbering
    if not isinstance(ranks, ManyRanks):
        return None
    try:
        numbers = ranks.rank_many(part.owners, threads=1)
    except PavError:
        return None
    return subtract(numbers, ranks.first) if from_0 else numbers
