"""The protocol of all coders of numbers, and the checks that they share."""

from __future__ import annotations

from operator import index as as_integer
from typing import TYPE_CHECKING, Protocol, SupportsIndex

from pavcodec.errors import NumberError, shown

if TYPE_CHECKING:
    from pavcodec.arrays.words.limbs import Limbs

__all__ = [
    "MOST",
    "Coder",
    "bytes_below",
    "check_cardinality",
    "check_count",
    "check_index",
    "checked_numbers",
]

MOST = 1 << 128
"""The maximum cardinality: a row of two 64-bit words holds numbers below it."""


class Coder(Protocol):
    """Converts blocks of numbers below a cardinality to bytes and back.

    A coder depends only on the cardinality. The bytes do not contain the number of numbers; the
    head of the block does. Each sequence of numbers has exactly one encoding.
    """

    @property
    def cardinality(self) -> int:
        """The cardinality: all numbers are below it."""

    def encode(self, numbers: Limbs) -> bytes:
        """Return the bytes of numbers, `uint64[n, 2]`, high and low words.

        Raise `NumberError` if a number is not below the cardinality, or in the wrong order.
        """

    def decode(self, data: bytes, count: int) -> Limbs:
        """Return the numbers of bytes, `uint64[count, 2]`.

        Raise `ReadError` if the bytes are not the encoding of `count` numbers. For any bytes, the
        memory is at most a few times that of the numbers and the bytes.
        """

    def at(self, data: bytes, count: int, index: int) -> int:
        """Return one number; `index` is from 0 to `count` - 1.

        The bytes must be valid, checked by `decode` or by a checksum. For invalid bytes, the result
        is any number below the cardinality, or a `ReadError`.
        """


def check_cardinality(cardinality: SupportsIndex) -> int:
    """Return a cardinality unchanged; raise `NumberError` unless it is from 1 to 2¹²⁸.

    >>> check_cardinality(756)
    756
    """
    total = as_integer(cardinality)
    if not 1 <= total <= MOST:
        raise NumberError(f"a cardinality is from 1 to 2^128, not {shown(total)}")
    return total


def check_count(count: int) -> int:
    """Return a count unchanged; raise `NumberError` if it is negative.

    >>> check_count(0)
    0
    """
    if count < 0:
        raise NumberError(f"there are 0 numbers or more, not {shown(count)}")
    return count


def check_index(index: SupportsIndex, count: int) -> int:
    """Return an index unchanged; raise `IndexError` unless it is from 0 to `count` - 1.

    >>> check_index(0, 1)
    0
    """
    place = as_integer(index)
    if not 0 <= place < count:
        raise IndexError(f"there is no number {place} among {count}")
    return place


def checked_numbers(numbers: Limbs, cardinality: int) -> Limbs:
    """Return numbers unchanged.

    Raise `TypeError` if they are not `uint64[n, 2]`, and `NumberError` if a number is not below the
    cardinality.
    """
    import numpy as np

    from pavcodec.arrays.chunks import checked
    from pavcodec.arrays.words.limbs import below

    rows: Limbs = checked("numbers", numbers, np.uint64, 2)
    are_known = below(rows, cardinality)
    if not are_known.all():
        row = int(are_known.argmin())
        high, low = rows[row].tolist()
        raise NumberError(f"row {row}: {high << 64 | low} is not below {cardinality}")
    return rows


def bytes_below(limit: int) -> int:
    """Return the least number of bytes that can hold each number below a limit.

    >>> bytes_below(1), bytes_below(256), bytes_below(257)
    (0, 1, 2)
    """
    return ((limit - 1).bit_length() + 7) // 8
