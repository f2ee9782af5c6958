"""All randomness of pavcodec: the stream `pav-1`, its seeds, and what is drawn with it.

The generator is Philox. Besides the stream, it gives keyed orders (`pav-permutation-1`) and sorted
sets (`pav-sorted-set-1`). What is drawn never changes; other sequences get other names. This module
is the definition, in plain Python; `arrays.philox`, `arrays.permutation` and
`numberings.sorted_sample` compute the same faster. Weights of mixes and the tag `Generator`, from
which boards can be made again, are here too.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from hashlib import sha256
from itertools import count as count_from
from math import gcd, lcm, prod
from numbers import Rational
from operator import index as as_integer
from typing import SupportsIndex

from pavcodec._version import __version__
from pavcodec.errors import NumberError, shown

# Philox4x64-10, the counter-based generator of Salmon, Moraes, Dror and Shaw (2011).
#
# It maps a counter of four words and a key of two words to four random words; a word has 64 bits.
# There is no state, so each block can be computed on its own. The constants and the order of words
# are those of Random123.


Block = tuple[int, int, int, int]
Key = tuple[int, int]

_ROUNDS = 10
_WORD = (1 << 64) - 1
_FACTORS = (0xD2E7470EE14C6C93, 0xCA5A826395121157)
_STEPS = (0x9E3779B97F4A7C15, 0xBB67AE8584CAA73B)


def philox4x64(counter: Block, key: Key) -> Block:
    """Return the block of a counter under a key, after ten rounds.

    All words are integers from 0 to 2⁶⁴ - 1.

    >>> [f"{word:016x}" for word in philox4x64((0, 0, 0, 0), (0, 0))]
    ['16554d9eca36314c', 'db20fe9d672d0fdc', 'd7e772cee186176b', '7e68b68aec7ba23b']
    """
    (a, b, c, d), (left, right) = counter, key
    (of_a, of_c), (of_left, of_right), word = _FACTORS, _STEPS, _WORD
    for _ in range(_ROUNDS):
        first, second = of_a * a, of_c * c
        a, b = (second >> 64) ^ b ^ left, second & word
        c, d = (first >> 64) ^ d ^ right, first & word
        left, right = (left + of_left) & word, (right + of_right) & word
    return a, b, c, d


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

    def _draw(self, k: int, cardinality: int, lane_and_draw: tuple[int, int] = (0, 0)) -> int:
        key = (self.seed & _WORD, self.seed >> 64)
        least = MOST % cardinality
        attempt = 0
        while True:
            w0, w1, w2, w3 = self.words((k, attempt, *lane_and_draw), key)
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


# The permutation `pav-permutation-1`: all numbers below a cardinality, in an order by a seed.
#
# Rule 1: The number at an index is a function of seed, index and cardinality, and so is the index
# of a number. Different indexes have different numbers, so no draw repeats another one. Rule 2: A
# number is two halves. In each round, a value that depends on one half and on the keys of the round
# is added to the other half, modulo its size, so each round can be undone. Rule 3: Few numbers are
# shuffled instead, and then all orders are exactly equally likely. Rule 4: The orders never change
# in later versions. Another permutation gets another name.
#
# The orders look random to statistics, and they keep no secret: this is no encryption.


SHUFFLED = 1 << 10
"""The largest cardinality whose numbers are shuffled."""
ROUNDS = 8
_LANE_OF_KEYS, _LANE_OF_SHUFFLES = 5, 7
_MIXES = 3
_FACTOR, _STEP = 0xD2B74407B1CE6E93, 0x9E3779B97F4A7C15
"""The constants of Philox2x64."""


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
        return self._walk("an index", index, self._turn)

    def index(self, number: SupportsIndex) -> int:
        """Return the index of a number: the inverse of `number`."""
        return self._walk("a number", number, self._turn_back)

    def __reduce__(self) -> tuple[object, tuple[int, int]]:
        return type(self), (self.seed, self.cardinality)

    def _walk(self, what: str, start: SupportsIndex, turn: Callable[[int], int]) -> int:
        """Turn a place until it is below the cardinality."""
        number = as_integer(start)
        if not 0 <= number < self.cardinality:
            most = self.cardinality - 1
            raise NumberError(f"{what} of this permutation is 0 to {most}, not {shown(number)}")
        if self.cardinality <= SHUFFLED:
            return turn(number)
        while (number := turn(number)) >= self.cardinality:
            pass
        return number

    @cached_property
    def _table(self) -> list[int]:
        """The shuffled numbers."""
        draw = Stream(self.seed).chance(self.cardinality, lane=_LANE_OF_SHUFFLES)
        table = list(range(self.cardinality))
        for last in range(self.cardinality - 1, 0, -1):
            other = draw(last + 1)
            table[last], table[other] = table[other], table[last]
        return table

    @cached_property
    def _inverse_table(self) -> list[int]:
        return sorted(range(self.cardinality), key=self._table.__getitem__)

    @cached_property
    def _keys(self) -> list[tuple[int, int]]:
        return round_keys(self.seed, self.cardinality)

    @cached_property
    def _sizes(self) -> tuple[int, int]:
        """The sizes of the left half and of the right half, which is a power of two."""
        right = 1 << (self.cardinality - 1).bit_length() // 2
        return -(-self.cardinality // right), right

    def _turn(self, number: int) -> int:
        """Return the number after all rounds."""
        if self.cardinality <= SHUFFLED:
            return self._table[number]
        sizes, halves = self._sizes, list(divmod(number, self._sizes[1]))
        for k, (constant, key) in enumerate(self._keys):
            size, other = sizes[k % 2], halves[1 - k % 2]
            halves[k % 2] = (halves[k % 2] + _mixed(other, constant, key) * size // MOST) % size
        return halves[0] * sizes[1] + halves[1]

    def _turn_back(self, number: int) -> int:
        """Return the number before all rounds."""
        if self.cardinality <= SHUFFLED:
            return self._inverse_table[number]
        sizes, halves = self._sizes, list(divmod(number, self._sizes[1]))
        for k, (constant, key) in reversed(list(enumerate(self._keys))):
            size, other = sizes[k % 2], halves[1 - k % 2]
            halves[k % 2] = (halves[k % 2] - _mixed(other, constant, key) * size // MOST) % size
        return halves[0] * sizes[1] + halves[1]


def round_keys(seed: int, cardinality: int) -> list[tuple[int, int]]:
    """Return the constant and the key of each round, four words for two rounds.

    The words are the blocks of the counters (low, high, 5, i), low and high the words of the
    largest number. No sample uses them.
    """
    last, key = cardinality - 1, (seed & _WORD, seed >> 64)
    keys = []
    for i in range(ROUNDS // 2):
        w0, w1, w2, w3 = philox4x64((last & _WORD, last >> 64, _LANE_OF_KEYS, i), key)
        keys += [(w0, w1), (w2, w3)]
    return keys


def _mixed(half: int, constant: int, key: int) -> int:
    """Return 128 bits that depend on a half: three rounds of Philox2x64."""
    for _ in range(_MIXES):
        product = _FACTOR * half
        half, constant = (product >> 64) ^ constant ^ key, product & _WORD
        key = (key + _STEP) & _WORD
    return half << 64 | constant


# Sorted sets `pav-sorted-set-1`: n different numbers below a cardinality, any part on its own.
#
# Rule 1: The set is a function of the cardinality, n and the seed. All sets are equally likely.
# Rule 2: The range of numbers is halved again and again, `depth_of(n)` times, into cells. How many
#         numbers of a range are in its left half follows exactly the hypergeometric distribution: a
#         binomial count of random bits, accepted with the quotient of both probabilities.
# Rule 3: The numbers of a cell are different samples of `pav-1` under a seed of the cell.
# Rule 4: The sets never change in later versions. Other sets get another name.
#
# This is the definition. `numberings.sorted_sample` computes the same sets quickly.


LANES = (8, 9, 10)
"""The third words of the counters of bits, digits and cells; no sample uses them."""
DIGIT_BITS = 256
_CELL_BITS = 17


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
        return [number for index, number in enumerate(numbers) if index not in chosen]
    return [numbers[index] for index in sorted(chosen)]


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
        ones = _count_bits(seed, node, attempt, count)
        ways = _falling(left, ones) * _falling(right, count - ones)
        most = _falling(left, mode) * _falling(right, count - mode)
        if _is_below(seed, node, attempt, Fraction(ways, most)):
            return ones
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
    for index in count_from():
        random = random << DIGIT_BITS | digit_of(seed, node, attempt, index)
        scaled = limit * (1 << DIGIT_BITS * (index + 1))
        if random + 1 <= scaled:
            return True
        if random >= scaled:
            return False
    raise AssertionError("the digits have no end")


def digit_of(seed: int, node: int, attempt: int, index: int) -> int:
    """Return a digit of a random fraction in base 2²⁵⁶; place 0 is the most significant."""
    return _block(seed, node, attempt, LANES[1], index)


def cell_seed(seed: int, node: int) -> int:
    """Return the seed of the samples of a cell: two words of a block."""
    return _block(seed, node, 0, LANES[2], 0) % (1 << 128)


def _block(seed: int, node: int, attempt: int, lane: int, index: int) -> int:
    """Return a block as a number of 256 bits, its first word lowest."""
    key = (seed & _WORD, seed >> 64)
    w0, w1, w2, w3 = philox4x64((node, attempt, lane, index), key)
    return w0 | w1 << 64 | w2 << 128 | w3 << 192


# Weights of the types of a mix. Only their proportion matters.


Weight = SupportsIndex | Rational | str

_WEIGHT = re.compile(r"[0-9]+(\.[0-9]+|/[0-9]+)?")
_LARGEST = 1 << 1000
_LONGEST = 40


def weight_of(value: Weight) -> Fraction:
    """Return the weight of an integer, a fraction, or a text such as 35, 2.5 or 1/3.

    Raises `NumberError` for other texts and for values of 0 or less, and `TypeError` for a float:
    the text 2.5 is exact, but a float is not.

    >>> weight_of(35), weight_of("2.5"), weight_of("1/3")
    (Fraction(35, 1), Fraction(5, 2), Fraction(1, 3))
    """
    weight = _exact(value)
    if weight <= 0:
        raise NumberError(f"a weight is more than 0, not {_shown(weight)}")
    return weight


def share_of(value: Weight) -> Fraction:
    """Return a share: a weight or 0.

    >>> share_of("2.5"), share_of(0)
    (Fraction(5, 2), Fraction(0, 1))
    """
    share = _exact(value)
    if share < 0:
        raise NumberError(f"a weight is 0 or more, not {_shown(share)}")
    if max(share.numerator, share.denominator) > _LARGEST:
        raise NumberError(f"a weight has at most 1000 bits, not {_shown(share)}")
    return share


def _exact(value: Weight) -> Fraction:
    if isinstance(value, str):
        return _read(value)
    if isinstance(value, Rational):
        return Fraction(value)
    if isinstance(value, float):
        raise TypeError(f"a weight is exact: write '{value}' instead of {value}")
    return Fraction(as_integer(value))


def _shown(weight: Fraction) -> str:
    parts = (weight.numerator, weight.denominator)[: 1 + (weight.denominator > 1)]
    return "/".join(map(shown, parts))


def _read(text: str) -> Fraction:
    if len(text) > _LONGEST or not _WEIGHT.fullmatch(text):
        raise NumberError(f"a weight is a number such as 35, 2.5 or 1/3, not {text[:_LONGEST]!r}")
    try:
        return Fraction(text)
    except ZeroDivisionError:
        raise NumberError(f"a weight is a number such as 35, 2.5 or 1/3, not {text!r}") from None


def unweighted(weights: Sequence[Fraction | None]) -> int | None:
    """Return the place of the first None among weights, or None if all or no places have a weight.

    >>> unweighted([Fraction(1), None]), unweighted([None, None]), unweighted([Fraction(1)])
    (1, None, None)
    """
    if None not in weights or not any(weights):
        return None
    return weights.index(None)


def proportion(weights: Sequence[Fraction]) -> tuple[int, ...]:
    """Return the smallest integers in the proportion of some weights.

    Raises `NumberError` if their sum is above 2¹²⁸.

    >>> proportion([Fraction(35), Fraction(60), Fraction(5)])
    (7, 12, 1)
    >>> proportion([Fraction(5, 2), Fraction(1, 3)])
    (15, 2)
    """
    common = lcm(*(weight.denominator for weight in weights))
    whole = [int(weight * common) for weight in weights]
    shared = gcd(*whole)
    parts = tuple(part // shared for part in whole)
    if sum(parts) > MOST:
        total = shown(sum(parts))
        raise NumberError(f"weights in smallest integers sum to at most 2^128, not to {total}")
    return parts


# The tag `Generator`: the program, the seed, the first sample and the condition of boards.


_LONGEST_VALUE = 253 - len('[Generator ""]')
"""The most characters of a value of the tag `Generator` in one line of PBN."""
_STEM = 60
"""The most characters of a script's name."""


def generator(  # noqa: PLR0913
    seed: int | None,
    start: int,
    where: str,
    method: str = "",
    *,
    script: str | None = None,
    spare: int = 0,
) -> str:
    """Return the text of the tag `Generator`, from which anyone can make the boards again.

    No seed means deals in order. If the condition makes a line of PBN too long, the text has its
    hash and the name of the script. `spare` is the number of characters that the caller adds.
    """
    words = [f"pavcodec {__version__}"]
    words += ["in order" if seed is None else f"seed={seed}"]
    words += [f"start={start}"] if start else []
    words += [method] if method else []
    if not where:
        return " ".join(words)
    whole = " ".join([*words, f"where={where}"])
    if _is_a_line(whole, _LONGEST_VALUE - spare):
        return whole
    if script:
        from pathlib import Path

        stem = re.sub(r"[^\w.-]+", "_", Path(script).stem, flags=re.ASCII)[:_STEM]
        words += [f"script={stem}"] if stem else []
    return " ".join([*words, f"where=sha256:{sha256(where.encode()).hexdigest()[:16]}"])


def preface(where: str, made: str) -> tuple[str, ...]:
    """Return lines with the whole condition for a file whose boards only have its hash."""
    return () if made.endswith(where) else ("condition:", *where.split("\n"))


def _is_a_line(value: str, longest: int) -> bool:
    """Return whether the value of a tag of PBN is one line of at most `longest` characters."""
    return "\n" not in value and len(value) + sum(map(value.count, '"\\')) <= longest
