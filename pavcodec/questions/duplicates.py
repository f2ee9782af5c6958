"""Duplicates: the repeated boards of files, as they are or up to a symmetry."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, Any, BinaryIO, ClassVar

from pavcodec.boards import Context
from pavcodec.boards.board import SOURCE
from pavcodec.chances.figures import many
from pavcodec.errors import UnknownNameError
from pavcodec.formats import Format
from pavcodec.numberings import numbering
from pavcodec.questions.asking import Answer, Asker, Progress, QuestionError, ask, asking
from pavcodec.questions.inputs import Problems, named_format, read_inputs
from pavcodec.questions.workers import Workers, add_up, is_spread, reading_of

if TYPE_CHECKING:
    from pavcodec.formats.arrays import DealRows
    from pavcodec.statistics import Duplicates as Found
    from pavcodec.statistics.repeats import Occurrence


_SHOWN = 20
"""The layouts that the text lists; JSON and CSV have all."""


@dataclass(frozen=True)
class Duplicates(Workers):
    """List the repeated boards of files."""

    name: ClassVar[str] = "duplicates"
    is_function: ClassVar[bool] = False
    indent: ClassVar[int | None] = 2
    rows_are: ClassVar[str] = "place of a board"
    examples: ClassVar[str] = """\
  pavcodec duplicates monday.pbn tuesday.pbn
  pavcodec duplicates 2024/*.pbn --up-to suits,turns
  pavcodec duplicates deals/ --workers 4 --csv"""
    details: ClassVar[str] = """\
duplicates lists repeated boards, each by its file and its position among the boards with cards in
this file. With --up-to, two boards are the same if an exchange of suits or seats turns one into the
other; duplicates then prints the canonical layout. The text lists 20 layouts, --json and --csv all.

For a folder, several processes read its parts. If parts are not there or are damaged, the output is
of the others, a line names them, and the exit code is 1. With --workers, several files are read in
the same way."""

    up_to: str | None = ask(
        "boards are the same up to 'suits' (their order), 'turns' of the table, 'half-turn', "
        "'seats' (their order), or 'suits' and one of these, as in 'suits,turns'",
        default=None, metavar="SYMMETRY", group="boards", most=100,
    )  # fmt: skip

    keys: ClassVar[dict[str, str]] = {
        "up_to": "the symmetry up to which boards are the same",
        "boards": "the number of boards with cards",
        "without_cards": "the number of boards without cards",
        "different": "the number of different boards",
        "again": "the number of boards that occurred before",
        "repeats": "each layout that occurs more than once, with its places",
    }

    def find(self) -> DuplicateList:
        """Return the repeated boards."""
        from pavcodec.statistics.repeats import Finder

        try:
            finder = Finder(self.up_to or "")
        except UnknownNameError as error:
            raise QuestionError("{up_to}: {why}", "up_to", why=error) from None
        problems = Problems(strict=self.strict)
        if is_spread(self, self.files):
            from pavcodec.collection.derived import Repeats

            finder = add_up(self, Repeats(reading_of(self), self.up_to or ""), finder, problems)
        else:
            for source, part in parts_of_files(self, problems):
                finder.add(part.owners, source)
                finder.without_cards += part.without_cards
        found = finder.found()
        return DuplicateList(found, _sources_of(self, found), is_fault=problems.count > 0)


def parts_of_files(
    asked: Workers, problems: Problems, *, tricks: bool | None = False
) -> Iterator[tuple[str, DealRows]]:
    """Yield the boards of all files in parts, each with the name of its file."""
    from pavcodec.formats.arrays import read_rows

    def read(
        source: Format, stream: BinaryIO, context: Context, watching: Progress
    ) -> Iterator[tuple[str, DealRows]]:
        parts = read_rows(source, stream, context, tricks=tricks)
        for part in watching.watch(parts, size=lambda part: len(part.owners)):
            yield context.source, part

    names, ranks = named_format(asked), numbering("deal")
    return read_inputs(asked.files, problems, read, format_name=names, ranks=ranks)


def _sources_of(asked: Workers, found: Found) -> dict[Occurrence, str]:
    """Return the files that repeated boards came from, by the tags of their own file.

    A file where the first board has no such tag is not read again, nor is the standard input.
    """
    wanted: dict[str, set[int]] = {}
    for place in (place for repeat in found.repeats for place in repeat.places):
        wanted.setdefault(place.source, set()).add(place.number)

    def read(
        source: Format, stream: BinaryIO, context: Context, _: Progress
    ) -> Iterator[tuple[Occurrence, str]]:
        there = wanted.get(context.source)
        if there is None or not source.keeps_tags:
            return
        boards = (board for board in source.read(stream, context) if board.layout is not None)
        for number, board in enumerate(islice(boards, max(there)), 1):
            name = board.tags.get(SOURCE)
            if name is None and number == 1:
                return
            if name is not None and number in there:
                yield Occurrence(context.source, number), name

    files = [path for path in asked.files if path != "-"]
    if not (files and wanted):
        return {}
    from pavcodec.statistics.repeats import Occurrence

    with asking(Asker()):  # the problems of the files are told already
        return dict(
            read_inputs(files, Problems(), read, format_name=named_format(asked), ranks=None)
        )


@dataclass
class DuplicateList(Answer):
    """The repeated boards, each with its places, and the files from which these boards came."""

    found: Found
    sources: dict[Occurrence, str]
    is_fault: bool = False

    def to_dict(self) -> dict[str, Any]:
        """Return the boards for JSON."""
        return {
            "up_to": self.found.up_to,
            "boards": self.found.layouts,
            "without_cards": self.found.without_cards,
            "different": self.found.different,
            "again": self.found.again,
            "repeats": [
                {
                    "layout": str(repeat.layout),
                    "places": [*map(self._place, repeat.places)],
                }
                for repeat in self.found.repeats
            ],
        }

    def _place(self, place: Occurrence) -> dict[str, Any]:
        """Return a place for JSON, with the file that the board came from, if it is known."""
        source = {"source": self.sources[place]} if place in self.sources else {}
        return {"file": place.source, "board": place.number} | source

    def rows(self) -> Iterator[Sequence[object]]:
        """Yield a row for each place of a repeated board."""
        heads = ["repeat", "file", "board", "layout"]
        yield [*heads, *(["source"] if self.sources else [])]
        for which, repeat in enumerate(self.found.repeats, 1):
            for place in repeat.places:
                source = [self.sources.get(place, "")] if self.sources else []
                yield [which, *place, str(repeat.layout), *source]

    def lines(self) -> Iterator[str]:
        """Yield the numbers of boards, and the first repeated ones."""
        found = self.found
        up_to = f" up to {found.up_to.replace(',', ' and ')}" if found.up_to else ""
        different = f"{found.different:,} different{up_to}, {found.again:,} again"
        yield f"{many(found.layouts, 'board')} with cards: {different}"
        if found.without_cards:
            yield f"{many(found.without_cards, 'board')} without cards skipped"
        for repeat in found.repeats[:_SHOWN]:
            places = ", ".join(map(self._told, repeat.places))
            yield from ["", f"{len(repeat.places):,} times: {places}", f"    {repeat.layout}"]
        left = len(found.repeats) - _SHOWN
        if left > 0:
            yield from ["", f"... and {many(left, 'layout')} more; --json and --csv have all"]

    def _told(self, place: Occurrence) -> str:
        """Return a place as text."""
        source = f" ({self.sources[place]})" if place in self.sources else ""
        return f"{place.source}:{place.number}{source}"
