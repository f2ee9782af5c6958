"""The checksum of Pavlicek's binary files: the sum of their 32-bit words."""

from __future__ import annotations

import sys
from array import array
from typing import BinaryIO

from pavcodec.records.record import Buffer

__all__ = ["Checksum", "SummedStream"]

_WORD_BYTES = 4
_WORD_TYPE = next(code for code in "IL" if array(code).itemsize == _WORD_BYTES)


class Checksum:
    """The sum of a file's 32-bit words in 64 bits, as Pavlicek publishes it with his files.

    Words are little-endian. Zero bytes complete an incomplete last word.

    >>> total = Checksum()
    >>> total.update(bytes([1, 0, 0, 0, 2]))
    >>> total.value, str(total)
    (3, '3')
    """

    def __init__(self) -> None:
        self.bytes = 0
        self._total = 0
        self._rest = b""

    def update(self, data: Buffer) -> None:
        """Add the next bytes of the file."""
        more = bytes(data)
        self.bytes += len(more)
        whole = self._rest + more
        end = len(whole) - len(whole) % _WORD_BYTES
        self._total += _sum_of_words(whole[:end])
        self._rest = whole[end:]

    @property
    def value(self) -> int:
        """The sum of the bytes added so far."""
        return (self._total + int.from_bytes(self._rest, "little")) % (1 << 64)

    def __str__(self) -> str:
        return f"{self.value:X}"


def _sum_of_words(data: bytes) -> int:
    words = array(_WORD_TYPE, data)
    if sys.byteorder == "big":
        words.byteswap()
    return sum(words)


class SummedStream:
    """A stream that adds all bytes read from it or written to it to a checksum."""

    def __init__(self, stream: BinaryIO) -> None:
        self.checksum = Checksum()
        self._stream = stream

    def read(self, size: int = -1) -> bytes:
        """Read at most `size` bytes from the stream; fewer bytes may be available."""
        read = getattr(self._stream, "read1", self._stream.read)
        data: bytes = read(size)
        self.checksum.update(data)
        return data

    def write(self, data: Buffer) -> int:
        """Write bytes to the stream; return the number of bytes written."""
        self.checksum.update(data)
        return self._stream.write(data)
