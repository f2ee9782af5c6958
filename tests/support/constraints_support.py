"""What the tests of the constraint language share: expressions to draw, and an oracle."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import cache, lru_cache
from itertools import combinations
from typing import Any

from hypothesis import strategies as st

from pavcodec import Card, Seat, Strain, Suit
from pavcodec.constraints.functions import FUNCTIONS, POINTS, card_sum, losers, quality
from pavcodec.constraints.nodes.syntax import (
    Arithmetic,
    Choice,
    Comparison,
    HandValue,
    HasCard,
    Holding,
    Imps,
    InShapes,
    Length,
    Negate,
    Node,
    Not,
    Number,
    OfHand,
    Random,
    Score,
    SmallHolding,
    Tricks,
    conjunction,
    disjunction,
)
from pavcodec.layout.hand import SumOverCards
from pavcodec.shapes import SHAPES, parse_shapes

TOP = "AKQJT98765432"
HOLDINGS = [
    *("void", "x", "xxx", "A", "K", "AQ", "KQ", "QTxx", "K9x", "T98xx", "AKQJT98765432", "Jx", "32")
]
COMPARISONS = ["==", "!=", "<", "<=", ">", ">="]
shape_sets = st.sampled_from(
    ["any 4333 + any 4432 + any 5332", "5xxx - any 5332", "xx6x", "xxxx", "x300", "4333 - 4333"]
).map(parse_shapes) | st.frozensets(st.sampled_from(SHAPES), max_size=20)


def card_of(suit: Suit, rank: int) -> Card:
    """A card by its suit and rank."""
    return Card(suit * 13 + rank)


def leaves(
    seats: Iterable[Seat], suits: Iterable[Suit], size: int, shapes: st.SearchStrategy[Any]
) -> list[st.SearchStrategy[Node]]:
    """Functions of one hand, whose suits have so many cards."""
    seat, suit = st.sampled_from(list(seats)), st.sampled_from(list(suits))
    maybe = st.none() | suit
    some = st.lists(st.integers(-3, 9), min_size=1, max_size=size).map(tuple)
    points = st.sampled_from(sorted(POINTS.values())) | some
    held = [text for text in HOLDINGS if text == "void" or {*text} <= {"x", *TOP[:size]}]
    return [
        st.builds(card_sum, seat, maybe, points),
        st.builds(Length, seat, suit),
        st.builds(losers.make, seat, maybe),
        st.builds(quality.make, seat, suit),
        st.builds(Holding, seat, suit, st.sampled_from(held).map(SmallHolding.parse)),
        st.builds(InShapes, seat, shapes),
        st.builds(HasCard, seat, st.builds(card_of, suit, st.integers(0, size - 1))),
    ]


def negated(node: Node) -> Node:
    """Minus a number, as the parser makes it."""
    return Number(-node.value) if isinstance(node, Number) else Negate(node)


Nodes = st.SearchStrategy[Node]


def compounds(children: Nodes, divisors: Nodes, tricks: Nodes) -> list[Nodes]:
    """Expressions that are put together from others."""
    lists = st.lists(children, min_size=2, max_size=3)
    contract = st.integers(1, 7), st.sampled_from(Strain), st.integers(0, 2)
    return [
        children.map(negated),
        children.map(Not),
        st.builds(Arithmetic, st.sampled_from("+-*"), children, children),
        st.builds(Arithmetic, st.sampled_from("/%"), children, divisors),
        st.builds(Comparison, st.sampled_from(COMPARISONS), children, children),
        lists.map(conjunction),
        lists.map(disjunction),
        st.builds(Choice, children, children, children),
        st.builds(Imps, children),
        st.builds(Score, st.booleans(), *contract, tricks),
    ]


@cache
def nodes(*, is_exotic: bool = True) -> Nodes:
    """Any expression that the parser can make; the exotic ones need a solver or chance."""
    first = [st.integers(-(10**6), 10**6).map(Number), *leaves(Seat, Suit, 13, shape_sets)]
    first += [st.builds(FUNCTIONS[name].make, st.sampled_from(Seat)) for name in WHOLE_HANDS]
    if is_exotic:
        first.append(st.builds(Tricks, st.sampled_from(Seat), st.sampled_from(Strain)))

    def extend(children: Nodes) -> Nodes:
        draws = [st.builds(Random, children, st.none() | st.integers(0, 3))] * is_exotic
        divisors = children.filter(lambda node: node != Number(0))
        return st.one_of(*compounds(children, divisors, children), *draws)

    return st.recursive(st.one_of(*first), extend, max_leaves=12)


def points_by_text(holdings: Sequence[str], worth: dict[str, int]) -> int:
    """Count letters."""
    return sum(text.count(letter) * each for text in holdings for letter, each in worth.items())


def losers_by_text(holding: str) -> int:
    """The losers of a suit, case by case as the manual says."""
    if holding == "":
        return 0
    if len(holding) == 1:
        return 0 if holding == "A" else 1
    if len(holding) == 2:
        return {True: 0}.get(holding == "AK", 1 if holding[0] in "AK" else 2)
    return 3 - ("A" in holding) - ("K" in holding) - ("Q" in holding)


def quality_by_text(holding: str) -> int:
    """The quality of a suit, in floating point as the article writes it, then times 100."""
    worth = 0.0
    for letter, points_ in (("A", 4), ("K", 3), ("Q", 2), ("J", 1)):
        worth += points_ if letter in holding else 0
    tops = len([letter for letter in holding if letter in "AKQJ"])
    if len(holding) > 6:
        missing = (2 if "Q" not in holding else 0) + (1 if "J" not in holding else 0)
        worth += min(missing, len(holding) - 6)
    else:
        if "T" in holding:
            worth += 1 if tops > 1 or "J" in holding else 0.5
        if "9" in holding and (tops == 2 or "T" in holding or "8" in holding):
            worth += 0.5
    return round(worth * len(holding) * 10)


def cccc_by_text(holdings: Sequence[str]) -> int:
    """The value of a hand, in floating point, then times 100."""
    value, short = 0.0, 0
    for holding in holdings:
        value += quality_by_text(holding) / 100
        value += 3 * ("A" in holding)
        value += (0.5 if holding == "K" else 2) * ("K" in holding)
        if "Q" in holding:
            value += 1 - (0 if "A" in holding or "K" in holding else 0.25)
            value -= {1: 0.75, 2: 0.25}.get(len(holding), 0)
        above_jack = len([letter for letter in holding if letter in "AKQ"])
        if "J" in holding:
            value += {1: 0.25, 2: 0.5}.get(above_jack, 0)
        above_ten = above_jack + ("J" in holding)
        if "T" in holding and (above_ten == 2 or (above_ten == 1 and "9" in holding)):
            value += 0.25
        short += max(0, 3 - len(holding))
    return round(100 * (value + (short - 1 if short else -0.5)))


def holding_by_text(pattern: str, held: str) -> bool:
    """Whether a holding is one of those that a text says, by trying all small cards."""
    named = pattern.replace("x", "")
    lower = "98765432"
    for rank in named:
        lower = lower[lower.index(rank) + 1 :] if rank in lower else lower
    fillings = combinations(lower, pattern.count("x"))
    return set(held) in [set(named) | set(filling) for filling in fillings]


WHOLE_HANDS: dict[str, Callable[[Any], int]] = {
    "cccc": cccc_by_text,
    "doubletons": lambda hand: sum(len(held) == 2 for held in hand),
    "longest": lambda hand: len(max(hand, key=len)),
}
"""The functions of a whole hand, from text alone."""


@lru_cache(1 << 16)
def of_hand_by_text(node: OfHand, hand: tuple[str, ...]) -> int:  # noqa: PLR0911 (a case a node)
    """The value of a function of one hand, from text alone."""
    match node:
        case HandValue(_, _, suit, SumOverCards(worth)):
            letters = dict(zip("AKQJT98765432", worth, strict=True))
            return points_by_text(hand if suit is None else [hand[suit]], letters)
        case Length(_, suit):
            return len(hand[suit])
        case HandValue("losers", _, suit):
            chosen = hand if suit is None else [hand[suit]]
            return sum(losers_by_text(holding) for holding in chosen)
        case HandValue("quality", _, Suit() as suit):
            return quality_by_text(hand[suit])
        case Holding(_, suit, holding):
            return holding_by_text(str(holding).removesuffix("void"), hand[suit])
        case HandValue(name, _, suit) if name in WHOLE_HANDS:
            return WHOLE_HANDS[name](hand if suit is None else [hand[suit]])
        case InShapes(_, shapes):
            return tuple(len(holding) for holding in hand) in shapes
        case HasCard(_, card):
            return card.rank.letter in hand[card.suit]
        case _:
            raise AssertionError(node)
