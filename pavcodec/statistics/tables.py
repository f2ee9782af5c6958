"""Tables: the observed and expected number of deals for each value of a statistic."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import comb, factorial, prod
from operator import itemgetter
from typing import TypeVar

from pavcodec.cards import DECK_SIZE, SUIT_SIZE, Card, Seat, Suit
from pavcodec.constraints.spaces.share import root
from pavcodec.shapes import SHAPES
from pavcodec.statistics.chi_square import ChiSquare, chi_square
from pavcodec.statistics.tally import Tally

__all__ = ["PATTERNS", "SECTIONS", "Table", "tables_of"]

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
        found = _by(lengths, range(14), itemgetter(suit))
        yield "fit", _SUIT_NAMES[suit], _text(found)
    longest = range(7, 14)
    yield "longest", "north-south", _text(_by(lengths, longest, max))
    yield "longest", "east-west", _text(_by(lengths, longest, lambda row: 13 - min(row)))
    yield "side-hcp", "north-south", _numbered(counts["side_hcp"].tolist())
    yield "side-controls", "north-south", _numbered(counts["side_controls"].tolist())


def _by(
    counts: Mapping[Lengths, int],
    values: Iterable[Key],
    value_of: Callable[[Lengths], Key],
) -> dict[Key, int]:
    """Return counts by `value_of` of the counted keys."""
    found = dict.fromkeys(values, 0)
    for each, count in counts.items():
        found[value_of(each)] += count
    return found


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
