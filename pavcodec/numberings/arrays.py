"""Rank, unrank and sample arrays of layouts, in chunks that threads share."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Protocol

import numpy as np

from pavcodec.arrays.chunks import Threads, checked, refuse, share
from pavcodec.arrays.owners.rows import Owners
from pavcodec.arrays.words.limbs import MOST, Limbs, add, below, subtract
from pavcodec.cards import DECK_SIZE
from pavcodec.errors import NumberError, shown
from pavcodec.layout import Layout

if TYPE_CHECKING:
    from pavcodec.numberings.batch import Batch


_LAYOUTS_AT_ONCE = 1 << 15


class _Numbered(Protocol):
    """The properties of a numbering that its arrays need."""

    @property
    def name(self) -> str: ...
    @property
    def first(self) -> int: ...
    @property
    def last(self) -> int: ...
    @property
    def cardinality(self) -> int: ...
    def rank(self, layout: Layout) -> int: ...
    def unrank(self, number: int) -> Layout: ...


def rank_rows(numbering: _Numbered, batch: Batch, owners: Owners, threads: Threads) -> Limbs:
    """Return the numbers of layouts; `Numbering.rank_many` documents arguments and errors."""
    rows = checked("owners", owners, np.uint8, DECK_SIZE)
    _check_width(numbering)
    numbers = np.empty((len(rows), 2), np.uint64)

    def work(part: slice) -> None:
        chunk = numbers[part]
        row = batch.rank(np.require(rows[part], requirements=["C", "W"]), chunk)
        if row >= 0:
            refuse(part.start + row, lambda: numbering.rank(Layout(rows[part][row].tobytes())))
        if numbering.first:
            chunk[:] = add(chunk, numbering.first)

    share(work, len(rows), threads)
    return numbers


def unrank_rows(numbering: _Numbered, batch: Batch, numbers: Limbs, threads: Threads) -> Owners:
    """Return the owners of numbers; `Numbering.unrank_many` documents arguments and errors."""
    rows = checked("numbers", numbers, np.uint64, 2)
    _check_width(numbering)
    owners = np.empty((len(rows), DECK_SIZE), np.uint8)

    def work(part: slice) -> None:
        positions = subtract(np.ascontiguousarray(rows[part]), numbering.first)
        are_known = below(positions, numbering.cardinality)
        if not are_known.all():
            row = int(are_known.argmin())
            high, low = rows[part][row].tolist()
            refuse(part.start + row, lambda: numbering.unrank(high << 64 | low))
        batch.unrank(positions, owners[part])

    share(work, len(rows), threads)
    return owners


def sample_rows(  # noqa: PLR0913, PLR0917
    numbering: _Numbered,
    batch: Batch,
    seed: int,
    start: int,
    count: int,
    threads: Threads,
    *,
    distinct: bool = False,
) -> Owners:
    """Return the owners of samples; `Numbering.sample_many` documents arguments and errors."""
    from pavcodec.sampling import draw_distinct_indexes, draw_indexes

    _check_width(numbering)
    total = numbering.cardinality
    if distinct:
        return _owners_of(batch, draw_distinct_indexes(seed, start, count, total), threads)
    owners = np.empty((count, DECK_SIZE), np.uint8)

    def work(part: slice) -> None:
        chunk = owners[part]
        batch.unrank(draw_indexes(seed, start + part.start, len(chunk), total), chunk)

    share(work, count, threads)
    return owners


def sampled_owners(  # noqa: PLR0913
    numbering: _Numbered, batch: Batch, seed: int, start: int, count: int, *, distinct: bool
) -> Iterator[bytes]:
    """Yield the owners of samples, made in parts; `Numbering.samples` documents the arguments."""
    from pavcodec.sampling import draw_distinct

    if distinct:
        for positions in draw_distinct(
            seed, start, count, numbering.cardinality, at_once=_LAYOUTS_AT_ONCE
        ):
            yield from map(bytes, _owners_of(batch, positions, None))
        return
    for begin in range(start, start + count, _LAYOUTS_AT_ONCE):
        many = min(_LAYOUTS_AT_ONCE, start + count - begin)
        yield from map(bytes, sample_rows(numbering, batch, seed, begin, many, None))


def _owners_of(batch: Batch, positions: Limbs, threads: Threads) -> Owners:
    """Return the owners of positions, which must be below the cardinality."""
    owners = np.empty((len(positions), DECK_SIZE), np.uint8)

    def work(part: slice) -> None:
        batch.unrank(np.ascontiguousarray(positions[part]), owners[part])

    share(work, len(positions), threads)
    return owners


def _check_width(numbering: _Numbered) -> None:
    """Raise `NumberError` if the numbers of a numbering do not fit into two words."""
    if numbering.last >= MOST:
        raise NumberError(
            f"numbering {numbering.name!r} has numbers to {shown(numbering.last)}, "
            "and an array holds numbers below 2^128"
        )
