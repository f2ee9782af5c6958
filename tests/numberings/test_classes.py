"""The numberings of classes: vectors, laws, batches on toy decks, values."""

from __future__ import annotations

import pickle
import subprocess
import sys
from functools import cache

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from oracles import vectors, words_of_sizes
from strategies import deals, numbers_of

import pavcodec as pav
from pavcodec.numberings.classes import ClassWalk
from pavcodec.symmetry import Symmetry, seatings, symmetry_of

NAMES = {"deal-suits": "suits", "deal-suits-turns": "suits,turns"}
SIZES = {
    "deal-suits": (2235197513162569580480368800, 91, 12),
    "deal-suits-turns": (558799378290664206767572008, 89, 12),
}
every_numbering = pytest.mark.parametrize("name", NAMES)


def integers(rows: np.ndarray) -> list[int]:
    return [high << 64 | low for high, low in rows.tolist()]


def test_they_are_listed_apart() -> None:
    assert pav.numbering_names(classes=True) == [*pav.numbering_names(), *NAMES]


@every_numbering
def test_sizes(name: str) -> None:
    ranks = pav.numbering(name)
    assert (ranks.cardinality, ranks.bits, ranks.width) == SIZES[name]
    assert ranks.cardinality == pav.class_count(NAMES[name])
    assert isinstance(ranks[0], pav.Deal)


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


@pytest.mark.slow
@every_numbering
def test_arrays_are_the_same_as_one_by_one(name: str) -> None:
    ranks = pav.numbering(name)
    deals: list[pav.Layout] = list(pav.numbering("deal").sample(150, seed=11))
    deals += [pav.numbering("deal")[0], ranks[0], ranks[-1], ranks[1], ranks[-2]]
    owners = np.array([list(deal.owners) for deal in deals], np.uint8)
    for threads in (1, 3):
        found = ranks.rank_many(owners, threads=threads)
        assert integers(found) == [ranks.rank(deal) for deal in deals]
        canonical, _ = pav.canonical_many(owners, NAMES[name])
        assert np.array_equal(ranks.unrank_many(found, threads=threads), canonical)
    with pytest.raises(pav.LayoutError, match=f"^row 1: numbering '{name}' holds deals of 13"):
        ranks.rank_many(np.array([list(deals[0].owners), [0] * 52], np.uint8))
    with pytest.raises(pav.NumberError, match=f"numbering '{name}' has numbers 0 to"):
        ranks.unrank_many(np.array([divmod(ranks.cardinality, 2**64)], np.uint64))


@pytest.mark.long
@pytest.mark.slow
@every_numbering
def test_a_million_random_deals(name: str) -> None:
    ranks = pav.numbering(name)
    for begin in range(0, 10**6, 10**5):
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


@every_numbering
def test_numberings_of_classes_are_values(name: str) -> None:
    ranks = pav.numbering(name)
    ranks.rank(ranks.unrank(ranks.cardinality // 3))
    copy = pickle.loads(pickle.dumps(ranks))
    assert (copy, hash(copy)) == (ranks, hash(ranks))
    assert copy.unrank(12345) == ranks.unrank(12345)
    assert len(pickle.dumps(ranks)) < 1200
    assert ranks.from_bytes(ranks.to_bytes(ranks[7**30])) == ranks[7**30]
    ones = pav.numbering(name, one_based=True)
    assert (ones.rank(ranks[5]), ones.index(ranks[5])) == (6, 5)
    with pytest.raises(
        pav.LayoutError, match=f"{name}.* holds deals of 13 cards .*; here N holds 0"
    ):
        ranks.rank(pav.Layout(bytes([4] * 52)))


@pytest.mark.parametrize("name", [*NAMES, "legal"])
def test_one_by_one_needs_no_arrays(name: str) -> None:
    code = f"d = p.numbering({name!r}); d.rank(d.unrank(d.last)); p.class_count('seats')"
    check = f"import sys, pavcodec as p; {code}; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", check], capture_output=True, text=True, check=True)
    assert "numpy" not in done.stdout.split()
