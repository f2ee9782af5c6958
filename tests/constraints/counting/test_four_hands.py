"""Conditions on four hands: exact counts on a toy deck, against a list of all its layouts."""

from __future__ import annotations

from dataclasses import fields
from functools import cache
from typing import Any, cast

import pytest
from constraints_models import Deck
from four_hands_support import (
    RANKS,
    SUITS,
    TOY_SIZES,
    Condition,
    Owners,
    Values,
    conditions,
    toy_deals,
)
from model_support import rank_of

from pavcodec.constraints.counting.compile import Compiler
from pavcodec.constraints.counting.model import Model, build_model
from pavcodec.constraints.nodes.syntax import HasCard, InShapes, Node, Number, parts_of

DECK = Deck(SUITS, RANKS, TOY_SIZES)
every_condition = pytest.mark.parametrize("condition", conditions(), ids=str)


@cache
def satisfying(condition: Condition) -> Owners:
    """The layouts for which a condition is true, by the plain way."""
    found: Owners = toy_deals()[Values().of(condition.toy()) != 0]
    return found


@cache
def model_of(condition: Condition) -> Model:
    """The model of all parts of a condition together."""
    compiler = Compiler(suit_size=RANKS, suits=SUITS, sizes=TOY_SIZES)
    return build_model([compiler.truth(part) for part in parts_of(condition.toy())], TOY_SIZES)


@pytest.mark.slow
def test_there_are_twelve() -> None:
    assert len(conditions()) == len({condition.name for condition in conditions()}) == 12
    assert len(toy_deals()) == len({bytes(row) for row in toy_deals()}) == 369600


def outline(node: object) -> object:
    """An expression without its numbers, cards and shapes: what the two decks have in common."""
    if isinstance(node, tuple):
        return tuple(map(outline, node))
    if not isinstance(node, Node):
        return node
    hidden = {Number: "value", InShapes: "shapes", HasCard: "card"}.get(type(node))
    names = [field.name for field in fields(cast("Any", node)) if field.name != hidden]
    return type(node).__name__, *(outline(getattr(node, name)) for name in names)


@pytest.mark.slow
@every_condition
def test_both_decks_have_the_same_structure(condition: Condition) -> None:
    assert outline(condition.toy()) == outline(condition.real())


@pytest.mark.slow
@every_condition
def test_the_count_is_that_of_the_list(condition: Condition) -> None:
    assert model_of(condition).cardinality == len(satisfying(condition))
    assert 500 < len(satisfying(condition)) < 369600 // 2


@pytest.mark.slow
@every_condition
def test_the_layouts_are_those_of_the_list_in_order(condition: Condition) -> None:
    model, rows = model_of(condition), satisfying(condition)
    words = sorted(bytes(row) for row in rows)
    step = len(words) // 150 + 1
    for number in [*range(0, len(words), step), len(words) - 1]:
        assert model.unrank(number) == words[number]
        assert rank_of(model, words[number]) == number
    outside = toy_deals()[:: len(toy_deals()) // 50]
    known = set(words)
    assert all((rank_of(model, bytes(row)) is not None) == (bytes(row) in known) for row in outside)


@pytest.mark.slow
@every_condition
def test_the_plain_way_is_that_of_the_text(condition: Condition) -> None:
    """Two oracles: one over arrays, and one layout by layout from the letters of its hands."""
    node = condition.toy()
    kept = {bytes(row) for row in satisfying(condition)}
    some = [bytes(row) for row in toy_deals()[:: len(toy_deals()) // 400]]
    assert [bool(DECK.value(node, word)) for word in some] == [word in kept for word in some]


@pytest.mark.slow
@every_condition
def test_parts_together_and_alone(condition: Condition) -> None:
    """What the condition leaves out and what it has are all layouts, however it is taken apart."""
    compiler = Compiler(suit_size=RANKS, suits=SUITS, sizes=TOY_SIZES)
    whole = compiler.truth(condition.toy())
    opposite = whole.map(lambda values: 1 - values)
    counts = [build_model([diagram], TOY_SIZES).cardinality for diagram in (whole, opposite)]
    assert counts == [len(satisfying(condition)), 369600 - len(satisfying(condition))]
