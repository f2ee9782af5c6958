"""Files that go out while they are written, so that nobody waits for the end of a large one.

A thread writes. A file that is whole soon goes out whole, and an error in it is a problem in words.
What is written of another file goes out at once; an error after that leaves it without an end.
"""

from __future__ import annotations

import io
import os
from collections.abc import Callable, Iterator, Sequence
from tempfile import SpooledTemporaryFile
from threading import Lock, Thread
from typing import Any, BinaryIO, cast

from pavcodec.formats.registry import FORMATS, format_by_suffix
from pavcodec.web.tasks.task import Download

_SOON = 3.0
"""The seconds after which a file goes out that is not whole."""

_PAUSE = 0.2
"""The seconds between two looks at a file that grows."""

_IN_MEMORY = 16 << 20
_AT_ONCE = 1 << 16


def written(write: Callable[[BinaryIO], object], *, goes_back: bool = False) -> Iterator[bytes]:
    """Return the bytes that a function writes to a stream, in chunks.

    Raises the error of a function that fails soon; the chunks raise that of one that fails later.
    The stream has no seek, except with `goes_back`, until the first byte goes out.

    >>> list(written(lambda stream: stream.write(b"abc")))
    [b'abc']
    """
    stream = _Growing(goes_back=goes_back)
    errors: list[BaseException] = []

    def run() -> None:
        try:
            write(cast("BinaryIO", stream))
        except BaseException as error:  # noqa: BLE001 (raised in the thread of the reader)
            errors.append(error)

    writer = Thread(target=run, name="writer", daemon=True)
    writer.start()
    writer.join(_SOON)
    if errors:
        raise errors[0]
    return _chunks(stream, writer, errors)


def _chunks(stream: _Growing, writer: Thread, errors: list[BaseException]) -> Iterator[bytes]:
    position = 0
    stream.fix()
    try:
        while True:
            is_whole = not writer.is_alive()
            while chunk := stream.part(position):
                yield chunk
                position += len(chunk)
            if errors:
                raise errors[0]
            if is_whole:
                return
            writer.join(_PAUSE)
    finally:
        stream.refuse()


class _Growing(io.RawIOBase):
    """A stream that one thread writes and another reads; its start may change until it is read."""

    def __init__(self, *, goes_back: bool) -> None:
        self._file = SpooledTemporaryFile(_IN_MEMORY)  # noqa: SIM115 (closed with its last user)
        self._place = 0
        self._is_fixed = not goes_back
        self._is_refused = False
        self._lock = Lock()

    def fix(self) -> None:
        """Let nothing change that is written."""
        with self._lock:
            self._is_fixed = True

    def refuse(self) -> None:
        """Take no more bytes: nobody reads them."""
        self._is_refused = True

    def close(self) -> None:
        """Drop all bytes; the last user of the stream does so."""
        self._file.close()
        super().close()

    def part(self, position: int) -> bytes:
        """Return the next bytes from a place; none if no more are written."""
        with self._lock:
            self._file.seek(position)
            return self._file.read(_AT_ONCE)

    def readable(self) -> bool:
        """Return whether the bytes so far can still change."""
        return not self._is_fixed

    def seekable(self) -> bool:
        """Return whether the bytes so far can still change."""
        return not self._is_fixed

    def writable(self) -> bool:
        """Return True."""
        return True

    def tell(self) -> int:
        """Return the place of the next byte."""
        return self._place

    def seek(self, offset: int, whence: int = 0, /) -> int:
        """Go to a place."""
        with self._lock:
            self._go_back()
            self._place = self._file.seek(offset, whence)
        return self._place

    def read(self, size: int | None = -1, /) -> bytes:
        """Return the next bytes."""
        with self._lock:
            self._go_back()
            data = self._file.read(-1 if size is None else size)
            self._place = self._file.tell()
        return data

    def truncate(self, size: int | None = None, /) -> int:
        """Drop the bytes after a place."""
        with self._lock:
            self._go_back()
            end = self._place if size is None else size
            self._file.truncate(end)
        return end

    def write(self, data: Any) -> int:  # noqa: ANN401 (any buffer)
        """Write bytes."""
        if self._is_refused:
            raise BrokenPipeError("nobody reads this file any more")
        with self._lock:
            self._file.seek(self._place)
            self._file.write(data)
            self._place = self._file.tell()
        return memoryview(data).nbytes

    def _go_back(self) -> None:
        """Go to the place of the writer; raise an error if the bytes so far are fixed."""
        if self._is_fixed:
            raise io.UnsupportedOperation("the file is on its way")
        self._file.seek(self._place)


# The bytes of files that tasks return: their media types, and streams in chunks.


_BY_SUFFIX = {".sqd": "text/plain", ".sqk": "text/plain", ".zip": "application/zip"}
"""Those of files that hold no boards, or other files."""
_BY_FORMAT = {
    "csv": "text/csv",
    "html": "text/html; charset=utf-8",
    "json": "application/json",
    "jsonl": "application/x-ndjson",
    "parquet": "application/vnd.apache.parquet",
    "pbn": "text/x-pbn",
    "pdf": "application/pdf",
    "svg": "image/svg+xml",
}
"""Those of formats that are not plain text or bytes."""


def media_type(name: str) -> str:
    """Return the media type of a file by the suffix of its name.

    >>> media_type("heat.pbn"), media_type("heat.lin"), media_type("heat.dup")
    ('text/x-pbn', 'text/plain', 'application/octet-stream')
    """
    suffix = os.path.splitext(name)[1].lower()
    known = format_by_suffix(name)
    usual = "text/plain" if known is not None and known.is_text else "application/octet-stream"
    return _BY_SUFFIX.get(suffix) or _BY_FORMAT.get(known.name if known else "", usual)


def media_types(suffixes: Sequence[str]) -> tuple[str, ...]:
    """Return the media types of files with these suffixes, for the OpenAPI document.

    >>> media_types([".html", ".dlm"])
    ('text/html', 'text/plain')
    """
    return tuple(sorted({media_type(f"file{each}").partition(";")[0] for each in suffixes}))


MEDIA_TYPES = media_types([suffix for each in FORMATS.values() for suffix in each.suffixes])
"""The media types of the files of all formats."""


def file_of(name: str, data: bytes) -> Download:
    """Return a file of these bytes; the suffix of its name says what they are.

    >>> file_of("event.sqk", b"...").media_type
    'text/plain'
    """
    return Download(name, media_type(name), iter((data,)))


def chunks_of(stream: BinaryIO) -> Iterator[bytes]:
    """Yield the bytes of a stream from its start in chunks, and close it.

    >>> import io
    >>> list(chunks_of(io.BytesIO(b"abc")))
    [b'abc']
    """
    with stream:
        stream.seek(0)
        while chunk := stream.read(_AT_ONCE):
            yield chunk
