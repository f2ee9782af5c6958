"""How workers read the files of a source, and what they report."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, BinaryIO

from pavcodec.boards.context import Context, Problem, Ranks
from pavcodec.errors import ReadError
from pavcodec.files.compressed import parts
from pavcodec.formats.recognition import recognise
from pavcodec.numberings import numbering

if TYPE_CHECKING:
    from pavcodec.collection.source import SourceFile
    from pavcodec.formats.format import Format

__all__ = ["Reading", "Report"]

_MOST_KEPT = 1000
"""The problems of a file that are kept; the others are counted."""


_IN_ROW = 3
"""The problems that the row of a part has."""


@dataclass
class Report:
    """The problems of a file: the first ones, and the number of all."""

    strict: bool = False
    count: int = 0
    first: list[Problem] = field(default_factory=list)

    def __call__(self, problem: Problem) -> None:
        """Keep or count a problem; in strict reading, raise it as a `ReadError`."""
        if self.strict:
            raise ReadError(str(problem))
        self.count += 1
        if len(self.first) < _MOST_KEPT:
            self.first.append(problem)

    def facts(self) -> dict[str, object]:
        """Return the number of problems and the first ones for the row of a part; none if none."""
        if not self.count:
            return {}
        return {"problems": self.count, "first_problems": list(map(str, self.first[:_IN_ROW]))}


@dataclass(frozen=True)
class Reading:
    """The options of reading files: see `read`."""

    format: str | None = None
    numbering: str = "deal"
    one_based: bool = False
    strict: bool = False

    @property
    def ranks(self) -> Ranks:
        """The numbering of the format `numbers`."""
        return numbering(self.numbering, one_based=self.one_based)

    def describe(self) -> dict[str, object]:
        """Return the options for JSON."""
        return {
            "format": self.format,
            "numbering": self.numbering,
            "one_based": self.one_based,
            "strict": self.strict,
        }

    def inputs(
        self,
        file: SourceFile,
        report: Report,
        stack: ExitStack,
        *,
        name: str = "",
        ranks: Ranks | None = None,
    ) -> Iterator[tuple[Format, BinaryIO, Context]]:
        """Yield format, stream and context of a file, or of each file of a zip file.

        `stack` keeps the file open, since batches read tags from it later. `name` is that of the
        file in messages, by default its path or URL.
        """
        stream = stack.enter_context(file.open())
        for inner, opened in parts(stream, name or file.shown):
            found, whole = recognise(opened, path=inner, name=self.format)
            yield found, whole, Context(inner, report, self.strict, ranks or self.ranks)
