"""Convert owners of many layouts to packed hands and back: 52 bits a hand, bit i for card i."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from pavcodec.arrays.chunks import Threads, checked, share
from pavcodec.arrays.compiler import compiled
from pavcodec.errors import LayoutError

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from pavcodec.arrays.owners.rows import Owners

__all__ = ["pack_hands", "unpack_hands"]

_CARDS, _SEATS, _UNUSED = 52, 4, 4
_ONE, _ZERO = np.uint64(1), np.uint64(0)


def pack_hands(owners: Owners, *, threads: Threads = None) -> NDArray[np.uint64]:
    """Return the hands of layouts: `uint8[n, 52]` to `uint64[n, 4]`, N E S W.

    A hand has bit i for card i, as in `Hand.mask`. `threads` share the work; the default is one for
    each processor. Raises `LayoutError` with the first row that is not a layout, and `TypeError`
    for another array.

    >>> from pavcodec import numbering
    >>> deals = numbering("deal")
    >>> hands = pack_hands(deals.sample_many(2, seed=7))
    >>> hands.shape, int(hands[0, 2]) == deals.sample(1, seed=7)[0]["S"].mask
    ((2, 4), True)
    """
    rows = checked("owners", owners, np.uint8, _CARDS)
    hands = np.empty((len(rows), _SEATS), np.uint64)

    def work(part: slice) -> None:
        bad = _pack(rows[part], hands[part])
        if bad >= 0:
            row = part.start + bad
            raise LayoutError(f"row {row}: an owner is 0 to {_UNUSED}, not {rows[row].max()}")

    share(work, len(rows), threads)
    return hands


def unpack_hands(hands: NDArray[np.uint64], *, threads: Threads = None) -> Owners:
    """Return the owners of packed hands: `uint64[n, 4]` to `uint8[n, 52]`.

    A card that no hand holds is unused. `threads` share the work; the default is one for each
    processor. Raises `LayoutError` with the first row in which two hands hold the same card or a
    hand has a bit above the last card, and `TypeError` for another array.

    >>> from pavcodec import numbering
    >>> owners = numbering("ending").sample_many(2, seed=7)
    >>> (unpack_hands(pack_hands(owners)) == owners).all()
    np.True_
    """
    rows = checked("hands", hands, np.uint64, _SEATS)
    owners = np.empty((len(rows), _CARDS), np.uint8)

    def work(part: slice) -> None:
        bad = _unpack(rows[part], owners[part])
        if bad >= 0:
            masks = ", ".join(f"{mask:#x}" for mask in rows[part][bad].tolist())
            raise LayoutError(
                f"row {part.start + bad}: hands share a card, or have a bit past {_CARDS - 1}: "
                f"{masks}"
            )

    share(work, len(rows), threads)
    return owners


@compiled()
def _pack(owners: Any, hands: Any) -> Any:
    """Write the hands of owners; return the first row with an invalid owner, or -1."""
    for row in range(len(owners)):
        masks = np.zeros(_UNUSED + 1, np.uint64)
        for card in range(_CARDS):
            owner = owners[row, card]
            if owner > _UNUSED:
                return row
            masks[owner] |= _ONE << np.uint64(card)
        hands[row] = masks[:_SEATS]
    return -1


@compiled()
def _unpack(hands: Any, owners: Any) -> Any:
    """Write the owners of hands; return the first row with invalid hands, or -1."""
    for row in range(len(hands)):
        taken = _ZERO
        for seat in range(_SEATS):
            mask = hands[row, seat]
            if mask & taken or mask >> np.uint64(_CARDS):
                return row
            taken |= mask
        for card in range(_CARDS):
            owner = _UNUSED
            for seat in range(_SEATS):
                if hands[row, seat] >> np.uint64(card) & _ONE:
                    owner = seat
            owners[row, card] = owner
    return -1
