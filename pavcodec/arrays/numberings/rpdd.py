"""Find the position of a deal in Pavlicek's collection, by a search through all drawn numbers."""

from __future__ import annotations

from typing import Any

import numpy as np

from pavcodec.arrays.compiler import compiled

__all__ = ["find_number"]

_U32, _LOW = np.uint64(32), np.uint64(0xFFFFFFFF)


def find_number(
    seeds: list[tuple[int, ...]], block: int, multipliers: tuple[int, ...], total: int, number: int
) -> int:
    """Return the index of a number, or -1 if no block contains it.

    Each seed is four outputs and a carry, and starts a block of `block` numbers below `total`.
    `pavcodec.numberings.rpdd` defines how the numbers are drawn.
    """
    return int(
        _find(
            np.array(seeds, np.uint64),
            block,
            np.array(multipliers, np.uint64),
            np.array(divmod(total, 1 << 64), np.uint64),
            np.array(divmod(number, 1 << 64), np.uint64),
        )
    )


@compiled()
def _find(seeds: Any, block: int, multipliers: Any, total: Any, number: Any) -> int:
    a0, a1, a2, a3 = multipliers[0], multipliers[1], multipliers[2], multipliers[3]
    for which in range(len(seeds)):
        s0, s1, s2, s3, carry = (
            seeds[which, 0],
            seeds[which, 1],
            seeds[which, 2],
            seeds[which, 3],
            seeds[which, 4],
        )
        for place in range(block):
            for _ in range(3):
                product = a0 * s0 + a1 * s1 + a2 * s2 + a3 * s3 + carry
                s3, s2, s1, s0 = s2, s1, s0, product & _LOW
                carry = product >> _U32
            low = s1 << _U32 | s2
            if low == number[1]:
                choices = total[0] + np.uint64(low < total[1])
                if s0 * choices >> _U32 == number[0]:
                    return which * block + place
    return -1
