"""Indexes of a counting model to owners and deal numbers, one card for many deals at a time.

All deals stand at the same card, so that one layer of the model is in use and stays in the cache.
An index is two words, high and low; so are ways, products and numbers. Every operand is a `uint64`.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from pavcodec.kernels.compiler import compiled
from pavcodec.kernels.wide import multiply_add

__all__ = ["ROOM_BITS", "place_card"]

ROOM_BITS = 4
"""The bits that the room of a hand takes, 0 to 13 cards; North's are the highest."""

_ZERO, _ONE = np.uint64(0), np.uint64(1)
_ROOM = (1 << ROOM_BITS) - 1
_NORTH = 3 * ROOM_BITS


@compiled()
def place_card(
    letters: Any,
    children: Any,
    next_ways: Any,
    arrangements: Any,
    nodes: Any,
    rooms: Any,
    left: Any,
    indexes: Any,
    numbers: Any,
    owners: Any,
) -> Any:
    """Give the next card of every deal to the seat that its index tells.

    `letters` has for each seat its letter, or -1 where it is free and shares the last one.
    `arrangements` has, by the rooms of four hands, in how many ways the cards that are left can be
    dealt. For each deal, `nodes`, `rooms` (of the free hands, the others full), `left` (of all
    hands), `indexes` and `numbers` are changed, and the seat is written to `owners`. `numbers`
    grows by the deals that have a smaller seat here.
    """
    rest = children.shape[1] - 1
    for deal in range(len(nodes)):
        node, room, all_room = nodes[deal], rooms[deal], left[deal]
        high, low = indexes[deal, 0], indexes[deal, 1]
        number_high, number_low = numbers[deal, 0], numbers[deal, 1]
        for seat in range(4):
            place = _NORTH - ROOM_BITS * seat
            if all_room >> place & _ROOM == 0:
                continue
            one = 1 << place
            letter, after = letters[seat], room
            if letter < 0:
                letter, after = rest, room - one
            child = children[node, letter]
            if child >= 0:
                factor_high, factor = arrangements[after, 0], arrangements[after, 1]
                ways_high, ways_low = multiply_add(next_ways[child, 1], factor, _ZERO, _ZERO)
                ways_high += next_ways[child, 0] * factor + next_ways[child, 1] * factor_high
                if high < ways_high or (high == ways_high and low < ways_low):
                    nodes[deal], rooms[deal], left[deal] = child, after, all_room - one
                    owners[deal] = seat
                    break
                high -= ways_high + (_ONE if low < ways_low else _ZERO)
                low -= ways_low
            more = arrangements[all_room - one, 1]
            number_low += more
            number_high += arrangements[all_room - one, 0]
            number_high += _ONE if number_low < more else _ZERO
        indexes[deal, 0], indexes[deal, 1] = high, low
        numbers[deal, 0], numbers[deal, 1] = number_high, number_low
