"""The deck of cases: each suit has named honours, and spot cards, which are not distinguished.

This module defines the order of a listing. The flattest patterns are first, and the shapes of a
pattern are in descending order. Honours are ordered by their points, ascending, and by their map,
descending. The deck is a parameter, so tests can compare listings of toy decks with all deals.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate, product
from math import comb

from pavcodec.cards import HAND_SIZE, SUIT_SIZE, Seat, Suit
from pavcodec.layout.hand_functions import HCP

__all__ = ["BRIDGE", "HONOURS", "Deck", "Lengths"]

Lengths = tuple[int, ...]
"""The lengths of the suits of a hand, or its number of cards of some kind in each suit."""

HONOURS = "AKQJ"


@dataclass(frozen=True)
class Deck:
    """A deck whose suits have honours, highest first, and then spot cards; hands have equal sizes.

    A *map* has a bit for each honour; the highest bit is the ace of the first suit.

    >>> toy = Deck(suits=2, honours=1, spots=3, seats=4)
    >>> toy.hand_size, toy.shapes, toy.maps
    (2, ((1, 1), (2, 0), (0, 2)), (0, 2, 1, 3))
    >>> BRIDGE.shapes[:5]
    ((4, 3, 3, 3), (3, 4, 3, 3), (3, 3, 4, 3), (3, 3, 3, 4), (4, 4, 3, 2))
    """

    suits: int = len(Suit)
    honours: int = len(HONOURS)
    spots: int = SUIT_SIZE - len(HONOURS)
    seats: int = len(Seat)

    @property
    def suit_size(self) -> int:
        """The number of cards in a suit."""
        return self.honours + self.spots

    @property
    def cards(self) -> int:
        """The number of cards in the deck."""
        return self.suits * self.suit_size

    @property
    def hand_size(self) -> int:
        """The number of cards in a hand."""
        return self.cards // self.seats

    @cached_property
    def shapes(self) -> tuple[Lengths, ...]:
        """All shapes of a hand, in the order of a listing."""
        lengths = range(min(self.suit_size, self.hand_size) + 1)
        found = (s for s in product(lengths, repeat=self.suits) if sum(s) == self.hand_size)
        return tuple(sorted(found, key=self._flatness))

    @staticmethod
    def _flatness(shape: Lengths) -> tuple[list[int], list[int]]:
        return sorted(shape, reverse=True), [-length for length in shape]

    def index_of(self, shape: Lengths) -> int:
        """Return the index of a shape in squashed order, which records contain.

        >>> BRIDGE.index_of((0, 0, 0, 13)), BRIDGE.index_of((4, 3, 3, 3))
        (0, 252)
        """
        ends = list(accumulate(shape))[:-1]
        return sum(comb(end + place, place + 1) for place, end in enumerate(ends))

    @cached_property
    def shape_of(self) -> dict[int, Lengths]:
        """The shapes by their index, in the order of a listing."""
        return {self.index_of(shape): shape for shape in self.shapes}

    @cached_property
    def place_of_shape(self) -> dict[int, int]:
        """The position of each shape in the order of a listing, by its index."""
        return {index: place for place, index in enumerate(self.shape_of)}

    @cached_property
    def maps(self) -> tuple[int, ...]:
        """All maps of honours that a hand can hold, in the order of a listing."""
        everything = range(1 << self.suits * self.honours)
        held = (each for each in everything if each.bit_count() <= self.hand_size)
        return tuple(sorted(held, key=self.map_order))

    def map_order(self, honours: int) -> tuple[int, int]:
        """Return the sort key of a map: its points, ascending, then the map, descending."""
        return self.points(honours), -honours

    def points(self, honours: int) -> int:
        """Return the high-card points of a map.

        >>> BRIDGE.points(0x8001), BRIDGE.points(0xF000)
        (5, 10)
        """
        return sum(HCP.weights[card % self.suit_size] for card in self.honour_cards(honours))

    def honour_cards(self, honours: int) -> list[int]:
        """Return the cards of a map, ascending.

        >>> BRIDGE.honour_cards(0x8801)
        [0, 13, 42]
        """
        top = self.suits * self.honours - 1
        places = (place for place in range(top + 1) if honours >> top - place & 1)
        return [place // self.honours * self.suit_size + place % self.honours for place in places]

    def map_of(self, cards: list[int]) -> int:
        """Return the map of the honours among some cards."""
        top = self.suits * self.honours - 1
        suits_and_ranks = (divmod(card, self.suit_size) for card in cards)
        return sum(
            1 << top - (suit * self.honours + rank)
            for suit, rank in suits_and_ranks
            if rank < self.honours
        )

    def honours_by_suit(self, honours: int) -> Lengths:
        """Return the number of honours of each suit in a map."""
        one_suit = (1 << self.honours) - 1
        return tuple(
            (honours >> self.honours * place & one_suit).bit_count()
            for place in reversed(range(self.suits))
        )

    def suit_cards(self, suit: int, *, spots_only: bool = False) -> range:
        """Return the cards of a suit, or its spot cards."""
        start = suit * self.suit_size
        return range(start + self.honours * spots_only, start + self.suit_size)


BRIDGE = Deck()
"""The deck of bridge."""

assert BRIDGE.hand_size == HAND_SIZE
