"""Deals up to symmetry: canonical deals and numbers of classes, one by one and in arrays."""

from __future__ import annotations

from typing import Any

import pytest
from plain_loop import rank_loop, unrank_loop

import pavcodec as pav

ONE_BY_ONE, MANY = 2000, 200_000
SYMMETRIES = ["suits", "turns", "half-turn", "suits,turns", "seats", "suits,seats"]
CLASSES = ["deal-suits", "deal-suits-turns"]


def once(benchmark: Any, call: Any, items: Any) -> None:
    """Time a call on some items, or rows of an array, after a round that does not count."""
    benchmark.extra_info["items"] = len(items)
    benchmark.pedantic(call, args=(items,), rounds=5, warmup_rounds=1, iterations=1)


def few() -> list[pav.Deal]:
    return pav.numbering("deal").sample(ONE_BY_ONE, seed=7)


@pytest.mark.parametrize("name", SYMMETRIES)
def test_canonical_yardstick_one_by_one(benchmark: Any, name: str) -> None:
    benchmark.group = f"canonical deals up to {name}"
    once(benchmark, lambda deals: [deal.canonical(name) for deal in deals], few())


@pytest.mark.parametrize("name", SYMMETRIES)
def test_canonical_array(benchmark: Any, name: str) -> None:
    benchmark.group = f"canonical deals up to {name}"
    owners = pav.numbering("deal").sample_many(MANY, seed=7)
    once(benchmark, lambda rows: pav.canonical_many(rows, name, threads=1), owners)


@pytest.mark.benchmark(group="rank and unrank one class")
def test_yardstick_plain_loop(benchmark: Any) -> None:
    numbers = [pav.numbering("deal").rank(deal) for deal in few()]
    once(benchmark, lambda some: [rank_loop(unrank_loop(number)) for number in some], numbers)


@pytest.mark.benchmark(group="rank and unrank one class")
@pytest.mark.parametrize("name", CLASSES)
def test_rank_and_unrank_classes(benchmark: Any, name: str) -> None:
    ranks = pav.numbering(name)
    once(benchmark, lambda deals: [ranks.unrank(ranks.rank(deal)) for deal in deals], few())


def ranked(benchmark: Any, name: str) -> None:
    owners = pav.numbering("deal").sample_many(MANY, seed=7)
    once(benchmark, lambda rows: pav.numbering(name).rank_many(rows, threads=1), owners)


def unranked(benchmark: Any, name: str) -> None:
    numbers = pav.numbering(name).draw(MANY, seed=7)
    once(benchmark, lambda rows: pav.numbering(name).unrank_many(rows, threads=1), numbers)


@pytest.mark.benchmark(group="rank classes in an array")
def test_rank_array_yardstick_deal(benchmark: Any) -> None:
    ranked(benchmark, "deal")


@pytest.mark.benchmark(group="rank classes in an array")
@pytest.mark.parametrize("name", CLASSES)
def test_rank_array(benchmark: Any, name: str) -> None:
    ranked(benchmark, name)


@pytest.mark.benchmark(group="unrank classes in an array")
def test_unrank_array_yardstick_deal(benchmark: Any) -> None:
    unranked(benchmark, "deal")


@pytest.mark.benchmark(group="unrank classes in an array")
@pytest.mark.parametrize("name", CLASSES)
def test_unrank_array(benchmark: Any, name: str) -> None:
    unranked(benchmark, name)
