"""The plan of a listing: one hand or two, each with a shape, with honours, or with both.

A case allows some *choices* of cards for its hands. A *group* is a set of cards that a case does
not distinguish: with shapes alone, all cards of a suit; with honours alone, all spot cards; with
both, the spot cards of a suit. The first hand gets some cards of each group, the second hand some
of the remaining ones. The ways of a case are the product of the binomial coefficients.

The study and its records say *pattern* for the shape of a hand, its four lengths by suit; so do the
public names `patterns` and `first_pattern`. Here, `shape` is an index of one of the 560 shapes.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from pavcodec.cards import SUIT_LETTERS
from pavcodec.records import Case
from pavcodec.studies.cases.cells.deck import BRIDGE, HONOURS, Deck, Lengths

__all__ = ["CaseRow", "Held", "Plan"]

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

    @cached_property
    def sizes_of_rest(self) -> tuple[int, ...]:
        """The number of cards that each seat still needs after the hands of a case."""
        size = self.deck.hand_size
        return tuple(0 if seat in self.seats else size for seat in range(self.deck.seats))

    def order(self, case: Case) -> list[tuple[int, int, int]]:
        """Return the sort key: for each hand its shape's position, its points and its map."""
        places, deck = self.deck.place_of_shape, self.deck
        return [
            (0 if shape is None else places[shape], *deck.map_order(honours or 0))
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
