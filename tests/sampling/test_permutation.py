"""The permutation pav-permutation-1: its definition, its vectors and page, bijections, evenness."""

from __future__ import annotations

import pickle
import re
from itertools import pairwise, permutations
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from oracles import integers, vectors
from stream_support import PAGE, deviation, numpy_block, page_code, section

from pavcodec import NumberError
from pavcodec.sampling import KeyedPermutation, Stream, seed_of

SECTION = section("pav-permutation-1")
MOST = 2**128
DEALS = 53644737765488792839237440000
seeds = st.integers(0, MOST - 1)
cardinalities = st.integers(1, MOST) | st.builds(
    lambda exponent, near: min(max(2**exponent + near, 1), MOST),
    st.integers(0, 128),
    st.integers(-2, 2),
)


CODE = page_code(SECTION, block=numpy_block)


def permuted_indexes(
    seed: int, start: int, count: int, cardinality: int, *, threads: int = 1
) -> Any:
    """The numbers at some indexes, as an array."""
    return KeyedPermutation(seed, cardinality).slice(start, count, threads=threads)


@pytest.mark.slow
@given(st.data(), seeds, cardinalities)
def test_the_program_of_the_page(data: st.DataObject, seed: int, cardinality: int) -> None:
    index = data.draw(st.integers(0, cardinality - 1))
    order = KeyedPermutation(seed, cardinality)
    assert order.number(index) == CODE["permuted"](seed, index, cardinality)
    assert order.index(order.number(index)) == index


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
        place = value(index, cardinality)
        assert KeyedPermutation(value(seed), cardinality).number(place) == int(number)


def test_golden_numbers() -> None:
    rows = vectors("pav-permutation-1")
    assert f"{len(rows)} numbers" in PAGE
    for row in rows:
        seed, cardinality, index = int(row["seed"]), int(row["cardinality"]), int(row["index"])
        assert seed_of(row.get("text", seed)) == seed
        order = KeyedPermutation(seed, cardinality)
        assert order.number(index) == int(row["number"])
        assert order.index(int(row["number"])) == index
        assert integers(permuted_indexes(seed, index, 1, cardinality)) == [int(row["number"])]


@pytest.mark.slow
@given(st.data(), seeds, cardinalities)
def test_the_loop_is_the_definition(data: st.DataObject, seed: int, cardinality: int) -> None:
    count = data.draw(st.integers(0, min(9, cardinality)))
    start = data.draw(st.integers(0, cardinality - count))
    order = KeyedPermutation(seed, cardinality)
    expected = [order.number(index) for index in range(start, start + count)]
    found = permuted_indexes(seed, start, count, cardinality, threads=2)
    assert integers(found) == expected
    indexes = KeyedPermutation(seed, cardinality).indexes(found)
    assert integers(indexes) == list(range(start, start + count))


@pytest.mark.parametrize("cardinality", [1, 2, 3, 6, 52, 1023, 1024, 1025, 1026, 1088, 2000, 4097])
def test_whole_ranges_by_definition(cardinality: int) -> None:
    order = KeyedPermutation(7, cardinality)
    numbers = [order.number(index) for index in range(cardinality)]
    assert sorted(numbers) == list(range(cardinality))
    assert [order.index(number) for number in numbers] == list(range(cardinality))
    assert integers(permuted_indexes(7, 0, cardinality, cardinality)) == numbers


def whole(seed: int, cardinality: int) -> Any:
    """The numbers of a whole small permutation."""
    return permuted_indexes(seed, 0, cardinality, cardinality)[:, 1].astype(np.int64)


@pytest.mark.slow
def test_every_small_range_is_a_bijection() -> None:
    large = [4095, 4096, 4097, 9999, 10_000, 32_768, 32_769, 65_537, 99_991, 100_000]
    for cardinality in [*range(1, 300), *range(300, 2001, 17), 1024, 1025, *large]:
        everything = np.arange(cardinality)
        seeds = [0, 1, 7, MOST - 1, cardinality * 2**64 + 5]
        for seed in (
            seeds if cardinality < 50 or cardinality in large else seeds[cardinality % 5 :][:1]
        ):
            numbers = whole(seed, cardinality)
            assert (np.bincount(numbers, minlength=cardinality) == 1).all()
            rows = np.zeros((cardinality, 2), np.uint64)
            rows[:, 1] = numbers
            back = KeyedPermutation(seed, cardinality).indexes(rows)
            assert (back[:, 1] == everything).all()
            assert not back[:, 0].any()


def test_the_shuffle_is_drawn_in_a_lane_of_its_own() -> None:
    draws = [Stream(7).chance(52, first=place, lane=7)(52 - place) for place in range(51)]
    numbers = list(range(52))
    for last, place in zip(range(51, 0, -1), draws, strict=True):
        numbers[last], numbers[place] = numbers[place], numbers[last]
    assert numbers == whole(7, 52).tolist()


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
        (lambda: permuted_indexes(7, 5, 1, 5), "no 1 indexes below 5 from 5 on"),
    ):
        with pytest.raises(NumberError, match=message):
            wrong()


# Evenness: each deviation is about a normal deviate; 5 occurs by chance once in a million.


def first_numbers(cardinality: int, count: int, seeds: range) -> Any:
    """The first numbers of many seeds, `int64[seeds, count]`."""
    rows = [permuted_indexes(seed, 0, count, cardinality)[:, 1] for seed in seeds]
    return np.array(rows).astype(np.int64)


@pytest.mark.slow
@pytest.mark.parametrize("cardinality", [3, 4, 5, 6])
def test_all_orders_of_few_numbers_are_equally_likely(cardinality: int) -> None:
    places = {order: place for place, order in enumerate(permutations(range(cardinality)))}
    numbers = first_numbers(cardinality, cardinality, range(len(places) * 40))
    counts = np.zeros(len(places), int)
    for order in map(tuple, numbers.tolist()):
        counts[places[order]] += 1
    assert abs(deviation(counts.tolist())) < 4


@pytest.mark.slow
@pytest.mark.parametrize("cardinality", [30, 200, 1025, 1100, 2000])
def test_the_first_numbers_are_even(cardinality: int) -> None:
    numbers = first_numbers(cardinality, 3, range(max(600, 8 * cardinality)))
    for column in numbers.T:
        assert abs(deviation(np.bincount(column, minlength=cardinality).tolist())) < 5
    steps = (numbers[:, 1:] - numbers[:, :-1]) % cardinality
    for column in steps.T:
        counts = np.bincount(column, minlength=cardinality)
        assert counts[0] == 0
        assert abs(deviation(counts[1:].tolist())) < 5


@pytest.mark.slow
@pytest.mark.parametrize("cardinality", [2**40, DEALS, MOST])
def test_pairs_of_numbers_that_follow_each_other_are_even(cardinality: int) -> None:
    counts = [0] * 1024
    for seed in range(12_000):
        first, second = integers(permuted_indexes(seed, 0, 2, cardinality))
        counts[first * 32 // cardinality * 32 + second * 32 // cardinality] += 1
    assert abs(deviation(counts)) < 5


@pytest.mark.slow
@pytest.mark.parametrize("cardinality", [30, 1025, 2000])
def test_the_places_of_each_number_are_even(cardinality: int) -> None:
    sought = np.array([[0, 0], [0, 1], [0, cardinality // 2], [0, cardinality - 1]], np.uint64)
    seeds = range(20 * max(cardinality, 500))
    found = [KeyedPermutation(seed, cardinality).indexes(sought) for seed in seeds]
    for column in np.array(found)[:, :, 1].astype(np.int64).T:
        assert abs(deviation(np.bincount(column, minlength=cardinality).tolist())) < 5


@pytest.mark.slow
@pytest.mark.parametrize("cardinality", [1025, 1060, 2000, 4097])
def test_neighbours_of_whole_orders_are_even(cardinality: int) -> None:
    """Differences of the numbers of indexes that share a half, over whole orders."""
    right = 1 << (cardinality - 1).bit_length() // 2
    counts = np.zeros((3, cardinality), int)
    for seed in range(2000):
        numbers = whole(seed, cardinality)
        for place, distance in enumerate((1, 2, right)):
            steps = (numbers[distance:] - numbers[:-distance]) % cardinality
            counts[place] += np.bincount(steps, minlength=cardinality)
    assert not counts[:, 0].any()
    for row in counts:
        assert abs(deviation(row[1:].tolist())) < 5


@pytest.mark.slow
def test_differences_of_numbers_of_deals_are_even() -> None:
    for cardinality in (DEALS, 2**64 + 1, MOST):
        numbers = integers(permuted_indexes(7, 0, 100_001, cardinality))
        steps = [
            (after - before) % cardinality * 256 // cardinality
            for before, after in pairwise(numbers)
        ]
        assert abs(deviation(np.bincount(steps, minlength=256).tolist())) < 5


@pytest.mark.slow
@pytest.mark.parametrize("cardinality", [1025, 1500])
def test_half_of_the_orders_are_even_permutations(cardinality: int) -> None:
    odd = sum(is_odd(whole(seed, cardinality).tolist()) for seed in range(1000))
    assert abs(odd - 500) < 80  # five standard deviations


def is_odd(numbers: list[int]) -> bool:
    """The parity of a permutation: odd if the number of its cycles of even length is."""
    seen, odd = [False] * len(numbers), False
    for start in range(len(numbers)):
        length, place = 0, start
        while not seen[place]:
            seen[place] = True
            place, length = numbers[place], length + 1
        odd ^= length > 0 and length % 2 == 0
    return odd


@pytest.mark.slow
def test_neighbouring_seeds_and_indexes_share_nothing() -> None:
    """Half of the bits differ, and each bit of the number changes equally often."""
    total = 2**96
    start = integers(permuted_indexes(7, 0, 2000, total))
    for bit in (0, 1, 31, 63):
        other = [KeyedPermutation(7 ^ 1 << bit, total).number(k) for k in range(2000)]
        assert_half_differ(start, other)
    order = KeyedPermutation(7, total)
    for bit in (0, 1, 47, 48, 95):
        assert_half_differ(start, [order.number(k ^ 1 << bit) for k in range(2000)])


def assert_half_differ(these: list[int], those: list[int]) -> None:
    """Compare 96 bits of 2000 numbers; some 45 is a standard deviation of a bit's 1000 changes."""
    changes = [0] * 96
    for one, other in zip(these, those, strict=True):
        for bit in range(96):
            changes[bit] += (one ^ other) >> bit & 1
    assert all(abs(count - 1000) < 5 * 22.4 for count in changes)
    assert abs(sum(changes) - 96_000) < 5 * 219


@pytest.mark.slow
def test_no_repeats_in_ten_million_draws() -> None:
    for cardinality, start in ((DEALS, 0), (12_345_678, 2_000_000)):
        numbers = permuted_indexes(7, start, 10_000_000, cardinality, threads=2)
        assert not numbers[:, 0].any() or cardinality == DEALS
        words = numbers[:, 1].copy()
        if cardinality == DEALS:  # equal numbers have equal sums of this kind
            words += numbers[:, 0] * np.uint64(0x9E3779B97F4A7C15)
        words.sort()
        assert (words[1:] != words[:-1]).all()
