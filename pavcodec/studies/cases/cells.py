"""The deck, the plan and the cells of a case listing.

The deck gives shapes and honours their order. The plan says which hands and columns a listing has,
and in how many ways a case can be dealt. The cells of a hand are all that a condition accepts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate, product
from math import comb
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pavcodec.cards import HAND_SIZE, SUIT_LETTERS, SUIT_SIZE, Seat, Suit
from pavcodec.layout.hand import HCP
from pavcodec.records import Case
from pavcodec.records.kinds import HONOURS_OFF, PATTERN_OFF

# The deck of cases: each suit has named honours, and spot cards, which are not distinguished.
#
# This module defines the order of a listing. The flattest patterns are first, and the shapes of a
# pattern are in descending order. Honours are ordered by their points, ascending, and by their map,
# descending. The deck is a parameter, so tests can compare listings of toy decks with all deals.


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
        whole = (
            shape for shape in product(lengths, repeat=self.suits) if sum(shape) == self.hand_size
        )
        return tuple(
            sorted(
                whole,
                key=lambda shape: (sorted(shape, reverse=True), [-length for length in shape]),
            )
        )

    def index_of(self, shape: Lengths) -> int:
        """Return the index of a shape in squashed order, which records contain.

        >>> BRIDGE.index_of((0, 0, 0, 13)), BRIDGE.index_of((4, 3, 3, 3))
        (0, 252)
        """
        ends = list(accumulate(shape))[:-1]
        return sum(comb(end + column, column + 1) for column, end in enumerate(ends))

    @cached_property
    def shape_of(self) -> dict[int, Lengths]:
        """The shapes by their index, in the order of a listing."""
        return {self.index_of(shape): shape for shape in self.shapes}

    @cached_property
    def rank_of_shape(self) -> dict[int, int]:
        """The position of each shape in the order of a listing, by its index."""
        return {index: rank for rank, index in enumerate(self.shape_of)}

    @cached_property
    def maps(self) -> tuple[int, ...]:
        """All maps of honours that a hand can hold, in the order of a listing."""
        everything = range(1 << self.suits * self.honours)
        held = (honours for honours in everything if honours.bit_count() <= self.hand_size)
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
        bits = (bit for bit in range(top + 1) if honours >> top - bit & 1)
        return [bit // self.honours * self.suit_size + bit % self.honours for bit in bits]

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
            (honours >> self.honours * suit & one_suit).bit_count()
            for suit in reversed(range(self.suits))
        )

    def suit_cards(self, suit: int, *, spots_only: bool = False) -> range:
        """Return the cards of a suit, or its spot cards."""
        start = suit * self.suit_size
        return range(start + self.honours * spots_only, start + self.suit_size)


BRIDGE = Deck()
"""The deck of bridge."""

assert BRIDGE.hand_size == HAND_SIZE


# The plan of a listing: one hand or two, each with a shape, with honours, or with both.
#
# A case allows some *choices* of cards for its hands. A *group* is a set of cards that a case does
# not distinguish: with shapes alone, all cards of a suit; with honours alone, all spot cards; with
# both, the spot cards of a suit. The first hand gets some cards of each group, the second hand some
# of the remaining ones. The ways of a case are the product of the binomial coefficients.
#
# The study and its records say *pattern* for the shape of a hand, its four lengths by suit; so do
# the public names `patterns` and `first_pattern`. Here, `shape` is an index of one of the 560
# shapes.


Held = tuple[int | None, int | None]
"""A hand in a case: the index of its shape and the map of its honours; None for "off"."""


@dataclass(frozen=True)
class Plan:
    """The hands of a listing in order, and its columns: shapes (`patterns`), honours or both.

    >>> plan = Plan((3,), patterns=True, honours=False)
    >>> case = plan.case(0, [(BRIDGE.index_of((9, 2, 1, 1)), None)])
    >>> plan.factors(case)
    [(13, 9), (13, 2), (13, 1), (13, 1)]
    """

    seats: tuple[int, ...]
    patterns: bool
    honours: bool
    deck: Deck = BRIDGE

    @cached_property
    def groups(self) -> tuple[tuple[int, ...], ...]:
        """The cards of each group, ascending."""
        suits = [
            tuple(self.deck.suit_cards(suit, spots_only=self.honours))
            for suit in range(self.deck.suits)
        ]
        return tuple(suits) if self.patterns else (tuple(card for suit in suits for card in suit),)

    def needs(self, pattern: int | None, honours: int | None) -> Lengths:
        """Return the number of cards needed of each group; negative if that is impossible."""
        if pattern is None:
            return (self.deck.hand_size - (honours or 0).bit_count(),)
        lengths = self.deck.shape_of[pattern]
        if honours is None:
            return lengths
        held = self.deck.honours_by_suit(honours)
        return tuple(length - named for length, named in zip(lengths, held, strict=True))

    def case(self, total: int, hands: list[Held]) -> Case:
        """Return the case of some hands."""
        shapes, honours = zip(*[*hands, (None, None)][:2], strict=True)
        return Case(total, *shapes, *honours)

    def hands(self, case: Case) -> list[Held]:
        """Return the hands of a case."""
        hands = [
            (case.first_pattern, case.first_honours),
            (case.second_pattern, case.second_honours),
        ]
        return hands[: len(self.seats)]

    def factors(self, case: Case) -> list[tuple[int, int]]:
        """Return the calculation: (cards, chosen cards) of each group, for each hand."""
        available = [len(group) for group in self.groups]
        factors = []
        for hand in self.hands(case):
            needs = self.needs(*hand)
            factors += list(zip(available, needs, strict=True))
            available = [left - need for left, need in zip(available, needs, strict=True)]
        return factors

    def order(self, case: Case) -> list[tuple[int, int, int]]:
        """Return the sort key: for each hand its shape's position, its points and its map."""
        ranks, deck = self.deck.rank_of_shape, self.deck
        return [
            (0 if shape is None else ranks[shape], *deck.map_order(honours or 0))
            for shape, honours in self.hands(case)
        ]


@dataclass(frozen=True)
class CaseRow:
    """A row of a listing in the form of the study; `number` counts from 1.

    >>> plan = Plan((0,), patterns=False, honours=True)
    >>> row = CaseRow(plan, 2, plan.case(1852482996, [(None, 0x3000)]), 600805296)
    >>> row.hands, row.bitmaps, row.calculation, row.total
    (['S Q S J'], ['3000'], '36c11', 1852482996)
    """

    plan: Plan
    number: int
    case: Case
    ways: int

    @property
    def total(self) -> int:
        """The running total."""
        return self.case.total

    @property
    def hands(self) -> list[str]:
        """The hands as text: a shape as `5=3=3=2`, honours as `S A-K H Q`, or both."""
        hands = self.plan.hands(self.case)
        return [" ".join(filter(None, _hand_parts(self.plan, hand))) for hand in hands]

    @property
    def parts(self) -> list[str]:
        """The texts of `hands`, with the shape and the honours of a hand separate."""
        hands = self.plan.hands(self.case)
        return [part for hand in hands for part in _hand_parts(self.plan, hand)]

    @property
    def bitmaps(self) -> list[str]:
        """The maps of honours in four hexadecimal digits; empty if honours are off."""
        maps = (honours for _, honours in self.plan.hands(self.case))
        return [f"{honours:04X}" for honours in maps if honours is not None]

    @property
    def calculation(self) -> str:
        """The product of binomial coefficients, as `13c9·13c2·13c1·13c1`."""
        return "·".join(f"{cards}c{chosen}" for cards, chosen in self.plan.factors(self.case))


def _hand_parts(plan: Plan, hand: Held) -> Iterator[str]:
    """Yield the shape and the honours of a hand as texts, in the form of the study.

    With a shape, the honours of a suit are joined; without, each honour has its suit before it.
    """
    shape, honours = hand
    if shape is not None:
        yield "=".join(map(str, plan.deck.shape_of[shape]))
    if honours is not None:
        words = _honours_together if plan.patterns else _honours_apart
        yield " ".join(words(plan.deck, honours))


def _honours_apart(deck: Deck, honours: int) -> Iterator[str]:
    for card in deck.honour_cards(honours):
        suit, rank = divmod(card, deck.suit_size)
        yield f"{SUIT_LETTERS[suit]} {HONOURS[rank]}"


def _honours_together(deck: Deck, honours: int) -> Iterator[str]:
    cards = deck.honour_cards(honours)
    for suit in range(deck.suits):
        ranks = [HONOURS[card % deck.suit_size] for card in cards if card in deck.suit_cards(suit)]
        if ranks:
            yield f"{SUIT_LETTERS[suit]} {'-'.join(ranks)}"


# The cases of a step of a listing, and the exact running totals of their ways.


_LOW = np.uint64(0xFFFFFFFF)
_HALF = np.uint64(32)


class Block(NamedTuple):
    """The cases of a step: the indexes of their cells in each hand, and their ways."""

    first: int
    """The index of the cell of the first hand, if there are two hands."""
    last: NDArray[np.int64]
    """The indexes of the cells of the last hand."""
    ways: NDArray[np.uint64]


def running_totals(
    ways: NDArray[np.uint64], before: int
) -> tuple[NDArray[np.uint64], NDArray[np.uint64]]:
    """Return the running totals of some ways after the total `before`, as high and low words.

    Ways are added in halves of 32 bits, so no sum overflows.

    >>> high, low = running_totals(np.array([1, 2**63, 2**63], np.uint64), 2**64 - 1)
    >>> [h << 64 | l for h, l in zip(high.tolist(), low.tolist())] == [
    ...     2**64, 2**64 + 2**63, 2**65]
    True
    """
    upper, lower = divmod(before, 1 << 32)
    low = np.cumsum(ways & _LOW) + np.uint64(lower)
    high = np.cumsum(ways >> _HALF) + np.uint64(upper) + (low >> _HALF)
    return high >> _HALF, high << _HALF | low & _LOW


# The cells of a hand: each shape with each arrangement of honours that it may have, in order.
#
# A case is a cell of one hand, or a pair of cells of two hands. Cells are stored in arrays, so one
# operation combines a cell of the first hand with all cells of the second.


Accepts = Callable[[Lengths | None, NDArray[np.int64] | None], NDArray[np.bool_]]
"""Returns for each map whether a hand may have it with these lengths; None means "no column"."""

Small = NDArray[np.int8]
"""The number of cards of each group, a row for each group; int8 saves memory."""


@dataclass(frozen=True, eq=False)
class Cells:
    """The cells of a hand, in the order of a listing: each array has an element for each cell.

    `shapes` and `honours` have the values of the records, including those for "off". `needs` has a
    row for each group of cards: the number of cards that the hand needs from it.
    """

    shapes: NDArray[np.uint16]
    honours: NDArray[np.uint16]
    needs: NDArray[np.uint8]

    def __len__(self) -> int:
        return len(self.shapes)

    def __getitem__(self, index: int) -> Held:
        shape, honours = int(self.shapes[index]), int(self.honours[index])
        off = shape == PATTERN_OFF, honours == HONOURS_OFF
        return None if off[0] else shape, None if off[1] else honours

    def index_of(self, held: Held) -> int | None:
        """Return the index of the cell of a hand; None if there is none."""
        shape, honours = held
        same = self.shapes == (PATTERN_OFF if shape is None else shape)
        same &= self.honours == (HONOURS_OFF if honours is None else honours)
        indexes = np.flatnonzero(same).tolist()
        return indexes[0] if indexes else None

    @cached_property
    def named(self) -> NDArray[np.uint16]:
        """The honours as bits for comparison; 0 if honours are off."""
        off = self.honours == HONOURS_OFF
        return np.where(off, np.uint16(0), self.honours)


def cells_of(plan: Plan, accepts: Accepts) -> Cells:
    """Return the cells of a hand that a condition accepts.

    >>> from pavcodec.studies.cases.cells import BRIDGE
    >>> plan = Plan((3,), patterns=True, honours=False)
    >>> cells = cells_of(plan, lambda lengths, _: np.array([max(lengths) > 11]))
    >>> len(cells), [BRIDGE.shape_of[index] for index in cells.shapes.tolist()[:2]]
    (16, [(12, 1, 0, 0), (12, 0, 1, 0)])
    """
    maps = np.array(plan.deck.maps) if plan.honours else None
    by_suit = None if maps is None else _honours_by_suit(plan, maps)
    parts = []
    for index, lengths in plan.deck.shape_of.items() if plan.patterns else [(PATTERN_OFF, None)]:
        needs = _needs(plan, lengths, by_suit)
        fits = np.flatnonzero(_fits(plan, needs))
        here = None if maps is None else maps[fits]
        kept = fits[accepts(lengths, here)]
        honours = np.full(len(kept), HONOURS_OFF) if maps is None else maps[kept]
        parts.append((np.full(len(kept), index), honours, needs[:, kept]))
    shapes, honours, needs = (np.concatenate(part, axis=-1) for part in zip(*parts, strict=True))
    return Cells(shapes.astype(np.uint16), honours.astype(np.uint16), needs.astype(np.uint8))


def _honours_by_suit(plan: Plan, maps: NDArray[np.int64]) -> Small:
    """Return the number of honours of each suit in each map, a row for each suit."""
    bits = plan.deck.honours
    ones = np.array([honours.bit_count() for honours in range(1 << bits)], np.int8)
    suits = reversed(range(plan.deck.suits))
    return np.stack([ones[maps >> bits * suit & (1 << bits) - 1] for suit in suits])


def _needs(plan: Plan, lengths: Lengths | None, by_suit: Small | None) -> Small:
    """Return `Plan.needs` for some lengths and all maps: a row for each group."""
    if lengths is None:
        assert by_suit is not None
        needed: Small = plan.deck.hand_size - by_suit.sum(axis=0, dtype=np.int8, keepdims=True)
        return needed
    column = np.array(lengths, np.int8)[:, None]
    return column if by_suit is None else column - by_suit


def _fits(plan: Plan, needs: Small) -> NDArray[np.bool_]:
    """Return for which cells each group has enough cards."""
    sizes = np.array([len(group) for group in plan.groups], np.int8)[:, None]
    fits: NDArray[np.bool_] = np.all((needs >= 0) & (needs <= sizes), axis=0)
    return fits


def binomials(most: int) -> NDArray[np.uint64]:
    """Return C(n, k) for n and k from 0 to `most`, a row for each n; 0 if k exceeds n."""
    rows = [[comb(n, k) for k in range(most + 1)] for n in range(most + 1)]
    return np.array(rows, np.uint64)
