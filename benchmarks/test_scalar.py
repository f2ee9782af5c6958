"""One Python call at a time: the numberings against the loops that everyone publishes."""

from __future__ import annotations

from typing import Any

import pytest
from plain_loop import rank_loop, unrank_loop

import pavcodec as pav

BATCH = 1000


def each(benchmark: Any, call: Any, items: list[Any]) -> None:
    """Time a call on items of which every round gets its own, after two rounds that do not count.

    The figure is for one item. No number comes twice, so that nothing is found ready that a program
    with numbers of its own would not find ready.
    """
    rounds = len(items) // BATCH - 2
    benchmark.extra_info["items"] = BATCH
    batches = iter([items[start : start + BATCH] for start in range(0, len(items), BATCH)])

    def run(batch: list[Any]) -> None:
        for item in batch:
            call(item)

    def next_batch() -> tuple[tuple[list[Any]], dict[str, Any]]:
        return (next(batches),), {}

    for _ in range(2):
        run(next(batches))
    benchmark.pedantic(run, setup=next_batch, rounds=rounds, iterations=1)


@pytest.mark.benchmark(group="unrank one deal")
def test_unrank_yardstick_plain_loop(benchmark: Any, numbers: list[int]) -> None:
    each(benchmark, unrank_loop, numbers)


@pytest.mark.benchmark(group="unrank one deal")
@pytest.mark.parametrize("name", [n for n in pav.numbering_names() if n != "ending"])
def test_unrank(benchmark: Any, numbers: list[int], name: str) -> None:
    each(benchmark, pav.numbering(name).unrank, numbers)


@pytest.mark.benchmark(group="rank one deal")
def test_rank_yardstick_plain_loop(benchmark: Any, numbers: list[int]) -> None:
    each(benchmark, rank_loop, [unrank_loop(number) for number in numbers])


@pytest.mark.benchmark(group="rank one deal")
@pytest.mark.parametrize("name", pav.numbering_names())
def test_rank(benchmark: Any, numbers: list[int], name: str) -> None:
    deals = [pav.numbering("deal").unrank(number) for number in numbers]
    each(benchmark, pav.numbering(name).rank, deals)


def spread(name: str) -> list[int]:
    """Numbers over the whole range of a numbering, most of them endings."""
    from random import Random

    random = Random(2001)
    return [random.randrange(pav.numbering(name).cardinality) for _ in range(15 * BATCH)]


@pytest.mark.benchmark(group="unrank one ending")
def test_ending_yardstick_plain_loop(benchmark: Any) -> None:
    each(benchmark, unrank_loop, spread("balanced"))


@pytest.mark.benchmark(group="unrank one ending")
@pytest.mark.parametrize("name", ["balanced", "ending", "base5"])
def test_unrank_ending(benchmark: Any, name: str) -> None:
    each(benchmark, pav.numbering(name).unrank, spread(name))


@pytest.mark.benchmark(group="rank one ending")
def test_rank_ending_yardstick_plain_loop(benchmark: Any) -> None:
    each(benchmark, rank_loop, [unrank_loop(number) for number in spread("balanced")])


@pytest.mark.benchmark(group="rank one ending")
@pytest.mark.parametrize("name", ["balanced", "ending", "base5"])
def test_rank_ending(benchmark: Any, name: str) -> None:
    ranks = pav.numbering(name)
    each(benchmark, ranks.rank, [ranks.unrank(number) for number in spread(name)])
