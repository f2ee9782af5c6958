"""The orders in which programs number the cards: the place of each card of pavcodec.

pavcodec numbers the suits S H D C and in each suit the ranks A K Q … 2. Each function below gets
the numbers of a suit and of a rank in these orders.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from pavcodec.cards import DECK_SIZE, RANK_LETTERS, SUIT_LETTERS, SUIT_SIZE

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["ACE_FIRST", "ACE_LOW", "BY_RANK", "BY_SUIT", "MERGED", "CardOrder"]

_SUITS = len(SUIT_LETTERS)
_LAST_SUIT, _LAST_RANK = _SUITS - 1, SUIT_SIZE - 1
_TOP = 8
"""The places of a suit in which the last one holds all cards from the seven down."""


@dataclass(frozen=True)
class CardOrder:
    """An order of cards: the place of a card by its suit and rank, and a text that describes it.

    >>> BY_RANK.places[:2].tolist(), BY_RANK.cards()[:5]
    ([51, 47], ['C2', 'D2', 'H2', 'S2', 'C3'])
    """

    text: str
    place: Callable[[int, int], int] = field(repr=False)

    @cached_property
    def places(self) -> NDArray[np.intp]:
        """The place of each card of pavcodec: `intp[52]`."""
        cards = [self.place(*divmod(card, SUIT_SIZE)) for card in range(DECK_SIZE)]
        return np.array(cards, np.intp)

    @cached_property
    def at_places(self) -> NDArray[np.intp]:
        """The card at each place, if each place has one."""
        return np.argsort(self.places)

    @property
    def width(self) -> int:
        """The number of places."""
        return int(self.places.max()) + 1

    def cards(self) -> list[str]:
        """Return the names of the cards by their places; cards at one place are one name."""
        names = [""] * self.width
        for card, place in enumerate(self.places.tolist()):
            suit, rank = divmod(card, SUIT_SIZE)
            names[place] = names[place] or SUIT_LETTERS[suit]
            names[place] += RANK_LETTERS[rank]
        return names


def _ace_first(suit: int, rank: int) -> int:
    return suit * SUIT_SIZE + rank


def _by_rank(suit: int, rank: int) -> int:
    return (_LAST_RANK - rank) * _SUITS + _LAST_SUIT - suit


def _by_suit(suit: int, rank: int) -> int:
    return (_LAST_SUIT - suit) * SUIT_SIZE + _LAST_RANK - rank


def _ace_low(suit: int, rank: int) -> int:
    return suit * SUIT_SIZE + (SUIT_SIZE - rank) % SUIT_SIZE


def _merged(suit: int, rank: int) -> int:
    return suit * _TOP + min(rank, _TOP - 1)


ACE_FIRST = CardOrder("S H D C, in each A K Q … 2", _ace_first)
BY_RANK = CardOrder("2 3 … A, in each C D H S", _by_rank)
BY_SUIT = CardOrder("C D H S, in each 2 3 … A", _by_suit)
ACE_LOW = CardOrder("S H D C, in each A 2 3 … K", _ace_low)
MERGED = CardOrder("S H D C, in each A K Q J T 9 8 x", _merged)
