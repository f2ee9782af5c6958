"""Sorted sets of different numbers, any part on its own: `pav-sorted-set-1` for large sets.

`sampling.sorted_set` is the definition. Here the random bits of a count and the samples of a cell
come from compiled loops, and integer bounds decide whether a count is accepted.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import count as count_from
from math import prod
from operator import index as as_integer
from typing import TYPE_CHECKING, NamedTuple, cast

from pavcodec.errors import NumberError
from pavcodec.sampling import (
    LANES,
    Seed,
    cell_seed,
    check_count,
    check_different,
    check_slice,
    depth_of,
    digit_of,
    seed_of,
)

if TYPE_CHECKING:
    from pavcodec.arrays.chunks import Threads
    from pavcodec.arrays.words.limbs import Limbs


_DIGIT_BITS, _SPARE_BITS = 256, 64
_FACTORS_AT_ONCE = 64
_MOST_COUNTS = 1 << 16


class _Node(NamedTuple):
    """A range of numbers: `size` of them from `first` on, of which `chosen` are in the set."""

    node: int
    first: int
    size: int
    chosen: int
    before: int
    """How many numbers of the set are before the range."""


@dataclass(frozen=True)
class SortedSample:
    """A set of `count` different numbers below `cardinality`, in ascending order, by a seed.

    All sets are equally likely. The set is a function of these three values only, and each part of
    it is computed without the others. A seed is a number or a text, as in `seed_of`.

    >>> sample = SortedSample(53644737765488792839237440000, 10**6, 7)
    >>> sample.cells, sample.count_of(0, 8) == 10**6
    (8, True)
    >>> rows = next(sample.part(0, 10**6))
    >>> rows[:2].tolist()
    [[1575, 689427567523104282], [1596, 2932631121061026449]]
    """

    cardinality: int
    count: int
    seed: Seed
    depth: int = -1
    """How often the range is halved; by default as `count` determines. Only tests choose it."""
    _counts: dict[int, int] = field(default_factory=dict, init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        _, _, total = check_slice(0, 0, self.cardinality)
        many = check_count(self.count)
        check_different(many, total)
        wanted = as_integer(self.depth)
        depth = depth_of(many) if wanted < 0 else wanted
        for name, value in (
            ("cardinality", total), ("count", many), ("seed", seed_of(self.seed)), ("depth", depth)
        ):  # fmt: skip
            object.__setattr__(self, name, value)

    def __reduce__(self) -> tuple[object, tuple[int, ...]]:
        return type(self), (self.cardinality, self.count, self._number, self.depth)

    @property
    def cells(self) -> int:
        """The number of cells, a power of two."""
        return 1 << self.depth

    def count_of(self, first: int, end: int, *, threads: Threads = 1) -> int:
        """Return how many numbers of the set are in the cells from `first` to before `end`."""
        self._check_cells(first, end)
        return self._before(end, threads) - self._before(first, threads)

    def numbers(self, first: int, end: int, *, threads: Threads = 1) -> Iterator[Limbs]:
        """Yield the numbers of some cells, ascending, an array `uint64[m, 2]` for each cell."""
        self._check_cells(first, end)
        begin, stop = (self._before(cell, threads) for cell in (first, end))
        return self.part(begin, stop - begin, threads=threads)

    def part(self, start: int, count: int, *, threads: Threads = 1) -> Iterator[Limbs]:
        """Yield the numbers at the indexes `start` to `start + count - 1` of the sorted set.

        The arrays `uint64[m, 2]` (high, low) have at most some 2¹⁷ rows. Raises `NumberError` for
        indexes that the set does not have.
        """
        if not (start >= 0 <= count and start + count <= self.count):
            raise NumberError(
                f"a set of {self.count} numbers has no {count} of them from index {start} on"
            )
        return self._walk(self._root, start, start + count, threads)

    @property
    def _number(self) -> int:
        """The seed as a number."""
        return cast("int", self.seed)

    @property
    def _root(self) -> _Node:
        return _Node(1, 0, self.cardinality, self.count, 0)

    def _check_cells(self, first: int, end: int) -> None:
        if not 0 <= first <= end <= self.cells:
            raise NumberError(f"there are cells 0 to {self.cells - 1}, and no {first} to {end - 1}")

    def _before(self, cell: int, threads: Threads) -> int:
        """Return how many numbers of the set are in the cells before a cell."""
        if cell == self.cells:
            return self.count
        branch = self._root
        for bit in reversed(range(self.depth)):
            branch = self._halves(branch, threads)[cell >> bit & 1]
        return branch.before

    def _walk(self, branch: _Node, start: int, end: int, threads: Threads) -> Iterator[Limbs]:
        """Yield the numbers of a range that have the indexes from `start` to before `end`."""
        begin, stop = max(start, branch.before), min(end, branch.before + branch.chosen)
        if begin >= stop:
            return
        if branch.node >= self.cells:
            yield self._cell(branch)[begin - branch.before : stop - branch.before]
            return
        for half in self._halves(branch, threads):
            yield from self._walk(half, start, end, threads)

    def _halves(self, branch: _Node, threads: Threads) -> tuple[_Node, _Node]:
        node, first, size, chosen, before = branch
        left = self._counts.get(node)
        if left is None:
            left = _left_count(self._number, node, size, chosen, threads)
            if len(self._counts) >= _MOST_COUNTS:
                self._counts.clear()
            self._counts[node] = left
        middle = size // 2
        return (
            _Node(2 * node, first, middle, left, before),
            _Node(2 * node + 1, first + middle, size - middle, chosen - left, before + left),
        )

    def _cell(self, branch: _Node) -> Limbs:
        """Return the numbers of a cell."""
        from pavcodec.arrays.sorted_rows import other_rows, sorted_draws
        from pavcodec.arrays.words.limbs import add

        fewer = min(branch.chosen, branch.size - branch.chosen)
        rows = sorted_draws(cell_seed(self._number, branch.node), fewer, branch.size)
        if 2 * branch.chosen > branch.size:
            rows = other_rows(rows, branch.size)
        return add(rows, branch.first)


def _left_count(seed: int, node: int, size: int, count: int, threads: Threads) -> int:
    """Return the result of `sampling.left_count`."""
    from pavcodec.arrays.random_bits import count_bits

    left, right = size // 2, size - size // 2
    fewer = min(count, size - count)
    mode = max(0, (fewer + left - right) // 2)
    for attempt in count_from():
        ones = count_bits(seed, node, attempt, LANES[0], fewer, threads=threads)
        if ones >= mode:
            top, bottom, factors = left - mode, right - fewer + mode + 1, ones - mode
        else:
            top, bottom, factors = right - fewer + mode, left - mode + 1, mode - ones
        if _accepts(seed, node, attempt, top, bottom, factors):
            return left - ones if 2 * count > size else ones
    raise AssertionError("no attempt is accepted")


def _accepts(seed: int, node: int, attempt: int, top: int, bottom: int, factors: int) -> bool:  # noqa: PLR0913, PLR0917
    """Return whether a random fraction is below the product of (top - i) / (bottom + i).

    i runs from 0 to factors - 1. Where the factors are near 1, the sum of their distances from 1
    decides; otherwise bounds of the product do, with more digits until they are on one side.
    """
    random = digit_of(seed, node, attempt, 0)
    most_missing = factors * (bottom - top + factors - 1)
    if (random + 1) * bottom <= (bottom - most_missing) << _DIGIT_BITS:
        return True
    for digits in count_from(1):
        least, most = _bounds(top, bottom, factors, _DIGIT_BITS * digits + _SPARE_BITS)
        if (random + 1) << _SPARE_BITS <= least:
            return True
        if random << _SPARE_BITS >= most:
            return False
        random = random << _DIGIT_BITS | digit_of(seed, node, attempt, digits)
    raise AssertionError("the digits have no end")


def _bounds(top: int, bottom: int, factors: int, bits: int) -> tuple[int, int]:
    """Return bounds of the product, in units of 2^-bits."""
    least = most = 1 << bits
    for begin in range(0, factors, _FACTORS_AT_ONCE):
        end = min(begin + _FACTORS_AT_ONCE, factors)
        above = prod(range(top - end + 1, top - begin + 1))
        below = prod(range(bottom + begin, bottom + end))
        least, most = least * above // below, -(-most * above // below)
    return least, most
