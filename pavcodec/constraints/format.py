"""Expressions as text, in one form only.

`parse_expression(format_node(node)) == node` holds for every node that the parser makes. Functions
of Python have no text; they are shown as `<name>`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import partial

from pavcodec.cards import Seat, Strain, Suit
from pavcodec.constraints.syntax import (
    And,
    Arithmetic,
    CardSum,
    Cccc,
    Choice,
    Comparison,
    HasCard,
    Holding,
    Imps,
    InShapes,
    Length,
    Losers,
    Negate,
    Node,
    Not,
    Number,
    Or,
    Python,
    Quality,
    Random,
    Score,
    Tricks,
)
from pavcodec.constraints.vocabulary import POINTS, full_points
from pavcodec.shapes import format_shapes

__all__ = ["format_mix", "format_node"]

_CHOICE, _OR, _AND, _COMPARISON, _SUM, _PRODUCT, _UNARY, _ATOM = range(8)
_ARITHMETIC = {"+": _SUM, "-": _SUM, "*": _PRODUCT, "/": _PRODUCT, "%": _PRODUCT}


def format_node(node: Node) -> str:
    """Return the canonical text of an expression.

    >>> from pavcodec.constraints.parser import parse_expression
    >>> format_node(parse_expression("HCP(North)>=12 and ((shape(south,any 4333+any 4432)))"))
    'hcp(north) >= 12 && shape(south, any 4333 + any 4432)'
    >>> format_node(parse_expression("hcp(north, heart)", pointcount=[6, 4, 2, 1, 1]))
    'points(north, hearts, 6 4 2 1 1)'
    """
    return _text(node, _CHOICE)


def format_mix(types: Sequence[tuple[Node, Fraction | None]]) -> str:
    """Return the canonical text of the types of a mix, each a condition and perhaps a weight.

    >>> from fractions import Fraction
    >>> format_mix([(Number(1), Fraction(5, 2)), (Choice(Number(1), Number(0), Number(1)), None)])
    '1 : 5/2, (1 ? 0 : 1)'
    """
    texts = ((_text(condition, _OR), weight) for condition, weight in types)
    return ", ".join(text if weight is None else f"{text} : {weight}" for text, weight in texts)


def _text(node: Node, least: int) -> str:
    """Return the text of a node, in parentheses if it binds less than `least`."""
    try:
        binding, write = _WRITERS[type(node)]
    except KeyError:
        raise TypeError(f"{node!r} is no node of an expression") from None
    if isinstance(node, Arithmetic):
        binding = _ARITHMETIC[node.operator]
    text = write(node)
    return f"({text})" if binding < least else text


_part_of_and = partial(_text, least=_COMPARISON)
_part_of_or = partial(_text, least=_AND)


def _seat(seat: Seat) -> str:
    return seat.name.lower()


def _suit(suit: Suit | Strain) -> str:
    return suit.name.lower()


def _seat_and_suit(seat: Seat, suit: Suit | None) -> str:
    return _seat(seat) if suit is None else f"{_seat(seat)}, {_suit(suit)}"


def _card_sum(node: CardSum) -> str:
    place = _seat_and_suit(node.seat, node.suit)
    if full_points(POINTS.get(node.name, ())) == node.points and node.name in POINTS:
        return f"{node.name}({place})"
    last = max((rank for rank, point in enumerate(node.points) if point), default=0)
    return f"points({place}, {' '.join(map(str, node.points[: last + 1]))})"


def _has_card(node: HasCard) -> str:
    card = node.card
    return f"hascard({_seat(node.seat)}, {card.rank.letter}{card.suit.letter})"


def _number(node: Number) -> str:
    return str(node.value)


def _negate(node: Negate) -> str:
    least = _ATOM if isinstance(node.operand, Number) else _UNARY
    return f"-{_text(node.operand, least)}"


def _arithmetic(node: Arithmetic) -> str:
    binding = _ARITHMETIC[node.operator]
    return f"{_text(node.left, binding)} {node.operator} {_text(node.right, binding + 1)}"


def _comparison(node: Comparison) -> str:
    return f"{_text(node.left, _SUM)} {node.operator} {_text(node.right, _SUM)}"


def _choice(node: Choice) -> str:
    condition, then = _text(node.condition, _OR), _text(node.then, _OR)
    return f"{condition} ? {then} : {_text(node.otherwise, _CHOICE)}"


def _holding(node: Holding) -> str:
    return f"holding({_seat_and_suit(node.seat, node.suit)}, {node.holding})"


def _score(node: Score) -> str:
    vulnerable = "vul" if node.vulnerable else "nv"
    contract = f"x{node.level}{node.strain.letters[0]}{'X' * node.doubled}"
    return f"score({vulnerable}, {contract}, {_text(node.tricks, _CHOICE)})"


def _random(node: Random) -> str:
    number = "" if node.draw is None else f", {node.draw}"
    return f"rnd({_text(node.operand, _CHOICE)}{number})"


_WRITERS: dict[type[Node], tuple[int, Callable[..., str]]] = {
    Number: (_UNARY, _number),
    CardSum: (_ATOM, _card_sum),
    Length: (_ATOM, lambda node: f"{_suit(node.suit)}({_seat(node.seat)})"),
    Losers: (_ATOM, lambda node: f"losers({_seat_and_suit(node.seat, node.suit)})"),
    Quality: (_ATOM, lambda node: f"quality({_seat_and_suit(node.seat, node.suit)})"),
    Holding: (_ATOM, _holding),
    Cccc: (_ATOM, lambda node: f"cccc({_seat(node.seat)})"),
    InShapes: (_ATOM, lambda node: f"shape({_seat(node.seat)}, {format_shapes(node.shapes)})"),
    HasCard: (_ATOM, _has_card),
    Negate: (_UNARY, _negate),
    Arithmetic: (_SUM, _arithmetic),
    Comparison: (_COMPARISON, _comparison),
    Not: (_UNARY, lambda node: f"!{_text(node.operand, _UNARY)}"),
    And: (_AND, lambda node: " && ".join(map(_part_of_and, node.parts))),
    Or: (_OR, lambda node: " || ".join(map(_part_of_or, node.parts))),
    Choice: (_CHOICE, _choice),
    Tricks: (_ATOM, lambda node: f"tricks({_seat(node.seat)}, {_suit(node.strain)})"),
    Score: (_ATOM, _score),
    Imps: (_ATOM, lambda node: f"imps({_text(node.operand, _CHOICE)})"),
    Random: (_ATOM, _random),
    Python: (_ATOM, lambda node: f"<{node.name}>"),
}
