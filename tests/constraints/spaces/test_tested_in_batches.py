"""Deals that are tested many at a time are those that are tested one by one."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import islice
from typing import cast

import pytest

from pavcodec import Deal, PavError, deals
from pavcodec.constraints import Acceptance
from pavcodec.constraints import TestedDeals as SomeDeals
from pavcodec.constraints.language.parser import parse_expression

CONDITIONS = {
    "rnd": "hcp(north) >= 12 && (spades(north) >= 5 || rnd(10, 1) == 0)",
    "arrays only": "spades(north) > 0 && hcp(north) / spades(north) >= 2",
    "rnd alone": "rnd(3) == 0",
    "hardly any": "hcp(north) >= 12 && rnd(400) == 0",
}
ASKED = [parse_expression(text) for text in ("rnd(10, 1)", "hcp(north) + rnd(7)", "spades(west)")]


def space_of(name: str) -> SomeDeals:
    space = deals(CONDITIONS[name])
    assert isinstance(space, SomeDeals)
    return space


@pytest.mark.slow
@pytest.mark.parametrize("name", CONDITIONS)
@pytest.mark.parametrize(
    ("start", "count", "tries"), [(0, 50, None), (7, 20, None), (3, 900, 1500)]
)
def test_batches_are_what_passes(name: str, start: int, count: int, tries: int | None) -> None:
    space, one, many = space_of(name), Acceptance(), Acceptance()
    found = space.passing(seed=16, start=start, tries=tries, acceptance=one)
    expected = [(e.deal, [e.value(n) for n in ASKED]) for e in islice(found, count)]
    batches = space.batches(count, seed=16, start=start, tries=tries, acceptance=many)
    rows = [
        (each.deal, [each.value(node) for node in ASKED])
        for some in batches
        for each in some.evaluations()
    ]
    assert rows == expected
    assert many == one


def until_the_end(found: Iterator[Deal]) -> tuple[list[Deal], str]:
    """Return the deals that come, and why there are no more."""
    drawn = []
    try:
        for deal in found:
            drawn.append(deal)  # noqa: PERF402 (what came before an error counts)
    except PavError as error:
        return drawn, str(error)
    return drawn, ""


@pytest.mark.slow
@pytest.mark.parametrize("max_consecutive_rejections", [1, 5, 40, 100, 3000])
def test_both_give_up_at_the_same_deal(max_consecutive_rejections: int) -> None:
    space = replace(space_of("hardly any"), max_consecutive_rejections=max_consecutive_rejections)
    one, many = Acceptance(), Acceptance()
    passing = islice(space.samples(seed=3, acceptance=one), 12)
    batches = space.batches(12, seed=3, acceptance=many)
    drawn = (cast("Deal", each.deal) for some in batches for each in some.evaluations())
    expected = until_the_end(passing)
    assert bool(expected[1]) == (max_consecutive_rejections < 3000)
    assert until_the_end(drawn) == expected
    assert many == one


def test_none_are_tested_where_none_are_wanted() -> None:
    counts = Acceptance()
    assert list(space_of("rnd").batches(0, seed=7, acceptance=counts)) == []
    assert counts == Acceptance()
