"""Plans: what is counted and what is tested; and the samples that they give."""

from __future__ import annotations

from typing import Any

import pytest

import pavcodec as pav
from pavcodec import ConstrainedDeals
from pavcodec.constraints.counting import condition as plan_module
from pavcodec.constraints.counting.condition import Condition, Split, plan
from pavcodec.constraints.counting.recent import forget_models
from pavcodec.constraints.evaluation import evaluate
from pavcodec.constraints.language.parser import parse_expression
from pavcodec.constraints.spaces import rejection as tested
from pavcodec.sampling import Stream

SMALL = 1 << 20


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Limits that conditions on three hands do not fit in."""
    monkeypatch.setattr(plan_module, "WHOLE", SMALL)
    monkeypatch.setattr(plan_module, "PART", SMALL)


def planned(where: str) -> Split:
    return plan(Condition(parse_expression(where)))


LARGE = [
    "hcp(north) > 11 && hcp(south) > 9 && spades(west) > 5 && hcp(west) < 9 && losers(east) > 7",
    """(hearts(north) > 4 && hearts(south) > 3 || spades(north) > 4 && spades(south) > 3)
    && hcp(north) + hcp(south) > 24 && (clubs(west) > 5 || diamonds(west) > 5) && hcp(east) > 4""",
    """(hcp(west) > 9 ? losers(north) < 6 : losers(south) < 6) && cccc(north) > cccc(south)
    && shape(east, any 5332 + any 5422)""",
]


@pytest.mark.slow
@pytest.mark.usefixtures("small")
@pytest.mark.parametrize("where", LARGE)
def test_what_is_too_large_is_counted_in_part(where: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The samples are those of the condition, whatever the slices, batches and processors."""
    space: Any = pav.deals(where)
    assert isinstance(space, pav.TestedDeals)
    assert space.plan
    assert space.where.node is pav.expression(where).node
    assert all(reason == plan_module.TOO_LARGE for reason in space.reasons)
    node = parse_expression(where)
    whole = space.sample(40, seed=7)
    for deal in (*whole, pav.numbering("deal")[0]):
        assert (deal in space) == bool(evaluate(node, deal)) == (deal in whole)
        assert deal in space.counted or deal not in whole
    monkeypatch.setattr(tested, "FEWEST_IN_BATCHES", 128)
    monkeypatch.setattr(tested, "_AT_MOST", 512)
    monkeypatch.setattr("pavcodec.limits.available", lambda: 3)
    assert space.sample(40, seed=7) == whole
    assert space.sample(10, seed=7, start=30) == whole[30:]
    again: Any = pav.deals(where)
    assert (again.plan, again.counted.cardinality) == (space.plan, space.counted.cardinality)


@pytest.mark.slow
@pytest.mark.usefixtures("small")
def test_a_plan_is_made_once_and_whatever_the_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    condition = parse_expression(LARGE[0])
    for memory in (SMALL // 64, SMALL // 2):
        with pytest.raises(pav.ModelTooLarge, match="allow more with --memory"):
            plan(Condition(condition, memory))
    first = planned(LARGE[0])
    assert plan(Condition(condition, SMALL)).plan == first.plan
    assert plan(Condition(condition, 64 * SMALL)).counted == first.counted
    monkeypatch.setattr(plan_module._Planner, "whole", None)
    again = planned(LARGE[0])
    assert (again.counted, again.tested, again.plan) == (first.counted, first.tested, first.plan)
    forget_models()
    with pytest.raises(TypeError):
        planned(LARGE[0])


CHANCE = {
    "hcp(south) > 25 && rnd(2) == 1 || hcp(south) > 28": (
        "hcp(south) > 25 || hcp(south) > 28",
        "hcp(south) > 25 && rnd(2) == 1 || hcp(south) > 28",
    ),
    "hcp(south) > 25 && rnd(2) == 1": ("hcp(south) > 25", "rnd(2) == 1"),
}


@pytest.mark.parametrize("where", CHANCE)
def test_chance_leaves_what_is_implied_to_be_counted(where: str) -> None:
    space = pav.deals(where)
    assert isinstance(space, pav.TestedDeals)
    assert (str(space.counted.where), str(space.tested)) == CHANCE[where]
    assert str(space.where) == where


def test_methods() -> None:
    where = "hcp(south) > 25 && spades(north) > 8"
    exact, counted = pav.deals(where, method="exact"), pav.deals(where, method="counted")
    assert isinstance(exact, ConstrainedDeals)
    assert counted == exact == pav.deals(where) == pav.deals(where, method="plan")
    reason = (
        "rnd is tested deal by deal, and the method 'counted' tests nothing: leave out that part"
    )
    with pytest.raises(pav.PavError, match=reason):
        pav.deals(f"{where} && rnd(2) == 0", method="counted")
    tested_only = pav.deals("spades(north) > 6", method="test")
    assert isinstance(tested_only, pav.TestedDeals)
    assert tested_only.counted.cardinality == pav.numbering("deal").cardinality
    assert tested_only.sample(2, seed=7)[0]["N"].shape[0] > 6
    with pytest.raises(pav.UnknownNameError, match="no method is called 'exactly'"):
        pav.deals(where, method="exactly")  # type: ignore[call-overload]


@pytest.mark.slow
def test_estimates_take_more_deals_where_few_pass() -> None:
    some: Any = pav.deals("hcp(north) > 9 && hcp(south) > 9", method="test")
    rare: Any = pav.deals("spades(north) > 6", method="test")
    exact = pav.deals("spades(north) > 6").cardinality
    assert rare.cardinality.tried > 2000 == some.cardinality.tried
    assert rare.cardinality.low <= exact <= rare.cardinality.high


BY_CASES = """hcp(north) >= 33 && spades(south) > 5 && losers(south) < 6
    || hcp(east) >= 33 && hearts(west) > 5 && losers(west) < 6
    || spades(north) + spades(west) == 13 && hcp(south) < 2 && hcp(north) > 28"""


@pytest.mark.slow
@pytest.mark.usefixtures("small")
def test_what_implies_nothing_is_taken_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(plan_module, "WHOLE", 1)
    space: Any = pav.deals(BY_CASES)
    assert "+" in space.plan
    exact: Any = pav.deals(BY_CASES, method="exact")
    guess = space.estimate(1 << 12, seed=1)
    assert guess.low <= exact.cardinality <= guess.high
    indexes = list(Stream(7).indexes(space.counted.cardinality, 500))
    by_definition = [deal for deal, test in map(space.candidate, indexes) if evaluate(test, deal)]
    assert list(space.samples(seed=7, tries=500)) == by_definition != []
    assert all(deal in exact and deal in space for deal in by_definition)
    drawn = [space.counted.unrank(index).owners for index in indexes[:20]]
    assert list(map(bytes, space.counted.sample_many(20, seed=7))) == drawn
