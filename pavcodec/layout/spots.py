"""Spot cards: the number of ways to exchange them when only their number matters."""

from __future__ import annotations

from math import factorial, prod

from pavcodec.cards import DECK_SIZE, SEAT_LETTERS, SUIT_SIZE, Rank

__all__ = ["multiplicity"]


def multiplicity(owners: bytes, highest: Rank) -> int:
    """Return the number of ways to deal the spot cards that hands hold to the same hands.

    Spot cards are those of the rank `highest` and below. Each hand keeps their number in each suit.

    >>> multiplicity(bytes([0] * 12 + [1] + [2] * 13 + [3] * 26), Rank.NINE)
    8
    """
    ways = 1
    for begin in range(0, DECK_SIZE, SUIT_SIZE):
        spots = owners[begin + highest : begin + SUIT_SIZE]
        held = [spots.count(seat) for seat in range(len(SEAT_LETTERS))]
        ways *= factorial(sum(held)) // prod(map(factorial, held))
    return ways
