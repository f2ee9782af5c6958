"""Different samples of the stream `pav-1` in ascending order, and the other numbers."""

from __future__ import annotations

import numpy as np

from pavcodec.arrays.philox import draw_distinct_indexes, draw_indexes
from pavcodec.arrays.words.limbs import Limbs, are_new, sorting

_WORD_BITS = 64


def sorted_draws(seed: int, count: int, cardinality: int) -> Limbs:
    """Return the first `count` different samples of a seed, sorted, as `uint64[count, 2]`.

    >>> sorted_draws(7, 3, 52).tolist()
    [[0, 15], [0, 36], [0, 40]]
    """
    rows = _sorted(draw_indexes(seed, 0, count, cardinality), cardinality)
    if are_new(rows).all():
        return rows
    return _sorted(draw_distinct_indexes(seed, 0, count, cardinality), cardinality)


def other_rows(rows: Limbs, cardinality: int) -> Limbs:
    """Return the numbers below a cardinality, less than 2³², that are not among some rows.

    >>> other_rows(np.array([[0, 1], [0, 3]], np.uint64), 5).tolist()
    [[0, 0], [0, 2], [0, 4]]
    """
    is_other = np.ones(cardinality, np.bool_)
    is_other[rows[:, 1]] = False
    (numbers,) = is_other.nonzero()
    others = np.zeros((len(numbers), 2), np.uint64)
    others[:, 1] = numbers
    return others


def _sorted(rows: Limbs, cardinality: int) -> Limbs:
    """Return rows in ascending order: by their first 64 bits, and by both words if these repeat."""
    shift = max(0, (cardinality - 1).bit_length() - _WORD_BITS)
    if not shift:
        rows[:, 1] = np.sort(rows[:, 1])
        return rows
    keys = rows[:, 1] >> np.uint64(shift) if shift < _WORD_BITS else np.zeros(len(rows), np.uint64)
    keys |= rows[:, 0] << np.uint64(_WORD_BITS - shift) if shift < _WORD_BITS else rows[:, 0]
    order = np.argsort(keys)
    keys = keys[order]
    return rows[order] if (keys[1:] != keys[:-1]).all() else rows[sorting(rows)]
