"""What spaces of any kind do: samples are the stream, different ones, and the order of a seed."""

from __future__ import annotations

import pickle
from typing import Any

import pytest
from gmpy2 import mpz
from oracles import integers, limbs
from stream_support import numpy_index

import pavcodec as pav
from pavcodec.sampling import KeyedPermutation, Stream

RARE = "hcp(south) == 37 && spades(south) == 4"
every_numbering = pytest.mark.parametrize("name", pav.numbering_names(classes=True))


@every_numbering
def test_samples_and_draws_are_the_stream(name: str) -> None:
    for numbering in (pav.numbering(name), pav.numbering(name, one_based=True)):
        drawn = integers(numbering.draw(20, seed=7, start=3))
        assert drawn == [numpy_index(7, k, numbering.cardinality) for k in range(3, 23)]
        sampled = numbering.sample(20, seed=7, start=3)
        assert [numbering.index(layout) for layout in sampled] == drawn
        assert {type(layout) for layout in sampled} == {numbering.layout_type}
        owners = numbering.sample_many(mpz(20), seed=mpz(7), start=mpz(3), threads=2)
        assert [bytes(row) for row in owners] == [layout.owners for layout in sampled]


@pytest.mark.slow
@pytest.mark.parametrize(("count", "start"), [(1, 0), (90, 7), (2500, 0)])
def test_distinct_samples_are_those_of_the_stream(count: int, start: int) -> None:
    spaces: list[pav.Numbering] = [
        pav.numbering("deal"),
        pav.deals("hcp(south) == 37", method="counted"),
        pav.endings(cards=2),
    ]
    for space in spaces:
        indexes = list(Stream(7).distinct_indexes(space.cardinality, count, start))
        expected = [space.unrank(index) for index in indexes]
        assert space.sample(count, seed=7, start=start, distinct=True) == expected
        owners = space.sample_many(count, seed=7, start=start, distinct=True)
        assert [row.tobytes() for row in owners] == [each.owners for each in expected]
        numbers = integers(space.draw(count, seed=7, start=start, distinct=True))
        if isinstance(space, pav.ConstrainedDeals):
            assert numbers == list(map(pav.numbering("deal").rank, expected))
        else:
            assert numbers == indexes


@pytest.mark.slow
def test_a_small_space_has_each_layout_once() -> None:
    few = pav.endings("hcp(north) == 4 && hcp(east) == 4 && hcp(south) == 4", cards=1)
    assert few.cardinality == len({*few}) == 24 * 49
    every = few.sample(few.cardinality, seed=7, distinct=True)
    assert sorted(map(few.rank, every)) == list(range(few.cardinality))
    for draw in (few.sample, few.sample_many, few.draw, few.samples):
        with pytest.raises(pav.NumberError, match="1177 different ones cannot be drawn from 1176"):
            draw(few.cardinality + 1, seed=7, distinct=True)


@pytest.mark.slow
def test_the_deals_of_a_condition_in_the_order_of_a_seed() -> None:
    space = pav.deals(RARE)
    order = pav.permuted(space, 7)
    assert list(order[10:20]) == list(order[:30])[10:20]
    assert all(deal in space for deal in order[:50])
    owners = order.unrank_many(limbs(list(range(2000))))
    assert len({bytes(row) for row in owners}) == 2000
    assert [bytes(row) for row in owners[:20]] == [deal.owners for deal in order[:20]]
    assert integers(order.rank_many(owners)) == list(range(2000))
    other = pav.numbering("deal")[0]
    assert other not in order
    with pytest.raises(pav.LayoutError, match="this deal does not satisfy"):
        order.rank(other)
    owners[1] = list(other.owners)
    with pytest.raises(pav.LayoutError, match="row 1: this deal does not satisfy"):
        order.rank_many(owners[:3])
    few = pav.permuted(pav.endings("hcp(south) >= 7", cards=2), 7)
    assert [few.rank(ending) for ending in few[:20]] == list(range(20))
    base, total = pav.numbering("ending"), pav.numbering("ending").cardinality
    order, permutation = pav.permuted(base, "a seed"), KeyedPermutation("a seed", total)  # type: ignore[arg-type]
    for k in (0, 1, total // 2, total - 1):
        assert order[k] == base[permutation.number(k)]
        assert order.rank(order[k]) == k


def test_orders_are_values() -> None:
    order = pav.permuted(pav.deals(RARE), "a seed")
    list(order[:3])
    assert pickle.loads(pickle.dumps(order)) == order
    assert len(pickle.dumps(order)) < 2000
    assert eval(repr(order), {"permuted": pav.permuted, "deals": pav.deals}) == order  # noqa: S307
    assert order != pav.permuted(pav.deals(RARE), "another seed")
    assert order != pav.permuted(pav.numbering("deal"), "a seed")
    assert order.one_based().rank(order[5]) == 6
    assert repr(order.one_based()).endswith(".one_based()")
    andrews = pav.numbering("andrews")
    assert pav.permuted(andrews.one_based(), 7)[3] == pav.permuted(andrews, 7)[3]


@pytest.mark.slow
def test_what_has_no_order_and_is_not_drawn() -> None:
    weights: Any = {"S": {"hearts": {3: 1, 4: "2.5", 7: 1}}}
    for draw in (pav.numbering("deal").sample, pav.numbering("deal").draw):
        with pytest.raises(pav.NumberError, match=f"at most 2\\^48 .*, not {2**63}"):
            draw(2**63, seed=7)
    for space, reason in (
        (pav.deals("hcp(south) >= 20 && rnd(2) == 1"), "'TestedDeals': a part of its condition"),
        (pav.mix([("hcp(south) >= 20", 1)]), "'Mix': its deals are not equally likely"),
        (pav.weighted("hcp(south) == 37", weights), "'WeightedDeals': its deals are not equally"),
    ):
        with pytest.raises(TypeError, match=reason):
            pav.permuted(space, 7)
    with pytest.raises(pav.NumberError, match="1 to 2\\^128 layouts, not 0"):
        pav.permuted(pav.deals("hcp(south) > 37"), 7)
    with pytest.raises(pav.NumberError, match="has numbers 0 to"):
        pav.permuted(pav.numbering("deal"), 7).unrank(-1)
