"""Indexes of a counting model to owners and deal numbers, one card for many deals at a time.

All deals stand at the same card, so that one layer of the model is in use and stays in the cache.
An index is two words, high and low; so are ways, products and numbers. Every operand is a `uint64`.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from pavcodec.kernels.compiler import compiled
from pavcodec.kernels.wide import multiply_add

__all__ = ["ROOMS", "place_card"]

ROOMS = 14
"""The rooms that a hand may have: 0 to 13 cards."""

_ZERO, _ONE = np.uint64(0), np.uint64(1)


@compiled()
def place_card(
    letters: Any,
    children: Any,
    next_ways: Any,
    free: Any,
    all_hands: Any,
    nodes: Any,
    rooms: Any,
    left: Any,
    indexes: Any,
    numbers: Any,
    owners: Any,
) -> Any:
    """Give the next card of every deal to the seat that its index tells.

    `letters` has for each seat its letter, or -1 where it is free and shares the last one.
    `free` and `all_hands` have, by the rooms of four hands, the arrangements of the cards that are
    left: of the free hands (constrained ones count as full), and of all. For each deal, `nodes`,
    `rooms` (of the free hands), `left` (of all hands), `indexes` and `numbers` are changed, and the
    seat is written to `owners`. `numbers` grows by the deals that have a smaller seat here.
    """
    rest = children.shape[1] - 1
    for deal in range(len(nodes)):
        node = nodes[deal]
        high, low = indexes[deal, 0], indexes[deal, 1]
        number_high, number_low = numbers[deal, 0], numbers[deal, 1]
        place, all_place = rooms[deal], left[deal]
        step = np.int64(ROOMS * ROOMS * ROOMS)
        for seat in range(4):
            letter = letters[seat]
            after = place
            takes = (all_place // step) % ROOMS > 0
            if letter < 0:
                after = place - step
                letter = rest if takes else -1
            if letter >= 0:
                child = children[node, letter]
                if child >= 0:
                    arrangements_high, arrangements = free[after, 0], free[after, 1]
                    ways_high, ways_low = multiply_add(
                        next_ways[child, 1], arrangements, _ZERO, _ZERO
                    )
                    ways_high += next_ways[child, 0] * arrangements
                    ways_high += next_ways[child, 1] * arrangements_high
                    if high < ways_high or (high == ways_high and low < ways_low):
                        nodes[deal], rooms[deal], left[deal] = child, after, all_place - step
                        owners[deal] = seat
                        break
                    borrow = _ONE if low < ways_low else _ZERO
                    low -= ways_low
                    high -= ways_high + borrow
            if takes:
                more_high, more_low = all_hands[all_place - step, 0], all_hands[all_place - step, 1]
                number_low += more_low
                number_high += more_high + (_ONE if number_low < more_low else _ZERO)
            step //= ROOMS
        indexes[deal, 0], indexes[deal, 1] = high, low
        numbers[deal, 0], numbers[deal, 1] = number_high, number_low
