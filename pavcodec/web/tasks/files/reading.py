"""What is in files: their formats, boards, problems and figures, and pages of them to print.

Figures stand beside what random deals have on average, exactly.
"""

from __future__ import annotations

import io
import re
from collections.abc import Callable, Iterable, Iterator
from fractions import Fraction
from functools import cache
from typing import Any, Literal, TypeVar, cast

from pydantic import Field, field_validator

from pavcodec.boards import Board, Problem
from pavcodec.cards import Seat
from pavcodec.chances.figures import many
from pavcodec.errors import PavError, ReadError
from pavcodec.files.compressed import Decompressed, parts, split_suffix
from pavcodec.files.text import lines
from pavcodec.numberings import Numbering
from pavcodec.questions.inputs import Problems
from pavcodec.questions.printing import Print, lacks_tricks, with_tricks
from pavcodec.questions.showing import Show, board_facts
from pavcodec.shapes import SHAPES, Shape, ShapeClass
from pavcodec.web.tasks.files.converting import (
    HEAT,
    ConvertQuestion,
    Faults,
    FileQuestion,
    FileReading,
    FormatRow,
    Same,
    converting,
    losses,
    memory_file,
    output_name,
    same_of,
    within,
)
from pavcodec.web.tasks.task import PAGE_BOARDS, PRINTED, Answer, Download, Fields, Task, path_of
from pavcodec.web.tasks.writing import file_of, media_types

# The figures of each seat in some boards, beside what random deals have on average, exactly.


_SHORT, _MOST_DOUBLETONS, _LONGEST = 2, 1, 5
_USUAL_POINTS = Fraction(10)


class SeatFigures(Fields):
    """The hands of one seat in some deals."""

    seat: str
    points: int = Field(description="the points of all hands together")
    balanced: int = Field(description="hands without short suits, with at most one doubleton")
    short: int = Field(description="hands with a void or a singleton")


class HandFigures(Fields):
    """The hands of each seat in the first complete deals, and the exact averages of random hands.

    Shares are texts of fractions.
    """

    deals: int
    seats: tuple[SeatFigures, ...]
    points: str = str(_USUAL_POINTS)
    balanced: str
    short: str


def figures_of(boards: Iterable[Board]) -> HandFigures | None:
    """Return the figures of the deals among some boards; None without a deal.

    >>> from pavcodec import numbering
    >>> found = figures_of(map(Board, numbering("deal").sample(8, seed=7)))
    >>> found.deals, [seat.points for seat in found.seats], found.balanced
    (8, [79, 90, 83, 68], '2699043061/5669763925')
    """
    deals, rows = 0, [[0, 0, 0] for _ in Seat]
    for board in boards:
        if board.layout is None or not board.layout.is_deal:
            continue
        deals += 1
        for seat, row in zip(Seat, rows, strict=True):
            hand = board.layout[seat]
            row[0] += hand.hcp
            row[1] += _is_balanced(hand.shape)
            row[2] += _is_short(hand.shape)
    if not deals:
        return None
    return HandFigures(
        deals=deals,
        seats=tuple(
            SeatFigures(seat=seat.letter, points=points, balanced=even, short=uneven)
            for seat, (points, even, uneven) in zip(Seat, rows, strict=True)
        ),
        balanced=_share(_is_balanced),
        short=_share(_is_short),
    )


def _is_short(shape: tuple[int, ...]) -> bool:
    return min(shape) < _SHORT


def _is_balanced(shape: tuple[int, ...]) -> bool:
    doubletons = sum(length == _SHORT for length in shape)
    return not _is_short(shape) and doubletons <= _MOST_DOUBLETONS and max(shape) <= _LONGEST


@cache
def _share(is_so: Callable[[Shape], bool]) -> str:
    """Return the exact share of the hands whose shapes are so."""
    return str(ShapeClass(filter(is_so, SHAPES)).probability)


# Pages of boards to print: hand records, cards, slips and sheets, as PDF or HTML.


class PrintQuestion(FileQuestion):
    """Boards of files, and the pages that are wanted."""

    layout: Literal["records", "large", "single", "curtain", "slips", "players"] = Field(
        "records", description="what is on the pages"
    )
    paper: Literal["a4", "letter"] = Field("a4", description="the size of the paper")
    to: Literal["pdf", "html"] = Field("pdf", description="PDF, or a page for the browser")
    title: str = Field(
        "", max_length=200, description="the title; without one that of the event, or the numbers"
    )
    solve: bool = Field(
        default=False, description="compute the double-dummy tricks of boards without them"
    )
    solutions: bool = Field(
        default=True, description="whether records have tricks, contracts and par"
    )
    leave_out: bool = Field(
        default=False, description="leave out boards that cannot be read, instead of giving no file"
    )

    @field_validator("title")
    @classmethod
    def _check_title(cls, title: str) -> str:
        if not title.isprintable():
            raise ValueError(f"a title is a line of text, not {title!r}")
        return title.strip()


def asked_of(
    question: PrintQuestion, files: tuple[str, ...], output: str, kind: type[Print] = Print
) -> Print:
    """Return the question of pages."""
    return kind(
        files=files,
        output=output,
        layout=question.layout,
        paper=question.paper,
        title=question.title or None,
        solve=question.solve,
        no_solutions=not question.solutions,
        **question.choice(),
    )


def printed(question: PrintQuestion) -> Same:
    """Return the command and the lines of Python that write the same pages."""
    return same_of(asked_of(question, question.paths, path_of(_name(question))))


def _name(question: PrintQuestion) -> str:
    return output_name(question, f".{question.to}")


def solved(boards: list[Board]) -> list[Board]:
    """Return boards with the double-dummy tricks of the deals that lack them.

    Raises `PavError` for more boards than a page has, and without the package endplay.
    """
    lacking = sum(map(lacks_tricks, boards))
    if lacking > PAGE_BOARDS:
        raise PavError(
            f"tricks are computed for {PAGE_BOARDS} boards at most, and {lacking:,} have "
            "none: the command 'pavcodec solve' on your own computer computes them"
        )
    return with_tricks(boards)


class _Bounded(Print):
    """The question with the limits of a server."""

    def read(self, problems: Problems, ranks: Numbering | None = None) -> Iterator[Board]:
        """Yield the chosen boards, if they are not too many."""
        for count, board in enumerate(super().read(problems, ranks), 1):
            if count > PRINTED:
                raise ReadError(
                    f"pages are made for {PRINTED:,} boards at most: use the command on your own "
                    "computer for more"
                )
            yield board

    def solved(self, boards: list[Board]) -> list[Board]:
        """Return the boards with tricks, if they are not too many to solve."""
        return solved(boards) if self.solve else boards


def print_pages(question: PrintQuestion) -> Download:
    """Return boards as pages.

    Raises `ReadError` if a board cannot be read, except with `leave_out`, and if there are none.
    """
    output = memory_file(_name(question))

    within(
        question,
        lambda files: asked_of(question, files, output, _Bounded),
        whole=not question.leave_out,
    )
    return file_of(output, output.stream.getvalue())


PRINT = Task(
    "print",
    "Return boards as pages to print: hand records, cards to cut out, and others.",
    print_pages,
    PrintQuestion(file=(HEAT,), to="html"),
    media_types=media_types([".pdf", ".html"]),
)


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


class FileRow(Fields):
    """A file, or a file in a zip file: its format and its boards."""

    name: str
    format: str
    summary: str = Field(description="what the format is")
    boards: int


class FileProblem(Fields):
    """Something in a file that could not be read: where, and why."""

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
    shown: tuple[dict[str, Any], ...] = Field(description="boards, as `show --json` has them")
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
    reading, counts = FileReading(question, faults), _Counts(question)
    for board in reading.boards():
        counts.count(board)
    if question.where.strip() and not counts.boards and not faults.count:
        raise PavError(f"none of {many(reading.boards_read, 'board')} satisfies the condition")
    shown, unsolved = counts.shown, ""
    if question.solve:
        try:
            shown = solved(shown)
        except PavError as error:
            unsolved = str(error)
    return ReadAnswer(
        files=tuple(
            FileRow(
                name=source.name,
                format=source.format.name,
                summary=source.format.summary,
                boards=boards,
            )
            for source, boards in zip(reading.sources, reading.boards_of, strict=True)
        ),
        boards=counts.boards,
        boards_read=reading.boards_read,
        without_deal=reading.counts.without_deal,
        without_cards=counts.without_cards,
        repeated=counts.repeated,
        start=question.start,
        shown=tuple(map(board_facts, shown)),
        problems=tuple(_with_lines(question, faults.first)),
        problem_count=faults.count,
        figures=figures_of(counts.first),
        formats=losses(counts.first[:_EXAMINED]),
        examined=len(counts.first[:_EXAMINED]),
        unsolved=unsolved,
        converting=converting(_as(question, ConvertQuestion, to=question.to)),
        printing=printed(_as(question, PrintQuestion, solve=question.solve)),
        **same_of(Show(files=question.paths, **question.choice())).model_dump(),
    )


def _as(question: ReadQuestion, kind: type[K], **more: object) -> K:
    """Return another question on the same boards."""
    shared = {name: getattr(question, name) for name in FileQuestion.model_fields}
    made: Any = kind.model_construct
    return cast("K", made(**shared, **more))


def _with_lines(question: ReadQuestion, problems: list[Problem]) -> Iterator[FileProblem]:
    """Yield problems with the texts of their lines."""
    wanted = {(each.source, each.line) for each in problems if each.line is not None}
    texts = dict(_lines_of(question, wanted)) if wanted else {}
    for each in problems:
        text = texts.get((each.source, each.line or 0))
        source, start, end = (None, None, None) if text is None else _marked(text, each.reason)
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
    quoted = [match[1] or match[2] for match in _QUOTED.finditer(reason)]
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
