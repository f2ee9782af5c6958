"""Deals hand by hand, each a set among the cards that the hands before left: `HandByHand`.

A hand is a walk over *held* and *not held*. A number is (r₀ · C₁ + r₁) · C₂ + r₂, with the rank and
the cardinality of each hand. So where a walk passes so many words, the number passes so many times
the cardinalities of the hands that follow. With these products as thresholds a number is one walk
through the hands in turn, without a division.
"""

from __future__ import annotations

from math import comb, prod
from typing import Any

import numpy as np

from pavcodec.kernels.compiler import compiled
from pavcodec.kernels.limbs import Limbs, split
from pavcodec.kernels.rows import BLOCK, Owners, held, packed_sizes
from pavcodec.kernels.wide import at_least

__all__ = ["HandKernel"]

_SEATS = 4
_ZERO, _ONE = np.uint64(0), np.uint64(1)


def _thresholds(sizes: tuple[int, int, int, int]) -> Limbs:
    """Return `uint64[hands, cards, held, 2]`: what a card that is not held passes.

    That is by hand, by the cards left after this one, and by the cards the hand still has to get.
    The last hand takes what remains.
    """
    cards = sum(sizes)
    table = np.zeros((_SEATS - 1, cards + 1, max(sizes) + 1, 2), np.uint64)
    for hand in range(_SEATS - 1):
        following = prod(
            comb(sum(sizes[other:]), sizes[other]) for other in range(hand + 1, _SEATS)
        )
        for left in range(sum(sizes[hand:])):
            for room in range(1, sizes[hand] + 1):
                table[hand, left, room] = split(comb(left, room - 1) * following)
    return table


class HandKernel:
    """Ranks and unranks words of four hands, of at most 64 cards together."""

    def __init__(self, sizes: tuple[int, int, int, int]) -> None:
        self._packed = packed_sizes(sizes)
        self._sizes = np.array(sizes, np.uint64)
        self._table = _thresholds(sizes)

    def rank(self, owners: Owners, numbers: Limbs) -> int:
        """Write the numbers of owners; return the first row that has none, or -1."""
        bad: int = _rank(self._table, self._packed, self._sizes, owners, numbers)
        return bad

    def unrank(self, numbers: Limbs, owners: Owners) -> None:
        """Write the owners of numbers, which must be below the cardinality."""
        _unrank(self._table, self._sizes, numbers, owners)


@compiled()
def _take(table: Any, rooms: Any, numbers: Any, hands: Any, place: Any) -> None:
    """Let a hand of every deal take or pass the card at a place among those that are left."""
    for deal in range(len(rooms)):
        room, high, low = rooms[deal], numbers[deal, 0], numbers[deal, 1]
        passed_high, passed_low = table[room, 0], table[room, 1]
        is_held = _ONE - at_least(high, low, passed_high, passed_low)
        if is_held:
            passed_high = passed_low = _ZERO
        numbers[deal, 0] = high - passed_high - np.uint64(low < passed_low)
        numbers[deal, 1] = low - passed_low
        rooms[deal] = room - is_held
        hands[deal] |= is_held << place


@compiled()
def _deal(hands: Any, owners: Any) -> None:
    """Give out the cards of one deal, each to the first hand that takes it at its place."""
    first, second, third = hands[0], hands[1], hands[2]
    for card in range(len(owners)):
        passed_first = _ONE - (first & _ONE)
        passed_second = passed_first & ~second
        passed_third = passed_second & ~third
        owners[card] = passed_first + passed_second + passed_third
        first >>= _ONE
        second >>= passed_first
        third >>= passed_second


@compiled()
def _unrank(table: Any, sizes: Any, numbers: Any, owners: Any) -> None:
    cards = owners.shape[1]
    hands = np.empty((len(sizes) - 1, BLOCK), np.uint64)
    rooms = np.empty(BLOCK, np.uint64)
    for begin in range(0, len(numbers), BLOCK):
        left = numbers[begin : begin + BLOCK].copy()
        count = len(left)
        hands[:] = _ZERO
        cards_left = cards
        for hand in range(len(sizes) - 1):
            rooms[:] = sizes[hand]
            for place in range(cards_left):
                _take(
                    table[hand, cards_left - 1 - place], rooms[:count], left, hands[hand],
                    np.uint64(place),
                )  # fmt: skip
            cards_left -= np.int64(sizes[hand])
        for deal in range(count):
            _deal(hands[:, deal], owners[begin + deal])


@compiled()
def _rank(table: Any, packed: Any, sizes: Any, owners: Any, numbers: Any) -> Any:
    rooms = np.empty(len(sizes), np.uint64)
    left = np.empty(len(sizes), np.uint64)
    for deal in range(len(owners)):
        if held(owners[deal]) != packed:
            return deal
        cards = _ZERO
        for hand in range(len(sizes) - 1, -1, -1):
            cards += sizes[hand]
            rooms[hand], left[hand] = sizes[hand], cards
        high = low = _ZERO
        for card in range(owners.shape[1]):
            owner = owners[deal, card]
            for hand in range(owner):
                left[hand] -= _ONE
                more = table[hand, left[hand], rooms[hand], 1]
                low += more
                high += table[hand, left[hand], rooms[hand], 0] + np.uint64(low < more)
            left[owner] -= _ONE
            rooms[owner] -= _ONE
        numbers[deal, 0], numbers[deal, 1] = high, low
    return -1
