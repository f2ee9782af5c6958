"""Owners of many layouts to what each seat holds of each suit."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from pavcodec.arrays.compiler import compiled

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["Holdings", "write_holdings"]

Holdings: TypeAlias = "NDArray[np.uint16]"
"""`[seats, suits, n]`: bits of the cards held, 13 of them, the ace the highest."""

_SEATS, _SUITS, _SUIT_SIZE = 4, 4, 13
_UNUSED, _OWNERS = 4, 8
_ONE, _FIELD_BITS = np.uint64(1), np.uint64(16)
_FIELD = np.uint64((1 << 16) - 1)
_LAST_OWNER = np.uint8(_OWNERS - 1)
_FIELDS = np.array([1 << 16 * owner if owner < _SEATS else 0 for owner in range(8)], np.uint64)
"""What a card adds to a word of 16 bits a seat, by its owner."""


@compiled()
def write_holdings(owners: Any, holdings: Any) -> Any:
    """Write the holdings of owners; return the first row with an owner that is none, or -1.

    What is written from that row on does not matter.
    """
    for deal in range(len(owners)):
        greatest = np.uint8(0)
        for suit in range(_SUITS):
            held = np.uint64(0)
            for card in range(suit * _SUIT_SIZE, suit * _SUIT_SIZE + _SUIT_SIZE):
                owner = owners[deal, card]
                greatest = max(greatest, owner)
                held = (held << _ONE) + _FIELDS[owner & _LAST_OWNER]
            for seat in range(_SEATS):
                holdings[seat, suit, deal] = held & _FIELD
                held >>= _FIELD_BITS
        if greatest > _UNUSED:
            return deal
    return -1
