"""Models of toy decks and of real ones that several tests look at."""

from __future__ import annotations

from contextlib import suppress
from functools import cache

from constraints_models import Deck, card_of, hcp

import pavcodec as pav
from pavcodec import ConstrainedDeals, Seat, Suit
from pavcodec.constraints.counting.model import Model, build_model
from pavcodec.constraints.counting.pairs import DEAD
from pavcodec.constraints.functions import losers
from pavcodec.constraints.language.parser import parse_expression
from pavcodec.constraints.nodes.syntax import (
    And,
    Arithmetic,
    Comparison,
    HasCard,
    Length,
    Node,
    Not,
    Number,
    Or,
)
from pavcodec.walk import NotAMemberError

N, E, S, W = Seat
SPADES, HEARTS = Suit.SPADES, Suit.HEARTS
FOUR = Deck(4, 2, (2, 2, 2, 2))


def model_in(deck: Deck, conditions: list[Node]) -> Model:
    """The model of conditions that all hold on a toy deck."""
    return build_model([deck.compiler().truth(each) for each in conditions], deck.sizes)


def rank_of(model: Model, word: bytes) -> int | None:
    """The number of a word; None if it has none."""
    with suppress(NotAMemberError):
        return model.rank(word)
    return None


def less(seat: Seat, suit: Suit = SPADES, most: int = 1) -> Node:
    """Whether a seat has at most so many cards of a suit."""
    return Comparison("<=", Length(seat, suit), Number(most))


def at_least(node: Node, least: int) -> Node:
    return Comparison(">=", node, Number(least))


def total(*parts: Node) -> Node:
    """A sum."""
    first, *rest = parts
    for part in rest:
        first = Arithmetic("+", first, part)
    return first


SUM = total(hcp(N), hcp(S))
CONDITIONS: dict[str, tuple[list[Node], tuple[int, ...]]] = {
    "one hand": ([at_least(hcp(E), 7)], (E,)),
    "the first hand": ([less(N)], (N,)),
    "the last hand": ([Comparison("==", hcp(W), Number(7))], (W,)),
    "two hands": ([at_least(hcp(N), 7), less(S)], (N, S)),
    "two parts of a hand": ([at_least(hcp(S), 7), less(S), less(S, HEARTS)], (S,)),
    "three hands": ([less(E), at_least(hcp(S), 7), HasCard(W, card_of(SPADES, 1))], (E, S, W)),
    "four hands": ([less(N), at_least(hcp(E), 7), less(S, HEARTS), less(W)], (N, E, S, W)),
    "a sum over two hands": ([at_least(SUM, 15)], (N, S)),
    "a sum and its hands": ([at_least(SUM, 14), less(N), at_least(hcp(S), 7)], (N, S)),
    "two sums": ([at_least(SUM, 14), Comparison("<", hcp(E), hcp(S))], (N, E, S)),
    "a chain of hands": (
        [Comparison("<=", hcp(N), hcp(E)), Comparison("<=", hcp(E), hcp(W))],
        (N, E, W),
    ),
    "all four at once": (
        [at_least(total(hcp(N), hcp(E), losers.make(S), hcp(W)), 22)],
        (N, E, S, W),
    ),
    "or across hands": ([Or((at_least(hcp(N), 8), at_least(hcp(W), 8)))], (N, W)),
    "not across hands": ([Not(And((less(N), less(E))))], (N, E)),
    "true and a hand": ([Number(1), less(E), at_least(hcp(S), 0)], (E, S)),
    "always true of a hand": ([at_least(hcp(S), 6)], (S,)),
}

SPACES = {
    "all deals": "1",
    "all deals, of one hand": "hcp(north) >= 0",
    "no hand, and yet a condition": "2 * 2 == 4",
    "north": "spades(north) == 5 && hcp(north) >= 12",
    "east": "losers(east) == 4 && hcp(east) >= 13",
    "south": "hcp(south) == 37",
    "west": "spades(west) == 9",
    "two hands": "hcp(north) == 2 && hcp(south) <= 1",
    "neighbours": "hearts(south) + hearts(west) == 12 && aces(south) == aces(west)",
    "three hands": "spades(west) == 9 && hearts(east) == 6 && clubs(east) == 6 && aces(south) == 2",
    "three others": "hcp(north) > 15 && hcp(north) <= hcp(east) + hcp(south) - 5",
    "four hands": "aces(north) == 1 && aces(east) == 1 && aces(south) == 1 && aces(west) == 1",
    "four hands at once": "hcp(north) - hcp(east) + hcp(south) - hcp(west) >= 38",
    "a single deal": "spades(north) == 13 && hearts(east) == 13 && diamonds(south) == 13",
    "two free hands that are full soon": "spades(north) == 13 && hearts(south) == 13",
}


@cache
def space_of(name: str) -> ConstrainedDeals:
    space = pav.deals(parse_expression(SPACES[name]))
    assert isinstance(space, ConstrainedDeals)
    return space


def partitions(model: Model, number: int) -> list[int]:
    """The indexes at which the partitions begin that the walk to a number passes by.

    They are worked out from the nodes alone: completions are the ways of the child, times the
    arrangements of the free hands, multiplied out.
    """
    rooms = [0 if seat in model.seats else size for seat, size in enumerate(model.sizes)]
    node, start = 0, 0
    found = []
    for card, layer in enumerate(model.layers):
        for seat in range(len(model.sizes)):
            is_free = seat not in model.seats
            letter = len(model.seats) if is_free else model.seats.index(seat)
            child = DEAD if is_free and not rooms[seat] else int(layer.children[node, letter])
            if child == DEAD:
                continue
            rooms[seat] -= is_free
            ways = 1
            if card + 1 < len(model.layers):
                high, low = model.layers[card + 1].ways[child].tolist()
                ways = high << 64 | low
            placed = 0
            for room in rooms:
                for taken in range(1, room + 1):
                    placed += 1
                    ways = ways * placed // taken
            found.append(start)
            if number < start + ways:
                node = child
                break
            start += ways
            rooms[seat] += is_free
    assert start == number
    return found
