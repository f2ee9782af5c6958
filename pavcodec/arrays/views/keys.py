"""The keys of pgx: four numbers of a deal, S H D C.

A number has two bits for each card of its suit, in the order A 2 3 … K with the ace highest: 0 to 3
for N E S W.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from pavcodec.arrays.views.orders import ACE_LOW
from pavcodec.cards import DECK_SIZE, SUIT_LETTERS, SUIT_SIZE

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from pavcodec.arrays.owners.rows import Owners

    Words: TypeAlias = NDArray[np.int64]

__all__ = ["KEYS", "keys_of_owners", "owners_of_keys"]

KEYS = 4**SUIT_SIZE
"""The number of different keys of a suit."""
_SHIFTS = 2 * np.arange(SUIT_SIZE)[::-1]


def keys_of_owners(owners: Owners) -> Words:
    """Return the four numbers of each deal: `uint8[n, 52]` to `int64[n, 4]`.

    >>> keys_of_owners(np.array([[0] * 13 + [1] * 13 + [2] * 13 + [3] * 13], np.uint8)).tolist()
    [[0, 22369621, 44739242, 67108863]]
    """
    cards = owners[:, ACE_LOW.at_places].reshape(-1, len(SUIT_LETTERS), SUIT_SIZE)
    return np.asarray((cards.astype(np.int64) << _SHIFTS).sum(axis=2), np.int64)


def owners_of_keys(keys: NDArray[Any]) -> Owners:
    """Return the owners of deals, `uint8[n, 52]`: the inverse of `keys_of_owners`.

    >>> owners_of_keys(np.array([[0, 0x1555555, 0x2AAAAAA, 0x3FFFFFF]]))[0, ::13].tolist()
    [0, 1, 2, 3]
    """
    digits = keys.astype(np.int64)[:, :, np.newaxis] >> _SHIFTS & 3
    return digits.reshape(-1, DECK_SIZE).astype(np.uint8)[:, ACE_LOW.places]
