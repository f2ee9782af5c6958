"""Sums over cards, tables of suits and tables of lengths against direct evaluation."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from zlib import crc32

import numpy as np
import pytest
from constraints_models import Deck, Walker, assert_reduced
from hypothesis import given, settings
from hypothesis import strategies as st
from oracles import words

from pavcodec.constraints.counting.automaton import (
    constant,
    lengths_table,
    suit_table,
    suits_fold,
    weighted_sum,
)
from pavcodec.constraints.vectors import Values
from pavcodec.limits import ProductTooLarge

LETTERS = "AKQJT98765432"
TOYS = [(4, 2), (3, 3), (2, 4), (2, 3), (1, 6), (3, 2)]
"""Suits, and cards in each."""
OTHERS = 3
"""The owners in the words of toys."""


def any_number(*what: object) -> int:
    """A number of 0 to 4 that says nothing of what it is made from."""
    return crc32(repr(what).encode()) % 5


def holdings(size: int) -> list[str]:
    """All sets of a suit's cards; the ace is the highest bit."""
    return [
        "".join(
            letter for place, letter in enumerate(LETTERS[:size]) if bits >> size - 1 - place & 1
        )
        for bits in range(1 << size)
    ]


@pytest.mark.parametrize("value", [-(2**61), -1, 0, 1, 2**61])
def test_a_constant(value: int) -> None:
    diagram = constant(5, value)
    assert diagram.seats == ()
    assert {diagram.value(word) for word in words(5, 4)} == {value}
    assert_reduced(diagram)


@pytest.mark.slow
@given(
    st.lists(st.integers(-3, 3) | st.integers(-(2**56), 2**56), min_size=2, max_size=7),
    st.integers(0, 2),
)
@settings(max_examples=40)
def test_a_sum_over_a_whole_toy_deck(weights: list[int], seat: int) -> None:
    diagram = weighted_sum(seat, weights)
    assert diagram.seats == (seat,)
    assert_reduced(diagram)
    every = list(words(len(weights), OTHERS))
    expected = [
        sum(weight for weight, owner in zip(weights, word, strict=True) if owner == seat)
        for word in every
    ]
    assert Walker(diagram).values(every) == expected
    assert diagram.value(every[-1]) == expected[-1]


@pytest.mark.slow
@pytest.mark.parametrize(("suits", "size"), TOYS)
@pytest.mark.parametrize("seat", [0, 2])
def test_a_table_of_a_suit_over_a_whole_toy_deck(suits: int, size: int, seat: int) -> None:
    deck = Deck(suits, size, ())
    every = list(words(deck.cards, OTHERS))[:: 1 if deck.cards < 9 else 7]
    for suit in range(suits):
        held = [deck.hands(word)[seat][suit] for word in every]
        for salt in range(3):

            def table(holding: str, salt: int = salt) -> int:
                return any_number(salt, holding)

            values = list(map(table, holdings(size)))
            diagram = suit_table(seat, deck.cards, suit * size, values)
            assert diagram.seats == (seat,)
            assert_reduced(diagram)
            assert Walker(diagram).values(every) == list(map(table, held))


def add(value: Values, other: Values) -> Values:
    return value + other


def greater(value: Values, other: Values) -> Values:
    return np.maximum(value, other)


def digits(value: Values, other: Values) -> Values:
    return 5 * value + other


@pytest.mark.slow
@pytest.mark.parametrize(("suits", "size"), TOYS)
@pytest.mark.parametrize("join", [add, greater, digits])
def test_suits_joined_over_a_whole_toy_deck(
    suits: int, size: int, join: Callable[[Values, Values], Values]
) -> None:
    deck = Deck(suits, size, ())
    every = list(words(deck.cards, OTHERS))[:: 1 if deck.cards < 9 else 7]
    diagram = suits_fold(1, suits, list(map(any_number, holdings(size))), join)
    found = Walker(diagram).values(every)
    for word, value in zip(every, found, strict=True):
        expected: Values = np.zeros(1, np.int64)
        for holding in deck.hands(word)[1]:
            expected = join(expected, np.array([any_number(holding)]))
        assert value == expected[0]
    assert_reduced(diagram.map(np.positive))


def test_suits_that_do_not_fit_are_given_up_at_a_card_of_their_own() -> None:
    values = [any_number(number) for number in range(1 << 13)]
    cards = []
    for memory in (1 << 18, 1 << 20, 1 << 22):
        with pytest.raises(ProductTooLarge) as caught:
            suits_fold(0, 4, values, digits, memory=memory)
        assert caught.value.states * 16 < 2 * memory
        cards.append(caught.value.card)
    assert cards == sorted(set(cards))


def of_lengths(suits: int, size: int, table: Callable[[tuple[int, ...]], int]) -> Values:
    """The values of all lengths, in an array with an axis for each suit."""
    every = product(range(size + 1), repeat=suits)
    return np.array(list(map(table, every))).reshape((size + 1,) * suits)


@pytest.mark.slow
@pytest.mark.parametrize(("suits", "size"), TOYS)
@pytest.mark.parametrize("seat", [0, 1])
def test_a_table_of_lengths_over_a_whole_toy_deck(suits: int, size: int, seat: int) -> None:
    deck = Deck(suits, size, ())
    every = list(words(deck.cards, OTHERS))[:: 1 if deck.cards < 9 else 7]
    lengths = [tuple(map(len, deck.hands(word)[seat])) for word in every]
    for salt in range(3):

        def table(held: tuple[int, ...], salt: int = salt) -> int:
            return any_number(salt, held)

        diagram = lengths_table(seat, of_lengths(suits, size, table))
        assert diagram.seats == (seat,)
        assert_reduced(diagram)
        assert Walker(diagram).values(every) == list(map(table, lengths))


def test_a_table_of_lengths_of_suits_of_one_card() -> None:
    diagram = lengths_table(1, of_lengths(4, 1, any_number))
    assert diagram.cards == 4
    for word in words(4, OTHERS):
        assert diagram.value(word) == any_number(tuple(int(owner == 1) for owner in word))
