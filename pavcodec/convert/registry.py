"""The formats by name and suffix, and the one way to read and write them all."""

from __future__ import annotations

import io
import os
import sys
import warnings
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from importlib import import_module
from typing import TYPE_CHECKING, Any, BinaryIO, TypeVar, cast

from pavcodec.errors import NumberError, ReadError, UnknownNameError, suggest
from pavcodec.formats.board import Board, Context, Problem, Ranks, raise_problem
from pavcodec.formats.output import open_output
from pavcodec.formats.parquet import (
    MAGIC,
    read_parquet,
    read_parquet_owners,
    write_parquet,
    write_parquet_batches,
)
from pavcodec.formats.pbn import read_pbn
from pavcodec.formats.pbn_writer import ENCODINGS, write_pbn
from pavcodec.formats.plain import (
    looks_like_lines,
    parse_number,
    read_lines,
    read_numbers,
    write_lines,
    write_numbers,
)
from pavcodec.formats.record_files import RECORD_FORMATS, read_zbs, write_zbs
from pavcodec.formats.text import blocks, decode
from pavcodec.layout import Layout
from pavcodec.numberings import numbering as numbering_of
from pavcodec.records import record, record_names

if TYPE_CHECKING:
    from pavcodec.formats.batches import BoardBatch
    from pavcodec.kernels.rows import Owners

__all__ = [
    "Format",
    "format_names",
    "format_of",
    "open_boards",
    "output_format",
    "read",
    "read_with",
    "recognise",
    "write",
    "write_with",
]

T = TypeVar("T")

ARCHIVE_MAGIC = b"PAVARC1\n"
"""The first bytes of an archive."""
_SNIFFED = 1 << 12
_MOST_SNIFFED = 1 << 20


@dataclass(frozen=True)
class Format:
    """A file format: name and suffixes, what it keeps of a board, how it is read and written."""

    name: str
    suffixes: tuple[str, ...]
    summary: str
    keeps: str
    reader: Callable[[BinaryIO, Context], Iterator[Board]]
    writer: Callable[[Iterable[Board], BinaryIO, Context], int]
    keeps_tags: bool = False
    keeps_cards: bool = True
    of_cards: bool = True
    """Whether what it writes of a board follows from its cards alone."""
    numbering: str | None = None
    """The numbering of its numbers, where that is part of the format."""
    is_text: bool = True
    owners_reader: Callable[[BinaryIO, Context], Iterator[Owners]] | None = None
    """Reads the layouts alone, many at once, where there is a quicker way than board by board."""
    batch_writer: Callable[[Iterable[BoardBatch], BinaryIO, Context], int] | None = None
    """Writes batches, where there is a quicker way than board by board."""

    def read(self, stream: BinaryIO, context: Context) -> Iterator[Board]:
        """Yield the boards of a stream."""
        return self.reader(stream, self._with_numbering(context))

    def write(self, boards: Iterable[Board], stream: BinaryIO, context: Context) -> int:
        """Write boards to a stream, and return how many were written."""
        return self.writer(boards, stream, self._with_numbering(context))

    def read_owners(self, stream: BinaryIO, context: Context) -> Iterator[Owners]:
        """Yield the owners of the layouts of a stream, `uint8[n, 52]`, some thousands at a time."""
        from pavcodec.formats.batches import batches_of

        if self.owners_reader is not None:
            return self.owners_reader(stream, self._with_numbering(context))
        return batches_of(_layouts(self.read(stream, context), context))

    def write_batches(
        self, batches: Iterable[BoardBatch], stream: BinaryIO, context: Context
    ) -> int:
        """Write batches as `write` writes their boards, and return how many boards there were."""
        if self.batch_writer is not None:
            return self.batch_writer(batches, stream, self._with_numbering(context))
        return self.write((board for batch in batches for board in batch), stream, context)

    def _with_numbering(self, context: Context) -> Context:
        if self.numbering is None:
            return context
        return replace(context, numbering=numbering_of(self.numbering))


def _layouts(boards: Iterable[Board], context: Context) -> Iterator[Layout]:
    """Yield the cards of boards, and tell of those that have none."""
    for board in boards:
        if board.layout is None:
            context.leave_out(1)
        else:
            yield board.layout


def _quick(
    module: str, function: str, *, room: str = "formats", **options: str
) -> Callable[..., Any]:
    """Return a function of arrays, whose module is imported when it is called."""

    def call(*given: object) -> Any:  # noqa: ANN401
        return getattr(import_module(f"pavcodec.{room}.{module}"), function)(*given, **options)

    return call


def _record_format(
    name: str, keeps: str, *, numbering: str | None = None, of_cards: bool = True
) -> Format:
    """Make the format of files of one kind of records."""
    found = RECORD_FORMATS[name]
    size, summary = record(name).size, record(name).summary
    quick = name not in ("zrd", "zdd")  # which hold more than cards
    return Format(
        name,
        (f".{name}",),
        f"{summary}: {size} bytes each",
        keeps,
        found.read,
        found.write,
        keeps_cards=found.needs_cards,
        of_cards=of_cards,
        numbering=numbering,
        is_text=False,
        owners_reader=_quick("batch_readers", "read_record_owners", name=name) if quick else None,
        batch_writer=_quick("batch_writers", "write_record_batches", name=name) if quick else None,
    )


_FORMATS = {
    format_.name: format_
    for format_ in (
        Format(
            "pbn",
            (".pbn",),
            "Portable Bridge Notation 2.1: import format read, export format written",
            "cards, every tag, section and comment",
            read_pbn,
            write_pbn,
            keeps_tags=True,
            of_cards=False,
            owners_reader=_quick("pbn_owners", "read_pbn_owners"),
            batch_writer=_quick("pbn_batches", "write_pbn_batches"),
        ),
        Format(
            "lines",
            (".txt", ".lines"),
            "one deal text a line, as in N:AK.Q.. - .32.4. -",
            "cards",
            read_lines,
            write_lines,
            owners_reader=_quick("batch_readers", "read_line_owners"),
            batch_writer=_quick("batch_writers", "write_line_batches"),
        ),
        Format(
            "numbers",
            (".numbers",),
            "one number a line, decimal or 0x hexadecimal, in a numbering",
            "cards",
            read_numbers,
            write_numbers,
            owners_reader=_quick("batch_readers", "read_number_owners"),
            batch_writer=_quick("batch_writers", "write_number_batches"),
        ),
        _record_format("deal12", "the cards of deals", numbering="deal"),
        _record_format("balanced14", "the cards of balanced endings", numbering="balanced"),
        _record_format("ending15", "the cards, at most 13 a hand", numbering="ending"),
        _record_format("base5-16", "cards, and the tag Spare", numbering="base5", of_cards=False),
        _record_format("deal13", "the cards of deals"),
        _record_format("layout20", "cards"),
        Format(
            "zbs",
            (".zbs",),
            "any layout, a word of 4 bytes for each suit; also suits that stand alone",
            "cards, and the tag SuitLayout",
            read_zbs,
            write_zbs,
            of_cards=False,
            is_text=False,
        ),
        _record_format("zrd", "the cards of deals, and double-dummy tricks", of_cards=False),
        _record_format("zdd", "double-dummy tricks", of_cards=False),
        Format(
            "parquet",
            (".parquet",),
            "a table with a row for each board, for DuckDB, Polars and Spark; needs pyarrow",
            "cards, every tag, section and comment",
            read_parquet,
            write_parquet,
            keeps_tags=True,
            of_cards=False,
            numbering="deal",
            is_text=False,
            owners_reader=read_parquet_owners,
            batch_writer=write_parquet_batches,
        ),
        Format(
            "pav",
            (".pav",),
            "an archive: all boards in few bytes, with checksums and an index",
            "cards, every tag, section and comment",
            _quick("stream", "read_pav", room="archive"),
            _quick("stream", "write_pav", room="archive"),
            keeps_tags=True,
            of_cards=False,
            numbering="deal",
            is_text=False,
            owners_reader=_quick("stream", "read_pav_owners", room="archive"),
            batch_writer=_quick("stream", "write_pav_batches", room="archive"),
        ),
    )
}


def format_names() -> list[str]:
    """Return the names of all formats.

    >>> format_names()  # doctest: +ELLIPSIS
    ['pbn', 'lines', 'numbers', 'deal12', ..., 'zrd', 'zdd', 'parquet', 'pav']
    """
    return list(_FORMATS)


def format_of(name: str) -> Format:
    """Return the format of a name; raise `UnknownNameError` for another name."""
    if name not in _FORMATS:
        raise suggest("format", name, format_names())
    return _FORMATS[name]


def _format_by_suffix(path: str) -> Format | None:
    suffix = os.path.splitext(path)[1].lower()
    return next((f for f in _FORMATS.values() if suffix in f.suffixes), None)


def output_format(path: str, name: str | None) -> Format:
    """Return the format to write a path in: the one named, or that of the suffix."""
    found = format_of(name) if name else _format_by_suffix(path)
    if found is None:
        suffixes = " ".join(suffix for f in _FORMATS.values() for suffix in f.suffixes)
        raise UnknownNameError(
            f"{path!r} does not tell its format: "
            f"name it ({', '.join(_FORMATS)}), or use a suffix ({suffixes})"
        )
    return found


def _sniff(stream: BinaryIO) -> tuple[Format, BinaryIO]:
    """Tell the format of a stream by its first line that says something, and return it unread.

    Of the formats that are no text, Parquet and archives show what they are.
    """
    read = getattr(stream, "read1", stream.read)
    start = b""
    line, complete = "", False
    while not complete and len(start) < _MOST_SNIFFED:
        more: bytes = read(_SNIFFED)
        start += more
        if start.startswith(MAGIC):
            return _FORMATS["parquet"], cast("BinaryIO", _Rejoined(start, read))
        if start.startswith(ARCHIVE_MAGIC):
            return _FORMATS["pav"], cast("BinaryIO", _Rejoined(start, read))
        line, complete = _first_line(start)
        complete = complete or not more
    return _format_of_line(line), cast("BinaryIO", _Rejoined(start, read))


def _first_line(start: bytes) -> tuple[str, bool]:
    """Return the first line that is neither blank nor a remark, and whether all of it is there."""
    *whole, rest = decode(b"".join(blocks(io.BytesIO(start)))).split("\n")
    for line in whole:
        if line.strip() and not line.lstrip().startswith("#"):
            return line, True
    return rest, False


def _format_of_line(line: str) -> Format:
    if looks_like_lines(line):
        return _FORMATS["lines"]
    try:
        parse_number(line)
    except NumberError:
        return _FORMATS["pbn"]
    return _FORMATS["numbers"]


class _Rejoined:
    """A stream whose start was read already, put together again; the stream itself stays open."""

    def __init__(self, start: bytes, read: Callable[[int], bytes]) -> None:
        self._start = start
        self._read = read

    def read(self, size: int) -> bytes:
        """Return the start, then what the stream gives."""
        start, self._start = self._start, b""
        return start or self._read(size)


def open_boards(
    stream: BinaryIO, context: Context, *, path: str = "", name: str | None = None
) -> Iterator[Board]:
    """Yield the boards of an open stream, in the format named, that of the path, or that seen."""
    found, whole = recognise(stream, path=path, name=name)
    return found.read(whole, context)


def recognise(
    stream: BinaryIO, *, path: str = "", name: str | None = None
) -> tuple[Format, BinaryIO]:
    """Return the format of an open stream, and the stream with nothing of it read.

    It is the format named, else that of the path. Text files and streams without a telling name are
    looked into: PBN, deal texts or numbers.
    """
    found = format_of(name) if name else _format_by_suffix(path)
    if found is None and os.path.splitext(path)[1].lower().removeprefix(".") in record_names():
        raise ReadError(f"{path}: a file of these records holds no boards; see 'pavcodec info'")
    if found is None or (not name and found.name == "lines"):
        return _sniff(stream)
    return found, stream


def _warn(problem: Problem) -> None:
    """Turn a problem into a Python warning at the line outside this package that was reading."""
    level = 1
    frame = sys._getframe()
    while frame.f_back and frame.f_globals["__name__"].startswith("pavcodec."):
        frame = frame.f_back
        level += 1
    warnings.warn(str(problem), stacklevel=level)


def read(
    source: str | os.PathLike[str] | BinaryIO,
    *,
    format: str | None = None,
    strict: bool = False,
    report: Callable[[Problem], None] | None = None,
    numbering: str | Ranks = "deal",
) -> Iterator[Board]:
    r"""Read the boards of a file or a binary stream, one after another.

    The format is the one named, else that of the suffix, else found by looking. What cannot be read
    is handed to `report` as a `Problem`, and the rest of the file is still read; without `report`
    each problem is a Python warning. `strict` raises `ReadError` at the first problem and takes no
    deviations from the standard. `numbering` says what the numbers of the format `numbers` mean.

    >>> import io
    >>> pbn = b'[Board "3"]\n[Deal "N:AKQJT98765432... - - -"]\n'
    >>> [(board.number, str(board.layout)) for board in read(io.BytesIO(pbn))]
    [(3, 'N:AKQJT98765432... - - -')]
    """
    return read_with(
        Format.read,
        source,
        format=format,
        strict=strict,
        report=report,
        numbering=numbering,
    )


def read_with(  # noqa: PLR0913 (those of `read`)
    read_one: Callable[[Format, BinaryIO, Context], Iterator[T]],
    source: str | os.PathLike[str] | BinaryIO,
    *,
    format: str | None,
    strict: bool,
    report: Callable[[Problem], None] | None,
    numbering: str | Ranks,
) -> Iterator[T]:
    """Read a file or a binary stream by a method of its format; `read` has the contract."""
    ranks = numbering_of(numbering) if isinstance(numbering, str) else numbering
    if format is not None:
        format_of(format)
    path = os.fspath(source) if isinstance(source, str | os.PathLike) else ""
    if not path and (isinstance(source, io.TextIOBase) or not hasattr(source, "read")):
        kind = type(source).__name__
        raise TypeError(f"boards are read from a path or a stream of bytes, not {kind!r}")
    handle = raise_problem if strict else report or _warn
    context = Context(path or "stream", handle, strict, ranks)

    def read_stream(stream: BinaryIO) -> Iterator[T]:
        found, whole = recognise(stream, path=path, name=format)
        return read_one(found, whole, context)

    if isinstance(source, str | os.PathLike):
        return _read_and_close(read_stream, open(source, "rb"))
    return read_stream(source)


def _read_and_close(
    read_stream: Callable[[BinaryIO], Iterator[T]], stream: BinaryIO
) -> Iterator[T]:
    with stream:
        yield from read_stream(stream)


def write(
    boards: Iterable[Board | Layout],
    target: str | os.PathLike[str] | BinaryIO,
    *,
    format: str | None = None,
    numbering: str | Ranks = "deal",
    encoding: str | None = None,
) -> int:
    r"""Write boards to a file or a binary stream, in the format named or that of the suffix.

    Returns how many boards were written. A file is complete or absent: it gets its name when
    everything is written. A board that the format cannot hold raises `ReadError`. A layout stands
    for a board without tags. `encoding` is for PBN: ISO-8859-1 or, if a character needs it, UTF-8
    unless it is given.

    >>> import io
    >>> from pavcodec import numbering
    >>> stream = io.BytesIO()
    >>> write([Board.make(numbering("deal")[0])], stream, format="numbers", numbering="andrews")
    1
    >>> stream.getvalue()
    b'0\n'
    """
    whole = (Board(each) if isinstance(each, Layout) else each for each in boards)

    def write_all(found: Format, stream: BinaryIO, context: Context) -> int:
        return found.write(whole, stream, context)

    return write_with(write_all, target, format=format, numbering=numbering, encoding=encoding)


def write_with(
    write_all: Callable[[Format, BinaryIO, Context], int],
    target: str | os.PathLike[str] | BinaryIO,
    *,
    format: str | None,
    numbering: str | Ranks,
    encoding: str | None,
) -> int:
    """Write a file or a binary stream by a function of its format; `write` has the contract."""
    ranks = numbering_of(numbering) if isinstance(numbering, str) else numbering
    path = os.fspath(target) if isinstance(target, str | os.PathLike) else "stream"
    context = Context("boards", numbering=ranks, encoding=encoding)
    found = output_format(path, format)
    if encoding is not None and encoding not in ENCODINGS:
        raise suggest("encoding", encoding, list(ENCODINGS))
    if isinstance(target, str | os.PathLike):
        with open_output(target) as stream:
            return write_all(found, stream, context)
    return write_all(found, target, context)
