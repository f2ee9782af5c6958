"""How many words have each value: brute force on toy decks."""

from __future__ import annotations

from collections import Counter

import pytest
from constraints_models import FOUR_SIZES, Deck

from pavcodec import Seat, Suit
from pavcodec.constraints.counting.automaton import is_full
from pavcodec.constraints.counting.compile import Compiler
from pavcodec.constraints.counting.condition import Condition
from pavcodec.constraints.counting.model import build_model, outcomes_of
from pavcodec.constraints.language.parser import parse_expression
from pavcodec.constraints.nodes.syntax import Comparison, Length, Node, Number

TOYS = [Deck(4, 2, (2, 2, 2, 2)), Deck(2, 3, (2, 2, 1, 1)), Deck(2, 4, (3, 3, 2))]


def counted(deck: Deck, conditions: list[Node], numbers: list[Node]) -> dict[tuple[int, ...], int]:
    """The outcomes, by the models."""
    compiler = deck.compiler()
    truths = [compiler.truth(each) for each in conditions]
    return outcomes_of(truths, [compiler.diagram(each) for each in numbers], deck.sizes)


def listed(deck: Deck, conditions: list[Node], numbers: list[Node]) -> dict[tuple[int, ...], int]:
    """The outcomes, word by word."""
    words = [word for word in deck.words if all(deck.value(each, word) for each in conditions)]
    rows = Counter(tuple(deck.value(each, word) for each in numbers) for word in words)
    return dict(sorted(rows.items()))


def test_numbers_may_look_at_other_seats_than_conditions() -> None:
    deck = TOYS[0]
    spades = [Length(Seat(place), Suit.SPADES) for place in range(4)]
    conditions: list[Node] = [Comparison("==", spades[0], Number(1))]
    found = counted(deck, conditions, [spades[1], spades[2]])
    assert found == listed(deck, conditions, [spades[1], spades[2]])
    assert set(found) == {(0, 0), (0, 1), (1, 0)}
    assert counted(deck, [*conditions, Comparison(">", spades[0], Number(1))], [spades[1]]) == {}


def test_constants_and_no_conditions() -> None:
    deck = TOYS[0]
    assert counted(deck, [], [Number(-7)]) == {(-7,): len(deck.words)}
    assert counted(deck, [Number(0)], [Number(-7)]) == {}


@pytest.mark.slow
def test_the_real_deck_by_one_model_for_each_value() -> None:
    where = "shape(south, any 4333) && hcp(south) >= 20 && spades(west) >= 5"
    number = "hcp(north) + controls(south)"
    found = Condition(parse_expression(where)).count_values([parse_expression(number)])
    compiler = Compiler()
    parts = [compiler.truth(parse_expression(part)) for part in where.split(" && ")]
    for value in (0, 7, 12, 25):
        equal = compiler.truth(parse_expression(f"{number} == {value}"))
        assert found.get((value,), 0) == build_model([*parts, equal], FOUR_SIZES).cardinality
    total = build_model(parts, FOUR_SIZES).cardinality
    assert sum(found.values()) == total


def test_limbs_carry() -> None:
    """Counts far over 64 bits, and the root's count by both directions."""
    compiler = Compiler()
    points = compiler.diagram(parse_expression("hcp(north) + hcp(south)"))
    found = outcomes_of([], [points], FOUR_SIZES)
    assert sum(found.values()) == 53644737765488792839237440000
    assert max(found.values()) > 1 << 91
    full = build_model([is_full(0, 13, 52)], FOUR_SIZES)
    assert full.counted
    assert full.counted.words_of_ends() == [full.counted.total] == [635013559600]
