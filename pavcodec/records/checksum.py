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
    """The sum of the 32-bit words of a file in 64 bits, which Pavlicek publishes with his files.

    Words are little-endian; a last word that is cut short counts as if zeros followed it.

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
        """Add the bytes that follow."""
        more = bytes(data)
        self.bytes += len(more)
        whole = self._rest + more
        end = len(whole) - len(whole) % _WORD_BYTES
        self._total += _sum_of_words(whole[:end])
        self._rest = whole[end:]

    @property
    def value(self) -> int:
        """The sum of what was added so far."""
        return (self._total + int.from_bytes(self._rest, "little")) % (1 << 64)

    def __str__(self) -> str:
        return f"{self.value:X}"


def _sum_of_words(data: bytes) -> int:
    words = array(_WORD_TYPE, data)
    if sys.byteorder == "big":
        words.byteswap()
    return sum(words)


class SummedStream:
    """A stream of bytes that adds what is read from it, or written to it, to a checksum."""

    def __init__(self, stream: BinaryIO) -> None:
        self.checksum = Checksum()
        self._stream = stream

    def read(self, size: int = -1) -> bytes:
        """Return the bytes that the stream gives."""
        read = getattr(self._stream, "read1", self._stream.read)
        data: bytes = read(size)
        self.checksum.update(data)
        return data

    def write(self, data: Buffer) -> int:
        """Hand bytes on to the stream."""
        self.checksum.update(data)
        return self._stream.write(data)
