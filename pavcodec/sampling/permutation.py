"""The permutation `pav-permutation-1`: all numbers below a cardinality, in an order by a seed.

Rule 1: The number at an index is a function of seed, index and cardinality, and so is the index of
        a number. Different indexes have different numbers, so no draw repeats another one.
Rule 2: A number is two halves. In each round, a value that depends on one half and on the keys of
        the round is added to the other half, modulo its size, so each round can be undone.
Rule 3: Few numbers are shuffled instead, and then all orders are exactly equally likely.
Rule 4: The orders never change in later versions. Another permutation gets another name.

The orders look random to statistics, and they keep no secret: this is no encryption.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from operator import index as as_integer
from typing import SupportsIndex

from pavcodec.errors import NumberError, shown
from pavcodec.sampling.philox import philox4x64
from pavcodec.sampling.seeds import seed_of
from pavcodec.sampling.stream import MOST, Stream, check_slice

__all__ = ["KeyedPermutation", "round_keys"]

SHUFFLED = 1 << 10
"""The largest cardinality whose numbers are shuffled."""
ROUNDS = 8
_LANE_OF_KEYS, _LANE_OF_SHUFFLES = 5, 7
_WORD = (1 << 64) - 1
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

    def _walk(self, what: str, place: SupportsIndex, turn: Callable[[int], int]) -> int:
        """Turn a place until it is below the cardinality."""
        found = as_integer(place)
        if not 0 <= found < self.cardinality:
            most = self.cardinality - 1
            raise NumberError(f"{what} of this permutation is 0 to {most}, not {shown(found)}")
        if self.cardinality <= SHUFFLED:
            return turn(found)
        while (found := turn(found)) >= self.cardinality:
            pass
        return found

    @cached_property
    def _table(self) -> list[int]:
        """The shuffled numbers."""
        draw = Stream(self.seed).chance(self.cardinality, lane=_LANE_OF_SHUFFLES)
        table = list(range(self.cardinality))
        for last in range(self.cardinality - 1, 0, -1):
            place = draw(last + 1)
            table[last], table[place] = table[place], table[last]
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
