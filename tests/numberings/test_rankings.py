"""The rankings on toy decks, whole, each against its own slow definition."""

from __future__ import annotations

import pytest
from oracles import colex, lex, places_by_hand, words, words_of_sizes

from pavcodec.numberings.rankings import (
    Affine,
    EqualHands,
    HandByHand,
    Mirrored,
    OwnerDigits,
    Ranking,
    Reordered,
)
from pavcodec.walk import FixedSizes, NotAMemberError, Walk

TOY_SIZES = [(2, 2, 2, 2), (1, 2, 3), (3, 3), (4, 0, 2), (1, 1, 1, 1, 2)]


def assert_order(ranking: Ranking, expected: list[bytes]) -> None:
    """The ranking numbers these words, in this order, and no others."""
    assert ranking.cardinality == len(expected)
    assert [ranking.unrank(number) for number in range(len(expected))] == expected
    assert [ranking.rank(word) for word in expected] == list(range(len(expected)))


@pytest.mark.parametrize(("cards", "seats", "most"), [(8, 4, 2), (7, 3, 2), (6, 2, 3), (4, 4, 1)])
def test_equal_hands_come_fullest_first(cards: int, seats: int, most: int) -> None:
    expected = []
    for size in range(most, 0, -1):
        expected += words_of_sizes((size,) * seats + (cards - seats * size,))
    ranking = EqualHands(cards, seats, most)
    assert_order(ranking, expected)
    assert [expected.index(ranking.walks[j].unrank(0)) for j in ranking.walks] == list(
        ranking.firsts.values()
    )


def test_equal_hands_refuse_unequal_ones() -> None:
    ranking = EqualHands(6, 2, 2)
    for word in (b"\0\0\1\2\2\2", b"\2" * 6, b"\0\0\0\1\1\1", b"\0\1", b"\0\1\3\2\2\2"):
        with pytest.raises(NotAMemberError):
            ranking.rank(word)


@pytest.mark.parametrize(("cards", "owners"), [(6, 5), (8, 3), (4, 2)])
def test_owner_digits_are_a_number_in_that_base(cards: int, owners: int) -> None:
    def value(word: bytes) -> int:
        return sum((owner + 1) % owners * owners**card for card, owner in enumerate(word))

    ranking = OwnerDigits(cards, owners)
    assert_order(ranking, sorted(words(cards, owners), key=value))
    for word in (b"", b"\0" * (cards + 1), bytes([owners]) * cards):
        with pytest.raises(NotAMemberError):
            ranking.rank(word)


@pytest.mark.parametrize("sizes", TOY_SIZES)
def test_hand_by_hand_is_the_dictionary_order_of_sets(sizes: tuple[int, ...]) -> None:
    def key(word: bytes) -> list[int]:
        left, ranks = len(word), []
        for places in places_by_hand(word, len(sizes)):
            ranks.append(lex(places, left))
            left -= len(places)
        return ranks

    in_order = sorted(words_of_sizes(sizes), key=key)
    assert in_order == sorted(in_order, key=lambda word: places_by_hand(word, len(sizes)))
    assert_order(HandByHand(sizes), in_order)


@pytest.mark.parametrize("sizes", TOY_SIZES)
def test_mirrored_hand_by_hand_is_colex(sizes: tuple[int, ...]) -> None:
    def key(word: bytes) -> list[int]:
        return [colex(places) for places in places_by_hand(word, len(sizes))]

    assert_order(Mirrored(HandByHand(sizes)), sorted(words_of_sizes(sizes), key=key))


def test_hand_by_hand_refuses_other_words() -> None:
    ranking = HandByHand((2, 2))
    for word in (b"\0\0\1", b"\0\0\0\1", b"\0\1\1\1", b"\0\1\2\2", b"\0\0\1\1\1"):
        with pytest.raises(NotAMemberError):
            ranking.rank(word)


def test_reordered_is_the_order_of_reordered_words() -> None:
    cards, seats = (3, 0, 5, 1, 4, 2), (2, 0, 1)

    def key(word: bytes) -> bytes:
        return bytes(seats.index(word[card]) for card in cards)

    ranking = Reordered(Walk(FixedSizes((2, 2, 2))), cards, seats)
    assert_order(ranking, sorted(words_of_sizes((2, 2, 2)), key=key))
    for word in (b"\0\0\1", b"\0\0\1\1\2\3", b"\0\0\1\1\2\1"):
        with pytest.raises(NotAMemberError):
            ranking.rank(word)


@pytest.mark.parametrize(("factor", "shift"), [(1, 0), (11, 5), (13, 2519), (2519, 7)])
def test_affine_scrambles_the_numbers(factor: int, shift: int) -> None:
    base = words_of_sizes((2, 2, 2, 2))
    expected = [base[(number * factor + shift) % len(base)] for number in range(len(base))]
    assert_order(Affine(Walk(FixedSizes((2, 2, 2, 2))), factor, shift), expected)
