"""The language of conditions in Python: functions that build expressions.

The functions of the language are those of the table, `pavcodec.constraints.functions`.

>>> strength = hcp("north") + hcp("south")
>>> fit = (spades("north") + spades("south") >= 8) | (hearts("north") + hearts("south") >= 8)
>>> print((strength >= 25) & fit)  # doctest: +NORMALIZE_WHITESPACE
hcp(north) + hcp(south) >= 25
    && (spades(north) + spades(south) >= 8 || hearts(north) + hearts(south) >= 8)
"""

from __future__ import annotations

import sys
import warnings
from collections.abc import Callable

from pavcodec.cards import Card, Seat
from pavcodec.constraints.functions import *  # noqa: F403 (each row of the table is a function)
from pavcodec.constraints.language.parser import parse_condition, parse_expression
from pavcodec.constraints.nodes.syntax import HasCard, Node, Python, conjunction
from pavcodec.constraints.operators import Expression, expression_of
from pavcodec.errors import ConstraintWarning
from pavcodec.layout import Deal, Layout


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
