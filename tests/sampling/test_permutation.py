"""The permutation pav-permutation-1: its page and vectors, bijections, values, evenness."""

from __future__ import annotations

import pickle
import re
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from oracles import integers, limbs, vectors
from ranking_support import Kernel, every_kernel
from stream_support import deviation, numpy_block, page_code, section

from pavcodec import NumberError
from pavcodec.sampling import KeyedPermutation, seed_of

SECTION = section("pav-permutation-1")
CODE = page_code(SECTION, block=numpy_block)
MOST = 2**128
seeds = st.integers(0, MOST - 1)
cardinalities = st.integers(1, MOST) | st.builds(
    lambda exponent, near: min(max(2**exponent + near, 1), MOST),
    st.integers(0, 128),
    st.integers(-2, 2),
)


@pytest.mark.slow
@given(st.data(), seeds, cardinalities)
def test_the_program_of_the_page(data: st.DataObject, seed: int, cardinality: int) -> None:
    """One by one, in both directions, and in arrays."""
    count = data.draw(st.integers(1, min(9, cardinality)))
    start = data.draw(st.integers(0, cardinality - count))
    order, indexes = KeyedPermutation(seed, cardinality), range(start, start + count)
    expected = [CODE["permuted"](seed, index, cardinality) for index in indexes]
    assert [order.number(index) for index in indexes] == expected
    assert [order.index(number) for number in expected] == [*indexes]
    found = KeyedPermutation(seed, cardinality).slice(start, count, threads=2)
    assert integers(found) == expected
    assert integers(KeyedPermutation(seed, cardinality).indexes(found)) == [*indexes]


def value(cell: str, cardinality: int = 0) -> int:
    """A cell of the table as an integer."""
    if cell.startswith("`"):
        return seed_of(cell.strip("`"))
    names = {
        "T − 1": cardinality - 1,
        "2¹²⁸ − 1": MOST - 1,
        "2¹²⁸": MOST,
        "2¹²⁷ + 1": MOST // 2 + 1,
    }
    return names[cell] if cell in names else int(cell)


def test_the_golden_values_of_the_page() -> None:
    rows = re.findall(r"^\| (.*) \| (.*) \| (.*) \| (\d+) \|$", SECTION, re.MULTILINE)
    assert len(rows) == 13
    for seed, total, index, number in rows:
        cardinality = value(total)
        order = KeyedPermutation(value(seed), cardinality)
        assert order.number(value(index, cardinality)) == int(number)


@pytest.mark.slow
@every_kernel
def test_golden_numbers(chosen: Kernel) -> None:
    rows = vectors("pav-permutation-1")
    orders: dict[tuple[int, int], KeyedPermutation] = {}
    with chosen():
        for row in rows:
            seed, cardinality = int(row["seed"]), int(row["cardinality"])
            assert seed_of(row.get("text", seed)) == seed
            made = KeyedPermutation(seed, cardinality)
            order = orders.setdefault((seed, cardinality), made)
            assert order.number(int(row["index"])) == int(row["number"])
            assert order.index(int(row["number"])) == int(row["index"])


@pytest.mark.parametrize("cardinality", [1, 2, 3, 6, 52, 1023, 1024, 1025, 1026, 1088, 2000, 4097])
def test_whole_ranges(cardinality: int) -> None:
    for seed in (7, MOST - 1, cardinality * 2**64 + 5):
        order = KeyedPermutation(seed, cardinality)
        numbers = order.slice(0, cardinality)
        assert sorted(integers(numbers)) == list(range(cardinality))
        assert integers(order.indexes(numbers)) == list(range(cardinality))
        assert np.array_equal(order.numbers(limbs(range(cardinality))), numbers)


def test_values() -> None:
    order = KeyedPermutation(seed_of("a text"), 10**6)
    order.number(5)
    assert order == pickle.loads(pickle.dumps(order))
    assert len(pickle.dumps(order)) < 150
    assert order == KeyedPermutation("a text", 10**6)  # type: ignore[arg-type]
    for wrong, message in (
        (lambda: order.number(10**6), "an index of this permutation is 0 to 999999, not 1000000"),
        (lambda: order.index(-1), "a number of this permutation is 0 to 999999, not -1"),
        (lambda: KeyedPermutation(7, 0), "the cardinality is 0"),
        (lambda: KeyedPermutation(7, MOST + 1), "at most 2\\^128"),
        (lambda: KeyedPermutation(MOST, 5), "a seed is a number"),
        (lambda: KeyedPermutation(7, 5).slice(5, 1), "no 1 indexes below 5 from 5 on"),
        (lambda: KeyedPermutation(7, 5).slice(0, -1), "no -1 indexes below 5 from 0 on"),
    ):
        with pytest.raises(NumberError, match=message):
            wrong()


# Evenness: each deviation is about a normal deviate; 5 occurs by chance once in a million.


@pytest.mark.slow
@pytest.mark.parametrize("cardinality", [5, 1025])
def test_the_first_numbers_and_their_steps_are_even(cardinality: int) -> None:
    orders = [KeyedPermutation(seed, cardinality) for seed in range(max(600, 8 * cardinality))]
    numbers: Any = np.array([order.slice(0, 3)[:, 1] for order in orders]).astype(np.int64)
    for column in numbers.T:
        assert abs(deviation(np.bincount(column, minlength=cardinality).tolist())) < 5
    for column in ((numbers[:, 1:] - numbers[:, :-1]) % cardinality).T:
        counts = np.bincount(column, minlength=cardinality)
        assert counts[0] == 0
        assert abs(deviation(counts[1:].tolist())) < 5


@pytest.mark.slow
def test_neighbouring_seeds_and_indexes_share_nothing() -> None:
    """Half of the bits differ: of 96,000 changes, 219 are a standard deviation."""
    total = 2**96
    order = KeyedPermutation(7, total)
    start = integers(order.slice(0, 2000))
    others = [integers(KeyedPermutation(7 ^ 1 << bit, total).slice(0, 2000)) for bit in (0, 31, 63)]
    others += [[order.number(k ^ 1 << bit) for k in range(2000)] for bit in (0, 47, 48, 95)]
    for other in others:
        changes = sum((a ^ b).bit_count() for a, b in zip(start, other, strict=True))
        assert abs(changes - 96_000) < 5 * 219
