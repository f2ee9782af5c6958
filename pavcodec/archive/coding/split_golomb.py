"""Codes of any gaps: one run for similar gaps, or separate codes of short and long gaps.

One divisor suits the gaps between random numbers. Clustered or repeated numbers have short gaps and
long gaps, and no divisor suits both. Such gaps are *split* at 2^a: the gaps below 2^a, and the long
gaps, reduced by 2^a, are coded separately, together with the places of the long gaps. A split costs
about 15 bytes. The two parts may be split again, but not their parts.

A *collection* of n gaps with the sum S has no bytes if S is 0 or n is 1. Otherwise it starts with a
byte, unless it is a part of a part, which is always a run without this byte. The byte is

- 0 before a *run*, as defined in `golomb`;
- a + 1 before a split, which contains: the count of the long gaps, in the bytes that n - 1 needs;
  the sum of the reduced long gaps, in the bytes that S needs; the places of the long gaps, or of
  the short ones if they are fewer, as the run of the numbers of gaps before, between and after
  these places; the collection of the short gaps; the collection of the reduced long gaps.

The encoder chooses from the counts and sums of the gaps of each bit length: the option with the
fewest bits by `run_bits`, of equal ones that with the least `a`, and a split only if it saves more
than one bit in 32 gaps.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from pavcodec.archive.coding.coder import bytes_below
from pavcodec.archive.coding.golomb import BitSource, read_run, run_bits, write_run
from pavcodec.arrays.words.limbs import Limbs, add, bit_lengths, running_sum, subtract
from pavcodec.errors import ReadError

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["read_gaps", "write_gaps"]

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
    for split in _splits(gaps, sum_):
        bits = split.bits(len(gaps), sum_)
        if bits < least:
            best, least = split, bits
    return best


def _splits(gaps: Limbs, sum_: int) -> Iterator[_Split]:
    """Yield the splits between each two bit lengths of the gaps."""
    lengths = bit_lengths(gaps)
    order = np.argsort(lengths, kind="stable")
    found, begins = np.unique(lengths[order], return_index=True)
    sums = running_sum(gaps[order])[begins - 1].tolist()  # the first element is not used
    for exponent, begin, (high, low) in zip(
        found[:-1].tolist(), begins[1:].tolist(), sums[1:], strict=True
    ):
        long = len(gaps) - begin
        yield _Split(exponent, long, sum_ - (high << 64 | low) - (long << exponent))
