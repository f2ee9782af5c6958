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

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import comb, factorial, prod
from operator import itemgetter
from typing import TYPE_CHECKING, BinaryIO, TypeVar

from pavcodec.cards import DECK_SIZE, SUIT_SIZE, Card, Seat, Strain, Suit
from pavcodec.chances.distributions import metadata_of, title_lines
from pavcodec.constraints.spaces.share import root
from pavcodec.errors import MissingExtraError, PavError, shown
from pavcodec.layout.drawings import notebook_table
from pavcodec.shapes import SHAPES
from pavcodec.statistics.chi_square import FEWEST, ChiSquare, chi_square
from pavcodec.statistics.repeats import Again, deals_again
from pavcodec.statistics.tally import Tally

if TYPE_CHECKING:
    from matplotlib.axes import Axes


# Tables: the observed and expected number of deals for each value of a statistic.


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

Key = TypeVar("Key", bound=Hashable)
Lengths = tuple[int, int, int, int]
_SUIT_NAMES = ("spades", "hearts", "diamonds", "clubs")


def _pattern(shape: Sequence[int]) -> tuple[int, ...]:
    return tuple(sorted(shape, reverse=True))


def _hands(pattern: tuple[int, ...]) -> int:
    """Return the number of hands with a pattern."""
    orders = factorial(len(Suit)) // prod(map(factorial, Counter(pattern).values()))
    return orders * prod(comb(SUIT_SIZE, length) for length in pattern)


PATTERNS = tuple(
    sorted(set(map(_pattern, SHAPES)), key=lambda pattern: (-_hands(pattern), pattern))
)
"""The 39 patterns, the most frequent first."""


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

    @cached_property
    def test(self) -> ChiSquare | None:
        """The chi-square test of these counts; None if only one value is possible."""
        return chi_square(self.observed, self.expected) if self.deals else None


def tables_of(observed: Tally, expected: Tally) -> list[Table]:
    """Return all tables of a collection with their exact expectations.

    >>> from pavcodec.statistics import expected_tally
    >>> tables = tables_of(Tally(), expected_tally())
    >>> len(tables), tables[0].name, tables[-1].name, sum(tables[16].ways) == tables[16].cardinality
    (96, 'length north spades', 'holder C2', True)
    """
    pairs = zip(_counted(observed), _counted(expected), strict=True)
    return [
        Table(
            section,
            of,
            tuple(map(str, seen)),
            tuple(map(int, seen.values())),
            tuple(map(int, ways.values())),
            observed.deals,
            expected.deals,
        )
        for (section, of, seen), (_, _, ways) in pairs
    ]


def _counted(tally: Tally) -> Iterator[tuple[str, str, Mapping[str, int]]]:
    """Yield (section, subject, deals by value) for each table."""
    counts = tally.counts
    by_shape = [dict(zip(SHAPES, row.tolist(), strict=True)) for row in counts["shapes"]]
    for suit in Suit:
        for seat in Seat:
            lengths = _by(by_shape[seat], range(14), itemgetter(suit))
            yield "length", f"{_name(seat)} {_SUIT_NAMES[suit]}", _text(lengths)
    for seat in Seat:
        yield "pattern", _name(seat), _text(_by(by_shape[seat], PATTERNS, _pattern), "-")
    for seat in Seat:
        yield "shape", _name(seat), _text(by_shape[seat], "=")
    for seat in Seat:
        yield "voids", _name(seat), _text(_by(by_shape[seat], range(4), lambda s: s.count(0)))
    for section in ("hcp", "controls"):
        for seat in Seat:
            yield section, _name(seat), _numbered(counts[section][seat].tolist())
    yield from _of_sides(tally)
    for card in range(DECK_SIZE):
        held = counts["holders"][card].tolist()
        yield "holder", str(Card(card)), dict(zip("NESW", held, strict=True))


def _of_sides(tally: Tally) -> Iterator[tuple[str, str, Mapping[str, int]]]:
    counts = tally.counts
    lengths = {
        (s, h, d, 26 - s - h - d): ways
        for s, plane in enumerate(counts["side_lengths"].tolist())
        for h, row in enumerate(plane)
        for d, ways in enumerate(row)
        if 13 <= s + h + d <= 26
    }
    for suit in Suit:
        cards_together = _by(lengths, range(14), itemgetter(suit))
        yield "fit", _SUIT_NAMES[suit], _text(cards_together)
    longest = range(7, 14)
    yield "longest", "north-south", _text(_by(lengths, longest, max))
    yield "longest", "east-west", _text(_by(lengths, longest, lambda row: 13 - min(row)))
    yield "side-hcp", "north-south", _numbered(counts["side_hcp"].tolist())
    yield "side-controls", "north-south", _numbered(counts["side_controls"].tolist())


def _by(
    counts: Mapping[Lengths, int], values: Iterable[Key], value_of: Callable[[Lengths], Key]
) -> dict[Key, int]:
    """Return counts by `value_of` of the counted keys."""
    totals = dict.fromkeys(values, 0)
    for each, count in counts.items():
        totals[value_of(each)] += count
    return totals


def _text(counts: Mapping[Key, int], between: str = "") -> dict[str, int]:
    """Return counts with values as text."""
    return {
        between.join(map(str, value)) if isinstance(value, tuple) else str(value): count
        for value, count in counts.items()
    }


def _numbered(counts: Iterable[int]) -> dict[str, int]:
    return {str(value): count for value, count in enumerate(counts)}


def _name(seat: Seat) -> str:
    return seat.name.lower()


# Statistics as rows of JSON.


_TESTS_SHOWN = 8


@dataclass(frozen=True)
class Test:
    """The test of a table, and its probability adjusted for all tests of the report."""

    __test__ = False  # not a test of pytest

    table: Table
    result: ChiSquare
    adjusted: Fraction


def tail_of(result: ChiSquare) -> str:
    """Return the tail of chi-square that a statistic is in: of even counts, or of uneven ones."""
    return "lower" if result.is_low else "upper"


def again_row(again: Again | None) -> dict[str, object] | None:
    """Return for JSON how many deals occur again; `p` is at most the probability of as many."""
    if again is None:
        return None
    p = f"{float(again.probability):.6e}"
    return {"deals": again.deals, "up_to": again.up_to, "p": p}


def test_row(test: Test) -> dict[str, object]:
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


def tests_html(title: str, verdict: str, tests: Sequence[Test]) -> str:
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


def _adjusted(pairs: list[tuple[ChiSquare, Table]]) -> Iterator[Test]:
    """Yield tests, the smallest probability first, with probabilities adjusted by Holm's rule."""
    least = Fraction(0)
    for rank, (result, table) in enumerate(pairs):
        least = max(least, Fraction(result.probability) * (len(pairs) + 1 - rank))
        yield Test(table, result, min(least, Fraction(1)))


# Plots of statistics: small panels of observed minus expected, in standard deviations.


_SUITS = {"spades": "♠", "hearts": "♥", "diamonds": "♦", "clubs": "♣"}
_COLOURS = ("#1b1b1b", "#0072B2", "#D55E00", "#E69F00")
"""Colours that people with any colour vision tell apart, and that are four greys on paper."""
_MARKERS = ("o", "^", "s", "D")
_EDGE = "#1b1b1b"
_GREY = "#8a9bb0"
_UNITS = ("cards", "pattern", "points", "controls")
_UNITS_OF_SIDES = ("cards", "cards", "points", "controls")
_TITLES = ("Length of suits", "Patterns", "High-card points", "Controls")
_OF_SIDES = ("Suits of both", "Longest suit of a side", "Points of both", "Controls of both")
_LEAST_RANGE = 4.0
_RANKS = 13

Marks = tuple[list[int], list[float]]


def draw_statistics(statistics: Statistics, out: BinaryIO, kind: str, *, title: str = "") -> None:
    """Write a plot of statistics: the distance of each count from its expectation.

    `kind` is png, svg or pdf. Each dot is a value, at its distance in standard deviations; 95 of
    100 dots are expected in the grey band from -2 to 2. Values with an expectation below 5 are
    omitted, since their distances are not informative. Raise `PavError` if matplotlib is not
    installed.
    """
    try:
        from matplotlib import rc_context
        from matplotlib.figure import Figure
    except ImportError:
        raise MissingExtraError("plots") from None
    with rc_context({"svg.hashsalt": "pavcodec", "svg.fonttype": "none", "font.size": 8}):
        figure = Figure(figsize=(11, 13))
        figure.subplots_adjust(0.085, 0.03, 0.985, 0.94, wspace=0.08, hspace=0.55)
        panels = figure.subplots(6, 4, sharey=True)
        for seat, row in zip(Seat, panels, strict=False):
            _draw_seat(statistics, seat.name.lower(), row)
        _draw_sides(statistics, panels[4])
        for axes, (suit, sign) in zip(panels[5], _SUITS.items(), strict=True):
            _draw_holders(statistics, axes, suit, sign)
        most = max(_LEAST_RANGE, *(abs(each) for each in _all_deviations(statistics)))
        panels[0, 0].set_ylim(-1.1 * most, 1.1 * most)
        for axes in (panels[0, 0], panels[4, 1], panels[5, 0]):
            axes.legend(fontsize=6, ncols=4, loc="upper left", handletextpad=0, columnspacing=0.6)
        for axes in panels.flat:
            _finish(axes)
        given = f" with {statistics.given}" if statistics.given else ""
        whole = f"{statistics.deals:,} deals{given}: observed minus expected"
        figure.suptitle(title_lines(title or whole), fontsize=11)
        figure.supylabel("standard deviations", x=0.01)
        figure.savefig(out, format=kind, dpi=150, metadata=metadata_of(kind))


def _draw_seat(statistics: Statistics, seat: str, row: Sequence[Axes]) -> None:
    """Draw the four panels of a seat."""
    lengths = [_marks(statistics["length", f"{seat} {suit}"]) for suit in _SUITS]
    _dots(row[0], lengths, list(_SUITS.values()))
    for axes, section in zip(row[1:], ("pattern", "hcp", "controls"), strict=True):
        _dots(axes, [_marks(statistics[section, seat])])
    for axes, heading, unit in zip(row, _TITLES, _UNITS, strict=True):
        axes.set_title(heading)
        axes.set_xlabel(unit, labelpad=1)
    names = statistics["pattern", seat].values
    row[1].xaxis.set_major_formatter(lambda x, _: names[int(x)] if 0 <= x < len(names) else "")
    row[1].tick_params(axis="x", labelsize=6)
    row[0].set_ylabel(seat.capitalize())


def _draw_sides(statistics: Statistics, row: Sequence[Axes]) -> None:
    """Draw the panels of North and South together."""
    _dots(row[0], [_marks(statistics["fit", suit]) for suit in _SUITS])
    longest = [
        _marks(statistics["longest", side], first=7) for side in ("north-south", "east-west")
    ]
    _dots(row[1], longest, ["N–S", "E–W"])
    _dots(row[2], [_marks(statistics["side-hcp", "north-south"])])
    _dots(row[3], [_marks(statistics["side-controls", "north-south"])])
    for axes, heading, unit in zip(row, _OF_SIDES, _UNITS_OF_SIDES, strict=True):
        axes.set_title(heading)
        axes.set_xlabel(unit, labelpad=1)
    row[0].set_ylabel("N–S")


def _draw_holders(statistics: Statistics, axes: Axes, suit: str, sign: str) -> None:
    """Draw the holders of the cards of a suit, from the ace down: a dot for each seat."""
    first = list(_SUITS).index(suit) * _RANKS
    cards = [str(Card(first + rank)) for rank in range(_RANKS)]
    marks: list[Marks] = [([], []) for _ in Seat]
    for rank, card in enumerate(cards):
        for seat, distance in zip(*_marks(statistics["holder", card]), strict=True):
            marks[seat][0].append(rank)
            marks[seat][1].append(distance)
    _dots(axes, marks, [seat.letter for seat in Seat])
    axes.set_xticks(range(_RANKS), [card[1] for card in cards])
    axes.set_title(f"Who holds {sign}")
    axes.set_xlabel("card", labelpad=1)
    if not first:
        axes.set_ylabel("Cards")


def _marks(table: Table, first: int = 0) -> Marks:
    """Return the indexes and the distances of all values with a sufficient expectation."""
    rows = zip(table.deviations, table.expected, strict=True)
    pairs = [
        (x, float(distance))
        for x, (distance, wanted) in enumerate(rows, first)
        if distance is not None and wanted >= FEWEST
    ]
    return [x for x, _ in pairs], [distance for _, distance in pairs]


def _all_deviations(statistics: Statistics) -> list[float]:
    """Return all distances in the plot."""
    tables = [table for table in statistics.tables if table.section not in ("shape", "voids")]
    return [distance for table in tables for distance in _marks(table)[1]]


def _dots(axes: Axes, marks: Sequence[Marks], names: Sequence[str] = ()) -> None:
    """Draw rows of dots, each in its colour, with names for the legend."""
    for row, (xs, distances) in enumerate(marks):
        name = names[row] if names else ""
        axes.plot(
            xs,
            distances,
            _MARKERS[row],
            ms=3,
            color=_COLOURS[row],
            markeredgecolor=_EDGE,
            markeredgewidth=0.3,
            label=name,
        )
    if not any(xs for xs, _ in marks):
        axes.text(0.5, 0.6, "nothing varies", transform=axes.transAxes, ha="center", color=_GREY)
        axes.set_xticks([])
    else:
        axes.locator_params(axis="x", integer=True, nbins=7)


def _finish(axes: Axes) -> None:
    axes.axhspan(-2, 2, color=_GREY, alpha=0.15, linewidth=0)
    axes.axhline(0, color=_GREY, linewidth=0.6)
    axes.spines[["top", "right"]].set_visible(False)
    axes.margins(x=0.04)
