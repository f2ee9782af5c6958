"""The words of the walk on toy decks, whole: dictionary order at every number; values; limits."""

from __future__ import annotations

import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st
from oracles import DEALS, words, words_of_sizes, words_within

from pavcodec.kernel.reference.walk import Counter, Endings, Sizes, rank_word, unrank_word
from pavcodec.walk import FixedSizes, LimitedSizes, NotAMemberError, Ranking

TOYS: list[tuple[Ranking, Counter, list[bytes]]] = [
    *(
        (FixedSizes(sizes), Sizes(sizes), words_of_sizes(sizes))
        for sizes in [(2, 2, 2, 2), (1, 1, 1, 1, 4), (2, 1, 2, 1, 2), (3, 0, 2, 1), (4, 6), (5,)]
    ),
    *(
        (
            LimitedSizes(cards, limits),
            Endings(cards, limits, is_full=False),
            words_within(cards, limits),
        )
        for cards, limits in [
            (5, (2, 2, 2, 2)),
            (6, (1, 2, 0, 3)),
            (7, (1, 1, 1, 1)),
            (6, (2,)),
            (4, (9, 9)),
        ]
    ),
]
toys = pytest.mark.parametrize(
    ("toy", "counter", "expected"), TOYS, ids=lambda given: str(given)[:40]
)


@toys
def test_order_is_dictionary_order(toy: Ranking, counter: Counter, expected: list[bytes]) -> None:
    assert toy.cardinality == len(expected) == counter.completions(counter.start)
    assert toy.cards == counter.cards
    assert [toy.unrank(number) for number in range(len(expected))] == expected
    assert [toy.rank(word) for word in expected] == list(range(len(expected)))


@pytest.mark.slow
@toys
def test_definition_is_dictionary_order(
    toy: Ranking, counter: Counter, expected: list[bytes]
) -> None:
    numbers = range(toy.cardinality)
    assert [unrank_word(counter, number) for number in numbers] == expected
    assert [rank_word(counter, word) for word in expected] == list(numbers)


@pytest.mark.slow
def test_a_deck_of_twelve_cards_whole() -> None:
    toy = FixedSizes((3, 3, 3, 3))
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
def test_words_outside_are_refused(toy: Ranking, counter: Counter, expected: list[bytes]) -> None:
    members = set(expected)
    for word in words(min(toy.cards, 6), counter.owners + 1):
        if word not in members:
            with pytest.raises(NotAMemberError):
                toy.rank(word)
    for word in (b"", expected[0] + b"\0", b"\xff" * toy.cards):
        with pytest.raises(NotAMemberError):
            toy.rank(word)
    for number in (-1, toy.cardinality, 2**128):
        with pytest.raises(IndexError, match=f"{number} is not in 0..{toy.cardinality - 1}"):
            toy.unrank(number)


REAL: dict[str, tuple[Ranking, Counter]] = {
    "deal": (FixedSizes((13,) * 4), Sizes((13,) * 4)),
    "ten cards": (FixedSizes((10, 10, 10, 10, 12)), Sizes((10, 10, 10, 10, 12))),
    "halves": (FixedSizes((26, 26)), Sizes((26, 26))),
    "five hands": (FixedSizes((8, 9, 7, 8, 10)), Sizes((8, 9, 7, 8, 10))),
    "ending": (LimitedSizes(52, (13,) * 4), Endings(52, (13,) * 4, is_full=False)),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", REAL)
@given(data=st.data())
def test_the_real_deck(name: str, data: st.DataObject) -> None:
    ranking, counter = REAL[name]
    total = ranking.cardinality
    ends = st.sampled_from([0, 1, 2, total // 2, total - 2, total - 1])
    number = data.draw(ends | st.integers(0, total - 1))
    word = ranking.unrank(number)
    assert word == unrank_word(counter, number)
    assert ranking.rank(word) == number == rank_word(counter, word)


def test_published_counts() -> None:
    assert FixedSizes((13, 13, 13, 13)).cardinality == DEALS
    assert FixedSizes((13, 39)).cardinality == 635013559600
    assert FixedSizes((1, 1, 1, 1, 48)).cardinality == 6497400
    assert LimitedSizes(52, (13,) * 4).cardinality == 1068380067768858063542620835042803325


def test_rankings_are_values() -> None:
    one, same = LimitedSizes(6, (2, 1)), LimitedSizes(6, (2, 1))
    one.unrank(5)
    assert one == same
    assert hash(one) == hash(same)
    assert one != LimitedSizes(6, (1, 2))
    copy = pickle.loads(pickle.dumps(one))
    assert copy == one
    assert copy.unrank(7) == one.unrank(7)
    assert len(pickle.dumps(one)) < 100
    assert repr(one) == "LimitedSizes(cards=6, limits=(2, 1))"


@pytest.mark.parametrize(
    ("ranking", "reason"),
    [
        (FixedSizes((40, 40, 40, 40)), "numbers below 2\\^128"),
        (FixedSizes((200, 56)), "at most 255 cards of 7 owners"),
        (LimitedSizes(9, (1,) * 7), "at most 255 cards of 7 owners"),
        (LimitedSizes(50, (40, 40, 40, 40)), "at most 65536 rooms of 4 seats, not 135752"),
    ],
)
def test_decks_that_no_table_holds(ranking: Ranking, reason: str) -> None:
    assert ranking.cardinality
    with pytest.raises(ValueError, match=reason):
        ranking.unrank(0)
