"""The loops that write views. They write bit patterns, so one loop is enough for all dtypes.

A deal is turned before it is written: with turn t, seat t takes the place of North.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from pavcodec.arrays.compiler import compiled

__all__ = ["write_counts", "write_hands", "write_planes"]

_SEATS, _UNUSED, _CARDS, _HAND = 4, 4, 52, 13


@compiled()
def write_planes(owners: Any, turns: Any, cards: Any, patterns: Any, target: Any) -> Any:
    """Write 1 for each card of each hand, otherwise 0; return a row with a wrong owner, or -1.

    `cards` has the card at each place, so this is `write_counts` for an order in which each place
    has one card. The inner loop has no branches, so that the compiler makes vectors of it.
    """
    seated = np.empty(_CARDS, np.uint8)
    step = 1 if len(turns) > 1 else 0
    zero, one = patterns[0], patterns[1]
    for row in range(len(owners)):
        turn, worst = turns[row * step], 0
        for place in range(_CARDS):
            owner = owners[row, cards[place]]
            worst = max(worst, owner)
            seated[place] = (owner - turn) & 3 | owner & 4
        if worst > _UNUSED:
            return row
        for hand in range(target.shape[1]):
            for place in range(_CARDS):
                target[row, hand, place] = one if seated[place] == hand else zero
    return -1


@compiled()
def write_counts(owners: Any, turns: Any, places: Any, patterns: Any, target: Any) -> Any:
    """Write the number of cards of each hand at each place; return a row with a wrong owner or -1.

    `target` has rows of hands of places, all 0; it may have fewer hands than there are seats.
    `turns` has one entry, or one for each row; `patterns` has the bits of 0, 1, 2 …
    """
    hands, width = target.shape[1], target.shape[2]
    counts = np.zeros((_SEATS, width), np.uint8)
    step = 1 if len(turns) > 1 else 0
    for row in range(len(owners)):
        turn = turns[row * step]
        counts[:] = 0
        for card in range(_CARDS):
            owner = owners[row, card]
            if owner > _UNUSED:
                return row
            if owner < _UNUSED:
                hand, place = (owner - turn) & 3, places[card]
                counts[hand, place] += 1
                if hand < hands:
                    target[row, hand, place] = patterns[counts[hand, place]]
    return -1


@compiled()
def write_hands(
    owners: Any, turns: Any, cards: Any, hand_step: Any, card_step: Any, target: Any
) -> Any:
    """Write the places of the cards of each hand; return a row that is no deal, or -1.

    `cards` has the card at each place. Card k of a hand, from 0, stands at the hand's number times
    `hand_step` plus k times `card_step`.
    """
    counts = np.zeros(_SEATS, np.int64)
    step = 1 if len(turns) > 1 else 0
    for row in range(len(owners)):
        turn = turns[row * step]
        counts[:] = 0
        for place in range(_CARDS):
            owner = owners[row, cards[place]]
            if owner >= _UNUSED:
                return row
            hand = (owner - turn) & 3
            if counts[hand] == _HAND:
                return row
            target[row, hand * hand_step + counts[hand] * card_step] = place
            counts[hand] += 1
    return -1
