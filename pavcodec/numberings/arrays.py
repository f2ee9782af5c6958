"""Many layouts of a numbering at once: arrays, chunk by chunk, in threads."""

from __future__ import annotations

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from operator import index as as_integer
from typing import TYPE_CHECKING, Any, SupportsIndex

import numpy as np

from pavcodec.cards import DECK_SIZE
from pavcodec.errors import NumberError, PavError, shown
from pavcodec.kernels.limbs import MOST, Limbs, add, below, subtract
from pavcodec.kernels.rows import Owners
from pavcodec.layout import Layout

if TYPE_CHECKING:
    from pavcodec.numberings.batch import Batch
    from pavcodec.numberings.numbering import Numbering

__all__ = ["rank_rows", "sample_rows", "unrank_rows"]

_AT_ONCE = 1 << 14
"""The rows of a chunk. What a thread holds besides the result is a few times as large."""

Threads = SupportsIndex | None


def rank_rows(numbering: Numbering, batch: Batch, owners: Owners, threads: Threads) -> Limbs:
    """Return the numbers of layouts; `Numbering.rank_many` has the contract."""
    rows = _checked("owners", owners, np.uint8, DECK_SIZE)
    _check_width(numbering)
    numbers = np.empty((len(rows), 2), np.uint64)

    def work(part: slice) -> None:
        found = numbers[part]
        row = batch.rank(np.require(rows[part], requirements=["C", "W"]), found)
        if row >= 0:
            _refuse(part.start + row, lambda: _rank_one(numbering, rows[part][row]))
        if numbering.first:
            found[:] = add(found, numbering.first)

    _share(work, len(rows), threads)
    return numbers


def unrank_rows(numbering: Numbering, batch: Batch, numbers: Limbs, threads: Threads) -> Owners:
    """Return the owners of numbers; `Numbering.unrank_many` has the contract."""
    rows = _checked("numbers", numbers, np.uint64, 2)
    _check_width(numbering)
    owners = np.empty((len(rows), DECK_SIZE), np.uint8)

    def work(part: slice) -> None:
        places = subtract(np.ascontiguousarray(rows[part]), numbering.first)
        are_known = below(places, numbering.cardinality)
        if not are_known.all():
            row = int(are_known.argmin())
            high, low = rows[part][row].tolist()
            _refuse(part.start + row, lambda: numbering.unrank(high << 64 | low))
        batch.unrank(places, owners[part])

    _share(work, len(rows), threads)
    return owners


def sample_rows(  # noqa: PLR0913, PLR0917
    numbering: Numbering, batch: Batch, seed: int, start: int, count: int, threads: Threads
) -> Owners:
    """Return the owners of samples; `Numbering.sample_many` has the contract."""
    from pavcodec.kernels.philox import draw_indexes

    _check_width(numbering)
    owners = np.empty((count, DECK_SIZE), np.uint8)

    def work(part: slice) -> None:
        found = owners[part]
        places = draw_indexes(seed, start + part.start, len(found), numbering.cardinality)
        batch.unrank(places, found)

    _share(work, count, threads)
    return owners


def _check_width(numbering: Numbering) -> None:
    """Raise `NumberError` where the numbers of a numbering do not fit in two words."""
    if numbering.last >= MOST:
        raise NumberError(
            f"numbering {numbering.name!r} has numbers to {shown(numbering.last)}, "
            "and an array holds numbers below 2^128"
        )


def _checked(what: str, array: Any, kind: type[np.generic], width: int) -> Any:  # noqa: ANN401
    """Return an array as it is if it has rows of this kind; raise `TypeError` if not."""
    expected = f"{what} are an array {kind.__name__}[n, {width}]"
    if not isinstance(array, np.ndarray):
        raise TypeError(f"{expected}, not {type(array).__name__!r}")
    if array.dtype != kind or array.ndim != 2 or array.shape[1] != width:
        raise TypeError(f"{expected}, not {array.dtype}{list(array.shape)}")
    return array


def _rank_one(numbering: Numbering, owners: Owners) -> int:
    return numbering.rank(Layout(owners.tobytes()))


def _refuse(row: int, one: Callable[[], object]) -> None:
    """Raise what the definition raises for a row, with the row."""
    try:
        one()
    except PavError as error:
        raise type(error)(f"row {row}: {error}") from None
    raise AssertionError(f"the loop refuses row {row}, and the definition does not")


def _share(work: Callable[[slice], None], count: int, threads: Threads) -> None:
    """Do some work on all rows, chunk by chunk; raise the error of the first chunk that has one."""
    workers = (os.cpu_count() or 1) if threads is None else as_integer(threads)
    if workers < 1:
        raise NumberError(f"threads are 1 or more, not {shown(workers)}")
    parts = [slice(begin, min(begin + _AT_ONCE, count)) for begin in range(0, count, _AT_ONCE)]
    if min(workers, len(parts)) <= 1:
        for part in parts:
            work(part)
        return
    with ThreadPoolExecutor(min(workers, len(parts))) as pool:
        for _ in pool.map(work, parts):
            pass
