"""The 10,485,760 solved deals of Pavlicek's collection, by their index.

A generator of 32-bit numbers, Marsaglia's multiply with carry, drew these deals. It starts with a
new seed every 16,384 deals. Three of its outputs make a number of `deal-wnes`
(`kernel.reference.rpdd`). So the deal of an index is computed directly, but the index of a deal
needs a search through all blocks.

Nearly all deals are in no block, and a search for them draws all numbers. From the second search of
a process on, a filter of Bloom answers for these deals: two marks of each drawn number in a table
of 2^27 bits. It has one of fifty other numbers by chance, and then the search decides. Making the
table takes as long as two searches.
"""

from __future__ import annotations

from ctypes import Array, c_uint8, c_uint64
from dataclasses import dataclass
from functools import cached_property, lru_cache

from pavcodec import kernel
from pavcodec.walk import NotAMemberError, Ranking, RowByRow

BLOCK = 1 << 14
BLOCKS = 640
_MARKS = 1 << 27
_OTHER_MARK = 37


@lru_cache(maxsize=4)
def block_numbers(block: int, size: int, cardinality: int) -> Array[c_uint64]:
    """Return the numbers of a block, as rows in the order of the generator."""
    numbers = (c_uint64 * (2 * size))()
    kernel.rpdd_draw(block, kernel.rows_of(cardinality), size, numbers)
    return numbers


class _Search:
    """Searches through some blocks; from the second one on with a table of marks."""

    def __init__(self, blocks: int, size: int) -> None:
        self.blocks, self.size = blocks, size
        self._is_first = True
        self._marks: Array[c_uint8] | None = None

    def find(self, number: int, cardinality: int) -> int:
        """Return the index of a number, or -1 if no block has it."""
        if self._marks is None and not self._is_first:
            marks = (c_uint8 * (_MARKS >> 3))()
            kernel.rpdd_mark(self.blocks, self.size, marks)
            self._marks = marks
        self._is_first = False
        low = number % (1 << 64)
        if self._marks and not all(
            self._marks[mark >> 3] >> (mark & 7) & 1 for mark in (low % _MARKS, low >> _OTHER_MARK)
        ):
            return -1
        total, row = kernel.rows_of(cardinality), kernel.rows_of(number)
        return int(kernel.rpdd_find(self.blocks, self.size, total, row))


_search = lru_cache(maxsize=1)(_Search)


@dataclass(frozen=True)
class Collected(RowByRow):
    """The deals of another ranking that a generator drew, in the order of the generator.

    There are `blocks` blocks of `size` deals each; each block has its own seed.
    """

    inner: Ranking
    blocks: int = BLOCKS
    size: int = BLOCK

    @cached_property
    def cards(self) -> int:
        """The length of the words."""
        return self.inner.cards

    @cached_property
    def cardinality(self) -> int:
        """The number of deals; all deals are different."""
        return self.blocks * self.size

    def unrank(self, number: int) -> bytes:
        """Return the word of an index."""
        block, index = divmod(number, self.size)
        numbers = block_numbers(block, self.size, self.inner.cardinality)
        high, low = numbers[2 * index : 2 * index + 2]
        return self.inner.unrank(high << 64 | low)

    def rank(self, word: bytes) -> int:
        """Return the index of a word; raise `NotAMemberError` if the generator did not draw it."""
        number = self.inner.rank(word)
        index = _search(self.blocks, self.size).find(number, self.inner.cardinality)
        if index < 0:
            raise NotAMemberError
        return index
