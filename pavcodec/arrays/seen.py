"""The rows of two words that occurred before: a hash table in compiled loops."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numba import types

from pavcodec.arrays.compiler import compiled

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from pavcodec.arrays.words.limbs import Limbs


Word = np.uint64

_FIRST_SIZE = 1 << 10
_ONE = Word(1)
_FACTOR_HIGH, _FACTOR_LOW = Word(0x9E3779B97F4A7C15), Word(0xD6E8FEB86659FD93)
_SHIFT = Word(32)


class Seen:
    """A set of rows of two words, which grows as rows are added.

    >>> seen = Seen()
    >>> rows = np.array([[0, 2], [0, 2], [1, 2]], np.uint64)
    >>> seen.add(rows).tolist(), seen.add(rows[1:]).tolist(), len(seen)
    ([True, False, True], [False, False], 2)
    """

    def __init__(self) -> None:
        self._count = 0
        self._make(_FIRST_SIZE)

    def _make(self, size: int) -> None:
        self._rows = np.empty((size, 2), np.uint64)
        self._is_used = np.zeros(size, np.bool_)

    def add(self, rows: Limbs) -> NDArray[np.bool_]:
        """Add rows `uint64[n, 2]`; return for each row whether it is new."""
        if 2 * (self._count + len(rows)) > len(self._rows):
            self._grow(2 * (self._count + len(rows)))
        is_new = np.empty(len(rows), np.bool_)
        _add(np.ascontiguousarray(rows), self._rows, self._is_used, is_new)
        self._count += int(np.count_nonzero(is_new))
        return is_new

    def _grow(self, least: int) -> None:
        """Make room for twice as many rows at least, so that growing takes little of the time."""
        rows = self._rows[self._is_used]
        self._make(1 << max(least, 2 * len(self._rows) - 1).bit_length())
        _add(rows, self._rows, self._is_used, np.empty(len(rows), np.bool_))

    def __len__(self) -> int:
        return self._count


@compiled(
    types.void(types.uint64[:, ::1], types.uint64[:, ::1], types.bool_[::1], types.bool_[::1])
)
def _add(rows: Limbs, table: Limbs, is_used: NDArray[np.bool_], is_new: NDArray[np.bool_]) -> None:
    """Put each row into the next free place of the table from its hash on, unless it is there."""
    mask = Word(table.shape[0] - 1)
    for row in range(rows.shape[0]):
        high, low = rows[row, 0], rows[row, 1]
        mixed = (high * _FACTOR_HIGH ^ low) * _FACTOR_LOW
        slot = (mixed ^ (mixed >> _SHIFT)) & mask
        while is_used[slot] and (table[slot, 0] != high or table[slot, 1] != low):
            slot = (slot + _ONE) & mask
        is_new[row] = not is_used[slot]
        if is_new[row]:
            is_used[slot] = True
            table[slot, 0], table[slot, 1] = high, low
