"""The page defines the dealer of 1999 completely: what is written from it alone is the same."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from oracles import FIXTURES
from stream_support import page_code

from pavcodec import Dealer1999, DealFailedError, HandLimits, PavError, deals_as_in_1999
from pavcodec.sampling import Stream

PAGE = FIXTURES.parent / "docs" / "studies" / "dealer1999.md"

WEST = "spades(west) >= 5 && spades(west) <= 6 && hearts(west) == 4 && hcp(west) >= 11"
CONDITIONS = [
    "1",
    f"{WEST} && hcp(west) <= 15 && diamonds(east) >= 4 && hcp(east) == 10",
    "spades(west) >= 5 && hearts(north) >= 5 && diamonds(east) >= 5 && clubs(south) <= 4",
    "hcp(north) >= 10 && hcp(north) <= 12 && hcp(east) <= 10 && hcp(south) >= 8 && hcp(west) <= 20",
    "hcp(south) >= 31 && spades(north) >= 5",
    "hcp(west) <= 3 && spades(east) >= 7",
    "hcp(west) == 0",
    "spades(west) == 6 && hcp(west) == 25",
    "spades(north) == 7 && hcp(north) <= 3 && spades(south) == 5 && hcp(south) <= 3",
]


CODE = page_code(PAGE.read_text("utf-8"))


def by_page(dealer: Dealer1999, k: int, seed: int) -> bytes | None:
    """The owners of a deal by the program of the page; None where it fails."""
    ranges = [[*hand.lengths, hand.hcp] for hand in dealer.hands]
    least, most = ([[ends[side] for ends in hand] for hand in ranges] for side in (0, 1))
    weights = [hand.weights for hand in dealer.hands]
    try:
        return bytes(CODE["deal"](least, most, weights, Stream(seed).chance(k, lane=2)))
    except ValueError:
        return None


def by_dealer(dealer: Dealer1999, k: int, seed: int) -> bytes | None:
    try:
        return dealer.deal(k, seed=seed).owners
    except DealFailedError:
        return None


@pytest.mark.slow
@pytest.mark.parametrize("where", CONDITIONS)
def test_the_program_of_the_page(where: str) -> None:
    dealer = deals_as_in_1999(where)
    for k in range(40):
        assert by_page(dealer, k, 7) == by_dealer(dealer, k, 7)


ranges = st.tuples(st.integers(0, 13), st.integers(0, 13)).map(lambda ends: (min(ends), max(ends)))
points = st.tuples(st.integers(0, 37), st.integers(0, 37)).map(lambda ends: (min(ends), max(ends)))
any_length, any_points = st.just((0, 13)), st.just((0, 37))
lengths = st.one_of(any_length, any_length, ranges)
hands = st.builds(
    HandLimits, lengths, lengths, lengths, lengths, hcp=st.one_of(any_points, any_points, points)
)


@pytest.mark.slow
@given(st.tuples(hands, hands, hands, hands), st.integers(0, 2**64 - 1))
@settings(max_examples=75, deadline=None)
def test_any_limits(limits: tuple[HandLimits, ...], k: int) -> None:
    try:
        dealer = Dealer1999(limits)
    except PavError:  # no deal is within the limits
        return
    owners = by_dealer(dealer, k, 7)
    assert owners == by_page(dealer, k, 7)
    if owners is not None:
        deal = dealer.deal(k, seed=7)
        for hand, limit in zip(deal, limits, strict=True):
            ranges = [*limit.lengths, limit.hcp]
            for value, (low, high) in zip([*hand.shape, hand.hcp], ranges, strict=True):
                assert low <= value <= high
