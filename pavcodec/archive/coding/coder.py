"""The protocol of all coders, the coder of ordered numbers, and lower bounds for any coder."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import chain, repeat
from itertools import count as count_from
from operator import index as as_integer
from typing import TYPE_CHECKING, Any, Protocol, SupportsIndex, TypeAlias

from pavcodec.errors import NumberError, ReadError, shown

if TYPE_CHECKING:
    from pavcodec.arrays import Limbs


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
    position = as_integer(index)
    if not 0 <= position < count:
        raise IndexError(f"there is no number {position} among {count}")
    return position


def checked_numbers(numbers: Limbs, cardinality: int) -> Limbs:
    """Return numbers unchanged.

    Raise `TypeError` if they are not `uint64[n, 2]`, and `NumberError` if a number is not below the
    cardinality.
    """
    import numpy as np

    from pavcodec.arrays import below, checked

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


# Ordered numbers: groups of 256, each coded as one number in base T.
#
# A block of n numbers below T is divided into groups of 256; the last group has the remainder. The
# numbers x₀, x₁, … of a group of g numbers become x₀ + x₁·T + x₂·T² + …, little-endian, in exactly
# the bytes that T^g - 1 needs. A group with a value of T^g or more is invalid. So a number needs
# log2(T) bits, and each group less than one byte more: 95.4375 bits a deal, where log2(T) is
# 95.4374.
#
# A block is not coded as one group for two reasons: the time grows faster than the size of a group,
# and the decoder of a single number needs only its group.


Big: TypeAlias = Any
"""An integer of gmpy2."""


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
        which, offset = divmod(check_index(index, count), GROUP)
        self._check_size(data, count)
        begin = which * self._group_size(GROUP)
        many = min(GROUP, count - which * GROUP)
        (group,) = self._groups(data[begin : begin + self._group_size(many)], many)
        return int(group // _power(self.cardinality, offset) % self.cardinality)

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
        for index, group in enumerate(groups):
            yield group, self._group_size(min(GROUP, len(rows) - index * GROUP))

    def _groups(self, data: bytes, count: int) -> list[Big]:
        """Return the groups of `count` numbers; raise `ReadError` if a value is too large."""
        from gmpy2 import mpz

        width = self._group_size(GROUP)
        groups = []
        for index in range((count + GROUP - 1) // GROUP):
            group = mpz.from_bytes(data[index * width : (index + 1) * width], "little")
            many = min(GROUP, count - index * GROUP)
            if group >= _power(self.cardinality, many):
                raise ReadError(
                    f"group {index} is no {many} numbers below {self.cardinality}: it is too large"
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


# Lower bounds for the size of a collection, in bits a deal.
#
# A collection of n numbers below T is one of N possible collections. No coder needs fewer than
# log2(N) bits for each of them:
#
# - ordered: N = T^n
# - a set: N = C(T, n)
# - a multiset: N = C(T + n - 1, n)
#
# Each logarithm is enclosed between two bounds, computed with MPFR's correctly rounded functions;
# all steps of one bound round down, and all steps of the other round up. The precision doubles
# until both bounds have the same billionths. This always ends, since log2(N) is irrational unless N
# is a power of two, and C(T, n) is no power of a prime for n from 2 to T - 2 (Erdős).


PARTS = 10**9
"""The number of parts of a bit in which bounds are rounded: billionths."""

_FIRST_PRECISION = 256
"""The first precision in bits. T has 128 and its logarithm 7, so half remain for the result."""

Context: TypeAlias = Any
"""A context of gmpy2, which rounds up or down."""
Real: TypeAlias = Any
"""A real number of gmpy2."""


def ordered_bits(cardinality: SupportsIndex) -> Fraction:
    """Return log2(T), the bits a deal of an ordered collection, rounded down to billionths.

    >>> ordered_bits(256)
    Fraction(8, 1)
    >>> float(ordered_bits(53644737765488792839237440000))
    95.437423314
    """
    total = check_cardinality(cardinality)
    return _per_deal(total, 1)


def set_bits(cardinality: SupportsIndex, count: SupportsIndex) -> Fraction:
    """Return log2(C(T, n)) / n, the bits a deal of a set of n deals, rounded down to billionths.

    It is 0 for the empty set. Raise `NumberError` if `count` exceeds the cardinality.

    >>> float(set_bits(53644737765488792839237440000, 10**5))
    80.270381575
    """
    total, many = check_cardinality(cardinality), _check_count(count)
    if many > total:
        raise NumberError(f"a set of numbers below {total} has no {many} of them")
    return _of_set(total, many)


def multiset_bits(cardinality: SupportsIndex, count: SupportsIndex) -> Fraction:
    """Return log2(C(T + n - 1, n)) / n, the bits a deal of a multiset, rounded down to billionths.

    It is 0 for the empty multiset.

    >>> float(multiset_bits(2, 3))
    0.666666666
    """
    total, many = check_cardinality(cardinality), _check_count(count)
    return _of_set(total + many - 1, many)


def _check_count(count: SupportsIndex) -> int:
    many = as_integer(count)
    if many < 0:
        raise NumberError(f"a collection has 0 deals or more, not {shown(many)}")
    return many


def _of_set(total: int, count: int) -> Fraction:
    """Return log2(C(total, count)) / count, rounded down."""
    fewer = min(count, total - count)
    if fewer == 0:
        return Fraction(0)
    if fewer == 1:
        return _per_deal(total, count)

    return _rounded_down(lambda down, up: _log2_choose(total, fewer, down, up), count)


def _log2_choose(total: int, count: int, down: Context, up: Context) -> Real:
    """Return log2(C(total, count)), a lower bound if `down` rounds down, an upper one if up."""
    from gmpy2 import mpfr

    parts = up.add(up.lgamma(count + 1)[0], up.lgamma(total - count + 1)[0])
    logarithm = down.sub(down.lgamma(total + 1)[0], parts)
    return down.div(logarithm, up.log(mpfr(2)))


def _per_deal(total: int, count: int) -> Fraction:
    """Return log2(total) / count, rounded down."""
    if total & (total - 1) == 0:
        return Fraction((total.bit_length() - 1) * PARTS // count, PARTS)
    return _rounded_down(lambda down, _: down.log2(total), count)


def _rounded_down(bits: Callable[[Context, Context], Real], count: int) -> Fraction:
    """Return bits / count, rounded down to billionths; `bits` must be irrational.

    `bits` takes two contexts of gmpy2 and returns a bound of the true value. If the first context
    rounds down and the second up, it returns a lower bound; if they are exchanged, an upper bound.
    """
    import gmpy2

    for doublings in count_from():
        precision = _FIRST_PRECISION << doublings
        down = gmpy2.context(precision=precision, round=gmpy2.RoundDown)
        up = gmpy2.context(precision=precision, round=gmpy2.RoundUp)
        least, most = (_floor(bits(*contexts), count) for contexts in ((down, up), (up, down)))
        if least == most:
            return Fraction(least, PARTS)
    raise AssertionError("two irrational bounds never agree")


def _floor(bits: Real, count: int) -> int:
    """Return bits / count in billionths, rounded down."""
    numerator, denominator = (int(part) for part in bits.as_integer_ratio())
    return numerator * PARTS // (denominator * count)
