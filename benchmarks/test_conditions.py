"""Conditions over batches: rows a second in one thread, against the definition deal by deal."""

from __future__ import annotations

from typing import Any

import pytest

import pavcodec as pav
from pavcodec.constraints.evaluation import evaluations
from pavcodec.constraints.expressions import condition

SINGLES = 2_000
BATCH = 500_000
CONDITIONS: dict[str, str | pav.Expression] = {
    "a balanced notrump": "hcp(south) >= 15 && hcp(south) <= 17"
    " && shape(south, any 4333 + any 4432 + any 5332)",
    "the points of a side": "hcp(north) + hcp(south) >= 25",
    "cccc": "cccc(north) >= 1500",
    "a draw": "hcp(south) + rnd(6)",
    "draws of few deals": "hcp(south) >= 20 && rnd(2) == 1 || spades(north) > 6 && rnd(4) == 0",
    "a Python function": condition(lambda deal: any(0 in hand.shape for hand in deal)),
}
every_condition = pytest.mark.parametrize("name", CONDITIONS)


@every_condition
def test_condition_yardstick_one_by_one(benchmark: Any, name: str) -> None:
    node = pav.expression(CONDITIONS[name]).node
    deals = pav.numbering("deal").sample(SINGLES, seed=7)
    benchmark.group = f"a condition of one deal: {name}"
    benchmark.extra_info["items"] = SINGLES
    benchmark(lambda: [each.value(node) for each in evaluations(deals, seed=7)])


@every_condition
def test_condition_batch(benchmark: Any, name: str) -> None:
    test = pav.expression(CONDITIONS[name])
    count = SINGLES if "Python" in name else BATCH
    owners = pav.numbering("deal").sample_many(count, seed=7)
    test.values(owners[:10], seed=7)  # makes the tables
    benchmark.group = f"a condition of one deal: {name}"
    benchmark.extra_info["items"] = count
    benchmark(lambda: test.values(owners, seed=7, threads=1))
