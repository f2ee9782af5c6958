"""Deals hand by hand, each hand a subset of the cards that the earlier hands left: `HandByHand`.

A hand is a walk over *held* and *not held*. In this module, its words are counted backwards from
the last one. A held card adds the number of words in which it is not held, C(cards left, cards to
get); a card that is not held adds nothing. So only the cards in the hand are added up.

A number is (r₀ · C₁ + r₁) · C₂ + r₂, with the rank r and the cardinality C of each hand. So the
terms of a hand are multiplied by the cardinalities of the later hands. With these products as
thresholds, one walk through the hands computes a number without a division.
"""

from __future__ import annotations

from math import comb, prod
from typing import Any

import numpy as np

from pavcodec.arrays.compiler import compiled
from pavcodec.arrays.owners.rows import BLOCK, Owners, held, packed_sizes
from pavcodec.arrays.words.limbs import Limbs, add, split
from pavcodec.arrays.words.wide import at_least

_SEATS = 4
_ZERO, _ONE = np.uint64(0), np.uint64(1)


def _ways(sizes: tuple[int, int, int, int]) -> list[int]:
    """Return for each hand the number of words of all later hands together."""
    words = [comb(sum(sizes[hand:]), sizes[hand]) for hand in range(_SEATS)]
    return [prod(words[hand + 1 :]) for hand in range(_SEATS)]


def _thresholds(sizes: tuple[int, int, int, int]) -> Limbs:
    """Return the term of a held card as `uint64[hands, cards, rooms, 2]`.

    The indexes are the hand, the number of cards left after this card, and the number of cards that
    the hand still needed before it. The last hand gets the remaining cards, so its terms are 0.
    """
    table = np.zeros((_SEATS, sum(sizes) + 1, max(sizes) + 1, 2), np.uint64)
    for hand, following in enumerate(_ways(sizes)[:-1]):
        for left in range(sum(sizes[hand:])):
            for room in range(sizes[hand] + 1):
                table[hand, left, room] = split(comb(left, room) * following)
    return table


class HandKernel:
    """Rank and unrank words of four hands, of at most 64 cards together."""

    def __init__(self, sizes: tuple[int, int, int, int]) -> None:
        self._packed = packed_sizes(sizes)
        self._sizes = np.array(sizes, np.int64)
        self._table = _thresholds(sizes)
        self._cardinality = comb(sum(sizes), sizes[0]) * _ways(sizes)[0]

    def rank(self, owners: Owners, numbers: Limbs) -> int:
        """Write the numbers of owners; return the first row without a number, or -1."""
        bad: int = _rank(self._table, self._packed, self._sizes, owners, numbers)
        numbers[:] = self._from_the_end(numbers)
        return bad

    def unrank(self, numbers: Limbs, owners: Owners) -> None:
        """Write the owners of numbers, which must be below the cardinality."""
        _unrank(self._table, self._sizes, self._from_the_end(numbers), owners)

    def _from_the_end(self, numbers: Limbs) -> Limbs:
        return add(~numbers, self._cardinality)  # ~x is -1 - x


@compiled()
def _take(table: Any, rooms: Any, numbers: Any, hands: Any, index: Any) -> None:
    """Decide for one hand of every deal whether it gets the card at `index` of the cards left."""
    for deal in range(len(rooms)):
        room, high, low = rooms[deal], numbers[deal, 0], numbers[deal, 1]
        after_high, after_low = table[room, 0], table[room, 1]
        is_held = at_least(high, low, after_high, after_low)
        if not is_held:
            after_high = after_low = _ZERO
        numbers[deal, 0] = high - after_high - np.uint64(low < after_low)
        numbers[deal, 1] = low - after_low
        rooms[deal] = room - is_held
        hands[deal] |= is_held << index


@compiled()
def _deal(hands: Any, owners: Any) -> None:
    """Write the owners of one deal: each card goes to the first hand that takes it."""
    first, second, third = hands[0], hands[1], hands[2]
    for card in range(len(owners)):
        left_by_first = _ONE - (first & _ONE)
        left_by_second = left_by_first & ~second
        owners[card] = left_by_first + left_by_second + (left_by_second & ~third)
        first >>= _ONE
        second >>= left_by_first
        third >>= left_by_second


@compiled()
def _unrank(table: Any, sizes: Any, numbers: Any, owners: Any) -> None:
    cards = owners.shape[1]
    hands = np.empty((_SEATS - 1, BLOCK), np.uint64)
    rooms = np.empty(BLOCK, np.uint64)
    for begin in range(0, len(numbers), BLOCK):
        left = numbers[begin : begin + BLOCK].copy()
        count = len(left)
        hands[:] = _ZERO
        remaining = cards
        for hand in range(_SEATS - 1):
            rooms[:] = sizes[hand]
            for index in range(remaining):
                after = table[hand, remaining - 1 - index]
                _take(after, rooms[:count], left, hands[hand], np.uint64(index))
            remaining -= sizes[hand]
        for deal in range(count):
            _deal(hands[:, deal], owners[begin + deal])


@compiled()
def _rank(table: Any, packed: Any, sizes: Any, owners: Any, numbers: Any) -> Any:
    left = np.empty(_SEATS, np.int64)
    rooms = np.empty(_SEATS, np.int64)
    for deal in range(len(owners)):
        if held(owners[deal]) != packed:
            return deal
        cards = 0
        for hand in range(_SEATS - 1, -1, -1):
            cards += sizes[hand]
            left[hand], rooms[hand] = cards, sizes[hand]
        high = low = _ZERO
        for card in range(owners.shape[1]):
            owner = owners[deal, card]
            for hand in range(_SEATS):
                left[hand] -= owner >= hand
            after = table[owner, left[owner], rooms[owner]]
            low += after[1]
            high += after[0] + np.uint64(low < after[1])
            rooms[owner] -= 1
        numbers[deal, 0], numbers[deal, 1] = high, low
    return -1
