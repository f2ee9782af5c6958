"""Numberings: the list of numberings, and the properties of one."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, ClassVar

from pavcodec.cards import DECK_SIZE, Seat
from pavcodec.numberings import Numbering, numbering, numbering_names
from pavcodec.numberings.rankings import EqualHands
from pavcodec.questions.asking import Answer, Question, QuestionError, ask
from pavcodec.questions.tables import fact_lines, ruled_lines
from pavcodec.records import record

_PLAIN_BITS = {
    "2 bits a card": (2 * DECK_SIZE, "deal13", "for comparison: the owner of each card of a deal"),
    "3 bits a card": (
        3 * DECK_SIZE,
        "layout20",
        "for comparison: the owner of each card, or unused",
    ),
}


@dataclass(frozen=True)
class Numberings(Question):
    """List the numberings, or describe one."""

    name: ClassVar[str] = "numberings"
    indent: ClassVar[int | None] = 2
    is_function: ClassVar[bool] = False
    examples: ClassVar[str] = """\
  pavcodec numberings
  pavcodec numberings deal
  pavcodec numberings balanced --table"""
    details: ClassVar[str] = """\
The rows 'bits a card' are the plain ways to store a layout, for comparison: two bits a card hold a
deal, and three bits a card hold any layout."""

    numbering: str | None = ask(
        "describe this numbering", default=None, flag="", metavar="NAME", most=40
    )
    table: bool = ask(
        "print the table of N[J] of the numbering 'balanced'", default=False, group="output"
    )

    keys: ClassVar[dict[str, str]] = {
        "name": "the name of the numbering",
        "summary": "what it numbers",
        "members": "what its members are",
        "cardinality": "how many there are, in decimal digits",
        "bits": "the bits of the largest number",
        "bytes": "the bytes of the largest number",
        "record": "the record that stores one",
        "first": "the first member",
        "last": "the last member",
    }

    def find(self) -> Answer:
        """Return the list, the properties of one numbering, or its table."""
        if self.table:
            chosen = numbering(self.numbering or "balanced")
            if not isinstance(chosen.ranking, EqualHands):
                raise QuestionError(
                    "numbering {named} has no table; {table} is for 'balanced'",
                    "table",
                    named=repr(chosen.name),
                )
            return SizeTable(chosen, chosen.ranking)
        return Properties(numbering(self.numbering)) if self.numbering else NumberingList()


class NumberingList(Answer):
    """All numberings with their sizes."""

    def __init__(self) -> None:
        self._all = [numbering(name) for name in numbering_names(partial=True, classes=True)]

    def to_dict(self) -> list[dict[str, Any]]:
        """Return the numberings for JSON."""
        return list(map(_row, self._all))

    def lines(self) -> Iterator[str]:
        """Yield the table of the numberings, and the plain ways to store a layout."""
        rows = [
            (
                ranks.name,
                str(ranks.bits),
                str(ranks.record.size),
                ranks.record.name,
                f"{ranks.cardinality:,}",
                ranks.summary,
            )
            for ranks in self._all
        ]
        rows += [
            (name, str(bits), str(record(of).size), of, "", summary)
            for name, (bits, of, summary) in _PLAIN_BITS.items()
        ]
        columns = ("numbering", "bits", "bytes", "record", "cardinality", "what it numbers")
        return ruled_lines(columns, rows, folds=True)


def _row(ranks: Numbering) -> dict[str, Any]:
    """Return a numbering for JSON; the cardinality is a text of decimal digits."""
    return {
        "name": ranks.name,
        "summary": ranks.summary,
        "members": ranks.members,
        "cardinality": str(ranks.cardinality),
        "bits": ranks.bits,
        "bytes": ranks.width,
        "record": ranks.record.name,
    }


@dataclass
class Properties(Answer):
    """The properties of a numbering."""

    ranks: Numbering

    def to_dict(self) -> dict[str, Any]:
        """Return the properties for JSON."""
        return _row(self.ranks) | {"first": str(self.ranks[0]), "last": str(self.ranks[-1])}

    def lines(self) -> Iterator[str]:
        """Yield the properties."""
        ranks = self.ranks
        rows = [
            ("numbering", ranks.name),
            ("what", ranks.summary),
            ("members", ranks.members),
            ("numbers", f"0 to {ranks.last:,}"),
            ("", f"0x0 to {ranks.last:#x}"),
            ("size", f"{ranks.bits} bits, {ranks.width} bytes"),
            ("record", ranks.record.name),
            ("first", str(ranks[0])),
            ("last", str(ranks[-1])),
        ]
        return fact_lines(rows, 11)


@dataclass
class SizeTable(Answer):
    """The numbers N[J] of endings with J cards in each hand, and the first number of each J."""

    ranks: Numbering
    ranking: EqualHands

    def to_dict(self) -> list[dict[str, Any]]:
        """Return the rows for JSON."""
        sizes, firsts = self.ranking.counts, self.ranking.firsts
        return [
            {"cards": size, "endings": str(n), "bits": (n - 1).bit_length(), "first": str(first)}
            for (size, n), first in zip(sizes.items(), firsts.values(), strict=True)
        ]

    def lines(self) -> Iterator[str]:
        """Yield the table."""
        cells = [
            (
                str(size),
                f"52!/({size}!^4 {DECK_SIZE - len(Seat) * size}!)",
                f"{n:,}",
                str((n - 1).bit_length()),
                f"{self.ranking.firsts[size]:,}",
            )
            for size, n in self.ranking.counts.items()
        ]
        cells.append(("all", "", f"{self.ranks.cardinality:,}", str(self.ranks.bits), ""))
        return ruled_lines(("J", "N[J] =", "endings", "bits", "first number"), cells)
