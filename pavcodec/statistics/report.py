"""The report on a collection: its tables, their tests, and a verdict on all tests together.

Rule 1: With many tests, some probabilities are small by chance. So they are adjusted by Holm's
rule: with m tests, the smallest is multiplied by m, the next by m - 1, and so on, and none is less
than the one before it. For a random collection, the probability that any adjusted value is at or
below the level is at most the level, even if the tests depend on each other.
Rule 2: The look for deals that occur again is one more test. Its probability is multiplied by m,
whatever its place is, and the tests of tables count it as one that does not fail.
Rule 3: If a deal is outside the condition, the verdict needs no test.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

from pavcodec.errors import PavError, shown
from pavcodec.statistics.chi_square import ChiSquare
from pavcodec.statistics.repeats import Again, deals_again
from pavcodec.statistics.rows import again_row, table_row, test_row, tests_html, tricks_row
from pavcodec.statistics.tables import Table, tables_of
from pavcodec.statistics.tally import Tally

__all__ = ["LEVEL", "Statistics", "Test", "level_of"]

LEVEL = Fraction(1, 100)


@dataclass(frozen=True)
class Test:
    """The test of a table, and its probability adjusted for all tests of the report."""

    __test__ = False  # not a test of pytest

    table: Table
    result: ChiSquare
    adjusted: Fraction


def level_of(level: Fraction | str | int) -> Fraction:
    """Return a significance level; raise `PavError` unless it is between 0 and 1.

    >>> level_of("0.001")
    Fraction(1, 1000)
    """
    try:
        found = Fraction(level)
    except (ValueError, ZeroDivisionError, OverflowError):
        raise PavError(f"a level is a number such as 0.01 or 1/100, not {shown(level)}") from None
    except TypeError:
        raise TypeError(f"a level is a number or a text, not {type(level).__name__!r}") from None
    if not 0 < found < 1:
        raise PavError(f"a level is between 0 and 1, not {shown(level)}")
    return found


class Statistics:
    """The tables of a collection with their exact expectations; `stats` returns it.

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
        """The number of complete deals."""
        return self.observed.deals

    @cached_property
    def tables(self) -> list[Table]:
        """All tables, section by section."""
        return tables_of(self.observed, self.expected)

    def __getitem__(self, name: tuple[str, str]) -> Table:
        """Return the table of a section and a subject, as in `found["hcp", "north"]`."""
        for table in self.tables:
            if (table.section, table.of) == name:
                return table
        raise KeyError(name)

    @cached_property
    def tests(self) -> list[Test]:
        """All tests, the smallest probability first."""
        found = [(table.test, table) for table in self.tables if table.test is not None]
        found.sort(key=lambda pair: pair[0].probability)
        return list(_adjusted(found))

    @cached_property
    def rejected(self) -> list[Test]:
        """The tests with an adjusted probability at or below the level."""
        return [test for test in self.tests if test.adjusted <= self.level]

    @cached_property
    def again(self) -> Again | None:
        """The deals that occur again up to symmetry; None for a tally that does not have them."""
        owners = self.observed.kept
        return None if owners is None else deals_again(owners, self.expected.deals)

    @property
    def has_repeats(self) -> bool:
        """Whether more deals occur again than in a random sample of the condition."""
        if self.again is None:
            return False
        return self.again.probability * (len(self.tests) + 1) <= self.level

    @property
    def departs(self) -> bool:
        """Whether the collection differs from a random sample of the condition."""
        return bool(self.observed.outside_condition or self.rejected or self.has_repeats)

    def to_dict(self) -> dict[str, object]:
        """Return the tables, tests and verdict for JSON, as `pavcodec stats --json` prints them."""
        return {
            "deals": self.deals,
            "incomplete": self.observed.incomplete,
            "without_cards": self.observed.without_cards,
            "misfits": self.observed.outside_condition,
            "given": self.given or None,
            "cardinality": str(self.expected.deals),
            "level": str(self.level),
            "departs": self.departs,
            "verdict": self.verdict,
            "again": again_row(self.again),
            "tests": [test_row(test) for test in self.tests],
            "tables": [table_row(table) for table in self.tables],
            "tricks": tricks_row(self.observed),
        }

    def _repr_html_(self) -> str:
        """Return the verdict and the tests in HTML; notebooks call this."""
        return tests_html(f"statistics of {self.deals:,} deals", self.verdict, self.tests)

    @property
    def verdict(self) -> str:
        """The result of all tests together, in one line."""
        if not self.deals:
            return "there are no deals to judge"
        if self.observed.outside_condition:
            many, one = f"{self.observed.outside_condition:,} deals do", "1 deal does"
            which = one if self.observed.outside_condition == 1 else many
            return f"not what it should be: {which} not satisfy the condition"
        reasons = "; ".join(self._reasons())
        if reasons:
            return f"not what it should be: {reasons}"
        return f"as it should be: none of {len(self.tests)} tests fails"

    def _reasons(self) -> Iterator[str]:
        """Yield what differs from a random sample: repeated deals, and tests that fail."""
        if self.has_repeats and self.again is not None:
            repeat = "repeats another" if self.again.deals == 1 else "repeat others"
            up_to = self.again.up_to.replace(",", " and ")
            symmetry = f" up to {up_to}" if up_to else ""
            yield f"{self.again.deals:,} of {self.deals:,} deals {repeat}{symmetry}"
        if self.rejected:
            even = sum(test.result.is_low for test in self.rejected)
            too_even = f" ({even} too even)" if even else ""
            worst = self.rejected[0].table.name
            fail = "fails" if len(self.rejected) == 1 else "fail"
            of_all = f"{len(self.rejected)} of {len(self.tests)} tests {fail}"
            yield f"{of_all}{too_even}, '{worst}' worst"


def _adjusted(found: list[tuple[ChiSquare, Table]]) -> Iterator[Test]:
    """Yield tests, the smallest probability first, with probabilities adjusted by Holm's rule."""
    least = Fraction(0)
    for place, (result, table) in enumerate(found):
        least = max(least, Fraction(result.probability) * (len(found) + 1 - place))
        yield Test(table, result, min(least, Fraction(1)))
