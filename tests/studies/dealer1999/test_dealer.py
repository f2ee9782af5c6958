"""The dealer of 1999: the figures of its article, the program of its page, its study, refusals."""

from __future__ import annotations

import json
import pickle
from collections import Counter
from typing import Any

import dealer1999_page as page_tool
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from oracles import FIXTURES
from stream_support import page_code

import pavcodec as pav
from pavcodec import (
    Dealer1999,
    DealFailedError,
    HandLimits,
    PavError,
    Seat,
    deals_as_in_1999,
)
from pavcodec.sampling import Stream
from pavcodec.studies.dealer1999 import EXPECTANCIES, Dealing, weighted

ROOT = FIXTURES.parent
ANYBODY = HandLimits()

# the article


def test_the_relative_probabilities_of_the_article() -> None:
    west = HandLimits(spades=(5, 6), hearts=(4, 4), hcp=(11, 15))
    east = HandLimits(diamonds=(4, 13), hcp=(10, 10))
    dealing = Dealing((ANYBODY, east, ANYBODY, west))
    assert dealing.soft == [13, 9, 13, 4]
    assert dealing.free == [8, 9, 9, 13]
    assert dealing.excess[Seat.WEST] == [1, 0, 4, 4]
    assert dealing.chances_of_slots(Seat.WEST) == [8, 0, 36, 52]
    picked = Counter(weighted([8, 0, 36, 52], lambda _, n=n: n) for n in range(96))  # type: ignore[misc]
    assert picked == {0: 8, 2: 36, 3: 52}
    dealing.take_slot(Seat.WEST, 0)
    assert dealing.lengths[Seat.WEST] == [6, 4, 0, 0]
    assert (dealing.soft[Seat.WEST], dealing.free) == (3, [7, 9, 9, 13])
    assert [dealing.excess[seat] for seat in (Seat.WEST, Seat.EAST)] == [[0, 0, 3, 3], [7, 9, 9, 9]]
    assert dealing.chances_of_slots(Seat.WEST) == [0, 0, 36, 52]  # the weights are as before
    five_four = HandLimits(spades=(5, 5), hearts=(4, 4), diamonds=(3, 3), clubs=(1, 1), hcp=(9, 9))
    dealing = Dealing((five_four, ANYBODY, ANYBODY, ANYBODY))
    assert dealing.chances_of_honours(Seat.NORTH) == [20, 16, 12, 4]
    dealing.take(Seat.NORTH, 1)
    assert dealing.chances_of_honours(Seat.NORTH) == [12, 16, 12, 4]


def test_the_table_is_the_exact_one_rounded() -> None:
    exact = pav.distribution("hcp(north)")
    assert [round(exact[points] * 10**6) for points in range(31)] == list(EXPECTANCIES)
    assert sum(EXPECTANCIES[15:18]) == 100963


# the page defines the dealer completely: what is written from it alone is the same


WEST = "spades(west) >= 5 && spades(west) <= 6 && hearts(west) == 4 && hcp(west) >= 11"
FAILS = "spades(west) == 6 && hcp(west) == 25"
CONDITIONS = [
    "1",
    f"{WEST} && hcp(west) <= 15 && diamonds(east) >= 4 && hcp(east) == 10",
    "spades(west) >= 5 && hearts(north) >= 5 && diamonds(east) >= 5 && clubs(south) <= 4",
    "hcp(north) >= 10 && hcp(north) <= 12 && hcp(east) <= 10 && hcp(south) >= 8 && hcp(west) <= 20",
    "hcp(south) >= 31 && spades(north) >= 5",
    "hcp(west) == 0",
    FAILS,
    "spades(north) == 7 && hcp(north) <= 3 && spades(south) == 5 && hcp(south) <= 3",
]
CODE = page_code((ROOT / "docs" / "studies" / "dealer1999.md").read_text("utf-8"))


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
def test_the_program_of_the_page() -> None:
    dealers = [deals_as_in_1999(where) for where in CONDITIONS]
    dealers += [
        deals_as_in_1999("spades(west) >= 5", weights={"west": (weight, None, None, None)})
        for weight in (0, 10**9)
    ]
    for dealer in dealers:
        assert [by_page(dealer, k, 7) for k in range(20)] == [
            by_dealer(dealer, k, 7) for k in range(20)
        ]
    for dealer, length in zip(dealers[-2:], (5, 13), strict=True):
        assert {deal["W"].shape[0] for deal in dealer.sample(20, seed=7)} == {length}


def ends(most: int) -> st.SearchStrategy[tuple[int, int]]:
    """All numbers, or those of a range."""
    one = st.integers(0, most)
    ranges = st.tuples(one, one).map(lambda pair: (min(pair), max(pair)))
    return st.one_of(st.just((0, most)), st.just((0, most)), ranges)


hands = st.builds(HandLimits, ends(13), ends(13), ends(13), ends(13), hcp=ends(37))


@pytest.mark.slow
@given(st.tuples(hands, hands, hands, hands), st.integers(0, 2**64 - 1))
@settings(deadline=None)
def test_any_limits(limits: tuple[HandLimits, ...], k: int) -> None:
    try:
        dealer = Dealer1999(limits)
    except PavError:  # no deal is within the limits
        return
    owners = by_dealer(dealer, k, 7)
    assert owners == by_page(dealer, k, 7)
    for hand, limit in zip(dealer.deal(k, seed=7) if owners else (), limits, strict=bool(owners)):
        ranges = [*limit.lengths, limit.hcp]
        for value, (low, high) in zip([*hand.shape, hand.hcp], ranges, strict=True):
            assert low <= value <= high


@pytest.mark.slow
def test_samples_are_each_by_itself_and_all_or_none() -> None:
    dealer = deals_as_in_1999(FAILS)
    deals = dealer.sample(20, seed=7)
    assert deals[5:8] == dealer.sample(3, seed=7, start=5)
    assert deals[3] == dealer.deal(3, seed=7)
    with pytest.raises(DealFailedError, match="failed at sample 71: the goals of points were not"):
        dealer.sample(100, seed=7)
    assert pickle.loads(pickle.dumps(dealer)) == dealer


# limits, and what is none


@pytest.mark.parametrize(
    ("where", "limits"),
    [
        ("!(hcp(south) < 12) && hcp(south) != 37", HandLimits(hcp=(12, 36))),
        ("hcp(south) == 10 || hcp(south) == 11", HandLimits(hcp=(10, 11))),
        ("2 * spades(south) > 9 && spades(south) <= 6", HandLimits(spades=(5, 6))),
        ("shape(south, any 4333)", HandLimits((3, 4), (3, 4), (3, 4), (3, 4))),
        ("hcp(south) <= 40 && 1", HandLimits()),
    ],
)
def test_conditions_that_are_limits(where: str, limits: HandLimits) -> None:
    dealer = deals_as_in_1999(where)
    assert dealer.hands == (ANYBODY, ANYBODY, limits, ANYBODY)
    assert deals_as_in_1999(dealer.where) == dealer


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        ({"spades": (6, 5)}, "a range of spades lies in 0 to 13, not 6 to 5"),
        ({"hcp": (0, 38)}, "a range of hcp lies in 0 to 37, not 0 to 38"),
        ({"spades": (5, 13), "weights": (1, 2, 3)}, "weights are four numbers from 0 on"),
        ({"weights": (1, 2, 3, 4)}, "this one has none"),
    ],
)
def test_ranges_and_weights_that_are_none(options: dict[str, Any], reason: str) -> None:
    with pytest.raises(PavError, match=reason):
        HandLimits(**options)


# the study of the bias: its counts are what the dealer deals, and say what the page says


KEPT = json.loads((ROOT / "tools" / "dealer1999_counts.json").read_text("utf-8"))


@pytest.mark.slow
def test_the_counts_are_of_all_deals_and_the_page_is_current() -> None:
    for name, example in page_tool.EXAMPLES.items():
        kept = KEPT[name]
        for question in example.questions:
            assert sum(kept["counts"][question].values()) == page_tool.DEALS - kept["failed"]
            assert sum(kept["exact"][question].values()) == page_tool.DEALS
        assert page_tool.digest(name, KEPT) in page_tool.picture(name).read_text("utf-8")
    failed, counts = page_tool.deal_1999("even", 0, page_tool.FIRST)
    assert {"failed": failed, "counts": page_tool.counted(counts)} == KEPT["even"]["first"]
    text = page_tool.PAGE.read_text("utf-8")
    assert page_tool.filled(text, KEPT) == text
