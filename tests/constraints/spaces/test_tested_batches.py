"""Many trials go in batches, and nobody can tell: deals, counts, draws, errors, giving up."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

import pavcodec as pav
from pavcodec import Deal, Seat, Strain
from pavcodec.constraints import Acceptance
from pavcodec.constraints.evaluation import Evaluation
from pavcodec.constraints.expressions import condition, expression
from pavcodec.constraints.spaces import rejection as tested_module
from pavcodec.sampling import Stream


def space_with(where: Any, **changes: Any) -> pav.TestedDeals:
    """The deals of a condition that has to be tested, with another solver."""
    space = pav.deals(where)
    assert isinstance(space, pav.TestedDeals)
    return replace(space, **changes)


def trials_by_definition(space: Any, seed: int, tries: int) -> list[tuple[int, Deal, list[int]]]:
    """What passes of so many deals: the place, the deal, and what it drew for later."""
    later = [expression(f"rnd(1000, {draw})").node for draw in (1, 2)]
    found = []
    for k, deal in enumerate(space.counted.samples(tries, seed=seed)):
        trial = Evaluation(deal, Stream(seed).chance(k), space.solver)
        if trial.value(space.tested.node):
            found.append((k, deal, [trial.value(node) for node in later]))
    return found


BATCHED = {
    "a part before chance": "(hcp(north) > 20 || spades(south) > 6) && 1000 > rnd(1000, 1) * 7",
    "chance before a part": expression("rnd(1000, 2) < 99")
    & condition(lambda deal: deal["N"].hcp > 9),
    "a choice": "hcp(north) > 11 ? cccc(south) > 2500 && rnd(4) : rnd(1000, 1) % 50 == 1",
    "a division": "hcp(north) > 1 && 70 / (hcp(north) - 1 - rnd(1)) / (hcp(north) - 1) == 1",
    "a division of arrays": "hcp(north) != 9 && spades(south) % (hcp(north) - 9) == 6",
    "large numbers": expression("spades(north)") * 10**19 > 6 * 10**19,
    "tricks": "hearts(west) - tricks(east, spades) == 6",
    "no deal at all": "rnd(5) * rnd(1) > 0",
}


@pytest.fixture
def small_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    """Use arrays for batches of 128 deals on, and make none larger than 256."""
    monkeypatch.setattr(tested_module, "FEWEST_IN_BATCHES", 128)
    monkeypatch.setattr(tested_module, "_AT_MOST", 256)


@pytest.mark.slow
def test_many_trials() -> None:
    """A sequence that no loop may change: the numbers come from before there were any."""
    space = space_with(BATCHED["a part before chance"])
    passed = trials_by_definition(space, 7, 9000)
    assert len(passed) == 1297
    assert [k for k, *_ in passed][-3:] == [8990, 8991, 8994]
    assert [found.deal for found in space.passing(seed=7, tries=9000)] == [
        deal for _, deal, _ in passed
    ]


@pytest.mark.slow
@pytest.mark.usefixtures("small_batches")
@pytest.mark.parametrize("name", BATCHED)
def test_batches_are_not_to_be_seen(name: str) -> None:
    """Deals, counts and draws of many trials are those of the definition, one by one."""
    space = space_with(BATCHED[name], solver=lambda deal, _seat, _strain: deal.owners[5])
    tries = 900  # the last batches are of 256 deals, and of less
    expected = trials_by_definition(space, 11, tries)
    acceptance = Acceptance()
    later = [expression(f"rnd(1000, {draw})").node for draw in (1, 2)]
    passing = space.passing(seed=11, tries=tries, acceptance=acceptance)
    for count, ((k, deal, draws), found) in enumerate(zip(expected, passing, strict=True), 1):
        assert type(found.deal) is Deal
        assert found.deal == deal
        assert [found.value(node) for node in later] == draws
        assert (acceptance.tried, acceptance.accepted) == (k + 1, count)
    assert (acceptance.tried, acceptance.accepted) == (tries, len(expected))
    assert bool(expected) == (name != "no deal at all")
    guess = space.estimate(tries, seed=11)
    assert (guess.accepted, guess.tried) == (len(expected), tries)
    some = len(expected) // 2
    part = expected[some // 2 : some // 2 + some]
    assert space.sample(some, seed=11, start=some // 2) == [deal for _, deal, _ in part]
    many = Acceptance()
    chunks = space.batches(some, seed=11, start=some // 2, tries=tries, acceptance=many)
    rows = [each for chunk in chunks for each in chunk.evaluations()]
    assert [(row.deal, [row.value(node) for node in later]) for row in rows] == [
        (deal, draws) for _, deal, draws in part
    ]
    assert (many.tried, many.accepted) == (
        (expected[some // 2 + some - 1][0] + 1, some // 2 + some) if some else (0, 0)
    )


ALL_DEALS = pav.ConstrainedDeals.of(expression(1))


@pytest.mark.usefixtures("small_batches")
def test_giving_up_within_a_batch() -> None:
    for tested, most in (
        (condition(lambda _: 0), 450),
        (expression("spades(north) > 13"), 900),
        (expression("spades(north) > 12 && rnd(2)"), 1234),
    ):
        space = pav.TestedDeals(ALL_DEALS, tested, max_consecutive_rejections=most)
        acceptance = Acceptance()
        with pytest.raises(pav.PavError, match=f"^{most:,} deals in a row did not pass '"):
            next(space.samples(seed=7, acceptance=acceptance))
        with pytest.raises(pav.PavError, match=f"^{most:,} deals in a row did not pass '"):
            list(space.batches(1, seed=7))
        assert (acceptance.tried, acceptance.accepted) == (most, 0)


@pytest.mark.usefixtures("small_batches")
def test_a_deal_that_nobody_can_test_stands_in_its_place() -> None:
    """What passes before it is given, however large the batch in which it comes."""
    where = "hcp(north) + hcp(south) > 26 && 40 / (hcp(north) + hcp(south) - 33) != 0"
    space = pav.TestedDeals(
        pav.ConstrainedDeals.of(expression("spades(east) < 9")), expression(where)
    )
    acceptance = Acceptance()
    found: list[Deal] = []
    with pytest.raises(pav.PavError, match=r"^division by 0$"):
        found.extend(space.samples(seed=5, acceptance=acceptance))
    candidates = space.counted.sample(acceptance.tried + 1, seed=5)
    assert acceptance.tried > 0
    strengths = [deal["N"].hcp + deal["S"].hcp for deal in candidates]
    assert strengths[-1] == 33
    assert 33 not in strengths[:-1]
    kept = zip(candidates, strengths, strict=True)
    assert found == [deal for deal, points in kept if 26 < points < 73 and points != 33]


@pytest.mark.slow
@pytest.mark.usefixtures("small_batches")
def test_few_deals_are_solved_or_asked_ahead() -> None:
    """What is slow is asked of the deals in their order, at most of about twice those needed."""
    asked: list[Deal] = []

    def solver(deal: Deal, _seat: Seat, _strain: Strain) -> int:
        asked.append(deal)
        return deal["N"].hcp % 14

    tested = expression("(hcp(south) > 14 || spades(south) == 4) && tricks(north, spades) == 8")
    space = pav.TestedDeals(ALL_DEALS, tested, solver=solver)
    some = space.counted.samples(3000, seed=7)
    strong = [deal for deal in some if deal["S"].hcp > 14 or deal["S"].shape[0] == 4]
    acceptance = Acceptance()
    found = space.samples(seed=7, acceptance=acceptance)
    while acceptance.tried < 1500:
        needed = strong.index(next(found)) + 1
        assert needed <= len(asked) <= min(2 * needed + 2, needed + 64)
    assert asked == strong[: len(asked)]
