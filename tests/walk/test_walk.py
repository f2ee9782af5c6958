"""The walk on toy decks, whole: its order is dictionary order at every number."""

from __future__ import annotations

import pickle
from itertools import accumulate

import pytest
from hypothesis import given
from hypothesis import strategies as st
from oracles import DEALS, words, words_of_sizes, words_within
from walk_support import AnyOwner, rank_by_definition, unrank_by_definition

from pavcodec.walk import (
    Counter,
    FixedSizes,
    FoldedWalk,
    LimitedSizes,
    NotAMemberError,
    State,
    Walk,
    walk_of,
)

TOYS: list[tuple[Counter, list[bytes]]] = [
    *(
        (FixedSizes(sizes), words_of_sizes(sizes))
        for sizes in [(2, 2, 2, 2), (1, 1, 1, 1, 4), (2, 1, 2, 1, 2), (3, 0, 2, 1), (4, 6), (5,)]
    ),
    *(
        (LimitedSizes(cards, limits), words_within(cards, limits))
        for cards, limits in [
            (5, (2, 2, 2, 2)),
            (6, (1, 2, 0, 3)),
            (7, (1, 1, 1, 1)),
            (6, (2,)),
            (4, (9, 9)),
        ]
    ),
    *((AnyOwner(cards, owners), list(words(cards, owners))) for cards, owners in [(5, 5), (9, 2)]),
]
toys = pytest.mark.parametrize(("counter", "expected"), TOYS, ids=lambda toy: str(toy)[:40])


@toys
def test_order_is_dictionary_order(counter: Counter, expected: list[bytes]) -> None:
    toy = Walk(counter)
    assert toy.cardinality == len(expected)
    assert [toy.unrank(number) for number in range(len(expected))] == expected
    assert [toy.rank(word) for word in expected] == list(range(len(expected)))


@pytest.mark.slow
@toys
def test_definition_is_dictionary_order(counter: Counter, expected: list[bytes]) -> None:
    numbers = range(len(expected))
    assert [unrank_by_definition(counter, number) for number in numbers] == expected
    assert [rank_by_definition(counter, word) for word in expected] == list(numbers)


@pytest.mark.slow
def test_a_deck_of_twelve_cards_whole() -> None:
    toy = Walk(FixedSizes((3, 3, 3, 3)))
    before = b""
    for number in range(toy.cardinality):
        word = toy.unrank(number)
        assert word > before, "the order rises, so that with the right count nothing is left out"
        assert toy.rank(word) == number
        before = word
    assert toy.cardinality == 369600
    assert before == bytes([3, 3, 3, 2, 2, 2, 1, 1, 1, 0, 0, 0])


@pytest.mark.slow
@toys
def test_words_outside_are_refused(counter: Counter, expected: list[bytes]) -> None:
    members = set(expected)
    toys = (Walk(counter), FoldedWalk(counter))
    for word in words(min(counter.cards, 6), counter.owners + 1):
        if word not in members:
            for toy in toys:
                with pytest.raises(NotAMemberError):
                    toy.rank(word)


@toys
def test_folded_walk_is_dictionary_order(counter: Counter, expected: list[bytes]) -> None:
    toy = FoldedWalk(counter)
    assert toy.cardinality == len(expected)
    assert [toy.unrank(number) for number in range(len(expected))] == expected
    assert [toy.rank(word) for word in expected] == list(range(len(expected)))


@toys
def test_ends_are_the_completions_added_up(counter: Counter, expected: list[bytes]) -> None:
    state: State | None = counter.start
    for owner in expected[len(expected) // 2]:
        assert state is not None
        after = [counter.place(state, other) for other in range(counter.owners)]
        ways = [counter.completions(one) if one else 0 for one in after]
        assert counter.cumulative_counts(state, counter.completions(state)) == list(
            accumulate(ways)
        )
        state = after[owner]


def test_the_walk_with_few_states_keeps_them_all() -> None:
    assert isinstance(walk_of(FixedSizes((13, 13, 13, 13))), Walk)
    assert isinstance(walk_of(FixedSizes((10, 10, 10, 10, 12))), FoldedWalk)
    assert isinstance(walk_of(LimitedSizes(52, (13, 13, 13, 13))), FoldedWalk)


REAL = {
    "deal": FixedSizes((13, 13, 13, 13)),
    "ten cards": FixedSizes((10, 10, 10, 10, 12)),
    "ending": LimitedSizes(52, (13, 13, 13, 13)),
}


@pytest.mark.slow
@pytest.mark.parametrize("counter", REAL.values(), ids=REAL)
@given(data=st.data())
def test_real_deck_equals_the_definition_at_every_threshold(
    counter: Counter, data: st.DataObject
) -> None:
    """The numbers where a partition begins, and their neighbours, are where a bound can be off."""
    ranked, folded = Walk(counter), FoldedWalk(counter)
    number = data.draw(st.integers(0, ranked.cardinality - 1))
    depth = data.draw(st.integers(0, counter.cards))
    prefix = ranked.unrank(number)[:depth]
    threshold = rank_by_definition(counter, prefix)
    for near in (threshold - 1, threshold, threshold + 1, number):
        if 0 <= near < ranked.cardinality:
            word = unrank_by_definition(counter, near)
            assert ranked.unrank(near) == folded.unrank(near) == word
            assert ranked.rank(word) == folded.rank(word) == near
            assert rank_by_definition(counter, word) == near


@pytest.mark.parametrize("counter", REAL.values(), ids=REAL)
def test_real_deck_at_its_ends(counter: Counter) -> None:
    ranked = Walk(counter)
    for number in (
        0,
        1,
        2,
        ranked.cardinality // 2,
        ranked.cardinality - 2,
        ranked.cardinality - 1,
    ):
        word = ranked.unrank(number)
        assert word == unrank_by_definition(counter, number)
        assert ranked.rank(word) == number


def test_published_counts() -> None:
    assert Walk(FixedSizes((13, 13, 13, 13))).cardinality == DEALS
    assert Walk(FixedSizes((13, 39))).cardinality == 635013559600
    assert Walk(FixedSizes((1, 1, 1, 1, 48))).cardinality == 6497400
    ending = Walk(LimitedSizes(52, (13, 13, 13, 13)))
    assert ending.cardinality == 1068380067768858063542620835042803325
    assert Walk(AnyOwner(52, 5)).cardinality == 5**52


def test_limited_sizes_add_up_the_fixed_ones() -> None:
    """An ending with given hand sizes is a fixed-size word: the counts of all sizes add up."""
    total = 0
    for sizes in words(4, 3):
        unused = 7 - sum(sizes)
        if unused >= 0:
            total += Walk(FixedSizes((*sizes, unused))).cardinality
    assert LimitedSizes(7, (2, 2, 2, 2)).completions((7, 2, 2, 2, 2)) == total


def test_walks_are_values() -> None:
    for kind in (Walk, FoldedWalk):
        assert_values(kind)


def assert_values(kind: type[Walk | FoldedWalk]) -> None:
    one, same = kind(LimitedSizes(6, (2, 1))), kind(LimitedSizes(6, (2, 1)))
    one.unrank(5)
    assert one == same
    assert hash(one) == hash(same)
    assert one != kind(LimitedSizes(6, (1, 2)))
    assert one != object()
    copy = pickle.loads(pickle.dumps(one))
    assert copy == one
    assert copy.unrank(7) == one.unrank(7)
    assert repr(one) == f"{kind.__name__}(LimitedSizes(cards=6, limits=(2, 1)))"


def test_counters_refuse_what_has_no_room() -> None:
    assert FixedSizes((0, 1)).place((0, 1), 0) is None
    assert LimitedSizes(2, (0,)).place((2, 0), 0) is None
    assert LimitedSizes(2, (1,)).place((0, 1), 1) is None
    assert AnyOwner(1, 2).place((0,), 1) is None
