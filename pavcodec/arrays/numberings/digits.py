"""Any assignment of the cards as base-5 digits, the first card least significant: `OwnerDigits`."""

from __future__ import annotations

from typing import Any

import numpy as np

from pavcodec.arrays.compiler import compiled
from pavcodec.arrays.owners.rows import Owners
from pavcodec.arrays.words.limbs import Limbs
from pavcodec.arrays.words.wide import multiply_add

__all__ = ["BASE", "PARTS", "DigitKernel"]

BASE = 5
PARTS = 4
"""The number of cards must be a multiple of this."""

_BASE = np.uint64(BASE)
_ZERO, _ONE = np.uint64(0), np.uint64(1)
_HALF_BITS, _HALF_WORD = np.uint64(32), np.uint64((1 << 32) - 1)


class DigitKernel:
    """Rank and unrank all words of four seats and unused; the cards are a multiple of four.

    The digits are computed in four parts, each below 2³² for 52 cards.
    """

    def __init__(self, cards: int) -> None:
        self._part = np.uint64(BASE ** (cards // PARTS))

    def rank(self, owners: Owners, numbers: Limbs) -> int:
        """Write the numbers of owners; return the first row without a number, or -1."""
        bad: int = _rank(self._part, owners, numbers)
        return bad

    def unrank(self, numbers: Limbs, owners: Owners) -> None:
        """Write the owners of numbers, which must be below the cardinality."""
        _unrank(self._part, numbers, owners)


@compiled()
def _unrank(divisor: Any, numbers: Any, owners: Any) -> None:
    size = owners.shape[1] // PARTS
    limbs = np.empty(PARTS, np.uint64)  # 32 bits each, the highest limb first
    parts = np.empty(PARTS, np.uint64)
    for deal in range(len(numbers)):
        for word in range(2):
            limbs[2 * word] = numbers[deal, word] >> _HALF_BITS
            limbs[2 * word + 1] = numbers[deal, word] & _HALF_WORD
        for part in range(PARTS):  # schoolbook division: the remainders are the parts
            remainder = _ZERO
            for limb in range(PARTS):
                dividend = remainder << _HALF_BITS | limbs[limb]
                limbs[limb] = dividend // divisor
                remainder = dividend - limbs[limb] * divisor
            parts[part] = remainder
        for card in range(size):
            for part in range(PARTS):
                digit = parts[part] % _BASE
                parts[part] //= _BASE
                owners[deal, part * size + card] = (digit + _BASE - _ONE) % _BASE


@compiled()
def _rank(part_size: Any, owners: Any, numbers: Any) -> Any:
    cards = owners.shape[1]
    size = cards // PARTS
    parts = np.empty(PARTS, np.uint64)
    for deal in range(len(owners)):
        parts[:] = _ZERO
        greatest = np.uint8(0)
        for card in range(size - 1, -1, -1):
            for part in range(PARTS):
                owner = owners[deal, part * size + card]
                greatest = max(greatest, owner)
                parts[part] = parts[part] * _BASE + (np.uint64(owner) + _ONE) % _BASE
        if greatest >= _BASE:
            return deal
        high = parts[3] * part_size + parts[2]
        low = parts[1] * part_size + parts[0]
        numbers[deal, 0], numbers[deal, 1] = multiply_add(high, part_size * part_size, low, _ZERO)
    return -1
