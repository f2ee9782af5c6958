"""Models of toy decks that several tests look at."""

from __future__ import annotations

from contextlib import suppress

from constraints_models import Deck
from oracles import limbs

from pavcodec import Seat, Suit
from pavcodec.constraints.counting.model import Model, build_model
from pavcodec.constraints.counting.pairs import DEAD
from pavcodec.constraints.language.parser import parse_expression
from pavcodec.constraints.nodes.syntax import Comparison, Node, Number
from pavcodec.walk import NotAMemberError

N, E, S, W = Seat
SPADES, HEARTS = Suit.SPADES, Suit.HEARTS
FOUR = Deck(4, 2, (2, 2, 2, 2))


def nodes_of(text: str) -> list[Node]:
    """The conditions of a text, with semicolons between."""
    return [parse_expression(part) for part in text.split(";")]


def model_in(deck: Deck, conditions: list[Node]) -> Model:
    """The model of conditions that all hold on a toy deck."""
    return build_model([deck.compiler().truth(each) for each in conditions], deck.sizes)


def rank_of(model: Model, word: bytes) -> int | None:
    """The number of a word; None if it has none."""
    with suppress(NotAMemberError):
        return model.rank(word)
    return None


def at_least(node: Node, least: int) -> Node:
    return Comparison(">=", node, Number(least))


TEXTS = {
    "one hand": ("hcp(east) >= 7", "E"),
    "the first hand": ("spades(north) <= 1", "N"),
    "the last hand": ("hcp(west) == 7", "W"),
    "two hands": ("hcp(north) >= 7; spades(south) <= 1", "NS"),
    "two parts of a hand": ("hcp(south) >= 7; spades(south) <= 1; hearts(south) <= 1", "S"),
    "three hands": ("spades(east) <= 1; hcp(south) >= 7; hascard(west, SK)", "ESW"),
    "four hands": ("spades(north) < 2; hcp(east) > 6; hearts(south) < 2; spades(west) < 2", "NESW"),
    "a sum over two hands": ("hcp(north) + hcp(south) >= 15", "NS"),
    "a sum and its hands": ("hcp(north) + hcp(south) >= 14; spades(north) <= 1", "NS"),
    "two sums": ("hcp(north) + hcp(south) >= 14; hcp(east) < hcp(south)", "NES"),
    "a chain of hands": ("hcp(north) <= hcp(east); hcp(east) <= hcp(west)", "NEW"),
    "all four at once": ("hcp(north) + hcp(east) + losers(south) + hcp(west) >= 22", "NESW"),
    "or across hands": ("hcp(north) >= 8 || hcp(west) >= 8", "NW"),
    "not across hands": ("!(spades(north) <= 1 && spades(east) <= 1)", "NE"),
    "true and a hand": ("1; spades(east) <= 1; hcp(south) >= 0", "ES"),
    "always true of a hand": ("hcp(south) >= 6", "S"),
}
"""Conditions on a deck of aces and kings, and the seats that they look at."""
CONDITIONS = {
    name: (nodes_of(text), tuple(map(Seat.parse, seats))) for name, (text, seats) in TEXTS.items()
}


def check(deck: Deck, model: Model, members: list[bytes], step: int = 1) -> None:
    """A model has exactly these words, in this order; of many, each `step`-th is looked at."""
    assert model.cardinality == len(members)
    numbers = range(0, len(members), step)
    assert [model.unrank(number) for number in numbers] == members[::step]
    places = {word: number for number, word in enumerate(members)}
    for word in deck.words[::step]:
        assert rank_of(model, word) == places.get(word)


def check_nodes(model: Model) -> None:
    """Every node is reached, its ways are those of its children, and none has none."""
    reached = {0}
    for card, layer in enumerate(model.layers):
        assert reached == set(range(len(layer.ways)))
        assert (layer.children.dtype.name, layer.ways.dtype.name) == ("int32", "uint64")
        below = model.layers[card + 1].ways if card + 1 < len(model.layers) else limbs([1])
        after = [int(high) << 64 | int(low) for high, low in below.tolist()]
        for children, (high, low) in zip(layer.children.tolist(), layer.ways.tolist(), strict=True):
            ways = sum(after[child] for child in children if child != DEAD)
            assert ways == high << 64 | low > 0
        reached = {child for row in layer.children.tolist() for child in row} - {DEAD}
    assert reached == {0} or not model.layers
