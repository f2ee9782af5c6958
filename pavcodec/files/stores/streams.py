"""Streams of stores whose faults are `OSError` with the name of the object."""

from __future__ import annotations

import io
from typing import IO, TYPE_CHECKING

from pavcodec.files.stores.faults import named_fault

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer, WriteableBuffer

__all__ = ["Download", "Upload"]


class Upload(io.BufferedIOBase):
    """The bytes on their way to a store; who opened it completes it, so `close` does nothing."""

    def __init__(self, file: IO[bytes], shown: str) -> None:
        self._file = file
        self._shown = shown
        self._place = 0

    def writable(self) -> bool:
        """Return True."""
        return True

    def write(self, data: ReadableBuffer, /) -> int:
        """Write bytes, and return their number."""
        view = memoryview(data).cast("B")
        with named_fault(self._shown):
            self._file.write(view)
        self._place += len(view)
        return len(view)

    def tell(self) -> int:
        """Return the number of bytes that were written."""
        return self._place

    def flush(self) -> None:
        """Do nothing: the store takes blocks of its own size."""


class Download(io.RawIOBase):
    """The bytes of an object, read by ranges where the store can."""

    def __init__(self, file: IO[bytes], shown: str) -> None:
        self._file = file
        self._shown = shown

    def readable(self) -> bool:
        """Return True."""
        return True

    def seekable(self) -> bool:
        """Return whether the store gives ranges."""
        return bool(self._file.seekable())

    def readinto(self, buffer: WriteableBuffer, /) -> int:
        """Read the next bytes into a buffer, and return their number; 0 at the end."""
        view = memoryview(buffer).cast("B")
        with named_fault(self._shown):
            data = self._file.read(len(view))
        view[: len(data)] = data
        return len(data)

    def seek(self, offset: int, whence: int = io.SEEK_SET, /) -> int:
        """Go to a place, and return it."""
        with named_fault(self._shown):
            return int(self._file.seek(offset, whence))

    def tell(self) -> int:
        """Return the place."""
        return int(self._file.tell())

    def close(self) -> None:
        """Close the object."""
        if not self.closed:
            with named_fault(self._shown):
                self._file.close()
        super().close()
