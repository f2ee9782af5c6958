"""Parts that are made from the parts of a source, one from one."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from itertools import islice
from shutil import copyfileobj
from tempfile import SpooledTemporaryFile
from typing import TYPE_CHECKING, BinaryIO, ClassVar, TypeAlias, cast

from pavcodec.boards.board import Board
from pavcodec.boards.context import Context
from pavcodec.collection.deals import InFormat
from pavcodec.collection.derived.reading import Reading, Report
from pavcodec.collection.plan import Part, Plan
from pavcodec.collection.source import Source, SourceError, SourceFile
from pavcodec.errors import PavError, ReadError
from pavcodec.files.compressed import compressing
from pavcodec.formats.format import Format
from pavcodec.formats.losing import LostParts

if TYPE_CHECKING:
    from pavcodec.boards.batch import BoardBatch

__all__ = [
    "BoardMaking",
    "DerivedMaking",
    "Ends",
    "Input",
    "PartLosses",
    "boards_with_numbers",
    "derived_plan",
]

Input: TypeAlias = tuple[Format, BinaryIO, Context]
"""A stream of boards: its format, the stream, and the options of reading it."""

Ends: TypeAlias = tuple[tuple[int, int], ...]
"""The first and the last numbers of ranges of boards."""

_IN_MEMORY, _AT_ONCE = 1 << 26, 1 << 20
"""The bytes of a part that are held in memory: writers of text and of headers go back in it."""
_EXAMINED = 1024
"""The boards of batches in a part that are examined for parts that the format loses."""


def derived_plan(making: DerivedMaking) -> Plan:
    """Return the plan of a collection with a part for each file of the making's source.

    The files of a folder without a plan are read once, for their SHA-256.
    """
    made = replace(making, source=making.source.hashed())
    return Plan(made, made.source.ranges)


@dataclass(frozen=True, kw_only=True)
class DerivedMaking(InFormat, ABC):
    """Parts that are made from the files of a source."""

    source: Source
    format: str
    packed: str = ""
    reading: Reading = field(default_factory=Reading)

    kind: ClassVar[str]

    def describe(self) -> dict[str, object]:
        """Return what the parts hold, for JSON, with the description of the source."""
        used = {name: value for name, value in self._options().items() if value}
        found: dict[str, object] = {"kind": self.kind, "format": self.format, **used}
        return {**found, "reading": self.reading.describe(), "source": self.source.describe()}

    def prepare(self) -> None:
        """Load or build models, once in a process."""

    def write(self, part: Part, stream: BinaryIO) -> dict[str, object]:
        """Write the part that belongs to the file of the source with the same index.

        Raise `SourceError` if the file is missing, damaged, or no file of its format.
        """
        try:
            return self._written(part, stream)
        except ReadError as error:
            if self.reading.strict:
                raise
            raise SourceError(str(error)) from None

    def _written(self, part: Part, stream: BinaryIO) -> dict[str, object]:
        file = self.source[part.index]
        report = Report(self.reading.strict)
        with ExitStack() as stack, SpooledTemporaryFile(_IN_MEMORY) as whole:
            facts = self._write(file, cast("BinaryIO", whole), report, stack)
            whole.seek(0)
            with compressing(stream, part.name) as out:
                copyfileobj(whole, out, _AT_ONCE)
        return facts | report.facts() | {"source": {"name": file.name, "sha256": file.sha256}}

    @abstractmethod
    def _options(self) -> dict[str, object]:
        """Return the options of the subclass for JSON; those without a value are left out."""

    @abstractmethod
    def _write(
        self, file: SourceFile, stream: BinaryIO, report: Report, stack: ExitStack
    ) -> dict[str, object]:
        """Write the boards of a file; return `{"rows": n}` and more facts."""


@dataclass(frozen=True, kw_only=True)
class BoardMaking(DerivedMaking):
    """Parts with boards in any format; `tags` replace those of each board."""

    tags: tuple[tuple[str, str], ...] = ()
    title: str = ""
    encoding: str | None = None

    def __post_init__(self) -> None:
        if self.target.is_of_boards:
            raise PavError(
                f"{self.format} holds the boards of a session, each once, so it cannot be written "
                "part by part: write one file, or another format"
            )
        if self.target.cycle is not None:
            raise PavError(
                f"{self.format} has at most {self.target.cycle} boards, and is no format of parts"
            )

    def _options(self) -> dict[str, object]:
        return {"tags": dict(self.tags), "title": self.title, "encoding": self.encoding}

    def _write(
        self, file: SourceFile, stream: BinaryIO, report: Report, stack: ExitStack
    ) -> dict[str, object]:
        losses = PartLosses(self.target)
        context = Context(
            file.name,
            report,
            self.reading.strict,
            self.reading.ranks,
            self.encoding,
            on_skipped=losses.skip,
            differ=losses.differ,
            note=losses.note,
            title=self.title,
        )
        facts: dict[str, object] = {}
        inputs = self._inputs(file, context, report, stack)
        boards = self._boards(inputs, context, report, facts)
        if self.tags:
            tags = dict(self.tags)
            boards = (board.with_tags(tags) for board in cast("Iterator[Board]", boards))
        rows = self.target.write_batches(map(losses.counted, boards), stream, context)
        return {"rows": rows, **facts, **losses.facts()}

    def _inputs(
        self, file: SourceFile, context: Context, report: Report, stack: ExitStack
    ) -> Iterator[Input]:
        for found, stream, named in self.reading.inputs(file, report, stack, name=file.name):
            yield found, stream, replace(context, source=named.source)

    @abstractmethod
    def _boards(
        self,
        inputs: Iterator[Input],
        context: Context,
        report: Report,
        facts: dict[str, object],
    ) -> Iterator[BoardBatch | Board]:
        """Yield what is written, with `tags` only boards; put more facts of the part in `facts`."""


def boards_with_numbers(boards: Iterator[Board], ends: Ends) -> Iterator[Board]:
    """Return the boards whose numbers are in the ranges; without ranges, all boards."""
    if not ends:
        return boards
    return (
        board
        for board in boards
        if board.number is not None and any(first <= board.number <= last for first, last in ends)
    )


class PartLosses:
    """What the boards of a part lose in its format, for its row."""

    def __init__(self, target: Format) -> None:
        self._target = target
        self._without_cards = 0
        self._lost = LostParts(target)
        self._examined = 0
        self._differences: Counter[str] = Counter()
        self._notes: dict[str, None] = {}

    def skip(self, boards: int) -> None:
        """Count boards without cards that a reader left out."""
        self._without_cards += boards

    def note(self, text: str) -> None:
        """Keep a note of the writer."""
        self._notes[text] = None

    def differ(self, kind: str) -> None:
        """Count a board by the kind of its difference."""
        self._differences[kind] += 1

    def counted(self, item: BoardBatch | Board) -> BoardBatch | Board:
        """Return a board or a batch, after counting what it loses."""
        target = self._target
        if isinstance(item, Board):
            if item.layout is None and target.keeps_cards and not target.keeps_tags:
                self._without_cards += 1
            elif not target.keeps_tags:
                self._lost.count(item)
        elif not target.keeps_tags and (item.needs_origin or item.has_tricks):
            left = max(0, _EXAMINED - self._examined)
            self._examined += len(item)
            for board in islice(item, left):
                self._lost.count(board)
        return item

    def facts(self) -> dict[str, object]:
        """Return what is not zero, for JSON.

        Raise `PavError` for boards that got numbers by their place, which is not known in a part.
        """
        if self._differences["number"]:
            raise PavError(
                f"{self._target.name} numbers boards without a number in turn, so it cannot be "
                "written part by part: write one file, or another format"
            )
        found = {
            "without_cards": self._without_cards,
            "lost": list(self._lost.names),
            "differences": {kind: count for kind, count in self._differences.items() if count},
            "notes": list(self._notes),
        }
        return {name: value for name, value in found.items() if value}
