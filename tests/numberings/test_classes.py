"""Classes: on toy decks, whole, against classes that are made by trying everything; and vectors."""

from __future__ import annotations

import pickle
from itertools import permutations
from operator import itemgetter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from oracles import DEALS, integers, limbs, vectors, words_of_sizes
from ranking_support import Kernel, assert_rows, definitions, every_kernel
from strategies import numbers_of

import pavcodec as pav
from pavcodec.numberings.classes import ClassWalk
from pavcodec.symmetry import Symmetry, class_count, count_classes, seatings, symmetry_of
from pavcodec.walk import NotAMemberError

NAMES = {"deal-suits": "suits", "deal-suits-turns": "suits,turns"}
every_numbering = pytest.mark.parametrize("name", NAMES)
SIZES = {
    "suits": 2235197513162569580480368800,
    "turns": 13411184441372198209809360000,
    "suits,half-turn": 1117598756581328413518366800,
    "suits,turns": 558799378290664206767572008,
    "suits,seats": 93133229715117977002372951,
}
DECKS = [(4, 1, 4), (2, 2, 4), (2, 5, 2), (3, 2, 3), (4, 2, 4)]
"""Suits, ranks and seats of toy decks."""
KINDS = [
    (any_suits, name)
    for any_suits in (True, False)
    for name in ("", "turns", "half-turn", "seats")
    if any_suits or name
]
CASES = [
    (deck, *kind) for deck in DECKS for kind in KINDS if kind[1] != "half-turn" or deck[2] == 4
]


def least_words(deck: tuple[int, int, int], symmetry: Symmetry) -> dict[bytes, bytes]:
    """The least word of the class of each word, rank by rank, by trying every permutation."""
    suits, ranks, seats = deck
    by_ranks = itemgetter(*(s * ranks + r for r in range(ranks) for s in range(suits)))
    orders = list(permutations(range(suits))) if symmetry.any_suits else [tuple(range(suits))]
    moves = [itemgetter(*(s * ranks + r for s in order for r in range(ranks))) for order in orders]
    names = [bytes(each).ljust(256, b"?") for each in symmetry.seatings]
    least: dict[bytes, bytes] = {}
    for word in words_of_sizes((suits * ranks // seats,) * seats):
        if word not in least:
            moved = {bytes(move(word)) for move in moves}
            images = {each.translate(name) for each in moved for name in names}
            least |= dict.fromkeys(images, min(images, key=by_ranks))
    return dict(sorted(least.items(), key=lambda item: by_ranks(item[1])))


@every_kernel
@pytest.mark.parametrize(("deck", "any_suits", "seating"), CASES)
def test_the_order_is_that_of_the_least_words(
    deck: tuple[int, int, int], any_suits: bool, seating: str, chosen: Kernel
) -> None:
    suits, ranks, seats = deck
    symmetry = Symmetry("toy", any_suits, seatings(seating, seats), suits)
    least = least_words(deck, symmetry)
    in_order = list(dict.fromkeys(least.values()))
    places = {word: number for number, word in enumerate(in_order)}
    words = [*least][:: 1 + len(least) // 800]
    with chosen():
        walk = ClassWalk(symmetry, ranks)
        assert walk.cardinality == len(in_order)
        numbers = [*range(0, len(in_order), 1 + len(in_order) // 800), len(in_order) - 1]
        assert_rows(walk, numbers, [in_order[number] for number in numbers])
        owners, found = np.array([*map(list, words)], np.uint8), limbs([0] * len(words))
        assert walk.rank_rows(len(words), owners, found) == -1
        assert integers(found) == [places[least[word]] for word in words]
        owners[3] = 0
        assert walk.rank_rows(len(words), owners, found) == 3


@pytest.mark.slow
@pytest.mark.parametrize("rooms", [(3, 1, 0, 0), (1, 2, 1, 2), (2, 2, 2, 2)])
def test_counts_of_hands_of_any_sizes(rooms: tuple[int, ...]) -> None:
    """Burnside's lemma counts the classes of words, taken over the permutations that keep sizes."""
    for any_suits, seating in KINDS:
        symmetry = Symmetry("toy", any_suits, seatings(seating, 4), 2)
        kept = tuple(
            one
            for one in symmetry.permutations
            if all(rooms[one.seats[seat]] == rooms[seat] for seat in range(4))
        )
        words = words_of_sizes(rooms)
        classes = {frozenset(one.word(word) for one in kept) for word in words}
        assert count_classes(kept, sum(rooms) // 2, rooms) == len(classes), (any_suits, seating)


@pytest.mark.parametrize("name", SIZES)
def test_the_classes_of_all_deals(name: str) -> None:
    assert class_count(name) == SIZES[name]
    assert DEALS // symmetry_of(name).order <= SIZES[name]
    assert ClassWalk(symmetry_of(name), 13).cardinality == SIZES[name]


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
@settings(deadline=None)
@given(data=st.data())
def test_the_order_is_that_of_deal_ranked(name: str, data: st.DataObject) -> None:
    ranks, ranked = pav.numbering(name), pav.numbering("deal-ranked")
    one, other = data.draw(numbers_of(ranks)), data.draw(numbers_of(ranks))
    assert ranks[one].canonical(NAMES[name])[0] == ranks[one]
    assert (one < other) == (ranked.rank(ranks[one]) < ranked.rank(ranks[other]))
    later = min(one + 1, ranks.last)
    assert one == later or ranked.rank(ranks[one]) < ranked.rank(ranks[later])


@pytest.mark.slow
@every_numbering
def test_many_random_deals(name: str) -> None:
    """The table of nodes grows on the way."""
    walk = ClassWalk(symmetry_of(NAMES[name]), 13)
    owners = pav.numbering("deal").sample_many(5_000, seed="a million")
    found, numbers = np.empty_like(owners), limbs([0] * len(owners))
    assert walk.rank_rows(len(owners), owners, numbers) == -1
    walk.unrank_rows(len(owners), numbers, found)
    assert np.array_equal(found, pav.canonical_many(owners, NAMES[name])[0])
    with definitions():
        defined = ClassWalk(symmetry_of(NAMES[name]), 13)
        assert_rows(defined, integers(numbers[:20]), [row.tobytes() for row in found[:20]])
    owners[40, 7:9], owners[50] = (5, 255), 0
    assert walk.rank_rows(len(owners), owners, numbers) == 40


def test_a_walk_is_a_value_and_refuses_what_is_no_deal() -> None:
    walk = ClassWalk(symmetry_of("suits"), 2)
    walk.rank(walk.unrank(3))
    twin = pickle.loads(pickle.dumps(walk))
    assert (twin, hash(twin)) == (walk, hash(walk))
    for word in (b"", bytes(8), bytes([0, 0, 1, 1, 2, 2, 3, 4]), bytes(52)):
        with pytest.raises(NotAMemberError):
            walk.rank(word)
    with pytest.raises(ValueError, match="do not fill 4 hands"):
        _ = ClassWalk(Symmetry("toy", True, seatings("", 4), 3), 1).cardinality
