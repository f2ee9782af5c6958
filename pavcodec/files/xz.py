"""The expanded bytes of xz files, with a limit of memory."""

from __future__ import annotations

import io
from lzma import LZMADecompressor
from typing import Any, BinaryIO

__all__ = ["ExpandedXz"]

_MOST_MEMORY = 1 << 28
"""The most memory of the expansion: files of the strongest setting of `xz` need 65 MiB."""
_AT_ONCE = 1 << 20


class ExpandedXz(io.RawIOBase):
    """The expanded bytes of an xz file; a file that names a huge dictionary is refused."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream
        self._part = LZMADecompressor(memlimit=_MOST_MEMORY)

    def readable(self) -> bool:
        """Return True."""
        return True

    def readinto(self, buffer: Any) -> int:  # noqa: ANN401 (any buffer)
        """Fill a buffer from its start, and return the number of bytes; 0 is the end."""
        found = b""
        while not found:
            packed = b""
            if self._part.eof:
                packed = self._after_part()
                if not packed:
                    return 0
                self._part = LZMADecompressor(memlimit=_MOST_MEMORY)
            elif self._part.needs_input:
                packed = self._stream.read(_AT_ONCE)
                if not packed:
                    raise EOFError("it ends too early")
            found = self._part.decompress(packed, len(buffer))
        buffer[: len(found)] = found
        return len(found)

    def _after_part(self) -> bytes:
        """Return the begin of the next part of the file; zeros may stand between parts."""
        packed = self._part.unused_data.lstrip(b"\0")
        while not packed:
            block = self._stream.read(_AT_ONCE)
            if not block:
                break
            packed = block.lstrip(b"\0")
        return packed
