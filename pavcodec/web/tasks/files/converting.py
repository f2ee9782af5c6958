"""The files of a question, read within limits, and their conversion to another format.

A question has files or a pasted text, a condition and new seats. The answer says what a format
loses, and has the command that does the same; the file itself is a download.
"""

from __future__ import annotations

import base64
import io
import re
import zlib
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Annotated, Any, BinaryIO, Literal, TypeAlias, TypeVar

from pydantic import BeforeValidator, Field, PlainSerializer, WithJsonSchema, field_validator

from pavcodec.boards import Board, Context, Problem
from pavcodec.constraints.search import Searched
from pavcodec.errors import PavError, ReadError
from pavcodec.files.compressed import split_suffix
from pavcodec.formats import Format, format_of
from pavcodec.formats.losing import LostParts
from pavcodec.formats.registry import FORMATS, format_by_suffix
from pavcodec.numberings import numbering
from pavcodec.questions.asking import Answer as Found
from pavcodec.questions.asking import Asker, Progress, asking, call_of, command_of
from pavcodec.questions.asking import Question as Declared
from pavcodec.questions.inputs import Problems, SentFile, read_inputs
from pavcodec.questions.outputs import MemoryFile
from pavcodec.questions.rewriting import Convert
from pavcodec.questions.searching import Boards, search_of
from pavcodec.web.tasks.asked import problems_of
from pavcodec.web.tasks.task import (
    FILE_BOARDS,
    FILES,
    TEXT,
    UPLOAD,
    ClosedFields,
    Download,
    Fields,
    Question,
    Task,
    path_of,
)
from pavcodec.web.tasks.writing import MEDIA_TYPES, file_of

# Files that somebody sends: their names, their bytes, and the boards in them.
#
# All bytes are hostile. Nothing is written to the disk, and the readers get at most so many bytes
# and boards as the limits of tasks allow, however small a compressed file is.


EXPANDED = 8 * UPLOAD
"""The most bytes of all files together, decompressed."""
PASTED = "pasted.txt"
"""The name of boards that somebody pasted as a text."""

_UNSAFE = re.compile(r"[/\\\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]")
_OWN_COMPUTER = "use the command 'pavcodec' on your own computer for more"

T = TypeVar("T")
D = TypeVar("D", bound=Declared)

Step: TypeAlias = Literal["", "1", "2", "3", "NS", "EW"]


def _decoded(value: object) -> object:
    """Return the bytes of a text in base64; other values unchanged."""
    if not isinstance(value, str):
        return value
    try:
        return base64.b64decode("".join(value.split()), validate=True)
    except ValueError:
        raise ValueError(f"bytes are in base64, as in 'Zm9v', not {value[:40]!r}") from None


Content: TypeAlias = Annotated[
    bytes,
    BeforeValidator(_decoded),
    PlainSerializer(lambda data: base64.b64encode(data).decode(), str),
    WithJsonSchema({"type": "string", "contentEncoding": "base64"}),
]
"""Bytes, in base64 outside of Python."""


class Upload(ClosedFields):
    """A file: its name without folders, and its bytes in base64, deflated if `packed`."""

    name: str = Field(PASTED, min_length=1, max_length=200, description="the name, without folders")
    content: Content = Field(b"", description="the bytes in base64")
    packed: bool = Field(default=False, description="whether the bytes are compressed by zlib")

    @field_validator("name")
    @classmethod
    def _check_name(cls, name: str) -> str:
        if name in (".", "..") or _UNSAFE.search(name):
            raise ValueError(f"a file has a name without folders and line breaks, not {name!r}")
        return name

    @field_validator("content")
    @classmethod
    def _check_size(cls, content: bytes) -> bytes:
        if len(content) > UPLOAD:
            raise ValueError(f"a file has at most {UPLOAD:,} bytes here; {_OWN_COMPUTER}")
        return content

    def data(self) -> bytes:
        """Return the bytes; raise `ReadError` for damaged or too many ones."""
        if not self.packed:
            return self.content
        unpacked = zlib.decompressobj()
        try:
            data = unpacked.decompress(self.content, UPLOAD)
        except zlib.error as error:
            raise ReadError(
                f"{self.name}: its bytes are not those that were sent: {error}"
            ) from None
        if not unpacked.eof:
            raise ReadError(f"{self.name}: it has more than {UPLOAD:,} bytes; {_OWN_COMPUTER}")
        return data


class FileQuestion(Question):
    """Boards of files, or a pasted text; a condition that chooses boards, and new seats."""

    file: tuple[Upload, ...] = Field((), max_length=FILES, description="the files")
    content: str = Field(
        "", max_length=1 << 20, description="boards as a text of any format, instead of files"
    )
    where: str = Field(
        "", max_length=TEXT, description="only boards whose deals satisfy this condition"
    )
    turn: Step = Field(
        "", description="move the players 1, 2 or 3 places clockwise, or swap NS or EW"
    )

    @field_validator("file")
    @classmethod
    def _check_files(cls, files: tuple[Upload, ...]) -> tuple[Upload, ...]:
        if sum(len(each.content) for each in files) > UPLOAD:
            raise ValueError(f"all files together have at most {UPLOAD:,} bytes; {_OWN_COMPUTER}")
        names = [each.name for each in files]
        twice = next((name for name in names if names.count(name) > 1), None)
        if twice is not None:
            raise ValueError(f"two files have the name {twice!r}: give one of them another name")
        return files

    @property
    def files(self) -> tuple[Upload, ...]:
        """The files, or the pasted text as a file; raise `ReadError` if there is none."""
        if self.file:
            return self.file
        if self.content.strip():
            return (
                Upload.model_construct(name=PASTED, content=self.content.encode(), packed=False),
            )
        raise ReadError("choose a file of boards, or paste boards as a text")

    @property
    def paths(self) -> tuple[str, ...]:
        """The paths of the files in the folder of whoever sent them."""
        return tuple(path_of(each.name) for each in self.files)

    def choice(self) -> dict[str, Any]:
        """Return the fields of `Boards` that choose boards and new seats."""
        where = self.where if self.where.strip() else None
        swap = self.turn if self.turn in {"NS", "EW"} else None
        places = int(self.turn) if self.turn and not swap else None
        return {"where": where, "swap": swap, "places": places}

    def asked(self) -> Boards:
        """Return the choice of boards as a question."""
        return Boards(**self.choice())


@dataclass(frozen=True)
class ReadFile:
    """A file that was read: its name, which may be that of a file in a zip file, and its format."""

    name: str
    format: Format


class Sent(Asker):
    """Hears a question about files that somebody sent, and bounds what they expand to.

    `report` hears the problems of inputs.
    """

    def __init__(self, report: Callable[[str], None]) -> None:
        self._report = report
        self._left = EXPANDED
        self._boards = 0

    def problem(self, text: str) -> None:
        """Hear a problem."""
        self._report(text)

    def files(self, question: FileQuestion) -> tuple[SentFile, ...]:
        """Return the files of a question as its inputs."""
        return tuple(SentFile.make(each.name, each.data(), self._take) for each in question.files)

    def _take(self, size: int, name: str) -> None:
        """Count decompressed bytes; raise `ReadError` for too many."""
        self._left -= size
        if self._left < 0:
            raise ReadError(f"{name}: it expands to more than {EXPANDED:,} bytes; {_OWN_COMPUTER}")

    def progress(self, stream: BinaryIO | None, name: str, unit: str, **_: Any) -> Progress:  # noqa: ARG002 (of others)
        """Return what counts the boards of a file."""
        return _Bounded(self, name)

    def count(self, boards: int, name: str) -> None:
        """Count boards; raise `ReadError` for too many."""
        self._boards += boards
        if self._boards > FILE_BOARDS:
            raise ReadError(f"{name}: it has more than {FILE_BOARDS:,} boards; {_OWN_COMPUTER}")


class _Bounded(Progress):
    """Counts the boards of a file."""

    def __init__(self, sent: Sent, name: str) -> None:
        self._sent, self._name = sent, name

    def watch(self, items: Iterable[T], size: Callable[[T], int] | None = None) -> Iterator[T]:
        """Yield the items, counted."""
        for item in items:
            self._sent.count(1 if size is None else size(item), self._name)
            yield item


class FileReading:
    """The boards of a question, read once, with the files and the problems on the way."""

    def __init__(self, question: FileQuestion, report: Callable[[Problem], None]) -> None:
        self.sources: list[ReadFile] = []
        self.boards_of: list[int] = []
        """The boards of each of `sources`, before any condition."""
        self.counts = Searched()
        self._question = question
        self._report = report
        self._sent = Sent(_disregard)

    @property
    def boards_read(self) -> int:
        """The number of boards in the files."""
        return sum(self.boards_of)

    def boards(self) -> Iterator[Board]:
        """Yield the boards that satisfy the condition, in their new seats."""
        asked = self._question.asked()
        problems = _Reported(self._report)
        search = search_of(asked, problems)
        heard = problems if search is None else search.problems
        if search is not None:
            self.counts = search.counts
        files = self._sent.files(self._question)
        read = read_inputs(files, heard, self._read, format_name=None, ranks=numbering("deal"))
        found = read if search is None else search.found(read)
        for _, board in asked.turned(found) if asked.is_turning else found:
            yield board

    def _read(
        self, format_: Format, stream: BinaryIO, context: Context, _: Progress
    ) -> Iterator[tuple[str, Board]]:
        """Yield the boards of a file, and count them."""
        self.sources.append(ReadFile(context.source, format_))
        self.boards_of.append(0)
        for board in format_.read(stream, context):
            self._sent.count(1, context.source)
            self.boards_of[-1] += 1
            yield context.source, board


class _Reported(Problems):
    """Passes problems on."""

    def __init__(self, report: Callable[[Problem], None]) -> None:
        super().__init__()
        self._report = report

    def __call__(self, problem: Problem) -> None:
        """Pass a problem on."""
        self.count += 1
        self._report(problem)


def _disregard(_: str) -> None:
    """Hear nothing."""


# The same question on files of one's own, by command and in Python.


class Same(Fields):
    """The command line and the lines of Python that give the same."""

    command: str = Field(description="the command line that gives the same")
    python: str = Field(description="the lines of Python that give the same")


def output_name(question: FileQuestion, suffix: str) -> str:
    """Return a name for an output with a suffix, which is none of the files.

    >>> from pavcodec.web.tasks.files.converting import Upload
    >>> output_name(FileQuestion(file=(Upload(name="heat.pbn.gz"),)), ".lin")
    'heat.lin'
    >>> output_name(FileQuestion(file=(Upload(name="heat.pbn"),)), ".pbn")
    'heat-new.pbn'
    """
    names = [each.name for each in question.file] or ["boards"]
    stem = "boards"
    if len(names) == 1:
        plain = split_suffix(names[0])[0]
        begin, dot, _ = plain.rpartition(".")
        stem = begin if dot and begin else plain
    name = f"{stem}{suffix}"
    return f"{stem}-new{suffix}" if name in names else name


def suffix_of(target: Format) -> str:
    """Return the suffix of a file of a format."""
    return target.suffixes[0] if target.suffixes else ".txt"


def same_of(question: Declared) -> Same:
    """Return the command and the lines of Python of a question."""
    return Same(command=command_of(question), python=call_of(question))


def within(question: FileQuestion, make: Callable[[tuple[str, ...]], D], *, whole: bool) -> Found:
    """Return the answer to what `make` asks of the files that were sent.

    With `whole`, the first problem of an input is a `ReadError`.
    """

    def report(text: str) -> None:
        if whole:
            raise ReadError(f"{text}: choose to leave out boards with problems")

    sent = Sent(report)
    asked = make(sent.files(question))
    with asking(sent), problems_of(asked):
        return asked.answer()


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


class FormatRow(Fields):
    """A format that can be written, and what the first boards of a question lose in it."""

    name: str
    suffix: str
    summary: str
    keeps: str = Field(description="what it keeps")
    losing: int = Field(description="how many of the first boards lose a part")
    lost: tuple[str, ...] = Field(description="the parts that they lose")


def losses(boards: Iterable[Board]) -> tuple[FormatRow, ...]:
    """Return what boards lose in each format."""
    some = list(boards)
    rows = []
    for target in FORMATS.values():
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


def asked_of(question: ConvertQuestion, files: tuple[str, ...], output: str) -> Convert:
    """Return the question of a conversion; the suffix of its output may say the format."""
    target, by_suffix = format_of(question.to), format_by_suffix(output)
    shown = by_suffix is not None and by_suffix.name == target.name
    to = None if shown else target.name
    return Convert(files=files, output=output, to=to, **question.choice())


def converting(question: ConvertQuestion) -> Same:
    """Return the command and the lines of Python that write the same file."""
    return same_of(asked_of(question, question.paths, path_of(_name(question))))


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
    output = memory_file(_name(question))
    answer = within(
        question, lambda files: asked_of(question, files, output), whole=not question.leave_out
    )
    if not answer.to_dict()["boards"]:
        raise ReadError("there are no boards in the file")
    return file_of(output, output.stream.getvalue())


def memory_file(name: str) -> MemoryFile:
    """Return an output in memory that holds at most `EXPANDED` bytes."""
    made = MemoryFile(name)
    made.stream = _Limited()
    return made


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
