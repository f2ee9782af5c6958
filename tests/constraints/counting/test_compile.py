"""Expressions to diagrams: toy decks against text alone, deals against `evaluate`."""

from __future__ import annotations

from functools import partial, reduce
from itertools import product
from random import Random
from typing import Any

import pytest
from constraints_models import (
    EDGES,
    WHOLE,
    Deck,
    Walker,
    assert_reduced,
    hcp,
)
from constraints_support import TOP, card_of
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from strategies import deals

from pavcodec import Deal, ModelTooLarge, Seat, Strain, Suit
from pavcodec.constraints.counting.automaton import Diagram, suits_fold
from pavcodec.constraints.counting.compile import (
    Compiler,
    NotCountableError,
)
from pavcodec.constraints.evaluation import evaluate
from pavcodec.constraints.functions import FUNCTIONS
from pavcodec.constraints.language.parser import parse_expression
from pavcodec.constraints.nodes.syntax import (
    And,
    Arithmetic,
    Choice,
    HasCard,
    Imps,
    InShapes,
    Length,
    Negate,
    Node,
    Not,
    Number,
    Python,
    Score,
    Tricks,
)
from pavcodec.constraints.nodes.syntax import Random as Rnd
from pavcodec.layout.hand import LENGTH
from pavcodec.limits import ProductTooLarge

N, E, S, W = Seat
DECKS = [
    Deck(4, 2, (2, 2, 2, 2)),
    Deck(2, 4, (3, 3, 2)),
    Deck(2, 3, (2, 2, 1, 1)),
    Deck(1, 9, (5, 4)),
]


def leaves_of(deck: Deck, seat: Seat) -> list[Node]:
    """Every function of one hand that a deck has."""
    name, suits = seat.name.lower(), [suit.name.lower() for suit in list(Suit)[: deck.suits]]
    places = [name, *(f"{name}, {suit}" for suit in suits)]
    texts = [f"{suit}({name})" for suit in suits]
    texts += [
        f"hascard({name}, {rank}{suit[0]})" for suit in suits for rank in TOP[: deck.suit_size]
    ]
    texts += [f"points({place}, 5 -2 0 7 1 -1 2 3 -9 4 1 1 6)" for place in places]
    for each, row in FUNCTIONS.items():
        if row.function not in (None, LENGTH):
            most = len(places) if "suit" in row.arguments else 1
            texts += [f"{each}({place})" for place in places[row.least - 1 : most]]
    some: Any = frozenset(Random(deck.cards).sample(deck.shapes(), len(deck.shapes()) // 2))
    return [InShapes(seat, some), *map(parse_expression, texts)]


@pytest.mark.slow
@pytest.mark.parametrize("deck", DECKS, ids=str)
def test_every_function_of_a_hand_for_every_hand(deck: Deck) -> None:
    """Hands of any size, since a diagram does not know how many cards a hand has."""
    seat, other = deck.seats[-1], deck.seats[0]
    every = [bytes(word) for word in product((other, seat), repeat=deck.cards)]
    assert len(every) == 2**deck.cards
    for node in leaves_of(deck, seat):
        diagram = deck.compiler().diagram(node)
        assert diagram.seats == (seat,), node
        assert_reduced(diagram)
        assert Walker(diagram).values(every) == [deck.value(node, word) for word in every], node


def compiled(node: Node) -> Diagram:
    """The diagram of an expression on the real deck, if it is a small one.

    Each expression has a compiler of its own, since the diagrams of others take its memory.
    """
    try:
        return Compiler(memory=10_000_000).diagram(node)
    except ModelTooLarge:
        assume(False)
        raise


@pytest.mark.slow
@given(WHOLE.nodes(most=4), st.lists(deals(), min_size=5, max_size=5))
@settings(max_examples=40, deadline=None)
def test_any_expression_for_deals(node: Node, some: list[Deal]) -> None:
    diagram = compiled(node)
    for deal in (*some, *EDGES):
        assert diagram.value(deal.owners) == evaluate(node, deal)


@pytest.mark.parametrize(
    ("node", "reason"),
    [
        (Rnd(Number(6)), "rnd is tested deal by deal"),
        (Tricks(N, Strain.NOTRUMP), "tricks is tested deal by deal"),
        (Score(True, 4, Strain.SPADES, 0, Tricks(S, Strain.SPADES)), "tricks is tested"),
        (Imps(Rnd(Number(100))), "rnd is tested deal by deal"),
        (Python(lambda _: 1, "f"), "a Python function is tested deal by deal"),
        (Arithmetic("/", Number(1), hcp(N)), "a division whose divisor can be 0"),
        (Arithmetic("%", hcp(S), Length(N, Suit.CLUBS)), "a division whose divisor can be 0"),
    ],
    ids=lambda value: value if isinstance(value, str) else type(value).__name__,
)
def test_what_has_no_diagram_says_why(node: Node, reason: str) -> None:
    for whole in (node, And((hcp(N), Not(node))), Choice(hcp(N), Number(1), node)):
        with pytest.raises(NotCountableError, match=reason):
            Compiler().diagram(whole)


def total(nodes: list[Node]) -> Node:
    """The sum of some numbers."""
    return reduce(partial(Arithmetic, "+"), nodes)


@pytest.mark.slow
@pytest.mark.parametrize("deck", DECKS[1:3], ids=str)
def test_a_divisor_that_is_never_0_for_full_hands(deck: Deck) -> None:
    """What a diagram says of other hands does not matter; whether it can be 0 is found exactly."""
    sized = Compiler(suit_size=deck.suit_size, suits=deck.suits, sizes=deck.sizes)
    suits = [Suit(place) for place in range(deck.suits)]
    lengths = {seat: total([Length(seat, suit) for suit in suits]) for seat in deck.seats}
    north, other = deck.seats[:2]
    divisors = [
        lengths[north],
        total([lengths[other], Negate(hcp(north))]),
        Length(north, Suit.SPADES),
        total(list(lengths.values())),
        total([lengths[north], HasCard(other, card_of(Suit.SPADES, 0)), Number(-1)]),
    ]
    counted = 0
    for divisor, sign in product(divisors, "/%"):
        node = Arithmetic(sign, total([hcp(other), Number(-3)]), divisor)
        if any(deck.value(divisor, word) == 0 for word in deck.words):
            with pytest.raises(NotCountableError, match="divisor can be 0"):
                sized.diagram(node)
        else:
            counted += 1
            values = Walker(sized.diagram(node)).values(deck.words)
            assert values == [deck.value(node, word) for word in deck.words]
            with pytest.raises(NotCountableError, match="divisor can be 0"):
                deck.compiler().diagram(node)
    assert 2 < counted < 10


@pytest.mark.parametrize(
    "text",
    [
        "hcp(north) * 999999999999999999 > 0",
        "hcp(north) * 99999999999 * 999999999 > 0",
        "999999999999999999 * 9 + hcp(north) > 0",
        "score(nv, x1S, hcp(north) * 9999999999999999) > 0",
        "points(north, 999999999999999999 999999999999999999 999999999999999999) > 0",
        "points(north, " + "999999999999999999 " * 13 + ") > 0",
    ],
)
def test_numbers_that_64_bits_may_not_hold_are_refused(text: str) -> None:
    """Never a wrong count: 52 cards of 10^18 - 1 would overflow."""
    with pytest.raises(NotCountableError, match=r"as large as .* tested deal by deal"):
        Compiler().diagram(parse_expression(text))


@pytest.mark.parametrize("operator", "+-*")
def test_the_largest_numbers_that_are_let_pass_are_right(operator: str) -> None:
    big = 2**61 - 1
    left: Node = Choice(HasCard(N, card_of(Suit.SPADES, 0)), Number(big // 2), Number(-(big // 2)))
    node = Arithmetic(operator, left, Number(1 if operator == "*" else big // 2))
    diagram = Compiler().diagram(node)
    for deal in EDGES:
        assert diagram.value(deal.owners) == evaluate(node, deal)
    with pytest.raises(NotCountableError, match="more than 2\\^61"):
        Compiler().diagram(Arithmetic(operator, left, Number(3 if operator == "*" else 2 * big)))
    with pytest.raises(NotCountableError, match="as large as"):
        Compiler().diagram(Number(2**61 + 1))


def test_what_was_made_is_remembered() -> None:
    compiler = Compiler()
    node = parse_expression("hcp(north) + hcp(south)")
    assert compiler.diagram(node) is compiler.diagram(parse_expression("hcp(north) + hcp(south)"))
    condition = parse_expression("hcp(north) > 3")
    assert compiler.truth(condition) is compiler.diagram(condition)
    assert set(compiler.truth(node).values.tolist()) == {0, 1}
    assert set(compiler.truth(Number(-3)).values.tolist()) == {1}


def test_suits_that_do_not_fit_are_given_up_at_a_card_of_their_own() -> None:
    values = Random(7).choices(range(5), k=1 << 13)
    cards = []
    for memory in (1 << 18, 1 << 20, 1 << 22):
        with pytest.raises(ProductTooLarge) as caught:
            suits_fold(0, 4, values, lambda one, other: 5 * one + other, memory=memory)
        assert caught.value.states * 16 < 2 * memory
        cards.append(caught.value.card)
    assert cards == sorted(set(cards))
