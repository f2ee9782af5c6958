"""What the tests of the constraint language share: expressions to draw, and an oracle."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import cache, lru_cache
from itertools import combinations
from typing import Any, NamedTuple

from hypothesis import strategies as st

from pavcodec import Card, Deal, Seat, Strain, Suit
from pavcodec.constraints.functions import FUNCTIONS, POINTS, card_sum, losers, quality
from pavcodec.constraints.nodes.syntax import (
    And,
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
    Or,
    Random,
    Score,
    SmallHolding,
    Tricks,
    conjunction,
    disjunction,
)
from pavcodec.layout.hand import SumOverCards
from pavcodec.shapes import SHAPES, parse_shapes

seats = st.sampled_from(Seat)
suits = st.sampled_from(Suit)
maybe_suits = st.none() | suits
points = st.sampled_from(sorted(POINTS.values())) | st.lists(
    st.integers(-3, 9), min_size=1, max_size=13
).map(tuple)
shape_sets = st.sampled_from(
    ["any 4333 + any 4432 + any 5332", "5xxx - any 5332", "xx6x", "xxxx", "x300", "4333 - 4333"]
).map(parse_shapes) | st.frozensets(st.sampled_from(SHAPES), max_size=20)
HOLDINGS = ["void", "x", "xxx", "A", "KQ", "QTxx", "K9x", "T98xx", "AKQJT98765432", "Jx", "32"]
numbers = st.builds(Number, st.integers(-(10**6), 10**6))


def _leaves(*, is_exotic: bool) -> st.SearchStrategy[Node]:
    plain = [
        numbers,
        st.builds(card_sum, seats, maybe_suits, points),
        st.builds(Length, seats, suits),
        st.builds(losers.make, seats, maybe_suits),
        st.builds(quality.make, seats, suits),
        st.builds(Holding, seats, suits, st.sampled_from(HOLDINGS).map(SmallHolding.parse)),
        *(st.builds(FUNCTIONS[name].make, seats) for name in WHOLE_HANDS),
        st.builds(InShapes, seats, shape_sets),
        st.builds(HasCard, seats, st.integers(0, 51).map(Card)),
    ]
    exotic = [st.builds(Tricks, seats, st.sampled_from(Strain))] if is_exotic else []
    return st.one_of(*plain, *exotic)


def _negated(node: Node) -> Node:
    return Number(-node.value) if isinstance(node, Number) else Negate(node)


def _divided(operator: str, left: Node, right: Node) -> Node:
    is_zero = operator in "/%" and right == Number(0)
    return Arithmetic(operator, left, Number(7) if is_zero else right)


def draws(children: st.SearchStrategy[Node]) -> st.SearchStrategy[Node]:
    """Random numbers, of which some have a number as a draw."""
    return st.builds(Random, children, st.none() | st.integers(0, 3))


@cache
def nodes(*, is_exotic: bool = True) -> st.SearchStrategy[Node]:
    """Any expression that the parser can make; the exotic ones need a solver or chance."""

    def extend(children: st.SearchStrategy[Node]) -> st.SearchStrategy[Node]:
        lists = st.lists(children, min_size=2, max_size=4)
        compound = [
            children.map(_negated),
            children.map(Not),
            st.builds(_divided, st.sampled_from("+-*/%"), children, children),
            st.builds(
                Comparison, st.sampled_from(["==", "!=", "<", "<=", ">", ">="]), children, children
            ),
            lists.map(conjunction),
            lists.map(disjunction),
            st.builds(Choice, children, children, children),
            st.builds(
                Score,
                st.booleans(),
                st.integers(1, 7),
                st.sampled_from(Strain),
                st.integers(0, 2),
                children,
            ),
            st.builds(Imps, children),
        ]
        return st.one_of(*compound, *([draws(children)] if is_exotic else []))

    return st.recursive(_leaves(is_exotic=is_exotic), extend, max_leaves=12)


class Hands(NamedTuple):
    """A deal as text only: for each seat four strings of ranks."""

    north: list[str]
    east: list[str]
    south: list[str]
    west: list[str]

    @classmethod
    def of(cls, deal: Deal) -> Hands:
        """Split the deal text."""
        return cls(*(hand.split(".") for hand in deal.to_pbn()[2:].split(" ")))


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


def value_by_text(node: Node, hands: Hands) -> int:  # noqa: PLR0911, PLR0912 (a case a node)
    """The value of an expression without chance and tricks, from text alone."""

    def value(part: Node) -> int:
        return value_by_text(part, hands)

    match node:
        case Number(number):
            return number
        case OfHand():
            return of_hand_by_text(node, tuple(hands[node.seat]))
        case Negate(operand):
            return 0 - value(operand)
        case Not(operand):
            return 1 if value(operand) == 0 else 0
        case Arithmetic("+" | "-" | "*" as operator, left, right):
            a, b = value(left), value(right)
            return {"+": a + b, "-": a - b, "*": a * b}[operator]
        case Arithmetic(operator, left, right):
            a, b = value(left), value(right)
            quotient = Fraction(a, b).__trunc__()
            return quotient if operator == "/" else a - b * quotient
        case Comparison(operator, left, right):
            a, b = value(left), value(right)
            less, equal = a < b, a == b
            return {
                "<": less,
                "<=": less or equal,
                "==": equal,
                "!=": not equal,
                ">=": not less,
                ">": not (less or equal),
            }[operator]
        case And(parts):
            return 0 not in lazily(value, parts, stop=lambda found: found == 0)
        case Or(parts):
            return any(lazily(value, parts, stop=lambda found: found != 0))
        case Choice(condition, then, otherwise):
            return value(otherwise) if value(condition) == 0 else value(then)
        case Imps(operand):
            return imps_by_table(value(operand))
        case Score(vulnerable, level, strain, doubled, tricks):
            return score_by_rules(vulnerable, level, strain.letters, doubled, value(tricks))
        case _:
            raise AssertionError(node)


def lazily(
    value: Callable[[Node], int], parts: Sequence[Node], stop: Callable[[int], bool]
) -> list[int]:
    """The values of parts up to the first that decides."""
    found = []
    for part in parts:
        found.append(value(part))
        if stop(found[-1]):
            break
    return found


IMPS = """0-10 20-40 50-80 90-120 130-160 170-210 220-260 270-310 320-360 370-420 430-490 500-590
600-740 750-890 900-1090 1100-1290 1300-1490 1500-1740 1750-1990 2000-2240 2250-2490 2500-2990
3000-3490 3500-3990"""
"""The table of the World Bridge Federation, from 0 IMPs on; 24 from 4000 on."""


def imps_by_table(difference: int) -> int:
    """Look a difference up; what lies between two rows belongs to the upper one."""
    ends = [int(row.split("-")[1]) for row in IMPS.split()]
    won = len([end for end in ends if end < abs(difference)])
    return won if difference > 0 else -won


def score_by_rules(
    vulnerable: bool,
    level: int,
    strain: str,
    doubled: int,
    tricks: int,
) -> int:
    """The laws of duplicate bridge, trick by trick."""
    needed = level + 6
    if tricks < needed:
        lost = 0
        for down in range(1, needed - tricks + 1):
            if doubled == 0:
                lost += 100 if vulnerable else 50
            elif vulnerable:
                lost += (200 if down == 1 else 300) * doubled
            else:
                lost += (100 if down == 1 else 200 if down <= 3 else 300) * doubled
        return -lost
    worth = {"C": 20, "D": 20, "H": 30, "S": 30, "NT": 30}[strain]
    below = (worth * level + (10 if strain == "NT" else 0)) * [1, 2, 4][doubled]
    total = below + [0, 50, 100][doubled]
    for _ in range(tricks - needed):
        total += worth if doubled == 0 else (200 if vulnerable else 100) * doubled
    if below >= 100:
        total += 500 if vulnerable else 300
    else:
        total += 50
    if level == 6:
        total += 750 if vulnerable else 500
    if level == 7:
        total += 1500 if vulnerable else 1000
    return total
