"""Reading and writing files of all formats."""

from __future__ import annotations

import io
import os
import sys
import warnings
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from typing import BinaryIO, TypeVar, cast

from pavcodec.boards.board import Board
from pavcodec.boards.context import Context, Problem, Ranks, raise_problem
from pavcodec.errors import UnknownNameError, check_text, shown, suggest
from pavcodec.files.compressed import open_compressed_output, parts
from pavcodec.files.opening import open_file
from pavcodec.files.stores.urls import shown_path
from pavcodec.files.text import half_characters_refused
from pavcodec.formats.format import Format
from pavcodec.formats.recognition import format_by_suffix, format_of, recognise
from pavcodec.formats.repeated import Repeated
from pavcodec.layout import Layout
from pavcodec.numberings import numbering as numbering_of

__all__ = ["output_format", "read", "read_with", "write", "write_with"]

T = TypeVar("T")


def output_format(path: str, name: str | None) -> Format:
    """Return the format of an output: that of `name`, or that of the path's suffix."""
    found = format_of(name) if name else format_by_suffix(path)
    if found is None:
        raise UnknownNameError(
            f"{path!r} does not show its format: name the format, or use a suffix; "
            "'pavcodec formats' lists them"
        )
    return found


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
        Format.read,
        source,
        format=format,
        strict=strict,
        report=report,
        numbering=numbering,
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
        found, whole = recognise(stream, path=name, name=format)
        return read_one(found, whole, replace(context, source=shown_path(name) or "stream"))

    if isinstance(source, str | os.PathLike):
        return _read_and_close(read_part, open_file(source), path)
    return read_part("", source)


def _read_and_close(
    read_part: Callable[[str, BinaryIO], Iterator[T]], stream: BinaryIO, path: str
) -> Iterator[T]:
    """Yield what the files in a stream hold, which are several only in a zip file."""
    with stream:
        for name, part in parts(stream, path):
            yield from read_part(name, part)


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

    def write_all(found: Format, stream: BinaryIO, context: Context) -> int:
        kept = whole if unique is False else Repeated(found, chosen=unique).without(whole)
        return found.write(kept, stream, context)

    def write_after(found: Format, stream: BinaryIO, context: Context) -> int:
        return write_all(found, stream, replace(context, preface=first))

    return write_with(write_after, target, format=format, numbering=numbering, encoding=encoding)


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
    found = output_format(path, format)
    if encoding is not None:
        _check_encoding(encoding)
    if isinstance(target, str | os.PathLike):
        again = found.is_written_again
        with open_compressed_output(target, durable=found.is_durable, again=again) as stream:
            return write_all(found, stream, context)
    return write_all(found, target, context)


def _check_encoding(encoding: str) -> None:
    """Raise `UnknownNameError` for an encoding that the writer of PBN does not have."""
    from pavcodec.formats.pbn.writer import ENCODINGS

    check_text("the name of an encoding", encoding)
    if encoding not in ENCODINGS:
        raise suggest("encoding", encoding, list(ENCODINGS))
