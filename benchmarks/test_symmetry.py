"""Deals up to symmetry: canonical deals and numbers of classes, one by one and in arrays."""

from __future__ import annotations

from typing import Any

import pytest
from plain_loop import rank_loop, unrank_loop

import pavcodec as pav

ONE_BY_ONE, MANY = 2000, 200_000
SYMMETRIES = ["suits", "turns", "half-turn", "suits,turns", "seats", "suits,seats"]
CLASSES = ["deal-suits", "deal-suits-turns"]


def once(benchmark: Any, call: Any, items: Any) -> None:  # noqa: ANN401
    """Time a call on some items, or rows of an array, after a round that does not count."""
    benchmark.extra_info["items"] = len(items)
    benchmark.pedantic(call, args=(items,), rounds=5, warmup_rounds=1, iterations=1)


def few() -> list[pav.Layout]:
    return pav.numbering("deal").sample(ONE_BY_ONE, seed=7)


@pytest.mark.benchmark(group=f"canonical deals: {ONE_BY_ONE} one by one, {MANY} in an array")
@pytest.mark.parametrize("name", SYMMETRIES)
def test_canonical_one_by_one(benchmark: Any, name: str) -> None:  # noqa: ANN401
    once(benchmark, lambda deals: [deal.canonical(name) for deal in deals], few())


@pytest.mark.benchmark(group=f"canonical deals: {ONE_BY_ONE} one by one, {MANY} in an array")
@pytest.mark.parametrize("name", SYMMETRIES)
def test_canonical_array(benchmark: Any, name: str) -> None:  # noqa: ANN401
    owners = pav.numbering("deal").sample_many(MANY, seed=7)
    once(benchmark, lambda rows: pav.canonical_many(rows, name, threads=1), owners)


@pytest.mark.benchmark(group=f"numbers of {ONE_BY_ONE} classes, one by one")
def test_yardstick_plain_loop(benchmark: Any) -> None:  # noqa: ANN401
    numbers = [pav.numbering("deal").rank(deal) for deal in few()]
    once(benchmark, lambda some: [rank_loop(unrank_loop(number)) for number in some], numbers)


@pytest.mark.benchmark(group=f"numbers of {ONE_BY_ONE} classes, one by one")
@pytest.mark.parametrize("name", CLASSES)
def test_rank_and_unrank_classes(benchmark: Any, name: str) -> None:  # noqa: ANN401
    ranks = pav.numbering(name)
    once(benchmark, lambda deals: [ranks.unrank(ranks.rank(deal)) for deal in deals], few())


@pytest.mark.benchmark(group=f"numbers of {MANY} classes, in an array")
@pytest.mark.parametrize("name", ["deal", *CLASSES])
def test_rank_arrays(benchmark: Any, name: str) -> None:  # noqa: ANN401
    owners = pav.numbering("deal").sample_many(MANY, seed=7)
    once(benchmark, lambda rows: pav.numbering(name).rank_many(rows, threads=1), owners)


@pytest.mark.benchmark(group=f"numbers of {MANY} classes, in an array")
@pytest.mark.parametrize("name", ["deal", *CLASSES])
def test_unrank_arrays(benchmark: Any, name: str) -> None:  # noqa: ANN401
    numbers = pav.numbering(name).draw(MANY, seed=7)
    once(benchmark, lambda rows: pav.numbering(name).unrank_many(rows, threads=1), numbers)
