"""Deals that fit an auction: by rejection, by exact weights, and by a likelihood."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import pavcodec as pav

HANDS = {"S": "AQ742.K5.T63.J94"}
WEIGHTS: dict[str, Any] = {
    "N": {"hcp": {14: "1/4", "15-17": 1}, "shape": {"any 4333 + any 4432 + any 5332": 1}},
    "E": {"hcp": {"6-8": "1/3", "9-16": 1}, "diamonds": {5: "1/2", "6+": 1}},
}
NUMBERS = [pav.expression(text) for text in ("hcp(north)", "hcp(east)", "diamonds(east)")]
SHAPE = pav.expression("shape(north, any 4333 + any 4432 + any 5332)")
KEPT, PROPOSED = 2_000, 100_000
auction = pytest.mark.benchmark(group="one deal that fits an auction")
proposal = pytest.mark.benchmark(group="one proposal")


def chances(owners: Any) -> Any:
    """Return the weights of deals, over arrays."""
    tables = np.zeros((3, 41))
    tables[0, 14], tables[0, 15:18] = 1 / 4, 1
    tables[1, 6:9], tables[1, 9:17] = 1 / 3, 1
    tables[2, 5], tables[2, 6:14] = 1 / 2, 1
    found = SHAPE.values(owners).astype(float)
    for number, table in zip(NUMBERS, tables, strict=True):
        found *= table[number.values(owners)]
    return found


@auction
def test_auction_yardstick_of_rejection(benchmark: Any) -> None:
    space = pav.deals(hands=HANDS, method="counted")
    benchmark.extra_info["items"] = KEPT

    def by_rejection() -> None:
        coins, kept, start = np.random.default_rng(7), 0, 0
        while kept < KEPT:
            owners = space.sample_many(1 << 16, seed=7, start=start)
            kept += int(np.count_nonzero(coins.random(1 << 16) < chances(owners)))
            start += 1 << 16

    benchmark(by_rejection)


@auction
def test_auction_by_weights(benchmark: Any) -> None:
    space = pav.weighted(weights=WEIGHTS, hands=HANDS)
    benchmark.extra_info["items"] = KEPT
    benchmark(lambda: space.sample_many(KEPT, seed=7))


@auction
def test_auction_by_likelihood(benchmark: Any) -> None:
    space = pav.deals("hcp(north) >= 14 && diamonds(east) >= 5", hands=HANDS)
    benchmark.extra_info["items"] = KEPT
    benchmark(
        lambda: pav.resample(
            space, chances, KEPT, effective=KEPT, seed=7, proposals=PROPOSED, batch=16_384
        )
    )


@proposal
def test_proposal_yardstick_of_samples(benchmark: Any) -> None:
    space = pav.deals(hands=HANDS, method="counted")
    benchmark.extra_info["items"] = PROPOSED
    benchmark(lambda: space.sample_many(PROPOSED, seed=7))


@proposal
def test_proposal_with_equal_likelihoods(benchmark: Any) -> None:
    space = pav.deals(hands=HANDS, method="counted")
    benchmark.extra_info["items"] = PROPOSED
    benchmark(
        lambda: pav.resample(
            space, lambda owners: np.ones(len(owners)), 1000, proposals=PROPOSED, seed=7
        )
    )
