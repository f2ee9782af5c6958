"""What a coder of numbers is, and the checks that all coders share."""

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
"""The greatest cardinality: an array holds numbers below it."""


class Coder(Protocol):
    """The bytes of a block of numbers below a cardinality, and nothing else but the numbers.

    A coder is a value made from the cardinality. How many numbers there are is not in the bytes;
    the block that holds them knows it. Each sequence of numbers has exactly one encoding.
    """

    @property
    def cardinality(self) -> int:
        """How many numbers there are to choose from; all are below it."""

    def encode(self, numbers: Limbs) -> bytes:
        """Return the bytes of numbers, `uint64[n, 2]`, high and low words.

        Raise `NumberError` where a number is not below the cardinality, or has no place there.
        """

    def decode(self, data: bytes, count: int) -> Limbs:
        """Return the numbers of bytes, `uint64[count, 2]`.

        Raise `ReadError` where the bytes are not what `encode` makes of so many numbers. What that
        takes in memory is a few times what the numbers and the bytes take, whatever the bytes are.
        """

    def at(self, data: bytes, count: int, index: int) -> int:
        """Return one number; `index` is from 0 to `count` - 1.

        This is for bytes that are known to be good, by `decode` or by a checksum. Of others the
        answer is some number below the cardinality, or a `ReadError`.
        """


def check_cardinality(cardinality: SupportsIndex) -> int:
    """Return a cardinality as it is; raise `NumberError` unless it is from 1 to 2¹²⁸.

    >>> check_cardinality(756)
    756
    """
    total = as_integer(cardinality)
    if not 1 <= total <= MOST:
        raise NumberError(f"a cardinality is from 1 to 2^128, not {shown(total)}")
    return total


def check_count(count: int) -> int:
    """Return a count as it is; raise `NumberError` unless it is 0 or more.

    >>> check_count(0)
    0
    """
    if count < 0:
        raise NumberError(f"there are 0 numbers or more, not {shown(count)}")
    return count


def check_index(index: SupportsIndex, count: int) -> int:
    """Return an index as it is; raise `IndexError` unless it is from 0 to `count` - 1.

    >>> check_index(0, 1)
    0
    """
    place = as_integer(index)
    if not 0 <= place < count:
        raise IndexError(f"there is no number {place} among {count}")
    return place


def checked_numbers(numbers: Limbs, cardinality: int) -> Limbs:
    """Return numbers as they are.

    Raise `TypeError` where they are not `uint64[n, 2]`, and `NumberError` where one is not below
    the cardinality.
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
    """Return how many bytes all numbers below a limit fit in, at least.

    >>> bytes_below(1), bytes_below(256), bytes_below(257)
    (0, 1, 2)
    """
    return ((limit - 1).bit_length() + 7) // 8
