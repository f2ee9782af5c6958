"""The stream in the kernel and by its definition."""

from __future__ import annotations

import numpy as np
import pytest

from pavcodec import kernel
from pavcodec.kernel import reference

CARDINALITIES = [1, 2, 3, 52, 2**64 - 1, 2**64, 2**64 + 1, 53644737765488792839237440000]
CARDINALITIES += [2**127, 2**127 + 1, 3 * 2**126 + 5, 2**128 - 1, 2**128]


def words(number: int) -> np.ndarray:
    """Return a number modulo 2¹²⁸ as two words."""
    return np.array(divmod(number % 2**128, 2**64), np.uint64)


@pytest.mark.parametrize("cardinality", CARDINALITIES)
@pytest.mark.parametrize(("seed", "first"), [(0, 0), (7, 2**64 - 20), (2**128 - 1, 5)])
def test_samples(cardinality: int, seed: int, first: int) -> None:
    compiled, defined = np.empty((2, 50, 2), np.uint64)
    least = words(2**128 % cardinality)
    for rows, draw in ((compiled, kernel.stream_draw), (defined, reference.stream_draw)):
        draw(words(seed), words(cardinality - 1), least, 1, 3, first, len(rows), rows)
    assert compiled.tolist() == defined.tolist()
