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

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import permutations
from typing import TYPE_CHECKING, Any, BinaryIO

import numpy as np

from pavcodec.arrays import Threads
from pavcodec.boards.board import Problem, Ranks
from pavcodec.cards import (
    HAND_SIZE,
    RANK_LETTERS,
    SEAT_LETTERS,
    SUIT_SIZE,
    SUIT_SYMBOLS,
    Card,
    Seat,
    Suit,
)
from pavcodec.chances.distributions import figure_in
from pavcodec.chances.figures import many
from pavcodec.chances.questions import ConditionLike
from pavcodec.constraints.spaces.constrained import ConstrainedDeals
from pavcodec.constraints.spaces.estimates import root
from pavcodec.errors import PavError, check_text, shown
from pavcodec.formats.arrays import Collection, rows_of
from pavcodec.layout.drawings import notebook_table
from pavcodec.limits import MEMORY
from pavcodec.shapes import SHAPES, Shape, hands_of_shape
from pavcodec.statistics.chi_square import FEWEST, ChiSquare, chi_square
from pavcodec.statistics.repeats import Again, deals_again
from pavcodec.statistics.tally import COUNTS, Tally, condition_to_test, expected_tally, space_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from numpy.typing import NDArray


# The statistics of a deal: each has a table of the deals with each of its values.


SECTIONS = {
    "length": "Length of a suit",
    "pattern": "Pattern",
    "shape": "Shape, spades first",
    "voids": "Voids",
    "hcp": "High-card points",
    "controls": "Controls (ace 2, king 1)",
    "fit": "Cards of a suit in both hands of North and South",
    "longest": "Longest suit of a side",
    "side-hcp": "High-card points of North and South",
    "side-controls": "Controls of North and South",
    "holder": "Who holds a card",
}
"""The statistic of each section. The values of East and West follow from North and South."""


def _hands(pattern: Shape) -> int:
    """Return the number of hands with a pattern."""
    return len(set(permutations(pattern))) * hands_of_shape(pattern)


PATTERNS = tuple(
    sorted(
        (shape for shape in SHAPES if [*shape] == sorted(shape, reverse=True)),
        key=lambda pattern: (-_hands(pattern), pattern),
    )
)
"""The 39 patterns, the most frequent first."""

_LENGTHS = np.array(SHAPES).T
"""The lengths of the four suits for each shape."""
_PLACES: dict[tuple[int, ...], int] = {each: place for place, each in enumerate(PATTERNS)}
_PATTERN_OF = np.array([_PLACES[max(permutations(shape))] for shape in SHAPES])
_LEAST_LONGEST = 7
"""The least length of the longest suit of a side, which has 26 cards."""


def _counted(tally: Tally) -> Iterator[tuple[str, str, list[str], NDArray[Any]]]:
    """Yield (section, subject, values, deals with each value) for each table."""
    counts, lengths = tally.counts, _texts(SUIT_SIZE + 1)
    of_seats = list(zip(map(_name, Seat), counts["shapes"], strict=True))
    for suit in Suit:
        for seat, shapes in of_seats:
            yield "length", f"{seat} {_name(suit)}", lengths, _sums(shapes, _LENGTHS[suit])
    patterns, voids = _joined(PATTERNS, "-"), (_LENGTHS == 0).sum(axis=0)
    for seat, shapes in of_seats:
        yield "pattern", seat, patterns, _sums(shapes, _PATTERN_OF)
    for seat, shapes in of_seats:
        yield "shape", seat, _joined(SHAPES, "="), shapes
    for seat, shapes in of_seats:
        yield "voids", seat, _texts(len(Suit)), _sums(shapes, voids)
    for section in ("hcp", "controls"):
        for (seat, _), deals in zip(of_seats, counts[section], strict=True):
            yield section, seat, _texts(COUNTS[section][1]), deals
    # cells of impossible lengths have no deals, so any value does for them
    sides, of_suits = counts["side_lengths"].ravel(), np.indices(COUNTS["side_lengths"])
    clubs = (2 * HAND_SIZE - of_suits.sum(axis=0)).clip(0, SUIT_SIZE)
    together = np.array([*of_suits, clubs]).reshape(len(Suit), -1)
    for suit in Suit:
        yield "fit", _name(suit), lengths, _sums(sides, together[suit])
    of_north, of_east = together.max(axis=0), SUIT_SIZE - together.min(axis=0)
    for of, longest in (("north-south", of_north), ("east-west", of_east)):
        yield "longest", of, lengths[_LEAST_LONGEST:], _sums(sides, longest)[_LEAST_LONGEST:]
    for section, name in (("side-hcp", "side_hcp"), ("side-controls", "side_controls")):
        yield section, "north-south", _texts(*COUNTS[name]), counts[name]
    for card, held in enumerate(counts["holders"]):
        yield "holder", str(Card(card)), list(SEAT_LETTERS), held


def _sums(deals: NDArray[Any], value_of: NDArray[np.int64]) -> NDArray[Any]:
    """Return the number of deals with each value, from those of cells that have a value each."""
    totals = np.zeros(value_of.max() + 1, deals.dtype)
    np.add.at(totals, value_of, deals)
    return totals


def _texts(count: int) -> list[str]:
    return list(map(str, range(count)))


def _joined(rows: Iterable[tuple[int, ...]], between: str) -> list[str]:
    return [between.join(map(str, row)) for row in rows]


def _name(of: Seat | Suit) -> str:
    return of.name.lower()


@dataclass(frozen=True)
class Table:
    """One statistic of a collection: the number of deals with each of its values.

    `section` is its kind, a key of `SECTIONS`; `of` is its subject, such as "west" or "west
    hearts". `ways` are the numbers of deals with each value, of all `cardinality` deals of the
    condition.

    >>> from pavcodec import numbering
    >>> from pavcodec.statistics import stats
    >>> found = stats(numbering("deal").sample_many(1000, seed=7))
    >>> table = found["length", "north spades"]
    >>> table.values[:3], table.observed[:3], [round(float(e), 1) for e in table.expected[:3]]
    (('0', '1', '2'), (14, 87, 200), [12.8, 80.1, 205.9])
    >>> table.test.freedom, round(table.test.probability, 3)
    (7, Decimal('0.089'))
    """

    section: str
    of: str
    values: tuple[str, ...]
    observed: tuple[int, ...]
    ways: tuple[int, ...]
    deals: int
    cardinality: int

    @property
    def name(self) -> str:
        """The section and the subject."""
        return f"{self.section} {self.of}"

    @cached_property
    def expected(self) -> tuple[Fraction, ...]:
        """The exact expectation of each count."""
        return tuple(Fraction(self.deals * ways, self.cardinality) for ways in self.ways)

    @cached_property
    def deviations(self) -> tuple[Fraction | None, ...]:
        """The distance of each count from its expectation, in standard deviations (15 decimals).

        None for a value that is certain or impossible, since its count cannot vary.
        """
        return tuple(map(self._deviation, self.observed, self.expected, self.ways))

    def _deviation(self, seen: int, wanted: Fraction, ways: int) -> Fraction | None:
        variance = wanted * (1 - Fraction(ways, self.cardinality))
        return (seen - wanted) / root(variance) if variance else None

    @property
    def rows(self) -> Iterator[tuple[str, int, int, Fraction, Fraction | None]]:
        """Each value with its count, its ways, the expectation and the deviation."""
        columns = self.values, self.observed, self.ways, self.expected, self.deviations
        return zip(*columns, strict=True)

    @cached_property
    def test(self) -> ChiSquare | None:
        """The chi-square test of these counts; None if only one value is possible."""
        return chi_square(self.observed, self.expected) if self.deals else None

    def to_dict(self) -> dict[str, object]:
        """Return the table for JSON; expectations are fractions as text."""
        return {
            "section": self.section,
            "of": self.of,
            "values": [
                {
                    "value": value,
                    "observed": seen,
                    "expected": str(wanted),
                    "sd": None if distance is None else float(distance),
                }
                for value, seen, _, wanted, distance in self.rows
            ],
        }


def tables_of(observed: Tally, expected: Tally) -> list[Table]:
    """Return all tables of a collection with their exact expectations.

    >>> from pavcodec.statistics import expected_tally
    >>> tables = tables_of(Tally(), expected_tally())
    >>> len(tables), tables[0].name, tables[-1].name, sum(tables[16].ways) == tables[16].cardinality
    (96, 'length north spades', 'holder C2', True)
    """
    pairs = zip(_counted(observed), _counted(expected), strict=True)
    sizes = observed.deals, expected.deals
    return [
        Table(section, of, tuple(values), tuple(seen.tolist()), tuple(ways.tolist()), *sizes)
        for (section, of, values, seen), (*_, ways) in pairs
    ]


# The tests of all tables, and the verdict.


TESTS_SHOWN = 8
"""The least probable tests that texts list."""


@dataclass(frozen=True)
class Test:
    """The test of a table, and its probability adjusted for all tests of the report."""

    __test__ = False  # not a test of pytest

    table: Table
    result: ChiSquare
    adjusted: Fraction

    heads = ("chi-square", "freedom", "tail", "p", "adjusted p")

    def texts(self, probability_text: Callable[[Fraction], str]) -> list[str]:
        """Return the name of the table, and what the heads name."""
        return [
            self.table.name,
            f"{float(self.result.statistic):.1f}",
            str(self.result.freedom),
            self.result.tail,
            probability_text(Fraction(self.result.probability)),
            probability_text(self.adjusted),
        ]

    def to_dict(self) -> dict[str, object]:
        """Return the test for JSON."""
        return {
            "section": self.table.section,
            "of": self.table.of,
            "chi_square": float(self.result.statistic),
            "freedom": self.result.freedom,
            "pooled": self.result.pooled,
            "tail": self.result.tail,
            "p": f"{self.result.probability:.6e}",
            "adjusted_p": float(self.adjusted),
        }


LEVEL = Fraction(1, 100)


def level_of(level: Fraction | str | int) -> Fraction:
    """Return a significance level; raise `PavError` unless it is between 0 and 1.

    >>> level_of("0.001")
    Fraction(1, 1000)
    """
    try:
        share = Fraction(level)
    except (ValueError, ZeroDivisionError, OverflowError):
        raise PavError(f"a level is a number such as 0.01 or 1/100, not {shown(level)}") from None
    except TypeError:
        raise TypeError(f"a level is a number or a text, not {type(level).__name__!r}") from None
    if not 0 < share < 1:
        raise PavError(f"a level is between 0 and 1, not {shown(level)}")
    return share


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
        self, observed: Tally, expected: Tally, *, given: str = "", level: Fraction | str = LEVEL
    ) -> None:
        """Compare a tally with that of all deals of the condition `given`, a text."""
        self.observed = observed
        self.expected = expected
        self.given = given
        self.level = level_of(level)

    @classmethod
    def against(
        cls,
        space: ConstrainedDeals,
        observed: Tally,
        *,
        level: Fraction | str = LEVEL,
        memory: int | str = MEMORY,
    ) -> Statistics:
        """Compare a tally with that of all deals of a space."""
        expected = expected_tally(space, memory=memory)
        given = "" if condition_to_test(space) is None else str(space.where)
        return cls(observed, expected, given=given, level=level)

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

    def section(self, name: str, of: str = "") -> list[Table]:
        """Return the tables of a section; with `of`, those whose subject has this word."""
        check_text("the name of a section", name)
        check_text("a subject", of)
        of_section = [table for table in self.tables if table.section == name]
        return [table for table in of_section if not of or of in table.of.split()]

    @cached_property
    def tests(self) -> list[Test]:
        """All tests, the smallest probability first."""
        pairs = [(table.test, table) for table in self.tables if table.test is not None]
        pairs.sort(key=lambda pair: pair[0].probability)
        return list(_adjusted(pairs))

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
            "again": None if self.again is None else self.again.to_dict(),
            "tests": [test.to_dict() for test in self.tests],
            "tables": [table.to_dict() for table in self.tables],
            "tricks": self.observed.tricks_row(),
        }

    def _repr_html_(self) -> str:
        """Return the verdict and the least probable tests in HTML; notebooks call this."""
        some = self.tests[:TESTS_SHOWN]
        rows = [test.texts(lambda chance: f"{float(chance):.3g}") for test in some]
        notes = [self.verdict, f"the {len(some)} least probable of {len(self.tests)} tests"]
        title = f"statistics of {self.deals:,} deals"
        return notebook_table(title, ["test", *Test.heads], rows, notes=notes)

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


def _adjusted(pairs: list[tuple[ChiSquare, Table]]) -> Iterator[Test]:
    """Yield tests, the smallest probability first, with probabilities adjusted by Holm's rule."""
    least = Fraction(0)
    for rank, (result, table) in enumerate(pairs):
        least = max(least, Fraction(result.probability) * (len(pairs) + 1 - rank))
        yield Test(table, result, min(least, Fraction(1)))


def stats(  # noqa: PLR0913 (keywords)
    collection: Collection,
    *,
    given: ConditionLike = 1,
    level: Fraction | str = LEVEL,
    tricks: bool = False,
    format: str | None = None,
    numbering: str | Ranks = "deal",
    strict: bool = False,
    report: Callable[[Problem], None] | None = None,
    threads: Threads = None,
    memory: int | str = MEMORY,
) -> Statistics:
    """Return the statistics of a collection, with the exact expectations for random deals.

    `collection` is the path of a file of any format, a stream of bytes, an archive, an array
    `uint8[n, 52]`, or an iterable of arrays, layouts and boards. It is read once, in constant
    memory. `given` is the condition for the random sample to compare with: a text, an expression or
    a result of `deals`. `level` is the significance level of the verdict. With `tricks`, formats
    with more than cards are read board by board for their double-dummy tricks. The other arguments
    are those of `read`. Raise `PavError` if the condition cannot be counted, and the errors of
    `read`.

    >>> from pavcodec import deals
    >>> space = deals("hcp(north) >= 20")
    >>> found = stats(space.sample_many(5000, seed=7), given=space)
    >>> found.deals, found.departs, found["hcp", "north"].observed[19:23]
    (5000, False, (0, 2195, 1298, 775))
    """
    level = level_of(level)
    space = space_of(given, memory)
    where = condition_to_test(space)
    tally = Tally()
    for part in rows_of(
        collection,
        tricks=tricks or None,
        format=format,
        numbering=numbering,
        strict=strict,
        report=report,
    ):
        tally.add_part(part, where=where, threads=threads)
    return Statistics.against(space, tally, level=level, memory=memory)


# Plots of statistics: small panels of observed minus expected, in standard deviations.


_OF_SEATS = (
    ("length", "Length of suits", "cards"),
    ("pattern", "Patterns", "pattern"),
    ("hcp", "High-card points", "points"),
    ("controls", "Controls", "controls"),
)
"""The sections of the panels of a seat, with their titles and units."""
_OF_SIDES = (
    ("fit", "Suits of both", "cards"),
    ("longest", "Longest suit of a side", "cards"),
    ("side-hcp", "Points of both", "points"),
    ("side-controls", "Controls of both", "controls"),
)
_LABELS = {
    **dict(zip(map(_name, Suit), SUIT_SYMBOLS, strict=True)),
    "north-south": "N–S",
    "east-west": "E–W",
}
_COLOURS = ("#1b1b1b", "#0072B2", "#D55E00", "#E69F00")
"""Colours that people with any colour vision tell apart, and that are four greys on paper."""
_MARKERS = ("o", "^", "s", "D")
_EDGE = "#1b1b1b"
_GREY = "#8a9bb0"
_LEAST_RANGE = 4.0

Marks = list[tuple[int, float]]
"""The dots of a row: places, and distances in standard deviations."""


def draw_statistics(statistics: Statistics, out: BinaryIO, kind: str, *, title: str = "") -> None:
    """Write a plot of statistics: the distance of each count from its expectation.

    `kind` is png, svg or pdf. Each dot is a value, at its distance in standard deviations; 95 of
    100 dots are expected in the grey band from -2 to 2. Values with an expectation below 5 are
    omitted, since their distances are not informative. Raise `PavError` if matplotlib is not
    installed.
    """
    given = f" with {statistics.given}" if statistics.given else ""
    whole = f"{many(statistics.deals, 'deal')}{given}: observed minus expected"
    with figure_in(out, kind, title or whole, (11, 8), figsize=(11, 13)) as figure:
        figure.subplots_adjust(0.085, 0.03, 0.985, 0.94, wspace=0.08, hspace=0.55)
        panels = figure.subplots(6, 4, sharey=True)
        rows = [(seat.name.title(), _OF_SEATS, _name(seat)) for seat in Seat]
        for (name, sections, of), row in zip(
            [*rows, ("N–S", _OF_SIDES, "")], panels[:5], strict=True
        ):
            row[0].set_ylabel(name)
            for axes, (section, *words) in zip(row, sections, strict=True):
                _draw_tables(axes, statistics.section(section, of), *words)
        panels[5, 0].set_ylabel("Cards")
        for axes, suit in zip(panels[5], Suit, strict=True):
            _draw_holders(axes, statistics, suit)
        plotted = (table for table in statistics.tables if table.section not in ("shape", "voids"))
        most = max([_LEAST_RANGE, *(abs(y) for table in plotted for _, y in _marks(table))])
        panels[0, 0].set_ylim(-1.1 * most, 1.1 * most)
        for axes in (panels[0, 0], panels[4, 1], panels[5, 0]):
            axes.legend(fontsize=6, ncols=4, loc="upper left", handletextpad=0, columnspacing=0.6)
        figure.supylabel("standard deviations", x=0.01)


def _draw_tables(axes: Axes, tables: Sequence[Table], title: str, unit: str) -> None:
    """Draw a panel with a row of dots for each table."""
    _dots(axes, {_LABELS.get(table.of.split()[-1], ""): _marks(table) for table in tables})
    axes.set_title(title)
    axes.set_xlabel(unit, labelpad=1)
    if unit == "pattern":
        names = tables[0].values
        axes.xaxis.set_major_formatter(lambda x, _: names[int(x)] if 0 <= x < len(names) else "")
        axes.tick_params(axis="x", labelsize=6)


def _draw_holders(axes: Axes, statistics: Statistics, suit: Suit) -> None:
    """Draw the panel of a suit: for each seat a row of its cards, from the ace down."""
    marks: dict[str, Marks] = {letter: [] for letter in SEAT_LETTERS}
    for rank in range(SUIT_SIZE):
        table = statistics["holder", str(Card(suit * SUIT_SIZE + rank))]
        for seat, distance in _marks(table):
            marks[SEAT_LETTERS[seat]].append((rank, distance))
    _dots(axes, marks)
    axes.set_xticks(range(SUIT_SIZE), list(RANK_LETTERS))
    axes.set_title(f"Who holds {SUIT_SYMBOLS[suit]}")
    axes.set_xlabel("card", labelpad=1)


def _marks(table: Table) -> Marks:
    """Return the distances of all values with a sufficient expectation, at the value or place."""
    return [
        (int(value) if value.isdigit() else place, float(distance))
        for place, (value, _, _, wanted, distance) in enumerate(table.rows)
        if distance is not None and wanted >= FEWEST
    ]


def _dots(axes: Axes, marks: Mapping[str, Marks]) -> None:
    """Draw rows of dots, each in its colour, with their labels for the legend."""
    for row, (label, dots) in enumerate(marks.items()):
        axes.plot(
            [x for x, _ in dots],
            [distance for _, distance in dots],
            _MARKERS[row],
            ms=3,
            color=_COLOURS[row],
            markeredgecolor=_EDGE,
            markeredgewidth=0.3,
            label=label,
        )
    if not any(marks.values()):
        axes.text(0.5, 0.6, "nothing varies", transform=axes.transAxes, ha="center", color=_GREY)
        axes.set_xticks([])
    else:
        axes.locator_params(axis="x", integer=True, nbins=7)
    axes.axhspan(-2, 2, color=_GREY, alpha=0.15, linewidth=0)
    axes.axhline(0, color=_GREY, linewidth=0.6)
    axes.spines[["top", "right"]].set_visible(False)
    axes.margins(x=0.04)
