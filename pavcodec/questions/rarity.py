"""Rarity: how rare a deal is, by its patterns, points, controls and fits."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from math import factorial, prod
from typing import TYPE_CHECKING, Any, ClassVar

from pavcodec.boards import Board
from pavcodec.cards import SUIT_SIZE
from pavcodec.chances.figures import chances, many, percent
from pavcodec.errors import PavError
from pavcodec.layout import Deal, Layout
from pavcodec.numberings import numbering
from pavcodec.questions.asking import Answer, ask, note, working
from pavcodec.questions.inputs import Problems
from pavcodec.questions.searching import Boards
from pavcodec.questions.tables import table_lines

if TYPE_CHECKING:
    from pavcodec.statistics import Table, Tally


_SECTIONS = {
    "pattern": "pattern",
    "voids": "voids",
    "hcp": "points",
    "controls": "controls",
    "fit": "fit of North and South",
    "longest": "longest suit of a side",
    "side-hcp": "points of both",
    "side-controls": "controls of both",
}
"""The statistics of a deal that are looked at, in the words of the text."""
_SHOWN = 6


@dataclass(frozen=True)
class Rare(Boards):
    """Tell how rare deals are, exactly."""

    name: ClassVar[str] = "rare"
    examples: ClassVar[str] = """\
  pavcodec rare event.pbn --boards 3
  pavcodec rare 12345678901234567890123456789
  pavcodec rare event.pbn --json"""
    details: ClassVar[str] = """\
rare looks at the pattern, the voids, the points and the controls of each hand, the fits and the
longest suits of the sides, and the points and controls of North and South together. For each, it
prints the share of all deals with this value, and the share of those with a value that is as rare
or rarer. All shares are exact, and rounded in the text; the rarest values are first.

In any deal some of so many values are rare. The last line of a deal is at most the probability that
one of them is as rare in a random deal. --all also prints the share of the deals in which all suits
have the same lengths in all hands."""

    all: bool = ask("print all values, not only the rarest", default=False, group="output")

    keys: ClassVar[dict[str, str]] = {
        "cardinality": "the number of all deals, in decimal digits",
        "deals": "each deal with its values, the rarest first; those with an 'event' are what "
        "'odds' takes, and 'lengths' is the share of the deals with the same lengths of all suits "
        "in all hands",
    }

    def find(self) -> RareDeals:
        """Return the values of each deal; raise `PavError` without deals."""
        from pavcodec.statistics import Tally, expected_tally

        problems = Problems(strict=self.strict)
        found, others = [], 0
        with working("counting what is expected"):
            expected = expected_tally()
        for board in self.read(problems, numbering("deal")):
            deal = board.layout
            if not isinstance(deal, Deal):
                others += 1
                continue
            tally = Tally()
            tally.add_deal(deal)
            found.append(RareDeal(board, tuple(sorted(_values(tally, expected), key=_order))))
        if others:
            note(f"{many(others, 'board')} without a complete deal skipped")
        if not found:
            raise PavError("there are no complete deals")
        return RareDeals(found, expected.deals, shows_all=self.all, is_fault=problems.count > 0)


@dataclass(frozen=True)
class Value:
    """A value of a deal: `ways` of all deals have it, and `rarer` have it or a rarer one."""

    section: str
    of: str
    value: str
    ways: int
    rarer: int


def _values(tally: Tally, expected: Tally) -> Iterator[Value]:
    """Yield the values of a deal that could have been others."""
    from pavcodec.statistics.report import tables_of

    for table in tables_of(tally, expected):
        if table.section in _SECTIONS:
            yield _value(table)


def _value(table: Table) -> Value:
    place = table.observed.index(1)
    ways = table.ways[place]
    rarer = sum(each for each in table.ways if each <= ways)
    return Value(table.section, table.of, table.values[place], ways, rarer)


def _event(value: Value) -> str | None:
    """Return a value as an event of the language of conditions, if it is a short one."""
    of, side = value.of, "{0}(north) + {0}(south) == {1}"
    if value.section == "pattern":
        digits = value.value.split("-")  # the notation of shapes has a digit for each length
        return f"shape({of}, any {''.join(digits)})" if max(map(len, digits)) == 1 else None
    if value.section in {"hcp", "controls"}:
        return f"{value.section}({of}) == {value.value}"
    if value.section.startswith("side-") and of == "north-south":
        return side.format(value.section.removeprefix("side-"), value.value)
    return side.format(of, value.value) if value.section == "fit" else None


def _lengths_share(deal: Layout) -> Fraction:
    """Return the share of the deals with these lengths of all suits in all hands.

    The thirteen cards of a suit are distributed to the hands in 13! / (a! b! c! d!) ways.
    """
    ways = 1
    for lengths in zip(*(hand.shape for hand in deal), strict=True):
        ways *= factorial(SUIT_SIZE) // prod(map(factorial, lengths))
    return Fraction(ways, numbering("deal").cardinality)


def _order(value: Value) -> tuple[int, int]:
    return value.rarer, value.ways


@dataclass(frozen=True)
class RareDeal:
    """A deal and its values, the rarest first."""

    board: Board
    values: tuple[Value, ...]

    @property
    def deal(self) -> Layout:
        """The cards."""
        assert self.board.layout is not None
        return self.board.layout


@dataclass
class RareDeals(Answer):
    """How rare some deals are."""

    deals: list[RareDeal]
    cardinality: int
    shows_all: bool = False
    is_fault: bool = False

    def to_dict(self) -> dict[str, Any]:
        """Return the values of each deal for JSON."""
        rows = [
            {
                "board": each.board.number,
                "deal": str(each.board.layout),
                "lengths": str(_lengths_share(each.deal)),
                "values": [
                    {
                        "section": value.section,
                        "of": value.of,
                        "value": value.value,
                        "event": _event(value),
                        "probability": str(Fraction(value.ways, self.cardinality)),
                        "as_rare": str(Fraction(value.rarer, self.cardinality)),
                    }
                    for value in each.values
                ],
            }
            for each in self.deals
        ]
        return {"cardinality": str(self.cardinality), "deals": rows}

    def lines(self) -> Iterator[str]:
        """Yield a table of the rarest values of each deal."""
        for index, each in enumerate(self.deals):
            yield from [""] if index else []
            number = each.board.number
            yield f"{'' if number is None else f'Board {number}: '}{each.board.layout}"
            shown = each.values if self.shows_all else each.values[:_SHOWN]
            heads = ["", "of", "value", "share of all deals", "as rare or rarer"]
            yield from table_lines(heads, [self._cells(value) for value in shown])
            count, rarest = len(each.values), each.values[0].rarer
            share = min(Fraction(count * rarest, self.cardinality), Fraction(1))
            told = "any deal may have one" if share == 1 else f"{chances(share)}, {percent(share)}"
            if self.shows_all:
                same = _lengths_share(each.deal)
                yield f"exactly these lengths in all suits: {chances(same)}, {percent(same)}"
            yield f"one of {count} values as rare as the first: {told}"

    def _cells(self, value: Value) -> list[str]:
        share, rarer = (Fraction(ways, self.cardinality) for ways in (value.ways, value.rarer))
        return [_SECTIONS[value.section], value.of, value.value, percent(share), percent(rarer)]


def rare(*deals: str, **fields: Any) -> Answer:
    """Tell how rare deals are, exactly, as the command `rare` does.

    The fields are those of `Rare`. The answer has `lines()` for the screen, `to_dict()` for JSON.

    >>> rare("0").deals[0].values[0].value
    '13-0-0-0'
    """
    return Rare(files=deals, **fields).answer()
