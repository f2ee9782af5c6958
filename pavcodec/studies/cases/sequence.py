"""What case listings have in common: rows, blocks of cases, and their deals as a numbering.

A listing is a sequence of *blocks* of cases in the form of records, with a chain of their numbers
of ways. So a number selects a block, and then a case in it by the running totals. A block is a part
of a table that is computed on demand, or of a file.

The deals of a listing are a numbering, in the order of the cases and of the choices in each case.
To unrank a number, divide it by the number of arrangements of the hands outside the listing. The
quotient, from 0 to T - 1, selects a case by the running totals. The quotient less the total before
this case is the number of a choice. A choice has one digit for each factor of the case's
calculation, the first factor highest; digit d of a factor C(n, k) is subset d of k of the n cards,
in dictionary order. The remainder of the division deals the remaining cards, by the partition walk.
"""

from __future__ import annotations

from abc import abstractmethod
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property
from itertools import compress, product
from math import comb
from operator import index as as_integer
from typing import Self, SupportsIndex, cast, overload

import numpy as np

from pavcodec.cards import SUIT_LETTERS, UNUSED, Seat
from pavcodec.constraints import ConstrainedDeals
from pavcodec.constraints.expressions import expression
from pavcodec.constraints.operators import Expression
from pavcodec.errors import LayoutError, NumberError, shown
from pavcodec.layout import Deal, Layout
from pavcodec.numberings import Numbering
from pavcodec.numberings.chain import Chain
from pavcodec.records import Case, record
from pavcodec.records.arrays import split_rows
from pavcodec.records.kinds import HONOURS_OFF, PATTERN_OFF
from pavcodec.studies.cases.cells import HONOURS, Cell, Plan
from pavcodec.walk import FixedSizes, NotAMemberError, RowByRow

CASE = record("case16")
"""The form of a case in bytes."""

OFF = PATTERN_OFF, PATTERN_OFF, HONOURS_OFF, HONOURS_OFF
"""The values of a record for a case without shapes and honours."""
_TOTAL = (1 << 73) - 1


@dataclass(frozen=True)
class CaseRow:
    """A row of a listing in the form of the study; `number` counts from 1.

    >>> plan = Plan((0,), patterns=False, honours=True)
    >>> row = CaseRow(plan, 2, Case(1852482996, first_honours=0x3000), 600805296)
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
        return [" ".join(filter(None, self._texts(hand))) for hand in self.plan.hands(self.case)]

    @property
    def bitmaps(self) -> list[str]:
        """The maps of honours in four hexadecimal digits; empty if honours are off."""
        hands = self.plan.hands(self.case)
        return [f"{honours:04X}" for _, honours in hands if self.plan.honours]

    @property
    def calculation(self) -> str:
        """The product of binomial coefficients, as `13c9·13c2·13c1·13c1`."""
        return "·".join(f"{cards}c{chosen}" for cards, chosen in self.plan.factors(self.case))

    def cells(self, last: int) -> list[str]:
        """Return the texts in the columns of `CaseSequence.heads`; the total of row `last` is T."""
        hands = self.hands
        if len(hands) == 1:
            hands = [text for text in self._texts(*self.plan.hands(self.case)) if text is not None]
        total = f"T = {self.total:,}" if self.number == last else f"{self.total:,}"
        return [str(self.number), *hands, self.calculation, f"{self.ways:,}", total]

    def _texts(self, hand: Cell) -> tuple[str | None, str | None]:
        """Return the shape and the honours of a hand, in the form of the study.

        With a shape, the honours of a suit are joined; without, each honour has its suit before it.
        """
        deck, shape, honours = self.plan.deck, None, None
        if self.plan.patterns:
            shape = "=".join(map(str, deck.lengths[:, hand[0]].tolist()))
        if self.plan.honours:
            words = []
            cards = [divmod(card, deck.suit_size) for card in deck.honour_cards(hand[1])]
            for suit, letter in enumerate(SUIT_LETTERS[: deck.suits]):
                named = [HONOURS[rank] for of_suit, rank in cards if of_suit == suit]
                if named:
                    joint = "-" if self.plan.patterns else f" {letter} "
                    words.append(f"{letter} {joint.join(named)}")
            honours = " ".join(words)
        return shape, honours


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
    @abstractmethod
    def _chains(self) -> tuple[Chain, Chain]:
        """The numbers of cases and the numbers of ways of the blocks."""

    @abstractmethod
    def _records(self, block: int, rows: slice) -> bytes:
        """Return the records of some cases of a block; `rows` are within it."""

    def _cases_in(self, block: int, rows: slice) -> Iterator[Case]:
        """Return some cases of a block."""
        data = np.frombuffer(self._records(block, rows), np.uint8).reshape(-1, CASE.size)
        totals, *fields = [column.tolist() for column in split_rows(CASE.table, data)[0]]
        columns = (
            [None if value == off else value for value in column]
            for column, off in zip(fields, OFF, strict=True)
        )
        return map(Case, (high << 64 | low for high, low in totals), *columns)

    def check(self, place: int) -> None:
        """Raise `ReadError` if the case of a file at a valid position is invalid."""

    def _refuse_block(self, block: int) -> None:
        """Raise `ReadError` for a block of a file whose totals are not those of its index."""

    @property
    def cardinality(self) -> int:
        """The ways of all cases: hands for one hand, pairs of hands for two."""
        return self._chains[1].cardinality

    def __len__(self) -> int:
        return self._chains[0].cardinality

    @property
    def deals(self) -> CaseDeals:
        """The deals of all cases, as a numbering in the order of the cases."""
        return CaseDeals.of(self)

    def select(self, number: SupportsIndex) -> int:
        """Return the position of the case for a number: the first with a greater running total.

        Raise `NumberError` outside 0 to `cardinality` - 1.
        >>> from pavcodec import case_table
        >>> case_table("spades(west) == 9 && shape(east, xx66)").select(277777777777777)
        7
        """
        wanted = as_integer(number)
        if not 0 <= wanted < self.cardinality:
            raise NumberError(
                f"a case is picked by a number of 0 to {self.cardinality - 1}, not {shown(wanted)}"
                if self.cardinality
                else "there are no cases to pick from"
            )
        cases, ways = self._chains
        block, _ = ways.split(wanted)
        rows = range(cases.sizes[block])

        def total(row: int) -> int:
            return total_of(self._records(block, slice(row, row + 1)))

        row = bisect_right(rows, wanted, key=total)
        if row == len(rows):
            self._refuse_block(block)
        return cases.join(block, row)

    @property
    def heads(self) -> list[str]:
        """The heads of a table of rows; see `CaseRow.cells`."""
        if len(self.plan.seats) > 1:
            hands = [Seat(seat).name.title() for seat in self.plan.seats]
            return ["Case", *hands, "Calculation", "Combinations", "Total"]
        hands = ["Pattern"] * self.plan.patterns + ["High cards"] * self.plan.honours
        return ["Case", *hands, "Calculation", "Hands", "Total"]

    def row(self, place: SupportsIndex) -> CaseRow:
        """Return a case as a row, with its number, its ways and their calculation."""
        position, case = range(len(self))[as_integer(place)], self[place]
        self.check(position)
        return CaseRow(self.plan, position + 1, case, case.total - self.total_before(position))

    def rows(self, start: int = 0, stop: int | None = None) -> Iterator[CaseRow]:
        """Yield the rows of all cases, or from position `start` to before `stop`."""
        end = len(self) if stop is None else min(stop, len(self))
        if start < end:
            before = self.total_before(start)
            for number, case in enumerate(self._cases(start, end), start=start + 1):
                self.check(number - 1)
                yield CaseRow(self.plan, number, case, case.total - before)
                before = case.total

    def total_before(self, place: int) -> int:
        """Return the running total before a case."""
        return total_of(self._record(place - 1)) if place else 0

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
                return list(self._cases(chosen.start, chosen.stop))
            return list(map(self._at, chosen))
        try:
            position = range(len(self))[as_integer(index)]
        except IndexError:
            raise IndexError(f"{index!r} is past the end of a length of {len(self)}") from None
        return self._at(position)

    def __iter__(self) -> Iterator[Case]:
        return self._cases(0, len(self))

    def _at(self, position: int) -> Case:
        return cast("Case", CASE.parse_at(position, self._record(position)))

    def _record(self, position: int) -> bytes:
        block, row = self._chains[0].split(position)
        return self._records(block, slice(row, row + 1))

    def _cases(self, start: int, stop: int) -> Iterator[Case]:
        cases, _ = self._chains
        while start < stop:
            block, row = cases.split(start)
            end = min(row + stop - start, cases.sizes[block])
            yield from self._cases_in(block, slice(row, end))
            start += end - row


def total_of(case: bytes) -> int:
    """Return the running total in the record of a case."""
    return int.from_bytes(case, "little") & _TOTAL


# The deals of a listing as a numbering.


@cache
def _subsets(size: int, cards: int) -> FixedSizes:
    """Return the subsets of some cards in dictionary order, as words of 0 (chosen) and 1."""
    return FixedSizes((size, cards - size))


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
        factors = self.plan.factors(row.case)
        choice, digits = picked - (row.total - row.ways), []
        for factor in reversed(factors):
            choice, digit = divmod(choice, comb(*factor))
            digits.append(digit)
        owners = bytearray([UNUSED]) * self.cards
        for (seat, left), (_, need) in zip(self._draws(row.case, owners), factors, strict=True):
            word = _subsets(need, len(left)).unrank(digits.pop())
            for card in compress(left, (not other for other in word)):
                owners[card] = seat
        others = iter(self.rest.unrank(rest))
        return bytes(next(others) if owner == UNUSED else owner for owner in owners)

    def rank(self, word: bytes) -> int:
        """Return the number of a deal; raise `NotAMemberError` if it has no case."""
        case = self._case_of(word)
        place = None if case is None else self.cases.place_of(case)
        if case is None or place is None:
            raise NotAMemberError
        self.cases.check(place)
        owners, choice = bytearray([UNUSED]) * self.cards, 0
        factors = self.plan.factors(case)
        for (seat, left), (_, need) in zip(self._draws(case, owners), factors, strict=True):
            others = bytes(word[card] != seat for card in left)
            choice = choice * comb(len(left), need) + _subsets(need, len(left)).rank(others)
            for card in compress(left, (not other for other in others)):
                owners[card] = seat
        rest = bytes(compress(word, (owner == UNUSED for owner in owners)))
        picked = self.cases.total_before(place) + choice
        return picked * self.rest.cardinality + self.rest.rank(rest)

    def _draws(self, case: Case, owners: bytearray) -> Iterator[tuple[int, list[int]]]:
        """Deal the honours of a case, and yield its choices: a seat, and the cards of a group."""
        hands = list(zip(self.plan.seats, self.plan.hands(case), strict=True))
        for seat, (_, honours) in hands:
            for card in self.plan.deck.honour_cards(honours):
                owners[card] = seat
        for (seat, _), group in product(hands, self.plan.groups):
            yield seat, [card for card in group if owners[card] == UNUSED]

    def _case_of(self, word: bytes) -> Case | None:
        """Return the case of a word's hands; None if the word is no deal."""
        plan, deck = self.plan, self.plan.deck
        if any(word.count(seat) != deck.hand_size for seat in range(deck.seats)):
            return None
        shapes: list[int | None] = [None, None]
        maps = shapes.copy()
        suits = [deck.suit_cards(suit) for suit in range(deck.suits)]
        for hand, seat in enumerate(plan.seats):
            if plan.patterns:
                lengths = (word[cards.start : cards.stop].count(seat) for cards in suits)
                shapes[hand] = deck.index_of(tuple(lengths))
            if plan.honours:
                ranked = (word[card] == seat for cards in suits for card in cards[: deck.honours])
                maps[hand] = int("".join(str(int(held)) for held in ranked), 2)
        return Case(0, *shapes, *maps)


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
