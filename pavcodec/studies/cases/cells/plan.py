"""What a listing lists: one hand or two, by patterns, by honours, or by both.

A case leaves the hands some *choices*. Cards that a case does not tell apart are a *group*: with
patterns all cards of a suit, with honours all spot cards, with both the spot cards of a suit. The
first hand takes some cards of each group, the second hand some of what is left, and the ways of a
case are the product of the binomial coefficients.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from math import comb, prod

from pavcodec.cards import SUIT_LETTERS
from pavcodec.records import Case
from pavcodec.studies.cases.cells.deck import BRIDGE, HONOURS, Deck, Lengths

__all__ = ["CaseRow", "Held", "Plan"]

Held = tuple[int | None, int | None]
"""What a case says of a hand: the number of its shape and the map of its honours; None is off."""


@dataclass(frozen=True)
class Plan:
    """What a listing lists: the hands in order, and whether by patterns, by honours or by both.

    >>> plan = Plan((3,), patterns=True, honours=False)
    >>> case = plan.case(0, [(BRIDGE.index_of((9, 2, 1, 1)), None)])
    >>> plan.factors(case), plan.ways(case)
    ([(13, 9), (13, 2), (13, 1), (13, 1)], 9425130)
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
        """Return how many cards of each group a hand takes; below 0 where that cannot be."""
        if pattern is None:
            return (self.deck.hand_size - (honours or 0).bit_count(),)
        lengths = self.deck.shape_of[pattern]
        if honours is None:
            return lengths
        held = self.deck.honours_by_suit(honours)
        return tuple(length - named for length, named in zip(lengths, held, strict=True))

    def case(self, total: int, hands: list[Held]) -> Case:
        """Return the case of hands."""
        patterns, honours = zip(*[*hands, (None, None)][:2], strict=True)
        return Case(total, *patterns, *honours)

    def hands(self, case: Case) -> list[Held]:
        """Return what a case says of each hand."""
        hands = [
            (case.first_pattern, case.first_honours),
            (case.second_pattern, case.second_honours),
        ]
        return hands[: len(self.seats)]

    def factors(self, case: Case) -> list[tuple[int, int]]:
        """Return the calculation: from how many cards how many are chosen, group by group."""
        available = [len(group) for group in self.groups]
        factors = []
        for hand in self.hands(case):
            needs = self.needs(*hand)
            factors += list(zip(available, needs, strict=True))
            available = [left - need for left, need in zip(available, needs, strict=True)]
        return factors

    def ways(self, case: Case) -> int:
        """Return the ways of a case, worked out from the case alone."""
        return prod(comb(*factor) for factor in self.factors(case))

    @cached_property
    def sizes_of_rest(self) -> tuple[int, ...]:
        """The cards that each seat still has to get when the hands of a case are full."""
        size = self.deck.hand_size
        return tuple(0 if seat in self.seats else size for seat in range(self.deck.seats))

    def order(self, case: Case) -> list[tuple[int, int, int]]:
        """Return what cases are ordered by: pattern, points and map of the first hand, then."""
        places, deck = self.deck.place_of_shape, self.deck
        return [
            (0 if pattern is None else places[pattern], *deck.map_order(honours or 0))
            for pattern, honours in self.hands(case)
        ]


@dataclass(frozen=True)
class CaseRow:
    """A row of a listing as the study prints it; `number` counts from 1.

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
        """The hands: a pattern as `5=3=3=2`, honours as `S A-K H Q`, or one after the other."""
        hands = self.plan.hands(self.case)
        return [" ".join(filter(None, _hand_parts(self.plan, hand))) for hand in hands]

    @property
    def parts(self) -> list[str]:
        """What `hands` has, with the pattern and the honours of a hand by themselves."""
        hands = self.plan.hands(self.case)
        return [part for hand in hands for part in _hand_parts(self.plan, hand)]

    @property
    def bitmaps(self) -> list[str]:
        """The maps of honours in four hexadecimal digits; none where honours are off."""
        maps = (honours for _, honours in self.plan.hands(self.case))
        return [f"{honours:04X}" for honours in maps if honours is not None]

    @property
    def calculation(self) -> str:
        """The product of binomial coefficients, as `13c9·13c2·13c1·13c1`."""
        return "·".join(f"{cards}c{chosen}" for cards, chosen in self.plan.factors(self.case))


def _hand_parts(plan: Plan, hand: Held) -> Iterator[str]:
    """Yield the pattern and the honours of a hand, what there is of them, as the study prints them.

    Beside patterns, the honours of a suit stand together; alone, each has its suit before it.
    """
    pattern, honours = hand
    if pattern is not None:
        yield "=".join(map(str, plan.deck.shape_of[pattern]))
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
