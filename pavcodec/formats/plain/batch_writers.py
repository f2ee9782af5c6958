"""Writers of batches: the bytes of the writers of boards, made from arrays.

Rule 1: `Format.write` is the definition. It writes each part of a batch that has no bytes here,
        such as one with a layout that the numbering lacks, and reports the problems.
Rule 2: a thread makes the next part while one part is written.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from functools import partial
from types import TracebackType
from typing import (
    TYPE_CHECKING,
    BinaryIO,
    Generic,
    Self,
    TypeAlias,
    TypeVar,
)

import numpy as np

from pavcodec.arrays.text.writing import format_deals, format_numbers
from pavcodec.arrays.words.limbs import subtract
from pavcodec.boards.batch import BoardBatch, ManyRanks
from pavcodec.boards.context import Context
from pavcodec.errors import PavError
from pavcodec.formats.plain.texts import write_lines, write_numbers

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from pavcodec.arrays.words.limbs import Limbs

    Bytes: TypeAlias = NDArray[np.uint8]

__all__ = [
    "PipelinedWriter",
    "numbers_of_batch",
    "parts_of",
    "write_line_batches",
    "write_number_batches",
    "write_parts",
]

T = TypeVar("T")

_AT_ONCE = 1 << 12
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
    """Yield a batch in parts of `_AT_ONCE` boards."""
    for begin in range(0, len(batch), _AT_ONCE):
        yield batch.rows(begin, min(begin + _AT_ONCE, len(batch)))


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
