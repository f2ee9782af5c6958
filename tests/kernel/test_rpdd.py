"""The generator of Pavlicek's collection in the kernel and by its definition."""

from __future__ import annotations

import numpy as np
import pytest

from pavcodec import kernel
from pavcodec.kernel import reference

DEALS = 53644737765488792839237440000


@pytest.mark.parametrize("part", [0, 1, 77, 639])
def test_numbers(part: int) -> None:
    total = np.array(divmod(DEALS, 2**64), np.uint64)
    compiled, defined = np.empty((2, 50, 2), np.uint64)
    kernel.rpdd_draw(part, total, 50, compiled)
    reference.rpdd_draw(part, total, 50, defined)
    assert compiled.tolist() == defined.tolist()


def test_marks_and_places() -> None:
    total = np.array(divmod(DEALS, 2**64), np.uint64)
    compiled, defined = np.zeros((2, 1 << 24), np.uint8)
    kernel.rpdd_mark(3, 20, compiled)
    reference.rpdd_mark(3, 20, defined)
    assert np.array_equal(compiled, defined)
    drawn = np.empty((20, 2), np.uint64)
    kernel.rpdd_draw(2, total, 20, drawn)
    for room in (kernel, reference):
        find = room.rpdd_find
        assert [find(3, 20, total, row) for row in drawn] == list(range(40, 60))
        assert find(3, 19, total, drawn[19]) == find(2, 20, total, drawn[0]) == -1
