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
from pavcodec import Deal, Estimate
from pavcodec.constraints import Acceptance
from pavcodec.constraints.expressions import condition, hcp
from pavcodec.limits import time_limited


def space_of(where: Any, **changes: Any) -> Any:
    """The deals of a condition that has to be tested, with other settings."""
    space = pav.deals(where)
    assert isinstance(space, pav.TestedDeals)
    return replace(space, **changes)


def is_even(deal: Deal) -> int:
    """Whether North's points are even, said so that nobody can count it."""
    return deal["N"].hcp % 2 == 0


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


def test_an_estimate_is_no_number() -> None:
    guess: Any = Estimate.of_sample(25, 100, 10**6)
    for use in (int, float, range, lambda it: it + 1, lambda it: it < 5):
        with pytest.raises(TypeError):
            use(guess)
    assert guess != 250_000


def test_nothing_is_estimated_of_no_deals() -> None:
    space = space_of("hcp(north) > 37 && rnd(2) == 1")
    guess = space.cardinality
    assert (guess.value, guess.low, guess.high, guess.total) == (0, 0, 0, 0)
    with pytest.raises(pav.NumberError, match="there is nothing to draw from"):
        space.sample(1, seed=7)


def test_samples_are_those_of_the_counted_part_that_pass_and_tries_are_counted() -> None:
    space, acceptance = space_of((hcp("south") >= 15) & condition(is_even)), Acceptance()
    drawn = space.counted.sample(50, seed="pairs")
    places = [place for place, deal in enumerate(drawn) if is_even(deal)]
    kept = [drawn[place] for place in places]
    assert 10 < len(kept) < 40
    assert list(space.samples(seed="pairs", acceptance=acceptance, tries=50)) == kept
    assert (acceptance.tried, acceptance.accepted) == (50, len(kept))
    assert space.sample(5, seed="pairs", start=7) == kept[7:12]
    assert {type(deal) for deal in kept} == {Deal}
    few = Acceptance()
    assert [*islice(space.samples(seed="pairs", acceptance=few), 4)] == kept[:4]
    assert (few.tried, few.accepted) == (places[3] + 1, 4)
    list(space.samples(seed="pairs", acceptance=few, tries=10))
    assert few.tried == places[3] + 1 + 10
    assert list(space.samples(seed=3, tries=0)) == space.sample(0, seed=7) == []


def test_the_whole_condition_and_its_parts() -> None:
    for text in ("rnd(2) == 1", "hcp(north) > 9 && rnd(2) == 1", "rnd(2) && rnd(3) && rnd(4)"):
        assert str(space_of(text).where) == text
    space = space_of("rnd(2) == 1 && hcp(north) > 9 && rnd(3) == 1")
    assert str(space.where) == "hcp(north) > 9 && rnd(2) == 1 && rnd(3) == 1"
    assert "hcp(north) > 9" in repr(space)
    assert "<is_even>" in repr(space_of((hcp("north") > 9) & condition(is_even)))


def test_giving_up() -> None:
    nothing = condition(lambda _: 0)
    space = space_of((hcp("north") > 3) & nothing, max_consecutive_rejections=60)
    acceptance = Acceptance()
    message = "^60 deals in a row did not pass '<<lambda>>': there may be none$"
    with pytest.raises(pav.PavError, match=message):
        next(space.samples(seed=7, acceptance=acceptance))
    assert (acceptance.tried, acceptance.accepted) == (60, 0)
    assert list(space.samples(seed=7, tries=100)) == []  # whoever says how many has patience
    assert space_of(nothing).max_consecutive_rejections == 1_000_000
    rare = space_of(condition(lambda deal: deal["N"].hcp == 10), max_consecutive_rejections=200)
    assert len(rare.sample(30, seed=7)) == 30  # many fail in all, but not so many in a row
    one_deal = "spades(north) == 13 && hearts(east) == 13 && diamonds(south) == 13"
    single = space_of(f"{one_deal} && rnd(2) == 1", max_consecutive_rejections=40)
    assert single.sample(1, seed=7, distinct=True) == [EDGES[0]]
    with pytest.raises(pav.PavError, match=r"^40 repeats in a row: there may be only 1 deals"):
        single.sample(2, seed=7, distinct=True)


@pytest.mark.parametrize("seed", [7, 2**64 + 5])
def test_chance_is_drawn_by_definition(seed: int) -> None:
    """Sample k is deal k of the stream, and passes by draws that no index is made of."""
    space = space_of("hcp(north) >= 12 && rnd(5) == 2")
    total = space.counted.cardinality
    kept = [k for k in range(80) if numpy_index(seed, k, 5, use=1) == 2]
    expected = [space.counted[numpy_index(seed, k, total)] for k in kept]
    assert list(space.samples(seed=seed, tries=80)) == expected
    assert 5 < len(kept) < 30


@pytest.mark.parametrize(
    "test",
    [
        (hcp("north") > 9) & condition(is_even),
        "hcp(north) != 9 && spades(south) % (hcp(north) - 9) >= 3",
        "tricks(south, hearts) > 6",
    ],
    ids=str,
)
def test_membership_of_many(test: Any) -> None:
    some = [*EDGES, *pav.numbering("deal").sample(60, seed=1), pav.Layout(bytes(52))]
    owners = np.array([list(layout.owners) for layout in some], np.uint8)
    space = space_of(test, solver=lambda deal, *_: deal["S"].hcp)
    found = space.contains_many(owners)
    assert found.tolist() == [layout in space for layout in some]
    assert 0 < found.sum() < len(some)


@condition
def broken(_: Deal) -> int:
    """A test that fails."""
    raise ZeroDivisionError("mine")


CHANCE = "rnd(2) == 1"
REFUSED: dict[str, tuple[Any, type[Exception], Any]] = {
    "at least 1 deal, not 0": (CHANCE, pav.NumberError, lambda space: space.estimate(0, seed=7)),
    "tries are 0 or more, not -1": (
        CHANCE, pav.NumberError, lambda space: space.samples(seed=7, tries=-1),
    ),
    f"at most 2.48 where deals are tested, not {2**64 - 1}": (
        CHANCE, pav.NumberError, lambda space: space.samples(seed=7, start=2**64 - 1),
    ),
    "rnd draws one of at least 1 number, not of 0": (
        "rnd(0) == 0", pav.PavError, lambda space: space.sample(1, seed=7),
    ),
    "division by 0": (
        "4 / hcp(north) == 4 && hcp(north) < 2", pav.PavError, lambda it: it.sample(9, seed=7),
    ),
    "^mine$": (broken, ZeroDivisionError, lambda space: space.sample(1, seed=7)),
}  # fmt: skip


@pytest.mark.parametrize("message", REFUSED)
def test_what_is_refused(message: str) -> None:
    where, error, use = REFUSED[message]
    with pytest.raises(error, match=message):
        use(space_of(where))


def test_the_counted_part_keeps_within_its_memory() -> None:
    with pytest.raises(pav.ModelTooLarge):
        pav.deals("cccc(north) > 1000 && rnd(2) == 1", memory=50_000)
