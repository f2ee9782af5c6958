"""Read text files with any line end and any common encoding, in blocks of limited size."""

from __future__ import annotations

import codecs
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from hashlib import file_digest
from io import BufferedReader
from typing import BinaryIO, cast

from pavcodec.errors import PavError

BLOCK = 1 << 20
_MARKS = (codecs.BOM_UTF8, codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
NO_TEXT = (*range(9), *range(14, 26), *range(28, 32))
"""The characters that no text file has; 0x1a (end of file in DOS) and 0x1b (escape) occur."""
_CONTROL = re.compile(b"[%b]" % bytes(NO_TEXT))


@contextmanager
def half_characters_refused() -> Iterator[None]:
    r"""Raise `PavError` if a text that the block writes has half of a character, such as \ud800."""
    try:
        yield
    except UnicodeEncodeError as error:
        half = error.object[error.start : error.end]
        raise PavError(f"{half!r} is no character of a text") from None


def blocks(stream: BinaryIO, *, unified: bool = True) -> Iterator[bytes]:
    """Yield the bytes of a text stream in blocks; every line end becomes a newline.

    A UTF-8 byte order mark at the start is dropped. UTF-16, recognized by its mark, is converted to
    UTF-8. Each read returns the bytes that are available, so a person who types gets an answer
    after each line. With `unified=False` line ends do not change, and no block ends inside a line
    end.
    """
    read = getattr(stream, "read1", stream.read)
    data = read(BLOCK)
    while data and any(mark.startswith(data) for mark in _MARKS) and (more := read(BLOCK)):
        data += more
    recode = None
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        recode = codecs.getincrementaldecoder("utf-16")("replace")
    data = data.removeprefix(codecs.BOM_UTF8)
    held = b""  # possibly the first half of a line end
    ended = False
    while not ended:
        ended = not data
        if recode is not None:
            data = recode.decode(data, final=ended).encode("utf-8", "replace")
        data = held + data
        held = b"\r" if data.endswith(b"\r") and not ended else b""
        data = data.removesuffix(held)
        if data:
            yield unify_line_ends(data) if unified else data
        data = b"" if ended else read(BLOCK)


def unify_line_ends(data: bytes) -> bytes:
    r"""Return a text in which every line end is a newline.

    >>> unify_line_ends(b"a\r\nb\rc\n")
    b'a\nb\nc\n'
    """
    return data.replace(b"\r\n", b"\n").replace(b"\r", b"\n") if b"\r" in data else data


def decode(data: bytes) -> str:
    """Decode UTF-8; other text is Windows-1252 or, if a byte is undefined there, ISO-8859-1.

    >>> decode("Dvořák".encode()), decode("Liège".encode("latin-1"))
    ('Dvořák', 'Liège')
    """
    for encoding in ("utf-8", "cp1252"):
        try:
            return data.decode(encoding)
        except UnicodeDecodeError:
            continue
    return data.decode("iso-8859-1")


def first_control(data: bytes) -> int | None:
    """Return the offset of the first byte that text files do not contain, such as 0, or None."""
    match = _CONTROL.search(data)
    return match.start() if match else None


def lines(stream: BinaryIO) -> Iterator[tuple[int, str]]:
    """Yield (line number from 1, line without its line end) from a text stream."""
    number = 0
    held: list[bytes] = []
    for data in blocks(stream):
        first, *more = data.split(b"\n")
        held.append(first)
        for start in more:
            number += 1
            yield number, decode(b"".join(held))
            held = [start]
    if any(held):
        yield number + 1, decode(b"".join(held))


class Rejoined:
    """A stream that returns bytes which were already read, then the rest; it closes nothing."""

    def __init__(self, start: bytes, read: Callable[[int], bytes]) -> None:
        self._start = start
        self._read = read

    def read(self, size: int) -> bytes:
        """Return the first bytes, at most `size` of them, then the bytes of the stream."""
        if not self._start:
            return self._read(size)
        end = size if size >= 0 else len(self._start)
        start, self._start = self._start[:end], self._start[end:]
        return start


class Utf8Watch:
    """A wrapper of a text stream; `found` is True after UTF-8 beyond ASCII was read from it."""

    def __init__(self, stream: BinaryIO) -> None:
        self.found = False
        self.read = self._watched(stream.read)
        self.read1 = self._watched(getattr(stream, "read1", stream.read))
        self._has_begun = False

    def _watched(self, read: Callable[[int], bytes]) -> Callable[[int], bytes]:
        def watched(size: int) -> bytes:
            data = read(size)
            if not self.found and not data.isascii():
                marks = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
                self.found = (not self._has_begun and data.startswith(marks)) or any(
                    not line.isascii() and _is_utf8(line) for line in data.split(b"\n")
                )
            self._has_begun = True
            return data

        return watched


def _is_utf8(data: bytes) -> bool:
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


def read_up_to(stream: BinaryIO, size: int) -> bytes:
    """Return `size` bytes of a stream that may return fewer at a time, or the rest of them.

    No memory is taken for bytes that are missing.

    >>> from io import BytesIO
    >>> read_up_to(BytesIO(b"abc"), 2), read_up_to(BytesIO(b"abc"), 5)
    (b'ab', b'abc')
    """
    parts: list[bytes] = []
    while size > 0 and (part := stream.read(min(size, BLOCK))):
        parts.append(part)
        size -= len(part)
    return b"".join(parts)


def sha256_of(stream: BinaryIO) -> str:
    """Return the SHA-256 of the rest of a stream as 64 hexadecimal digits.

    >>> from io import BytesIO
    >>> sha256_of(BytesIO(b"abc"))[:16]
    'ba7816bf8f01cfea'
    """
    return file_digest(cast("BufferedReader", stream), "sha256").hexdigest()
