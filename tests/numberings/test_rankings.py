"""The rankings on toy decks, whole, each against its own slow definition; and rows of real ones."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from oracles import colex, integers, lex, limbs, places_by_hand, words, words_of_sizes
from ranking_support import Kernel, assert_order, every_kernel

from pavcodec.numberings.chain import Chain
from pavcodec.numberings.permuted import PermutedRanking
from pavcodec.numberings.rankings import (
    Affine,
    EqualHands,
    HandByHand,
    OwnerDigits,
    Reordered,
    mirrored,
)
from pavcodec.sampling import KeyedPermutation
from pavcodec.walk import FixedSizes, Ranking, RowByRow

Toy = tuple[Ranking, list[bytes], int]
"""A ranking, its words in order, and the owners."""


def equal_hands(cards: int, seats: int, most: int) -> Toy:
    """The fullest hands first."""
    expected = []
    for size in range(most, 0, -1):
        expected += words_of_sizes((size,) * seats + (cards - seats * size,))
    return EqualHands(cards, seats, most), expected, seats + 1


def owner_digits(cards: int, owners: int) -> Toy:
    def value(word: bytes) -> int:
        return sum((owner + 1) % owners * owners**card for card, owner in enumerate(word))

    return OwnerDigits(cards, owners), sorted(words(cards, owners), key=value), owners


def hand_by_hand(*sizes: int) -> Toy:
    """The dictionary order of the sets of places of each hand, by their ranks."""

    def key(word: bytes) -> list[int]:
        left, ranks = len(word), []
        for places in places_by_hand(word, len(sizes)):
            ranks.append(lex(places, left))
            left -= len(places)
        return ranks

    in_order = sorted(words_of_sizes(sizes), key=key)
    assert in_order == sorted(in_order, key=lambda word: places_by_hand(word, len(sizes)))
    return HandByHand(sizes), in_order, len(sizes)


def squashed(*sizes: int) -> Toy:
    def key(word: bytes) -> list[int]:
        return [colex(places) for places in places_by_hand(word, len(sizes))]

    ranking = mirrored(HandByHand(sizes), len(sizes))
    return ranking, sorted(words_of_sizes(sizes), key=key), len(sizes)


def reordered() -> Toy:
    places, seats = (3, 0, 5, 1, 4, 2), (2, 0, 1)

    def key(word: bytes) -> bytes:
        return bytes(seats.index(word[card]) for card in places)

    ranking = Reordered(FixedSizes((2, 2, 2)), places, seats)
    return ranking, sorted(words_of_sizes((2, 2, 2)), key=key), 3


def scrambled(factor: int, shift: int) -> Toy:
    base = words_of_sizes((1, 2, 1, 2))
    expected = [base[(number * factor + shift) % len(base)] for number in range(len(base))]
    return Affine(FixedSizes((1, 2, 1, 2)), factor, shift), expected, 4


def in_the_order_of_a_seed(of: Toy) -> Toy:
    ranking, base, owners = of
    order = KeyedPermutation(7, len(base))
    return PermutedRanking(ranking, 7), [base[order.number(k)] for k in range(len(base))], owners


class Backwards(RowByRow):
    """The words of another ranking backwards, one by one."""

    inner = FixedSizes((2, 1, 2))
    cards, cardinality = 5, 30

    def rank(self, word: bytes) -> int:
        return self.inner.rank(word[::-1])

    def unrank(self, number: int) -> bytes:
        return self.inner.unrank(number)[::-1]


TOYS: dict[str, Callable[[], Toy]] = {
    "equal hands": lambda: equal_hands(6, 2, 3),
    "of one card": lambda: equal_hands(4, 4, 1),
    "of five seats": lambda: equal_hands(6, 5, 1),
    "of one seat": lambda: equal_hands(5, 1, 5),
    "of three seats": lambda: equal_hands(7, 3, 2),
    "digits": lambda: owner_digits(4, 5),
    "of three owners": lambda: owner_digits(6, 3),
    "of two owners": lambda: owner_digits(4, 2),
    "hand by hand": lambda: hand_by_hand(1, 2, 3),
    "four hands": lambda: hand_by_hand(2, 2, 1, 2),
    "two hands": lambda: hand_by_hand(3, 3),
    "an empty hand": lambda: hand_by_hand(4, 0, 2),
    "squashed": lambda: squashed(1, 2, 3),
    "squashed hands": lambda: squashed(1, 1, 1, 1, 2),
    "reordered": reordered,
    "as they are": lambda: scrambled(1, 0),
    "scrambled": lambda: scrambled(11, 5),
    "shifted": lambda: scrambled(13, 179),
    "backwards": lambda: scrambled(-1, -1),
    "by a seed": lambda: in_the_order_of_a_seed(owner_digits(4, 5)),
    "hands by a seed": lambda: in_the_order_of_a_seed(hand_by_hand(1, 2, 2, 2)),
}


@every_kernel
@pytest.mark.parametrize("name", TOYS)
def test_whole_toy_decks(name: str, chosen: Kernel) -> None:
    with chosen():
        assert_order(*TOYS[name]())


def test_a_ranking_without_loops_goes_row_by_row() -> None:
    expected = [word[::-1] for word in words_of_sizes((2, 1, 2))]
    assert_order(Backwards(), expected, 3)


def test_what_the_kernel_does_not_hold() -> None:
    for ranking, reason in (
        (OwnerDigits(60, 5), "numbers below 2\\^128"),
        (OwnerDigits(3, 1), "digits are of 2 to 255 owners"),
        (OwnerDigits(2, 256), "digits are of 2 to 255 owners"),
        (HandByHand((64, 1)), "at most 64 cards"),
        (Affine(OwnerDigits(128, 2), 3, 1), "above 2\\^127 cannot be scrambled"),
        (EqualHands(256, 1, 1), "at most 255 cards"),
    ):
        assert ranking.cardinality
        with pytest.raises(ValueError, match=reason):
            ranking.unrank(0)


@pytest.mark.parametrize("sizes", [(3,), (2, 0, 1), (0, 4), (5, 2**64, 0, 7), (2**100, 2**64 - 1)])
def test_a_chain_has_its_parts_in_a_row(sizes: tuple[int, ...]) -> None:
    chain = Chain(sizes)
    assert chain.cardinality == sum(sizes)
    ends = {number for start in (*chain.starts, chain.cardinality) for number in (start - 1, start)}
    numbers = sorted(number for number in ends if 0 <= number < chain.cardinality)
    split = [chain.split(number) for number in numbers]
    assert [chain.join(*each) for each in split] == numbers
    assert all(number < sizes[part] for part, number in split)
    rows: Any = limbs(numbers)
    assert chain.parts_of(rows).tolist() == [part for part, _ in split]
    for part, at, own in chain.split_rows(rows):
        assert [(part, number) for number in integers(own)] == [split[i] for i in at]
    assert np.array_equal(rows, limbs(numbers))
