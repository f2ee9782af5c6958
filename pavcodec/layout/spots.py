"""Spot cards: the number of ways to exchange them when only their number matters."""

from __future__ import annotations

from math import factorial, prod
from operator import index

from pavcodec.cards import DECK_SIZE, RANK_LETTERS, SEAT_LETTERS, SUIT_SIZE, Rank
from pavcodec.errors import UnknownNameError

__all__ = ["as_rank", "multiplicity"]


def as_rank(rank: Rank | int | str) -> Rank:
    """Return the rank of a `Rank`, its number or its letter.

    Raises `UnknownNameError` for other values.

    >>> as_rank("9"), as_rank("10"), as_rank(0)
    (<Rank.NINE: 5>, <Rank.TEN: 4>, <Rank.ACE: 0>)
    """
    if isinstance(rank, str):
        letter = "T" if rank == "10" else rank.upper()
        if len(letter) == 1 and letter in RANK_LETTERS:
            return Rank(RANK_LETTERS.index(letter))
    elif 0 <= index(rank) < SUIT_SIZE:
        return Rank(index(rank))
    raise UnknownNameError(f"no rank is called {rank!r}; expected one of {RANK_LETTERS}, or 10")


def multiplicity(owners: bytes, highest: Rank) -> int:
    """Return the number of ways to deal the spot cards of each suit to hands of the same lengths.

    Spot cards are those of the rank `highest` and below.

    >>> multiplicity(bytes([0] * 12 + [1] + [2] * 13 + [3] * 26), Rank.NINE)
    8
    """
    ways = 1
    for begin in range(0, DECK_SIZE, SUIT_SIZE):
        spots = owners[begin + highest : begin + SUIT_SIZE]
        held = [spots.count(seat) for seat in range(len(SEAT_LETTERS))]
        ways *= factorial(sum(held)) // prod(map(factorial, held))
    return ways
