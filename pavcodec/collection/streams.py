"""The start of a stream that writers of text may write again."""

from __future__ import annotations

import io
from typing import Any, BinaryIO

__all__ = ["HeldStart"]

_HELD = 1 << 20


class HeldStart(io.RawIOBase):
    """A stream for writing whose first bytes can be read and replaced until there are many.

    The writer of PBN recodes its first lines if the first board needs UTF-8. The stream holds 1 MiB
    for that, and nothing of the size of the whole. It reports that nobody can go back in it after
    the start, so writers of headers do not try.

    >>> out = io.BytesIO()
    >>> held = HeldStart(out)
    >>> held.write(b"abc"), held.seek(0), held.write(b"x"), held.truncate()
    (3, 0, 1, 1)
    >>> held.finish()
    >>> out.getvalue()
    b'x'
    """

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream
        self._start: io.BytesIO | None = io.BytesIO()

    def _held(self) -> io.BytesIO:
        if self._start is None:
            raise io.UnsupportedOperation(f"only the first {_HELD} bytes can be written again")
        return self._start

    def readable(self) -> bool:
        """Return whether the start can be read."""
        return self._start is not None

    def writable(self) -> bool:
        """Return True."""
        return True

    def seekable(self) -> bool:
        """Return whether the start can be written again."""
        return self._start is not None

    def tell(self) -> int:
        """Return the position in the start."""
        return self._held().tell()

    def seek(self, offset: int, whence: int = 0, /) -> int:
        """Go to a position in the start."""
        return self._held().seek(offset, whence)

    def read(self, size: int | None = -1, /) -> bytes:
        """Return bytes of the start."""
        return self._held().read(size)

    def truncate(self, size: int | None = None, /) -> int:
        """Drop the bytes of the start after a position."""
        return self._held().truncate(size)

    def write(self, data: Any) -> int:  # noqa: ANN401 (any buffer)
        """Write bytes."""
        if self._start is not None and self._start.tell() + len(data) <= _HELD:
            return self._start.write(data)
        self.finish()
        self._stream.write(data)
        return memoryview(data).nbytes

    def finish(self) -> None:
        """Write the start to the stream; from now on it cannot change."""
        if self._start is not None:
            self._stream.write(self._start.getbuffer())
            self._start = None
