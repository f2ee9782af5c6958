"""Many deals of a model in one call."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from pavcodec.arrays import Threads, share
from pavcodec.sampling import draw_distinct_indexes, draw_indexes

if TYPE_CHECKING:
    from pavcodec.arrays import Limbs, Owners
    from pavcodec.constraints.counting.models.model import Model


def deals_of(model: Model, indexes: Limbs, threads: Threads = None) -> tuple[Limbs, Owners]:
    """Return (deal numbers, owners) of indexes of a model.

    `indexes` is `uint64[n, 2]`, high and low, and so are the numbers; owners are `uint8[n, cards]`.
    """
    numbers = np.empty((len(indexes), 2), np.uint64)
    owners = np.empty((len(indexes), sum(model.sizes)), np.uint8)

    def work(part: slice) -> None:
        _deal(model, indexes[part], numbers[part], owners[part])

    share(work, len(indexes), threads)
    return numbers, owners


def draw_numbers(  # noqa: PLR0913
    model: Model, seed: int, start: int, count: int, threads: Threads, *, distinct: bool = False
) -> Limbs:
    """Return the deal numbers of samples of a model: `uint64[n, 2]`, high and low."""
    if distinct:
        indexes = draw_distinct_indexes(seed, start, count, model.cardinality)
        return deals_of(model, indexes, threads)[0]
    numbers = np.empty((count, 2), np.uint64)

    def work(part: slice) -> None:
        drawn = numbers[part]
        indexes = draw_indexes(seed, start + part.start, len(drawn), model.cardinality)
        _deal(model, indexes, drawn, np.empty((len(drawn), sum(model.sizes)), np.uint8))

    share(work, count, threads)
    return numbers


def _deal(model: Model, indexes: Limbs, numbers: Limbs, owners: Owners) -> None:
    """Write the owners of indexes of a model, and their numbers among all deals of its sizes."""
    model.words.unrank_rows(len(owners), np.ascontiguousarray(indexes), owners)
    model.all_words.rank_rows(len(owners), owners, numbers)
