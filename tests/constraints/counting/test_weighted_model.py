"""Models of toy decks by every way to count them; weights, their numbers, sums of many limbs."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import accumulate
from math import gcd, lcm

import numpy as np
import pytest
from constraints_models import Deck
from constraints_models import hcp as points
from hypothesis import given, settings
from hypothesis import strategies as st
from model_support import FOUR, check, check_nodes
from oracles import limbs

from pavcodec import Seat, Suit
from pavcodec.constraints.counting.automaton import legal_factor
from pavcodec.constraints.counting.model import (
    Model,
    NegativeWeight,
    WeightDiagram,
    build_model,
    outcomes_of,
)
from pavcodec.constraints.counting.turns import count_layouts
from pavcodec.constraints.nodes.syntax import (
    And,
    Arithmetic,
    Comparison,
    Entry,
    Length,
    Node,
    Number,
    Weight,
)

DECKS = [
    Deck(2, 3, (2, 2, 1, 1)),
    Deck(2, 4, (4, 3, 1)),
    Deck(3, 2, (1, 2, 3)),
    Deck(2, 3, (6,)),
    Deck(1, 5, (0, 3, 2)),
    Deck(2, 3, (1, 1, 1, 1, 2)),
    Deck(4, 2, (3, 3, 2)),
]
MOST_NUMBERS = 20_000

fractions = st.builds(Fraction, st.integers(0, 6), st.integers(1, 3))


@st.composite
def weights_of(draw: st.DrawFn, deck: Deck) -> Weight:
    """A table of the values of any expression, or the square of one."""
    node = draw(deck.nodes(most=2))
    if draw(st.booleans()):
        return Weight(Arithmetic("*", node, node))
    starts = sorted(draw(st.sets(st.integers(-9, 30), max_size=4)))
    ends = [start - 1 for start in starts[1:]]
    entries = [Entry(low, high, draw(fractions)) for low, high in zip(starts, ends, strict=False)]
    if starts:
        entries.append(Entry(starts[-1], None, draw(fractions)))
    return Weight(node, tuple(entries), draw(fractions))


def weigh(deck: Deck, words: list[bytes], weights: list[Weight]) -> dict[bytes, Fraction]:
    """The weight of each word of positive weight, in dictionary order."""
    found = {}
    for word in words:
        product = Fraction(1)
        for weight in weights:
            if product:
                product *= weight.of(deck.value(weight.number, word))
        if product:
            found[word] = product
    return found


def brute(deck: Deck, conditions: list[Node], weights: list[Weight]) -> dict[bytes, Fraction]:
    """The weight of each word of positive weight that satisfies conditions."""
    members = [word for word in deck.words if all(deck.value(each, word) for each in conditions)]
    return weigh(deck, members, weights)


def diagrams(deck: Deck, weights: list[Weight]) -> list[WeightDiagram]:
    compiler = deck.compiler()
    return [WeightDiagram.of(compiler.diagram(each.number), each.of) for each in weights]


def modelled(deck: Deck, conditions: list[Node], weights: list[Weight]) -> Model:
    truths = [deck.compiler().truth(each) for each in conditions]
    return build_model(truths, deck.sizes, diagrams(deck, weights))


def units_of(weights: dict[bytes, Fraction]) -> dict[bytes, int]:
    """Weights as the smallest integers in their proportion."""
    common = lcm(*(weight.denominator for weight in weights.values()))
    whole = {word: int(weight * common) for word, weight in weights.items()}
    shared = gcd(*whole.values())
    return {word: weight // shared for word, weight in whole.items()}


def check_numbers(found: Model, weights: dict[bytes, Fraction]) -> None:
    """Every number of a small model belongs to its word, and the edges of a large one do."""
    units = units_of(weights)
    ends = list(accumulate(units.values()))
    assert found.cardinality == ends[-1]
    owner = dict(zip(ends, units, strict=True))
    if ends[-1] <= MOST_NUMBERS:
        every = [word for word, many in units.items() for _ in range(many)]
        places = list(range(ends[-1]))
    else:
        starts = [end - units[word] for end, word in owner.items()]
        places = starts + [end - 1 for end in ends]
        every = [*units, *units]
    assert [found.unrank(place) for place in places] == every
    if not found.is_wide:
        owners = np.empty((len(places), len(every[0])), np.uint8)
        found.unrank_rows(len(places), limbs(places), owners)
        assert [bytes(row) for row in owners] == every


@pytest.mark.slow
@pytest.mark.parametrize("deck", DECKS, ids=str)
@given(data=st.data())
@settings(max_examples=10, deadline=None)
def test_toy_decks(deck: Deck, data: st.DataObject) -> None:
    """Words, numbers, weights and values by the models, by their definition, by turns, by hand."""
    conditions = data.draw(st.lists(deck.nodes(most=4), max_size=3))
    numbers = data.draw(st.lists(deck.nodes(most=2), min_size=1, max_size=2))
    compiler = deck.compiler()
    truths = [compiler.truth(each) for each in conditions]
    members = deck.members(And(tuple(conditions)))
    if len(deck.sizes) > 2 and data.draw(st.booleans()):  # the last hand is what is gone
        legal = legal_factor(deck.sizes, suits=deck.suits, suit_size=deck.suit_size)
        truths.append(legal)
        members = [word for word in members if legal.value(word)]
    model = build_model(truths, deck.sizes)
    check(deck, model, members, step=1 if len(deck.words) < 200 else 41)
    check_nodes(model)
    assert count_layouts(truths, deck.sizes) == len(members)

    weights = data.draw(st.lists(weights_of(deck), max_size=3))
    expected = weigh(deck, members, weights)
    found = build_model(truths, deck.sizes, diagrams(deck, weights))
    assert found.words == len(expected)
    assert found.total == sum(expected.values())
    if expected:
        check_numbers(found, expected)
    sums = outcomes_of(
        truths, [compiler.diagram(each) for each in numbers], deck.sizes, diagrams(deck, weights)
    )
    by_values: Counter[tuple[int, ...]] = Counter()
    for word, weight in expected.items():
        by_values[tuple(deck.value(each, word) for each in numbers)] += weight  # type: ignore[assignment]
    unit = Fraction(sum(expected.values()), sum(sums.values()) or 1)
    assert {row: many * unit for row, many in sums.items()} == by_values
    assert list(sums) == sorted(sums)


def heavy(weights: dict[int, int]) -> list[Weight]:
    """A weight by the number of spades of the first hand."""
    entries = tuple(Entry(value, value, Fraction(weight)) for value, weight in weights.items())
    return [Weight(Length(Seat.NORTH, Suit.SPADES), entries)]


SPADES = Deck(2, 2, (2, 2))
"""North has two spades in one deal, one in four, none in one."""


TOTALS = [2**64 - 1, 2**64, 2**64 + 1, 2**128 - 1, 2**128, 2**128 + 1]


@pytest.mark.parametrize(
    "weights",
    [
        *({2: 1, 0: total - 1} for total in TOTALS),
        *({0: large + 3, 1: 7, 2: large // 3} for large in (10**25, 10**50, 10**200)),
    ],
)
def test_sums_of_any_size(weights: dict[int, int]) -> None:
    found, expected = modelled(SPADES, [], heavy(weights)), brute(SPADES, [], heavy(weights))
    assert found.total == sum(expected.values())
    assert found.is_wide == (found.cardinality >= 2**128)
    check_numbers(found, expected)


def test_large_weights_of_few_deals_take_two_limbs() -> None:
    """The bound is above 2^128, and the sum is not."""
    weights = heavy({1: 1, 2: 2**121 + 1})
    expected = brute(FOUR, [], weights)
    assert len(expected) * (2**121 + 1) >= 2**128 > sum(expected.values())
    found = modelled(FOUR, [], weights)
    assert not found.is_wide
    check_numbers(found, expected)


def test_no_weight_and_no_deal() -> None:
    spades = Length(Seat.NORTH, Suit.SPADES)
    none: list[tuple[list[Node], list[Weight]]] = [
        ([], heavy({9: 1})),
        ([], [Weight(Number(0))]),
        ([Number(0)], heavy({1: 1})),
        ([Comparison("==", spades, Number(0))], heavy({1: 1})),
    ]
    for conditions, weights in none:
        found = modelled(FOUR, conditions, weights)
        assert found.words == found.total == found.cardinality == 0
    assert not outcomes_of([FOUR.compiler().truth(Number(0))], [], FOUR.sizes)


def test_negative_weights() -> None:
    """They count as wrong only if a deal has one, and two of them do not hide each other."""
    spades = Length(Seat.NORTH, Suit.SPADES)
    below = Weight(Arithmetic("-", spades, Number(1)))
    with pytest.raises(NegativeWeight):
        modelled(FOUR, [], [below])
    with pytest.raises(NegativeWeight):
        modelled(FOUR, [], [below, below])
    found = modelled(FOUR, [Comparison(">=", spades, Number(1))], [below])
    assert found.words == len([w for w in FOUR.words if FOUR.value(spades, w) == 2])


@pytest.mark.slow
def test_weights_of_a_side_constrain_few_seats() -> None:
    """A weight that does not distinguish its seats is one of the other seats, if that is less."""
    side = Arithmetic("+", points(Seat.NORTH), points(Seat.SOUTH))
    east = Comparison(">=", points(Seat.EAST), Number(7))
    west = Comparison(">=", points(Seat.WEST), Number(6))
    entries = (Entry(None, 13, Fraction(1)), Entry(14, None, Fraction(3)))
    weights = [Weight(side, entries)]
    found = modelled(FOUR, [east, west], weights)
    assert found.seats == (Seat.EAST, Seat.WEST)
    expected = brute(FOUR, [east, west], weights)
    assert len(set(expected.values())) == 2
    assert found.total == sum(expected.values())
    check_numbers(found, expected)
    other = Arithmetic("-", points(Seat.NORTH), points(Seat.SOUTH))
    uneven = [Weight(other, (Entry(0, None, Fraction(1)),))]
    found = modelled(FOUR, [east, west], uneven)
    assert found.seats == tuple(Seat)
    check_numbers(found, brute(FOUR, [east, west], uneven))
