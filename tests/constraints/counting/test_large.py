"""Counts and models of real deals by blocks of pairs and by turns; threads, limits, Ctrl-C."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Sequence
from itertools import product
from random import Random
from typing import Any

import numpy as np
import pytest
from constraints_models import Deck, card_of, hcp
from model_support import E, N, S, assert_alike, at_least, both_ways, rank_of
from oracles import DEALS, limbs

from pavcodec import ModelTooLarge, Suit
from pavcodec.constraints.counting import pairs, turns
from pavcodec.constraints.counting.automaton import Diagram, Ids
from pavcodec.constraints.counting.compile import Compiler
from pavcodec.constraints.counting.condition import Condition
from pavcodec.constraints.counting.model import build_model, factors_of
from pavcodec.constraints.counting.pairs import living_steps
from pavcodec.constraints.counting.turns import (
    TurnPart,
    count_layouts,
    in_turns,
    parts_of_deck,
    remainder,
)
from pavcodec.constraints.language.parser import parse_expression
from pavcodec.constraints.nodes.syntax import (
    And,
    HasCard,
    InShapes,
    Length,
    Node,
    conjunction,
    parts_of,
)
from pavcodec.limits import ProductTooLarge

FOUR_HANDS = (13,) * 4
REAL = {
    "two hands": "hcp(north) == 2 && hcp(south) <= 1",
    "two shapes": "shape(north, any 4333) && hcp(north) >= 28 && spades(south) >= 5",
    "odd cards": "hascard(east, 2D) && hcp(east) <= 4 && !hascard(west, 3D)"
    " && shape(west, any 4432)",
    "three hands": "spades(west) == 9 && hearts(east) == 6 && clubs(east) == 6 && aces(south) == 2",
    "four hands": "aces(north) == 1 && aces(east) == 1 && aces(south) == 1 && aces(west) == 1"
    " && spades(north) == 7 && spades(south) > spades(west)",
    "tens": "tens(north) + spades(south) >= 9 && hearts(north) == 6 && losers(south) <= 4",
    "nothing": "hcp(north) >= 25 && hcp(south) >= 16",
}


def diagrams_of(name: str) -> list[Diagram]:
    compiler = Compiler(sizes=FOUR_HANDS)
    return [compiler.truth(part) for part in parts_of(parse_expression(REAL[name]))]


@pytest.mark.slow
@pytest.mark.parametrize("name", REAL)
def test_counts_by_turns_are_those_of_models(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither the length of runs nor threads matter, and models are equal node by node."""
    diagrams = diagrams_of(name)
    model = build_model(diagrams, FOUR_HANDS)
    for threads, targets in ((1, 1 << 10), (3, 1)):
        monkeypatch.setattr("pavcodec.limits.available", lambda threads=threads: threads)
        monkeypatch.setattr(turns, "_TARGETS", targets)
        monkeypatch.setattr(pairs, "_WORK", 1000 * threads)
        assert count_layouts(diagrams, FOUR_HANDS) == model.cardinality
        again = build_model(diagrams, FOUR_HANDS)
        for one, other in zip(model.layers, again.layers, strict=True):
            assert np.array_equal(one.children, other.children)
            assert np.array_equal(one.ways, other.ways)
    assert bool(model.cardinality) == (name != "nothing")


@pytest.mark.slow
@pytest.mark.parametrize("name", ["two shapes", "three hands"])
def test_models_of_deals_are_the_products_by_definition(name: str) -> None:
    small, large = both_ways(diagrams_of(name), FOUR_HANDS)
    random, total = Random(name), small.cardinality
    assert 0 < total < DEALS
    places = [0, 1, total - 2, total - 1, *(random.randrange(total) for _ in range(20))]
    assert_alike(small, large, places)


def test_a_single_factor() -> None:
    """As of a condition over several hands that is large by itself."""
    deck = Deck(4, 2, (2, 2, 2, 2))
    small, large = both_ways([deck.compiler().truth(at_least(hcp(N), 7))], deck.sizes)
    assert_alike(small, large, range(0, small.cardinality, 7))


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


def steps_of(conditions: Sequence[Node], deck: Deck) -> list[list[Ids]]:
    factors = factors_of([deck.compiler().truth(each) for each in conditions], deck.sizes)
    assert factors is not None
    letters = range(len(deck.sizes))
    return [living_steps(factor, letters, len(letters)) for factor in factors]


def test_the_parts_of_a_deck() -> None:
    """Spot cards make runs; a card of its own among them is dealt before them."""
    deck = Deck(2, 7, (4, 4, 3, 3))
    seats = [at_least(hcp(N), 7), at_least(hcp(E), 7)]
    plain = parts_of_deck(steps_of(seats, deck), 4, [0, 1])
    assert [part.run for part in plain if part.run] == [(4, 5, 6), (11, 12, 13)]
    assert [part.odd for part in plain[:4]] == [(0,), (1,), (2,), (3,)]
    odd = steps_of([*seats, HasCard(S, card_of(Suit.HEARTS, 6))], deck)
    parts = parts_of_deck(odd, 4, [0, 1, 2], fewest=2)
    assert (parts[-1].odd, parts[-1].run) == ((13,), (11, 12))
    assert sorted(parts[-1].order) == [0, 1, 2, 3]
    firsts = [min(part.odd + part.run) for part in parts]
    assert firsts == sorted(firsts)


def test_turns_lead_where_cards_lead() -> None:
    """After a run, a factor is where it is card by card, whoever takes which card."""
    deck = Deck(1, 7, (3, 2, 2))
    (factor,) = steps_of([at_least(hcp(N), 5)], deck)[:1]
    parts = (*(TurnPart((card,)) for card in range(4)), TurnPart((), (4, 5, 6), (2, 0, 1)))
    layers = in_turns(factor, parts)
    assert len(layers) == 6
    for word in product(range(3), repeat=7):
        node = 0
        for card, letter in enumerate(word):
            node = int(factor[card][node, letter]) if node >= 0 else -1
        place = 0
        shares = [word[4:].count(letter) for letter in (2, 0)]
        for layer, letter in zip(layers, [*word[:4], *shares], strict=True):
            place = int(layer[place, letter]) if place >= 0 else -1
        assert place == node


def test_the_remainder_counts_shares() -> None:
    parts = (TurnPart((0,)), TurnPart((), (1, 2, 3, 4), (0, 1, 2)))
    layers, weights = remainder(parts, 3)
    found = {}
    for first, second in product(range(5), repeat=2):
        node = layers[1][0, first]
        if node >= 0 and layers[2][node, second] >= 0:
            found[first, second] = int(weights[1][0, first] * weights[2][node, second])
    words = list(product(range(3), repeat=4))
    assert found == {
        (a, b): sum(word.count(0) == a and word.count(1) == b for word in words)
        for a, b in product(range(5), repeat=2)
        if a + b <= 4
    }


@pytest.mark.parametrize("threads", [1, 4])
def test_a_model_that_is_too_large(threads: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pavcodec.limits.available", lambda: threads)
    diagrams = diagrams_of("three hands")
    nodes = build_model(diagrams, FOUR_HANDS).nodes
    a_node = 4 + 16 + 3 * 4
    for memory in (1, a_node * 50):
        with pytest.raises(ModelTooLarge, match=r"^too many states: [\d,]+ before card \d+$"):
            build_model(diagrams, FOUR_HANDS, memory=memory)
        with pytest.raises(ProductTooLarge):
            count_layouts(diagrams, FOUR_HANDS, memory=memory)
    assert build_model(diagrams, FOUR_HANDS, memory=100 * a_node * nodes).nodes == nodes


def states_of(diagrams: Sequence[Diagram], sizes: tuple[int, ...]) -> int:
    """The most states that are reached before a card, by the definition."""
    factors = factors_of(diagrams, sizes)
    assert factors is not None
    seats = tuple(sorted({seat for factor in factors for seat in factor.seats}))
    letters = len(seats) + (len(seats) < len(sizes))
    states, most = {(0,) * len(factors)}, 1
    for layers in zip(*(living_steps(each, seats, letters) for each in factors), strict=True):
        most = max(most, len(states))
        rows = [
            [layer[node].tolist() for layer, node in zip(layers, state, strict=True)]
            for state in states
        ]
        children = {child for row in rows for child in zip(*row, strict=True)}
        states = {child for child in children if -1 not in child}
    return most


@pytest.mark.slow
def test_a_limit_of_states() -> None:
    """It stops at the same card with any memory, and lets exactly so many states pass."""
    diagrams = diagrams_of("three hands")
    states = states_of(diagrams, FOUR_HANDS)
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


H = """shape(north, any 4441) && hcp(north) >= 11 && hcp(north) <= 15
    && shape(south, any 4333 + any 4432 + any 5332) && hcp(south) >= 10 && hcp(south) <= 12
    && hearts(east) >= 6 && hcp(east) >= 5 && hcp(east) <= 10 && hcp(west) <= 7"""


@pytest.mark.slow
def test_the_four_hands_of_the_published_example() -> None:
    """The count, the order and the members of a model of 14 million nodes."""
    parts = parts_of(parse_expression(H))
    model = Condition(conjunction(parts)).build()
    assert model.cardinality == 604399695908326950971304
    assert 13_000_000 < model.nodes < 15_000_000
    random, total = Random(7), model.cardinality
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
    changed = bytes([found[0][0] ^ 1, *found[0][1:]])
    assert rank_of(model, changed) is None


PROGRAM = """
import os, signal, sys
import numpy
from pavcodec import kernel
from pavcodec.constraints.counting import pairs
from pavcodec.cli import main

known = {module}.{name}
calls = 0

def interrupted(*arguments, **named):
    global calls
    calls += 1
    if calls == {calls}:
        os.kill(os.getpid(), signal.SIGINT)
    return known(*arguments, **named)

{module}.{name} = interrupted
sys.exit(main(["count", "--explain", sys.argv[1]]))
"""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("module", "name", "calls"),
    [("pairs", "_after", 22), ("kernel", "blocks_join", 70)],
    ids=["going forward", "putting together"],
)
def test_counting_is_interrupted(module: str, name: str, calls: int) -> None:
    """The signal comes in the middle of millions of states, while other threads work."""
    program = PROGRAM.format(module=module, name=name, calls=calls)
    done = subprocess.run([sys.executable, "-c", program, H], capture_output=True, check=False)
    assert (done.returncode, done.stdout) == (130, b"")
    assert b"Traceback" not in done.stderr


def test_tasks_that_wait_are_dropped() -> None:
    begun: list[int] = []

    def task(number: int) -> None:
        begun.append(number)
        time.sleep(0.002)
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt), pairs.workers() as threads:
        pairs.Workers(threads.pool, 2).results(task, [(number,) for number in range(1000)])
    assert len(begun) < 1000
