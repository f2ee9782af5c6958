"""Statistics as text, JSON and CSV."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING

from pavcodec.cards import Card, Seat, Strain
from pavcodec.cli.output.tables import table_lines
from pavcodec.odds.figures import digits, many
from pavcodec.statistics.rows import tail_of

if TYPE_CHECKING:
    from pavcodec.statistics import Statistics, Table

__all__ = ["csv_lines", "json_text", "text_lines"]

_HONOURS = 4
_TESTS_SHOWN = 8
_LEAST = Fraction(1, 1000)
"""Values that did not occur and have a smaller expectation have no line."""
_SUITS = ("spades", "hearts", "diamonds", "clubs")
_OF_SEATS = ("pattern", "voids", "hcp", "controls")
_OF_SIDES = ("fit", "longest", "side-hcp", "side-controls")


def text_lines(found: Statistics) -> Iterator[str]:
    """Yield statistics as text, line by line."""
    for block in _blocks(found):
        yield from (f"{line}\n" for line in block)
        yield "\n"
    yield f"{found.verdict}\n"


def _blocks(found: Statistics) -> Iterator[Iterator[str] | list[str]]:
    """Yield the parts of the text, between which there are empty lines."""
    yield _head(found)
    if found.deals:
        for title, tables in _groups(found):
            yield [title, *_table(tables)]
        yield _holders(found)
    if found.observed.boards_with_tricks:
        yield _tricks(found)
    if found.deals:
        yield _tests(found)


def _head(found: Statistics) -> list[str]:
    lines = [many(found.deals, "deal")]
    if found.given:
        lines.append(f"expected: {many(found.expected.deals, 'deal')} with {found.given}")
    return lines


def _groups(found: Statistics) -> Iterator[tuple[str, list[Table]]]:
    """Yield the tables that are side by side, with their titles."""
    from pavcodec.statistics.tables import SECTIONS

    for suit in _SUITS:
        yield suit.capitalize(), _in_section(found, "length", suit)
    for section in (*_OF_SEATS, *_OF_SIDES):
        yield SECTIONS[section], _in_section(found, section)


def _in_section(found: Statistics, section: str, ending: str = "") -> list[Table]:
    return [
        table for table in found.tables if table.section == section and table.of.endswith(ending)
    ]


def _table(tables: Sequence[Table]) -> Iterator[str]:
    """Yield tables side by side; expectations that are the same for all have one column."""
    is_same = len({table.ways for table in tables}) == 1
    heads, cells = [""], []
    for place, table in enumerate(tables):
        seat = table.of.partition(" ")[0] if table.section == "length" else table.of
        heads += [*(["expected"] if is_same and not place else []), seat]
        heads += ["sd"] if is_same else ["expected", "sd"]
    for row, value in enumerate(tables[0].values):
        if not any(table.expected[row] >= _LEAST or table.observed[row] for table in tables):
            continue
        line = [value]
        for place, table in enumerate(tables):
            amount, seen, distance = _cell(table, row)
            line += [*([amount] if is_same and not place else []), seen]
            line += [distance] if is_same else [amount, distance]
        cells.append(line)
    yield from table_lines(heads, cells)


def _cell(table: Table, row: int) -> tuple[str, str, str]:
    """Return the expectation of a value, its count, and the difference."""
    distance = table.deviations[row]
    shown = "" if distance is None else f"{float(distance):.1f}".replace("-0.0", "0.0")
    return _amount(table.expected[row]), f"{table.observed[row]:,}", shown


def _amount(value: Fraction) -> str:
    """Return an expected count: to a tenth, and small counts with two significant digits."""
    return f"{float(value):,.1f}" if value >= 10 or not value else digits(value, 2)


def _holders(found: Statistics) -> list[str]:
    """Return the holders of the honours."""
    heads, cells = [""], []
    for seat in Seat:
        heads += [seat.name.lower(), "expected", "sd"]
    for suit in range(4):
        for rank in range(_HONOURS):
            table = found["holder", str(Card(13 * suit + rank))]
            line = [table.of]
            for seat in Seat:
                amount, seen, distance = _cell(table, seat)
                line += [seen, amount, distance]
            cells.append(line)
    return [
        "Who holds the honours (of all cards: --json, --csv)",
        *table_lines(heads, cells, group=3),
    ]


def _tricks(found: Statistics) -> list[str]:
    """Return double-dummy tricks: boards by tricks, strain and declarer."""
    counts = found.observed.counts["tricks"]
    boards = many(found.observed.boards_with_tricks, "board")
    heads = ["", *(f"{strain.letters} {seat.letter}" for strain in Strain for seat in Seat)]
    rows = counts.reshape(len(Strain) * len(Seat), -1).T.tolist()
    cells = [[str(taken), *map(str, row)] for taken, row in enumerate(rows)]
    means = [_mean(column) for column in zip(*rows, strict=True)]
    title = f"Double-dummy tricks of {boards}: strain and declarer"
    return [title, *table_lines(heads, [*cells, ["mean", *means]])]


def _mean(column: Sequence[int]) -> str:
    tricks = sum(taken * boards for taken, boards in enumerate(column))
    return f"{tricks / sum(column):.2f}"


def _tests(found: Statistics) -> list[str]:
    """Return the tests with the least probable results."""
    some = found.tests[:_TESTS_SHOWN]
    cells = [
        [
            test.table.name,
            f"{float(test.result.statistic):.1f}",
            str(test.result.freedom),
            tail_of(test.result),
            probability_text(test.result.probability),
            probability_text(test.adjusted),
        ]
        for test in some
    ]
    heads = ["", "chi-square", "freedom", "tail", "p", "adjusted p"]
    title = f"Tests: the {len(some)} least probable of {len(found.tests)}"
    return [f"{title}; level {digits(found.level)}", *table_lines(heads, cells)]


def probability_text(value: object) -> str:
    """Return a probability with three significant digits.

    >>> from decimal import Decimal
    >>> probability_text(Fraction(1, 3)), probability_text(Decimal("3.5691e-215"))
    ('0.333', '3.57e-215')
    """
    exact = Fraction(value)  # type: ignore[call-overload]
    return digits(exact, 3)


def json_text(found: Statistics) -> str:
    """Return statistics for programs."""
    return json.dumps(found.to_dict())


def csv_lines(found: Statistics) -> Iterator[str]:
    """Yield statistics as CSV, a row for each value of each table."""
    write = _csv_line
    yield write(["section", "of", "value", "observed", "expected", "sd", "ways", "cardinality"])
    for table in found.tables:
        for row, value in enumerate(table.values):
            distance = table.deviations[row]
            yield write(
                [
                    table.section,
                    table.of,
                    value,
                    table.observed[row],
                    f"{float(table.expected[row]):.6f}",
                    "" if distance is None else f"{float(distance):.6f}",
                    table.ways[row],
                    table.cardinality,
                ]
            )
    yield from _trick_lines(found, write)


def _trick_lines(found: Statistics, write: Callable[[list[object]], str]) -> Iterator[str]:
    """Yield rows of double-dummy tricks, which have no expectation."""
    if found.observed.boards_with_tricks:
        for strain, planes in zip(Strain, found.observed.counts["tricks"].tolist(), strict=True):
            for seat, counts in zip(Seat, planes, strict=True):
                for taken, boards in enumerate(counts):
                    of = f"{seat.name.lower()} {strain.letters}"
                    yield write(["tricks", of, taken, boards, "", "", "", ""])


def _csv_line(cells: list[object]) -> str:
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerow(cells)
    return text.getvalue()
