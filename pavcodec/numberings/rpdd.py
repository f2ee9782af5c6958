"""The 10,485,760 solved deals of Pavlicek's collection, by their index.

A generator of 32-bit numbers, Marsaglia's multiply with carry, drew these deals. It starts with a
new seed every 16,384 deals. Three of its outputs make a number of `deal-wnes`. So the deal of an
index is computed directly, but the index of a deal needs a search through all blocks.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from pavcodec.numberings.rankings import Ranking
from pavcodec.walk import NotAMemberError

if TYPE_CHECKING:
    from pavcodec.arrays.numberings.rpdd import Search


BLOCK = 1 << 14
BLOCKS = 640
_MULTIPLIERS = (0x13FB, 0x6F0, 0x5D4, 0x7DD4FFC7)
_WORD = 0xFFFFFFFF
_DISCARDED = 12
_STEP = 0x1C8E815


def _turned(word: int) -> int:
    """Return a 32-bit word rotated right by 10 bits."""
    return word >> 10 | word << 22 & _WORD


def _seed(block: int) -> tuple[int, ...]:
    """Return the first state of a block: the last four outputs, the latest first, and the carry."""
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
    """Return the state after `steps` outputs; its first word is the last output."""
    a0, a1, a2, a3 = _MULTIPLIERS
    s0, s1, s2, s3, carry = state
    for _ in range(steps):
        product = a0 * s0 + a1 * s1 + a2 * s2 + a3 * s3 + carry
        s0, s1, s2, s3, carry = product & _WORD, s0, s1, s2, product >> 32
    return s0, s1, s2, s3, carry


def _drawn(block: int, cardinality: int) -> Iterator[int]:
    """Yield the numbers of a block; three words make each number, below the cardinality."""
    state = _seed(block)
    high, rest = divmod(cardinality, 1 << 64)
    while True:
        state = _after(state, 3)
        third, second, first = state[:3]
        low = second << 32 | first
        choices = high + (low < rest)  # the high words for which the number is in range
        yield (third * choices >> 32) << 64 | low


@lru_cache(maxsize=4)
def block_numbers(block: int, size: int, cardinality: int) -> tuple[int, ...]:
    """Return the numbers of a block in the order of the generator."""
    drawn = _drawn(block, cardinality)
    return tuple(next(drawn) for _ in range(size))


@lru_cache(maxsize=1)
def _search(blocks: int, size: int, cardinality: int) -> Search:
    """Return the search through so many blocks."""
    from pavcodec.arrays.numberings.rpdd import Search

    seeds = [_seed(block) for block in range(blocks)]
    return Search(seeds, size, _MULTIPLIERS, cardinality)


@dataclass(frozen=True)
class Collected:
    """The deals of another ranking that a generator drew, in the order of the generator.

    There are `blocks` blocks of `size` deals each; each block has its own seed.
    """

    inner: Ranking
    blocks: int = BLOCKS
    size: int = BLOCK

    @property
    def cardinality(self) -> int:
        """The number of deals; all deals are different."""
        return self.blocks * self.size

    def unrank(self, number: int) -> bytes:
        """Return the word of an index."""
        block, index = divmod(number, self.size)
        numbers = block_numbers(block, self.size, self.inner.cardinality)
        return self.inner.unrank(numbers[index])

    def rank(self, word: bytes) -> int:
        """Return the index of a word; raise `NotAMemberError` if the generator did not draw it."""
        search = _search(self.blocks, self.size, self.inner.cardinality)
        index = search.find(self.inner.rank(word))
        if index < 0:
            raise NotAMemberError
        return index
