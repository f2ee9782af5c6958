"""The thresholds of deals as arrays, which the loops of classes read.

A state is the room of the four hands, four bits each, North in the highest bits; the sum of the
rooms is the number of cards left.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from pavcodec.arrays.words.limbs import Limbs

_SEATS = 4
_ROOM_BITS = 4
_NORTH = np.uint64(1 << (_SEATS - 1) * _ROOM_BITS)


def _packed(rooms: Any) -> Any:
    state = 0
    for room in rooms:
        state = state << _ROOM_BITS | room
    return state


@cache
def thresholds(sizes: tuple[int, int, int, int]) -> tuple[Limbs, Limbs, int]:
    """Return the thresholds of all states (high words, low words), and the wide cards.

    Each table is `uint64[states, 4]`: by seat, the number of words that continue with an earlier
    seat. The high words are needed only for the first `wide` cards.

    >>> high, low, wide = thresholds((13, 13, 13, 13))
    >>> [int(high[0xDDDD, seat]) << 64 | int(low[0xDDDD, seat]) for seat in range(2)]
    [0, 13411184441372198209809360000]
    >>> wide
    17
    """
    high, low = np.zeros((2, 1 << _SEATS * _ROOM_BITS, _SEATS), np.uint64)
    ways_high, ways_low = np.zeros((2, 1 << _SEATS * _ROOM_BITS), np.uint64)
    rooms = np.indices([size + 1 for size in sizes]).reshape(_SEATS, -1)
    left, packed = rooms.sum(axis=0), _packed(rooms)
    ways_low[0], narrow = 1, 0
    for cards in range(1, sum(sizes) + 1):
        here = left == cards
        states = packed[here]
        total_high, total_low = np.zeros((2, len(states)), np.uint64)
        for seat, room in enumerate(rooms[:, here]):
            high[states, seat], low[states, seat] = total_high, total_low
            after = np.where(room > 0, states - (int(_NORTH) >> _ROOM_BITS * seat), 0)
            more = np.where(room > 0, ways_low[after], np.uint64(0))
            total_low += more
            total_high += np.where(room > 0, ways_high[after], np.uint64(0)) + (total_low < more)
        ways_high[states], ways_low[states] = total_high, total_low
        if not np.any(total_high):
            narrow = cards
    return high, low, sum(sizes) - narrow
