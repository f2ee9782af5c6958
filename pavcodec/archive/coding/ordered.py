"""Ordered numbers: groups of 256, each coded as one number in base T.

A block of n numbers below T is divided into groups of 256; the last group has the remainder. The
numbers x₀, x₁, … of a group of g numbers become x₀ + x₁·T + x₂·T² + …, little-endian, in exactly
the bytes that T^g - 1 needs. A group with a value of T^g or more is invalid. So a number needs
log2(T) bits, and each group less than one byte more: 95.4375 bits a deal, where log2(T) is 95.4374.

A block is not coded as one group for two reasons: the time grows faster than the size of a group,
and the decoder of a single number needs only its group.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain, repeat
from typing import TYPE_CHECKING, Any, SupportsIndex, TypeAlias

from pavcodec.archive.coding.coder import (
    bytes_below,
    check_cardinality,
    check_count,
    check_index,
    checked_numbers,
)
from pavcodec.errors import ReadError

if TYPE_CHECKING:
    from pavcodec.arrays.words.limbs import Limbs

Big: TypeAlias = Any
"""An integer of gmpy2."""

__all__ = ["GROUP", "OrderedCoder"]

GROUP = 256
"""The numbers in a group, a power of two."""

_AT_ONCE = 64 * GROUP
"""The numbers that are converted together; as integers they need more memory than as rows."""

_LIMB_BITS = 128


@dataclass(frozen=True)
class OrderedCoder:
    """Codes any numbers below a cardinality from 1 to 2¹²⁸, each in log2(cardinality) bits.

    >>> import numpy as np
    >>> coder = OrderedCoder(1000)
    >>> data = coder.encode(np.array([[0, 999], [0, 0], [0, 5]], np.uint64))
    >>> int.from_bytes(data, "little") == 999 + 0 * 1000 + 5 * 1000**2
    True
    >>> coder.decode(data, 3)[:, 1].tolist(), coder.at(data, 3, 2)
    ([999, 0, 5], 5)
    """

    cardinality: int

    def __post_init__(self) -> None:
        object.__setattr__(self, "cardinality", check_cardinality(self.cardinality))

    def size(self, count: int) -> int:
        """Return the size of `count` numbers in bytes.

        >>> OrderedCoder(1000).size(3), OrderedCoder(1).size(10**9)
        (4, 0)
        """
        whole, rest = divmod(check_count(count), GROUP)
        return whole * self._group_size(GROUP) + self._group_size(rest)

    def encode(self, numbers: Limbs) -> bytes:
        """Return the bytes of numbers, `uint64[n, 2]`.

        Raise `NumberError` if a number is not below the cardinality.
        """
        rows = checked_numbers(numbers, self.cardinality)
        return b"".join(
            group.to_bytes(size, "little")
            for begin in range(0, len(rows), _AT_ONCE)
            for group, size in self._with_sizes(rows[begin : begin + _AT_ONCE])
        )

    def decode(self, data: bytes, count: int) -> Limbs:
        """Return the numbers of bytes, `uint64[count, 2]`.

        Raise `ReadError` if the number of bytes is wrong, or if the value of a group is too large.
        """
        import numpy as np

        self._check_size(data, count)
        if self.cardinality == 1:  # no bytes, so no work must depend on `count`
            return np.zeros((count, 2), np.uint64)
        numbers = np.empty((count, 2), np.uint64)
        width = _AT_ONCE // GROUP * self._group_size(GROUP)
        for part, begin in enumerate(range(0, count, _AT_ONCE)):
            many = min(_AT_ONCE, count - begin)
            groups = self._groups(data[part * width : (part + 1) * width], many)
            numbers[begin : begin + many] = _rows(_digits(groups, self.cardinality)[:many])
        return numbers

    def at(self, data: bytes, count: int, index: SupportsIndex) -> int:
        """Return one number; `index` is from 0 to `count` - 1.

        Raise `ReadError` as `decode` does, for the group that holds the number.
        """
        which, place = divmod(check_index(index, count), GROUP)
        self._check_size(data, count)
        begin = which * self._group_size(GROUP)
        many = min(GROUP, count - which * GROUP)
        (group,) = self._groups(data[begin : begin + self._group_size(many)], many)
        return int(group // _power(self.cardinality, place) % self.cardinality)

    def _group_size(self, count: int) -> int:
        """Return the bytes of a group of `count` numbers."""
        return _bytes_of_group(self.cardinality, count)

    def _check_size(self, data: bytes, count: int) -> None:
        size = self.size(count)
        if len(data) != size:
            raise ReadError(
                f"{count} numbers below {self.cardinality} take {size} bytes, not {len(data)}"
            )

    def _with_sizes(self, rows: Limbs) -> Iterator[tuple[Big, int]]:
        """Yield the groups of rows, each with its size in bytes."""
        groups = _grouped(_integers(rows), self.cardinality)
        for place, group in enumerate(groups):
            yield group, self._group_size(min(GROUP, len(rows) - place * GROUP))

    def _groups(self, data: bytes, count: int) -> list[Big]:
        """Return the groups of `count` numbers; raise `ReadError` if a value is too large."""
        from gmpy2 import mpz

        width = self._group_size(GROUP)
        groups = []
        for place in range((count + GROUP - 1) // GROUP):
            group = mpz.from_bytes(data[place * width : (place + 1) * width], "little")
            many = min(GROUP, count - place * GROUP)
            if group >= _power(self.cardinality, many):
                raise ReadError(
                    f"group {place} is no {many} numbers below {self.cardinality}: it is too large"
                )
            groups.append(group)
        return groups


@lru_cache(maxsize=1024)
def _power(base: int, exponent: int) -> Big:
    """Return a power as an integer of gmpy2."""
    from gmpy2 import mpz

    return mpz(base) ** exponent


@lru_cache(maxsize=1024)
def _bytes_of_group(cardinality: int, count: int) -> int:
    return bytes_below(_power(cardinality, count))


def _grouped(digits: list[Big], base: int) -> list[Big]:
    """Return the value of each 256 digits, the lowest digit first.

    Each step combines neighbours into one digit of the squared base. Groups start at multiples of a
    power of two, so no pair has digits of two groups. A last digit without a neighbour gets a 0 as
    its higher digit, which does not change the value.
    """
    for level in range(GROUP.bit_length() - 1):
        factor = _power(base, 1 << level)
        if len(digits) % 2:
            digits.append(_power(0, 1))
        digits = [low + factor * high for low, high in zip(digits[::2], digits[1::2], strict=True)]
    return digits


def _digits(groups: list[Big], base: int) -> list[Big]:
    """Return the 256 digits of each value, the lowest first: the inverse of `_grouped`.

    The list is reversed, because `divmod` returns the higher digit first.
    """
    digits = groups[::-1]
    for level in reversed(range(GROUP.bit_length() - 1)):
        digits = list(chain.from_iterable(map(divmod, digits, repeat(_power(base, 1 << level)))))
    return digits[::-1]


def _integers(rows: Limbs) -> list[Big]:
    """Return rows as integers of gmpy2."""
    from gmpy2 import mpz, unpack

    words = rows[:, ::-1].astype("<u8", order="C")
    integers: list[Big] = unpack(mpz.from_bytes(words.tobytes(), "little"), _LIMB_BITS)
    return integers + [mpz(0)] * (len(rows) - len(integers))  # `unpack` omits top zeros


def _rows(integers: Sequence[Big]) -> Limbs:
    """Return integers as rows of two words."""
    import numpy as np
    from gmpy2 import pack

    data = pack(list(integers), _LIMB_BITS).to_bytes(len(integers) * _LIMB_BITS // 8, "little")
    words = np.frombuffer(data, "<u8").reshape(-1, 2)
    return words[:, ::-1].astype(np.uint64)
