"""Find the position of a deal in Pavlicek's collection, by a search through all drawn numbers.

Nearly all deals are in no block, and a search for them draws all numbers. From the second search of
a process on, a filter of Bloom answers for these deals: two marks of each drawn number in a table
of 2^27 bits. It has one of fifty other numbers by chance, and then the search decides. Making the
table takes as long as two searches.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from pavcodec.arrays.compiler import compiled

_U32, _LOW = np.uint64(32), np.uint64(0xFFFFFFFF)
_MARKS = np.uint64((1 << 27) - 1)
_OTHER = np.uint64(37)


class Search:
    """Finds numbers among those that a generator drew; the object keeps its table.

    Each seed is four outputs and a carry, and starts a block of `block` numbers below `total`.
    `pavcodec.numberings.rpdd` defines how the numbers are drawn.
    """

    def __init__(
        self, seeds: list[tuple[int, ...]], block: int, multipliers: tuple[int, ...], total: int
    ) -> None:
        self._drawn = (np.array(seeds, np.uint64), block, np.array(multipliers, np.uint64))
        self._total = np.array(divmod(total, 1 << 64), np.uint64)
        self._is_first = True
        self._marks: Any = None

    def find(self, number: int) -> int:
        """Return the index of a number, or -1 if no block contains it."""
        limbs = np.array(divmod(number, 1 << 64), np.uint64)
        if self._marks is None and not self._is_first:
            self._marks = _mark(*self._drawn)
        self._is_first = False
        if self._marks is not None and not _is_marked(self._marks, limbs[1]):
            return -1
        return int(_find(*self._drawn, self._total, limbs))


@compiled(inline="always")
def _state(seed: Any) -> Any:
    """Return the four outputs and the carry of a seed, for registers."""
    return seed[0], seed[1], seed[2], seed[3], seed[4]


@compiled(inline="always")
def _after_three(state: Any, factors: Any) -> Any:
    """Return the state after the three outputs of a number."""
    s0, s1, s2, s3, carry = state
    a0, a1, a2, a3 = factors
    for _ in range(3):
        product = a0 * s0 + a1 * s1 + a2 * s2 + a3 * s3 + carry
        s3, s2, s1, s0 = s2, s1, s0, product & _LOW
        carry = product >> _U32
    return s0, s1, s2, s3, carry


@compiled()
def _mark(seeds: Any, block: int, multipliers: Any) -> Any:
    """Return a table of bits with the two marks of the low word of each drawn number."""
    marks = np.zeros((int(_MARKS) + 1) >> 3, np.uint8)
    factors = multipliers[0], multipliers[1], multipliers[2], multipliers[3]
    for which in range(len(seeds)):
        state = _state(seeds[which])
        for _ in range(block):
            state = _after_three(state, factors)
            low = state[1] << _U32 | state[2]
            for mark in (low & _MARKS, low >> _OTHER):
                marks[mark >> np.uint64(3)] |= np.uint8(1 << (mark & np.uint64(7)))
    return marks


@compiled()
def _is_marked(marks: Any, low: Any) -> bool:
    for mark in (low & _MARKS, low >> _OTHER):
        if not marks[mark >> np.uint64(3)] >> (mark & np.uint64(7)) & 1:
            return False
    return True


@compiled()
def _find(seeds: Any, block: int, multipliers: Any, total: Any, number: Any) -> int:
    factors = multipliers[0], multipliers[1], multipliers[2], multipliers[3]
    for which in range(len(seeds)):
        state = _state(seeds[which])
        for index in range(block):
            state = _after_three(state, factors)
            low = state[1] << _U32 | state[2]
            if low == number[1]:
                choices = total[0] + np.uint64(low < total[1])
                if state[0] * choices >> _U32 == number[0]:
                    return which * block + index
    return -1
