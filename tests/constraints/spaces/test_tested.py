"""Conditions that are tested deal by deal: exact samples, honest estimates, `rnd`, giving up."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal, localcontext
from fractions import Fraction
from itertools import islice
from typing import Any

import numpy as np
import pytest
from constraints_models import EDGES
from hypothesis import given
from hypothesis import strategies as st
from oracles import DEALS
from stream_support import numpy_index

import pavcodec as pav
from pavcodec import Deal, Estimate, Seat, Strain
from pavcodec.constraints import Acceptance
from pavcodec.constraints.evaluation import evaluate
from pavcodec.constraints.expressions import condition, expression, hcp
from pavcodec.constraints.language.actions import Average
from pavcodec.constraints.language.parser import parse_script
from pavcodec.constraints.nodes.syntax import Arithmetic, Comparison, Number
from pavcodec.limits import time_limited


def space_of(where: Any, **changes: Any) -> Any:
    """The deals of a condition that has to be tested, with other settings."""
    space = pav.deals(where)
    assert isinstance(space, pav.TestedDeals)
    return replace(space, **changes)


def is_even(deal: Deal) -> int:
    """Whether North's points are even, said so that nobody can count it."""
    return deal["N"].hcp % 2 == 0


def never(_: Deal) -> int:
    """No deal at all."""
    return 0


DISGUISED = {
    "hcp(north) % 2 == 0": condition(is_even),
    "spades(north) + spades(south) >= 8": condition(
        lambda deal: deal["N"].shape[0] + deal["S"].shape[0] >= 8
    ),
    "spades(west) == 9 && aces(west) >= 1": expression("spades(west) == 9")
    & condition(lambda deal: "A" in str(deal["W"])),
    "hcp(west) > 37": condition(lambda deal: deal["W"].hcp > 37),
}


@pytest.mark.slow
@pytest.mark.parametrize("where", DISGUISED)
def test_an_estimate_covers_what_can_be_counted(where: str) -> None:
    space, exact = pav.deals(DISGUISED[where]), pav.deals(where)
    assert isinstance(space, pav.TestedDeals)
    assert isinstance(exact, pav.ConstrainedDeals)
    guess = space.cardinality
    assert isinstance(guess, Estimate)
    assert (guess.tried, guess.total) == (2000, space.counted.cardinality)
    assert guess.low <= exact.cardinality <= guess.high
    assert guess.low <= guess.value <= guess.high
    assert space.cardinality == guess


@pytest.mark.slow
def test_intervals_cover_as_often_as_they_say() -> None:
    space = space_of(DISGUISED["spades(north) + spades(south) >= 8"])
    exact = pav.deals("spades(north) + spades(south) >= 8").cardinality
    guesses = [space.estimate(150, seed=seed) for seed in range(60)]
    covered = sum(guess.low <= exact <= guess.high for guess in guesses)
    assert 52 <= covered < 60  # of 57 that are expected; with nothing missed they would be too wide
    assert len({guess.value for guess in guesses}) > 10


@given(st.integers(1, 5000), st.integers(0, DEALS), st.data())
def test_the_interval_is_that_of_wilson_rounded_outwards(
    tried: int, total: int, data: st.DataObject
) -> None:
    accepted = data.draw(st.integers(0, tried))
    guess = Estimate.of_sample(accepted, tried, total)
    with localcontext() as context:
        context.prec = 80
        n, share, z = Decimal(tried), Decimal(accepted) / tried, Decimal("1.96")
        middle = share + z * z / (2 * n)
        spread = z * (share * (1 - share) / n + z * z / (4 * n * n)).sqrt()
        low, high = ((middle + sign * spread) / (1 + z * z / n) * total for sign in (-1, 1))
        slack = 2 + Decimal(total) / 10**12
        assert max(Decimal(0), low) - slack <= guess.low <= max(Decimal(0), low)
        assert min(Decimal(total), high) <= guess.high <= min(Decimal(total), high + slack)
    assert guess.acceptance == Fraction(accepted, tried)
    assert guess.value == round(guess.acceptance * total)
    assert guess.low <= guess.value <= guess.high
    assert str(guess) == f"about {guess.value} (95 %: {guess.low} to {guess.high})"


def test_an_estimate_ends_in_time() -> None:
    space: Any = pav.deals("hcp(south) >= 20 && rnd(2) == 1")
    whole = space.cardinality
    with time_limited(0):
        guess, asked = space.cardinality, space.estimate(2000, seed="cardinality")
    assert guess == asked
    assert 0 < guess.tried < 100 < whole.tried
    assert guess == space.estimate(guess.tried, seed="cardinality")


def test_nothing_is_estimated_of_no_deals() -> None:
    space = space_of("hcp(north) > 37 && rnd(2) == 1")
    guess = space.cardinality
    assert (guess.value, guess.low, guess.high, guess.total) == (0, 0, 0, 0)
    with pytest.raises(pav.NumberError, match="there is nothing to draw from"):
        space.sample(1, seed=7)


def test_samples_are_those_of_the_counted_part_that_pass() -> None:
    where = (hcp("south") >= 15) & condition(is_even)
    space = space_of(where)
    drawn = space.counted.sample(300, seed="pairs")
    kept = [deal for deal in drawn if evaluate(where.node, deal)]
    assert 100 < len(kept) < 200
    assert space.sample(len(kept), seed="pairs") == kept
    assert space.sample(5, seed="pairs", start=7) == kept[7:12]
    assert space.sample(0, seed=7) == []
    assert all(type(deal) is Deal for deal in kept)


def test_tries_are_counted() -> None:
    space = space_of(condition(is_even))
    passed = [bool(is_even(deal)) for deal in space.counted.sample(50, seed=3)]
    acceptance = Acceptance()
    found = list(space.samples(seed=3, acceptance=acceptance, tries=50))
    assert (acceptance.tried, acceptance.accepted) == (50, sum(passed)) == (50, len(found))
    few = Acceptance()
    some = space.samples(seed=3, acceptance=few)
    for _ in range(4):
        next(some)
    places = [place for place, good in enumerate(passed) if good]
    assert (few.tried, few.accepted) == (places[3] + 1, 4)
    list(space.samples(seed=3, acceptance=few, tries=10))
    assert few.tried == places[3] + 1 + 10
    assert list(space.samples(seed=3, tries=0)) == []


def test_expressions_share_what_the_condition_drew() -> None:
    script = parse_script("die = rnd(6)  condition hcp(north) > 9 && die >= 4  action average die")
    [average] = script.actions
    assert isinstance(average, Average)
    space = space_of(script.condition)
    values = [found.value(average.expression) for found in islice(space.passing(seed=7), 40)]
    assert set(values) == {4, 5}
    later = [found.value(average.expression) for found in islice(space.passing(seed=7, start=9), 9)]
    assert later == values[9:18]


@pytest.mark.parametrize("trials", [0, -1])
def test_an_estimate_takes_a_deal(trials: int) -> None:
    with pytest.raises(pav.NumberError, match=f"at least 1 deal, not {trials}"):
        space_of("rnd(2) == 1").estimate(trials, seed=7)


def test_giving_up() -> None:
    space = space_of((hcp("north") > 3) & condition(never), max_consecutive_rejections=60)
    acceptance = Acceptance()
    message = "^60 deals in a row did not pass '<never>': there may be none$"
    with pytest.raises(pav.PavError, match=message):
        next(space.samples(seed=7, acceptance=acceptance))
    assert (acceptance.tried, acceptance.accepted) == (60, 0)
    with pytest.raises(pav.PavError, match="in a row did not pass"):
        space.sample(1, seed=7)
    assert list(space.samples(seed=7, tries=100)) == []  # whoever says how many has patience
    assert pav.deals(condition(never)).max_consecutive_rejections == 1_000_000  # type: ignore[union-attr]
    rare = space_of(condition(lambda deal: deal["N"].hcp == 10), max_consecutive_rejections=200)
    assert len(rare.sample(30, seed=7)) == 30  # many fail in all, but not so many in a row


def test_more_different_samples_than_there_are() -> None:
    one_deal = "spades(north) == 13 && hearts(east) == 13 && diamonds(south) == 13"
    space = space_of(f"{one_deal} && rnd(2) == 1", max_consecutive_rejections=40)
    assert space.sample(1, seed=7, distinct=True) == [EDGES[0]]
    with pytest.raises(pav.PavError, match=r"^40 repeats in a row: there may be only 1 deals"):
        space.sample(2, seed=7, distinct=True)


def test_chance_is_drawn_by_definition() -> None:
    """Sample k is deal k of the stream, and passes by draws that no index is made of."""
    for seed in (7, 2**64 + 5):
        space = space_of("hcp(north) >= 12 && rnd(5) == 2")
        total = space.counted.cardinality
        chances = [numpy_index(seed, k, 5, use=1) for k in range(80)]
        kept = [k for k, chance in enumerate(chances) if chance == 2]
        expected = [space.counted[numpy_index(seed, k, total)] for k in kept]
        assert list(space.samples(seed=seed, tries=80)) == expected
        assert 5 < len(kept) < 30


def test_one_place_draws_once_for_a_deal() -> None:
    die = expression("rnd(6)").node
    twice = Comparison("==", Arithmetic("+", die, die), Arithmetic("*", Number(2), die))
    assert len(list(space_of(twice).samples(seed=1, tries=200))) == 200
    assert len(list(space_of("rnd(6) == rnd(6)").samples(seed=1, tries=200))) < 80


def test_a_bound_of_chance_is_checked() -> None:
    with pytest.raises(pav.PavError, match="rnd draws one of at least 1 number, not of 0"):
        space_of("rnd(0) == 0").sample(1, seed=7)


def test_a_division_by_zero_is_told() -> None:
    space = space_of("hcp(north) <= 1 && 4 / hcp(north) == 4")
    with pytest.raises(pav.PavError, match="division by 0"):
        space.sample(50, seed=7)
    guarded = space_of("hcp(north) <= 1 && hcp(north) && 4 / hcp(north) == 4")
    assert {deal["N"].hcp for deal in guarded.sample(20, seed=7)} == {1}


def test_tricks_are_asked_of_the_solver() -> None:
    asked: list[tuple[Deal, Seat, Strain]] = []

    def solver(deal: Deal, seat: Seat, strain: Strain) -> int:
        asked.append((deal, seat, strain))
        return deal[seat].hcp

    space = space_of("hcp(east) > 9 && tricks(south, hearts) > 12", solver=solver)
    found = space.sample(5, seed=7)
    assert {(seat, strain) for _, seat, strain in asked} == {(Seat.SOUTH, Strain.HEARTS)}
    assert [deal for deal, *_ in asked if deal["S"].hcp > 12] == found
    assert found[0] in space
    assert all(deal["E"].hcp > 9 for deal, *_ in asked)


DIVIDED = "hcp(north) != 9 && spades(south) % (hcp(north) - 9) >= 3"


def test_membership_of_many() -> None:
    some = [*EDGES, *pav.numbering("deal").sample(60, seed=1), pav.Layout(bytes(52))]
    owners = np.array([list(layout.owners) for layout in some], np.uint8)
    for test in ((hcp("north") > 9) & condition(is_even), DIVIDED):
        space = space_of(test)
        found = space.contains_many(owners)
        assert found.tolist() == [layout in space for layout in some]
        assert 0 < found.sum() < len(some)
    for other in (None, 5, EDGES[0].to_pbn()):
        with pytest.raises(TypeError, match="a Layout or Deal is expected"):
            assert other in space
    solved = space_of("tricks(south, hearts) > 6", solver=lambda deal, *_: deal["S"].hcp)
    assert solved.contains_many(owners).tolist() == [layout in solved for layout in some]


def test_tries_and_starts_out_of_range() -> None:
    with pytest.raises(pav.NumberError, match="tries are 0 or more, not -1"):
        space_of("rnd(2) == 1").samples(seed=7, tries=-1)
    with pytest.raises(
        pav.NumberError, match=f"at most 2.48 where deals are tested, not {2**64 - 1}"
    ):
        space_of("rnd(2) == 1").samples(seed=7, start=2**64 - 1)


def test_an_error_of_a_function_is_not_swallowed() -> None:
    def broken(_: Deal) -> int:
        raise ZeroDivisionError("mine")

    with pytest.raises(ZeroDivisionError, match="mine"):
        space_of(condition(broken)).sample(1, seed=7)


def test_the_whole_condition_and_memory() -> None:
    space = space_of("rnd(2) == 1 && hcp(north) > 9 && rnd(3) == 1")
    assert str(space.where) == "hcp(north) > 9 && rnd(2) == 1 && rnd(3) == 1"
    assert pav.deals(space.where).where.node == space.where.node
    assert "hcp(north) > 9" in repr(space)
    assert "<is_even>" in repr(space_of((hcp("north") > 9) & condition(is_even)))
    with pytest.raises(pav.ModelTooLarge):
        pav.deals("cccc(north) > 1000 && rnd(2) == 1", memory=50_000)
