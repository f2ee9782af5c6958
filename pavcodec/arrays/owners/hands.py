"""The numbers of cards of the four hands in rows of owners, without compiled loops."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from pavcodec.cards import HAND_SIZE, Seat

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["are_deals", "hand_sizes"]


def hand_sizes(owners: NDArray[np.uint8]) -> NDArray[np.intp]:
    """Return the number of cards of N, E, S and W in each row: `intp[n, 4]`.

    >>> hand_sizes(np.array([[0, 1, 2, 4], [3, 1, 1, 1]], np.uint8)).tolist()
    [[1, 1, 1, 0], [0, 3, 0, 1]]
    """
    return np.stack([np.count_nonzero(owners == seat, axis=1) for seat in Seat], axis=1)


def are_deals(owners: NDArray[np.uint8]) -> NDArray[np.bool_]:
    """Return for each row whether every hand has 13 cards: `bool[n]`.

    >>> are_deals(np.array([[0, 1, 2, 3] * 13, [0, 1, 2, 4] * 13], np.uint8)).tolist()
    [True, False]
    """
    return np.asarray((hand_sizes(owners) == HAND_SIZE).all(axis=1))
