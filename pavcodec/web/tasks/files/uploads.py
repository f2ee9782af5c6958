"""Files that somebody sends: their names, their bytes, and the boards in them.

All bytes are hostile. Nothing is written to the disk, and the readers get at most so many bytes and
boards as `limits` says, however small a compressed file is.
"""

from __future__ import annotations

import base64
import io
import re
import zlib
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Annotated, BinaryIO, Literal, TypeAlias, TypeVar, cast

from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    PlainSerializer,
    WithJsonSchema,
    field_validator,
)

from pavcodec.boards import Board, Context, Problem
from pavcodec.boards.turning import Turn, turn_board
from pavcodec.constraints.arrays.search import Search
from pavcodec.constraints.language.parser import parse_expression
from pavcodec.errors import PavError, ReadError
from pavcodec.files.compressed import Decompressed, parts, split_suffix
from pavcodec.formats import Format, Need, boards_in, recognise
from pavcodec.numberings import numbering
from pavcodec.web.tasks.limits import FILE_BOARDS, FILES, TEXT, UPLOAD
from pavcodec.web.tasks.task import Question

if TYPE_CHECKING:
    from pavcodec.boards.batch import BoardBatch

__all__ = ["EXPANDED", "PASTED", "SWAPS", "FileQuestion", "Reading", "Upload"]

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


class Upload(BaseModel):
    """A file: its name without folders, and its bytes in base64, deflated if `packed`."""

    model_config = ConfigDict(frozen=True, extra="forbid")

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
            found = unpacked.decompress(self.content, UPLOAD)
        except zlib.error as error:
            raise ReadError(
                f"{self.name}: its bytes are not those that were sent: {error}"
            ) from None
        if not unpacked.eof:
            raise ReadError(f"{self.name}: it has more than {UPLOAD:,} bytes; {_OWN_COMPUTER}")
        return found


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
class Source:
    """A file that was read: its name, which may be that of a file in a zip file, and its format."""

    name: str
    format: Format


class Reading:
    """The boards of a question, read once, with the files and the problems on the way."""

    def __init__(self, question: FileQuestion, report: Callable[[Problem], None]) -> None:
        self.sources: list[Source] = []
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
        found = self._read()
        if self._question.condition.strip():
            found = self._chosen(found)
        new = self._question.seats
        for board in found:
            yield board if new is None else turn_board(board, new, numbering)

    def _read(self) -> Iterator[Board]:
        """Yield all boards of the files."""
        for format_, stream, context, _ in self._streams():
            yield from self._counted(format_.read(stream, context))

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
                found, whole = self._recognised(name, part)
                self.sources.append(Source(name, found))
                self.boards_of.append(0)
                context = Context(name, self._report, numbering=self._ranks)
                yield found, whole, context, len(data)

    def _recognised(self, name: str, part: BinaryIO) -> tuple[Format, BinaryIO]:
        """Return the format and the decompressed bytes of a file, or of one in a zip file."""
        plain, suffix = split_suffix(name)
        if suffix:
            part = cast("BinaryIO", Decompressed(part, suffix, name))
        if not isinstance(part, io.BytesIO):
            part = cast("BinaryIO", _Counted(part, name, self))
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


class _Counted:
    """A stream that counts the decompressed bytes that a reader takes."""

    def __init__(self, stream: BinaryIO, name: str, reading: Reading) -> None:
        self._stream, self._name, self._reading = stream, name, reading

    def read(self, size: int = -1) -> bytes:
        """Return `size` bytes, or fewer at the end; without a size, all remaining bytes."""
        found: list[bytes] = []
        while size:
            block = self._stream.read(min(size, 1 << 16) if size > 0 else 1 << 16)
            self._reading.take(len(block), self._name)
            if not block:
                break
            found.append(block)
            size -= len(block) if size > 0 else 0
        return b"".join(found)

    def read1(self, size: int = -1) -> bytes:
        """Return the bytes of one read."""
        return self.read(min(size, 1 << 20) if size > 0 else 1 << 20)

    def readable(self) -> bool:
        """Return True."""
        return True

    def seekable(self) -> bool:
        """Return False: the stream can be read only once, from start to end."""
        return False
