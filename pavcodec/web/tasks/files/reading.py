"""What is in files: their formats, boards, problems and figures, and what conversions lose."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from typing import Any, TypeVar, cast

from pydantic import BaseModel, ConfigDict, Field

from pavcodec.boards import Board, Problem
from pavcodec.errors import PavError
from pavcodec.files.compressed import Decompressed, parts, split_suffix
from pavcodec.files.text import lines
from pavcodec.web.tasks.files.converting import (
    HEAT,
    ConvertQuestion,
    Faults,
    FormatRow,
    losses,
    nothing,
    same_of,
)
from pavcodec.web.tasks.files.figures import HandFigures, figures_of
from pavcodec.web.tasks.files.lines import Same, command_of, python_of
from pavcodec.web.tasks.files.printing import PrintQuestion, printed, solved
from pavcodec.web.tasks.files.uploads import FileQuestion, Reading
from pavcodec.web.tasks.files.views import FileBoard, file_board
from pavcodec.web.tasks.limits import PAGE_BOARDS
from pavcodec.web.tasks.task import Answer, Task

__all__ = ["READ", "FileProblem", "ReadAnswer", "ReadQuestion", "read"]

K = TypeVar("K", bound=FileQuestion)

_MOST_PROBLEMS = 20
_EXAMINED = 100
"""The boards whose losses are examined."""
_FIGURED = 2_000
_MOST_COMPARED = 20_000
"""The boards among which repeated ones are counted."""
_WIDEST = 300
"""The most characters of a line that is shown."""
_QUOTED = re.compile(r"'((?:[^'\\]|\\.)+)'|\"((?:[^\"\\]|\\.)+)\"")


class ReadQuestion(FileQuestion):
    """Boards of files, and the first one that is shown."""

    start: int = Field(0, ge=0, description="how many boards to skip before those that are shown")
    n: int = Field(PAGE_BOARDS, ge=1, le=PAGE_BOARDS, description="how many boards are shown")
    solve: bool = Field(
        default=False, description="compute the double-dummy tricks of shown boards that have none"
    )
    to: str = Field("pbn", max_length=100, description="the format of a conversion")


class FileRow(BaseModel):
    """A file, or a file in a zip file: its format and its boards."""

    model_config = ConfigDict(frozen=True)

    name: str
    format: str
    summary: str = Field(description="what the format is")
    boards: int


class FileProblem(BaseModel):
    """Something in a file that could not be read: where, and why."""

    model_config = ConfigDict(frozen=True)

    file: str
    line: int | None
    board: str | None = Field(description="the number of the board, as in the file")
    reason: str
    source: str | None = Field(None, description="the text of the line")
    start: int | None = Field(None, description="where the wrong part starts in the line, from 0")
    end: int | None = Field(None, description="where the wrong part ends")


class ReadAnswer(Answer):
    """What is in the files."""

    files: tuple[FileRow, ...]
    boards: int = Field(description="the number of boards, after the condition")
    boards_read: int = Field(description="the number of boards in the files")
    without_deal: int = Field(description="boards that a condition cannot test")
    without_cards: int = Field(description="boards that have no cards in the file")
    repeated: int = Field(description="boards with the number and the deal of an earlier one")
    start: int
    shown: tuple[FileBoard, ...]
    problems: tuple[FileProblem, ...] = Field(description="the first problems")
    problem_count: int = Field(description="the number of all problems")
    figures: HandFigures | None
    formats: tuple[FormatRow, ...] = Field(description="what the first boards lose in each format")
    examined: int = Field(description="the number of these boards")
    unsolved: str = Field("", description="why tricks were not computed")
    converting: Same
    printing: Same


class _Counts:
    """What one pass over the boards finds."""

    def __init__(self, question: ReadQuestion) -> None:
        self.boards = self.without_cards = self.repeated = 0
        self.shown: list[Board] = []
        self.first: list[Board] = []
        self._range = range(question.start, question.start + question.n)
        self._seen: dict[bytes, Board | set[str]] = {}

    def count(self, board: Board) -> None:
        """Count a board."""
        if self.boards in self._range:
            self.shown.append(board)
        if self.boards < _FIGURED:
            self.first.append(board)
        self.boards += 1
        if board.layout is None:
            self.without_cards += 1
            return
        if self.boards <= _MOST_COMPARED:
            self.repeated += self._is_repeated(board, board.layout.owners)

    def _is_repeated(self, board: Board, owners: bytes) -> bool:
        """Return whether an earlier board has the number and the deal of a board.

        Tags are read only of boards whose deal is there twice, since that takes time.
        """
        known = self._seen.setdefault(owners, board)
        if known is board:
            return False
        if isinstance(known, Board):
            known = self._seen[owners] = {known.tags.get("Board", "")}
        number = board.tags.get("Board", "")
        is_known = bool(number) and number in known
        known.add(number)
        return is_known


def read(question: ReadQuestion) -> ReadAnswer:
    """Return what is in files: boards, problems with their lines, and what conversions lose."""
    faults = Faults(_MOST_PROBLEMS)
    reading, counts = Reading(question, faults), _Counts(question)
    for board in reading.boards():
        counts.count(board)
    if question.condition.strip() and not counts.boards and not faults.count:
        raise PavError(nothing(question, reading))
    shown, unsolved = _solved(counts.shown) if question.solve else (counts.shown, "")
    return ReadAnswer(
        files=tuple(_files(reading)),
        boards=counts.boards,
        boards_read=reading.boards_read,
        without_deal=reading.without_deal,
        without_cards=counts.without_cards,
        repeated=counts.repeated,
        start=question.start,
        shown=tuple(map(file_board, shown)),
        problems=tuple(_with_lines(question, faults.first)),
        problem_count=faults.count,
        figures=figures_of(counts.first),
        formats=losses(counts.first[:_EXAMINED]),
        examined=len(counts.first[:_EXAMINED]),
        unsolved=unsolved,
        converting=same_of(_as(question, ConvertQuestion, to=question.to)),
        printing=printed(_as(question, PrintQuestion, solve=question.solve)),
        command=command_of(question, ["show"]),
        python=python_of(
            question, ["for board in boards:", "    print(board.number, board.layout)"]
        ),
    )


def _files(reading: Reading) -> Iterator[FileRow]:
    for source, boards in zip(reading.sources, reading.boards_of, strict=True):
        found = source.format
        yield FileRow(name=source.name, format=found.name, summary=found.summary, boards=boards)


def _as(question: ReadQuestion, kind: type[K], **more: object) -> K:
    """Return another question on the same boards."""
    shared = {name: getattr(question, name) for name in FileQuestion.model_fields}
    made: Any = kind.model_construct
    return cast("K", made(**shared, **more))


def _solved(boards: list[Board]) -> tuple[list[Board], str]:
    """Return boards with their tricks, or with the reason why they have none."""
    try:
        return solved(boards), ""
    except PavError as error:
        return boards, str(error)


def _with_lines(question: ReadQuestion, problems: list[Problem]) -> Iterator[FileProblem]:
    """Yield problems with the texts of their lines."""
    wanted = {(each.source, each.line) for each in problems if each.line is not None}
    texts = dict(_lines_of(question, wanted)) if wanted else {}
    for each in problems:
        found = texts.get((each.source, each.line or 0))
        source, start, end = (None, None, None) if found is None else _marked(found, each.reason)
        yield FileProblem(
            file=each.source,
            line=each.line,
            board=each.board,
            reason=each.reason,
            source=source,
            start=start,
            end=end,
        )


def _lines_of(
    question: ReadQuestion, wanted: set[tuple[str, int]]
) -> Iterator[tuple[tuple[str, int], str]]:
    """Yield the texts of some lines of the files."""
    last = {name: max(line for source, line in wanted if source == name) for name, _ in wanted}
    for file in question.files:
        with io.BytesIO(file.data()) as stream:
            for name, part in parts(stream, file.name):
                suffix = split_suffix(name)[1]
                for number, text in lines(Decompressed(part, suffix, name) if suffix else part):  # type: ignore[arg-type]
                    if number > last.get(name, 0):
                        break
                    if (name, number) in wanted:
                        yield (name, number), text


def _marked(line: str, reason: str) -> tuple[str, int | None, int | None]:
    """Return a line, and the place of the part of it that a reason quotes.

    >>> _marked("[Deal N:AK]", "tag pair without a value: '[Deal N:AK]'")
    ('[Deal N:AK]', 0, 11)
    >>> _marked("Y.AKY.J", "'Y' in 'AKY' is no rank")
    ('Y.AKY.J', 4, 5)
    """
    quoted = [found[1] or found[2] for found in _QUOTED.finditer(reason)]
    there = sorted((text for text in quoted if text in line), key=len)
    if not there:
        return line[:_WIDEST], None, None
    start = line.find(there[-1])  # the longest text, and in it the shortest
    inner = there[-1].find(there[0])
    start, size = (start + inner, len(there[0])) if inner >= 0 else (start, len(there[-1]))
    skipped = max(0, start - _WIDEST // 2)
    shown = line[skipped : skipped + _WIDEST]
    return shown, start - skipped, min(start - skipped + size, len(shown))


READ = Task(
    "read",
    "Return what is in files: boards, problems with their lines, and what conversions lose.",
    read,
    ReadQuestion(file=(HEAT,)),
)
