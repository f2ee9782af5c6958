"""Plans: what is counted and what is tested; and the samples that they give."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

import pavcodec as pav
from pavcodec import ConstrainedDeals, Seat
from pavcodec.constraints.counting import condition as plan_module
from pavcodec.constraints.counting.condition import Condition, Split, plan
from pavcodec.constraints.counting.recent import forget_models
from pavcodec.constraints.evaluation import evaluate
from pavcodec.constraints.language.parser import parse_expression
from pavcodec.constraints.spaces import rejection as tested
from pavcodec.constraints.spaces.rejection import CaseSpaces
from pavcodec.sampling import Stream

SMALL = 1 << 20


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Limits that conditions on three hands do not fit in."""
    monkeypatch.setattr(plan_module, "WHOLE", SMALL)
    monkeypatch.setattr(plan_module, "PART", SMALL)


def planned(where: str) -> Split:
    return plan(Condition(parse_expression(where)))


FITTING = [
    "hcp(south) >= 20 && spades(south) >= 5",
    "hcp(north) == 36 && hcp(south) <= 2 && spades(west) >= 4",
    "hcp(north) + hcp(south) >= 37 || spades(east) == 10",
]


@pytest.mark.slow
@pytest.mark.parametrize("where", FITTING)
def test_what_fits_is_counted_as_it_always_was(where: str) -> None:
    space, exact = pav.deals(where), pav.deals(where, method="exact")
    assert isinstance(space, ConstrainedDeals)
    assert isinstance(exact, ConstrainedDeals)
    assert space.cardinality == exact.cardinality
    assert space.sample(5, seed=7) == exact.sample(5, seed=7)


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
def test_what_is_too_large_is_counted_in_part(where: str) -> None:
    space = pav.deals(where)
    assert isinstance(space, pav.TestedDeals)
    assert space.plan
    assert space.where.node is pav.expression(where).node
    assert space.counted.cardinality > 0
    assert all(reason == plan_module.TOO_LARGE for reason in space.reasons)
    node = parse_expression(where)
    for deal in space.sample(30, seed=7):
        assert evaluate(node, deal)
        assert deal in space
        assert deal in space.counted
    other = pav.numbering("deal")[0]
    assert (other in space) == bool(evaluate(node, other))


@pytest.mark.slow
@pytest.mark.usefixtures("small")
@pytest.mark.parametrize("where", LARGE)
def test_slices_and_threads_change_nothing(where: str, monkeypatch: pytest.MonkeyPatch) -> None:
    space: Any = pav.deals(where)
    monkeypatch.setattr(tested, "FEWEST_IN_BATCHES", 128)
    monkeypatch.setattr(tested, "_AT_MOST", 512)
    whole = space.sample(60, seed=7)
    assert space.sample(20, seed=7, start=40) == whole[40:]
    for processors in (1, 3):
        monkeypatch.setattr("pavcodec.limits.available", lambda count=processors: count)
        assert space.sample(60, seed=7) == whole
    again: Any = pav.deals(where)
    assert (again.plan, again.counted.cardinality) == (space.plan, space.counted.cardinality)
    assert again.sample(60, seed=7) == whole


@pytest.mark.slow
@pytest.mark.usefixtures("small")
def test_less_memory_is_an_error_and_no_other_plan() -> None:
    found = planned(LARGE[0])
    for memory in (SMALL // 64, SMALL // 2):
        with pytest.raises(pav.ModelTooLarge, match="allow more with --memory"):
            plan(Condition(parse_expression(LARGE[0]), memory))
    assert plan(Condition(parse_expression(LARGE[0]), SMALL)).plan == found.plan
    assert plan(Condition(parse_expression(LARGE[0]), 64 * SMALL)).counted == found.counted


FEW = "spades(north) == 13 && hearts(east) == 13 && diamonds(south) >= 12 && clubs(west) >= 12"


RARE = [
    ("hcp(north) > 24 && spades(west) > 5 && hcp(west) < 5 && hcp(east) < 6", Seat.EAST),
    (
        """(hearts(north) > 4 && hearts(south) > 3 || spades(north) > 4 && spades(south) > 3)
        && hcp(north) + hcp(south) > 31 && (clubs(west) > 5 || diamonds(west) > 5)""",
        Seat.NORTH,
    ),
]
"""Conditions like the large ones; they leave so few states that counting points is quick."""


@pytest.mark.slow
@pytest.mark.usefixtures("small")
@pytest.mark.parametrize(("where", "seat"), RARE)
def test_samples_are_those_of_the_whole(
    where: str, seat: Seat, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The points of a hand, from the plan and from what was counted exactly."""
    monkeypatch.setattr(plan_module, "WHOLE", 1)
    space: Any = pav.deals(where)
    assert isinstance(space, pav.TestedDeals)
    exact: Any = pav.distribution(f"hcp({seat.name.lower()})", given=where)
    many = space.sample(6_000, seed=7)
    seen = Counter(deal[seat].hcp for deal in many)
    chances = {value: float(share) for value, share in exact.items() if share > Fraction(1, 600)}
    chi = sum((seen[v] - 6_000 * p) ** 2 / (6_000 * p) for v, p in chances.items())
    freedom = len(chances) - 1
    assert freedom >= 5
    assert abs(chi - freedom) < 4 * (2 * freedom) ** 0.5


def test_chance_leaves_what_is_implied_to_be_counted() -> None:
    space = pav.deals("hcp(south) > 25 && rnd(2) == 1 || hcp(south) > 28")
    assert isinstance(space, pav.TestedDeals)
    assert str(space.counted.where) == "hcp(south) > 25 || hcp(south) > 28"
    assert str(space.where) == "hcp(south) > 25 && rnd(2) == 1 || hcp(south) > 28"
    plain = pav.deals("hcp(south) > 25 && rnd(2) == 1")
    assert isinstance(plain, pav.TestedDeals)
    assert (str(plain.counted.where), str(plain.tested)) == ("hcp(south) > 25", "rnd(2) == 1")


def test_methods() -> None:
    where = "hcp(south) > 25 && spades(north) > 8"
    for method, kind in (("plan", ConstrainedDeals), ("exact", ConstrainedDeals)):
        assert isinstance(pav.deals(where, method=method), kind)  # type: ignore[call-overload]
    counted = pav.deals(where, method="counted")
    assert counted == pav.deals(where, method="exact")
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
@pytest.mark.usefixtures("small")
def test_a_plan_is_made_once(monkeypatch: pytest.MonkeyPatch) -> None:
    first = planned(LARGE[1])
    monkeypatch.setattr(plan_module._Planner, "whole", None)
    again = planned(LARGE[1])
    assert (again.counted, again.tested) == (first.counted, first.tested)
    assert again.plan == first.plan
    forget_models()
    with pytest.raises(TypeError):
        planned(LARGE[1])


@pytest.mark.slow
@pytest.mark.usefixtures("small")
def test_what_nothing_satisfies_ends_with_the_part_to_change() -> None:
    no_sum = "hcp(north) + hcp(south) + hcp(east) + hcp(west) == 39"
    space: Any = pav.deals(f"{LARGE[0]} && {no_sum}")
    assert isinstance(space, pav.TestedDeals)
    assert space.max_consecutive_rejections == tested.MAX_CONSECUTIVE_REJECTIONS_IN_ARRAYS
    impatient = type(space)(
        space.counted,
        space.tested,
        space.reasons,
        max_consecutive_rejections=50_000,
        whole=space.whole,
    )
    with pytest.raises(pav.PavError, match=r"50,000 deals in a row did not pass .* loosen it"):
        impatient.sample(1, seed=7)


@pytest.mark.slow
def test_estimates_take_more_deals_where_few_pass() -> None:
    some: Any = pav.deals("hcp(north) > 9 && hcp(south) > 9", method="test")
    rare: Any = pav.deals("spades(north) > 6", method="test")
    exact = pav.deals("spades(north) > 6").cardinality
    guess = rare.cardinality
    assert guess.tried > 2000
    assert guess.low <= exact <= guess.high
    assert some.cardinality.tried == 2000


@pytest.mark.slow
@pytest.mark.usefixtures("small")
def test_what_is_estimated_of_large_conditions() -> None:
    space: Any = pav.deals(LARGE[0])
    exact = pav.deals(LARGE[0], method="exact")
    assert space.cardinality.low <= exact.cardinality <= space.cardinality.high
    owners = space.counted.sample_many(500, seed=1)
    values = pav.expression(LARGE[0]).values(owners)
    assert np.array_equal(space.contains_many(owners), values != 0)


BY_CASES = [
    """hcp(north) >= 33 && spades(south) > 5 && losers(south) < 6
    || hcp(east) >= 33 && hearts(west) > 5 && losers(west) < 6
    || spades(north) + spades(west) == 13 && hcp(south) < 2 && hcp(north) > 28""",
    "losers(north) < 3 ? hcp(south) > 20 && spades(west) > 4 : hcp(east) > 33 && spades(west) > 4",
]
"""Conditions of few cases: drawn one by one, a deal takes a second at most."""


@pytest.mark.slow
@pytest.mark.usefixtures("small")
@pytest.mark.parametrize("where", BY_CASES)
def test_what_implies_nothing_is_taken_apart(where: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(plan_module, "WHOLE", 1)
    space: Any = pav.deals(where)
    assert "+" in space.plan
    exact: Any = pav.deals(where, method="exact")
    guess = space.estimate(1 << 16, seed=1)
    assert guess.low <= exact.cardinality <= guess.high
    found = space.sample(4, seed=7)
    assert all(deal in exact and deal in space for deal in found)
    assert space.sample(2, seed=7, start=2) == found[2:]
    indexes = Stream(7).indexes(space.counted.cardinality, 3000)
    by_definition = [deal for deal, test in map(space.candidate, indexes) if evaluate(test, deal)]
    assert list(space.samples(seed=7, tries=3000)) == by_definition


@pytest.mark.slow
def test_indexes_of_cases() -> None:
    spaces = tuple(pav.deals(where) for where in ("spades(west) == 13", "hcp(north) == 37", FEW))
    cases = CaseSpaces(spaces)  # type: ignore[arg-type]
    ends = [sum(space.cardinality for space in spaces[:k]) for k in range(4)]  # type: ignore[misc]
    indexes = sorted({0, *(end + step for end in ends[1:3] for step in (-1, 0, 1)), ends[3] - 1})
    limbs = np.array([divmod(index, 1 << 64) for index in indexes], np.uint64)
    for index, case in zip(indexes, cases.chain.parts_of(limbs), strict=True):
        assert cases.chain.split(index)[0] == case
    drawn = [cases.unrank(index) for index in Stream(7).indexes(ends[3], 90)]
    assert [row.tobytes() for row in cases.sample_many(90, seed=7)] == [d.owners for d in drawn]
    assert cases.cardinality == ends[3]
