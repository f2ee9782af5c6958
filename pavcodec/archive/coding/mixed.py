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
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate
from typing import TYPE_CHECKING, SupportsIndex

import numpy as np

from pavcodec.archive.coding.coder import (
    OrderedCoder,
    check_cardinality,
    check_index,
    checked_numbers,
)
from pavcodec.arrays import Limbs, add, below, subtract
from pavcodec.errors import ReadError

if TYPE_CHECKING:
    from numpy.typing import NDArray


_SEVERAL = 255
_LENGTH = 4


@dataclass(frozen=True)
class MixedCoder:
    """Codes any numbers below the sum of some cardinalities, each in log2 of its part's one bits.

    >>> coder = MixedCoder((1000, 10**30))
    >>> data = coder.encode(np.array([[0, 999], [0, 5]], np.uint64))
    >>> data[0], len(data), coder.decode(data, 2)[:, 1].tolist(), coder.at(data, 2, 1)
    (0, 4, [999, 5], 5)
    """

    cardinalities: tuple[int, ...]

    def __post_init__(self) -> None:
        check_cardinality(self.cardinality)

    @property
    def cardinality(self) -> int:
        """The cardinality: all numbers are below it."""
        return sum(self.cardinalities)

    @cached_property
    def starts(self) -> tuple[int, ...]:
        """The first number of each part."""
        return (0, *list(accumulate(self.cardinalities))[:-1])

    def encode(self, numbers: Limbs) -> bytes:
        """Return the bytes of numbers, `uint64[n, 2]`; raise `NumberError` for too large ones."""
        rows = checked_numbers(numbers, self.cardinality)
        if not len(rows):
            return b""
        kinds = kinds_of(rows, self.starts)
        coded = [
            OrderedCoder(self.cardinalities[which]).encode(
                np.ascontiguousarray(subtract(rows[kinds == which], self.starts[which]))
            )
            for which in np.unique(kinds).tolist()
        ]
        if len(coded) == 1:
            return bytes([kinds[0]]) + coded[0]
        column = zlib.compress(kinds.tobytes(), 9)
        return b"".join(
            [bytes([_SEVERAL]), len(column).to_bytes(_LENGTH, "little"), column, *coded]
        )

    def decode(self, data: bytes, count: int) -> Limbs:
        """Return the numbers of bytes, `uint64[count, 2]`; raise `ReadError` for invalid bytes."""
        numbers = np.empty((count, 2), np.uint64)
        kinds, offset = self._kinds(data, count)
        for which in np.unique(kinds).tolist():
            rows = kinds == which
            coder, many = OrderedCoder(self.cardinalities[which]), int(np.count_nonzero(rows))
            size = coder.size(many)
            local = coder.decode(data[offset : offset + size], many)
            numbers[rows] = add(local, self.starts[which])
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
        sought = int(kinds[row])
        for which in range(sought):
            before = int(np.count_nonzero(kinds == which))
            offset += OrderedCoder(self.cardinalities[which]).size(before)
        many = int(np.count_nonzero(kinds == sought))
        coder = OrderedCoder(self.cardinalities[sought])
        local = coder.at(
            data[offset : offset + coder.size(many)],
            many,
            int(np.count_nonzero(kinds[:row] == sought)),
        )
        return local + self.starts[sought]

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
        if kinds.max() >= len(self.cardinalities):
            raise ReadError(f"there is no part {kinds.max()} among {len(self.cardinalities)}")
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


def kinds_of(numbers: Limbs, starts: Sequence[int]) -> NDArray[np.uint8]:
    """Return the part of each number, `uint8[n]`: how many of `starts[1:]` are not above it.

    >>> kinds_of(np.array([[0, 4], [0, 5], [1, 0]], np.uint64), (0, 5)).tolist()
    [0, 1, 1]
    """
    kinds = np.zeros(len(numbers), np.uint8)
    for start in starts[1:]:
        kinds += ~below(numbers, start)
    return kinds
