"""Probabilities and distributions: closed forms, consistency, honest samples."""

from __future__ import annotations

from fractions import Fraction
from math import comb

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import pavcodec as pav
from pavcodec import Distribution, Estimate, NumberError, SampledDistribution
from pavcodec.constraints.expressions import condition, hcp

DEALS = 53644737765488792839237440000
HANDS = comb(52, 13)
POINTS = {0: 2310789600, 1: 5006710800, 10: 59723754816, 20: 4086538404, 36: 60, 37: 4}
"""Hands by high-card points, as published."""


def test_points_of_a_hand() -> None:
    points = pav.distribution("hcp(north)")
    assert isinstance(points, Distribution)
    assert list(points) == list(range(38))
    for value, hands in POINTS.items():
        assert points[value] == Fraction(hands, HANDS)
    assert points.total == DEALS
    assert points.mean == 10
    assert points.variance == Fraction(290, 17)
    assert sum(points.values()) == 1


@pytest.mark.slow
@pytest.mark.parametrize("missing", [2, 5, 11])
def test_breaks_of_a_suit(missing: int) -> None:
    """How the cards that partners miss lie is hypergeometric."""
    given = f"spades(north) + spades(south) == {13 - missing}"
    found = pav.distribution("spades(east)", given=given)
    expected = {
        held: Fraction(comb(missing, held) * comb(26 - missing, 13 - held), comb(26, 13))
        for held in range(missing + 1)
    }
    assert dict(found) == expected
    assert pav.probability(f"spades(east) == {missing}", given=given) == expected[missing]


@pytest.mark.slow
def test_two_numbers() -> None:
    both = pav.distribution("aces(north)", "kings(north)", given="hcp(north) >= 20")
    aces = pav.distribution("aces(north)", given="hcp(north) >= 20")
    for value in range(5):
        rows = [(value, kings) for kings in range(5)]
        assert aces[value] == sum(both[row] for row in rows if row in both)
    assert all(isinstance(row, tuple) for row in both)
    with pytest.raises(pav.PavError, match="only a single number"):
        _ = both.mean


EVENTS = [
    "hcp(north) > 12",
    "spades(east) >= 5",
    "aces(west) + aces(east) == 3",
    "losers(south) < 7",
]


@pytest.mark.slow
@given(st.sampled_from(EVENTS), st.sampled_from(EVENTS))
@settings(max_examples=4, deadline=None)
def test_bayes(event: str, other: str) -> None:
    here = pav.probability(event, given=other) * pav.probability(other)
    there = pav.probability(other, given=event) * pav.probability(event)
    assert here == there == pav.probability(f"({event}) && ({other})")
    assert pav.probability(f"!({event})", given=other) == 1 - pav.probability(event, given=other)


@pytest.mark.slow
def test_conditions_may_be_deals_or_expressions() -> None:
    space = pav.deals("hcp(south) >= 20")
    expected = pav.probability("aces(north) == 0", given="hcp(south) >= 20")
    assert pav.probability("aces(north) == 0", given=space) == expected
    assert pav.probability("aces(north) == 0", given=hcp("south") >= 20) == expected
    assert pav.distribution("aces(north)", given=space)[0] == expected
    assert pav.probability("aces(north)", given=space) == 1 - expected  # a number is true if not 0


@pytest.mark.slow
def test_what_nobody_can_count_is_a_share() -> None:
    share = pav.probability("rnd(4) == 1", given="hcp(south) >= 20", simulate=2000)
    assert isinstance(share, Estimate)
    assert share.low < Fraction(1, 4) < share.high
    assert share.tried == 2000
    even = condition(lambda deal: deal["N"].hcp % 2 == 0)
    exact = pav.probability("hcp(north) % 2 == 0")
    guess = pav.probability(even, simulate=10_000)
    assert guess.low < exact < guess.high
    assert guess == pav.probability(even, simulate=10_000)
    assert guess != pav.probability(even, simulate=10_000, seed=8)
    for ask in (pav.probability, pav.distribution):
        with pytest.raises(pav.PavError, match="a Python function is tested deal by deal: ask for"):
            ask(even)
        with pytest.raises(pav.PavError, match="rnd is tested deal by deal: ask for an estimate"):
            ask("hcp(north)", given="rnd(2) == 0")


@pytest.mark.slow
def test_simulation_on_request() -> None:
    exact = pav.distribution("hcp(north)")
    found = pav.distribution("hcp(north)", simulate=4000, seed=7)
    assert isinstance(found, SampledDistribution)
    assert found.total == 4000
    outside = [v for v, share in found.items() if not share.low <= exact[v] <= share.high]
    assert len(outside) <= 4
    assert abs(found.mean - 10) < 4 * found.standard_error
    expected = pav.deals(1).sample(4000, seed=7)
    assert found.counts[10] == sum(deal["N"].hcp == 10 for deal in expected)


def test_standard_errors() -> None:
    found = SampledDistribution({1: 2, 3: 2})
    assert found.mean == 2
    assert float(found.standard_error) == pytest.approx((1 / 3) ** 0.5)
    with pytest.raises(pav.PavError, match="at least 2"):
        _ = SampledDistribution({1: 1}).standard_error


def test_bad_questions() -> None:
    with pytest.raises(pav.PavError, match=r"there are no deals with 'hcp\(north\) > 40'"):
        pav.probability("spades(north) == 4", given="hcp(north) > 40")
    with pytest.raises(pav.PavError, match="there are no deals"):
        pav.distribution("spades(north)", given="hcp(north) > 40 && rnd(2)")
    with pytest.raises(pav.PavError, match="at most 1,000 numbers together, not 1,001"):
        pav.distribution(*["hcp(north)"] * 1001)
    for simulate in (2**63, 2**70):
        for space in ("1", "rnd(2) == 0"):
            with pytest.raises(pav.NumberError, match=f"at most 2\\^48 .*, not {simulate}"):
                pav.distribution("hcp(north)", given=space, simulate=simulate)
    for simulate in (0, -5):
        with pytest.raises(pav.NumberError, match=f"at least 1 deal, not {simulate}"):
            pav.probability("hcp(north) > 3", simulate=simulate)
    with pytest.raises(pav.TextError):
        pav.probability("hcp(nort) > 3")


def test_shares() -> None:
    whole = Estimate.of_sample(0, 10)
    assert whole.value == whole.low == 0
    assert 0 < whole.high < Fraction(3, 10)
    half = Estimate.of_sample(5, 10, Fraction(1, 2))
    assert half.value == Fraction(1, 4)
    assert half.low == Estimate.of_sample(5, 10).low / 2
    assert half.high == Estimate.of_sample(5, 10).high / 2


@pytest.mark.parametrize(("accepted", "tried"), [(1, 0), (0, 0), (3, 2), (-1, 2), (0, -1)])
def test_a_share_of_no_deals_is_refused(accepted: int, tried: int) -> None:
    with pytest.raises(NumberError, match=f"not {accepted} of {tried} deals"):
        Estimate.of_sample(accepted, tried)
