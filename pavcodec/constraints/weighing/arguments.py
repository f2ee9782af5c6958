"""Weights as arguments of Python: texts, expressions, numbers, tables, and lists of them.

Tables become texts of the language, so one parser defines their meaning and their errors.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from numbers import Rational
from operator import index
from typing import Any, SupportsIndex, TypeAlias

from pavcodec.cards import Seat
from pavcodec.constraints.expressions import Expression, warn_caller
from pavcodec.constraints.known.cards import by_seat
from pavcodec.constraints.language.parser import parse_weights
from pavcodec.constraints.nodes.format import format_node
from pavcodec.constraints.nodes.weights import Weight
from pavcodec.sampling.weights import share_of

__all__ = ["SeatWeights", "Table", "WeightLike", "weights_of"]

Share: TypeAlias = SupportsIndex | Rational | str

Table: TypeAlias = Mapping[Any, Share]
"""The weights of values: 12, "14-16", "17+", a list of shapes, a holding, or "else".

Python finds no common type for keys such as 12 and "14-16", so the type does not name one."""

WeightLike: TypeAlias = (
    "Share | Expression | Weight | Mapping[str, Table] | Sequence[WeightLike]"  # of itself
)
"""A weight: a number, a text, an expression, tables by the names of their functions, or a list."""

SeatWeights: TypeAlias = Mapping[Seat, WeightLike] | Mapping[str, WeightLike]
"""The weights of the hands."""


def weights_of(weights: SeatWeights | None, joint: WeightLike | None) -> tuple[Weight, ...]:
    """Return the weights of the arguments `weights` and `joint` of `weighted`.

    >>> some = {"N": {"hcp": {12: 1, "13-15": "1/2"}}}
    >>> [each.text for each in weights_of(some, "aces(east) + 1")]
    ['hcp(north) {12: 1, 13-15: 1/2}', 'aces(east) + 1']
    """
    found: list[Weight] = []
    given: object = weights
    if given is not None and not isinstance(given, Mapping):
        kind = type(given).__name__
        raise TypeError(f"weights are a mapping of seats to weights, not {kind!r}; see joint=")
    for seat, weight in by_seat(weights or {}, "weights"):
        found += _weights(weight, f"{seat.name.lower()}: ")
    if joint is not None:
        found += _weights(joint, "")
    return tuple(found)


def _weights(weight: WeightLike, seat: str) -> list[Weight]:
    """Return the weights of one argument; `seat` is the start of a text."""
    if isinstance(weight, Weight):
        return [weight]
    if isinstance(weight, str):
        return list(parse_weights(seat + weight, warn=warn_caller))
    if isinstance(weight, Expression):
        return [Weight(weight.node, text=format_node(weight.node))]
    if isinstance(weight, Mapping):
        texts = (f"{seat}{head} {_table(head, table)}" for head, table in weight.items())
        return [each for text in texts for each in parse_weights(text, warn=warn_caller)]
    if isinstance(weight, Sequence):
        return [each for some in weight for each in _weights(some, seat)]
    number: object = weight  # of a caller without types
    if not isinstance(number, Rational | float | SupportsIndex):
        kinds = "a number, a text, an expression, tables by function, or a list of these"
        raise TypeError(f"a weight is {kinds}, not {type(number).__name__!r}")
    return [Weight.constant(share_of(weight))]


def _table(head: str, table: object) -> str:
    """Return the text of a table."""
    if not isinstance(table, Mapping):
        kind = type(table).__name__
        raise TypeError(f"the weights of {head!r} are a mapping of values to weights, not {kind!r}")
    entries = (f"{key}: {_share(weight)}" for key, weight in table.items())
    return f"{{{', '.join(entries)}}}"


def _share(weight: object) -> str:
    """Return the text of the weight of a value; texts are left to the parser."""
    if isinstance(weight, str):
        return weight
    if isinstance(weight, float):
        raise TypeError(f"a weight is exact: write '{weight}' instead of {weight}")
    if not isinstance(weight, Rational | SupportsIndex):
        raise TypeError(
            f"the weight of a value is a number or a text, not {type(weight).__name__!r}"
        )
    return str(weight if isinstance(weight, Rational) else index(weight))
