"""Numberings in the order of a seed: the same layouts, other numbers, one by one and in arrays."""

from __future__ import annotations

import pickle
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from oracles import integers, limbs

import pavcodec as pav
from pavcodec.numberings.permuted import PermutedRanking
from pavcodec.numberings.rankings import HandByHand, OwnerDigits
from pavcodec.sampling import KeyedPermutation
from pavcodec.walk import FixedSizes, Ranking

NAMES = sorted({*pav.numbering_names(), *pav.numbering_names(classes=True)})
RARE = "hcp(south) == 37 && spades(south) == 4"


@pytest.mark.parametrize(
    "ranking", [FixedSizes((2, 2, 2, 2)), HandByHand((1, 2, 1)), OwnerDigits(4, 5)]
)
def test_whole_toy_decks(ranking: Ranking) -> None:
    other = PermutedRanking(ranking, 7)
    total = other.cardinality
    words = [other.unrank(number) for number in range(total)]
    assert len(set(words)) == total == ranking.cardinality
    assert [other.rank(word) for word in words] == list(range(total))
    order = KeyedPermutation(7, total)
    assert words[:5] == [ranking.unrank(order.number(k)) for k in range(5)]


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_every_numbering(name: str) -> None:
    space = pav.numbering(name)
    order = pav.permuted(space, "a seed")
    total = space.cardinality
    assert order.cardinality == total
    numbers = [0, 1, 2, 3, 4, total // 2, total - 1]
    permutation = KeyedPermutation(pav.permuted(space, "a seed").seed, total)
    expected = [space[permutation.number(k)] for k in numbers]
    assert [order.unrank(k) for k in numbers] == expected
    assert [order.rank(layout) for layout in expected] == numbers
    owners = order.unrank_many(limbs(numbers), threads=2)
    assert [bytes(row) for row in owners] == [layout.owners for layout in expected]
    assert integers(order.rank_many(owners)) == numbers
    assert expected[0] in order


@given(st.integers(0, 2**128 - 1), st.integers(0, 2**128 - 1))
def test_one_at_a_time(seed: int, number: int) -> None:
    order = pav.permuted(pav.numbering("deal"), seed)
    number %= order.cardinality
    assert order.rank(order[number]) == number


def test_the_deals_of_a_condition() -> None:
    space = pav.deals(RARE)
    order = pav.permuted(space, 7)
    assert list(order[10:20]) == list(order[:30])[10:20]
    assert all(deal in space for deal in order[:50])
    assert len(set(order[:1000])) == 1000
    owners = order.unrank_many(limbs(list(range(5000))))
    assert [bytes(row) for row in owners[:20]] == [deal.owners for deal in order[:20]]
    assert integers(order.rank_many(owners)) == list(range(5000))
    assert pav.numbering("deal")[0] not in order
    with pytest.raises(pav.LayoutError, match="this deal does not satisfy"):
        order.rank(pav.numbering("deal")[0])
    bad = owners[:3].copy()
    bad[1] = list(pav.numbering("deal")[0].owners)
    with pytest.raises(pav.LayoutError, match="row 1: this deal does not satisfy"):
        order.rank_many(bad)


def test_endings_of_a_condition() -> None:
    space = pav.endings("hcp(south) >= 7", cards=2)
    order = pav.permuted(space, 7)
    assert [order.rank(ending) for ending in order[:20]] == list(range(20))


def test_values() -> None:
    order = pav.permuted(pav.deals(RARE), "a seed")
    list(order[:3])
    again = pickle.loads(pickle.dumps(order))
    assert again == order
    assert hash(again) == hash(order)
    assert len(pickle.dumps(order)) < 2000
    assert eval(repr(order), {"permuted": pav.permuted, "deals": pav.deals}) == order  # noqa: S307
    assert order != pav.permuted(pav.deals(RARE), "another seed")
    assert order != pav.permuted(pav.numbering("deal"), "a seed")
    books = order.one_based()
    assert books.unrank(1) == order.unrank(0)
    assert books.rank(order[5]) == 6
    assert repr(books).endswith(".one_based()")
    assert (
        pav.permuted(pav.numbering("andrews").one_based(), 7)[3]
        == (pav.permuted(pav.numbering("andrews"), 7)[3])
    )
    assert order.from_bytes(order.to_bytes(order[9])) == order[9]
    assert "in the order of seed" in order.summary


def test_spaces_without_an_order() -> None:
    weights: Any = {"S": {"hearts": {3: 1, 4: "2.5", 7: 1}}}
    for space, reason in (
        (pav.deals("hcp(south) >= 20 && rnd(2) == 1"), "'TestedDeals': a part of its condition"),
        (pav.mix([("hcp(south) >= 20", 1)]), "'Mix': its deals are not equally likely"),
        (pav.weighted("hcp(south) == 37", weights), "'WeightedDeals': its deals are not equally"),
        ("hcp(south) == 37", "not 'str'"),
    ):
        with pytest.raises(TypeError, match=reason):
            pav.permuted(space, 7)
    with pytest.raises(pav.NumberError, match="1 to 2\\^128 layouts, not 0"):
        pav.permuted(pav.deals("hcp(south) > 37"), 7)
    with pytest.raises(pav.NumberError, match="has numbers 0 to"):
        pav.permuted(pav.numbering("deal"), 7).unrank(-1)
