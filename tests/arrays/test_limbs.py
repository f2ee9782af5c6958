"""Rows of two words, against Python's integers."""

from __future__ import annotations

from itertools import accumulate, pairwise

from hypothesis import given
from hypothesis import strategies as st
from oracles import integers, limbs

from pavcodec.arrays import (
    MOST,
    add,
    below,
    bit_lengths,
    differences,
    integer,
    running_sum,
    split,
    subtract,
    total,
)

rows_of_numbers = st.lists(st.integers(0, 2**128 - 1) | st.integers(2**64 - 3, 2**64 + 3))


@given(numbers=rows_of_numbers)
def test_sums_and_differences(numbers: list[int]) -> None:
    rows = limbs(numbers)
    assert integers(running_sum(rows)) == [x % 2**128 for x in accumulate(numbers)]
    assert total(rows) == sum(numbers) % 2**128
    steps = [(b - a) % 2**128 for a, b in pairwise(numbers)]
    assert integers(differences(rows)) == (steps if numbers else [])


def test_bit_lengths_around_all_powers() -> None:
    numbers = [2**k + step for k in range(128) for step in (-1, 0, 1)] + [2**128 - 1]
    numbers += [2**k - 2**j for k in range(1, 129) for j in range(k)]
    assert bit_lengths(limbs(numbers)).tolist() == [number.bit_length() for number in numbers]


wide_numbers = st.integers(0, MOST - 1)


@given(st.lists(wide_numbers, min_size=1), wide_numbers)
def test_sums_and_comparisons_of_two_words(numbers: list[int], number: int) -> None:
    rows = limbs(numbers)
    assert integers(add(rows, number)) == [(one + number) % MOST for one in numbers]
    assert integers(subtract(rows, number)) == [(one - number) % MOST for one in numbers]
    assert below(rows, number).tolist() == [one < number for one in numbers]
    assert below(rows, MOST).all()
    assert not below(rows, 0).any()
    assert integer(limbs([number])[0]) == number
    assert tuple(map(int, split(number))) == divmod(number, 2**64)
