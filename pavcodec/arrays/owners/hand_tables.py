"""Lookup tables of the functions of a hand, by holding.

In this module a *holding* is a number: its bits are the cards of a suit, the ace the highest bit. A
table has the value of each holding, computed by the definition of the function.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from pavcodec.cards import HAND_SIZE, SUIT_SIZE, Seat
from pavcodec.layout.hand import SumOverCards, SumOverSuits, all_holdings

Kind: TypeAlias = type[np.signedinteger[Any]]

SuitTable: TypeAlias = NDArray[np.signedinteger[Any]]
"""A value for each holding of a suit."""


def narrowest(*values: int) -> Kind:
    """Return the smallest signed integer type that can store some numbers and their negatives.

    >>> narrowest(-40, 3000).__name__, narrowest(70_000).__name__, narrowest(1 << 40).__name__
    ('int16', 'int32', 'int64')
    """
    most = max(map(abs, values))
    return np.int16 if most < 1 << 15 else np.int32 if most < 1 << 31 else np.int64


@lru_cache(128)
def suit_values(function: SumOverCards | SumOverSuits, suit_size: int = SUIT_SIZE) -> SuitTable:
    """Return the value of each holding of a suit; the absolute weights must sum to less than 2^63.

    >>> from pavcodec.layout.hand import HCP
    >>> suit_values(HCP, suit_size=3).tolist()
    [0, 2, 3, 5, 4, 6, 7, 9]
    """
    if isinstance(function, SumOverCards):  # 70 times faster than calls of the definition
        values = np.zeros(1, np.int64)
        for weight in reversed(function.weights[:suit_size]):
            values = np.concatenate([values, values + weight])
    else:
        values = np.array(list(map(function.of_suit, all_holdings(suit_size))), np.int64)
    return values.astype(narrowest(int(values.min()), int(values.max())))


# The numbers of cards of the four hands in rows of owners, without compiled loops.


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
