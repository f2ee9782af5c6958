"""Sorted numbers, for sets and multisets, coded as the gaps between them.

The code of a block of sorted numbers below T is its first and its last number, little-endian, each
in the bytes that T - 1 needs, then the code of the gaps by `write_gaps`. A gap is the difference
of neighbours, less 1 in a set, whose numbers are distinct. A block of one number contains only this
number; an empty block has no bytes.

The count of the numbers and the difference of the last and the first determine the divisor of
Golomb's code, and the last gap. So the last number costs no more than that gap would, and no stored
parameter can be wrong.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from operator import index as as_integer
from typing import TYPE_CHECKING, SupportsIndex

import numpy as np

from pavcodec.archive.coding.coder import (
    bytes_below,
    check_cardinality,
    check_count,
    check_index,
    checked_numbers,
)
from pavcodec.arrays import (
    Limbs,
    add,
    bit_lengths,
    differences,
    integer,
    running_sum,
    split,
    subtract,
    total,
)
from pavcodec.errors import NumberError, ReadError

if TYPE_CHECKING:
    from numpy.typing import NDArray


# Golomb codes of gaps, with separate streams of bits so that numpy decodes them without a loop.
#
# A *run* is n gaps, each 0 or more, with the known sum S. From n and S the decoder computes the
# last gap, once it has the others, and the divisor m. So neither is stored:
#
#     m = floor((177·S + 166·n) / (256·n)), at least 1
#
# This is about ln 2 times the mean gap, for which Golomb's code of random gaps is shortest. If m is
# long, its lowest bits are cleared so that m = d · 256^b; d has 8 to 15 bits if b is above 0. A gap
# g consists of b *low bytes* and g // 256^b = q·d + r, with the *quotient* q and the *remainder* r
# < d. Let 2^s <= d < 2^(s+1) and u = 2^(s+1) - d. If r < u, the *head* is r in s bits. Otherwise
# the head is the upper s bits of r + u, and the lowest bit of r + u is an *extra* bit. The code of
# a run is, for the first n - 1 gaps:
#
# 1. for each gap, its low bytes, lowest first, and the lowest byte of the head if s is 8 or more;
# 2. a stream of bits, which fills each byte from its lowest bit: the lowest bits of all heads
#    (without the bytes of step 1), then their next bits, and so on; all extra bits; each quotient q
#    as q zeros and a one; zeros to the end of the byte.
#
# A run with sum 0, and a run of one gap, has no bytes.


_LIMB_BYTES = 16
_WORD_BYTES = 8
_WORD_BITS = 64


@dataclass
class BitSource:
    """Bytes with a position for reading."""

    data: bytes
    position: int = 0

    def take(self, size: int) -> bytes:
        """Return the next bytes; raise `ReadError` if there are too few."""
        if size > len(self.data) - self.position:
            raise self.too_short()
        taken = self.data[self.position : self.position + size]
        self.position += size
        return taken

    def end(self) -> None:
        """Raise `ReadError` unless all bytes are read."""
        if self.position < len(self.data):
            more = len(self.data) - self.position
            raise ReadError(f"there are {more} bytes after the numbers")

    def too_short(self) -> ReadError:
        """Return the error for bytes that end too early."""
        return ReadError(f"{len(self.data)} bytes are too few for the numbers in them")

    def rest(self, most: int) -> NDArray[np.uint8]:
        """Return at most `most` of the next bytes; do not move the position."""
        left = min(most, len(self.data) - self.position)
        return np.frombuffer(self.data, np.uint8, left, self.position)


@dataclass(frozen=True)
class _Divisor:
    """The divisor of a run: `value` · 256^`low_bytes`."""

    value: int
    low_bytes: int

    @classmethod
    def of(cls, count: int, sum_: int) -> _Divisor:
        whole = max(1, (177 * sum_ + 166 * count) // (256 * count))
        low_bytes = max(0, (whole.bit_length() - 8) // 8)
        return cls(whole >> 8 * low_bytes, low_bytes)

    @property
    def head_bits(self) -> int:
        return self.value.bit_length() - 1

    @property
    def head_bytes(self) -> int:
        """The bytes of a head that are stored with the low bytes."""
        return self.head_bits // 8

    @property
    def stream_bits(self) -> int:
        """The bits of a head in the stream."""
        return self.head_bits % 8

    @property
    def short(self) -> int:
        """The number of remainders without an extra bit."""
        return (2 << self.head_bits) - self.value


def run_bits(count: int, sum_: int) -> int:
    """Return the approximate number of bits of a run of random gaps.

    Random gaps are geometrically distributed, so small remainders are more frequent than large
    ones, and extra bits are rarer than in a uniform distribution. Both effects are computed to the
    first order.

    >>> run_bits(8000, 8000 << 80) // 8000, run_bits(8, 0)
    (81, 0)
    """
    if count <= 1 or not sum_:
        return 0
    divisor = _Divisor.of(count, sum_)
    whole = divisor.value << 8 * divisor.low_bytes
    remainders = count * (whole - 1) // 2
    remainders -= count * count * (whole * whole - 1) // (12 * sum_ + 6 * count)
    quotients = max(0, sum_ - remainders) // whole
    long, short = divisor.value - divisor.short, divisor.short
    extra = count * long * (3 * divisor.value - short) // (3 * divisor.value**2)
    fixed = 8 * divisor.low_bytes + divisor.head_bits + 1
    return (count - 1) * fixed + extra + quotients


def write_run(gaps: Limbs, sum_: int) -> bytes:
    """Return the code of gaps with the sum `sum_`."""
    if len(gaps) <= 1 or not sum_:
        return b""
    divisor = _Divisor.of(len(gaps), sum_)
    above = _above(gaps[:-1], 8 * divisor.low_bytes)
    quotients = above // np.uint64(divisor.value)
    remainders = above - quotients * np.uint64(divisor.value)
    is_long = remainders >= divisor.short
    codes = remainders + np.uint64(divisor.short) * is_long
    heads = codes >> is_long.astype(np.uint64)
    extra = (codes[is_long] & np.uint64(1)).astype(np.uint8)
    rows = np.empty((len(above), divisor.low_bytes + divisor.head_bytes), np.uint8)
    rows[:, : divisor.low_bytes] = _bytes_of(gaps[:-1])[:, : divisor.low_bytes]
    if divisor.head_bytes:
        rows[:, -1] = heads & np.uint64(255)
    planes = _planes_of(heads >> np.uint64(8 * divisor.head_bytes), divisor.stream_bits)
    bits = np.concatenate([planes, extra, _unary(quotients)])
    return rows.tobytes() + np.packbits(bits, bitorder="little").tobytes()


def read_run(source: BitSource, count: int, sum_: int) -> Limbs:
    """Return the gaps of a run, `uint64[count, 2]`; raise `ReadError` if the bytes end too early.

    Not all errors are found here: if `write_run` does not write these bytes, the gaps may be any
    numbers modulo 2¹²⁸.
    """
    if not count or not sum_:
        return np.zeros((count, 2), np.uint64)
    if count == 1:
        return np.array([split(sum_)], np.uint64)
    gaps = _read_all_but_one(source, count - 1, sum_, _Divisor.of(count, sum_))
    last = np.array([split(sum_ - total(gaps))], np.uint64)
    return np.concatenate([gaps, last])


def _read_all_but_one(source: BitSource, count: int, sum_: int, divisor: _Divisor) -> Limbs:
    """Return the gaps that the bytes contain: all gaps of a run but the last."""
    size, width = divisor.low_bytes + divisor.head_bytes, divisor.stream_bits
    rows = source.take(count * size)
    greatest_quotient = sum_ // (divisor.value << 8 * divisor.low_bytes)
    most = count * (width + 2) + greatest_quotient
    bits = np.unpackbits(source.rest((most + 7) // 8), bitorder="little")
    if len(bits) < count * (width + 1):
        raise source.too_short()
    heads = _from_planes(bits[: count * width], width, count)
    if divisor.head_bytes:
        lowest = np.frombuffer(rows, np.uint8).reshape(count, size)[:, -1]
        heads = heads << np.uint64(8) | lowest
    is_long = heads >= divisor.short
    heads_end = count * width
    unary = heads_end + int(np.count_nonzero(is_long))
    remainders = heads << is_long.astype(np.uint64)
    remainders[is_long] += bits[heads_end:unary] - np.uint64(divisor.short)
    ones = np.flatnonzero(bits[unary:].view(np.bool_))[:count]
    if len(ones) < count:
        raise source.too_short()
    source.take((unary + int(ones[-1]) + 8) // 8)
    quotients = ones.astype(np.uint64)
    quotients[1:] -= quotients[:-1] + np.uint64(1)
    above = quotients * np.uint64(divisor.value) + remainders
    return _joined(above, rows, size, divisor.low_bytes)


def _above(rows: Limbs, bits: int) -> NDArray[np.uint64]:
    """Return numbers without their lowest `bits` bits; `bits` is a multiple of 8 below 128."""
    high, low = rows[:, 0], rows[:, 1]
    if bits >= _WORD_BITS:
        return high >> np.uint64(bits - _WORD_BITS)
    return low >> np.uint64(bits) | (high << np.uint64(_WORD_BITS - bits) if bits else high)


def _joined(above: NDArray[np.uint64], rows: bytes, size: int, low_bytes: int) -> Limbs:
    """Return the numbers `above` · 256^`low_bytes` + the low bytes, which start each row.

    Each row has `size` bytes. Two words are read from the start of each row, and the bytes after
    the low bytes are masked.
    """
    words = np.ndarray((len(above), 2), "<u8", rows + bytes(_LIMB_BYTES), 0, (size, _WORD_BYTES))
    mask_high, mask_low = split((1 << 8 * low_bytes) - 1)
    numbers = np.empty((len(above), 2), np.uint64)
    np.bitwise_and(words[:, 0], mask_low, out=numbers[:, 1])
    np.bitwise_and(words[:, 1], mask_high, out=numbers[:, 0])
    bits = 8 * low_bytes
    if bits >= _WORD_BITS:
        numbers[:, 0] |= above << np.uint64(bits - _WORD_BITS)
    else:
        numbers[:, 1] |= above << np.uint64(bits)
        numbers[:, 0] |= above >> np.uint64(_WORD_BITS - bits) if bits else np.uint64(0)
    return numbers


def _unary(quotients: NDArray[np.uint64]) -> NDArray[np.uint8]:
    ends = np.cumsum(quotients + np.uint64(1))
    bits = np.zeros(int(ends[-1]), np.uint8)
    bits[ends - np.uint64(1)] = 1
    return bits


def _planes_of(values: NDArray[np.uint64], width: int) -> NDArray[np.uint8]:
    """Return the lowest bits of all values, then their next bits, and so on."""
    short, one = values.astype(np.uint16), np.uint16(1)
    planes = [(short >> np.uint16(bit)) & one for bit in range(width)]
    return np.concatenate([np.empty(0, np.uint8), *planes], dtype=np.uint8, casting="unsafe")


def _from_planes(bits: NDArray[np.uint8], width: int, count: int) -> NDArray[np.uint64]:
    """Return the values of bits in the order of `_planes_of`."""
    values = np.zeros(count, np.uint8)  # there are at most seven planes
    for bit, plane in enumerate(bits.reshape(width, count)):
        values |= plane << np.uint8(bit)
    return values.astype(np.uint64)


def _bytes_of(rows: Limbs) -> NDArray[np.uint8]:
    """Return the bytes of numbers, lowest first, `uint8[n, 16]`."""
    return rows[:, ::-1].astype("<u8", order="C").view(np.uint8)


# Codes of any gaps: one run for similar gaps, or separate codes of short and long gaps.
#
# One divisor suits the gaps between random numbers. Clustered or repeated numbers have short gaps
# and long gaps, and no divisor suits both. Such gaps are *split* at 2^a: the gaps below 2^a, and
# the long gaps, reduced by 2^a, are coded separately, together with the places of the long gaps. A
# split costs about 15 bytes. The two parts may be split again, but not their parts.
#
# A *collection* of n gaps with the sum S has no bytes if S is 0 or n is 1. Otherwise it starts with
# a byte, unless it is a part of a part, which is always a run without this byte. The byte is
#
# - 0 before a *run*, as defined above;
# - a + 1 before a split, which contains: the count of the long gaps, in the bytes that n - 1 needs;
#   the sum of the reduced long gaps, in the bytes that S needs; the places of the long gaps, or of
#   the short ones if they are fewer, as the run of the numbers of gaps before, between and after
#   these places; the collection of the short gaps; the collection of the reduced long gaps.
#
# The encoder chooses from the counts and sums of the gaps of each bit length: the option with the
# fewest bits by `run_bits`, of equal ones that with the least `a`, and a split only if it saves
# more than one bit in 32 gaps.


_SPLITS = 2
"""The maximum depth of splits."""

_WORTH_A_SPLIT = 32
"""A split must save more than one bit in this number of gaps."""


@dataclass(frozen=True)
class _Split:
    """A split at 2^`exponent`: the count of the long gaps, and the sum of the reduced long gaps."""

    exponent: int
    long: int
    long_sum: int

    def places(self, count: int) -> tuple[bool, int]:
        """Return whether the long gaps' places are listed, not the short ones', and how many."""
        return 2 * self.long <= count, min(self.long, count - self.long)

    def short_sum(self, sum_: int) -> int:
        """Return the sum of the short gaps."""
        return sum_ - self.long_sum - (self.long << self.exponent)

    def bits(self, count: int, sum_: int) -> int:
        """Return the approximate number of bits for `count` gaps with the sum `sum_`."""
        _, listed = self.places(count)
        return (
            8 * (1 + bytes_below(count) + bytes_below(sum_ + 1))
            + run_bits(listed + 1, count - listed)
            + run_bits(count - self.long, self.short_sum(sum_))
            + run_bits(self.long, self.long_sum)
        )


def write_gaps(gaps: Limbs, sum_: int, splits: int = _SPLITS) -> bytes:
    """Return the code of gaps with the sum `sum_`."""
    if len(gaps) <= 1 or not sum_:
        return b""
    if not splits:
        return write_run(gaps, sum_)
    split = _best_split(gaps, sum_)
    if split is None:
        return bytes(1) + write_run(gaps, sum_)
    are_long = bit_lengths(gaps) > split.exponent
    lists_long, _ = split.places(len(gaps))
    places = np.flatnonzero(are_long == lists_long)
    long = subtract(gaps[are_long], 1 << split.exponent)
    return b"".join(
        [
            bytes([split.exponent + 1]),
            split.long.to_bytes(bytes_below(len(gaps)), "little"),
            split.long_sum.to_bytes(bytes_below(sum_ + 1), "little"),
            write_run(_between(places, len(gaps)), len(gaps) - len(places)),
            write_gaps(gaps[~are_long], split.short_sum(sum_), splits - 1),
            write_gaps(long, split.long_sum, splits - 1),
        ]
    )


def read_gaps(source: BitSource, count: int, sum_: int, splits: int = _SPLITS) -> Limbs:
    """Return `count` gaps with the sum `sum_`, `uint64[count, 2]`; raise `ReadError` for faults.

    Not all errors are found here: if `write_gaps` does not write these bytes, the gaps may be any
    numbers modulo 2¹²⁸.
    """
    if count <= 1 or not sum_ or not splits:
        return read_run(source, count, sum_)
    (tag,) = source.take(1)
    if not tag:
        return read_run(source, count, sum_)
    split = _Split(
        tag - 1,
        int.from_bytes(source.take(bytes_below(count)), "little"),
        int.from_bytes(source.take(bytes_below(sum_ + 1)), "little"),
    )
    if not 1 <= split.long < count or split.short_sum(sum_) < 0:
        raise ReadError(f"{split.long} gaps of 2^{split.exponent} or more cannot be in {count}")
    are_long = _read_places(source, split, count)
    short = read_gaps(source, count - split.long, split.short_sum(sum_), splits - 1)
    long = read_gaps(source, split.long, split.long_sum, splits - 1)
    gaps = np.zeros((count, 2), np.uint64)
    if split.short_sum(sum_):
        gaps[np.flatnonzero(~are_long)] = short
    gaps[np.flatnonzero(are_long)] = add(long, 1 << split.exponent)
    return gaps


def _read_places(source: BitSource, split: _Split, count: int) -> NDArray[np.bool_]:
    """Return which gaps are long, `bool[count]`."""
    lists_long, listed = split.places(count)
    between = read_run(source, listed + 1, count - listed)[:-1, 1]
    places = np.cumsum(between + np.uint64(1)) - np.uint64(1)
    if places.max() >= count:
        raise ReadError(f"a place of the {listed} listed gaps is not below {count}")
    are_long = np.full(count, not lists_long)
    are_long[places] = lists_long
    if np.count_nonzero(are_long) != split.long:
        raise ReadError(f"the places of the {listed} listed gaps are not distinct")
    return are_long


def _between(places: NDArray[np.int64], count: int) -> Limbs:
    """Return the numbers of gaps before, between and after the given places, of `count` gaps."""
    gaps = np.zeros((len(places) + 1, 2), np.uint64)
    gaps[:, 1] = np.diff(places, prepend=-1, append=count) - 1
    return gaps


def _best_split(gaps: Limbs, sum_: int) -> _Split | None:
    """Return the split with the fewest bits, or None if no split saves enough."""
    best, least = None, run_bits(len(gaps), sum_) - len(gaps) // _WORTH_A_SPLIT
    for each in _splits(gaps, sum_):
        bits = each.bits(len(gaps), sum_)
        if bits < least:
            best, least = each, bits
    return best


def _splits(gaps: Limbs, sum_: int) -> Iterator[_Split]:
    """Yield the splits between each two bit lengths of the gaps."""
    lengths = bit_lengths(gaps)
    order = np.argsort(lengths, kind="stable")
    exponents, begins = np.unique(lengths[order], return_index=True)
    sums = running_sum(gaps[order])[begins - 1].tolist()  # the first element is not used
    for exponent, begin, (high, low) in zip(
        exponents[:-1].tolist(), begins[1:].tolist(), sums[1:], strict=True
    ):
        long = len(gaps) - begin
        yield _Split(exponent, long, sum_ - (high << 64 | low) - (long << exponent))


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
        row = check_index(index, count)
        first, last = self._ends(data, count)
        if row == 0:
            return first
        if row == count - 1:
            return last
        gaps = self._gaps(data, count, self._sum(first, last, count))
        number = first + total(gaps[:row]) + (row if self.distinct else 0)
        if number > last:
            raise ReadError(f"number {row} among {count} is {number}, and the last one is {last}")
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
