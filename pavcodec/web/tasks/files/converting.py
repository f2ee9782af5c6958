"""The files of a question, read within limits, and their conversion to another format.

A question has files or a pasted text, a condition and new seats. The answer says what a format
loses, and has the command that does the same; the file itself is a download.
"""

from __future__ import annotations

import base64
import io
import re
import shlex
import zlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from typing import TYPE_CHECKING, Annotated, BinaryIO, Literal, TypeAlias, TypeVar, cast

from pydantic import BeforeValidator, Field, PlainSerializer, WithJsonSchema, field_validator

from pavcodec.boards import Board, Context, Problem
from pavcodec.boards.turning import Turn, turn_board
from pavcodec.chances.figures import many
from pavcodec.constraints.arrays.search import Search
from pavcodec.constraints.language.parser import parse_expression
from pavcodec.errors import PavError, ReadError
from pavcodec.files.compressed import Decompressed, parts, split_suffix
from pavcodec.formats import Format, Need, boards_in, format_names, format_of, recognise
from pavcodec.formats.losing import LostParts
from pavcodec.formats.registry import Repeated, format_by_suffix
from pavcodec.numberings import numbering
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

if TYPE_CHECKING:
    from pavcodec.boards.batch import BoardBatch


# Files that somebody sends: their names, their bytes, and the boards in them.
#
# All bytes are hostile. Nothing is written to the disk, and the readers get at most so many bytes
# and boards as the limits of tasks allow, however small a compressed file is.


EXPANDED = 8 * UPLOAD
"""The most bytes of all files together, decompressed."""
PASTED = "pasted.txt"
"""The name of boards that somebody pasted as a text."""
SWAPS = {"NS": "SENW", "EW": "NWSE"}
"""The seats after two partners have swapped theirs."""

_AT_ONCE = 1024
_UNSAFE = re.compile(r"[/\\\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]")
_OWN_COMPUTER = "use the command 'pavcodec' on your own computer for more"

Item = TypeVar("Item", bound="BoardBatch | Board")

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
    condition: str = Field(
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
    def seats(self) -> Turn | None:
        """The new seats of the players; None if they stay."""
        if not self.turn:
            return None
        return Turn.of(seats=SWAPS[self.turn]) if self.turn in SWAPS else Turn.of(int(self.turn))


@dataclass(frozen=True)
class ReadFile:
    """A file that was read: its name, which may be that of a file in a zip file, and its format."""

    name: str
    format: Format


class FileReading:
    """The boards of a question, read once, with the files and the problems on the way."""

    def __init__(self, question: FileQuestion, report: Callable[[Problem], None]) -> None:
        self.sources: list[ReadFile] = []
        self.boards_of: list[int] = []
        """The boards of each of `sources`, before any condition."""
        self.without_deal = 0
        """The boards that a condition cannot test."""
        self._question = question
        self._report = report
        self._left = EXPANDED
        self._ranks = numbering("deal")

    @property
    def boards_read(self) -> int:
        """The number of boards in the files."""
        return sum(self.boards_of)

    def boards(self) -> Iterator[Board]:
        """Yield the boards that satisfy the condition, in their new seats."""
        boards: Iterator[Board] = (
            board
            for format_, stream, context, _ in self._streams()
            for board in self._counted(format_.read(stream, context))
        )
        if self._question.condition.strip():
            boards = self._chosen(boards)
        new = self._question.seats
        for board in boards:
            yield board if new is None else turn_board(board, new, numbering)

    def items(self, need: Need) -> Iterator[BoardBatch | Board]:
        """Yield all boards of the files, in batches where these are faster.

        There is no condition, and the players stay.
        """
        for format_, stream, context, size in self._streams():
            known = replace(context, on_skipped=self._add)
            yield from self._counted(format_.read_batches(stream, known, need, size=size))

    def _streams(self) -> Iterator[tuple[Format, BinaryIO, Context, int]]:
        """Yield the format, the bytes, the context and the size of each file."""
        for file in self._question.files:
            data = file.data()
            stream = io.BytesIO(data)  # batches may read from it later, so nothing closes it
            for name, part in parts(stream, file.name):
                source, whole = self._recognised(name, part)
                self.sources.append(ReadFile(name, source))
                self.boards_of.append(0)
                context = Context(name, self._report, numbering=self._ranks)
                yield source, whole, context, len(data)

    def _recognised(self, name: str, part: BinaryIO) -> tuple[Format, BinaryIO]:
        """Return the format and the decompressed bytes of a file, or of one in a zip file."""
        plain, suffix = split_suffix(name)
        if suffix:
            part = cast("BinaryIO", Decompressed(part, suffix, name))
        if not isinstance(part, io.BytesIO):
            part = cast("BinaryIO", _CountedStream(part, name, self))
        return recognise(part, path=plain)

    def _counted(self, items: Iterable[Item]) -> Iterator[Item]:
        for item in items:
            self._add(boards_in(item))
            yield item

    def _add(self, boards: int) -> None:
        """Count boards of the file; raise `ReadError` for too many."""
        self.boards_of[-1] += boards
        if self.boards_read > FILE_BOARDS:
            name = self.sources[-1].name
            raise ReadError(f"{name}: it has more than {FILE_BOARDS:,} boards; {_OWN_COMPUTER}")

    def take(self, size: int, name: str) -> None:
        """Count decompressed bytes; raise `ReadError` for too many."""
        self._left -= size
        if self._left < 0:
            raise ReadError(f"{name}: it expands to more than {EXPANDED:,} bytes; {_OWN_COMPUTER}")

    def _chosen(self, boards: Iterator[Board]) -> Iterator[Board]:
        """Yield the boards that satisfy the condition, as `pavcodec grep` does."""
        search = Search(parse_expression(self._question.condition))
        some: list[Board] = []
        for board in boards:
            if board.layout is None or not board.layout.is_deal:
                self.without_deal += 1
                continue
            some.append(board)
            if len(some) == _AT_ONCE:
                yield from self._searched(search, some)
                some = []
        yield from self._searched(search, some)

    def _searched(self, search: Search, some: list[Board]) -> Iterator[Board]:
        results = search.results([board.layout for board in some if board.layout is not None])
        for board, result in zip(some, results, strict=True):
            if isinstance(result, PavError):
                self._report(
                    Problem(
                        self.sources[-1].name,
                        board.line,
                        f"{result}: '{board.layout}'",
                        board.tags.get("Board"),
                    )
                )
            elif result:
                yield board


class _CountedStream:
    """A stream that counts the decompressed bytes that a reader takes."""

    def __init__(self, stream: BinaryIO, name: str, reading: FileReading) -> None:
        self._stream, self._name, self._reading = stream, name, reading

    def read(self, size: int = -1) -> bytes:
        """Return `size` bytes, or fewer at the end; without a size, all remaining bytes."""
        blocks: list[bytes] = []
        while size:
            block = self._stream.read(min(size, 1 << 16) if size > 0 else 1 << 16)
            self._reading.take(len(block), self._name)
            if not block:
                break
            blocks.append(block)
            size -= len(block) if size > 0 else 0
        return b"".join(blocks)

    def read1(self, size: int = -1) -> bytes:
        """Return the bytes of one read."""
        return self.read(min(size, 1 << 20) if size > 0 else 1 << 20)

    def readable(self) -> bool:
        """Return True."""
        return True

    def seekable(self) -> bool:
        """Return False: the stream can be read only once, from start to end."""
        return False


# The command lines and the lines of Python that do the same with the files of a question.


_BETWEEN = "jsonl"
"""The format of boards between two commands: it keeps all, and unlike PBN it adds no tags."""


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


def command_of(question: FileQuestion, last: Sequence[str], *, whole: bool = True) -> str:
    """Return the command line; `last` are the words of the last command without its inputs.

    Without `whole`, the options of `last` go to `grep` or `turn` where these are needed.
    """
    inputs = [path_of(each.name) for each in question.files]
    steps: list[tuple[str, list[str], list[str]]] = []  # the name, the arguments, the options
    if question.condition.strip():
        steps.append(("grep", [question.condition], []))
    if question.turn:
        way = "--swap" if question.turn in SWAPS else "--places"
        steps.append(("turn", [], [way, question.turn]))
    name, *options = last
    if whole or not steps:
        steps.append((name, [], options))
    else:
        steps[-1][2].extend(options)
    texts = []
    for index, (step, given, chosen) in enumerate(steps):
        arguments = [*given, *(["-"] if index else inputs)]
        more = [*chosen, *(["--from", _BETWEEN] if index else [])]
        more += ["--to", _BETWEEN] if index + 1 < len(steps) else []
        words = [*arguments, *more]
        if arguments[0].startswith("-") and arguments != ["-"]:
            words = [*more, "--", *arguments]
        texts.append(shlex.join(["pavcodec", step, *words]))
    return " | ".join(texts)


def python_of(question: FileQuestion, last: Sequence[str]) -> str:
    """Return the lines of Python; in `last`, `boards` are the boards."""
    names = [each.name for each in question.files]
    read = f"pav.read({names[0]!r})" if len(names) == 1 else ""
    lines = ["import pavcodec as pav", ""]
    if read:
        lines += [f"boards = list({read})"]
    else:
        lines += [
            f"names = {names!r}",
            "boards = [board for name in names for board in pav.read(name)]",
        ]
    if question.condition.strip():
        lines += [
            f"wanted = pav.expression({question.condition!r})",
            "boards = [board for board in boards if board.layout is not None",
            "          and board.layout.is_deal and wanted.value(board.layout)]",
        ]
    if question.turn:
        how = f"seats={SWAPS[question.turn]!r}" if question.turn in SWAPS else question.turn
        lines += [f"boards = [pav.turn(board, {how}, numbering=pav.numbering) for board in boards]"]
    return "\n".join([*lines, *last])


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
    reading = FileReading(question, faults)
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
    return file_of(name, stream.getvalue())


def _write(
    question: ConvertQuestion,
    reading: FileReading,
    target: Format,
    stream: BinaryIO,
    context: Context,
) -> int:
    """Write the boards, in batches where the command does so; return their number."""
    is_chosen = bool(question.condition.strip())
    if not is_chosen and not question.turn and not target.is_of_boards:
        return target.write_batches(reading.items(target.need), stream, context)
    boards: Iterable[Board] = reading.boards()
    if target.is_of_boards and (question.turn or not is_chosen):
        boards = Repeated(target, chosen=None).without(boards)
    return target.write(boards, stream, context)


def nothing(question: FileQuestion, reading: FileReading) -> str:
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
