"""Sums over cards, tables of suits and tables of lengths against direct evaluation."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from typing import Any
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
TOYS = [Deck(4, 1, ()), Deck(3, 2, ()), Deck(2, 3, ()), Deck(1, 6, ())]
OTHERS = 3
"""The owners in the words of toys."""
every_toy = pytest.mark.parametrize("deck", TOYS, ids=str)


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


@given(
    st.lists(st.integers(-3, 3) | st.integers(-(2**56), 2**56), min_size=2, max_size=6),
    st.integers(0, 2),
)
@settings(max_examples=10)
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


@every_toy
def test_a_table_of_a_suit_over_a_whole_toy_deck(deck: Deck) -> None:
    every = list(words(deck.cards, OTHERS))
    values = list(map(any_number, holdings(deck.suit_size)))
    for suit, seat in product(range(deck.suits), (0, 2)):
        diagram = suit_table(seat, deck.cards, suit * deck.suit_size, values)
        assert diagram.seats == (seat,)
        assert_reduced(diagram)
        held = [deck.hands(word)[seat][suit] for word in every]
        assert Walker(diagram).values(every) == list(map(any_number, held))


def digits(value: Values, other: Values) -> Values:
    return 5 * value + other


JOINS: dict[str, Any] = {"sum": np.add, "greatest": np.maximum, "digits": digits}


@every_toy
@pytest.mark.parametrize("name", JOINS)
def test_suits_joined_over_a_whole_toy_deck(deck: Deck, name: str) -> None:
    join: Callable[[Values, Values], Values] = JOINS[name]
    every = list(words(deck.cards, OTHERS))
    diagram = suits_fold(1, deck.suits, list(map(any_number, holdings(deck.suit_size))), join)
    expected: Values = np.zeros(len(every), np.int64)
    for suit in range(deck.suits):
        held = [any_number(deck.hands(word)[1][suit]) for word in every]
        expected = join(expected, np.array(held))
    assert Walker(diagram).values(every) == expected.tolist()
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


@every_toy
@pytest.mark.parametrize("seat", [0, 1])
def test_a_table_of_lengths_over_a_whole_toy_deck(deck: Deck, seat: int) -> None:
    every = list(words(deck.cards, OTHERS))
    sides = (deck.suit_size + 1,) * deck.suits
    diagram = lengths_table(seat, np.array(list(map(any_number, np.ndindex(sides)))).reshape(sides))
    assert diagram.seats == (seat,)
    assert_reduced(diagram)
    lengths = [tuple(map(len, deck.hands(word)[seat])) for word in every]
    assert Walker(diagram).values(every) == list(map(any_number, lengths))
