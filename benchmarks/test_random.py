"""Random numbers of deals: the stream pav-1 one by one and in batches."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from pavcodec import deals, numbering
from pavcodec.sampling import Stream, draw_indexes

SINGLES = 5_000
BATCH = 1_000_000
DEALS = numbering("deal").cardinality
group = pytest.mark.benchmark(group="one random number of a deal")


@group
def test_random_yardstick_randrange(benchmark: Any) -> None:
    random = Random(7)
    benchmark.extra_info["items"] = SINGLES
    benchmark(lambda: [random.randrange(DEALS) for _ in range(SINGLES)])


@group
def test_random_stream(benchmark: Any) -> None:
    benchmark.extra_info["items"] = SINGLES
    benchmark(lambda: list(Stream(7).indexes(DEALS, SINGLES)))


@group
@pytest.mark.parametrize("threads", [1, 2])
def test_random_batch(benchmark: Any, threads: int) -> None:
    benchmark.extra_info["items"] = BATCH
    benchmark(lambda: draw_indexes(7, 0, BATCH, DEALS, threads=threads))


@group
def test_random_batch_with_half_of_the_words_rejected(benchmark: Any) -> None:
    benchmark.extra_info["items"] = BATCH
    benchmark(lambda: draw_indexes(7, 0, BATCH, 2**127 + 1))


distinct_group = pytest.mark.benchmark(group="one distinct deal")
DISTINCT = 200_000


@distinct_group
def test_random_distinct_yardstick_of_the_definition(benchmark: Any) -> None:
    space = deals("hcp(south) >= 20", method="counted")
    benchmark.extra_info["items"] = SINGLES

    def by_definition() -> list[object]:
        indexes = Stream(7).distinct_indexes(space.cardinality, SINGLES)
        return [space.unrank(index) for index in indexes]

    benchmark(by_definition)


@distinct_group
@pytest.mark.parametrize("distinct", [False, True])
def test_random_distinct_sample(benchmark: Any, *, distinct: bool) -> None:
    space = deals("hcp(south) >= 20", method="counted")
    benchmark.extra_info["items"] = DISTINCT
    benchmark(lambda: space.sample(DISTINCT, seed=7, distinct=distinct))


@distinct_group
@pytest.mark.parametrize("distinct", [False, True])
def test_random_distinct_sample_many(benchmark: Any, *, distinct: bool) -> None:
    space = deals("hcp(south) >= 20", method="counted")
    benchmark.extra_info["items"] = DISTINCT
    benchmark(lambda: space.sample_many(DISTINCT, seed=7, distinct=distinct))
