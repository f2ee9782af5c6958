"""Sorted sets `pav-sorted-set-1`: n different numbers below a cardinality, any part on its own.

Rule 1: The set is a function of the cardinality, n and the seed. All sets are equally likely.
Rule 2: The range of numbers is halved again and again, `depth_of(n)` times, into cells. How many
        numbers of a range are in its left half follows exactly the hypergeometric distribution: a
        binomial count of random bits, accepted with the quotient of both probabilities.
Rule 3: The numbers of a cell are different samples of `pav-1` under a seed of the cell.
Rule 4: The sets never change in later versions. Other sets get another name.

This module is the definition. `numberings.sorted_sample` computes the same sets quickly.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import count as count_from
from math import prod

from pavcodec.sampling.philox import philox4x64
from pavcodec.sampling.stream import Stream

__all__ = ["LANES", "cell_seed", "depth_of", "digit_of", "left_count", "sorted_set"]

LANES = (8, 9, 10)
"""The third words of the counters of bits, digits and cells; no sample uses them."""
DIGIT_BITS = 256
_CELL_BITS = 17
_WORD = (1 << 64) - 1


def depth_of(count: int) -> int:
    """Return how often the range of a set is halved: cells have 2¹⁶ to 2¹⁷ numbers on average.

    >>> depth_of(10**5), depth_of(10**9), depth_of(10**12)
    (0, 13, 23)
    """
    return max(0, count.bit_length() - _CELL_BITS)


def sorted_set(seed: int, cardinality: int, count: int, depth: int | None = None) -> list[int]:
    """Return the set as a sorted list; only tests choose another `depth`.

    >>> sorted_set(7, 52, 5), sorted_set(7, 52, 5, depth=2)
    ([2, 13, 15, 41, 43], [14, 19, 38, 40, 46])
    """
    levels = depth_of(count) if depth is None else depth
    return _numbers(seed, 1, range(cardinality), count, levels)


def _numbers(seed: int, node: int, numbers: range, count: int, depth: int) -> list[int]:
    """Return the numbers of a node: 1 is the whole range, 2 k and 2 k + 1 the halves of k."""
    if depth == 0:
        return _cell(seed, node, numbers, count)
    left = left_count(seed, node, _length(numbers), count)
    middle = _length(numbers) // 2
    first = _numbers(seed, 2 * node, numbers[:middle], left, depth - 1)
    return first + _numbers(seed, 2 * node + 1, numbers[middle:], count - left, depth - 1)


def _cell(seed: int, node: int, numbers: range, count: int) -> list[int]:
    """Return the numbers of a cell: the first different samples, or all numbers but these."""
    if not count:
        return []
    size = _length(numbers)
    drawn = Stream(cell_seed(seed, node)).distinct_indexes(size, min(count, size - count))
    chosen = set(drawn)
    if 2 * count > size:
        return [number for place, number in enumerate(numbers) if place not in chosen]
    return [numbers[place] for place in sorted(chosen)]


def _length(numbers: range) -> int:
    """Return the length of a range, which `len` does not return from 2⁶³ on."""
    return numbers.stop - numbers.start


def left_count(seed: int, node: int, size: int, count: int) -> int:
    """Return how many of `count` different numbers of a range are in its left half.

    If they are more than half of the `size` numbers of the range, it places the others.
    """
    left, right = size // 2, size - size // 2
    if 2 * count > size:
        return left - left_count(seed, node, size, size - count)
    mode = max(0, (count + left - right) // 2)
    for attempt in count_from():
        found = _count_bits(seed, node, attempt, count)
        ways = _falling(left, found) * _falling(right, count - found)
        most = _falling(left, mode) * _falling(right, count - mode)
        if _is_below(seed, node, attempt, Fraction(ways, most)):
            return found
    raise AssertionError("no attempt is accepted")


def _falling(number: int, factors: int) -> int:
    return prod(range(number - factors + 1, number + 1))


def _count_bits(seed: int, node: int, attempt: int, count: int) -> int:
    """Return how many of the first `count` bits of some blocks are 1, the lowest bit first."""
    ones = 0
    for block in range(-(-count // DIGIT_BITS)):
        bits = _block(seed, node, attempt, LANES[0], block)
        if count - block * DIGIT_BITS < DIGIT_BITS:
            bits &= (1 << count % DIGIT_BITS) - 1
        ones += bits.bit_count()
    return ones


def _is_below(seed: int, node: int, attempt: int, limit: Fraction) -> bool:
    """Return whether a random fraction is below a limit; it has as many digits as that needs."""
    random = 0
    for place in count_from():
        random = random << DIGIT_BITS | digit_of(seed, node, attempt, place)
        scaled = limit * (1 << DIGIT_BITS * (place + 1))
        if random + 1 <= scaled:
            return True
        if random >= scaled:
            return False
    raise AssertionError("the digits have no end")


def digit_of(seed: int, node: int, attempt: int, place: int) -> int:
    """Return a digit of a random fraction in base 2²⁵⁶; place 0 is the most significant."""
    return _block(seed, node, attempt, LANES[1], place)


def cell_seed(seed: int, node: int) -> int:
    """Return the seed of the samples of a cell: two words of a block."""
    return _block(seed, node, 0, LANES[2], 0) % (1 << 128)


def _block(seed: int, node: int, attempt: int, lane: int, place: int) -> int:
    """Return a block as a number of 256 bits, its first word lowest."""
    key = (seed & _WORD, seed >> 64)
    w0, w1, w2, w3 = philox4x64((node, attempt, lane, place), key)
    return w0 | w1 << 64 | w2 << 128 | w3 << 192
