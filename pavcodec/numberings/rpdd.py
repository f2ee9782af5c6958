"""The 10,485,760 solved deals of Pavlicek's collection, by their index.

The deals were drawn by a generator of 32-bit numbers, Marsaglia's multiply with carry, that starts
afresh every 16,384 deals. Three of its numbers make a number of `deal-wnes`. So the deal of an
index is worked out, and the index of a deal is searched for.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from pavcodec.numberings.rankings import Ranking
from pavcodec.walk import NotAMemberError

__all__ = ["BLOCK", "BLOCKS", "Collected", "block_numbers"]

BLOCK = 1 << 14
BLOCKS = 640
_MULTIPLIERS = (0x13FB, 0x6F0, 0x5D4, 0x7DD4FFC7)
_WORD = 0xFFFFFFFF
_DISCARDED = 12
_STEP = 0x1C8E815


def _turned(word: int) -> int:
    """Return a word of 32 bits turned to the right by 10."""
    return word >> 10 | word << 22 & _WORD


def _seed(block: int) -> tuple[int, ...]:
    """Return what a block starts from: the last four outputs, the latest first, and the carry."""
    number = block + 1
    word = _turned(number ^ 0xFFFF)
    word = _turned(word & ~0xFFFF | number & 0xFFFF)
    word |= 4 * number & 0xFFFF | 3
    words = []
    for _ in range(5):
        word = word * _STEP - 1 & _WORD
        words.append(word)
    return _after(tuple(words), _DISCARDED)


def _after(state: tuple[int, ...], steps: int) -> tuple[int, ...]:
    """Return the state of the generator after some outputs; the first of it is the last output."""
    a0, a1, a2, a3 = _MULTIPLIERS
    s0, s1, s2, s3, carry = state
    for _ in range(steps):
        product = a0 * s0 + a1 * s1 + a2 * s2 + a3 * s3 + carry
        s0, s1, s2, s3, carry = product & _WORD, s0, s1, s2, product >> 32
    return s0, s1, s2, s3, carry


def _drawn(block: int, cardinality: int) -> Iterator[int]:
    """Yield the numbers of a block, each below the cardinality, of three words."""
    state = _seed(block)
    high, rest = divmod(cardinality, 1 << 64)
    while True:
        state = _after(state, 3)
        third, second, first = state[:3]
        low = second << 32 | first
        choices = high + (low < rest)  # the high words that keep the number below the cardinality
        yield (third * choices >> 32) << 64 | low


@lru_cache(maxsize=4)
def block_numbers(block: int, size: int, cardinality: int) -> tuple[int, ...]:
    """Return the numbers of a block in order."""
    drawn = _drawn(block, cardinality)
    return tuple(next(drawn) for _ in range(size))


@dataclass(frozen=True)
class Collected:
    """Deals of another ranking that a generator drew, by the order in which it drew them.

    There are `blocks` of them, of `size` deals each, the generator starting afresh at each.
    """

    inner: Ranking
    blocks: int = BLOCKS
    size: int = BLOCK

    @property
    def cardinality(self) -> int:
        """The number of deals, all different."""
        return self.blocks * self.size

    def unrank(self, number: int) -> bytes:
        """Return the word of an index."""
        block, place = divmod(number, self.size)
        numbers = block_numbers(block, self.size, self.inner.cardinality)
        return self.inner.unrank(numbers[place])

    def rank(self, word: bytes) -> int:
        """Return the index of a word; raise `NotAMemberError` if it was not drawn."""
        from pavcodec.arrays.numberings.rpdd import find_number

        seeds = [_seed(block) for block in range(self.blocks)]
        total, number = self.inner.cardinality, self.inner.rank(word)
        index = find_number(seeds, self.size, _MULTIPLIERS, total, number)
        if index < 0:
            raise NotAMemberError
        return index
