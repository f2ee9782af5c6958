"""The stream `pav-1` and the permutation `pav-permutation-1` of a seed, and seeds.

The generator is Philox; `kernel/reference/stream.py` has the definitions. What is drawn never
changes in later versions; other sequences get other names.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from ctypes import Array, c_uint64
from dataclasses import dataclass
from functools import cached_property, lru_cache
from hashlib import sha256
from itertools import count as count_from
from operator import index as as_integer
from typing import TYPE_CHECKING, Any, SupportsIndex

from pavcodec import kernel
from pavcodec.errors import NumberError, shown
from pavcodec.kernel import rows_of

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from pavcodec.arrays import Limbs, Threads

_WORD = (1 << 64) - 1

# Seeds: numbers below 2¹²⁸, from an integer, from a text, or from the operating system.


Seed = SupportsIndex | str
"""A seed as an argument: a number, or a text that is hashed."""
SEED_BITS = 128

_DECIMAL = re.compile(r"(-?)0*([0-9]+)")
_MOST_DIGITS_SHOWN = 60


def seed_of(seed: Seed) -> int:
    """Return a seed as a number: an integer is the seed itself, and a text is hashed.

    The seed of a text is the first 16 bytes of the SHA-256 of its UTF-8, as a little-endian number.
    Raises `NumberError` outside 0 to 2¹²⁸ - 1.

    >>> seed_of(7), seed_of("Lisbon 2024, session 3")
    (7, 339855843104226345513859673413359226400)
    >>> seed_of("7") == seed_of(7)
    False
    """
    if isinstance(seed, str):
        return _hash_of(seed)
    try:
        number = as_integer(seed)
    except TypeError:
        given = type(seed).__name__
        raise TypeError(f"a seed is an integer or a text, not {given!r}") from None
    if not 0 <= number < 1 << SEED_BITS:
        raise _outside(shown(number))
    return number


def parse_seed(text: str) -> int:
    """Return the seed of a text: decimal digits are a number, and any other text is hashed.

    Raises `NumberError` for an empty text and for numbers outside 0 to 2¹²⁸ - 1.

    >>> parse_seed("7"), parse_seed("Lisbon 2024, session 3") == seed_of("Lisbon 2024, session 3")
    (7, True)
    """
    if not text:
        raise NumberError("a seed is a number or a text; this one is empty")
    match = _DECIMAL.fullmatch(text)
    if not match:
        return seed_of(text)
    sign, digits = match.groups()
    if len(digits) > _MOST_DIGITS_SHOWN:
        raise _outside(f"one of {len(digits)} digits")
    return seed_of(int(sign + digits))


def fresh_seed() -> int:
    """Return 128 random bits of the operating system; store them to repeat a draw later.

    >>> 0 <= fresh_seed() < 2**128
    True
    """
    from secrets import randbits

    return randbits(SEED_BITS)


def given_seed(seed: Seed | None) -> int:
    """Return a seed as a number, as `seed_of` does; a fresh one if there is none.

    >>> given_seed(7), given_seed(None) < 2**128
    (7, True)
    """
    return fresh_seed() if seed is None else seed_of(seed)


def _hash_of(text: str) -> int:
    try:
        digest = sha256(text.encode()).digest()
    except UnicodeEncodeError:
        raise NumberError(f"a text seed is Unicode, not {text!r}") from None
    return int.from_bytes(digest[: SEED_BITS // 8], "little")


def _outside(given: str) -> NumberError:
    return NumberError(f"a seed is a number from 0 to {(1 << SEED_BITS) - 1}, not {given}")


# The stream `pav-1`: sample k of a seed and a cardinality, computed without the samples before.
#
# Rule 1: An index is a function of seed, k and cardinality. So any slice of a stream can be drawn
#         separately.
# Rule 2: Every index below the cardinality is equally likely. Random words that would make some
#         indexes more likely are rejected.
# Rule 3: The drawn numbers never change in later versions. Another stream gets another name.


MOST = 1 << 128
"""The largest cardinality."""
SAMPLES = 1 << 64
"""The number of samples of a seed; k is one word."""
AT_ONCE = 1 << 48
"""The maximum number of samples in one list or array; no machine has so much memory."""

_BLOCK = 1 << 256
"""The number of values of a block of four words."""
_FIRST_PART, _LARGEST_PART = 16, 1 << 13
"""The samples that an iterator draws before they are asked for, at first and at most."""


@dataclass(frozen=True)
class Stream:
    """The stream `pav-1` of a seed: unlimited integers below any cardinality.

    A seed is a number or a text, as in `seed_of`.

    >>> stream = Stream(7)
    >>> stream.index(0, 52), stream.index(1, 52), list(stream.indexes(52, 3, start=1))
    (40, 15, [15, 36, 40])
    >>> list(stream.distinct_indexes(3, 3))
    [2, 0, 1]
    """

    seed: int

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
        blocks = 1
        while total > _BLOCK**blocks:
            blocks += 1
        most: int = _BLOCK**blocks
        for attempt in count_from():
            random = sum(
                block << 256 * index
                for index, block in enumerate(self.blocks(start, attempt, 0, blocks))
            )
            index, rest = divmod(random * total, most)
            if rest >= most % total:
                return index
        raise AssertionError("the attempts have no end")

    def blocks(self, a: int, b: int, c: int, count: int, first: int = 0) -> list[int]:
        """Return blocks as numbers of 256 bits, the first word lowest.

        Their counters are (a, b, c, first), (a, b, c, first + 1) …
        """
        words = (c_uint64 * (4 * count))()
        kernel.stream_blocks(rows_of(self.seed), a, b, c, first, count, words)
        return [
            words[i] | words[i + 1] << 64 | words[i + 2] << 128 | words[i + 3] << 192
            for i in range(0, 4 * count, 4)
        ]

    def indexes(
        self, cardinality: SupportsIndex, count: SupportsIndex, start: SupportsIndex = 0
    ) -> Iterator[int]:
        """Return an iterator over samples `start` to `start + count - 1`, drawn when needed."""
        return _numbers(self.rows(cardinality, count, start))

    def distinct_indexes(
        self, cardinality: SupportsIndex, count: SupportsIndex, start: SupportsIndex = 0
    ) -> Iterator[int]:
        """Return an iterator over the first `count` different samples, in the order of the stream.

        It begins at sample `start` and skips repeated values, so it may read more than `count`
        samples. Every sequence of different integers is equally likely. Raises `NumberError` if
        `count` is more than the cardinality.
        """
        return _numbers(self.rows(cardinality, count, start, distinct=True))

    def rows(
        self,
        cardinality: SupportsIndex,
        count: SupportsIndex,
        start: SupportsIndex = 0,
        *,
        distinct: bool = False,
    ) -> Iterator[tuple[int, Array[c_uint64]]]:
        """Return an iterator over the samples of `indexes` in parts that grow, drawn when needed.

        A part is the number of its samples and their words, high and low in turn. With `distinct`,
        they are those of `distinct_indexes`.
        """
        begin, many, total = check_slice(start, count, cardinality)
        if distinct:
            check_different(many, total)
        return self._parts(begin, many, total, distinct=distinct)

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
            return self._draw(sample, total, lane, next(draws))

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
        word = (c_uint64 * 1)()
        kernel.stream_hash(rows_of(self.seed), 1, rows_of(value), word)
        return word[0]

    def _parts(
        self, start: int, missing: int, cardinality: int, *, distinct: bool
    ) -> Iterator[tuple[int, Array[c_uint64]]]:
        draw, size, seen = _drawing(self.seed, cardinality), _FIRST_PART, set[int]()
        while missing:
            n = min(size, missing)
            check_slice(start, n, cardinality)  # skipped samples may reach the end of the stream
            words = (c_uint64 * (2 * n))()
            draw(0, 0, start, n, words)
            start, size = start + n, min(2 * size, _LARGEST_PART)
            if distinct:
                drawn = dict.fromkeys(_numbers([(n, words)]))
                new = [number for number in drawn if number not in seen]
                seen.update(new)
                n, words = len(new), rows_of(*new)
            yield n, words
            missing -= n

    def _draw(self, k: int, cardinality: int, lane: int = 0, draw: int = 0) -> int:
        words = (c_uint64 * 2)()
        _drawing(self.seed, cardinality)(lane, draw, k, 1, words)
        return words[0] << 64 | words[1]


def _numbers(parts: Iterable[tuple[int, Array[c_uint64]]]) -> Iterator[int]:
    """Yield the numbers of rows."""
    for _, words in parts:
        for high, low in zip(words[::2], words[1::2], strict=True):
            yield high << 64 | low


@lru_cache
def _drawing(seed: int, cardinality: int) -> Callable[..., None]:
    """Return the kernel's draw of a seed and a cardinality."""
    limits = rows_of(cardinality - 1), rows_of(MOST % cardinality)
    return kernel.bind("stream_draw", rows_of(seed), *limits)


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
        given = shown(begin) if last == begin else f"{shown(begin)} to {shown(last)}"
        raise NumberError(f"a seed has samples 0 to {SAMPLES - 1}, not {given}")
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


# Many samples as arrays: the same integers in rows `uint64[n, 2]`, high and low word.


_FEWEST_AT_ONCE = 1 << 10


def draw_indexes(  # noqa: PLR0913
    seed: int,
    start: int,
    count: int,
    cardinality: int,
    *,
    substream: int | None = None,
    threads: Threads = 1,
) -> Limbs:
    """Return samples `start` to `start + count - 1` of a seed as `uint64[count, 2]` (high, low).

    The samples are those of `Stream`, which documents the arguments; here, only impossible values
    raise `NumberError`. The number of threads does not change the result. With `substream`, the
    result is draw number `substream` of each sample (see `Stream.chance`) instead of its index.

    >>> draw_indexes(7, 0, 3, 52).tolist()
    [[0, 40], [0, 15], [0, 36]]
    >>> draw_indexes(7, 1, 1, 2**128).tolist()
    [[5448529601018347655, 16086915834549238692]]
    >>> draw_indexes(7, 0, 1, 6, substream=1).tolist()
    [[0, 4]]
    """
    import numpy as np

    from pavcodec.arrays import share

    if not (start >= 0 <= count and start + count <= SAMPLES):
        raise NumberError(f"the stream has no {count} samples from {start} on")
    if not (0 <= seed < 1 << SEED_BITS and 1 <= cardinality <= MOST):
        raise NumberError(f"the stream has no seed {seed} with cardinality {cardinality}")
    rows = np.empty((count, 2), np.uint64)
    draw = _drawing(seed, cardinality)
    lane_and_draw = (0, 0) if substream is None else (1, substream)

    def fill(part: slice) -> None:
        draw(*lane_and_draw, start + part.start, part.stop - part.start, rows[part])

    share(fill, count, threads)
    return rows


def draw_distinct(
    seed: int, start: int, count: int, cardinality: int, *, at_once: int = 1 << 16
) -> Iterator[Limbs]:
    """Yield the first `count` different samples from `start` on, in arrays like `draw_indexes`.

    They are those of `Stream.distinct_indexes`, which documents the arguments.

    >>> [rows.tolist() for rows in draw_distinct(7, 0, 3, 3)]
    [[[0, 2], [0, 0], [0, 1]]]
    """
    seen = RowSet()
    while (missing := count - len(seen)) > 0:
        size = min(at_once, max(missing, _FEWEST_AT_ONCE), SAMPLES - start)
        if not size:
            raise NumberError(f"the stream has no {count} different samples up to its end")
        rows = draw_indexes(seed, start, size, cardinality)
        start += size
        fresh = rows[seen.add(rows)][:missing]
        if len(fresh):
            yield fresh


def draw_distinct_indexes(seed: int, start: int, count: int, cardinality: int) -> Limbs:
    """Return the samples of `draw_distinct` as one array `uint64[count, 2]`.

    >>> draw_distinct_indexes(7, 0, 3, 3).tolist()
    [[0, 2], [0, 0], [0, 1]]
    """
    import numpy as np

    parts = list(draw_distinct(seed, start, count, cardinality))
    return np.concatenate([np.empty((0, 2), np.uint64), *parts])


def hash_numbers(seed: int, numbers: Limbs) -> NDArray[np.uint64]:
    """Return a word for each number: `uint64[n, 2]` (high, low) to `uint64[n]`.

    The words are those of `Stream.hash_of`.

    >>> import numpy as np
    >>> int(hash_numbers(7, np.array([[1, 5]], np.uint64))[0]) == Stream(7).hash_of(2**64 + 5)
    True
    """
    import numpy as np

    words = np.empty(len(numbers), np.uint64)
    kernel.stream_hash(rows_of(seed), len(numbers), np.ascontiguousarray(numbers), words)
    return words


class RowSet:
    """A set of rows of two words, which grows as rows are added.

    >>> import numpy as np
    >>> seen = RowSet()
    >>> rows = np.array([[0, 2], [0, 2], [1, 2]], np.uint64)
    >>> seen.add(rows).tolist(), seen.add(rows[1:]).tolist(), len(seen)
    ([True, False, True], [False, False], 2)
    """

    def __init__(self) -> None:
        self._count = 0
        self._make(1 << 10)

    def _make(self, size: int) -> None:
        import numpy as np

        self._rows = np.empty((size, 2), np.uint64)
        self._is_used = np.zeros(size, np.uint8)

    def add(self, rows: Limbs) -> NDArray[np.bool_]:
        """Add rows `uint64[n, 2]`; return for each row whether it is new."""
        if 2 * (self._count + len(rows)) > len(self._rows):
            self._grow(2 * (self._count + len(rows)))
        is_new = self._put(rows)
        self._count += int(is_new.sum())
        return is_new

    def _put(self, rows: Limbs) -> NDArray[np.bool_]:
        import numpy as np

        is_new = np.empty(len(rows), np.uint8)
        ordered = np.ascontiguousarray(rows)
        kernel.add_to_set(len(self._rows), self._rows, self._is_used, len(rows), ordered, is_new)
        return is_new.view(np.bool_)

    def _grow(self, least: int) -> None:
        """Make room for twice as many rows at least, so that growing takes little of the time."""
        rows = self._rows[self._is_used > 0]
        self._make(1 << max(least, 2 * len(self._rows) - 1).bit_length())
        self._put(rows)

    def __len__(self) -> int:
        return self._count


# The permutation `pav-permutation-1`: all numbers below a cardinality, in an order by a seed.
#
# Rule 1: The number at an index is a function of seed, index and cardinality, and so is the index
#         of a number. Different indexes have different numbers, so no draw repeats another one.
# Rule 2: A number is two halves, which the rounds of the kernel's `permute` mix. Their constants
#         and keys are the blocks of the counters (low, high, 5, i), low and high the words of the
#         largest number; no sample uses them.
# Rule 3: Few numbers are shuffled instead, and then all orders are exactly equally likely.
# Rule 4: The orders never change in later versions. Another permutation gets another name.
#
# The orders look random to statistics, and they keep no secret: this is no encryption.


SHUFFLED = 1 << 10
"""The largest cardinality whose numbers are shuffled."""
_PAIRS_OF_ROUNDS = 4
_LANE_OF_KEYS, _LANE_OF_SHUFFLES = 5, 7


@dataclass(frozen=True)
class KeyedPermutation:
    """The numbers below a cardinality in the order of a seed; `cardinality` is 1 to 2¹²⁸.

    A seed is a number or a text, as in `seed_of`.

    >>> order = KeyedPermutation(7, 52)
    >>> [order.number(index) for index in range(5)], order.index(order.number(4))
    ([39, 37, 36, 0, 15], 4)
    >>> KeyedPermutation(7, 53644737765488792839237440000).number(0)
    25939843224879412446274258064
    """

    seed: int
    cardinality: int

    def __post_init__(self) -> None:
        object.__setattr__(self, "seed", seed_of(self.seed))
        _, _, total = check_slice(0, 0, self.cardinality)
        object.__setattr__(self, "cardinality", total)

    def number(self, index: SupportsIndex) -> int:
        """Return the number at an index, both from 0 to `cardinality` - 1."""
        return self._image("an index", index, is_forward=True)

    def index(self, number: SupportsIndex) -> int:
        """Return the index of a number: the inverse of `number`."""
        return self._image("a number", number, is_forward=False)

    def numbers(self, indexes: Limbs) -> Limbs:
        """Return the numbers at indexes below the cardinality, both `uint64[n, 2]`.

        >>> import numpy as np
        >>> KeyedPermutation(7, 52).numbers(np.array([[0, 0], [0, 1], [0, 2]], np.uint64)).tolist()
        [[0, 39], [0, 37], [0, 36]]
        """
        return self._images(indexes, is_forward=True)

    def indexes(self, numbers: Limbs) -> Limbs:
        """Return the indexes of numbers below the cardinality: the inverse of `numbers`."""
        return self._images(numbers, is_forward=False)

    def slice(self, start: int, count: int, *, threads: Threads = 1) -> Limbs:
        """Return the numbers at the indexes `start` to `start + count - 1` as `uint64[count, 2]`.

        The number of threads does not change the result. Raises `NumberError` for indexes that are
        not below the cardinality.

        >>> KeyedPermutation(7, 52).slice(0, 5)[:, 1].tolist()
        [39, 37, 36, 0, 15]
        """
        import numpy as np

        from pavcodec.arrays import consecutive, share

        if not (start >= 0 <= count and start + count <= self.cardinality):
            raise NumberError(
                f"there are no {count} indexes below {self.cardinality} from {start} on"
            )
        rows = np.empty((count, 2), np.uint64)

        def fill(part: slice) -> None:
            rows[part] = consecutive(start + part.start, part.stop - part.start)
            self.replace(part.stop - part.start, rows[part], is_forward=True)

        share(fill, count, threads)
        return rows

    def __reduce__(self) -> tuple[object, tuple[int, int]]:
        return type(self), (self.seed, self.cardinality)

    def _image(self, what: str, start: SupportsIndex, *, is_forward: bool) -> int:
        number = as_integer(start)
        if not 0 <= number < self.cardinality:
            most = self.cardinality - 1
            raise NumberError(f"{what} of this permutation is 0 to {most}, not {shown(number)}")
        if self.cardinality <= SHUFFLED:
            return self._tables[not is_forward][number]
        words = (c_uint64 * 2)(number >> 64, number & _WORD)
        self._turns(is_forward, 1, words)
        return words[0] << 64 | words[1]

    def _images(self, numbers: Limbs, *, is_forward: bool) -> Limbs:
        import numpy as np

        rows = np.array(numbers, np.uint64, order="C")
        self.replace(len(rows), rows, is_forward=is_forward)
        return rows

    def replace(self, n: int, rows: Any, *, is_forward: bool) -> None:
        """Replace n numbers by their images, in contiguous rows of numpy or an array of ctypes."""
        if self.cardinality > SHUFFLED:
            self._turns(is_forward, n, rows)
            return
        if not n:
            return
        words, table = memoryview(rows).cast("B").cast("Q"), self._tables[not is_forward]
        for low in range(1, 2 * n, 2):
            words[low] = table[words[low]]

    @cached_property
    def _tables(self) -> tuple[list[int], list[int]]:
        """The shuffled numbers by index, and the indexes by number."""
        draw = Stream(self.seed).chance(self.cardinality, lane=_LANE_OF_SHUFFLES)
        numbers = list(range(self.cardinality))
        for last in range(self.cardinality - 1, 0, -1):
            other = draw(last + 1)
            numbers[last], numbers[other] = numbers[other], numbers[last]
        return numbers, sorted(range(self.cardinality), key=numbers.__getitem__)

    @cached_property
    def _turns(self) -> Callable[..., None]:
        """The kernel's `permute` with the keys of this permutation."""
        last, keys = self.cardinality - 1, (c_uint64 * (4 * _PAIRS_OF_ROUNDS))()
        counter = last & _WORD, last >> 64, _LANE_OF_KEYS, 0
        kernel.stream_blocks(rows_of(self.seed), *counter, _PAIRS_OF_ROUNDS, keys)
        return kernel.bind("permute", keys, last.bit_length() // 2, rows_of(last))
