"""The table of a levelled mix: its types, their deals and their shares."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from pavcodec.constraints.expressions import Expression
from pavcodec.constraints.mixes.types import joined
from pavcodec.constraints.nodes.syntax import Node, Not
from pavcodec.constraints.spaces.deals import DealSpace
from pavcodec.constraints.spaces.rejection import TestedDeals

__all__ = ["NOTHING", "Amount", "Cell", "LevelRow", "LevelTable", "TypeList"]


Cell = tuple[int, ...]


@dataclass(frozen=True)
class Amount:
    """A number, or an estimate of one with the ends of its 95 % interval."""

    value: Fraction
    low: Fraction
    high: Fraction

    @property
    def is_exact(self) -> bool:
        """Whether this is exact."""
        return self.low == self.high

    @classmethod
    def of(cls, space: DealSpace, tries: int) -> Amount:
        """Return how many deals a space has."""
        if isinstance(space, TestedDeals):
            guess = space.estimate(tries, seed="cardinality")
            return cls(*map(Fraction, (guess.value, guess.low, guess.high)))
        return cls.exact(space.cardinality)

    @classmethod
    def exact(cls, value: int) -> Amount:
        """Return the amount of an exact number."""
        return cls(Fraction(value), Fraction(value), Fraction(value))

    def __add__(self, other: Amount) -> Amount:
        return Amount(self.value + other.value, self.low + other.low, self.high + other.high)

    def among(self, others: Amount) -> Amount | None:
        """Return the share of this amount in the sum of both; None if the sum is 0."""
        if not self.value + others.value:
            return None
        low = Fraction(self.low, self.low + others.high) if self.low else Fraction(0)
        high = Fraction(self.high, self.high + others.low) if self.high else Fraction(0)
        return Amount(Fraction(self.value, self.value + others.value), low, high)


NOTHING = Amount.exact(0)


@dataclass(frozen=True)
class TypeList:
    """A list of types with names, conditions and requested shares, in order.

    Types that never occur have the share 0; the remaining types divide it.
    """

    names: tuple[str, ...]
    conditions: tuple[Node, ...]
    shares: tuple[Fraction, ...]
    missing: tuple[str, ...] = ()
    """The requested types of which there are no deals."""

    def condition(self, place: int) -> Node:
        """Return the condition of the deals of a type: its condition, and no earlier condition."""
        return joined(self.conditions[place], *map(Not, self.conditions[:place]))


@dataclass(frozen=True)
class LevelRow:
    """A type in the table of a levelled mix.

    `natural` is its share of all deals of the condition, `share` that of the boards. `overlap` is
    the number of deals that fit the type and have an earlier type, None if they cannot be counted.
    """

    place: int
    """The number of the list, from 0."""
    name: str
    where: Expression
    share: Fraction
    deals: Amount
    natural: Amount | None
    overlap: int | None

    @property
    def deals_per_board(self) -> Amount | None:
        """The number of deals without levelling that one board of this type represents."""
        if not self.share or self.natural is None:
            return None
        parts = self.natural.value, self.natural.low, self.natural.high
        return Amount(*(part / self.share for part in parts))


@dataclass(frozen=True)
class LevelTable:
    """The numbers of a levelled mix: a row for each type, and the deals of no type."""

    rows: tuple[LevelRow, ...]
    untyped: Amount
    """The deals of the condition that fit no type; with two lists, no type of one list."""
    natural_untyped: Amount | None
    """Their share of all deals of the condition."""

    @property
    def is_exact(self) -> bool:
        """Whether all numbers are exact."""
        return self.untyped.is_exact and all(row.deals.is_exact for row in self.rows)
