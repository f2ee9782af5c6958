"""The format of a file: by a name, by its suffix, or by its first bytes or lines."""

from __future__ import annotations

import io
import os
from collections.abc import Iterator
from typing import BinaryIO, cast

from pavcodec.boards.board import Board
from pavcodec.boards.context import Context
from pavcodec.errors import ReadError, check_text, suggest
from pavcodec.files.compressed import Decompressed, split_suffix
from pavcodec.files.text import Rejoined, blocks, decode
from pavcodec.formats.catalogue import FORMATS
from pavcodec.formats.format import Format
from pavcodec.formats.npy.formats import npy_form
from pavcodec.formats.parquet.formats import parquet_form
from pavcodec.records import record_names

__all__ = ["format_by_suffix", "format_names", "format_of", "open_boards", "recognise"]

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
    found, whole = recognise(stream, path=path, name=name)
    return found.read(whole, context)


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
    found = format_of(name) if name else format_by_suffix(path)
    if found is None and os.path.splitext(path)[1].lower().removeprefix(".") in record_names():
        raise ReadError(f"{path}: a file of these records holds no boards; see 'pavcodec info'")
    if found is None or (not name and found.name == "lines"):
        return _look(stream)
    return found, stream


def _look(stream: BinaryIO) -> tuple[Format, BinaryIO]:
    """Return the format of a stream by its first bytes or line, and the whole stream."""
    read = getattr(stream, "read1", stream.read)
    start, found, more = b"", None, b""
    while found is None and len(start) < _MOST_SEEN:
        more = read(_SEEN)
        start += more
        found = _format_of_start(start, is_whole=not more)
    found = found or _format_of_start(start, is_whole=True)
    return found or FORMATS["pbn"], cast("BinaryIO", Rejoined(start, read))


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
