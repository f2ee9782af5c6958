"""Sorted numbers, for sets and multisets, coded as the gaps between them.

The code of a block of sorted numbers below T is its first and its last number, little-endian, each
in the bytes that T - 1 needs, then the code of the gaps by `split_golomb`. A gap is the difference
of neighbours, less 1 in a set, whose numbers are distinct. A block of one number contains only this
number; an empty block has no bytes.

The count of the numbers and the difference of the last and the first determine the divisor of
Golomb's code, and the last gap. So the last number costs no more than that gap would, and no stored
parameter can be wrong.
"""

from __future__ import annotations

from dataclasses import dataclass
from operator import index as as_integer
from typing import SupportsIndex

import numpy as np

from pavcodec.archive.coding.coder import (
    bytes_below,
    check_cardinality,
    check_count,
    check_index,
    checked_numbers,
)
from pavcodec.archive.coding.golomb import BitSource
from pavcodec.archive.coding.split_golomb import read_gaps, write_gaps
from pavcodec.arrays.words.limbs import Limbs, add, differences, integer, running_sum, split, total
from pavcodec.errors import NumberError, ReadError

__all__ = ["SortedCoder", "first_not_below"]


@dataclass(frozen=True)
class SortedCoder:
    """Codes sorted numbers below a cardinality: a set if `distinct`, otherwise a multiset.

    >>> coder = SortedCoder(1000, distinct=True)
    >>> data = coder.encode(np.array([[0, 5], [0, 77], [0, 999]], np.uint64))
    >>> coder.decode(data, 3)[:, 1].tolist(), coder.at(data, 3, 1)
    ([5, 77, 999], 77)
    >>> coder.find(data, 3, 77), coder.find(data, 3, 78)
    (1, 2)
    """

    cardinality: int
    distinct: bool

    def __post_init__(self) -> None:
        object.__setattr__(self, "cardinality", check_cardinality(self.cardinality))

    def encode(self, numbers: Limbs) -> bytes:
        """Return the bytes of sorted numbers, `uint64[n, 2]`.

        Raise `NumberError` if a number is not below the cardinality, or less than its predecessor,
        or in a set equal to it.
        """
        rows = checked_numbers(numbers, self.cardinality)
        self._check_order(rows)
        ends = rows[:1] if len(rows) < 2 else rows[[0, -1]]
        values = [integer(row) for row in ends]
        size = bytes_below(self.cardinality)
        data = b"".join(value.to_bytes(size, "little") for value in values)
        if len(rows) < 2:
            return data
        gaps = differences(rows)
        gaps = add(gaps, -1) if self.distinct else gaps
        return data + write_gaps(gaps, self._sum(values[0], values[1], len(rows)))

    def decode(self, data: bytes, count: int) -> Limbs:
        """Return the numbers of bytes, `uint64[count, 2]`.

        Raise `ReadError` if the bytes are not the encoding of `count` numbers.
        """
        numbers = self.read(data, count)
        try:
            again = self.encode(numbers)
        except NumberError as error:
            raise ReadError(f"{count} numbers below {self.cardinality}: {error}") from None
        if again != data:
            raise ReadError(f"the bytes are not those of {count} numbers below {self.cardinality}")
        return numbers

    def at(self, data: bytes, count: int, index: SupportsIndex) -> int:
        """Return one number; `index` is from 0 to `count` - 1.

        The bytes must be valid. For invalid bytes, the result is any number below the cardinality,
        or a `ReadError`.
        """
        place = check_index(index, count)
        first, last = self._ends(data, count)
        if place == 0:
            return first
        if place == count - 1:
            return last
        gaps = self._gaps(data, count, self._sum(first, last, count))
        number = first + total(gaps[:place]) + (place if self.distinct else 0)
        if number > last:
            raise ReadError(f"number {place} among {count} is {number}, and the last one is {last}")
        return number

    def find(self, data: bytes, count: int, number: SupportsIndex) -> int:
        """Return the index of the first number not below `number`; `count` if there is none.

        `number` may be any integer. The bytes must be valid, as for `at`.
        """
        sought = as_integer(number)
        if not count:
            return 0
        first, last = self._ends(data, count)
        if sought <= first:
            return 0
        if sought > last:
            return count
        return first_not_below(self.read(data, count), sought)

    def read(self, data: bytes, count: int) -> Limbs:
        """Return the numbers of valid bytes, faster than `decode`.

        For invalid bytes, the result is any numbers, or a `ReadError`.
        """
        first, last = self._ends(data, count)
        if not count:
            return np.empty((0, 2), np.uint64)
        gaps = self._gaps(data, count, self._sum(first, last, count))
        numbers = np.empty((count, 2), np.uint64)
        numbers[0] = split(first)
        numbers[1:] = gaps
        if self.distinct:
            numbers[1:, 1] += np.uint64(1)
            numbers[1:, 0] += numbers[1:, 1] == 0
        return running_sum(numbers)

    def _check_order(self, rows: Limbs) -> None:
        """Raise `NumberError` unless a set is increasing, or a multiset does not decrease."""
        if len(rows) < 2:
            return
        before, after = rows[:-1], rows[1:]
        high, low = after[:, 0] > before[:, 0], after[:, 1] > before[:, 1]
        are_right = high | (after[:, 0] == before[:, 0]) & (
            low if self.distinct else after[:, 1] >= before[:, 1]
        )
        if not are_right.all():
            row = int(are_right.argmin()) + 1
            expected = "greater than" if self.distinct else "at least"
            raise NumberError(
                f"row {row}: {integer(rows[row])} is to be {expected} the number before it, "
                f"{integer(rows[row - 1])}"
            )

    def _ends(self, data: bytes, count: int) -> tuple[int, int]:
        """Return the first and the last number; `count` is at least 1."""
        size = bytes_below(self.cardinality)
        check_count(count)
        if len(data) < size * min(count, 2) or (count < 2 and len(data) > size * count):
            raise ReadError(
                f"{len(data)} bytes are no sorted numbers below {self.cardinality}, {count} of them"
            )
        first = int.from_bytes(data[:size], "little")
        last = first if count < 2 else int.from_bytes(data[size : 2 * size], "little")
        if max(first, last) >= self.cardinality or self._sum(first, last, count) < 0:
            raise ReadError(
                f"from {first} to {last} there are no {count} sorted numbers "
                f"below {self.cardinality}"
            )
        return first, last

    def _sum(self, first: int, last: int, count: int) -> int:
        """Return the sum of the gaps from the first to the last number."""
        return last - first - (count - 1 if self.distinct else 0)

    def _gaps(self, data: bytes, count: int, sum_: int) -> Limbs:
        """Return the gaps between valid numbers; `count` is at least 1."""
        source = BitSource(data, min(count, 2) * bytes_below(self.cardinality))
        gaps = read_gaps(source, count - 1, sum_)
        source.end()
        return gaps


def first_not_below(numbers: Limbs, number: int) -> int:
    """Return the row of the first of sorted numbers that is not below a number, 0 or more.

    >>> first_not_below(np.array([[0, 5], [1, 0], [1, 7]], np.uint64), 2**64 + 1)
    2
    """
    high, low = split(number)
    begin, end = (int(np.searchsorted(numbers[:, 0], high, side)) for side in ("left", "right"))
    return begin + int(np.searchsorted(numbers[begin:end, 1], low))
