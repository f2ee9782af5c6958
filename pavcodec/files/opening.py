"""Open files for reading and writing, on this machine or where a URL names.

Only URLs load the modules on objects of stores.
"""

from __future__ import annotations

import io
import mmap
import os
import threading
from abc import ABC, abstractmethod
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from errno import EISDIR
from types import TracebackType
from typing import BinaryIO, Self, TypeAlias

from pavcodec.errors import ReadError
from pavcodec.files.paths import local_path, open_whole, shown_url


def open_file(path: str | os.PathLike[str]) -> BinaryIO:
    """Open a file of this machine or an object that a URL names for reading.

    An object of a store is read by ranges, so seeks read only what is needed. Raises `OSError` with
    the name of the file.
    """
    text = os.fspath(path)
    here = local_path(text)
    if here is None:
        from pavcodec.files.objects import open_object

        return open_object(text)
    stream = open(here, "rb")  # noqa: SIM115 (the caller closes it)
    if os.path.isdir(here):  # on some systems, a folder can be opened and not be read
        stream.close()
        raise IsADirectoryError(EISDIR, os.strerror(EISDIR), text)
    return stream


def exists(path: str | os.PathLike[str]) -> bool:
    """Return whether a regular file or an object exists; raises `OSError` if a store is silent."""
    return size_if_file(path) is not None


def size_if_file(path: str | os.PathLike[str]) -> int | None:
    """Return the number of bytes of a regular file or an object; None if there is none.

    Raises `OSError` if a store does not say it.
    """
    here = local_path(os.fspath(path))
    if here is not None and not os.path.isfile(here):
        return None
    with suppress(FileNotFoundError):
        return size_of(path)
    return None


def size_of(path: str | os.PathLike[str]) -> int:
    """Return the number of bytes of a file or an object; raises `FileNotFoundError` without one."""
    text = os.fspath(path)
    here = local_path(text)
    if here is not None:
        return os.stat(here).st_size
    from pavcodec.files.objects import size_of_object

    return size_of_object(text)


# Write output files that are complete or absent, on this machine or where a URL names.


@contextmanager
def open_output(
    path: str | os.PathLike[str],
    *,
    durable: bool = False,
    private: bool = False,
    fresh: bool = False,
) -> Iterator[BinaryIO]:
    """Open a file for writing; the file gets its name only when the block ends without an error.

    A path names a file of this machine; `open_whole` has the meaning of the options. A URL names an
    object of a store, which is complete or absent in the same way; its stream has no seek. A store
    decides itself who may read an object and when it is on a disk. With `fresh`, an existing file
    or object is not replaced: `FileExistsError`.
    """
    text = os.fspath(path)
    here = local_path(text)
    if here is not None:
        with open_whole(here, durable=durable, private=private, fresh=fresh) as stream:
            yield stream
        return
    from pavcodec.files.objects import put_new_object, put_object

    with (put_new_object if fresh else put_object)(text) as stream:
        yield stream


def check_stream(what: str, target: object) -> None:
    """Raise `TypeError` if a target is no open binary file; `what` is written to it."""
    if isinstance(target, io.TextIOBase) or not hasattr(target, "write"):
        kind = type(target).__name__
        raise TypeError(f"{what} is written to a path or a stream of bytes, not {kind!r}")


# The bytes of a file by position: a memory map, or ranges of an object that a URL names.


_AT_ONCE = 1 << 20
_AHEAD = 1 << 19
"""The bytes after a range that a reader by position may need next: some blocks of an archive."""


class RangedBytes:
    """The bytes of a stream with seeks: slices read what they need, and `len` is the size.

    Several threads may read at the same time.

    >>> data = RangedBytes(io.BytesIO(b"abcdef"))
    >>> len(data), data[1:3], data[-2:], data.find(b"de", 1)
    (6, b'bc', b'ef', 3)
    """

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream
        self._size = stream.seek(0, io.SEEK_END)
        self._lock = threading.Lock()

    def __len__(self) -> int:
        return self._size

    def __getitem__(self, part: slice) -> bytes:
        start, stop, step = part.indices(self._size)
        if step != 1:
            raise ValueError("bytes of an object are read one after another")
        with self._lock:
            self._stream.seek(start)
            return self._stream.read(max(0, stop - start))

    def find(self, wanted: bytes, start: int = 0) -> int:
        """Return the first position of some bytes from `start` on, or -1."""
        while start < self._size:
            offset = self[start : start + _AT_ONCE + len(wanted) - 1].find(wanted)
            if offset >= 0:
                return start + offset
            start += _AT_ONCE
        return -1

    @property
    def closed(self) -> bool:
        """Whether the stream is closed."""
        return self._stream.closed

    def close(self) -> None:
        """Close the stream."""
        self._stream.close()


Mapped: TypeAlias = bytes | mmap.mmap | RangedBytes
"""The bytes of a file by position; those of an empty file are `bytes`."""


def map_bytes(path: str | os.PathLike[str], what: str) -> Mapped:
    """Map a file into memory, or return the bytes of an object that a URL names, by ranges.

    Raises `ReadError` for what is no regular file, and for an object whose store gives no ranges;
    `what` needs one, for the message.
    """
    text = os.fspath(path)
    here = local_path(text)
    if here is None:
        from pavcodec.files.objects import open_object

        stream = open_object(text, ahead=_AHEAD)
        if not stream.seekable():
            stream.close()
            raise ReadError(f"{shown_url(text)}: {what}, and this store gives no ranges of it")
        return RangedBytes(stream)
    if os.path.exists(here) and not os.path.isfile(here):
        raise ReadError(f"{text}: {what}")
    with open(here, "rb") as file:
        if not os.fstat(file.fileno()).st_size:
            return b""
        return mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)


class Closing(ABC):
    """An object that holds a file open until `close` or the end of a `with` block."""

    @abstractmethod
    def close(self) -> None:
        """Close the file."""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()
