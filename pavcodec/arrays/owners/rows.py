"""Owners of many deals: rows of cards, columns of deals, and how many cards each hand holds."""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from pavcodec.arrays.compiler import compiled

__all__ = ["BLOCK", "Owners", "held", "packed_sizes", "reorder", "sizes_of", "write_rows"]

Owners: TypeAlias = NDArray[np.uint8]

BLOCK = 128
"""The deals that a loop has in hand at a time.

One deal is a chain in which each card waits for the one before. So many deals side by side, all at
the same card, keep the processor busy, and what they need stays in its nearest cache.
"""

_SIZE_BITS = np.uint64(8)
_LAST_FIELD = np.uint64(7)
_ONE = np.uint64(1)


def packed_sizes(sizes: tuple[int, ...]) -> np.uint64:
    """Return the cards of each owner as `held` does.

    >>> hex(packed_sizes((13, 13, 13, 13)))
    '0xd0d0d0d'
    """
    return np.uint64(sum(size << 8 * owner for owner, size in enumerate(sizes)))


def sizes_of(owners: Owners) -> dict[tuple[int, ...], int]:
    """Return how many layouts have each number of cards in the four hands.

    >>> sizes_of(np.array([[0, 1, 2, 4], [3, 1, 2, 4], [1, 0, 2, 4]], np.uint8))
    {(0, 1, 1, 1): 1, (1, 1, 1, 0): 2}
    """
    sizes = np.stack([np.count_nonzero(owners == seat, axis=1) for seat in range(4)], axis=1)
    found, counts = np.unique(sizes, axis=0, return_counts=True)
    return dict(zip(map(tuple, found.tolist()), counts.tolist(), strict=True))


@compiled()
def held(owners: Any) -> Any:
    """Return how many cards each owner has, 8 bits each, North's the lowest.

    Owners past 7 count as 7. A row is a word of a counter of at most 255 cards if this is right.
    """
    sizes = np.uint64(0)
    for card in range(len(owners)):
        sizes += _ONE << _SIZE_BITS * min(np.uint64(owners[card]), _LAST_FIELD)
    return sizes


@compiled()
def write_rows(columns: Any, owners: Any) -> None:
    """Write columns, one a card, to owners, one row a deal."""
    for deal in range(len(owners)):
        for card in range(owners.shape[1]):
            owners[deal, card] = columns[card, deal]


@compiled()
def reorder(source: Any, cards: Any, seats: Any, target: Any) -> None:
    """Write to `target` the owners of `source`, with other cards and other names for owners.

    Card i of `source` is card `cards[i]` of `target`, and its owner j is called `seats[j]`. There
    are 256 names.
    """
    for deal in range(len(source)):
        for place in range(len(cards)):
            target[deal, cards[place]] = seats[source[deal, place]]
