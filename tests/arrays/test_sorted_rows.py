"""Sorted samples: the different samples of the stream in order, also where words repeat."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pavcodec.arrays import sorted_rows
from pavcodec.arrays.sorted_rows import other_rows, sorted_draws
from pavcodec.sampling import Stream

MOST = 2**128


def integers(rows: np.ndarray) -> list[int]:
    """The integers of an array of high and low words."""
    return [high << 64 | low for high, low in rows.tolist()]


@given(st.integers(0, MOST - 1), st.integers(1, 129), st.integers(0, 60))
def test_samples_are_the_first_different_ones(seed: int, bits: int, count: int) -> None:
    cardinality = min(2**bits - 1, MOST)
    many = min(count, cardinality)
    expected = sorted(Stream(seed).distinct_indexes(cardinality, many))
    assert integers(sorted_draws(seed, many, cardinality)) == expected


@pytest.mark.parametrize("cardinality", [2**40, 2**64, 2**64 + 1, 2**70, 2**100, MOST])
@given(st.data())
def test_numbers_whose_first_bits_repeat(cardinality: int, data: st.DataObject) -> None:
    near = data.draw(st.integers(0, cardinality - 1))
    numbers = data.draw(
        st.lists(st.integers(max(0, near - 70), min(cardinality - 1, near + 70)), unique=True)
    )
    rows = np.array([[n >> 64, n % 2**64] for n in numbers], np.uint64).reshape(-1, 2)
    assert integers(sorted_rows._sorted(rows, cardinality)) == sorted(numbers)


@given(st.sets(st.integers(0, 30)))
def test_the_other_numbers(numbers: set[int]) -> None:
    rows = np.array([[0, n] for n in numbers], np.uint64).reshape(-1, 2)
    assert integers(other_rows(rows, 31)) == [n for n in range(31) if n not in numbers]
