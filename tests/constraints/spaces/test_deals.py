"""Constraints as numberings: golden counts and members, splitting, conflicts, sequences, bytes."""

from __future__ import annotations

import pickle
from fractions import Fraction
from functools import cache
from itertools import islice
from math import comb
from typing import Any

import numpy as np
import pytest
from constraints_models import EDGES
from hypothesis import given, settings
from hypothesis import strategies as st
from oracles import DEALS, vectors
from strategies import deals as any_deals
from stream_support import numpy_index

import pavcodec as pav
from pavcodec import ConstrainedDeals, Deal
from pavcodec.constraints.counting.compile import Compiler
from pavcodec.constraints.counting.condition import Condition
from pavcodec.constraints.evaluation import evaluate
from pavcodec.constraints.expressions import condition, expression, hcp, points, spades
from pavcodec.constraints.nodes.format import format_node
from pavcodec.constraints.nodes.syntax import conjunction, parts_of

pytestmark = pytest.mark.filterwarnings("ignore:.*whatever the deal:pavcodec.ConstraintWarning")

GOLDEN: list[dict[str, Any]] = list(vectors("constraints"))


def exact(where: Any, **options: Any) -> ConstrainedDeals:
    """The deals of a condition that can be counted."""
    space = pav.deals(where, **options)
    assert isinstance(space, ConstrainedDeals)
    return space


@pytest.mark.slow
@pytest.mark.parametrize("row", GOLDEN, ids=[row["where"] for row in GOLDEN])
def test_golden_members_both_ways(row: dict[str, Any]) -> None:
    space = exact(row["where"])
    assert space.cardinality == int(row["count"])
    assert space.probability == Fraction(int(row["count"]), DEALS)
    assert type(space.probability) is Fraction
    assert len(row["members"]) == 9
    for member in row["members"]:
        deal = Deal.from_pbn(member["pbn"])
        assert space.rank(deal) == int(member["index"])
        assert space.unrank(int(member["index"])) == deal
        assert pav.numbering("deal").rank(deal) == int(member["number"])
        assert deal in space


OTHERS, TWO_OTHERS = comb(26, 13), comb(39, 13) * comb(26, 13)
"""The ways to give the other cards to two hands and to three."""
PUBLISHED = {
    "spades(west) == 9": 58_809_465 * TWO_OTHERS,
    "shape(south, any 4333 + any 4432 + any 5332) && hcp(south) >= 15 && hcp(south) <= 17": (
        30_897_212_184 * TWO_OTHERS
    ),
    "shape(east, any 5332) && hcp(east) == 34": 756 * TWO_OTHERS,
    "spades(west) == 9 && diamonds(east) == 6 && clubs(east) == 6": 556_991_252_532_000 * OTHERS,
    "hcp(north) == 2 && hcp(south) <= 1": 122_891_799_377_692_800 * OTHERS,
    "shape(north, any 4333 + any 4432 + any 5332) && hcp(north) >= 28 && hcp(north) <= 30"
    " && (spades(south) >= 5 || hearts(south) >= 5)": 338295781978660393372800,
    # 62 million cases of pattern and honours
    "shape(north, any 4333) && hcp(north) >= 10 && hcp(north) <= 12"
    " && shape(south, any 4441 + any 5440) && hcp(south) >= 11 && hcp(south) <= 15": (
        1_975_438_668_829_181_472 * OTHERS
    ),
}
"""Hands of the studies, times those of the others; and a count of another program."""


@pytest.mark.parametrize("where", PUBLISHED)
def test_published_counts(where: str) -> None:
    assert exact(where).cardinality == PUBLISHED[where]


def third(_: Deal) -> int:
    """A condition that nobody can count."""
    return 3


@pytest.mark.parametrize(
    ("where", "counted", "tested", "reason"),
    [
        ("rnd(6) == 0", "1", "rnd(6) == 0", "rnd is tested"),
        ("hcp(north) > 9 && rnd(2)", "hcp(north) > 9", "rnd(2)", "rnd is tested"),
        ("tricks(north, spades) > 9 && 1", "1", "tricks(north, spades) > 9", "tricks is tested"),
        (
            "aces(west) && imps(score(nv, x4S, tricks(south, spades))) > 3 && kings(east)",
            "aces(west) && kings(east)",
            "imps(score(nv, x4S, tricks(south, spades))) > 3",
            "tricks is tested",
        ),
        (
            "hcp(north) && 40 / hcp(north) == 3",
            "hcp(north)",
            "40 / hcp(north) == 3",
            "a division whose divisor can be 0",
        ),
        (
            "(hcp(south) > 30 || rnd(9) == 1) && hcp(south) > 20",
            "hcp(south) > 20",
            "hcp(south) > 30 || rnd(9) == 1",
            "rnd is tested",
        ),
        (
            condition(third) & (hcp("east") > 5),
            "hcp(east) > 5",
            "<third>",
            "a Python function is tested",
        ),
    ],
    ids=str,
)
def test_only_what_nobody_can_count_is_tested(
    where: Any, counted: str, tested: str, reason: str
) -> None:
    space = pav.deals(where)
    assert isinstance(space, pav.TestedDeals)
    assert (str(space.counted.where), str(space.tested)) == (counted, tested)
    assert [reason in each for each in space.reasons] == [True]


@pytest.mark.slow
@pytest.mark.parametrize(
    "where",
    [
        "40 / (hcp(north) ? hcp(north) : 1) == 3",
        "hcp(north) % 2 == 1 && hcp(north) / 3 > 2",
        "imps(score(vul, x6NX, hcp(north) / 3)) > 0",
        "quality(south, hearts) > 500 || losers(south) < 3",
        "!(spades(north) + hearts(east) > 5) && (hcp(west) > 9 ? aces(west) : kings(west)) == 2",
        "7",
        "0",
        "2 * 2 == 4",
        "2 * 2 == 5",
    ],
)
def test_everything_else_is_exact(where: str) -> None:
    space = exact(where)
    assert Condition(expression(where).node).split().tested == ()
    assert 0 <= space.cardinality <= DEALS
    if space.cardinality:
        deal = space[space.cardinality // 3]
        assert isinstance(deal, Deal)
        assert evaluate(expression(where).node, deal)
        assert space.rank(deal) == space.cardinality // 3


CONTRADICTIONS = {
    "hcp(north) > 37": ["hcp(north) > 37"],
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
@pytest.mark.parametrize("where", CONTRADICTIONS)
def test_conflicts_are_minimal(where: str) -> None:
    found = exact(where).conflict()
    assert [str(part) for part in found] == CONTRADICTIONS[where]
    nodes = [part.node for part in found]
    assert Condition(conjunction(nodes)).build().cardinality == 0
    for left_out in range(len(nodes)):
        others = nodes[:left_out] + nodes[left_out + 1 :]
        assert Condition(conjunction(others)).build().cardinality > 0


def test_what_can_be_has_no_conflict() -> None:
    assert exact("hcp(north) > 30 && hcp(south) > 5").conflict() == ()
    assert exact("1").conflict() == ()


@pytest.mark.parametrize("where", ["hcp(north) > 37", "0"])
def test_a_contradiction_is_an_empty_sequence(where: str) -> None:
    space = exact(where)
    assert space.cardinality == 0
    assert space.probability == 0
    assert not space
    assert len(space) == 0
    assert list(space) == list(space[:]) == list(reversed(space)) == []
    assert EDGES[0] not in space
    for place in (0, -1):
        with pytest.raises(IndexError):
            space[place]
    with pytest.raises(pav.NumberError):
        space.unrank(0)
    with pytest.raises(pav.LayoutError, match="does not satisfy"):
        space.rank(EDGES[0])
    with pytest.raises(pav.NumberError, match="there is nothing to draw from"):
        space.sample(1, seed=7)
    with pytest.raises(pav.NumberError, match="there is nothing to draw from"):
        space.draw(1, seed=7)


WHERES = [
    "hcp(north) >= 12 && hcp(south) <= 12",
    "spades(north) + spades(south) >= 8 || hcp(east) > hcp(west)",
    "losers(west) <= 6 && !shape(west, any 4333)",
]


@cache
def exact_once(where: str) -> ConstrainedDeals:
    """The deals of a condition, for all examples of a law."""
    return exact(where)


@pytest.mark.slow
@pytest.mark.parametrize("where", WHERES)
@given(st.lists(any_deals(), min_size=10, max_size=10))
@settings(max_examples=10, deadline=None)
def test_in_rank_and_the_evaluator_agree(where: str, some: list[Deal]) -> None:
    space, node = exact_once(where), expression(where).node
    for deal in (*some, *EDGES):
        is_member = bool(evaluate(node, deal))
        assert (deal in space) == is_member
        if is_member:
            assert space[space.rank(deal)] == deal
        else:
            with pytest.raises(pav.LayoutError, match="this deal does not satisfy"):
                space.rank(deal)


def test_what_is_no_deal_is_no_member() -> None:
    space = exact("hcp(north) >= 0")
    empty = pav.Layout(bytes([4] * 52))
    fouled = pav.Layout(bytes(52))
    for layout in (empty, fouled):
        assert layout not in space
        with pytest.raises(pav.LayoutError, match="holds deals with hcp"):
            space.rank(layout)
    others: list[Any] = [None, 5, EDGES[0].to_pbn(), EDGES[0].owners]
    for other in others:
        for wrong in (space.rank, space.__contains__, space[:9].__contains__):
            with pytest.raises(TypeError, match=f"not '{type(other).__name__}'"):
                wrong(other)


def test_positions_slices_and_iteration() -> None:
    space = exact("shape(east, any 5332) && hcp(east) == 34")
    total = space.cardinality
    assert space[-1] == space[total - 1] == space.unrank(total - 1)
    assert space[-total] == space[0]
    for place in (total, -total - 1):
        with pytest.raises(IndexError):
            space[place]
    for number in (total, -1):
        with pytest.raises(pav.NumberError, match=f"has numbers 0 to {total - 1}, not"):
            space.unrank(number)
    view = space[total // 2 :: total // 10]
    assert len(view) == view.cardinality == 5
    assert list(view) == [space[place] for place in view.numbers]
    assert view[-1] in view
    assert space[0] not in view
    assert list(islice(space, 3)) == [space[0], space[1], space[2]]
    assert next(reversed(space)) == space[-1]
    assert space.index(space[17]) == 17
    assert bool(space)
    with pytest.raises(OverflowError, match=str(total)):
        len(space)
    with pytest.raises(TypeError):
        space[1.0]  # type: ignore[call-overload]


def test_samples_are_the_members_that_the_stream_draws() -> None:
    space = exact("spades(west) == 9")
    for k in (0, 1, 2**40):
        drawn = space.unrank(numpy_index(9, k, space.cardinality))
        assert space.sample(1, seed=9, start=k) == [drawn]
    empty = exact("hcp(north) > 40")
    assert empty.unrank_many(np.empty((0, 2), np.uint64)).shape == (0, 52)
    with pytest.raises(pav.LayoutError, match=r"row 0: this deal does not satisfy"):
        empty.rank_many(space.sample_many(3, seed=1))


def test_one_based_numbers() -> None:
    space = exact("spades(west) == 9").one_based()
    assert isinstance(space, ConstrainedDeals)
    assert space.unrank(1) == space[0]
    assert space.rank(space[5]) == 6
    assert space.last == space.cardinality
    assert list(space.samples(3, seed=7)) == space.sample(3, seed=7)


def test_equality_hash_and_repr() -> None:
    one = exact("hcp(north)>=12   and spade(east)==5")
    other = exact((hcp("north") >= 12) & (spades("east") == 5))
    assert one == other
    assert hash(one) == hash(other)
    assert repr(one) == "deals('hcp(north) >= 12 && spades(east) == 5')"
    assert eval(repr(one), {"deals": pav.deals}) == one  # noqa: S307
    assert one != exact("hcp(north) >= 13 && spades(east) == 5")
    assert one != pav.numbering("deal")
    assert format_node(one.where.node) == one.name
    assert len({one, other}) == 1


def test_pickling_keeps_the_condition_and_not_the_model() -> None:
    space = exact("hcp(north) == 2 && hcp(south) <= 1")
    members = [space[place] for place in (0, 10**20, -1)]
    assert space.model.memory > 100_000
    data = pickle.dumps(space)
    assert len(data) < 3000
    twin = pickle.loads(data)
    assert type(twin) is ConstrainedDeals
    assert twin == space
    assert [twin[place] for place in (0, 10**20, -1)] == members
    assert twin.cardinality == space.cardinality


@pytest.mark.parametrize("row", GOLDEN[:2], ids=lambda row: row["where"])
def test_bytes_of_positions(row: dict[str, Any]) -> None:
    space = exact(row["where"])
    width = (space.cardinality - 1).bit_length() + 7 >> 3
    assert (space.width, space.record.size) == (width, width)
    for member in row["members"]:
        deal, index = Deal.from_pbn(member["pbn"]), int(member["index"])
        data = space.to_bytes(deal)
        assert data == index.to_bytes(width, "little")
        assert space.from_bytes(data) == deal
    with pytest.raises(pav.RecordError):
        space.from_bytes(space.cardinality.to_bytes(width, "little"))
    with pytest.raises(pav.RecordError):
        space.from_bytes(bytes(width + 1))
    outside = EDGES[2]
    assert outside not in space
    with pytest.raises(pav.LayoutError):
        space.to_bytes(outside)


def test_a_single_deal_takes_a_byte() -> None:
    space = exact("spades(north) == 13 && hearts(east) == 13 && diamonds(south) == 13")
    assert (space.cardinality, space.bits) == (1, 0)
    assert space.to_bytes(EDGES[0]) == b"\0"
    assert list(space) == [EDGES[0]]


@pytest.mark.parametrize(
    ("where", "message"),
    [
        ("hcp(nrth) > 3", "nrth"),
        ("hcp(north) >", "expected"),
        ("", "expected"),
        ("hcp(north) > 3)", "expected"),
        ("shape(north, any 4334)", "14"),
        ("unknown > 3", "unknown"),
        ("hcp(north) / 0 > 3", "division by 0"),
        ("hcp(north) > 1000000000000000000000000", "digits"),
    ],
)
def test_bad_texts_are_pointed_at(where: str, message: str) -> None:
    with pytest.raises(pav.TextError, match=message):
        pav.deals(where)


def test_numbers_that_are_too_large_to_count_are_tested_whatever_the_points() -> None:
    for worth in ([2**62], [2**59] * 13, [-(2**59)] * 13):
        heavy = points("north", worth)
        space = pav.deals((heavy > 0) & (spades("north") == 5))
        assert isinstance(space, pav.TestedDeals)
        assert str(space.counted.where) == "spades(north) == 5"
        assert "more than 2^61" in space.reasons[0]
        found = [evaluate(heavy.node, deal) > 0 for deal in space.counted.sample(20, seed=7)]
        assert [deal in space for deal in space.counted.sample(20, seed=7)] == found


@pytest.mark.parametrize(
    ("where", "part"),
    [
        ("spades(east) == 5 && hcp(north) * hcp(south) > losers(west) * 9", "hcp(north) * hcp("),
        ("cccc(north) > 1500 && aces(north)", "cccc(north) > 1500"),
    ],
)
def test_a_part_that_takes_too_much_memory_is_named(where: str, part: str) -> None:
    with pytest.raises(pav.ModelTooLarge) as caught:
        exact(where, memory=50_000).cardinality  # noqa: B018
    assert part in str(caught.value)
    assert "spades(east) == 5" not in str(caught.value)
    assert "takes more than 50 KB: it had " in str(caught.value)
    assert str(caught.value).endswith(
        "allow more with --memory or memory=, or loosen or leave out that part"
    )


@pytest.mark.parametrize("memory", ["1G", " 500 mib ", 10**8, np.int64(10**8)])
def test_memory_as_number_and_as_text(memory: Any) -> None:
    assert exact("hcp(north) == 37", memory=memory).cardinality == 337912392291465600


@pytest.mark.parametrize(
    ("memory", "error", "reason"),
    [
        (0, pav.NumberError, "memory is at least 1 byte, not 0"),
        ("0", pav.NumberError, "memory is at least 1 byte, not 0"),
        ("much", pav.NumberError, "a size is a number and K, M, G or T, not 'much'"),
        ("1e9", pav.NumberError, "not '1e9'"),
        (1e9, TypeError, "memory is a number of bytes, or text such as '2G', not float"),
        (None, TypeError, "not NoneType"),
    ],
)
def test_what_is_no_memory(memory: Any, error: type[Exception], reason: str) -> None:
    with pytest.raises(error, match=reason):
        pav.deals("hcp(north) == 37", memory=memory)


@pytest.mark.slow
def test_a_divisor_that_is_never_0_for_thirteen_cards() -> None:
    cards = "(spades(north) + hearts(north) + diamonds(north) + clubs(north))"
    thirteen = exact("hcp(north) >= 13").cardinality
    assert exact(f"hcp(north) / {cards} >= 1").cardinality == thirteen
    assert exact("hcp(north) / (38 - hcp(north)) >= 0").probability == 1
    tested = pav.deals("hcp(north) / (37 - hcp(north)) >= 0")
    assert isinstance(tested, pav.TestedDeals)


@pytest.mark.slow
def test_a_model_that_takes_too_much_memory_names_its_widest_part() -> None:
    where = "hcp(north) == 11 && losers(south) == 7"
    assert exact(where).cardinality > 0
    with pytest.raises(
        pav.ModelTooLarge, match=r"more than 1 MB: it had \S+ states when"
    ) as caught:
        exact(where, memory=1_000_000).cardinality  # noqa: B018
    widths = {Compiler().truth(part).widest: part for part in parts_of(expression(where).node)}
    widest = max(widths)
    assert f"most states by itself ({widest}) is '{format_node(widths[widest])}'" in str(
        caught.value
    )
