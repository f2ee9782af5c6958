"""Scrambled numbers: x · factor + shift modulo a cardinality of nearly two words.

The products have 190 bits. Instead of a multiplication, a table stores the reduced product for each
value of each byte of x, and the result is the reduced sum of about a dozen entries.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from pavcodec.arrays.compiler import compiled
from pavcodec.arrays.words.limbs import Limbs, split
from pavcodec.arrays.words.wide import at_least

__all__ = ["MOST", "AffineKernel"]

MOST = 1 << 123
"""The largest cardinality: the sum of 17 numbers below it is below 2¹²⁸."""

_BYTE_BITS, _BYTE = np.uint64(8), np.uint64(255)


class AffineKernel:
    """Map numbers x below the cardinality to (x · factor + shift) modulo the cardinality."""

    def __init__(self, factor: int, shift: int, cardinality: int) -> None:
        count = -(-(cardinality - 1).bit_length() // 8)
        self._table = np.array(
            [
                [split((value << 8 * place) * factor % cardinality) for value in range(256)]
                for place in range(count)
            ],
            np.uint64,
        ).reshape(count, 256, 2)
        self._shift = np.array(split(shift % cardinality), np.uint64)
        self._multiples = np.array([split(cardinality << k) for k in range(4, -1, -1)], np.uint64)

    def map(self, numbers: Limbs) -> Limbs:
        """Return the images of the numbers."""
        mapped = np.empty_like(numbers)
        _map(self._table, self._shift, self._multiples, numbers, mapped)
        return mapped


@compiled()
def _map(table: Any, shift: Any, multiples: Any, numbers: Any, mapped: Any) -> None:
    for row in range(len(numbers)):
        high, low = shift[0], shift[1]
        for place in range(len(table)):
            word = numbers[row, 1] if place < 8 else numbers[row, 0]
            value = word >> _BYTE_BITS * np.uint64(place % 8) & _BYTE
            low += table[place, value, 1]
            high += table[place, value, 0] + np.uint64(low < table[place, value, 1])
        for k in range(len(multiples)):
            if at_least(high, low, multiples[k, 0], multiples[k, 1]):
                high -= multiples[k, 0] + np.uint64(low < multiples[k, 1])
                low -= multiples[k, 1]
        mapped[row, 0], mapped[row, 1] = high, low
