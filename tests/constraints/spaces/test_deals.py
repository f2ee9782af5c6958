"""Constraints as numberings: golden counts and members, splitting, conflicts, sequences, bytes."""

from __future__ import annotations

import pickle
from fractions import Fraction
from math import comb
from typing import Any

import numpy as np
import pytest
from constraints_models import EDGES
from oracles import DEALS, vectors

import pavcodec as pav
from pavcodec import ConstrainedDeals, Deal
from pavcodec.constraints.expressions import condition, hcp, points, spades

pytestmark = pytest.mark.filterwarnings("ignore:.*whatever the deal:pavcodec.ConstraintWarning")

GOLDEN: list[dict[str, Any]] = list(vectors("constraints"))


def exact(where: Any, **options: Any) -> ConstrainedDeals:
    """The deals of a condition that can be counted."""
    space = pav.deals(where, **options)
    assert isinstance(space, ConstrainedDeals)
    return space


@pytest.mark.parametrize("row", GOLDEN, ids=[row["where"] for row in GOLDEN])
def test_golden_members_both_ways(row: dict[str, Any]) -> None:
    space, total = exact(row["where"]), int(row["count"])
    width = (total - 1).bit_length() + 7 >> 3
    assert (space.cardinality, space.probability) == (total, Fraction(total, DEALS))
    assert (space.width, space.record.size) == (width, width)
    assert len(row["members"]) == 9
    for member in row["members"]:
        deal, index = Deal.from_pbn(member["pbn"]), int(member["index"])
        assert (space.rank(deal), space.unrank(index)) == (index, deal)
        assert pav.numbering("deal").rank(deal) == int(member["number"])
        assert deal in space
        assert space.to_bytes(deal) == index.to_bytes(width, "little")
        assert space.from_bytes(index.to_bytes(width, "little")) == deal
    for data in (total.to_bytes(width, "little"), bytes(width + 1)):
        with pytest.raises(pav.RecordError):
            space.from_bytes(data)


PUBLISHED = {
    "shape(north, any 4333 + any 4432 + any 5332) && hcp(north) >= 28 && hcp(north) <= 30"
    " && (spades(south) >= 5 || hearts(south) >= 5)": 338295781978660393372800,
    # 62 million cases of pattern and honours
    "shape(north, any 4333) && hcp(north) >= 10 && hcp(north) <= 12"
    " && shape(south, any 4441 + any 5440) && hcp(south) >= 11 && hcp(south) <= 15": (
        1_975_438_668_829_181_472 * comb(26, 13)
    ),
}
"""The count of another program; and hands of a study, times those of the others."""


@pytest.mark.slow
def test_published_counts() -> None:
    assert {where: exact(where).cardinality for where in PUBLISHED} == PUBLISHED


def third(_: Deal) -> int:
    """A condition that nobody can count."""
    return 3


DIVIDED = "a division whose divisor can be 0"
CONTRACT = "imps(score(nv, x4S, tricks(south, spades))) > 3"
EITHER = "hcp(south) > 30 || rnd(9) == 1"
SPLIT: list[tuple[Any, str, str, str]] = [
    ("rnd(6) == 0", "1", "rnd(6) == 0", "rnd is tested"),
    ("tricks(north, spades) > 9 && 1", "1", "tricks(north, spades) > 9", "tricks is tested"),
    (
        f"aces(west) && {CONTRACT} && kings(east)",
        "aces(west) && kings(east)",
        CONTRACT,
        "tricks is",
    ),
    ("hcp(north) && 40 / hcp(north) == 3", "hcp(north)", "40 / hcp(north) == 3", DIVIDED),
    (f"({EITHER}) && hcp(south) > 20", "hcp(south) > 20", EITHER, "rnd is tested"),
    (condition(third) & (hcp("east") > 5), "hcp(east) > 5", "<third>", "a Python function is"),
]


@pytest.mark.parametrize(("where", "counted", "tested", "reason"), SPLIT, ids=str)
def test_only_what_nobody_can_count_is_tested(
    where: Any, counted: str, tested: str, reason: str
) -> None:
    space = pav.deals(where)
    assert isinstance(space, pav.TestedDeals)
    assert (str(space.counted.where), str(space.tested)) == (counted, tested)
    assert [reason in each for each in space.reasons] == [True]


@pytest.mark.parametrize("where", ["2 * 2 == 4", "hcp(north) / (38 - hcp(north)) >= 0"])
def test_a_condition_that_is_always_true(where: str) -> None:
    space = exact(where)
    assert (space.cardinality, space.probability) == (DEALS, Fraction(1))
    for place in (0, 12345678901234567890123456789, DEALS - 1):
        deal = pav.numbering("deal")[place]
        assert (space[place], space.rank(deal)) == (deal, place)


CONFLICTS = {
    "1": [],
    "hcp(north) > 30 && hcp(south) > 5": [],
    "hcp(north) >= 30 && spades(east) == 5 && hcp(south) >= 20": [
        "hcp(north) >= 30",
        "hcp(south) >= 20",
    ],
    "spades(north) >= 5 && spades(east) >= 5 && hcp(west) > 3 && spades(south) >= 4": [
        "spades(north) >= 5",
        "spades(east) >= 5",
        "spades(south) >= 4",
    ],
    "hascard(north, SA) && aces(south) == 1 && hascard(south, SA)": [
        "hascard(north, AS)",
        "hascard(south, AS)",
    ],
    "aces(north) == 2 && aces(north) == 3 && aces(north) == 4": [
        "aces(north) == 3",
        "aces(north) == 4",
    ],
    "0": ["0"],
    "hcp(north) > 3 && 2 * 2 == 5": ["2 * 2 == 5"],
    "hcp(north) == 38 && hcp(north) == 38": ["hcp(north) == 38"],
}


@pytest.mark.slow
@pytest.mark.parametrize("where", CONFLICTS)
def test_conflicts_are_minimal(where: str) -> None:
    assert [str(part) for part in exact(where).conflict()] == CONFLICTS[where]


def test_a_contradiction_is_an_empty_sequence() -> None:
    space = exact("spades(north) + spades(south) > 13")
    assert (space.cardinality, len(space), bool(space)) == (0, 0, False)
    assert space.probability == 0
    assert list(space) == list(space[:]) == list(reversed(space)) == []
    assert EDGES[0] not in space
    for place in (0, -1):
        with pytest.raises(IndexError):
            space[place]
    with pytest.raises(pav.NumberError):
        space.unrank(0)
    with pytest.raises(pav.LayoutError, match="does not satisfy"):
        space.rank(EDGES[0])
    draws: list[Any] = [space.sample, space.draw]
    for draw in draws:
        with pytest.raises(pav.NumberError, match="there is nothing to draw from"):
            draw(1, seed=7)


def test_what_is_no_deal_is_no_member() -> None:
    space = exact("hcp(north) >= 0")
    for layout in (pav.Layout(bytes([4] * 52)), pav.Layout(bytes(52))):
        assert layout not in space
        with pytest.raises(pav.LayoutError, match="holds deals with hcp"):
            space.rank(layout)


def test_numbers_and_positions() -> None:
    space = exact("shape(east, any 5332) && hcp(east) == 34")
    total = space.cardinality
    assert space[-1] == space[total - 1] == space.unrank(total - 1)
    for number in (total, -1):
        with pytest.raises(pav.NumberError, match=f"has numbers 0 to {total - 1}, not"):
            space.unrank(number)
    with pytest.raises(OverflowError, match=str(total)):
        len(space)
    other = space.one_based()
    assert (other.unrank(1), other.rank(space[5]), other.last) == (space[0], 6, total)
    assert repr(other) == f"{space!r}.one_based()"


def test_a_value_without_its_model() -> None:
    one = exact("hcp(north)>=12   and spade(east)==5")
    assert one == exact((hcp("north") >= 12) & (spades("east") == 5))
    assert repr(one) == "deals('hcp(north) >= 12 && spades(east) == 5')"
    assert eval(repr(one), {"deals": pav.deals}) == one  # noqa: S307
    assert one not in (exact("hcp(north) >= 13 && spades(east) == 5"), pav.numbering("deal"))
    assert one.model.memory > 100_000
    assert len(pickle.dumps(one)) < 3000


def test_a_single_deal_takes_a_byte() -> None:
    space = exact("spades(north) == 13 && hearts(east) == 13 && diamonds(south) == 13")
    assert (space.cardinality, space.bits) == (1, 0)
    assert space.to_bytes(EDGES[0]) == b"\0"
    assert list(space) == [EDGES[0]]
    with pytest.raises(pav.LayoutError):
        space.to_bytes(EDGES[2])


@pytest.mark.parametrize("worth", [[2**59] * 13, [-(2**59)] * 13])
def test_numbers_that_are_too_large_to_count_are_tested(worth: list[int]) -> None:
    heavy = points("north", worth)
    space = pav.deals((heavy > 0) & (spades("north") == 5))
    assert isinstance(space, pav.TestedDeals)
    assert str(space.counted.where) == "spades(north) == 5"
    assert "more than 2^61" in space.reasons[0]
    some = space.counted.sample(9, seed=7)
    assert {deal in space for deal in some} == {worth[0] > 0}


TOO_LARGE = [
    (
        "spades(east) == 5 && hcp(north) * hcp(south) > 99",
        50_000,
        r"^'hcp\(north\) \* hcp\(south\)' in .* 50 KB: .* or loosen or leave out that part$",
    ),
    ("cccc(north) > 1500 && aces(north)", 50_000, r"^'cccc\(north\)' in .* takes more than 50 KB"),
    (
        "aces(north) > 1 && hcp(north) + cccc(south) > 1500",
        1 << 22,
        r"^'cccc\(south\)' in .* more than 4 MiB: it had 172,642 states when it came to H4; allow",
    ),
    (
        "hcp(north) == 11 && losers(south) == 7",
        1_000_000,
        r"1 MB: it had \S+ states when .*most states by itself \(\d+\) is 'losers\(south\) == 7'",
    ),
]  # fmt: skip


@pytest.mark.parametrize(("where", "memory", "message"), TOO_LARGE)
def test_a_part_that_takes_too_much_memory_is_named(where: str, memory: int, message: str) -> None:
    with pytest.raises(pav.ModelTooLarge, match=message):
        exact(where, memory=memory).cardinality  # noqa: B018


@pytest.mark.parametrize("memory", ["1G", " 500 mib ", np.int64(10**8)])
def test_memory_as_number_and_as_text(memory: Any) -> None:
    assert exact("hcp(north) == 37", memory=memory).cardinality == 337912392291465600


@pytest.mark.parametrize(
    ("where", "memory", "error", "reason"),
    [
        ("1", -5, pav.NumberError, "memory is at least 1 byte, not -5"),
        ("1", "0", pav.NumberError, "memory is at least 1 byte, not 0"),
        ("1", "much", pav.NumberError, "a size is a number and K, M, G or T, not 'much'"),
        ("", "1G", pav.TextError, "expected"),
        ("hcp(nrth) > 3", "1G", pav.TextError, "nrth"),
        ("shape(north, any 4334)", "1G", pav.TextError, "14"),
        ("hcp(north) / 0 > 3", "1G", pav.TextError, "division by 0"),
    ],
)
def test_what_is_refused(where: str, memory: Any, error: type[Exception], reason: str) -> None:
    with pytest.raises(error, match=reason):
        pav.deals(where, memory=memory)
