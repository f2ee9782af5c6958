"""Owners of many deals: rows of cards, columns of deals, and the sizes of hands."""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from pavcodec.arrays.compiler import compiled
from pavcodec.layout.columns import hand_sizes

Owners: TypeAlias = NDArray[np.uint8]

BLOCK = 128
"""The number of deals that a loop processes together.

In one deal, the computation for each card depends on the card before. A loop over many deals at the
same card keeps the processor busy, and the data of this number of deals fit into its fastest cache.
"""

_SIZE_BITS = np.uint64(8)
_LAST_FIELD = np.uint64(7)
_ONE = np.uint64(1)


def packed_sizes(sizes: tuple[int, ...]) -> np.uint64:
    """Return the number of cards of each owner, packed as in `held`.

    >>> hex(packed_sizes((13, 13, 13, 13)))
    '0xd0d0d0d'
    """
    return np.uint64(sum(size << 8 * owner for owner, size in enumerate(sizes)))


def sizes_of(owners: Owners) -> dict[tuple[int, ...], int]:
    """Return the number of layouts for each combination of sizes of the four hands.

    >>> sizes_of(np.array([[0, 1, 2, 4], [3, 1, 2, 4], [1, 0, 2, 4]], np.uint8))
    {(0, 1, 1, 1): 1, (1, 1, 1, 0): 2}
    """
    sizes, counts = np.unique(hand_sizes(owners), axis=0, return_counts=True)
    return dict(zip(map(tuple, sizes.tolist()), counts.tolist(), strict=True))


@compiled()
def held(owners: Any) -> Any:
    """Return the number of cards of each owner in 8 bits each, North in the lowest.

    Owners above 7 count as 7. A row of at most 255 cards is a word of a counter if these sizes are
    those of the counter.
    """
    sizes = np.uint64(0)
    for card in range(len(owners)):
        sizes += _ONE << _SIZE_BITS * min(np.uint64(owners[card]), _LAST_FIELD)
    return sizes


@compiled()
def write_rows(columns: Any, owners: Any) -> None:
    """Copy columns, one for each card, to `owners`, with one row for each deal."""
    for deal in range(len(owners)):
        for card in range(owners.shape[1]):
            owners[deal, card] = columns[card, deal]
