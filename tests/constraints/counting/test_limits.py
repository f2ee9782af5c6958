"""Products that stop where they get too wide."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from pavcodec import ModelTooLarge
from pavcodec.constraints.counting.automaton import Diagram
from pavcodec.constraints.counting.compile import Compiler
from pavcodec.constraints.counting.model import build_model, factors_of
from pavcodec.constraints.counting.pairs import living_steps
from pavcodec.constraints.language.parser import parse_expression
from pavcodec.constraints.nodes.syntax import parts_of
from pavcodec.limits import ProductTooLarge

FOUR_HANDS = (13,) * 4
REAL = {
    "a hand": "hcp(south) >= 15 && shape(south, any 4333)",
    "two hands": "hcp(north) == 2 && hcp(south) <= 1",
    "a sum": "hcp(north) + hcp(south) >= 25 && spades(north) >= 5",
}


def diagrams_of(text: str) -> list[Diagram]:
    compiler = Compiler(sizes=FOUR_HANDS)
    return [compiler.truth(part) for part in parts_of(parse_expression(text))]


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
@pytest.mark.parametrize("name", ["a hand", "two hands", "a sum"])
def test_a_limit_of_states(name: str) -> None:
    """It stops at the same card with any memory, and lets exactly so many states pass."""
    diagrams = diagrams_of(REAL[name])
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
