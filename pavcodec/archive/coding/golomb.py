"""Golomb codes of gaps, with separate streams of bits so that numpy decodes them without a loop.

A *run* is n gaps, each 0 or more, with the known sum S. From n and S the decoder computes the last
gap, once it has the others, and the divisor m. So neither is stored:

    m = floor((177·S + 166·n) / (256·n)), at least 1

This is about ln 2 times the mean gap, for which Golomb's code of random gaps is shortest. If m is
long, its lowest bits are cleared so that m = d · 256^b; d has 8 to 15 bits if b is above 0. A gap g
consists of b *low bytes* and g // 256^b = q·d + r, with the *quotient* q and the *remainder* r < d.
Let 2^s <= d < 2^(s+1) and u = 2^(s+1) - d. If r < u, the *head* is r in s bits. Otherwise the head
is the upper s bits of r + u, and the lowest bit of r + u is an *extra* bit. The code of a run is,
for the first n - 1 gaps:

1. for each gap, its low bytes, lowest first, and the lowest byte of the head if s is 8 or more;
2. a stream of bits, which fills each byte from its lowest bit: the lowest bits of all heads
   (without the bytes of step 1), then their next bits, and so on; all extra bits; each quotient q
   as q zeros and a one; zeros to the end of the byte.

A run with sum 0, and a run of one gap, has no bytes.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from pavcodec.arrays.words.limbs import Limbs, split, total
from pavcodec.errors import ReadError

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["BitSource", "read_run", "run_bits", "write_run"]

_LIMB_BYTES = 16
_WORD_BYTES = 8
_WORD_BITS = 64


@dataclass
class BitSource:
    """Bytes with a position for reading."""

    data: bytes
    place: int = 0

    def take(self, size: int) -> bytes:
        """Return the next bytes; raise `ReadError` if there are too few."""
        if size > len(self.data) - self.place:
            raise self.too_short()
        taken = self.data[self.place : self.place + size]
        self.place += size
        return taken

    def end(self) -> None:
        """Raise `ReadError` unless all bytes are read."""
        if self.place < len(self.data):
            more = len(self.data) - self.place
            raise ReadError(f"there are {more} bytes after the numbers")

    def too_short(self) -> ReadError:
        """Return the error for bytes that end too early."""
        return ReadError(f"{len(self.data)} bytes are too few for the numbers in them")

    def rest(self, most: int) -> NDArray[np.uint8]:
        """Return at most `most` of the next bytes; do not move the position."""
        left = min(most, len(self.data) - self.place)
        return np.frombuffer(self.data, np.uint8, left, self.place)


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

    def greatest_quotient(self, sum_: int) -> int:
        return sum_ // (self.value << 8 * self.low_bytes)


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
    most = count * (width + 2) + divisor.greatest_quotient(sum_)
    bits = np.unpackbits(source.rest((most + 7) // 8), bitorder="little")
    if len(bits) < count * (width + 1):
        raise source.too_short()
    heads = _from_planes(bits[: count * width], width, count)
    if divisor.head_bytes:
        lowest = np.frombuffer(rows, np.uint8).reshape(count, size)[:, -1]
        heads = heads << np.uint64(8) | lowest
    is_long = heads >= divisor.short
    place = count * width
    unary = place + int(np.count_nonzero(is_long))
    remainders = heads << is_long.astype(np.uint64)
    remainders[is_long] += bits[place:unary] - np.uint64(divisor.short)
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
    found = np.empty((len(above), 2), np.uint64)
    np.bitwise_and(words[:, 0], mask_low, out=found[:, 1])
    np.bitwise_and(words[:, 1], mask_high, out=found[:, 0])
    bits = 8 * low_bytes
    if bits >= _WORD_BITS:
        found[:, 0] |= above << np.uint64(bits - _WORD_BITS)
    else:
        found[:, 1] |= above << np.uint64(bits)
        found[:, 0] |= above >> np.uint64(_WORD_BITS - bits) if bits else np.uint64(0)
    return found


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
