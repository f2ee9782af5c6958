"""Weights: functions of a deal whose values are fractions of 0 or more.

A weight is the value of an expression, or a table: a fraction for some values of an expression, and
one for all other values. A deal is weighted by the product of its weights.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from typing import NamedTuple

from pavcodec.constraints.nodes.syntax import Node, Number

__all__ = ["Entry", "Weight"]


class Entry(NamedTuple):
    """The weight of the values from `low` to `high`; None is no limit."""

    low: int | None
    high: int | None
    weight: Fraction

    def has(self, value: int) -> bool:
        """Return whether the entry is the one of a value."""
        return (self.low is None or self.low <= value) and (self.high is None or value <= self.high)

    def meets(self, other: Entry) -> bool:
        """Return whether a value has both entries."""
        return not (_ends_before(self, other) or _ends_before(other, self))


def _ends_before(one: Entry, other: Entry) -> bool:
    return one.high is not None and other.low is not None and one.high < other.low


@dataclass(frozen=True)
class Weight:
    """A factor of the weight of a deal: `of` the value that `number` has for the deal.

    Without `entries` the weight is the value itself. With them, it is the weight of the entry that
    has the value, or `otherwise`. `text` is the notation of the language.

    >>> from pavcodec.constraints.language.parser import parse_expression
    >>> some = (Entry(12, 14, Fraction(1)), Entry(15, None, Fraction(1, 2)))
    >>> weight = Weight(parse_expression("hcp(north)"), some)
    >>> [str(weight.of(value)) for value in (11, 12, 14, 37)]
    ['0', '1', '1', '1/2']
    """

    number: Node
    entries: tuple[Entry, ...] | None = None
    otherwise: Fraction = Fraction(0)
    text: str = field(default="", compare=False)

    @classmethod
    def constant(cls, share: Fraction) -> Weight:
        """Return the weight that is equal for all deals.

        >>> Weight.constant(Fraction(1, 3)).text
        '1/3'
        """
        if share.denominator == 1:
            return cls(Number(share.numerator), text=str(share))
        return cls(Number(1), (Entry(1, 1, share),), text=str(share))

    def of(self, value: int) -> Fraction:
        """Return the weight of a value of `number`; a value without a table may be negative."""
        if self.entries is None:
            return Fraction(value)
        return next((each.weight for each in self.entries if each.has(value)), self.otherwise)
