"""Numbers of two words, as the functions of the kernel take and give them."""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

Words: TypeAlias = NDArray[np.uint64]

WORD = (1 << 64) - 1


def number_at(rows: Words, row: int = 0) -> int:
    """Return the number of a row (high, low)."""
    high, low = rows.reshape(-1, 2)[row].tolist()
    return int(high << 64 | low)


def put_number(rows: Words, row: int, number: int) -> None:
    """Write a number modulo 2¹²⁸ into a row (high, low)."""
    rows.reshape(-1, 2)[row] = number >> 64 & WORD, number & WORD
