"""The stream `pav-1`: sample k of a seed and a cardinality, computed without the samples before.

Rule 1: An index is a function of seed, k and cardinality. So any slice of a stream can be drawn
        separately.
Rule 2: Every index below the cardinality is equally likely. Random words that would make some
        indexes more likely are rejected.
Rule 3: The drawn numbers never change in later versions. Another stream gets another name.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import count as count_from
from operator import index as as_integer
from typing import SupportsIndex

from pavcodec.errors import NumberError, shown
from pavcodec.sampling.philox import Block, Key, philox4x64
from pavcodec.sampling.seeds import seed_of

__all__ = [
    "AT_ONCE",
    "MOST",
    "SAMPLES",
    "Stream",
    "check_count",
    "check_different",
    "check_draw",
    "check_many",
    "check_slice",
]

MOST = 1 << 128
"""The largest cardinality."""
SAMPLES = 1 << 64
"""The number of samples of a seed; k is one word."""
AT_ONCE = 1 << 48
"""The maximum number of samples in one list or array; no machine has so much memory."""

_WORD = (1 << 64) - 1
_BLOCK = 1 << 256
"""The number of values of a block of four words."""


@dataclass(frozen=True)
class Stream:
    """The stream `pav-1` of a seed: unlimited integers below any cardinality.

    A seed is a number or a text, as in `seed_of`. `words` computes four words from a counter and a
    key; tests replace it.

    >>> stream = Stream(7)
    >>> stream.index(0, 52), stream.index(1, 52), list(stream.indexes(52, 3, start=1))
    (40, 15, [15, 36, 40])
    >>> list(stream.distinct_indexes(3, 3))
    [2, 0, 1]
    """

    seed: int
    words: Callable[[Block, Key], Block] = philox4x64

    def __post_init__(self) -> None:
        object.__setattr__(self, "seed", seed_of(self.seed))

    def index(self, k: SupportsIndex, cardinality: SupportsIndex) -> int:
        """Return sample k, an integer from 0 to `cardinality` - 1."""
        start, _, total = check_slice(k, 1, cardinality)
        return self._draw(start, total)

    def wide_index(self, k: SupportsIndex, cardinality: SupportsIndex) -> int:
        """Return sample k for a cardinality of any size; up to 2¹²⁸ it is `index`.

        Above, the words of one block do not suffice: m blocks are one random number x, for the
        smallest m with 2^(256 m) ≥ T. Block j, from 0, has the counter (k, attempt, 0, j) and is
        the digit 2^(256 j). Then index = x · T div 2^(256 m), accepted and rejected as in `index`.

        >>> Stream(7).wide_index(0, 52), Stream(7).wide_index(0, 10**40)
        (40, 1013118372251368876104368664784559507349)
        """
        total = as_integer(cardinality)
        start, _, _ = check_slice(k, 1, 1)
        if total <= MOST:
            return self.index(start, total)
        key, blocks = (self.seed & _WORD, self.seed >> 64), 1
        while total > _BLOCK**blocks:
            blocks += 1
        most: int = _BLOCK**blocks
        attempt = 0
        while True:
            random = 0
            for block in reversed(range(blocks)):
                w0, w1, w2, w3 = self.words((start, attempt, 0, block), key)
                random = random * _BLOCK + (w0 | w1 << 64 | w2 << 128 | w3 << 192)
            index, rest = divmod(random * total, most)
            if rest >= most % total:
                return index
            attempt += 1

    def indexes(
        self, cardinality: SupportsIndex, count: SupportsIndex, start: SupportsIndex = 0
    ) -> Iterator[int]:
        """Return an iterator over samples `start` to `start + count - 1`, drawn when needed."""
        begin, many, total = check_slice(start, count, cardinality)
        return (self._draw(k, total) for k in range(begin, begin + many))

    def distinct_indexes(
        self, cardinality: SupportsIndex, count: SupportsIndex, start: SupportsIndex = 0
    ) -> Iterator[int]:
        """Return an iterator over the first `count` different samples, in the order of the stream.

        It begins at sample `start` and skips repeated values, so it may read more than `count`
        samples. Every sequence of different integers is equally likely. Raises `NumberError` if
        `count` is more than the cardinality.
        """
        begin, many, total = check_slice(start, count, cardinality)
        check_different(many, total)
        return self._different(begin, many, total)

    def chance(self, k: SupportsIndex, first: int = 0, *, lane: int = 1) -> Callable[[int], int]:
        """Return a function that draws more numbers for sample k, each below its argument.

        Draw d, counted from `first`, is computed like an index, but from the counters (k, attempt,
        lane, d), which no index uses. Different lanes, from 1 on, give independent draws.

        >>> roll = Stream(7).chance(0)
        >>> [roll(6) for _ in range(5)]
        [2, 4, 0, 4, 4]
        >>> Stream(7).chance(0, first=1)(6), Stream(7).chance(0, lane=2)(6)
        (4, 5)
        """
        draws = count_from(first)

        def draw(below: int) -> int:
            sample, _, total = check_slice(k, 1, below)
            return self._draw(sample, total, (lane, next(draws)))

        return draw

    def hash_of(self, number: SupportsIndex) -> int:
        """Return a word of 64 bits that depends on the seed and on a number below 2¹²⁸.

        It is the first word of the block of the counter (low word, high word, 2⁶⁴ - 1, 0), which no
        sample and no chance uses.

        >>> Stream(7).hash_of(5), Stream(8).hash_of(5)
        (17552597715766612244, 4518239161090451231)
        """
        value = as_integer(number)
        if not 0 <= value < MOST:
            raise NumberError(f"a number to hash is 0 to 2^128 - 1, not {shown(value)}")
        key = (self.seed & _WORD, self.seed >> 64)
        return self.words((value & _WORD, value >> 64, _WORD, 0), key)[0]

    def _different(self, start: int, count: int, cardinality: int) -> Iterator[int]:
        seen: set[int] = set()
        while len(seen) < count:
            index = self.index(start, cardinality)
            start += 1
            if index not in seen:
                seen.add(index)
                yield index

    def _draw(self, k: int, cardinality: int, place: tuple[int, int] = (0, 0)) -> int:
        key = (self.seed & _WORD, self.seed >> 64)
        least = MOST % cardinality
        attempt = 0
        while True:
            w0, w1, w2, w3 = self.words((k, attempt, *place), key)
            for random in (w0 | w1 << 64, w2 | w3 << 64):
                index, rest = divmod(random * cardinality, MOST)
                if rest >= least:
                    return index
            attempt += 1


def check_slice(
    start: SupportsIndex, count: SupportsIndex, cardinality: SupportsIndex
) -> tuple[int, int, int]:
    """Return the arguments as integers; raise `NumberError` if the stream has no such slice.

    >>> check_slice(0, 10, 52)
    (0, 10, 52)
    """
    begin, many, total = _integer("a start", start), check_count(count), as_integer(cardinality)
    if begin < 0 or begin + many > SAMPLES:
        last = begin + max(many, 1) - 1
        found = shown(begin) if last == begin else f"{shown(begin)} to {shown(last)}"
        raise NumberError(f"a seed has samples 0 to {SAMPLES - 1}, not {found}")
    if total < 1:
        raise NumberError(f"there is nothing to draw from: the cardinality is {shown(total)}")
    if total > MOST:
        raise NumberError(f"a cardinality is at most 2^128 = {MOST}, not {shown(total)}")
    return begin, many, total


def check_draw(
    start: SupportsIndex, count: SupportsIndex, cardinality: SupportsIndex, *, distinct: bool
) -> tuple[int, int, int]:
    """Return the arguments of a draw into one array; raise `NumberError` as `check_slice` does.

    Also raises it above 2^48 and, if the samples are to be `distinct`, above the cardinality.

    >>> check_draw(0, 52, 52, distinct=True)
    (0, 52, 52)
    """
    begin, many, total = check_slice(start, check_many(count), cardinality)
    if distinct:
        check_different(many, total)
    return begin, many, total


def check_different(count: int, cardinality: int) -> None:
    """Raise `NumberError` for more different samples than there are numbers to draw."""
    if count > cardinality:
        raise NumberError(f"{shown(count)} different ones cannot be drawn from {cardinality}")


def check_count(count: SupportsIndex) -> int:
    """Return a count as an integer; raise `NumberError` below 0, and `TypeError` for no integer.

    >>> check_count(1e3)
    Traceback (most recent call last):
    ...
    TypeError: a count is an integer, not 1000.0
    """
    many = _integer("a count", count)
    if many < 0:
        raise NumberError(f"a count is 0 or more, not {shown(many)}")
    return many


def _integer(what: str, value: SupportsIndex) -> int:
    try:
        return as_integer(value)
    except TypeError:
        given = repr(value) if isinstance(value, float | str) else repr(type(value).__name__)
        raise TypeError(f"{what} is an integer, not {given}") from None


def check_many(count: SupportsIndex) -> int:
    """Return a count as an integer; raise `NumberError` below 0 and above 2^48.

    >>> check_many(10)
    10
    """
    many = check_count(count)
    if many > AT_ONCE:
        raise NumberError(f"at most 2^48 samples fit into one list, not {shown(many)}")
    return many
