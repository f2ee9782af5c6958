"""Many samples of a mix in one call, by the rules of `mixes`."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate
from typing import TYPE_CHECKING

import numpy as np

from pavcodec.cards import DECK_SIZE
from pavcodec.constraints.counting.model import Model
from pavcodec.sampling import draw_indexes

if TYPE_CHECKING:
    from numpy.typing import NDArray


_WORD = (1 << 64) - 1


def places_of(seed: int, start: int, count: int, weights: Sequence[int]) -> NDArray[np.intp]:
    """Return the place of each sample's type: how many sums of weights do not exceed its number."""
    *bounds, total = accumulate(weights)
    high, low = draw_indexes(seed, start, count, total, substream=0).T
    places = np.zeros(count, np.intp)
    for bound in bounds:
        above, below = np.uint64(bound >> 64), np.uint64(bound & _WORD)
        places += (high > above) | ((high == above) & (low >= below))
    return places


def mixed_deals(
    models: Sequence[Model | None], places: NDArray[np.intp], seed: int, start: int
) -> tuple[NDArray[np.uint64], NDArray[np.uint8]]:
    """Return (deal numbers, owners) of samples from `start` on whose types are at `places`.

    The arrays are those of `Model.deals_at`; rows of types without a model are 0.
    """
    count = len(places)
    numbers, owners = np.zeros((count, 2), np.uint64), np.zeros((count, DECK_SIZE), np.uint8)
    for kind, model in enumerate(models):
        rows = np.flatnonzero(places == kind)
        if model is not None and len(rows):
            indexes = draw_indexes(seed, start, count, model.cardinality)[rows]
            numbers[rows], owners[rows] = model.deals_at(indexes)
    return numbers, owners
