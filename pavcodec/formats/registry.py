"""Reading and writing files of all formats."""

from __future__ import annotations

import io
import os
import sys
import warnings
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from typing import BinaryIO, TypeVar, cast

from pavcodec.boards.batch import BoardBatch, Gathered, More
from pavcodec.boards.board import Board, Context, Problem, Ranks, raise_problem
from pavcodec.errors import ReadError, UnknownNameError, check_text, shown, suggest
from pavcodec.files.compressed import Decompressed, open_compressed_output, parts, split_suffix
from pavcodec.files.opening import open_file
from pavcodec.files.paths import shown_path
from pavcodec.files.text import Rejoined, blocks, decode, half_characters_refused
from pavcodec.formats.bbo import HANDVIEWER, LIN
from pavcodec.formats.clubs import CLUB_FORMATS
from pavcodec.formats.drawings import DIAGRAM, HTML, PDF, SVG
from pavcodec.formats.format import ArrayCodec, Format, Label, lossless_format
from pavcodec.formats.npy import NPY, npy_form
from pavcodec.formats.parquet import PARQUET, parquet_form
from pavcodec.formats.pbn import PBN
from pavcodec.formats.plain import LINES, NUMBERS
from pavcodec.formats.programs import CODE_FORMATS, DEAL_FORMATS, JSON_FORMATS
from pavcodec.formats.rbn import RBN, RBX
from pavcodec.formats.records import RECORDS
from pavcodec.layout import Layout
from pavcodec.numberings import numbering as numbering_of
from pavcodec.records import record_names

# The format `pav`, whose files the archive reads and writes.


def _arrays() -> ArrayCodec:
    from pavcodec.archive.stream import read_pav
    from pavcodec.archive.writer import write_pav

    return ArrayCodec(read_pav, write_pav)


PAV = lossless_format(
    "pav",
    (".pav",),
    "an archive: all boards in few bytes, with checksums and an index",
    arrays=_arrays,
    numbering="deal",
    is_text=False,
    cannot_grow="'pavcodec append' adds boards to an archive",
    is_durable=True,
    starts=(b"PAVARC1\n",),
    label=Label("Tables and numbers", "Archive", "few bytes", 31),
)


# All formats, in the order in which `recognition` tries them on streams without a known suffix.


FORMATS = {
    format_.name: format_
    for format_ in (
        PBN,
        LINES,
        *DEAL_FORMATS,  # before numbers, since a deal of 52 digits is also a number
        NUMBERS,
        LIN,
        HANDVIEWER,
        RBN,
        RBX,
        *JSON_FORMATS,
        *RECORDS,
        *CLUB_FORMATS,
        *CODE_FORMATS,
        NPY,
        PARQUET,
        PAV,
        DIAGRAM,
        HTML,
        PDF,
        SVG,
    )
}


# The format of a file: by a name, by its suffix, or by its first bytes or lines.


_FORMS = {"npy": npy_form, "parquet": parquet_form}
"""The formats that have forms: the function that returns the form of a name."""

_SEEN = 1 << 12
_MOST_SEEN = 1 << 20


def format_names() -> list[str]:
    """Return the names of all formats.

    >>> format_names()  # doctest: +ELLIPSIS
    ['pbn', 'lines', 'dealer', ..., 'diagram', 'html', 'pdf', 'svg']
    """
    return list(FORMATS)


def labels() -> list[tuple[str, Label]]:
    """Return the names and the labels of formats, those that most people want first.

    >>> [(name, label.name) for name, label in labels()[:2]]
    [('pbn', 'PBN'), ('lin', 'LIN')]
    """
    pairs = [(each.name, each.label) for each in FORMATS.values() if each.label is not None]
    return sorted(pairs, key=lambda pair: pair[1].place)


def format_of(name: str) -> Format:
    """Return the format of a name; raise `UnknownNameError` for another name.

    The name of a form of `npy` has its view and seat: `npy:openspiel`, `npy:ben-hand:S`. That of a
    form of `parquet` has its columns: `parquet:number,south_hcp`.
    """
    check_text("the name of a format", name)
    whole, colon, _ = name.partition(":")
    if colon and whole in _FORMS:
        return _FORMS[whole](name)
    if name not in FORMATS:
        raise suggest("format", name, format_names())
    return FORMATS[name]


def format_by_suffix(path: str) -> Format | None:
    """Return the format of a path's suffix, or None; suffixes of compressed files are ignored.

    >>> format_by_suffix("event.pbn.gz").name
    'pbn'
    """
    suffix = os.path.splitext(split_suffix(path)[0])[1].lower()
    return next((f for f in FORMATS.values() if suffix in f.suffixes), None)


def open_boards(
    stream: BinaryIO, context: Context, *, path: str = "", name: str | None = None
) -> Iterator[Board]:
    """Yield the boards of an open stream; `recognise` finds its format."""
    format_, whole = recognise(stream, path=path, name=name)
    return format_.read(whole, context)


def recognise(
    stream: BinaryIO, *, path: str = "", name: str | None = None
) -> tuple[Format, BinaryIO]:
    """Return the format of an open stream, and a stream that begins with its first byte.

    The format is that of `name`, else that of the path's suffix. For `.txt` and unknown suffixes,
    the first bytes or the first line determine the format; the default is PBN. A path that ends in
    `.gz`, `.bz2`, `.xz`, `.zst` or `.zip` is decompressed; a zip file must hold one file. Raises
    `ReadError` for records without boards.
    """
    plain, suffix = split_suffix(path)
    if suffix:
        stream, path = cast("BinaryIO", Decompressed(stream, suffix, path)), plain
    format_ = format_of(name) if name else format_by_suffix(path)
    if format_ is None and os.path.splitext(path)[1].lower().removeprefix(".") in record_names():
        raise ReadError(f"{path}: a file of these records holds no boards; see 'pavcodec info'")
    if format_ is None or (not name and format_.name == "lines"):
        return _look(stream)
    return format_, stream


def _look(stream: BinaryIO) -> tuple[Format, BinaryIO]:
    """Return the format of a stream by its first bytes or line, and the whole stream."""
    read = getattr(stream, "read1", stream.read)
    start, format_ = b"", None
    while format_ is None and len(start) < _MOST_SEEN:
        more = read(_SEEN)
        start += more
        format_ = _format_of_start(start, is_whole=not more)
    format_ = format_ or _format_of_start(start, is_whole=True)
    return format_ or FORMATS["pbn"], cast("BinaryIO", Rejoined(start, read))


def _format_of_start(start: bytes, *, is_whole: bool) -> Format | None:
    """Return the format of a file with this start; None if more bytes are needed."""
    for format_ in FORMATS.values():
        if format_.starts and start.startswith(format_.starts):
            return format_
        if format_.begins is not None and format_.begins.match(start):
            return format_
    line, is_complete = _first_line(start)
    if not is_complete and not is_whole:
        return None
    recognised = (f for f in FORMATS.values() if f.recognises is not None and f.recognises(line))
    return next(recognised, FORMATS["pbn"])


def _first_line(start: bytes) -> tuple[str, bool]:
    """Return the first line that is neither blank nor a remark, and whether it is complete."""
    *whole, rest = decode(b"".join(blocks(io.BytesIO(start)))).split("\n")
    for line in whole:
        if line.strip() and not line.lstrip().startswith("#"):
            return line, True
    return rest, False


# Boards that repeat: a file of results has each board once for each table.


class Repeated:
    """A filter that removes boards with the number and the deal of an earlier board.

    `chosen` is the choice of the user, or None. With None, the filter works only for formats that
    hold the boards of a session, and only on boards with a number: a file of results has each board
    once for each table.
    """

    def __init__(self, target: Format, *, chosen: bool | None) -> None:
        self.left_out = 0
        self.is_looked_for = target.is_of_boards if chosen is None else chosen
        self.is_asked_for = chosen is not None
        self._seen: set[tuple[str, bytes]] = set()

    def of(self, batch: BoardBatch) -> BoardBatch:
        """Return a batch without repetitions; as it is if no board has a number to look at."""
        if batch.holds is More.NOTHING and not self.is_asked_for:
            return batch
        return Gathered(list(self.without(batch)))

    def without(self, boards: Iterable[Board]) -> Iterator[Board]:
        """Yield the boards without repetitions; all boards without cards are yielded."""
        for board in boards:
            number = board.tags.get("Board", "")
            if self.is_looked_for and board.layout is not None and (number or self.is_asked_for):
                key = number, bytes(board.layout.owners)
                if key in self._seen:
                    self.left_out += 1
                    continue
                self._seen.add(key)
            yield board


T = TypeVar("T")


def output_format(path: str, name: str | None) -> Format:
    """Return the format of an output: that of `name`, or that of the path's suffix."""
    format_ = format_of(name) if name else format_by_suffix(path)
    if format_ is None:
        raise UnknownNameError(
            f"{path!r} does not show its format: name the format, or use a suffix; "
            "'pavcodec formats' lists them"
        )
    return format_


def _warn(problem: Problem | str) -> None:
    """Warn of a problem or a note, at the caller's line outside this package."""
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

    The format is that of `format`, else that of the suffix, else that of the first bytes or line.
    A path may end in `.gz`, `.bz2`, `.xz`, `.zst` or `.zip`; of a zip file all files are read.
    The reader passes each part that it cannot read to `report` as a `Problem`, and reads on;
    without `report` each problem is a Python warning. `strict` raises `ReadError` at the first
    problem and accepts no deviations from the standard. `numbering` is that of the format
    `numbers`.

    >>> import io
    >>> pbn = b'[Board "3"]\n[Deal "N:AKQJT98765432... - - -"]\n'
    >>> [(board.number, str(board.layout)) for board in read(io.BytesIO(pbn))]
    [(3, 'N:AKQJT98765432... - - -')]
    """
    return read_with(
        Format.read, source, format=format, strict=strict, report=report, numbering=numbering
    )


def _check_report(report: object) -> None:
    if report is not None and not callable(report):
        kind = type(report).__name__
        raise TypeError(f"report is a function that takes a Problem, not {kind!r}")


def _ranks_of(numbering: object) -> Ranks:
    """Return a numbering by its name, or as it is; raise `TypeError` for another value."""
    if isinstance(numbering, str):
        return numbering_of(numbering)
    if not hasattr(numbering, "rank"):
        raise TypeError(f"a numbering is its name or a Numbering, not {type(numbering).__name__!r}")
    return cast("Ranks", numbering)


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
    ranks = _ranks_of(numbering)
    if format is not None:
        format_of(format)
    path = os.fspath(source) if isinstance(source, str | os.PathLike) else ""
    if not path and (isinstance(source, io.TextIOBase) or not hasattr(source, "read")):
        kind = type(source).__name__
        raise TypeError(f"boards are read from a path or a stream of bytes, not {kind!r}")
    _check_report(report)
    handle = raise_problem if strict else report or _warn
    context = Context(shown_path(path) or "stream", handle, strict, ranks)

    def read_part(name: str, stream: BinaryIO) -> Iterator[T]:
        format_, whole = recognise(stream, path=name, name=format)
        return read_one(format_, whole, replace(context, source=shown_path(name) or "stream"))

    def read_and_close(stream: BinaryIO) -> Iterator[T]:
        with stream:
            for name, part in parts(stream, path):
                yield from read_part(name, part)

    if isinstance(source, str | os.PathLike):
        return read_and_close(open_file(source))
    return read_part("", source)


def write(  # noqa: PLR0913 (the options of a file, each by its name)
    boards: Iterable[Board | Layout],
    target: str | os.PathLike[str] | BinaryIO,
    *,
    format: str | None = None,
    numbering: str | Ranks = "deal",
    encoding: str | None = None,
    unique: bool | None = False,
    preface: Iterable[str] = (),
) -> int:
    r"""Write boards to a file or a binary stream, in the format named or that of the suffix.

    Returns the number of boards written. A file is complete or absent: it gets its name at the end.
    A path that ends in `.gz`, `.bz2`, `.xz`, `.zst` or `.zip` is compressed.
    Raises `ReadError` for a board that the format cannot hold. A layout is written as a board
    without tags. `encoding` is for PBN; the default is ISO-8859-1, or UTF-8 if the text was UTF-8
    or a character needs it. A change in the text, such as of a comma in LIN, gives a warning. With
    `unique`, a board is left out after one with the same number and deal; None does so only in
    formats of clubs and dealing machines, as `pavcodec convert` does. `preface` are lines for the
    start of the file, as comments, where the format has a place for them.

    >>> import io
    >>> from pavcodec import numbering
    >>> stream = io.BytesIO()
    >>> write([Board.make(numbering("deal")[0])], stream, format="numbers", numbering="andrews")
    1
    >>> stream.getvalue()
    b'0\n'
    """
    if isinstance(boards, Layout | Board | str | bytes) or not isinstance(boards, Iterable):
        kind = type(boards).__name__
        raise TypeError(f"boards are written one after another, as in [board], not {kind!r}")
    if not isinstance(unique, bool | None):
        raise TypeError(f"unique is True, False or None, not {shown(unique)}")
    first = tuple(preface)
    for line in first:
        check_text("a line of the preface", line)
    whole = map(_whole, boards)

    def write_all(format_: Format, stream: BinaryIO, context: Context) -> int:
        kept = whole if unique is False else Repeated(format_, chosen=unique).without(whole)
        return format_.write(kept, stream, replace(context, preface=first))

    return write_with(write_all, target, format=format, numbering=numbering, encoding=encoding)


def _whole(item: object) -> Board:
    """Return a board unchanged, and a layout as a board without tags."""
    if isinstance(item, Board):
        return item
    if isinstance(item, Layout):
        return Board(item)
    raise TypeError(f"boards and layouts are written, not {type(item).__name__!r}")


@half_characters_refused()
def write_with(
    write_all: Callable[[Format, BinaryIO, Context], int],
    target: str | os.PathLike[str] | BinaryIO,
    *,
    format: str | None,
    numbering: str | Ranks,
    encoding: str | None,
) -> int:
    """Write a file or a binary stream by a function of its format; `write` has the contract."""
    ranks = _ranks_of(numbering)
    is_path = isinstance(target, str | os.PathLike)
    if not is_path and (isinstance(target, io.TextIOBase) or not hasattr(target, "write")):
        kind = type(target).__name__
        raise TypeError(f"boards are written to a path or a stream of bytes, not {kind!r}")
    path = os.fspath(target) if isinstance(target, str | os.PathLike) else "stream"
    context = Context("boards", numbering=ranks, encoding=encoding, note=_warn)
    if format is not None:
        check_text("the name of a format", format)
    format_ = output_format(path, format)
    if encoding is not None:
        from pavcodec.formats.pbn.writer import ENCODINGS

        check_text("the name of an encoding", encoding)
        if encoding not in ENCODINGS:
            raise suggest("encoding", encoding, list(ENCODINGS))
    if isinstance(target, str | os.PathLike):
        again = format_.is_written_again
        with open_compressed_output(target, durable=format_.is_durable, again=again) as stream:
            return write_all(format_, stream, context)
    return write_all(format_, target, context)
