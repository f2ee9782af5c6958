"""The deals of a listing as a numbering, in the order of the cases and of the choices in each case.

To unrank a number, divide it by the number of arrangements of the hands outside the listing. The
quotient, from 0 to T - 1, selects a case by the running totals. The quotient less the total before
this case is the number of a choice. A choice has one digit for each factor of the case's
calculation, the first factor highest; digit d of a factor C(n, k) is subset d of k of the n cards,
in dictionary order. The remainder of the division deals the remaining cards, by the partition walk.
"""

from __future__ import annotations

from abc import abstractmethod
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import compress
from math import comb
from operator import index as as_integer
from typing import Self, SupportsIndex, TypeVar, cast, overload

from pavcodec.cards import UNUSED
from pavcodec.constraints import ConstrainedDeals
from pavcodec.constraints.expressions import expression
from pavcodec.constraints.operators import Expression
from pavcodec.errors import LayoutError, NumberError, shown
from pavcodec.layout import Deal, Layout
from pavcodec.numberings import Numbering
from pavcodec.records import Case
from pavcodec.studies.cases.cells import CaseRow, Plan
from pavcodec.walk import FixedSizes, NotAMemberError, RowByRow


class CaseSequence(Sequence[Case]):
    """The cases of one hand or two, in the order of the study; positions start at 0.

    `plan` contains the hands and columns of the listing, and `where` is the condition as text. The
    cases have running totals. `cardinality` is the last of them, T in the study.

    >>> from pavcodec import case_table
    >>> table = case_table("spades(west) == 9")
    >>> len(table), table.cardinality, table[0].total, table.select(9425130)
    (15, 58809465, 9425130, 1)
    >>> table.row(1).hands, table.row(1).calculation
    (['9=1=2=1'], '13c9·13c1·13c2·13c1')
    """

    plan: Plan
    where: str

    @property
    def deals(self) -> CaseDeals:
        """The deals of all cases, as a numbering in the order of the cases."""
        return CaseDeals.of(self)

    @property
    @abstractmethod
    def cardinality(self) -> int:
        """The ways of all cases: hands for one hand, pairs of hands for two."""

    @abstractmethod
    def select(self, number: SupportsIndex) -> int:
        """Return the position of the case for a number: the first with a greater running total.

        Raise `NumberError` outside 0 to `cardinality` - 1.
        """

    @abstractmethod
    def _at(self, position: int) -> Case:
        """Return the case at a valid position."""

    @abstractmethod
    def _cases(self, start: int, stop: int) -> Iterator[Case]:
        """Yield the cases at valid positions from `start` to before `stop`."""

    def check(self, place: int) -> None:
        """Raise `ReadError` if the case of a file at a valid position is invalid."""

    def total_before(self, place: int) -> int:
        """Return the running total before a case."""
        return self._at(place - 1).total if place else 0

    def row(self, place: SupportsIndex) -> CaseRow:
        """Return a case as a row, with its number, its ways and their calculation."""
        (row,) = self.rows(as_integer(place), as_integer(place) + 1)
        return row

    def rows(self, start: int = 0, stop: int | None = None) -> Iterator[CaseRow]:
        """Yield the rows of all cases, or from position `start` to before `stop`."""
        end = len(self) if stop is None else min(stop, len(self))
        if start < end:
            before = self.total_before(start)
            for number, case in enumerate(self._cases(start, end), start=start + 1):
                self.check(number - 1)
                yield CaseRow(self.plan, number, case, case.total - before)
                before = case.total

    def place_of(self, case: Case) -> int | None:
        """Return the position of the case with these hands and any total; None if there is none.

        >>> from pavcodec import case_table
        >>> table = case_table("spades(west) == 9")
        >>> table.place_of(table[7]), table.place_of(table[7]._replace(first_pattern=0))
        (7, None)
        """
        wanted = self.plan.order(case)
        position = bisect_left(self, wanted, key=self.plan.order)
        is_here = position < len(self) and self.plan.order(self._at(position)) == wanted
        return position if is_here else None

    @overload
    def __getitem__(self, index: SupportsIndex) -> Case: ...
    @overload
    def __getitem__(self, index: slice) -> list[Case]: ...
    def __getitem__(self, index: SupportsIndex | slice) -> Case | list[Case]:
        if isinstance(index, slice):
            chosen = range(len(self))[index]
            if chosen.step == 1:
                return list(self._cases(chosen.start, chosen.stop)) if chosen else []
            return [self._at(position) for position in chosen]
        try:
            position = range(len(self))[as_integer(index)]
        except IndexError:
            raise IndexError(f"{index!r} is past the end of a length of {len(self)}") from None
        return self._at(position)

    def __iter__(self) -> Iterator[Case]:
        return self._cases(0, len(self))

    def _checked(self, number: SupportsIndex) -> int:
        """Return a number as an int; raise `NumberError` if it selects no case."""
        wanted = as_integer(number)
        if not 0 <= wanted < self.cardinality:
            raise NumberError(
                f"a case is picked by a number of 0 to {self.cardinality - 1}, not {shown(wanted)}"
                if self.cardinality
                else "there are no cases to pick from"
            )
        return wanted


Card = TypeVar("Card")


def unrank_subset(cards: Sequence[Card], size: int, number: int) -> list[Card]:
    """Return subset `number` of `size` cards, in dictionary order.

    >>> [unrank_subset("abcd", 2, number) for number in range(3)]
    [['a', 'b'], ['a', 'c'], ['a', 'd']]
    """
    chosen: list[Card] = []
    for index, card in enumerate(cards):
        if len(chosen) == size:
            break
        with_card = comb(len(cards) - index - 1, size - len(chosen) - 1)
        if number < with_card:
            chosen.append(card)
        else:
            number -= with_card
    return chosen


def rank_subset(cards: Sequence[Card], chosen: Iterable[Card]) -> int:
    """Return the number of a subset of some cards.

    >>> rank_subset([10, 11, 12, 13], [10, 13])
    2
    """
    wanted = set(chosen)
    left, number = len(wanted), 0
    for index, card in enumerate(cards):
        if card in wanted:
            left -= 1
        elif left:
            number += comb(len(cards) - index - 1, left - 1)
    return number


@dataclass(frozen=True)
class CaseRanking(RowByRow):
    """The order of a listing's deals: a ranking of words of the deck."""

    cases: CaseSequence = field(repr=False)

    @property
    def plan(self) -> Plan:
        """The hands and columns of the listing."""
        return self.cases.plan

    @cached_property
    def rest(self) -> FixedSizes:
        """The words of the cards that each seat still needs after the hands of a case."""
        size, seats = self.plan.deck.hand_size, self.plan.seats
        sizes = (0 if seat in seats else size for seat in range(self.plan.deck.seats))
        return FixedSizes(tuple(sizes))

    @cached_property
    def cards(self) -> int:
        """The length of the words."""
        return self.plan.deck.cards

    @cached_property
    def cardinality(self) -> int:
        """The number of deals: T times the number of arrangements of the other hands."""
        return self.cases.cardinality * self.rest.cardinality

    def unrank(self, number: int) -> bytes:
        """Return the owners of the deal with a number."""
        picked, rest = divmod(number, self.rest.cardinality)
        row = self.cases.row(self.cases.select(picked))
        owners = bytearray([UNUSED]) * self.plan.deck.cards
        self._fill(owners, row.case, picked - (row.total - row.ways))
        others = iter(self.rest.unrank(rest))
        return bytes(next(others) if owner == UNUSED else owner for owner in owners)

    def _fill(self, owners: bytearray, case: Case, choice: int) -> None:
        """Deal the hands of a case by the number of a choice."""
        digits = []
        for cards, chosen in reversed(self.plan.factors(case)):
            choice, digit = divmod(choice, comb(cards, chosen))
            digits.append(digit)
        for seat, (shape, honours) in zip(self.plan.seats, self.plan.hands(case), strict=True):
            needs = self.plan.needs(shape, honours)
            hand = self.plan.deck.honour_cards(honours or 0)
            for group, need in zip(self.plan.groups, needs, strict=True):
                left = [card for card in group if owners[card] == UNUSED]
                hand += unrank_subset(left, need, digits.pop())
            for card in hand:
                owners[card] = seat

    def rank(self, word: bytes) -> int:
        """Return the number of a deal; raise `NotAMemberError` if it has no case."""
        case = self._case_of(word)
        position = None if case is None else self.cases.place_of(case)
        if case is None or position is None:
            raise NotAMemberError
        self.cases.check(position)
        owners = bytearray([UNUSED]) * len(word)
        choice = 0
        for seat, (shape, honours) in zip(self.plan.seats, self.plan.hands(case), strict=True):
            needs = self.plan.needs(shape, honours)
            hand = {card for card, owner in enumerate(word) if owner == seat}
            for group, need in zip(self.plan.groups, needs, strict=True):
                left = [card for card in group if owners[card] == UNUSED]
                choice = choice * comb(len(left), need) + rank_subset(left, hand & set(left))
            for card in hand:
                owners[card] = seat
        rest = bytes(compress(word, (owner == UNUSED for owner in owners)))
        picked = self.cases.total_before(position) + choice
        return picked * self.rest.cardinality + self.rest.rank(rest)

    def _case_of(self, word: bytes) -> Case | None:
        """Return the case of a word's hands; None if the word is no deal."""
        plan, deck = self.plan, self.plan.deck
        sizes = [word.count(seat) for seat in range(deck.seats)]
        if sizes != [deck.hand_size] * deck.seats:
            return None
        hands = []
        for seat in plan.seats:
            cards = [card for card, owner in enumerate(word) if owner == seat]
            suits = range(deck.suits)
            lengths = tuple(sum(card // deck.suit_size == suit for card in cards) for suit in suits)
            hands.append(
                (
                    deck.index_of(lengths) if plan.patterns else None,
                    deck.map_of(cards) if plan.honours else None,
                )
            )
        return plan.case(0, hands)


@dataclass(frozen=True)
class CaseDeals(Numbering[Deal]):
    """The deals of a case listing, as an exact numbering in the order of the cases.

    The property `deals` of a listing returns it. `pavcodec.deals` has the same deals for the same
    condition, but other numbers, since it has another order.

    >>> from pavcodec import case_table, deals
    >>> listed = case_table("spades(west) == 9").deals
    >>> listed.cardinality == deals("spades(west) == 9").cardinality
    True
    >>> deal = listed.sample(1, seed=7)[0]
    >>> print(deal)
    N:Q.T9764.Q86.K874 84.J52.97532.QT6 K.AK.AKJT4.AJ953 AJT976532.Q83..2
    >>> listed.unrank(listed.rank(deal)) == deal
    True
    """

    @classmethod
    def of(cls, cases: CaseSequence) -> Self:
        """Return the deals of a listing."""
        return cls(
            cases.where,
            "the deals of a case listing, in the order of its cases",
            CaseRanking(cases),
            f"deals with {cases.where}",
            "",
            Deal,
        )

    @property
    def cases(self) -> CaseSequence:
        """The listing."""
        return cast("CaseRanking", self.ranking).cases

    @property
    def where(self) -> Expression:
        """The condition."""
        return expression(self.name)

    def conflict(self) -> tuple[Expression, ...]:
        """Return parts of the condition that exclude each other; none if there are any deals."""
        return () if self.cardinality else ConstrainedDeals.of(self.where).conflict()

    def rank(self, layout: Layout) -> int:
        """Return the number of a deal; raise `LayoutError` if it is in no case."""
        try:
            return super().rank(layout)
        except LayoutError:
            if not layout.is_deal:
                raise
            raise LayoutError(f"this deal is in no case of {self.name!r}") from None

    def __repr__(self) -> str:
        return f"<deals of {self.cases!r}>"
