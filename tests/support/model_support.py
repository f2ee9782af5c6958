"""Models of toy decks and of real ones that several tests look at."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress

import numpy as np
from constraints_models import Deck, card_of, hcp
from oracles import limbs

from pavcodec import Seat, Suit
from pavcodec.constraints.counting.automaton import Diagram
from pavcodec.constraints.counting.model import Model, build_model, factors_of, letters_of
from pavcodec.constraints.counting.pairs import DEAD, Counted, CountedBack, living_steps
from pavcodec.constraints.functions import losers
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


def defined(factors: Sequence[Diagram], seats: tuple[int, ...], letters: int) -> Counted | None:
    """The counted product of factors, a state a row with its place in each factor."""
    steps = [living_steps(factor, seats, letters) for factor in factors]
    states, links = [(0,) * len(steps)], []
    for card in range(factors[0].cards):
        after: dict[tuple[int, ...], int] = {}
        rows = []
        for state in states:
            nodes = zip(
                *(step[card][k].tolist() for step, k in zip(steps, state, strict=True)), strict=True
            )
            rows.append(
                [-1 if -1 in child else after.setdefault(child, len(after)) for child in nodes]
            )
        states = list(after)
        links.append(rows)
    ways = [1] * len(states)
    counted = CountedBack(sum(map(len, links)), letters, limbs(ways))
    places = list(range(len(states)))
    for layer in reversed(links):
        rows = [[places[child] if child >= 0 else -1 for child in row] for row in layer]
        sums = [sum(ways[child] for child in row if child >= 0) for row in rows]
        living = [row for row, total in zip(rows, sums, strict=True) if total]
        places = [sum(map(bool, sums[:k])) if total else -1 for k, total in enumerate(sums)]
        ways = [total for total in sums if total]
        room = counted.room(len(living))
        room.children[:], room.ways[:] = np.reshape(living, (-1, letters)), limbs(ways)
    return counted.counted() if ways else None


def both_ways(conditions: Sequence[Diagram], sizes: tuple[int, ...]) -> tuple[Model, Model]:
    """The model by definition, and the model by blocks, of conditions that can hold."""
    factors = factors_of(conditions, sizes)
    assert factors is not None
    seats, letters = letters_of(factors, sizes)
    small = Model(sizes, seats, defined(factors, seats, letters))
    return small, build_model(conditions, sizes)


def assert_alike(small: Model, large: Model, places: Sequence[int]) -> None:
    """Two models have the same words at the same places, the one by blocks with no more nodes."""
    assert large.cardinality == small.cardinality
    for here, there in zip(large.layers, small.layers, strict=True):
        assert len(here.ways) == len(here.children) <= len(there.ways)
    for layer in large.layers:
        assert layer.children.dtype == np.int32
        assert layer.ways.dtype == np.uint64
    found = [large.unrank(place) for place in places]
    assert found == [small.unrank(place) for place in places]
    assert [rank_of(large, word) for word in found] == list(places)


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
        below = model.layers[card + 1].ways if card + 1 < len(model.layers) else limbs([1])
        after = [int(high) << 64 | int(low) for high, low in below.tolist()]
        for children, (high, low) in zip(layer.children.tolist(), layer.ways.tolist(), strict=True):
            ways = sum(after[child] for child in children if child != DEAD)
            assert ways == high << 64 | low > 0
        reached = {child for row in layer.children.tolist() for child in row} - {DEAD}
    assert reached == {0} or not model.layers
