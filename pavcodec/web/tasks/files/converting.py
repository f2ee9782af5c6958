"""Conversions: the boards of files in another format, what they lose, and the file itself."""

from __future__ import annotations

import io
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cache
from typing import BinaryIO

from pydantic import BaseModel, ConfigDict, Field

from pavcodec.boards import Board, Context, Problem
from pavcodec.errors import PavError, ReadError
from pavcodec.formats import Format, format_names, format_of
from pavcodec.formats.losing import LostParts
from pavcodec.formats.recognition import format_by_suffix
from pavcodec.formats.repeated import Repeated
from pavcodec.numberings import numbering
from pavcodec.odds.figures import many
from pavcodec.web.tasks.files.lines import Same, command_of, output_name, python_of, suffix_of
from pavcodec.web.tasks.files.uploads import EXPANDED, FileQuestion, Reading, Upload
from pavcodec.web.tasks.media import MEDIA_TYPES, chunks_of, media_type
from pavcodec.web.tasks.shell import path_of
from pavcodec.web.tasks.task import Download, Task

__all__ = ["CONVERT", "HEAT", "ConvertQuestion", "FormatRow", "convert", "losses", "same_of"]

EXAMPLE = (
    b'[Event "Heat"]\n[Board "1"]\n[Dealer "N"]\n[Vulnerable "None"]\n'
    b'[Deal "N:AKQ2.J54.KT3.982 87.AQT6.9842.KJ4 J654.K93.QJ7.AT5 T93.872.A65.Q763"]\n'
)
"""A file of one board."""

HEAT = Upload.model_construct(name="heat.pbn", content=EXAMPLE)
"""The file in the examples of tasks."""

_MOST_SHOWN = 5
_NAMES = frozenset({"North", "East", "South", "West"})


class ConvertQuestion(FileQuestion):
    """Boards of files, and the format that is wanted."""

    to: str = Field("pbn", max_length=100, description="the format, such as lin")
    leave_out: bool = Field(
        default=False,
        description="leave out boards that cannot be read or written, instead of giving no file",
    )


class FormatRow(BaseModel):
    """A format that can be written, and what the first boards of a question lose in it."""

    model_config = ConfigDict(frozen=True)

    name: str
    suffix: str
    summary: str
    keeps: str = Field(description="what it keeps")
    losing: int = Field(description="how many of the first boards lose a part")
    lost: tuple[str, ...] = Field(description="the parts that they lose")


@cache
def writable() -> tuple[Format, ...]:
    """Return the formats that boards can be written to."""
    return tuple(map(format_of, format_names()))


def losses(boards: Iterable[Board]) -> tuple[FormatRow, ...]:
    """Return what boards lose in each format."""
    some = list(boards)
    rows = []
    for target in writable():
        lost = LostParts(target)
        for board in some:
            if board.layout is not None or not target.keeps_cards:
                lost.count(board)
        rows.append(
            FormatRow(
                name=target.name,
                suffix=suffix_of(target),
                summary=target.summary,
                keeps=target.keeps,
                losing=lost.boards,
                lost=_shown([*lost.names]),
            )
        )
    return tuple(rows)


def _shown(parts: list[str]) -> tuple[str, ...]:
    """Return the names of lost parts, with few names of tags."""
    names = dict.fromkeys("names" if part in _NAMES else part for part in parts)
    words = ["double-dummy tricks" if name == "tricks" else name for name in names]
    words.sort(key=lambda word: not word[0].islower())
    if len(words) <= _MOST_SHOWN + 1:
        return tuple(words)
    return (*words[:_MOST_SHOWN], f"{len(words) - _MOST_SHOWN} more")


def same_of(question: ConvertQuestion) -> Same:
    """Return the command and the lines of Python that write the same file."""
    target, name = format_of(question.to), _name(question)
    by_suffix = format_by_suffix(name)
    shown = by_suffix is not None and by_suffix.name == target.name
    named = [] if shown else ["--to", target.name]
    form = "" if shown else f", format={target.name!r}"
    encoding = _encoding(question)
    named += [] if encoding is None else ["--encoding", encoding]
    form += "" if encoding is None else f", encoding={encoding!r}"
    # grep writes repeated boards, too
    is_once = target.is_of_boards and (question.turn or not question.condition.strip())
    once = ", unique=None" if is_once else ""
    return Same(
        command=command_of(question, ["convert", *named, "-o", path_of(name)], whole=False),
        python=python_of(question, [f"pav.write(boards, {name!r}{form}{once})"]),
    )


def _encoding(question: ConvertQuestion) -> str | None:
    """Return the encoding of written PBN; None for the usual one.

    Between two commands the boards are UTF-8, and the usual encoding depends on that of the input.
    """
    is_piped = question.condition.strip() and question.turn
    return "utf-8" if is_piped and question.to == "pbn" else None


def _name(question: ConvertQuestion) -> str:
    return output_name(question, suffix_of(format_of(question.to)))


@dataclass
class Faults:
    """The first problems of reading and writing, `most` of them, and the number of all."""

    most: int = 1
    first: list[Problem] = field(default_factory=list)
    count: int = 0

    def __call__(self, problem: Problem) -> None:
        """Count a problem."""
        self.count += 1
        if self.count <= self.most:
            self.first.append(problem)


def convert(question: ConvertQuestion) -> Download:
    """Return the boards of files in another format.

    Raises `ReadError` if a board cannot be read or written, except with `leave_out`, and if there
    are no boards.
    """
    target = format_of(question.to)
    faults = Faults()
    reading = Reading(question, faults)
    stream = _Limited()
    encoding = _encoding(question)
    context = Context(
        question.files[0].name, faults, numbering=numbering("deal"), encoding=encoding
    )
    done = _write(question, reading, target, stream, context)
    if faults.count and not question.leave_out:
        more = f", and {faults.count - 1:,} more" if faults.count > 1 else ""
        raise ReadError(f"{faults.first[0]}{more}: choose to leave out boards with problems")
    if not done:
        raise ReadError(nothing(question, reading))
    name = _name(question)
    return Download(name, media_type(name), chunks_of(stream))


def _write(
    question: ConvertQuestion, reading: Reading, target: Format, stream: BinaryIO, context: Context
) -> int:
    """Write the boards, in batches where the command does so; return their number."""
    is_chosen = bool(question.condition.strip())
    if not is_chosen and not question.turn and not target.is_of_boards:
        return target.write_batches(reading.items(target.need), stream, context)
    boards: Iterable[Board] = reading.boards()
    if target.is_of_boards and (question.turn or not is_chosen):
        boards = Repeated(target, chosen=None).without(boards)
    return target.write(boards, stream, context)


def nothing(question: FileQuestion, reading: Reading) -> str:
    """Return why there are no boards."""
    if question.condition.strip() and reading.boards_read:
        return f"none of {many(reading.boards_read, 'board')} satisfies the condition"
    return "there are no boards in the file" if len(question.files) == 1 else "there are no boards"


class _Limited(io.BytesIO):
    """A stream in memory that holds at most `EXPANDED` bytes."""

    def write(self, data: bytes) -> int:  # type: ignore[override]
        """Write bytes; raise `PavError` for too many."""
        if self.tell() + len(data) > EXPANDED:
            raise PavError(
                f"the file would have more than {EXPANDED:,} bytes: use the command on your own "
                "computer"
            )
        return super().write(data)


CONVERT = Task(
    "convert",
    "Return the boards of files in another format.",
    convert,
    ConvertQuestion(file=(HEAT,), to="lin"),
    media_types=MEDIA_TYPES,
)
