"""Gaps of any kind: a run where they are alike, else short gaps and long gaps apart.

Numbers at random leave gaps that one divisor suits. Numbers in groups, or numbers that come several
times, leave short gaps and long ones, and the divisor for both together suits neither. There the
gaps are *split*: those below 2^a, and the others less 2^a, each coded by itself, and which ones are
long. A split costs about 15 bytes. Parts are split again, twice in all.

A *collection* of n gaps with the sum S is nothing if S is 0 or n is 1. Else it is a byte, unless it
is a part of a part, which has none and is a run. The byte is

- 0: a *run* follows, as `golomb` has it;
- a + 1: there follow how many gaps are long, in the bytes that n - 1 needs; their sum after 2^a is
  taken from each, in the bytes that S needs; the places of the long ones, or of the others where
  those are fewer, as the run of gaps before, between and behind the places; the collection of the
  short gaps; that of the long gaps less 2^a.

Which of these is written follows from the counts and sums of the gaps of each bit length: what is
least by `run_bits`, of equals the shortest `a`, and no split that saves less than a bit in 32 gaps.
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
"""How often gaps are split."""

_WORTH_A_SPLIT = 32
"""A split is made for one bit in so many gaps."""


@dataclass(frozen=True)
class _Split:
    """Gaps of 2^`exponent` or more, how many, and their sum after that is taken from each."""

    exponent: int
    long: int
    long_sum: int

    def places(self, count: int) -> tuple[bool, int]:
        """Tell whether the places of the long gaps are listed, and how many places are."""
        return 2 * self.long <= count, min(self.long, count - self.long)

    def short_sum(self, sum_: int) -> int:
        """Return the sum of the other gaps."""
        return sum_ - self.long_sum - (self.long << self.exponent)

    def bits(self, count: int, sum_: int) -> int:
        """Return about how many bits so many gaps with this sum take."""
        _, listed = self.places(count)
        return (
            8 * (1 + bytes_below(count) + bytes_below(sum_ + 1))
            + run_bits(listed + 1, count - listed)
            + run_bits(count - self.long, self.short_sum(sum_))
            + run_bits(self.long, self.long_sum)
        )


def write_gaps(gaps: Limbs, sum_: int, splits: int = _SPLITS) -> bytes:
    """Return the bytes of gaps, whose sum this is."""
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
    """Return so many gaps with this sum; raise `ReadError` where there are none.

    Not everything that is wrong is found here; where the bytes are not what `write_gaps` makes, the
    gaps are some numbers modulo 2¹²⁸.
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
        raise ReadError(f"{split.long} gaps of 2^{split.exponent} or more are no part of {count}")
    are_long = _read_places(source, split, count)
    short = read_gaps(source, count - split.long, split.short_sum(sum_), splits - 1)
    long = read_gaps(source, split.long, split.long_sum, splits - 1)
    gaps = np.zeros((count, 2), np.uint64)
    if split.short_sum(sum_):
        gaps[np.flatnonzero(~are_long)] = short
    gaps[np.flatnonzero(are_long)] = add(long, 1 << split.exponent)
    return gaps


def _read_places(source: BitSource, split: _Split, count: int) -> NDArray[np.bool_]:
    """Return which gaps are long."""
    lists_long, listed = split.places(count)
    between = read_run(source, listed + 1, count - listed)[:-1, 1]
    places = np.cumsum(between + np.uint64(1)) - np.uint64(1)
    if places.max() >= count:
        raise ReadError(f"the places of {listed} gaps go beyond {count}")
    are_long = np.full(count, not lists_long)
    are_long[places] = lists_long
    if np.count_nonzero(are_long) != split.long:
        raise ReadError(f"the places of {listed} gaps are no different ones")
    return are_long


def _between(places: NDArray[np.int64], count: int) -> Limbs:
    """Return how many of so many places there are before, between and behind some."""
    gaps = np.zeros((len(places) + 1, 2), np.uint64)
    gaps[:, 1] = np.diff(places, prepend=-1, append=count) - 1
    return gaps


def _best_split(gaps: Limbs, sum_: int) -> _Split | None:
    """Return the split that saves most, or None where a run is as good."""
    best, least = None, run_bits(len(gaps), sum_) - len(gaps) // _WORTH_A_SPLIT
    for split in _splits(gaps, sum_):
        bits = split.bits(len(gaps), sum_)
        if bits < least:
            best, least = split, bits
    return best


def _splits(gaps: Limbs, sum_: int) -> Iterator[_Split]:
    """Give the splits between different bit lengths that gaps have."""
    lengths = bit_lengths(gaps)
    order = np.argsort(lengths, kind="stable")
    found, begins = np.unique(lengths[order], return_index=True)
    sums = running_sum(gaps[order])[begins - 1].tolist()  # that before the first is not used
    for exponent, begin, (high, low) in zip(
        found[:-1].tolist(), begins[1:].tolist(), sums[1:], strict=True
    ):
        long = len(gaps) - begin
        yield _Split(exponent, long, sum_ - (high << 64 | low) - (long << exponent))
