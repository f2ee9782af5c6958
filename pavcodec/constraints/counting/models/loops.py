"""The loops that rank and unrank many words of a model."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import TypeAlias

import numpy as np

from pavcodec.arrays.models.model import ModelKernel
from pavcodec.arrays.owners.rows import Owners
from pavcodec.arrays.words.limbs import Limbs
from pavcodec.cards import Seat
from pavcodec.constraints.counting.models.layers import Layer
from pavcodec.walk import FixedSizes

Batch: TypeAlias = "ModelKernel | SizesKernel"


@dataclass(frozen=True)
class SizesKernel:
    """The loops of all words of hands of some sizes."""

    words: FixedSizes

    def rank(self, owners: Owners, numbers: Limbs) -> int:
        """Write the numbers of owners; return the first row without a number, or -1."""
        return self.words.rank_rows(len(owners), owners, numbers)

    def unrank(self, numbers: Limbs, owners: Owners) -> None:
        """Write the owners of numbers, which must be below the cardinality."""
        self.words.unrank_rows(len(owners), np.ascontiguousarray(numbers), owners)


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
def batch_of_sizes(sizes: tuple[int, ...]) -> SizesKernel:
    """Return the loops of all words of hands of these sizes."""
    return SizesKernel(FixedSizes(sizes))
