"""Stats: counts of the boards of files beside the exact expectations of random deals."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import chain, compress
from typing import TYPE_CHECKING, Any, BinaryIO, ClassVar

from pavcodec.cards import Seat, Strain
from pavcodec.chances.figures import digits, many
from pavcodec.errors import PavError
from pavcodec.questions.asking import Answer, QuestionError, ask, note, working
from pavcodec.questions.deals import condition_of_node, condition_of_text, refuse_empty, space_of
from pavcodec.questions.duplicates import parts_of_files
from pavcodec.questions.inputs import Problems
from pavcodec.questions.tables import apart, table_lines
from pavcodec.questions.words import size
from pavcodec.questions.workers import Workers, add_up, is_spread, reading_of

if TYPE_CHECKING:
    from decimal import Decimal

    from pavcodec.constraints import ConstrainedDeals, Expression
    from pavcodec.statistics import Statistics, Table, Tally


@dataclass(frozen=True)
class Stats(Workers):
    """Compare the deals in files with exact expectations."""

    name: ClassVar[str] = "stats"
    is_function: ClassVar[bool] = False
    plots: ClassVar[str] = "all differences"
    rows_are: ClassVar[str] = "value"
    examples: ClassVar[str] = """\
  pavcodec stats event.pbn
  pavcodec stats strong.pav --given 'hcp(south) >= 20' --plot strong.svg
  pavcodec stats deals/ --workers 4"""
    details: ClassVar[str] = """\
stats counts suits, patterns, shapes, voids, points and controls of each hand; suits, points,
controls and the longest suit of North and South together; and the holder of each card. Beside each
count it prints the exact expectation for random deals, or with --given for random deals of the
condition. 'sd' is the difference in standard
deviations, where 5 or more are expected. stats leaves out values with no
occurrences and an expectation below 0.001.

A chi-square test compares each table with its expectations; values with an expectation below 5 are
pooled, and Holm's rule adjusts the probabilities for the number of tests. Counts may be too far
from their expectations, or too even. stats also looks for deals that repeat others up to an
exchange of suits or seats, among at most 1,048,576 deals. The verdict is negative, and the exit
code 1, if an adjusted probability is at most the level, or if a deal does not satisfy the
condition. Random deals fail with at most the probability of the level.

stats does not count layouts that are no complete deals, and prints their number. --tricks adds
double-dummy tricks, without expectations; records of solved deals (zrd, zdd) always show them.

For a folder, stats counts its parts by several processes, in their order, or its files of boards in
the order of their names. The counts add up, so the output is that of one process. If parts are not
there or are damaged, the output is of the others, a line names them, and the exit code is 1. With
--workers, several files are read in the same way."""

    given: str | None = ask(
        "the condition that all deals should satisfy (default: none)",
        default=None, group="expectations", metavar="EXPR", label="Given",
    )  # fmt: skip
    level: str | None = ask(
        "the level of the verdict (default: 0.01)",
        default=None, group="expectations", metavar="P", most=40,
    )  # fmt: skip
    tricks: bool = ask(
        "read boards one by one for double-dummy tricks", default=False, group="expectations"
    )
    memory: int | None = ask(
        "the memory limit for counting, as in 500M or 16G (default: 4G)",
        default=None, group="expectations", metavar="SIZE", read=size, local=True,
    )  # fmt: skip

    keys: ClassVar[dict[str, str]] = {
        "deals": "the number of complete deals",
        "departs": "whether they differ from random deals",
        "verdict": "the result of all tests together",
        "cardinality": "the number of deals of the condition, in decimal digits",
        "given": "the condition of the deals that were expected",
        "misfits": "the deals that do not satisfy it",
        "again": "the deals that repeat earlier ones",
        "incomplete": "the boards without a complete deal",
        "without_cards": "the boards without cards",
        "level": "the share of random sets of deals that fail",
        "tests": "the tests, the least probable first",
        "tables": "the counts of each value with their expectations, as fractions",
        "tricks": "boards by double-dummy tricks, strain and declarer",
    }

    def find(self) -> StatsAnswer:
        """Return the statistics of all files; raise `PavError` without deals."""
        from pavcodec.statistics.report import LEVEL, Statistics, level_of
        from pavcodec.statistics.tally import condition_to_test

        try:
            level = level_of(LEVEL if self.level is None else self.level)
        except PavError as error:
            raise QuestionError("{level}: {why}", "level", why=error) from None
        space = self._space()
        where = condition_to_test(space)
        problems = Problems(strict=self.strict)
        tally = self._tally(problems, where)
        if not (tally.deals or tally.boards_with_tricks):
            raise PavError("there are no complete deals to count")
        for count, what in (
            (tally.without_cards, "without cards"),
            (tally.incomplete, "without a complete deal"),
        ):
            if count:
                note(f"{many(count, 'board')} {what} skipped")
        with working("counting what is expected"):
            limit = {} if self.memory is None else {"memory": self.memory}
            found = Statistics.against(space, tally, level=level, **limit)
        return StatsAnswer(found, is_fault=problems.count > 0 or found.departs)

    def _space(self) -> ConstrainedDeals:
        """Return the deals to compare with; raise `QuestionError` if they cannot be counted."""
        from pavcodec.constraints import ConstrainedDeals

        node = None if self.given is None else condition_of_text(self.given)
        space = space_of(condition_of_node(node, self.memory))
        if not isinstance(space, ConstrainedDeals):
            reasons = getattr(space, "reasons", ("",))
            why = f"expectations are counted, and {reasons[0]}"
            raise QuestionError("{given}: {why}", "given", why=why)
        refuse_empty(space)
        return space

    def _tally(self, problems: Problems, where: Expression | None) -> Tally:
        """Return the tally of all files, by workers where they are asked for; tallies add up."""
        from pavcodec.statistics import Tally

        tally = Tally()
        if not is_spread(self, self.files):
            for _, part in parts_of_files(self, problems, tricks=self.tricks or None):
                tally.add_part(part, where=where)
            return tally
        from pavcodec.collection.derived import Tallying

        return add_up(self, Tallying(reading_of(self), where, self.tricks), tally, problems)


@dataclass
class StatsAnswer(Answer):
    """Statistics, which are a fault if they differ from random deals."""

    statistics: Statistics
    is_fault: bool = False
    is_drawn = True

    def to_dict(self) -> dict[str, Any]:
        """Return the statistics for JSON."""
        return self.statistics.to_dict()

    def lines(self) -> Iterator[str]:
        """Yield the verdict, then the tables and tests, with empty lines between."""
        return apart([[self.statistics.verdict], *_blocks(self.statistics)])

    def rows(self) -> Iterator[Sequence[object]]:
        """Yield a row for each value of each table."""
        yield "section", "of", "value", "observed", "expected", "sd", "ways", "cardinality"
        for table in self.statistics.tables:
            for value, seen, ways, wanted, distance in table.rows:
                expected = f"{float(wanted):.6f}"
                sd = "" if distance is None else f"{float(distance):.6f}"
                figures = value, seen, expected, sd, ways
                yield table.section, table.of, *figures, table.cardinality
        yield from _trick_rows(self.statistics)

    def draw(self, out: BinaryIO, kind: str) -> None:
        """Write a plot of all differences."""
        from pavcodec.statistics.report import draw_statistics

        draw_statistics(self.statistics, out, kind)


def _trick_rows(statistics: Statistics) -> Iterator[Sequence[object]]:
    """Yield rows of double-dummy tricks, which have no expectation."""
    if statistics.observed.boards_with_tricks:
        tricks = statistics.observed.counts["tricks"].tolist()
        for strain in Strain:
            for seat in Seat:
                for taken, boards in enumerate(tricks[strain][seat]):
                    of = f"{seat.name.lower()} {strain.letters}"
                    yield "tricks", of, taken, boards, "", "", "", ""


# Statistics as text.


_LEAST = Fraction(1, 1000)
"""Values that did not occur and have a smaller expectation have no line."""
_SUITS = ("spades", "hearts", "diamonds", "clubs")
_OF_SEATS = ("pattern", "voids", "hcp", "controls")
_OF_SIDES = ("fit", "longest", "side-hcp", "side-controls")


def _blocks(statistics: Statistics) -> Iterator[Iterator[str] | list[str]]:
    """Yield the parts of the text, between which there are empty lines."""
    expected = many(statistics.expected.deals, "deal")
    given = [f"expected: {expected} with {statistics.given}"] if statistics.given else []
    yield [many(statistics.deals, "deal"), *given]
    if statistics.deals:
        for title, tables in _groups(statistics):
            yield [title, *_table(tables)]
        yield _holders(statistics)
    if statistics.observed.boards_with_tricks:
        yield _tricks(statistics)
    if statistics.deals:
        yield _tests(statistics)


def _groups(statistics: Statistics) -> Iterator[tuple[str, list[Table]]]:
    """Yield the tables that are side by side, with their titles."""
    from pavcodec.statistics.report import SECTIONS

    for suit in _SUITS:
        yield suit.capitalize(), statistics.section("length", suit)
    for section in (*_OF_SEATS, *_OF_SIDES):
        yield SECTIONS[section], statistics.section(section)


def _table(tables: Sequence[Table]) -> Iterator[str]:
    """Yield tables side by side; expectations that are the same for all have one column."""
    is_same = len({table.ways for table in tables}) == 1
    columns: list[tuple[str, Sequence[str]]] = [("", tables[0].values)]
    for table in tables:
        of = table.of.partition(" ")[0] if table.section == "length" else table.of
        seen, amounts, distances = zip(*_texts(table), strict=True)
        expected = [] if is_same and len(columns) > 1 else [("expected", amounts)]
        figures = [(of, seen), ("sd", distances)]
        columns += [*expected, *figures] if is_same else [figures[0], *expected, figures[1]]
    is_shown = [
        any(table.expected[row] >= _LEAST or table.observed[row] for table in tables)
        for row in range(len(tables[0].values))
    ]
    heads, cells = zip(*columns, strict=True)
    yield from table_lines(heads, compress(zip(*cells, strict=True), is_shown))


def _texts(table: Table) -> Iterator[tuple[str, str, str]]:
    """Yield the count of each value, its expectation, and the difference if it tells anything."""
    from pavcodec.statistics.chi_square import FEWEST  # it loads numpy

    for _, seen, _, expected, distance in table.rows:
        amount = digits(expected, 2) if 0 < expected < 10 else f"{float(expected):,.1f}"
        shown = ""
        if distance is not None and expected >= FEWEST:
            shown = f"{float(distance):.1f}".replace("-0.0", "0.0")
        yield f"{seen:,}", amount, shown


def _holders(statistics: Statistics) -> list[str]:
    """Return the holders of the honours."""
    heads = ["", *chain(*((seat.name.lower(), "expected", "sd") for seat in Seat))]
    cells = [
        [table.of, *chain(*_texts(table))]
        for table in statistics.section("holder")
        if table.of[1] in "AKQJ"
    ]
    return [
        "Who holds the honours (of all cards: --json, --csv)",
        *table_lines(heads, cells, group=3),
    ]


def _tricks(statistics: Statistics) -> list[str]:
    """Return double-dummy tricks: boards by tricks, strain and declarer."""
    counts = statistics.observed.counts["tricks"]
    boards = many(statistics.observed.boards_with_tricks, "board")
    heads = ["", *(f"{strain.letters} {seat.letter}" for strain in Strain for seat in Seat)]
    rows = counts.reshape(len(Strain) * len(Seat), -1).T.tolist()
    cells = [[str(taken), *map(str, row)] for taken, row in enumerate(rows)]
    means = [_mean(column) for column in zip(*rows, strict=True)]
    title = f"Double-dummy tricks of {boards}: strain and declarer"
    return [title, *table_lines(heads, [*cells, ["mean", *means]])]


def _mean(column: Sequence[int]) -> str:
    tricks = sum(taken * boards for taken, boards in enumerate(column))
    return f"{tricks / sum(column):.2f}"


def _tests(statistics: Statistics) -> list[str]:
    """Return the tests with the least probable results."""
    from pavcodec.statistics.report import TESTS_SHOWN, Test

    cells = [test.texts(probability_text) for test in statistics.tests[:TESTS_SHOWN]]
    title = f"Tests: the {len(cells)} least probable of {len(statistics.tests)}"
    heads = ["", *Test.heads]
    return [f"{title}; level {digits(statistics.level)}", *table_lines(heads, cells)]


def probability_text(value: Fraction | Decimal) -> str:
    """Return a probability with three significant digits.

    >>> from decimal import Decimal
    >>> probability_text(Fraction(1, 3)), probability_text(Decimal("3.5691e-215"))
    ('0.333', '3.57e-215')
    """
    return digits(Fraction(value), 3)
