"""Ordered numbers of several parts: the part of each number, then the numbers of each part.

The numbers of an archive with several parts are those of its parts in a row. As numbers below the
total, every deal would need the bits of the largest part. So the code of a block is

- one byte: the index of the part of all numbers of the block, or 255 if they are in several parts;
- after 255, the length of the *column* in 4 bytes, then the column: one byte for the part of each
  number, compressed with zlib;
- for each part that occurs, in order, its numbers as `OrderedCoder` codes them.
"""

from __future__ import annotations

import zlib
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, SupportsIndex

import numpy as np

from pavcodec.archive.coding.coder import (
    OrderedCoder,
    check_cardinality,
    check_index,
    checked_numbers,
)
from pavcodec.arrays import Limbs, add
from pavcodec.errors import ReadError
from pavcodec.numberings.chain import Chain

if TYPE_CHECKING:
    from numpy.typing import NDArray


_SEVERAL = 255
_LENGTH = 4


@dataclass(frozen=True)
class MixedCoder:
    """Codes any numbers of a chain of parts, each in log2 of its part's cardinality bits.

    >>> coder = MixedCoder(Chain((1000, 10**30)))
    >>> data = coder.encode(np.array([[0, 999], [0, 5]], np.uint64))
    >>> data[0], len(data), coder.decode(data, 2)[:, 1].tolist(), coder.at(data, 2, 1)
    (0, 4, [999, 5], 5)
    """

    chain: Chain

    def __post_init__(self) -> None:
        check_cardinality(self.cardinality)

    @property
    def cardinality(self) -> int:
        """The cardinality: all numbers are below it."""
        return self.chain.cardinality

    @cached_property
    def _coders(self) -> list[OrderedCoder]:
        return list(map(OrderedCoder, self.chain.sizes))

    def encode(self, numbers: Limbs) -> bytes:
        """Return the bytes of numbers, `uint64[n, 2]`; raise `NumberError` for too large ones."""
        rows = checked_numbers(numbers, self.cardinality)
        kinds = np.empty(len(rows), np.uint8)
        coded = []
        for part, at, own in self.chain.split_rows(rows):
            kinds[at] = part
            coded.append(self._coders[part].encode(np.ascontiguousarray(own)))
        if len(coded) < 2:
            return kinds[:1].tobytes() + b"".join(coded)
        column = zlib.compress(kinds.tobytes(), 9)
        size = len(column).to_bytes(_LENGTH, "little")
        return b"".join([bytes([_SEVERAL]), size, column, *coded])

    def decode(self, data: bytes, count: int) -> Limbs:
        """Return the numbers of bytes, `uint64[count, 2]`; raise `ReadError` for invalid bytes."""
        numbers = np.empty((count, 2), np.uint64)
        kinds, offset = self._kinds(data, count)
        for which in np.unique(kinds).tolist():
            rows = kinds == which
            coder, many = self._coders[which], int(np.count_nonzero(rows))
            size = coder.size(many)
            own = coder.decode(data[offset : offset + size], many)
            numbers[rows] = add(own, self.chain.starts[which])
            offset += size
        if offset != len(data):
            raise ReadError(
                f"{count} numbers of several parts take {offset} bytes, not {len(data)}"
            )
        return numbers

    def at(self, data: bytes, count: int, index: SupportsIndex) -> int:
        """Return one number; `index` is from 0 to `count` - 1, and the bytes are valid."""
        row = check_index(index, count)
        kinds, offset = self._kinds(data, count)
        part = int(kinds[row])
        for which, coder in enumerate(self._coders[:part]):
            offset += coder.size(int(np.count_nonzero(kinds == which)))
        many, before = (int(np.count_nonzero(some == part)) for some in (kinds, kinds[:row]))
        size = self._coders[part].size(many)
        own = self._coders[part].at(data[offset : offset + size], many, before)
        return self.chain.join(part, own)

    def _kinds(self, data: bytes, count: int) -> tuple[NDArray[np.uint8], int]:
        """Return the part of each number, and the offset of the coded numbers."""
        if not count:
            return np.empty(0, np.uint8), 0
        if not data:
            raise ReadError(f"0 bytes are too few for {count} numbers")
        if data[0] != _SEVERAL:
            kinds, offset = np.full(count, data[0]), 1
        else:
            kinds, offset = self._column(data, count)
        if kinds.max() >= len(self._coders):
            raise ReadError(f"there is no part {kinds.max()} among {len(self._coders)}")
        return kinds, offset

    def _column(self, data: bytes, count: int) -> tuple[NDArray[np.uint8], int]:
        begin = 1 + _LENGTH
        end = begin + int.from_bytes(data[1:begin], "little")
        reader = zlib.decompressobj()
        try:
            column = reader.decompress(data[begin:end], count + 1)
        except zlib.error as error:
            raise ReadError(f"the column of parts is damaged: {error}") from None
        if len(column) != count or not reader.eof or reader.unused_data or end > len(data):
            raise ReadError(f"the column of parts is not that of {count} numbers")
        kinds = np.frombuffer(column, np.uint8)
        if kinds.min() == kinds.max():
            raise ReadError("a block of one part has no column of parts")
        return kinds, end
