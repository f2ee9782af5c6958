"""Convert owners of many layouts to holdings: the cards of each seat in each suit.

A *holding* is 13 bits, the ace the highest bit. There are 8192 holdings, so a table can store a
function of a suit.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from pavcodec.arrays.chunks import refuse
from pavcodec.arrays.compiler import compiled
from pavcodec.arrays.owners.rows import Owners
from pavcodec.layout import Layout

if TYPE_CHECKING:
    from numpy.typing import NDArray


Holdings: TypeAlias = "NDArray[np.uint16]"
"""`uint16[seats, suits, n]`."""

_SEATS, _SUITS, _SUIT_SIZE = 4, 4, 13
_UNUSED, _OWNERS = 4, 8
_ONE, _FIELD_BITS = np.uint64(1), np.uint64(16)
_FIELD = np.uint64((1 << 16) - 1)
_LAST_OWNER = np.uint8(_OWNERS - 1)
_FIELDS = np.array([1 << 16 * owner if owner < _SEATS else 0 for owner in range(8)], np.uint64)
"""The bit of a card in a word with 16 bits for each seat, by the owner of the card."""


def holdings_of(owners: Owners, first: int = 0) -> Holdings:
    """Return the holdings of layouts: `uint8[n, 52]` to `uint16[seats, suits, n]`.

    Raises `LayoutError` for invalid owners, with the row number; `first` is the number of the first
    row.

    >>> from pavcodec import numbering
    >>> holdings = holdings_of(numbering("deal").unrank_many(np.zeros((1, 2), np.uint64)))
    >>> [hex(holding) for holding in holdings[0, :, 0].tolist()]
    ['0x1fff', '0x0', '0x0', '0x0']
    """
    rows = np.require(owners, requirements=["C", "W"])
    holdings: Holdings = np.empty((_SEATS, _SUITS, len(rows)), np.uint16)
    wrong = write_holdings(rows, holdings)
    if wrong >= 0:
        refuse(first + wrong, lambda: Layout(rows[wrong].tobytes()))
    return holdings


@compiled()
def write_holdings(owners: Any, holdings: Any) -> Any:
    """Write the holdings of owners; return the first row with an invalid owner, or -1.

    From that row on, the contents of `holdings` are undefined.
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
