"""Sorted sets `pav-sorted-set-1`: n different numbers below a cardinality, any part on its own.

Rule 1: The set is a function of the cardinality, n and the seed. All sets are equally likely.
Rule 2: The range of numbers is halved again and again, `depth_of(n)` times, into cells. How many
        numbers of a range are in its left half follows exactly the hypergeometric distribution: a
        binomial count of random bits, accepted with the quotient of both probabilities. Integer
        bounds of the quotient decide, with as many random digits as that needs.
Rule 3: The numbers of a cell are different samples of `pav-1` under a seed of the cell.
Rule 4: The sets never change in later versions. Other sets get another name.

The page on sorted sets has a program that is the definition; tests compare it with this one.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import count as count_from
from math import prod
from operator import index as as_integer
from typing import TYPE_CHECKING, NamedTuple, cast

from pavcodec import kernel
from pavcodec.errors import NumberError
from pavcodec.kernel import rows_of
from pavcodec.sampling.stream import (
    Seed,
    Stream,
    check_count,
    check_different,
    check_slice,
    draw_distinct_indexes,
    draw_indexes,
    seed_of,
)

if TYPE_CHECKING:
    from pavcodec.arrays import Limbs, Threads


_LANE_OF_BITS, _LANE_OF_DIGITS, _LANE_OF_CELLS = 8, 9, 10
"""The third words of the counters; no sample uses them."""
_DIGIT_BITS, _SPARE_BITS = 256, 64
_CELL_BITS = 17
_FACTORS_AT_ONCE = 64
_MOST_COUNTS = 1 << 16
_FEWEST_BLOCKS = 1 << 14
_WORD_BITS = 64


def depth_of(count: int) -> int:
    """Return how often the range of a set is halved: cells have 2¹⁶ to 2¹⁷ numbers on average.

    >>> depth_of(10**5), depth_of(10**9), depth_of(10**12)
    (0, 13, 23)
    """
    return max(0, count.bit_length() - _CELL_BITS)


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
        """Return the numbers of a cell: its different samples, or all numbers but these."""
        from pavcodec.arrays import add

        [block] = Stream(self._number).blocks(branch.node, 0, _LANE_OF_CELLS, 1)
        fewer = min(branch.chosen, branch.size - branch.chosen)
        rows = sorted_draws(block % (1 << 128), fewer, branch.size)
        if 2 * branch.chosen > branch.size:
            rows = other_rows(rows, branch.size)
        return add(rows, branch.first)


def _left_count(seed: int, node: int, size: int, count: int, threads: Threads) -> int:
    """Return how many of `count` different numbers of a range are in its left half.

    If they are more than half of the `size` numbers of the range, the others are placed.
    """
    left, right = size // 2, size - size // 2
    fewer = min(count, size - count)
    mode = max(0, (fewer + left - right) // 2)
    for attempt in count_from():
        ones = count_bits(seed, node, attempt, fewer, threads=threads)
        if ones >= mode:
            top, bottom, factors = left - mode, right - fewer + mode + 1, ones - mode
        else:
            top, bottom, factors = right - fewer + mode, left - mode + 1, mode - ones
        if _accepts(seed, node, attempt, top, bottom, factors):
            return left - ones if 2 * count > size else ones
    raise AssertionError("no attempt is accepted")


def count_bits(seed: int, node: int, attempt: int, bits: int, *, threads: Threads = 1) -> int:
    """Return how many of the first `bits` bits of the blocks (node, attempt, 8, 0 …) are 1.

    The bits of a block are those of its first word, the lowest first, then those of the others.

    >>> count_bits(7, 1, 0, 1000)
    533
    """
    from pavcodec.arrays import share, workers_of

    whole, rest = divmod(bits, _DIGIT_BITS)
    counter, counts = (node, attempt, _LANE_OF_BITS), [0]

    def work(part: slice) -> None:
        blocks = part.start, part.stop - part.start
        counts.append(kernel.stream_ones(rows_of(seed), *counter, *blocks))

    share(work, whole, threads, max(_FEWEST_BLOCKS, -(-whole // workers_of(threads))))
    [last] = Stream(seed).blocks(*counter, 1, first=whole)
    return sum(counts) + (last & (1 << rest) - 1).bit_count()


def _digit(seed: int, node: int, attempt: int, index: int) -> int:
    """Return a digit of a random fraction in base 2²⁵⁶; index 0 is the most significant."""
    [digit] = Stream(seed).blocks(node, attempt, _LANE_OF_DIGITS, 1, first=index)
    return digit


def _accepts(seed: int, node: int, attempt: int, top: int, bottom: int, factors: int) -> bool:  # noqa: PLR0913, PLR0917
    """Return whether a random fraction is below the product of (top - i) / (bottom + i).

    i runs from 0 to factors - 1. Where the factors are near 1, the sum of their distances from 1
    decides; otherwise bounds of the product do, with more digits until they are on one side.
    """
    random = _digit(seed, node, attempt, 0)
    most_missing = factors * (bottom - top + factors - 1)
    if (random + 1) * bottom <= (bottom - most_missing) << _DIGIT_BITS:
        return True
    for digits in count_from(1):
        least, most = _bounds(top, bottom, factors, _DIGIT_BITS * digits + _SPARE_BITS)
        if (random + 1) << _SPARE_BITS <= least:
            return True
        if random << _SPARE_BITS >= most:
            return False
        random = random << _DIGIT_BITS | _digit(seed, node, attempt, digits)
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


def sorted_draws(seed: int, count: int, cardinality: int) -> Limbs:
    """Return the first `count` different samples of a seed, sorted, as `uint64[count, 2]`.

    >>> sorted_draws(7, 3, 52).tolist()
    [[0, 15], [0, 36], [0, 40]]
    """
    from pavcodec.arrays import are_new

    rows = _in_order(draw_indexes(seed, 0, count, cardinality), cardinality)
    if are_new(rows).all():
        return rows
    return _in_order(draw_distinct_indexes(seed, 0, count, cardinality), cardinality)


def other_rows(rows: Limbs, cardinality: int) -> Limbs:
    """Return the numbers below a cardinality, less than 2³², that are not among some rows.

    >>> import numpy as np
    >>> other_rows(np.array([[0, 1], [0, 3]], np.uint64), 5).tolist()
    [[0, 0], [0, 2], [0, 4]]
    """
    import numpy as np

    is_other = np.ones(cardinality, np.bool_)
    is_other[rows[:, 1]] = False
    (numbers,) = is_other.nonzero()
    others = np.zeros((len(numbers), 2), np.uint64)
    others[:, 1] = numbers
    return others


def _in_order(rows: Limbs, cardinality: int) -> Limbs:
    """Return rows in ascending order: by their first 64 bits, and by both words if these repeat."""
    import numpy as np

    from pavcodec.arrays import sorting

    shift = max(0, (cardinality - 1).bit_length() - _WORD_BITS)
    if not shift:
        rows[:, 1] = np.sort(rows[:, 1])
        return rows
    keys = rows[:, 1] >> np.uint64(shift) if shift < _WORD_BITS else np.zeros(len(rows), np.uint64)
    keys |= rows[:, 0] << np.uint64(_WORD_BITS - shift) if shift < _WORD_BITS else rows[:, 0]
    order = np.argsort(keys)
    keys = keys[order]
    return rows[order] if (keys[1:] != keys[:-1]).all() else rows[sorting(rows)]
