"""Counting by turns is counting card by card: on toy decks, and for conditions of deals."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product

import pytest
from constraints_models import Deck, card_of, hcp
from model_support import at_least

from pavcodec import Seat, Suit
from pavcodec.constraints.counting import turns
from pavcodec.constraints.counting.automaton import Diagram, Ids
from pavcodec.constraints.counting.compile import Compiler
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
from pavcodec.constraints.nodes.syntax import HasCard, Node, parts_of
from pavcodec.limits import ProductTooLarge

N, E, S, _ = Seat
FOUR_HANDS = (13,) * 4
REAL = {
    "a hand": "hcp(south) >= 15 && shape(south, any 4333)",
    "two hands": "hcp(north) == 2 && hcp(south) <= 1",
    "a sum": "hcp(north) + hcp(south) >= 36 && spades(north) >= 5",
    "odd cards": "hascard(east, 2D) && hcp(east) <= 4 && !hascard(west, 3D)"
    " && shape(west, any 4432)",
    "an odd card among others": "hascard(east, 5D) && hearts(east) == 4",
    "three hands": "spades(west) == 9 && hearts(east) == 6 && clubs(east) == 6 && aces(south) == 2",
    "four hands": "aces(north) == 1 && aces(east) == 1 && aces(south) == 1 && aces(west) == 1"
    " && spades(north) == 7 && spades(south) > spades(west)",
    "or": "(spades(north) > 6 && spades(south) > 4 || hearts(north) > 6 && hearts(south) > 4)"
    " && hcp(north) + hcp(south) >= 30 && hcp(west) > 3",
    "tens": "tens(north) + spades(south) >= 9 && hearts(north) == 6 && losers(south) <= 4",
    "nothing": "hcp(north) >= 25 && hcp(south) >= 16",
}


def diagrams_of(text: str) -> list[Diagram]:
    compiler = Compiler(sizes=FOUR_HANDS)
    return [compiler.truth(part) for part in parts_of(parse_expression(text))]


@pytest.mark.slow
@pytest.mark.parametrize("name", REAL)
def test_conditions_of_deals(name: str) -> None:
    diagrams = diagrams_of(REAL[name])
    assert count_layouts(diagrams, FOUR_HANDS) == build_model(diagrams, FOUR_HANDS).cardinality


@pytest.mark.slow
@pytest.mark.parametrize("threads", [1, 3])
def test_threads_do_not_matter(threads: int, monkeypatch: pytest.MonkeyPatch) -> None:
    from pavcodec.constraints.counting import pairs as blocks

    monkeypatch.setattr("pavcodec.limits.available", lambda: threads)
    monkeypatch.setattr(blocks, "_WORK", 100)
    for name in ("a sum", "four hands"):
        diagrams = diagrams_of(REAL[name])
        assert count_layouts(diagrams, FOUR_HANDS) == build_model(diagrams, FOUR_HANDS).cardinality


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
    assert parts[-1].odd == (13,)
    assert parts[-1].run == (11, 12)
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


@pytest.mark.slow
def test_runs_are_not_too_long(monkeypatch: pytest.MonkeyPatch) -> None:
    diagrams = diagrams_of(REAL["a sum"])
    total = count_layouts(diagrams, FOUR_HANDS)
    for targets in (1, 1 << 10, 1 << 14):
        monkeypatch.setattr(turns, "_TARGETS", targets)
        assert count_layouts(diagrams, FOUR_HANDS) == total


@pytest.mark.slow
@pytest.mark.parametrize("name", ["a sum", "four hands"])
def test_a_count_that_does_not_fit(name: str) -> None:
    with pytest.raises(ProductTooLarge):
        count_layouts(diagrams_of(REAL[name]), FOUR_HANDS, memory=100_000)
