"""Many deals at once are those that the walk finds one by one, with their numbers."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest
from constraints_models import integers, limbs
from model_support import SPACES, partitions, space_of
from oracles import DEALS

import pavcodec as pav
from pavcodec import ConstrainedDeals, Deal


def check(space: ConstrainedDeals, places: list[int]) -> None:
    """Numbers and owners are those of one deal after another."""
    owners = space.unrank_many(limbs(places))
    numbers = pav.numbering("deal").rank_many(owners)
    assert numbers.dtype == np.uint64
    assert owners.dtype == np.uint8
    assert (numbers.shape, owners.shape) == ((len(places), 2), (len(places), 52))
    walked = [space.unrank(place) for place in places]
    assert [bytes(row) for row in owners] == [deal.owners for deal in walked]
    assert integers(numbers) == list(map(pav.numbering("deal").rank, walked))


@pytest.mark.slow
@pytest.mark.parametrize("name", SPACES)
def test_edges_and_random_indexes(name: str) -> None:
    space = space_of(name)
    total = space.cardinality
    random = Random(name)
    walked = [0, total - 1, total // 2, *(random.randrange(total) for _ in range(6))]
    edges = {edge for number in walked for edge in partitions(space.model, number)}
    near = {edge + step for edge in edges for step in (-1, 0, 1)}
    some = {random.randrange(total) for _ in range(100)}
    check(space, sorted(place for place in near | some | set(walked) if 0 <= place < total))


@pytest.mark.parametrize("name", ["all deals", "no hand, and yet a condition"])
def test_all_deals_have_their_own_numbers(name: str) -> None:
    space = space_of(name)
    assert space.cardinality == DEALS
    random = Random(5)
    places = [0, 1, DEALS - 1, *(random.randrange(DEALS) for _ in range(500))]
    numbers = pav.numbering("deal").rank_many(space.unrank_many(limbs(places)))
    assert integers(numbers) == places


@pytest.mark.slow
@pytest.mark.parametrize("name", ["all deals", "west", "three hands", "four hands"])
def test_a_draw_is_a_sample_by_numbers(name: str) -> None:
    space = space_of(name)
    for seed, start in (("a text", 0), (7, 12345), (2**127, 2**63)):
        sampled = space.sample(50, seed=seed, start=start)
        drawn = space.draw(50, seed=seed, start=start)
        assert integers(drawn) == list(map(pav.numbering("deal").rank, sampled))
    assert space.draw(0, seed=7).shape == (0, 2)


@pytest.mark.parametrize("name", ["all deals", "two hands", "four hands"])
def test_more_deals_than_are_done_at_once(name: str) -> None:
    """Batches are cut for threads; the seams are not to be seen."""
    space = space_of(name)
    whole = space.draw(40_000, seed=3)
    parts = [space.draw(10_000, seed=3, start=start) for start in range(0, 40_000, 10_000)]
    assert np.array_equal(whole, np.concatenate(parts))
    random = Random(1)
    for k in [0, 16_383, 16_384, 32_767, 32_768, 39_999, *random.sample(range(40_000), 20)]:
        [deal] = space.sample(1, seed=3, start=k)
        assert integers(whole[k : k + 1]) == [pav.numbering("deal").rank(deal)]


@pytest.mark.slow
@pytest.mark.parametrize("name", ["west", "four hands"])
def test_samples_one_after_another(name: str) -> None:
    space = space_of(name)
    few = space.samples(30, seed=7, start=5)
    assert next(few) == space.sample(1, seed=7, start=5)[0]
    assert list(few) == space.sample(29, seed=7, start=6)
    many = list(space.samples(40_000, seed=7))
    assert len(many) == 40_000
    for k in (0, 4095, 32_767, 32_768, 39_999):
        assert [many[k]] == space.sample(1, seed=7, start=k)
        assert type(many[k]) is Deal
    assert many[:20] == list(space.samples(20, seed=7))
    drawn = space.draw(40_000, seed=7)
    for k in range(0, 40_000, 997):
        assert integers(drawn[k : k + 1]) == [pav.numbering("deal").rank(many[k])]


def test_indexes_are_not_changed() -> None:
    space = space_of("west")
    indexes = limbs(range(0, space.cardinality, space.cardinality // 20))
    kept = indexes.copy()
    first = space.unrank_many(indexes)
    assert np.array_equal(indexes, kept)
    assert np.array_equal(space.unrank_many(indexes), first)


def test_what_cannot_be_drawn() -> None:
    space = space_of("west")
    for face in (space.draw, space.sample, space.samples):
        with pytest.raises(pav.NumberError, match="a count is 0 or more, not -1"):
            face(-1, seed=7)
        with pytest.raises(pav.NumberError, match="a seed has samples 0 to"):
            face(1, seed=7, start=2**64)
        with pytest.raises(pav.NumberError, match="a seed is a number from 0 to"):
            face(1, seed=-1)
        with pytest.raises(TypeError):
            face(1.5, seed=7)  # type: ignore[arg-type]
