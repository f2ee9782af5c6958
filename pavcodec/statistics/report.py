"""What a collection is like: its tables, the tests of them, and a verdict on all together.

Rule 1: many tests are made, and some look bad by chance. So probabilities are adjusted by Holm's
rule: with m tests, the smallest counts m times, the next m - 1 times, and so on, and none less than
one before it. Where the collection is random, the chance that any test falls below the level is at
most the level, however the tests depend on one another.
Rule 2: deals outside the condition settle it without a test.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

from pavcodec.errors import PavError
from pavcodec.statistics.chi_square import ChiSquare
from pavcodec.statistics.tables import Table, tables_of
from pavcodec.statistics.tally import Tally

__all__ = ["LEVEL", "Statistics", "Test", "level_of"]

LEVEL = Fraction(1, 100)


@dataclass(frozen=True)
class Test:
    """The test of a table, with its probability as it is and adjusted for all tests of the run."""

    __test__ = False  # of statistics, and none of pytest's

    table: Table
    result: ChiSquare
    adjusted: Fraction


def level_of(level: Fraction | str | int) -> Fraction:
    """Return a level of significance; raise `PavError` unless it is between 0 and 1.

    >>> level_of("0.001")
    Fraction(1, 1000)
    """
    try:
        found = Fraction(level)
    except (ValueError, ZeroDivisionError):
        raise PavError(f"a level is a number such as 0.01 or 1/100, not {level!r}") from None
    if not 0 < found < 1:
        raise PavError(f"a level is between 0 and 1, not {level!r}")
    return found


class Statistics:
    """The tables of a collection beside their exact expectation; made by `stats`.

    >>> from pavcodec import numbering
    >>> from pavcodec.statistics import stats
    >>> found = stats(numbering("deal").sample_many(1000, seed=7))
    >>> found.departs, len(found.tests), found["hcp", "north"].observed[:4]
    (False, 96, (2, 8, 16, 33))
    >>> one_suit = stats(numbering("deal").sample_many(1000, seed=7), given="spades(north) > 3")
    >>> print(one_suit.verdict)
    not what it should be: 587 deals do not satisfy the condition
    """

    def __init__(
        self,
        observed: Tally,
        expected: Tally,
        *,
        given: str = "",
        level: Fraction | str = LEVEL,
    ) -> None:
        """Compare a tally with that of all deals of the condition `given`, a text."""
        self.observed = observed
        self.expected = expected
        self.given = given
        self.level = level_of(level)

    @property
    def deals(self) -> int:
        """How many complete deals were counted."""
        return self.observed.deals

    @cached_property
    def tables(self) -> list[Table]:
        """All tables, section by section."""
        return tables_of(self.observed, self.expected)

    def __getitem__(self, name: tuple[str, str]) -> Table:
        """Return the table of a section and of whom, as in `found["hcp", "north"]`."""
        for table in self.tables:
            if (table.section, table.of) == name:
                return table
        raise KeyError(name)

    @cached_property
    def tests(self) -> list[Test]:
        """All tests, the least probable result first."""
        found = [(table.test, table) for table in self.tables if table.test is not None]
        found.sort(key=lambda pair: pair[0].probability)
        return list(_adjusted(found))

    @cached_property
    def rejected(self) -> list[Test]:
        """The tests that the collection fails."""
        return [test for test in self.tests if test.adjusted <= self.level]

    @property
    def departs(self) -> bool:
        """Whether the collection is not what a random one of the condition would be."""
        return bool(self.observed.outside_condition or self.rejected)

    @property
    def verdict(self) -> str:
        """What comes of all tests together, in a line."""
        if not self.deals:
            return "there are no deals to judge"
        if self.observed.outside_condition:
            many, one = f"{self.observed.outside_condition:,} deals do", "1 deal does"
            which = one if self.observed.outside_condition == 1 else many
            return f"not what it should be: {which} not satisfy the condition"
        if self.rejected:
            fail = f"{len(self.rejected)} of {len(self.tests)} tests fail"
            worst = self.rejected[0].table.name
            return f"not what it should be: {fail}, '{worst}' worst"
        return f"as it should be: none of {len(self.tests)} tests fails"


def _adjusted(found: list[tuple[ChiSquare, Table]]) -> Iterator[Test]:
    """Yield tests, the least probable first, with probabilities adjusted by Holm's rule."""
    least = Fraction(0)
    for place, (result, table) in enumerate(found):
        least = max(least, Fraction(result.probability) * (len(found) - place))
        yield Test(table, result, min(least, Fraction(1)))
