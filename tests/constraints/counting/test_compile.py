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
    card_of,
    hcp,
    safe,
)
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from strategies import deals

from pavcodec import Deal, ModelTooLarge, Seat, Strain, Suit
from pavcodec.constraints.counting.automaton import Diagram
from pavcodec.constraints.counting.compile import (
    Compiler,
    NotCountableError,
)
from pavcodec.constraints.evaluation import evaluate
from pavcodec.constraints.functions import FUNCTIONS, POINTS, BySeat, card_sum, losers, quality
from pavcodec.constraints.language.parser import parse_expression
from pavcodec.constraints.nodes.syntax import (
    And,
    Arithmetic,
    Choice,
    Comparison,
    HasCard,
    Imps,
    InShapes,
    Length,
    Negate,
    Node,
    Not,
    Number,
    Or,
    Python,
    Score,
    Tricks,
)
from pavcodec.constraints.nodes.syntax import Random as Rnd
from pavcodec.layout.hand import LENGTH

N, E, S, W = Seat
DECKS = [
    Deck(4, 2, (2, 2, 2, 2)),
    Deck(2, 4, (3, 3, 2)),
    Deck(2, 3, (2, 2, 1, 1)),
    Deck(1, 9, (5, 4)),
]


def leaves_of(deck: Deck, seat: Seat) -> dict[str, Node]:
    """Every function of one hand that a deck has."""
    suits = [Suit(place) for place in range(deck.suits)]
    some: Any = frozenset(Random(deck.cards).sample(deck.shapes(), len(deck.shapes()) // 2))
    maybe = [None, *suits]
    found: dict[str, Node] = {"shape": InShapes(seat, some)}
    whole = [row for row in FUNCTIONS.values() if type(row) is BySeat and row.function != LENGTH]
    found |= {row.name: row.make(seat) for row in whole}
    for suit in maybe:
        found |= {f"{name}-{suit}": card_sum(seat, suit, points) for name, points in POINTS.items()}
        found[f"any-{suit}"] = card_sum(seat, suit, (5, -2, 0, 7, 1, -1, 2, 3, -9, 4, 1, 1, 6))
        found[f"losers-{suit}"] = losers.make(seat, suit)
    for suit in suits:
        found[f"length-{suit}"] = Length(seat, suit)
        found[f"quality-{suit}"] = quality.make(seat, suit)
        for rank in range(deck.suit_size):
            found[f"card-{suit}-{rank}"] = HasCard(seat, card_of(suit, rank))
    return found


@pytest.mark.slow
@pytest.mark.parametrize("deck", DECKS, ids=str)
def test_every_function_of_a_hand_for_every_hand(deck: Deck) -> None:
    """Hands of any size, since a diagram does not know how many cards a hand has."""
    seat, other = deck.seats[-1], deck.seats[0]
    every = [bytes(word) for word in product((other, seat), repeat=deck.cards)]
    assert len(every) == 2**deck.cards
    for name, node in leaves_of(deck, seat).items():
        diagram = deck.compiler().diagram(node)
        assert diagram.seats == (seat,), name
        assert_reduced(diagram)
        assert Walker(diagram).values(every) == [deck.value(node, word) for word in every], name


def operators(deck: Deck) -> dict[str, Node]:
    """Every way to put expressions together, over two hands."""
    north, other = deck.seats[:2]
    a: Node = hcp(north)
    b: Node = Length(other, Suit.SPADES)
    c: Node = HasCard(north, card_of(Suit.SPADES, 1))
    found: dict[str, Node] = {
        sign: Comparison(sign, a, Arithmetic("+", b, Number(1)))
        for sign in ("==", "!=", "<", "<=", ">", ">=")
    }
    difference = Arithmetic("-", a, Arithmetic("*", Number(2), hcp(other)))
    for sign in "/%":
        for divisor in (Number(3), Number(-3), safe(b), Negate(safe(Arithmetic("+", b, c)))):
            found[f"{sign}{len(found)}"] = Arithmetic(sign, difference, divisor)
    found |= {
        "+": Arithmetic("+", a, b),
        "-": difference,
        "*": Arithmetic("*", difference, b),
        "minus": Negate(difference),
        "not": Not(difference),
        "and": And((a, b, c)),
        "or": Or((Comparison(">", b, Number(1)), c, Comparison("==", a, Number(0)))),
        "choice": Choice(difference, a, Negate(b)),
        "imps": Imps(Arithmetic("*", difference, Number(40))),
        "score": Score(True, 1, Strain.HEARTS, 2, a),
        "number": Number(-17),
        "numbers": Comparison("<", Number(2), Arithmetic("%", Number(7), Number(4))),
    }
    return found


@pytest.mark.slow
@pytest.mark.parametrize("deck", [DECKS[0], DECKS[2]], ids=str)
def test_every_operator_for_every_word(deck: Deck) -> None:
    owners = deck.seats[:3]
    every = [bytes(word) for word in product(owners, repeat=deck.cards)]
    every = every if deck.cards < 8 else every[::23]
    for name, node in operators(deck).items():
        diagram = deck.compiler().diagram(node)
        assert_reduced(diagram)
        values = Walker(diagram).values(every)
        assert len(set(values)) > 1 or name.startswith("number"), name
        assert values == [deck.value(node, word) for word in every], name


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


LIMITED = {
    "hcp(north) < 20 && hcp(south) > hcp(east)": "'hcp(south) > hcp(east)' in 'hcp(north) < 20 &&",
    "hcp(north) < 20 ? hcp(south) : hcp(east)": "'hcp(north) < 20 ? hcp(south) : hcp(east)' takes",
    "cccc(north)": "'cccc(north)' takes more than 10 KB: it had 401 states when it came to S6;",
}


@pytest.mark.parametrize("text", LIMITED)
def test_the_limit_of_nodes_is_kept(text: str) -> None:
    with pytest.raises(ModelTooLarge) as caught:
        Compiler(memory=10_000).diagram(parse_expression(text))
    assert str(caught.value).startswith(LIMITED[text])


def test_what_was_made_is_remembered() -> None:
    compiler = Compiler()
    node = parse_expression("hcp(north) + hcp(south)")
    assert compiler.diagram(node) is compiler.diagram(parse_expression("hcp(north) + hcp(south)"))
    condition = parse_expression("hcp(north) > 3")
    assert compiler.truth(condition) is compiler.diagram(condition)
    assert set(compiler.truth(node).values.tolist()) == {0, 1}
    assert set(compiler.truth(Number(-3)).values.tolist()) == {1}
