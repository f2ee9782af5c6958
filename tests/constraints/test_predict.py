"""What is told of a product before it is built, and products that stop at a number of states."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from constraints_models import Deck
from model_support import CONDITIONS, FOUR

from pavcodec import ModelTooLarge
from pavcodec.constraints import model as models
from pavcodec.constraints.compile import Compiler
from pavcodec.constraints.diagram import Diagram
from pavcodec.constraints.memory import ProductTooLarge
from pavcodec.constraints.model import build_model, factors_of, living_steps
from pavcodec.constraints.parser import parse_expression
from pavcodec.constraints.predict import predicted_states
from pavcodec.constraints.split import parts_of

FOUR_HANDS = (13,) * 4
REAL = {
    "nothing": "1",
    "a hand": "hcp(south) >= 15 && shape(south, any 4333)",
    "two hands": "hcp(north) == 2 && hcp(south) <= 1",
    "a sum": "hcp(north) + hcp(south) >= 25 && spades(north) >= 5",
    "three hands": "spades(west) >= 7 && hcp(west) <= 9 && shape(east, any 5332)"
    " && aces(south) == 2",
    "a part of hands": "spades(north) > 4 && spades(south) > 3"
    " || hearts(north) > 4 && hearts(south) > 3",
    "four hands": "hcp(north) >= 30 && hcp(east) <= 3 && hcp(south) <= 3 && hcp(west) <= 4"
    " && shape(north, any 4333)",
}


def diagrams_of(text: str) -> list[Diagram]:
    compiler = Compiler(sizes=FOUR_HANDS)
    return [compiler.truth(part) for part in parts_of(parse_expression(text))]


def reached(diagrams: Sequence[Diagram], sizes: tuple[int, ...]) -> int:
    """The states that are reached, by the definition."""
    factors = factors_of(diagrams, sizes)
    if factors is None:
        return 0
    seats = tuple(sorted({seat for factor in factors for seat in factor.seats}))
    letters = len(seats) + (len(seats) < len(sizes))
    steps = [living_steps(factor, factor.columns(seats)[:letters]) for factor in factors]
    links, _ = models._reached(steps, 1 << 30)
    return sum(map(len, links))


@pytest.mark.parametrize("name", REAL)
def test_predictions_of_deals(name: str) -> None:
    diagrams = diagrams_of(REAL[name])
    told, true = predicted_states(diagrams, FOUR_HANDS), reached(diagrams, FOUR_HANDS)
    assert true / 4 <= told <= 6 * true
    assert predicted_states(diagrams, FOUR_HANDS) == told


@pytest.mark.parametrize("name", CONDITIONS)
def test_predictions_of_toy_decks(name: str) -> None:
    diagrams = [FOUR.compiler().truth(each) for each in CONDITIONS[name][0]]
    told, true = predicted_states(diagrams, FOUR.sizes), reached(diagrams, FOUR.sizes)
    assert true / 4 <= told <= 4 * true


def test_nothing_can_hold() -> None:
    assert predicted_states(diagrams_of("hcp(north) > 40"), FOUR_HANDS) == 0
    assert predicted_states([], (2, 2)) == predicted_states([], Deck(2, 2, (2, 2)).sizes) > 0


@pytest.mark.parametrize("large", [1 << 20, 0], ids=["by sorting", "by blocks"])
@pytest.mark.parametrize("name", ["a hand", "two hands", "a sum"])
def test_a_limit_of_states(name: str, large: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """It stops at the same card with any memory, and lets exactly so many states pass."""
    monkeypatch.setattr(models, "LARGE", large)
    diagrams = diagrams_of(REAL[name])
    states = reached(diagrams, FOUR_HANDS)
    whole = build_model(diagrams, FOUR_HANDS)
    if large == 0:  # states that lead nowhere in a half are not reached
        states = whole.nodes
        assert build_model(diagrams, FOUR_HANDS, limit=states * 2).nodes == whole.nodes
        states //= 2
    else:
        assert build_model(diagrams, FOUR_HANDS, limit=states).nodes == whole.nodes
    for limit in (0, 1, 100, states // 2, states - 1):
        told = set()
        for memory in (1 << 30, 1 << 32):
            with pytest.raises(ProductTooLarge) as caught:
                build_model(diagrams, FOUR_HANDS, memory=memory, limit=limit)
            told.add((caught.value.states, caught.value.card))
        assert len(told) == 1
    assert issubclass(ProductTooLarge, ModelTooLarge)
