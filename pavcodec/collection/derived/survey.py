"""Counts of the files of a source, each by a worker: tallies and repeated boards, to be added."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from pavcodec.collection.derived.reading import Reading, Report
from pavcodec.statistics.repeats import Finder
from pavcodec.statistics.survey import SurveyedPart, read_parts
from pavcodec.statistics.tally import Tally

if TYPE_CHECKING:
    from pavcodec.collection.source import SourceFile
    from pavcodec.constraints.expressions import Expression

__all__ = ["Repeats", "Tallying"]


@dataclass(frozen=True)
class Tallying:
    """Tallies a file; tallies of files have the tally of all as their sum.

    `where` is the condition that each deal should satisfy.
    """

    reading: Reading = field(default_factory=Reading)
    where: Expression | None = None
    tricks: bool = False

    def __call__(self, file: SourceFile) -> tuple[Tally, Report]:
        """Return the tally of a file, and its problems."""
        tally, report = Tally(), Report(self.reading.strict)
        for _, part in _surveyed(self.reading, file, report, tricks=self.tricks):
            part.add_to(tally, self.where)
        return tally, report


@dataclass(frozen=True)
class Repeats:
    """Finds the numbers of a file's layouts; the sum of finders finds those that occur again."""

    reading: Reading = field(default_factory=Reading)
    up_to: str = ""

    def __call__(self, file: SourceFile) -> tuple[Finder, Report]:
        """Return the finder of a file, and its problems."""
        finder, report = Finder(self.up_to), Report(self.reading.strict)
        for source, part in _surveyed(self.reading, file, report):
            finder.add(part.owners, source, place=file.index)
            finder.without_cards += part.without_cards
        return finder, report


def _surveyed(
    reading: Reading, file: SourceFile, report: Report, *, tricks: bool = False
) -> Iterator[tuple[str, SurveyedPart]]:
    """Yield the boards of a file in parts, each with the name of its source."""
    with ExitStack() as stack:
        for found, stream, context in reading.inputs(file, report, stack):
            for part in read_parts(found, stream, context, tricks=tricks):
                yield context.source, part
