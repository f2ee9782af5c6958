"""Many deals of a model at once."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

import numpy as np

from pavcodec.cards import Seat
from pavcodec.kernels.chunks import Threads, share
from pavcodec.kernels.models import ModelKernel
from pavcodec.kernels.philox import draw_indexes
from pavcodec.numberings.batch import Batch, batch_of
from pavcodec.walk import FixedSizes, Walk

if TYPE_CHECKING:
    from pavcodec.constraints.model import Model
    from pavcodec.kernels.limbs import Limbs
    from pavcodec.kernels.rows import Owners

__all__ = ["batch_of_model", "deals_of", "draw_numbers"]


def batch_of_model(model: Model) -> Batch:
    """Return the loops of a model; those of all deals are the ones of `deal`."""
    if not model.seats and model.layers and len(model.sizes) == len(Seat):
        return _batch_of_sizes(model.sizes)
    rest = len(model.seats)
    letters = [
        model.seats.index(owner) if owner in model.seats else rest
        for owner in range(len(model.sizes))
    ]
    last = np.array([[0, 1]], np.uint64)
    ways = [*(layer.ways for layer in model.layers[1:]), last]
    layers = [(layer.children, after) for layer, after in zip(model.layers, ways, strict=False)]
    return ModelKernel(model.sizes, model.free, letters, layers, model.cardinality)


@cache
def _batch_of_sizes(sizes: tuple[int, ...]) -> Batch:
    """Return the loops of all words of hands of these sizes."""
    return batch_of(Walk(FixedSizes(sizes)))


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


def draw_numbers(model: Model, seed: int, start: int, count: int, threads: Threads) -> Limbs:
    """Return the deal numbers of samples of a model: `uint64[n, 2]`, high and low."""
    numbers = np.empty((count, 2), np.uint64)

    def work(part: slice) -> None:
        found = numbers[part]
        indexes = draw_indexes(seed, start + part.start, len(found), model.cardinality)
        _deal(model, indexes, found, np.empty((len(found), sum(model.sizes)), np.uint8))

    share(work, count, threads)
    return numbers


def _deal(model: Model, indexes: Limbs, numbers: Limbs, owners: Owners) -> None:
    """Write the owners of indexes of a model, and what all deals of its sizes number them."""
    model.batch.unrank(indexes, owners)
    _batch_of_sizes(model.sizes).rank(owners, numbers)
