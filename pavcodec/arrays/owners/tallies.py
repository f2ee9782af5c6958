"""Count deals by the properties of their hands and sides, many deals in one pass.

Each card is a word with one field for each property: its suit, its points, its controls and 1 for
the number of cards. The word of a hand is the sum of the words of its cards, and the word of a side
is the sum of its hands. No field overflows into the next one.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from pavcodec.arrays.chunks import Threads, checked, share
from pavcodec.arrays.compiler import compiled
from pavcodec.arrays.owners.rows import Owners
from pavcodec.cards import DECK_SIZE, UNUSED
from pavcodec.errors import LayoutError

if TYPE_CHECKING:
    from numpy.typing import NDArray


ROOM = 16
"""The number of values that the field for a suit length can store."""

_SEATS = 4
_POINTS, _CONTROLS, _CARDS = np.uint64(16), np.uint64(24), np.uint64(32)
_SUIT, _FIELD = np.uint64(15), np.uint64(63)
_TO_HEARTS, _TO_DIAMONDS = np.uint64(4), np.uint64(8)


def card_words(points: Sequence[int], controls: Sequence[int], suits: int) -> NDArray[np.uint64]:
    """Return the word of each card, from the points and controls of the ranks, the highest first.

    >>> [hex(word) for word in card_words([4, 3], [2, 1], suits=2).tolist()]
    ['0x102040001', '0x101030001', '0x102040010', '0x101030010']
    """
    ranks = list(zip(points, controls, strict=True))
    return np.array(
        [
            1 << 4 * suit | worth << int(_POINTS) | control << int(_CONTROLS) | 1 << int(_CARDS)
            for suit in range(suits)
            for worth, control in ranks
        ],
        np.uint64,
    )


@compiled()
def tally_rows(
    words: Any,
    shape_indexes: Any,
    size: Any,
    owners: Owners,
    shapes: Any,
    points: Any,
    controls: Any,
    side_lengths: Any,
    side_points: Any,
    side_controls: Any,
    holders: Any,
) -> Any:
    """Add the deals among some rows to the counts; return the number of these deals.

    `words` are those of `card_words`. `shape_indexes` has the index of a shape by its first three
    lengths, `ROOM` values for each length. `size` is the size of a hand. The arrays `side_...`
    count North and South together.
    """
    deals = 0
    held = np.empty(_SEATS + 1, np.uint64)
    for row in range(len(owners)):
        held[:] = 0
        for card in range(len(words)):
            held[min(owners[row, card], _SEATS)] += words[card]
        complete = True
        for seat in range(_SEATS):
            complete = complete and held[seat] >> _CARDS == size
        if not complete:
            continue
        deals += 1
        for card in range(len(words)):
            holders[card, owners[row, card]] += 1
        for seat in range(_SEATS):
            hand = held[seat]
            spades, hearts = hand & _SUIT, hand >> _TO_HEARTS & _SUIT
            shapes[seat, shape_indexes[spades, hearts, hand >> _TO_DIAMONDS & _SUIT]] += 1
            points[seat, hand >> _POINTS & _FIELD] += 1
            controls[seat, hand >> _CONTROLS & _FIELD] += 1
        side = held[0] + held[2]
        side_lengths[side & _SUIT, side >> _TO_HEARTS & _SUIT, side >> _TO_DIAMONDS & _SUIT] += 1
        side_points[side >> _POINTS & _FIELD] += 1
        side_controls[side >> _CONTROLS & _FIELD] += 1
    return deals


# Convert owners of many layouts to packed hands and back: 52 bits a hand, bit i for card i.


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
    rows = checked("owners", owners, np.uint8, DECK_SIZE)
    hands = np.empty((len(rows), _SEATS), np.uint64)

    def work(part: slice) -> None:
        bad = _pack(rows[part], hands[part])
        if bad >= 0:
            row = part.start + bad
            raise LayoutError(f"row {row}: an owner is 0 to {UNUSED}, not {rows[row].max()}")

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
    owners = np.empty((len(rows), DECK_SIZE), np.uint8)

    def work(part: slice) -> None:
        bad = _unpack(rows[part], owners[part])
        if bad >= 0:
            masks = ", ".join(f"{mask:#x}" for mask in rows[part][bad].tolist())
            raise LayoutError(
                f"row {part.start + bad}: hands share a card, or have a bit past "
                f"{DECK_SIZE - 1}: {masks}"
            )

    share(work, len(rows), threads)
    return owners


@compiled()
def _pack(owners: Any, hands: Any) -> Any:
    """Write the hands of owners; return the first row with an invalid owner, or -1."""
    for row in range(len(owners)):
        masks = np.zeros(UNUSED + 1, np.uint64)
        for card in range(DECK_SIZE):
            owner = owners[row, card]
            if owner > UNUSED:
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
            if mask & taken or mask >> np.uint64(DECK_SIZE):
                return row
            taken |= mask
        for card in range(DECK_SIZE):
            owner = UNUSED
            for seat in range(_SEATS):
                if hands[row, seat] >> np.uint64(card) & _ONE:
                    owner = seat
            owners[row, card] = owner
    return -1
