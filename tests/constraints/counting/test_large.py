"""Models by blocks of pairs are the products by definition, however many threads there are."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any

import numpy as np
import pytest
from constraints_models import Deck, card_of, hcp
from model_support import assert_alike, at_least, both_ways, rank_of
from oracles import DEALS, integers, limbs

import pavcodec as pav
from pavcodec import ModelTooLarge, Seat, Suit
from pavcodec.constraints.counting.automaton import Diagram
from pavcodec.constraints.counting.compile import Compiler
from pavcodec.constraints.counting.condition import Condition
from pavcodec.constraints.counting.model import build_model, factors_of
from pavcodec.constraints.counting.pairs import Layer, living_steps
from pavcodec.constraints.language.parser import parse_expression
from pavcodec.constraints.nodes.syntax import (
    And,
    Arithmetic,
    HasCard,
    InShapes,
    Length,
    conjunction,
    parts_of,
)
from pavcodec.limits import ProductTooLarge

N, E, S, _ = Seat
FOUR_HANDS = (13, 13, 13, 13)
H = """shape(north, any 4441) && hcp(north) >= 11 && hcp(north) <= 15
    && shape(south, any 4333 + any 4432 + any 5332) && hcp(south) >= 10 && hcp(south) <= 12
    && hearts(east) >= 6 && hcp(east) >= 5 && hcp(east) <= 10 && hcp(west) <= 7"""


def test_a_single_factor() -> None:
    """As of a condition over several hands that is large by itself."""
    deck = Deck(4, 2, (2, 2, 2, 2))
    one_hand = deck.compiler().truth(at_least(hcp(N), 7))
    small, large = both_ways([one_hand], deck.sizes)
    assert_alike(small, large, range(small.cardinality))


@pytest.mark.slow
def test_nothing_is_left() -> None:
    """Each factor can be 1, but not both: found out while counting, or already on the way."""
    deck = Deck(4, 2, (2, 2, 2, 2))
    kings = Arithmetic("+", hcp(E), hcp(S))
    for conditions in (
        [at_least(hcp(N), 8), at_least(kings, 16)],
        [HasCard(N, card_of(Suit.SPADES, 0)), HasCard(S, card_of(Suit.SPADES, 0))],
        [HasCard(N, card_of(Suit.CLUBS, 1)), HasCard(S, card_of(Suit.CLUBS, 1))],
    ):
        assert deck.members(And(tuple(conditions))) == []
        small, large = both_ways([deck.compiler().truth(each) for each in conditions], deck.sizes)
        assert small.layers == large.layers == ()
        assert small.cardinality == large.cardinality == 0


def test_factors_that_exclude_each_other_when_they_are_put_together() -> None:
    """All that is known of one half of the factors is then that it is never true."""
    deck = Deck(2, 4, (3, 3, 2))
    six_cards: Any = frozenset([(4, 2), (3, 3)])
    conditions = [
        And((Length(S, Suit.SPADES), InShapes(E, six_cards))),
        at_least(Length(N, Suit.SPADES), 0),
        at_least(Length(E, Suit.SPADES), 0),
    ]
    assert deck.members(And(tuple(conditions))) == []
    small, large = both_ways([deck.compiler().truth(each) for each in conditions], deck.sizes)
    assert small.layers == large.layers == ()


REAL = {
    "two hands": "hcp(north) == 2 && hcp(south) <= 1",
    "two shapes": "shape(north, any 4333) && hcp(north) >= 28 && spades(south) >= 5",
    "a sum": "hcp(north) + hcp(south) >= 39 && hearts(east) == 9",
    "three hands": "spades(west) == 9 && hearts(east) == 6 && clubs(east) == 6 && aces(south) == 2",
    "four hands": "aces(north) == 1 && aces(east) == 1 && aces(south) == 1 && aces(west) == 1"
    " && spades(north) == 7 && spades(south) > spades(west)",
    "four hands and pairs": "aces(north) + aces(south) == 4 && spades(east) + spades(west) == 3"
    " && hearts(north) == 5",
}


def conditions_of(text: str) -> list[Diagram]:
    compiler = Compiler()
    return [compiler.truth(part) for part in parts_of(parse_expression(text))]


@pytest.mark.slow
@pytest.mark.parametrize("name", REAL)
def test_models_of_deals(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The layers do not depend on the threads, node by node; neither do draws."""
    conditions = conditions_of(REAL[name])
    random = Random(name)
    of_threads: list[tuple[Layer, ...]] = []
    for threads in (1, 2, 4):
        monkeypatch.setattr("pavcodec.limits.available", lambda threads=threads: threads)
        of_threads.append(build_model(conditions, FOUR_HANDS).layers)
    small, large = both_ways(conditions, FOUR_HANDS)
    for layers in of_threads[1:]:
        for one, other in zip(of_threads[0], layers, strict=True):
            assert one.children.tolist() == other.children.tolist()
            assert one.ways.tolist() == other.ways.tolist()
    total = small.cardinality
    assert 0 < total < DEALS
    places = [0, 1, total - 2, total - 1, *(random.randrange(total) for _ in range(40))]
    assert_alike(small, large, places)
    for model in (small, large):
        owners = np.empty((len(places), 52), np.uint8)
        model.unrank_rows(len(places), limbs(places), owners)
        assert [bytes(row) for row in owners] == [small.unrank(place) for place in places]


@pytest.mark.parametrize("threads", [1, 4])
def test_a_model_that_is_too_large(threads: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pavcodec.limits.available", lambda: threads)
    conditions = conditions_of(REAL["two hands"])
    nodes = build_model(conditions, FOUR_HANDS).nodes
    a_node = 4 + 16 + 3 * 4
    for memory in (1, a_node * 50):
        with pytest.raises(ModelTooLarge, match=r"^too many states: [\d,]+ before card \d+$"):
            build_model(conditions, FOUR_HANDS, memory=memory)
    assert build_model(conditions, FOUR_HANDS, memory=100 * a_node * nodes).nodes == nodes


def widest(diagrams: Sequence[Diagram], sizes: tuple[int, ...]) -> int:
    """The most states that are reached before a card, by the definition."""
    factors = factors_of(diagrams, sizes)
    if factors is None:
        return 0
    seats = tuple(sorted({seat for factor in factors for seat in factor.seats}))
    letters = len(seats) + (len(seats) < len(sizes))
    steps = [living_steps(factor, seats, letters) for factor in factors]
    states, most = {(0,) * len(steps)}, 1
    for layers in zip(*steps, strict=True):
        children = [
            zip(
                *(layer[node].tolist() for layer, node in zip(layers, state, strict=True)),
                strict=True,
            )
            for state in states
        ]
        most = max(most, len(states))
        states = {child for row in children for child in row if -1 not in child}
    return most


@pytest.mark.slow
@pytest.mark.parametrize("name", ["two hands", "two shapes", "three hands"])
def test_a_limit_of_states(name: str) -> None:
    """It stops at the same card with any memory, and lets exactly so many states pass."""
    diagrams = conditions_of(REAL[name])
    states = widest(diagrams, FOUR_HANDS)
    whole = build_model(diagrams, FOUR_HANDS)
    assert build_model(diagrams, FOUR_HANDS, widest=states).nodes == whole.nodes
    states = max(len(layer.ways) for layer in whole.layers)  # others lead nowhere in a half
    for most in (0, 1, 100, states // 2, states - 1):
        told = set()
        for memory in (1 << 30, 1 << 32):
            with pytest.raises(ProductTooLarge) as caught:
                build_model(diagrams, FOUR_HANDS, memory=memory, widest=most)
            told.add((caught.value.states, caught.value.card))
        assert len(told) == 1
    assert issubclass(ProductTooLarge, ModelTooLarge)


@pytest.mark.slow
def test_the_four_hands_of_the_published_example() -> None:
    """The count, the order and the members of a model of 14 million nodes; the one slow test."""
    parts = parts_of(parse_expression(H))
    model = Condition(conjunction(parts)).build()
    assert model.cardinality == 604399695908326950971304
    assert 13_000_000 < model.nodes < 15_000_000
    random = Random(7)
    total = model.cardinality
    places = sorted({0, total - 1, *(random.randrange(total) for _ in range(20))})
    found = [model.unrank(place) for place in places]
    assert found == sorted(found)
    assert [rank_of(model, word) for word in found] == places
    compiler = Compiler()
    conditions = [compiler.truth(part) for part in parts]
    assert all(condition.value(word) == 1 for word in found for condition in conditions)
    owners = np.empty((len(places), 52), np.uint8)
    model.unrank_rows(len(places), limbs(places), owners)
    assert [bytes(row) for row in owners] == found
    numbers = integers(pav.numbering("deal").rank_many(owners))
    assert numbers == sorted(numbers)
    changed = bytes([found[0][0] ^ 1, *found[0][1:]])
    assert rank_of(model, changed) is None
