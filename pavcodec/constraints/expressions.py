"""The language of conditions in Python: functions that build expressions.

>>> strength = hcp("north") + hcp("south")
>>> fit = (spades("north") + spades("south") >= 8) | (hearts("north") + hearts("south") >= 8)
>>> print((strength >= 25) & fit)  # doctest: +NORMALIZE_WHITESPACE
hcp(north) + hcp(south) >= 25
    && (spades(north) + spades(south) >= 8 || hearts(north) + hearts(south) >= 8)
"""

from __future__ import annotations

import sys
import warnings
from collections.abc import Callable, Iterable

from pavcodec.cards import SUIT_SIZE, Card, Seat, Suit
from pavcodec.constraints.language.parser import parse_condition, parse_expression
from pavcodec.constraints.nodes.syntax import (
    Cccc,
    HasCard,
    Holding,
    InShapes,
    Length,
    Losers,
    Node,
    Python,
    Quality,
    SmallHolding,
)
from pavcodec.constraints.nodes.trees import conjunction, losing_trick_count
from pavcodec.constraints.nodes.vocabulary import POINTS, card_sum
from pavcodec.constraints.operators import Expression, expression_of
from pavcodec.errors import ConstraintWarning, PavError
from pavcodec.layout import Deal, Layout
from pavcodec.shapes import SHAPES, parse_shapes

__all__ = [
    "Expression",
    "aces",
    "c13",
    "cccc",
    "clubs",
    "condition",
    "controls",
    "diamonds",
    "expression",
    "hascard",
    "hcp",
    "hearts",
    "holding",
    "jacks",
    "kings",
    "losers",
    "ltc",
    "points",
    "quality",
    "queens",
    "shape",
    "spades",
    "template",
    "tens",
    "top2",
    "top3",
    "top4",
    "top5",
]


def expression(value: Expression | Node | str | int) -> Expression:
    """Return the expression of a text, a node or an integer; return an expression unchanged.

    Gives a `ConstraintWarning` for a text that may not mean what its author expects. Raises
    `TextError` for a text that is no expression.

    >>> print(expression("hcp(north)>=12 and 1"))
    hcp(north) >= 12 && 1
    """
    if isinstance(value, str):
        return Expression(parse_expression(value, warn=warn_caller))
    return Expression(value) if isinstance(value, Node) else expression_of(value)


def condition_of(where: Expression | Node | str | int) -> Expression:
    """Return `expression(where)`; also warn of a text that has the same value for all deals."""
    if isinstance(where, str):
        return Expression(parse_condition(where, warn=warn_caller))
    return expression(where)


def warn_caller(reason: str) -> None:
    """Give a `ConstraintWarning` at the line outside this package that called it."""
    frame, level = sys._getframe(), 1
    while frame.f_back and frame.f_globals.get("__name__", "").startswith("pavcodec."):
        frame, level = frame.f_back, level + 1
    warnings.warn(reason, ConstraintWarning, stacklevel=level)


def condition(function: Callable[[Deal], int]) -> Expression:
    """Return a Python function of a deal as an expression; can be used as a decorator.

    Raises `TypeError` for a value that is not callable.

    >>> @condition
    ... def void_somewhere(deal):
    ...     return any(0 in hand.shape for hand in deal)
    >>> print(void_somewhere & (hcp("north") > 12))
    <void_somewhere> && hcp(north) > 12
    """
    if not callable(function):
        raise TypeError(f"condition takes a function, not {type(function).__name__!r}")
    return Expression(Python(function, getattr(function, "__name__", type(function).__name__)))


SeatLike = Seat | int | str
SuitLike = Suit | int | str


def _maybe_suit(suit: SuitLike | None) -> Suit | None:
    return None if suit is None else Suit.of(suit)


def points(seat: SeatLike, worth: str | Iterable[int], suit: SuitLike | None = None) -> Expression:
    """Return the sum of the points of a seat's cards, in one suit or in all.

    `worth` is the points of each rank, ace first, as text or as integers; ranks without a number
    count 0. Raises `PavError` for no numbers or more than 13.

    >>> print(points("north", "6 4 2 1 1", "spades"), "and", points("north", [4, 3, 2, 1]))
    points(north, spades, 6 4 2 1 1) and hcp(north)
    """
    values = [int(word) for word in (worth.split() if isinstance(worth, str) else worth)]
    if not 1 <= len(values) <= SUIT_SIZE:
        raise PavError(f"points are 1 to {SUIT_SIZE} numbers, ace first, not {len(values)}")
    return Expression(card_sum(Seat.of(seat), _maybe_suit(suit), values))


def hcp(seat: SeatLike, suit: SuitLike | None = None) -> Expression:
    """Count high-card points: ace 4, king 3, queen 2, jack 1.

    >>> print(hcp("n") >= 12, hcp(Seat.SOUTH, "hearts"))
    hcp(north) >= 12 hcp(south, hearts)
    """
    return points(seat, POINTS["hcp"], suit)


def controls(seat: SeatLike, suit: SuitLike | None = None) -> Expression:
    """Count controls: ace 2, king 1."""
    return points(seat, POINTS["controls"], suit)


def aces(seat: SeatLike, suit: SuitLike | None = None) -> Expression:
    """Count the aces."""
    return points(seat, POINTS["aces"], suit)


def kings(seat: SeatLike, suit: SuitLike | None = None) -> Expression:
    """Count the kings."""
    return points(seat, POINTS["kings"], suit)


def queens(seat: SeatLike, suit: SuitLike | None = None) -> Expression:
    """Count the queens."""
    return points(seat, POINTS["queens"], suit)


def jacks(seat: SeatLike, suit: SuitLike | None = None) -> Expression:
    """Count the jacks."""
    return points(seat, POINTS["jacks"], suit)


def tens(seat: SeatLike, suit: SuitLike | None = None) -> Expression:
    """Count the tens."""
    return points(seat, POINTS["tens"], suit)


def top2(seat: SeatLike, suit: SuitLike | None = None) -> Expression:
    """Count the aces and kings."""
    return points(seat, POINTS["top2"], suit)


def top3(seat: SeatLike, suit: SuitLike | None = None) -> Expression:
    """Count the aces, kings and queens."""
    return points(seat, POINTS["top3"], suit)


def top4(seat: SeatLike, suit: SuitLike | None = None) -> Expression:
    """Count the aces, kings, queens and jacks."""
    return points(seat, POINTS["top4"], suit)


def top5(seat: SeatLike, suit: SuitLike | None = None) -> Expression:
    """Count the cards from the ace to the ten."""
    return points(seat, POINTS["top5"], suit)


def c13(seat: SeatLike, suit: SuitLike | None = None) -> Expression:
    """Count points on a scale with 13 in each suit: ace 6, king 4, queen 2, jack 1."""
    return points(seat, POINTS["c13"], suit)


def losers(seat: SeatLike, suit: SuitLike | None = None) -> Expression:
    """Count losing tricks, in one suit or in all."""
    return Expression(Losers(Seat.of(seat), _maybe_suit(suit)))


def ltc(seat: SeatLike, suit: SuitLike | None = None) -> Expression:
    """Count losing tricks in hundredths, with half losers, in one suit or in all.

    >>> from pavcodec import deals
    >>> deals(ltc("north", "spades") <= 50).probability
    Fraction(10148846683, 158753389900)
    """
    return Expression(losing_trick_count(Seat.of(seat), _maybe_suit(suit)))


def quality(seat: SeatLike, suit: SuitLike) -> Expression:
    """Return 100 times the suit quality as The Bridge World, October 1982, defines it."""
    return Expression(Quality(Seat.of(seat), Suit.of(suit)))


def holding(seat: SeatLike, suit: SuitLike, cards: str) -> Expression:
    """Return whether a seat's cards of a suit are exactly these; x is a small card.

    >>> print(holding("west", "hearts", "KJxx"), "or", holding("west", "hearts", "void"))
    holding(west, hearts, KJxx) or holding(west, hearts, void)
    """
    return Expression(Holding(Seat.of(seat), Suit.of(suit), SmallHolding.parse(cards)))


def cccc(seat: SeatLike) -> Expression:
    """Return 100 times the hand evaluation CCCC of The Bridge World, October 1982."""
    return Expression(Cccc(Seat.of(seat)))


def spades(seat: SeatLike) -> Expression:
    """Count the spades."""
    return Expression(Length(Seat.of(seat), Suit.SPADES))


def hearts(seat: SeatLike) -> Expression:
    """Count the hearts."""
    return Expression(Length(Seat.of(seat), Suit.HEARTS))


def diamonds(seat: SeatLike) -> Expression:
    """Count the diamonds."""
    return Expression(Length(Seat.of(seat), Suit.DIAMONDS))


def clubs(seat: SeatLike) -> Expression:
    """Count the clubs."""
    return Expression(Length(Seat.of(seat), Suit.CLUBS))


def shape(seat: SeatLike, shapes: str | Iterable[tuple[int, int, int, int]]) -> Expression:
    """Return whether a seat's lengths are among some shapes, given as text or one by one.

    Raises `TextError` for a wrong text, and `PavError` for lengths that do not sum to 13.

    >>> print(shape("south", "any 4333 + any 4432"), "/", shape("south", [(5, 3, 3, 2)]))
    shape(south, any 4333 + any 4432) / shape(south, 5332)
    """
    allowed = parse_shapes(shapes) if isinstance(shapes, str) else _checked(shapes)
    return Expression(InShapes(Seat.of(seat), allowed))


def template(layout: Layout) -> Expression:
    """Return whether each card of a layout is in the same hand; unused cards may be anywhere.

    >>> from pavcodec import Layout, deals
    >>> ending = Layout.from_pbn("N:AK... .Q.. - -")
    >>> print(template(ending))
    hascard(north, AS) && hascard(north, KS) && hascard(east, QH)
    >>> deals(template(ending) & (hcp("north") >= 20)).cardinality
    56879461619596776073536000
    """
    held = [(Seat(owner), card) for card, owner in enumerate(layout.owners) if owner < len(Seat)]
    return Expression(conjunction([HasCard(seat, Card(card)) for seat, card in held]))


def _checked(shapes: Iterable[tuple[int, int, int, int]]) -> frozenset[tuple[int, int, int, int]]:
    allowed = frozenset(shapes)
    wrong = allowed - set(SHAPES)
    if wrong:
        raise PavError(f"a shape is four lengths that sum to 13, not {min(wrong)!r}")
    return allowed


def hascard(seat: SeatLike, card: Card | int | str) -> Expression:
    """Return whether a seat holds a card, given as a `Card` or as text such as SA or AS.

    >>> print(hascard("east", "DA") & hascard("west", "TC"))
    hascard(east, AD) && hascard(west, TC)
    """
    return Expression(HasCard(Seat.of(seat), Card(card)))
