"""The bytes of a file by position: a memory map, or ranges of an object that a URL names."""

from __future__ import annotations

import io
import mmap
import os
import threading
from typing import BinaryIO, TypeAlias

from pavcodec.errors import ReadError
from pavcodec.files.stores.urls import local_path, shown_url

__all__ = ["Mapped", "RangedBytes", "map_bytes"]

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

    def __getitem__(self, place: slice) -> bytes:
        start, stop, step = place.indices(self._size)
        if step != 1:
            raise ValueError("bytes of an object are read one after another")
        with self._lock:
            self._stream.seek(start)
            return self._stream.read(max(0, stop - start))

    def find(self, wanted: bytes, start: int = 0) -> int:
        """Return the first place of some bytes from `start` on, or -1."""
        while start < self._size:
            found = self[start : start + _AT_ONCE + len(wanted) - 1].find(wanted)
            if found >= 0:
                return start + found
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
        from pavcodec.files.stores.objects import open_object

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
