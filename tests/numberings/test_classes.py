"""The numberings of classes: vectors, laws, batches on toy decks, values."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from oracles import integers, vectors, words_of_sizes
from strategies import deals, numbers_of

import pavcodec as pav
from pavcodec.numberings.classes import ClassWalk
from pavcodec.symmetry import Symmetry, seatings, symmetry_of

NAMES = {"deal-suits": "suits", "deal-suits-turns": "suits,turns"}
every_numbering = pytest.mark.parametrize("name", NAMES)


def test_they_are_listed_apart() -> None:
    assert pav.numbering_names(classes=True) == [*pav.numbering_names(), *NAMES]


@every_numbering
def test_golden_classes(name: str) -> None:
    ranks = pav.numbering(name)
    rows = vectors(name)
    assert len(rows) == 60
    for row in rows:
        number, deal = int(row["number"]), pav.Deal.from_pbn(row["pbn"])
        assert ranks.rank(deal) == number
        assert str(ranks.unrank(number)) == row["canonical"]


@every_numbering
@settings(deadline=None)  # the first deals make nodes
@given(data=st.data())
def test_rank_undoes_unrank(name: str, data: st.DataObject) -> None:
    ranks = pav.numbering(name)
    number = data.draw(numbers_of(ranks))
    deal = ranks.unrank(number)
    assert ranks.rank(deal) == number
    assert deal.canonical(NAMES[name])[0] == deal


@pytest.mark.slow
@every_numbering
@settings(deadline=None)
@given(deal=deals(), data=st.data())
def test_all_deals_of_a_class_have_its_number(
    name: str, deal: pav.Deal, data: st.DataObject
) -> None:
    ranks = pav.numbering(name)
    number = ranks.rank(deal)
    assert ranks.unrank(number) == deal.canonical(NAMES[name])[0]
    permutation = data.draw(st.sampled_from(symmetry_of(NAMES[name]).permutations))
    assert ranks.rank(deal.permuted(permutation)) == number


@every_numbering
@settings(deadline=None)
@given(data=st.data())
def test_the_order_is_that_of_deal_ranked(name: str, data: st.DataObject) -> None:
    ranks, ranked = pav.numbering(name), pav.numbering("deal-ranked")
    one, other = data.draw(numbers_of(ranks)), data.draw(numbers_of(ranks))
    assert (one < other) == (ranked.rank(ranks[one]) < ranked.rank(ranks[other]))
    later = min(one + 1, ranks.last)
    assert one == later or ranked.rank(ranks[one]) < ranked.rank(ranks[later])


@pytest.mark.long
@pytest.mark.slow
@every_numbering
def test_many_random_deals(name: str) -> None:
    ranks = pav.numbering(name)
    for begin in range(0, 3 * 10**5, 10**5):
        owners = pav.numbering("deal").sample_many(10**5, seed="a million", start=begin)
        numbers = ranks.rank_many(owners)
        canonical, _ = pav.canonical_many(owners, NAMES[name])
        assert np.array_equal(ranks.unrank_many(numbers), canonical)
        assert np.array_equal(ranks.rank_many(canonical), numbers)


@cache
def toy(suits: int, ranks: int, seats: int, seating: str) -> ClassWalk:
    return ClassWalk(
        Symmetry("toy", any_suits=True, seatings=seatings(seating, seats), suits=suits), ranks
    )


@pytest.mark.slow
@pytest.mark.parametrize("deck", [(4, 1, 4), (2, 2, 4), (3, 4, 2), (3, 2, 3), (4, 2, 4)], ids=str)
@pytest.mark.parametrize("seating", ["", "turns", "seats"])
def test_batches_of_toy_decks(deck: tuple[int, int, int], seating: str) -> None:
    walk = toy(*deck, seating)
    words = words_of_sizes(walk.capacities)
    owners = np.frombuffer(b"".join(words), np.uint8).reshape(len(words), -1).copy()
    numbers = np.empty((len(words), 2), np.uint64)
    assert walk.rank_rows(len(words), owners, numbers) == -1
    assert integers(numbers)[::7] == [walk.rank(word) for word in words[::7]]
    every_number = np.array([[0, number] for number in range(walk.cardinality)], np.uint64)
    found = np.empty((walk.cardinality, owners.shape[1]), np.uint8)
    walk.unrank_rows(walk.cardinality, every_number, found)
    assert [row.tobytes() for row in found] == [walk.unrank(n) for n in range(walk.cardinality)]
    again = np.empty_like(every_number)
    assert walk.rank_rows(walk.cardinality, found, again) == -1
    assert np.array_equal(again, every_number)
    owners[3] = 0
    assert walk.rank_rows(len(words), owners, numbers) == 3
