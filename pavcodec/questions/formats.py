"""Formats: the list of file formats, what each keeps and loses, and what survives in it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, ClassVar

from pavcodec.chances.figures import listed
from pavcodec.errors import PavError
from pavcodec.formats import Format, format_names, format_of
from pavcodec.formats.losing import GROUPS, Survival, survival_of
from pavcodec.questions.asking import Answer, Question, QuestionError, ask, note
from pavcodec.questions.tables import fact_lines, ruled_lines

_START = 15
"""The column of the facts of a format."""
_HEADS = {
    "number": "no.",
    "vulnerability": "vul",
    "auction": "calls",
    "notes": "note",
    "comments": "text",
}


@dataclass(frozen=True)
class Formats(Question):
    """List the file formats."""

    name: ClassVar[str] = "formats"
    is_function: ClassVar[bool] = False
    indent: ClassVar[int | None] = 2
    examples: ClassVar[str] = """\
  pavcodec formats
  pavcodec formats lin csv
  pavcodec formats --json
  pavcodec formats --survives
  pavcodec formats --survives lin csv"""
    details: ClassVar[str] = """\
With names, formats prints what each of these formats keeps and loses.

--survives writes a board with all parts in each format, reads it again, and compares. The columns
are: the board number, dealer, vulnerability, names of the players, event (with site, date and
session), calls of the auction, alerts and notes of the calls, play, score (with contract and
tricks), double-dummy tricks, par, and comments. 'yes' is all of them, 'part' some, '-' none;
'rule' is a dealer or vulnerability that survives if it follows from the board number. With --json,
"kept" and "lost" have the names of the parts and tags."""

    formats: tuple[str, ...] = ask(
        "formats to describe (default: all)", default=(), flag="", metavar="FORMAT", most=100
    )
    survives: bool = ask("show the parts of a board that survive", default=False, group="output")

    keys: ClassVar[dict[str, str]] = {
        "name": "the name of the format",
        "suffixes": "the suffixes of its files",
        "summary": "what it is",
        "keeps": "what it keeps of a board",
        "loses": "what it loses",
    }

    def find(self) -> Answer:
        """Return the formats, or what survives in them."""
        named = [format_of(name) for name in self.formats]
        every = [format_of(name) for name in format_names()]
        if not self.survives:
            return FormatList(named or every, is_named=bool(named))
        unread = [each.name for each in named if not each.is_read]
        if unread:
            raise QuestionError(f"pavcodec writes {listed(unread)}, and does not read it")
        found = list(_survivals(named or [each for each in every if each.is_read]))
        return Surviving(found, [] if named else [each.name for each in every if not each.is_read])


def _survivals(formats: list[Format]) -> Iterator[Survival]:
    """Yield what survives in formats; tell those whose package is missing."""
    for each in formats:
        try:
            yield survival_of(each)
        except PavError as error:
            note(f"{each.name}: {error}")


@dataclass
class FormatList(Answer):
    """Formats: all of them as a table, or the facts of some."""

    formats: list[Format]
    is_named: bool

    def to_dict(self) -> list[dict[str, Any]]:
        """Return the formats for JSON."""
        return [{key: getattr(each, key) for key in Formats.keys} for each in self.formats]

    def lines(self) -> Iterator[str]:
        """Yield the table, or the facts."""
        if self.is_named:
            for number, each in enumerate(self.formats):
                yield from [""] if number else []
                yield from fact_lines(_facts(each), _START)
        else:
            rows = [(each.name, " ".join(each.suffixes), each.summary) for each in self.formats]
            yield from ruled_lines(("format", "suffixes", "what it is"), rows, folds=True)


def _facts(format_: Format) -> Iterator[tuple[str, str]]:
    """Yield the facts of a format, as (head, text)."""
    yield "format", format_.name
    yield "suffixes", " ".join(format_.suffixes) or "none"
    yield "what it is", format_.summary
    yield "what it keeps", format_.keeps
    yield "what it loses", format_.loses


@dataclass
class Surviving(Answer):
    """The parts of a board that survive in formats; `written` are those that cannot be read."""

    found: list[Survival]
    written: list[str]

    def to_dict(self) -> list[dict[str, Any]]:
        """Return the parts for JSON."""
        return [
            {"format": each.format}
            | {group: each.of(group) for group in GROUPS}
            | {"kept": each.kept, "lost": each.lost}
            for each in self.found
        ]

    def lines(self) -> Iterator[str]:
        """Yield a table of the groups of parts."""
        cells = [["format", *(_HEADS.get(group, group) for group in GROUPS)]]
        cells += [
            [each.format, *(each.of(group).replace("no", "-") for group in GROUPS)]
            for each in self.found
        ]
        widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
        for row in cells:
            yield " ".join(map(str.ljust, row, widths)).rstrip()
        if self.written:
            yield from ["", f"{listed(self.written)} are written, and not read."]
