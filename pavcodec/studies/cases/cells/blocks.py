"""The cases of a step of a listing, and the exact running totals of their ways."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["Block", "running_totals"]

_LOW = np.uint64(0xFFFFFFFF)
_HALF = np.uint64(32)


class Block(NamedTuple):
    """The cases of a step: the indexes of their cells in each hand, and their ways."""

    first: int
    """The index of the cell of the first hand, if there are two hands."""
    last: NDArray[np.int64]
    """The indexes of the cells of the last hand."""
    ways: NDArray[np.uint64]


def running_totals(
    ways: NDArray[np.uint64], before: int
) -> tuple[NDArray[np.uint64], NDArray[np.uint64]]:
    """Return the running totals of some ways after the total `before`, as high and low words.

    Ways are added in halves of 32 bits, so no sum overflows.

    >>> high, low = running_totals(np.array([1, 2**63, 2**63], np.uint64), 2**64 - 1)
    >>> [h << 64 | l for h, l in zip(high.tolist(), low.tolist())] == [
    ...     2**64, 2**64 + 2**63, 2**65]
    True
    """
    upper, lower = divmod(before, 1 << 32)
    low = np.cumsum(ways & _LOW) + np.uint64(lower)
    high = np.cumsum(ways >> _HALF) + np.uint64(upper) + (low >> _HALF)
    return high >> _HALF, high << _HALF | low & _LOW
