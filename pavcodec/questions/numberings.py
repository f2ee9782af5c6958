"""Numberings: the list of numberings, and the properties of one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from pavcodec.cards import DECK_SIZE, Seat
from pavcodec.numberings import Numbering, numbering, numbering_names
from pavcodec.numberings.rankings import EqualHands
from pavcodec.questions.asking import Question, QuestionError, Told, ask
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
        "cards": "of a table, the cards of a hand",
        "endings": "of a table, the number of endings with hands of so many cards",
    }

    def find(self) -> Told:
        """Return the list, the properties of one numbering, or its table."""
        if self.table:
            chosen = numbering(self.numbering or "balanced")
            if not isinstance(chosen.ranking, EqualHands):
                raise QuestionError(
                    "numbering {named} has no table; {table} is for 'balanced'",
                    "table",
                    named=repr(chosen.name),
                )
            return _sizes(chosen, chosen.ranking)
        return _properties(numbering(self.numbering)) if self.numbering else _list()


def _list() -> Told:
    """Return all numberings with their sizes, and the plain ways to store a layout."""
    every = [numbering(name) for name in numbering_names(partial=True, classes=True)]
    rows = [
        (
            ranks.name,
            str(ranks.bits),
            str(ranks.record.size),
            ranks.record.name,
            f"{ranks.cardinality:,}",
            ranks.summary,
        )
        for ranks in every
    ]
    rows += [
        (name, str(bits), str(record(of).size), of, "", summary)
        for name, (bits, of, summary) in _PLAIN_BITS.items()
    ]
    columns = ("numbering", "bits", "bytes", "record", "cardinality", "what it numbers")
    return Told([*map(_row, every)], [*ruled_lines(columns, rows, folds=True)])


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


def _properties(ranks: Numbering) -> Told:
    """Return the properties of a numbering."""
    first, last = str(ranks[0]), str(ranks[-1])
    rows = [
        ("numbering", ranks.name),
        ("what", ranks.summary),
        ("members", ranks.members),
        ("numbers", f"0 to {ranks.last:,}"),
        ("", f"0x0 to {ranks.last:#x}"),
        ("size", f"{ranks.bits} bits, {ranks.width} bytes"),
        ("record", ranks.record.name),
        ("first", first),
        ("last", last),
    ]
    return Told(_row(ranks) | {"first": first, "last": last}, [*fact_lines(rows, 11)])


def _sizes(ranks: Numbering, ranking: EqualHands) -> Told:
    """Return the numbers N[J] of endings with J cards a hand, and the first number of each J."""
    rows = [
        {"cards": size, "endings": str(n), "bits": (n - 1).bit_length(), "first": str(first)}
        for (size, n), first in zip(ranking.counts.items(), ranking.firsts.values(), strict=True)
    ]
    cells = [
        (
            str(size),
            f"52!/({size}!^4 {DECK_SIZE - len(Seat) * size}!)",
            f"{n:,}",
            str((n - 1).bit_length()),
            f"{ranking.firsts[size]:,}",
        )
        for size, n in ranking.counts.items()
    ]
    cells.append(("all", "", f"{ranks.cardinality:,}", str(ranks.bits), ""))
    heads = ("J", "N[J] =", "endings", "bits", "first number")
    return Told(rows, [*ruled_lines(heads, cells)])
