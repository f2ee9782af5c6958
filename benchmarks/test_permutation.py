"""The permutation pav-permutation-1 beside plain draws of the stream, in the same run."""

from __future__ import annotations

from typing import Any

import pytest

from pavcodec import SortedSample, numbering, permuted
from pavcodec.archive.writer import sort_rows
from pavcodec.sampling import KeyedPermutation, draw_distinct_indexes, draw_indexes

BATCH = 1_000_000
SINGLES = 2_000
DEALS = numbering("deal").cardinality
one_thread = pytest.mark.benchmark(group="one position without repeats, one thread")
two_threads = pytest.mark.benchmark(group="one position without repeats, two threads")
owners = pytest.mark.benchmark(group="the owners of a deal, one thread")


@one_thread
def test_permutation_yardstick_of_plain_draws(benchmark: Any) -> None:
    benchmark.extra_info["items"] = BATCH
    benchmark(lambda: draw_indexes(7, 0, BATCH, DEALS))


@one_thread
def test_permutation(benchmark: Any) -> None:
    benchmark.extra_info["items"] = BATCH
    benchmark(lambda: KeyedPermutation(7, DEALS).slice(0, BATCH))


@one_thread
def test_permutation_inverse(benchmark: Any) -> None:
    rows, kernel = KeyedPermutation(7, DEALS).slice(0, BATCH), KeyedPermutation(7, DEALS)
    benchmark.extra_info["items"] = BATCH
    benchmark(lambda: kernel.indexes(rows))


@one_thread
def test_permutation_against_skipped_repeats(benchmark: Any) -> None:
    benchmark.extra_info["items"] = BATCH
    benchmark(lambda: draw_distinct_indexes(7, 0, BATCH, DEALS))


@one_thread
def test_permutation_by_definition(benchmark: Any) -> None:
    order = KeyedPermutation(7, DEALS)
    benchmark.extra_info["items"] = SINGLES
    benchmark(lambda: [order.number(index) for index in range(SINGLES)])


@two_threads
def test_permutation_yardstick_of_plain_draws_by_two(benchmark: Any) -> None:
    benchmark.extra_info["items"] = BATCH
    benchmark(lambda: draw_indexes(7, 0, BATCH, DEALS, threads=2))


@two_threads
def test_permutation_by_two(benchmark: Any) -> None:
    benchmark.extra_info["items"] = BATCH
    benchmark(lambda: KeyedPermutation(7, DEALS).slice(0, BATCH, threads=2))


@owners
def test_permutation_yardstick_of_sampled_owners(benchmark: Any) -> None:
    space = numbering("deal")
    benchmark.extra_info["items"] = BATCH
    benchmark(lambda: space.sample_many(BATCH, seed=7, threads=1))


@owners
def test_permutation_of_owners(benchmark: Any) -> None:
    space = permuted(numbering("deal"), 7)
    numbers = KeyedPermutation(7, BATCH).slice(0, BATCH)
    benchmark.extra_info["items"] = BATCH
    benchmark(lambda: space.unrank_many(numbers, threads=1))


sorted_numbers = pytest.mark.benchmark(group="one number of a sorted set")
A_SET = 10**6


@sorted_numbers
def test_sorted_yardstick_of_drawing_and_sorting(benchmark: Any) -> None:
    benchmark.extra_info["items"] = A_SET

    def draw_and_sort() -> Any:
        rows = draw_distinct_indexes(7, 0, A_SET, DEALS)
        sort_rows(rows)
        return rows

    benchmark(draw_and_sort)


@sorted_numbers
def test_sorted_sample(benchmark: Any) -> None:
    benchmark.extra_info["items"] = A_SET
    benchmark(lambda: list(SortedSample(DEALS, A_SET, 7).part(0, A_SET)))


@sorted_numbers
def test_sorted_part_of_a_larger_set(benchmark: Any) -> None:
    """A part of 10⁹ numbers; the counts above it are computed each time."""
    benchmark.extra_info["items"] = A_SET
    benchmark(lambda: list(SortedSample(DEALS, 10**9, 7).part(5 * 10**8, A_SET)))
