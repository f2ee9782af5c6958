"""Arrays for learning: views beside one expression of numpy, and batches beside plain samples."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import pavcodec as pav

MANY, SIZE = 200_000, 4096


def once(benchmark: Any, call: Any, count: int) -> None:
    """Time a call, after a round that does not count."""
    benchmark.extra_info["items"] = count
    benchmark.pedantic(call, rounds=7, warmup_rounds=1, iterations=1)


@pytest.mark.benchmark(group="views of deals")
@pytest.mark.parametrize("dtype", ["uint8", "float32"])
def test_yardstick_one_hot(benchmark: Any, dtype: str) -> None:
    owners = pav.numbering("deal").sample_many(MANY, seed=7)
    seats = np.arange(4, dtype=np.uint8)[:, None]
    once(benchmark, lambda: (owners[:, None] == seats).astype(dtype), MANY)


@pytest.mark.benchmark(group="views of deals")
@pytest.mark.parametrize("view", [view.name for view in pav.feature_views()])
def test_features(benchmark: Any, view: str) -> None:
    owners = pav.numbering("deal").sample_many(MANY, seed=7)
    once(benchmark, lambda: pav.features(owners, view, seat="S", threads=1), MANY)


@pytest.mark.benchmark(group="owners of views")
@pytest.mark.parametrize(
    "view", [view.name for view in pav.feature_views() if view.gives != "nothing"]
)
def test_owners_of_features(benchmark: Any, view: str) -> None:
    owners = pav.numbering("deal").sample_many(MANY, seed=7)
    array = pav.features(owners, view, seat="S")
    once(benchmark, lambda: pav.owners_of_features(array, view, seat="S"), MANY)


@pytest.mark.benchmark(group="batches")
def test_yardstick_samples(benchmark: Any) -> None:
    deals = pav.numbering("deal")

    def draw() -> None:
        for start in range(0, MANY, SIZE):
            deals.sample_many(min(SIZE, MANY - start), seed=7, start=start, threads=1)

    once(benchmark, draw, MANY)


@pytest.mark.benchmark(group="batches")
@pytest.mark.parametrize("view", ["owners", "onehot", "openspiel", "pgx"])
@pytest.mark.parametrize("source", ["space", "array", "shuffled"])
def test_batches(benchmark: Any, source: str, view: str) -> None:
    deals = pav.numbering("deal")
    given = deals if source == "space" else deals.sample_many(MANY, seed=7)
    run = pav.batches(
        given, SIZE, rows=MANY, view=view, seed=7, shuffle=source == "shuffled", threads=1
    )

    def read() -> None:
        for _ in run:
            pass

    once(benchmark, read, MANY)
