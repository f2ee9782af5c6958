"""Count deals by the properties of their hands and sides, many deals in one pass.

Each card is a word with one field for each property: its suit, its points, its controls and 1 for
the number of cards. The word of a hand is the sum of the words of its cards, and the word of a side
is the sum of its hands. No field overflows into the next one.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from pavcodec.arrays.compiler import compiled
from pavcodec.arrays.owners.rows import Owners

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["ROOM", "card_words", "tally_rows"]

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
