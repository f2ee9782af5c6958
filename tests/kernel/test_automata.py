"""Automata in the kernel and by definition: whole models of toy decks, and diagrams of hands."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from functools import partial
from typing import Any

import numpy as np
import pytest
from constraints_models import Deck, hcp
from model_support import CONDITIONS, FOUR, at_least, model_in
from oracles import limbs
from ranking_support import definitions

from pavcodec import Seat, kernel
from pavcodec.constraints.counting import automaton as diagrams
from pavcodec.constraints.counting import pairs
from pavcodec.constraints.counting.compile import Compiler
from pavcodec.constraints.counting.model import WeightDiagram, build_model, outcomes_of
from pavcodec.constraints.counting.turns import count_layouts
from pavcodec.constraints.language.parser import parse_expression
from pavcodec.constraints.nodes.syntax import And, Node
from pavcodec.kernel import reference

KINDS = ["the last hand", "three hands", "two sums", "a chain of hands", "or across hands"]


def built(deck: Deck, conditions: list[Node]) -> list[Any]:
    """All that is made of conditions: diagrams, models with weights and without, and counts."""
    members = len(deck.members(And(tuple(conditions))))
    compiler = Compiler(suit_size=deck.suit_size, suits=deck.suits)
    truths = [compiler.truth(each) for each in conditions]
    numbers = [compiler.diagram(hcp(Seat(seat))) for seat in (0, 1)]
    model = build_model(truths, deck.sizes)
    assert model.cardinality == members
    assert count_layouts(truths, deck.sizes) == members
    weight = WeightDiagram.of(numbers[0], lambda points: Fraction(points + 10**30))
    weighted = build_model(truths, deck.sizes, [weight])
    assert weighted.words == members
    outcomes = outcomes_of(truths, numbers, deck.sizes)
    assert sum(outcomes.values()) == members
    return [truths, numbers, model, weighted, outcomes]


def assert_the_same(make: Callable[[], list[Any]]) -> None:
    compiled = make()
    with definitions():
        defined = make()
    for one, other in zip(compiled, defined, strict=True):
        assert pickle.dumps(one) == pickle.dumps(other)


@pytest.mark.slow
@pytest.mark.parametrize("name", KINDS)
def test_whole_toy_decks(name: str) -> None:
    assert_the_same(lambda: built(FOUR, CONDITIONS[name][0]))


@pytest.mark.slow
@pytest.mark.parametrize("deck", [(2, 3, (2, 2, 1, 1)), (1, 6, (4, 2)), (2, 4, (3, 3, 2))])
def test_other_decks(
    deck: tuple[int, int, tuple[int, ...]], monkeypatch: pytest.MonkeyPatch
) -> None:
    """With layers and tasks that are cut into many calls."""
    monkeypatch.setattr(diagrams, "_AT_ONCE", 5)
    monkeypatch.setattr(diagrams, "_FEW", 3)
    monkeypatch.setattr(pairs, "_WORK", 4)
    conditions: list[Node] = [at_least(hcp(Seat(0)), 5), at_least(hcp(Seat(1)), 3)]
    assert_the_same(lambda: built(Deck(*deck), conditions))


@pytest.mark.slow
def test_hands() -> None:
    """Products of several parts of real hands, in which some part decides."""
    where = "losers(north) < 4 && aces(south) > 2 || kings(east) == spades(east)"
    assert_the_same(lambda: [Compiler(sizes=(13,) * 4).truth(parse_expression(where))])


@pytest.mark.parametrize("width", [1, 2, 5])
def test_rows_are_numbered_as_they_come(width: int) -> None:
    rows = np.random.default_rng(width).integers(-1, 3, (200, width)).astype(np.int32)
    rows[::7] = np.int32(2**31 - 1)
    results = []
    for number in (kernel.rows_number, reference.rows_number):
        different, places = np.empty_like(rows), np.empty(len(rows), np.int64)
        count = number(rows, width, len(rows), diagrams.hash_table(len(rows)), different, places)
        assert np.array_equal(different[places], rows)
        results.append((count, different[:count].tolist(), places.tolist()))
    assert results[0] == results[1]


@pytest.mark.parametrize("size", ["one hand", "a chain of hands"])
def test_words_and_their_numbers(size: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """By the functions of the reference themselves, with what is no word and no number."""
    model = model_in(FOUR, CONDITIONS[size][0])
    numbers = limbs([*range(0, model.cardinality, 5), 0])
    results = []
    for bind in (kernel.bind, lambda name, *first: partial(getattr(reference, name), *first)):
        monkeypatch.setattr(kernel, "bind", bind)
        walk = replace(model)
        words, again = np.zeros((len(numbers), 8), np.uint8), np.zeros_like(numbers)
        walk.unrank_rows(len(numbers), numbers, words)
        words[-1] = 3
        assert walk.rank_rows(len(numbers), words, again) == len(numbers) - 1
        assert np.array_equal(numbers[:-1], again[:-1])
        results.append(words.tolist())
    assert results[0] == results[1]
