"""The loops that rank and unrank many words of a model."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

import numpy as np

from pavcodec.arrays.models.model import ModelKernel
from pavcodec.arrays.words.limbs import Limbs
from pavcodec.cards import Seat
from pavcodec.constraints.counting.models.layers import Layer
from pavcodec.numberings.batch import Batch, batch_of
from pavcodec.walk import FixedSizes, Walk


def batch_of_layers(
    sizes: tuple[int, ...],
    seats: tuple[int, ...],
    layers: Sequence[Layer],
    cardinality: int,
    ends: Limbs | None = None,
) -> Batch:
    """Return the loops of a model; those of all deals are the ones of `deal`.

    `ends` are the ways of the nodes after the last card, for weighted models.
    """
    if not seats and layers and len(sizes) == len(Seat):
        return batch_of_sizes(sizes)
    rest = len(seats)
    free = tuple(seat for seat in range(len(sizes)) if seat not in seats)
    letters = [seats.index(owner) if owner in seats else rest for owner in range(len(sizes))]
    last = np.array([[0, 1]], np.uint64) if ends is None else ends
    ways = [*(layer.ways for layer in layers[1:]), last]
    steps = [(layer.children, after) for layer, after in zip(layers, ways, strict=False)]
    return ModelKernel(sizes, free, letters, steps, cardinality, is_weighted=ends is not None)


@cache
def batch_of_sizes(sizes: tuple[int, ...]) -> Batch:
    """Return the loops of all words of hands of these sizes."""
    return batch_of(Walk(FixedSizes(sizes)))
