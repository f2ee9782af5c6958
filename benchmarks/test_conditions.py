"""Conditions over batches: rows a second in one thread, against the definition deal by deal."""

from __future__ import annotations

from typing import Any

import pytest

import pavcodec as pav
from pavcodec.constraints.evaluation import evaluate

SINGLES = 2_000
BATCH = 500_000
CONDITIONS = {
    "a balanced notrump": "hcp(south) >= 15 && hcp(south) <= 17"
    " && shape(south, any 4333 + any 4432 + any 5332)",
    "the points of a side": "hcp(north) + hcp(south) >= 25",
    "cccc": "cccc(north) >= 1500",
}
every_condition = pytest.mark.parametrize("name", CONDITIONS)


@every_condition
def test_condition_yardstick_one_by_one(benchmark: Any, name: str) -> None:  # noqa: ANN401
    node = pav.expression(CONDITIONS[name]).node
    deals = pav.numbering("deal").sample(SINGLES, seed=7)
    benchmark.group = f"a condition of one deal: {name}"
    benchmark.extra_info["items"] = SINGLES
    benchmark(lambda: [evaluate(node, deal) for deal in deals])


@every_condition
def test_condition_batch(benchmark: Any, name: str) -> None:  # noqa: ANN401
    test = pav.expression(CONDITIONS[name])
    owners = pav.numbering("deal").sample_many(BATCH, seed=7)
    test.values(owners[:10])  # compiles, and makes the tables
    benchmark.group = f"a condition of one deal: {name}"
    benchmark.extra_info["items"] = BATCH
    benchmark(lambda: test.values(owners, threads=1))
