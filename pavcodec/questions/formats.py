"""Formats: the list of file formats, what each keeps and loses, and what survives in it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from pavcodec.chances.figures import listed
from pavcodec.errors import PavError
from pavcodec.formats import Format, format_names, format_of
from pavcodec.formats.losing import GROUPS, Survival, survival_of
from pavcodec.questions.asking import Question, QuestionError, Told, ask, note
from pavcodec.questions.tables import apart, fact_lines, ruled_lines

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

    def find(self) -> Told:
        """Return the formats, or what survives in them."""
        named = [format_of(name) for name in self.formats]
        every = [format_of(name) for name in format_names()]
        if not self.survives:
            return _described(named or every, is_named=bool(named))
        unread = [each.name for each in named if not each.is_read]
        if unread:
            raise QuestionError(f"pavcodec writes {listed(unread)}, and does not read it")
        found = list(_survivals(named or [each for each in every if each.is_read]))
        return _surviving(found, [] if named else [each.name for each in every if not each.is_read])


def _survivals(formats: list[Format]) -> Iterator[Survival]:
    """Yield what survives in formats; tell those whose package is missing."""
    for each in formats:
        try:
            yield survival_of(each)
        except PavError as error:
            note(f"{each.name}: {error}")


def _described(formats: list[Format], *, is_named: bool) -> Told:
    """Return formats: all of them as a table, or the facts of some."""
    rows = [{key: getattr(each, key) for key in Formats.keys} for each in formats]
    if not is_named:
        cells = [(each.name, " ".join(each.suffixes), each.summary) for each in formats]
        heads = ("format", "suffixes", "what it is")
        return Told(rows, [*ruled_lines(heads, cells, folds=True)])
    return Told(rows, [*apart(fact_lines(_facts(each), _START) for each in formats)])


def _facts(format_: Format) -> Iterator[tuple[str, str]]:
    """Yield the facts of a format, as (head, text)."""
    yield "format", format_.name
    yield "suffixes", " ".join(format_.suffixes) or "none"
    yield "what it is", format_.summary
    yield "what it keeps", format_.keeps
    yield "what it loses", format_.loses


def _surviving(found: list[Survival], written: list[str]) -> Told:
    """Return the parts of a board that survive; `written` are formats that cannot be read."""
    rows = [
        {"format": each.format}
        | {group: each.of(group) for group in GROUPS}
        | {"kept": each.kept, "lost": each.lost}
        for each in found
    ]
    cells = [["format", *(_HEADS.get(group, group) for group in GROUPS)]]
    cells += [
        [each.format, *(each.of(group).replace("no", "-") for group in GROUPS)] for each in found
    ]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    lines = [" ".join(map(str.ljust, row, widths)).rstrip() for row in cells]
    more = ["", f"{listed(written)} are written, and not read."] if written else []
    return Told(rows, [*lines, *more])
