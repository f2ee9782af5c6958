"""Sorted sets pav-sorted-set-1: the definition, its page and vectors, and exact distributions."""

from __future__ import annotations

import pickle
import re
from hashlib import sha256
from itertools import chain, combinations, pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from oracles import DEALS, vectors
from stream_support import PAGE, deviation, numpy_block, numpy_index, page_code, section

from pavcodec import NumberError
from pavcodec.sampling import Stream, seed_of, sets
from pavcodec.sampling.sets import SortedSample, count_bits, depth_of, other_rows, sorted_draws

SECTION = section("pav-sorted-set-1")
MOST = 2**128
seeds = st.integers(0, MOST - 1)


def integers(parts: Any) -> list[int]:
    """The integers of arrays of high and low words."""
    return [high << 64 | low for rows in parts for high, low in rows.tolist()]


def quick(cardinality: int, count: int, seed: int, depth: int = -1) -> list[int]:
    """The set as the loops compute it."""
    return integers(SortedSample(cardinality, count, seed, depth).part(0, count))


CODE = page_code(SECTION, block=numpy_block, index=numpy_index)


def test_the_golden_values_of_the_page() -> None:
    rows = re.findall(r"^\| (.*) \| (.*) \| (\d+) \| ([\d ]+) \|$", SECTION, re.MULTILINE)
    assert len(rows) == 6
    for seed, total, count, numbers in rows:
        given = seed_of(seed.strip("`") if seed.startswith("`") else int(seed))
        cardinality = MOST if total == "2¹²⁸" else int(total)
        found = quick(cardinality, int(count), given)
        assert " ".join(map(str, found)) == numbers


@pytest.mark.slow
def test_golden_sets() -> None:
    rows = vectors("pav-sorted-set-1")
    assert f"{len(rows)} sets" in PAGE
    for row in rows:
        seed, depth = int(row["seed"]), int(row.get("depth", -1))
        assert seed_of(row.get("text", seed)) == seed
        found = quick(int(row["cardinality"]), int(row["count"]), seed, depth)
        if "numbers" in row:
            assert " ".join(map(str, found)) == row["numbers"]
        else:
            text = "".join(f"{number}\n" for number in found)
            assert sha256(text.encode()).hexdigest() == row["sha256"]


@pytest.mark.slow
@given(st.data(), seeds)
def test_the_loops_are_the_definition(data: st.DataObject, seed: int) -> None:
    edges = [2**k + near for k in (5, 9, 32, 63, 64, 65, 80, 127) for near in (-1, 0, 1)]
    cardinality = data.draw(st.sampled_from([*edges, DEALS, MOST - 1, MOST]))
    count = data.draw(st.integers(0, min(cardinality, 500)))
    depth = data.draw(st.integers(0, 3))
    found = CODE["sorted_set"](seed, 0, cardinality, count, 1, depth)
    assert quick(cardinality, count, seed, depth) == found
    sample = SortedSample(cardinality, count, seed, depth)
    start = data.draw(st.integers(0, count))
    size = data.draw(st.integers(0, count - start))
    assert integers(sample.part(start, size, threads=2)) == found[start : start + size]
    cells = sorted(data.draw(st.lists(st.integers(0, sample.cells), min_size=2, max_size=5)))
    parts = [integers(sample.numbers(*pair)) for pair in pairwise([0, *cells, sample.cells])]
    assert list(chain.from_iterable(parts)) == found
    assert [sample.count_of(*pair) for pair in pairwise([0, *cells, sample.cells])] == [
        len(part) for part in parts
    ]


@pytest.mark.slow
def test_a_part_of_a_thousand_million() -> None:
    sample = SortedSample(DEALS, 10**9, 7)
    assert sample.cells == 8192
    [rows] = sample.numbers(4096, 4097)
    assert rows[0].tolist() == [1454043531, 11997654714068076280]
    assert abs(len(rows) - 10**9 / 8192) < 5 * (10**9 / 8192) ** 0.5
    least, most = DEALS // 2, DEALS // 2 + -(-DEALS // 8192)
    assert all(least <= number < most for number in integers([rows[[0, -1]]]))
    middle = sample.count_of(0, 4096)
    assert integers(sample.part(middle, 1)) == integers([rows[:1]])


# Distributions of samples: each deviation is about a normal deviate.


@pytest.mark.slow
@pytest.mark.parametrize(
    ("cardinality", "count", "depth"), [(7, 4, 0), (5, 2, 1), (9, 4, 2), (8, 6, 3)]
)
def test_all_sets_are_equally_likely(cardinality: int, count: int, depth: int) -> None:
    sets = {each: place for place, each in enumerate(combinations(range(cardinality), count))}
    counts = [0] * len(sets)
    for seed in range(12 * len(sets)):
        counts[sets[tuple(quick(cardinality, count, seed, depth))]] += 1
    assert abs(deviation(counts)) < 4.5


@given(seeds, st.integers(2, 400), st.data())
def test_counts_of_halves_are_those_of_the_definition(
    seed: int, size: int, data: st.DataObject
) -> None:
    count, node = data.draw(st.integers(0, size)), data.draw(st.integers(1, 2**64 - 1))
    expected = CODE["left_count"](seed, node, size, count)
    assert sets._left_count(seed, node, size, count, 2) == expected
    assert max(0, count - (size - size // 2)) <= expected <= min(count, size // 2)


def test_the_bounds_enclose_the_product() -> None:
    for top, bottom, factors in ((5, 9, 0), (5, 9, 5), (1000, 1003, 400), (DEALS, DEALS + 1, 300)):
        above = below = 1
        for i in range(factors):
            above, below = above * (top - i), below * (bottom + i)
        for bits in (64, 320):
            least, most = sets._bounds(top, bottom, factors, bits)
            assert least * below <= above << bits <= most * below
            assert most - least <= 2 * factors // 64 + 2


def test_a_close_decision_takes_more_digits(monkeypatch: pytest.MonkeyPatch) -> None:
    """The first digits of the fraction are those of the product, so later digits decide."""
    top, bottom, factors = 700, 900, 3
    above, below = 700 * 699 * 698, 900 * 901 * 902
    digits = [above * 2 ** (256 * place) // below % 2**256 for place in (1, 2)]
    for last, is_below in ((0, True), (2**256 - 1, False)):
        found = [*digits, last]
        monkeypatch.setattr(sets, "_digit", lambda *place, found=found: found[place[-1]])
        assert sets._accepts(7, 1, 0, top, bottom, factors) is is_below
    monkeypatch.setattr(sets, "_digit", lambda *place: digits[place[-1]])
    with pytest.raises(IndexError):  # all digits so far are those of the product
        sets._accepts(7, 1, 0, top, bottom, factors)


def test_threads_count_the_same_bits() -> None:
    found = {count_bits(7, 1, 0, 9_000_123, threads=threads) for threads in (1, 3)}
    assert len(found) == 1
    assert abs(found.pop() - 4_500_061) < 5 * 1500


def test_values() -> None:
    sample = SortedSample(DEALS, 10**6, seed_of("a text"))
    sample.count_of(0, 3)
    again = pickle.loads(pickle.dumps(sample))
    assert again == sample
    assert hash(again) == hash(sample)
    assert len(pickle.dumps(sample)) < 150
    assert sample == SortedSample(DEALS, 10**6, "a text")
    assert [depth_of(n) for n in (0, 1, 2**17 - 1, 2**17, 2**18 - 1, 2**18)] == [0, 0, 0, 1, 1, 2]
    for wrong, message in (
        (lambda: SortedSample(5, 6, 7), "6 different ones cannot be drawn from 5"),
        (lambda: SortedSample(0, 0, 7), "the cardinality is 0"),
        (lambda: SortedSample(MOST + 1, 5, 7), "at most 2\\^128"),
        (lambda: SortedSample(5, -1, 7), "a count is 0 or more"),
        (lambda: SortedSample(5, 3, MOST), "a seed is a number"),
        (lambda: sample.part(10**6, 1), "a set of 1000000 numbers has no 1 of them from index"),
        (lambda: sample.numbers(7, 9), "there are cells 0 to 7, and no 7 to 8"),
        (lambda: sample.count_of(5, 3), "there are cells 0 to 7"),
    ):
        with pytest.raises(NumberError, match=message):
            wrong()


# Samples in order, also where words repeat, and the other numbers.


@given(st.integers(0, MOST - 1), st.integers(1, 129), st.integers(0, 60))
def test_samples_are_the_first_different_ones(seed: int, bits: int, count: int) -> None:
    cardinality = min(2**bits - 1, MOST)
    many = min(count, cardinality)
    expected = sorted(Stream(seed).distinct_indexes(cardinality, many))
    assert integers([sorted_draws(seed, many, cardinality)]) == expected


@given(st.sampled_from([2**40, 2**64, 2**64 + 1, 2**70, 2**100, MOST]), st.data())
def test_numbers_whose_first_bits_repeat(cardinality: int, data: st.DataObject) -> None:
    near = data.draw(st.integers(0, cardinality - 1))
    numbers = data.draw(
        st.lists(st.integers(max(0, near - 70), min(cardinality - 1, near + 70)), unique=True)
    )
    rows = np.array([[n >> 64, n % 2**64] for n in numbers], np.uint64).reshape(-1, 2)
    assert integers([sets._in_order(rows, cardinality)]) == sorted(numbers)


@given(st.sets(st.integers(0, 30)))
def test_the_other_numbers(numbers: set[int]) -> None:
    rows = np.array([[0, n] for n in numbers], np.uint64).reshape(-1, 2)
    assert integers([other_rows(rows, 31)]) == [n for n in range(31) if n not in numbers]
