"""Statistics as rows of JSON."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol

from pavcodec.cards import Seat, Strain
from pavcodec.layout.drawings.notebook import notebook_table

if TYPE_CHECKING:
    from fractions import Fraction

    from pavcodec.statistics.chi_square import ChiSquare
    from pavcodec.statistics.repeats import Again
    from pavcodec.statistics.tables import Table
    from pavcodec.statistics.tally import Tally

__all__ = ["again_row", "table_row", "tail_of", "test_row", "tests_html", "tricks_row"]

_TESTS_SHOWN = 8


class _Test(Protocol):
    """What a row needs of a test."""

    @property
    def table(self) -> Table: ...
    @property
    def result(self) -> ChiSquare: ...
    @property
    def adjusted(self) -> Fraction: ...


def tail_of(result: ChiSquare) -> str:
    """Return the tail of chi-square that a statistic is in: of even counts, or of uneven ones."""
    return "lower" if result.is_low else "upper"


def again_row(found: Again | None) -> dict[str, object] | None:
    """Return for JSON how many deals occur again; `p` is at most the probability of as many."""
    if found is None:
        return None
    p = f"{float(found.probability):.6e}"
    return {"deals": found.deals, "up_to": found.up_to, "p": p}


def test_row(test: _Test) -> dict[str, object]:
    """Return a test for JSON."""
    return {
        "section": test.table.section,
        "of": test.table.of,
        "chi_square": float(test.result.statistic),
        "freedom": test.result.freedom,
        "pooled": test.result.pooled,
        "tail": tail_of(test.result),
        "p": f"{test.result.probability:.6e}",
        "adjusted_p": float(test.adjusted),
    }


def table_row(table: Table) -> dict[str, object]:
    """Return a table for JSON; expectations are fractions as text."""
    rows = zip(table.values, table.observed, table.expected, table.deviations, strict=True)
    return {
        "section": table.section,
        "of": table.of,
        "values": [
            {
                "value": value,
                "observed": seen,
                "expected": str(wanted),
                "sd": None if distance is None else float(distance),
            }
            for value, seen, wanted, distance in rows
        ],
    }


def tests_html(title: str, verdict: str, tests: Sequence[_Test]) -> str:
    """Return the verdict and the least probable tests as a table in HTML."""
    some = tests[:_TESTS_SHOWN]
    rows = [
        [
            test.table.name,
            f"{float(test.result.statistic):.1f}",
            test.result.freedom,
            tail_of(test.result),
            f"{float(test.result.probability):.3g}",
            f"{float(test.adjusted):.3g}",
        ]
        for test in some
    ]
    notes = [verdict, f"the {len(some)} least probable of {len(tests)} tests"]
    heads = ["test", "chi-square", "freedom", "tail", "p", "adjusted p"]
    return notebook_table(title, heads, rows, notes=notes)


def tricks_row(tally: Tally) -> dict[str, object] | None:
    """Return for each strain and declarer the boards of 0 to 13 tricks; None without tricks."""
    if not tally.boards_with_tricks:
        return None
    tricks = tally.counts["tricks"].tolist()
    return {
        strain.letters: {seat.letter: tricks[strain][seat] for seat in Seat} for strain in Strain
    }
