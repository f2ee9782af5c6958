"""Vectors of nodes: the values of expressions that depend only on the owners of the cards.

`evaluate` defines the value of an expression. A vector computes the same values with arrays.
Vectors request the answers of other vectors as the module `leaves` says (`Asking`). A row with a
division by 0 is marked and later evaluated by `evaluate`, which raises the right error.

Each vector has bounds of its values. A node whose values may not fit in 64 bits has no vector. The
bounds also give the width of the integers in an array.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from pavcodec.boards.par import imps
from pavcodec.constraints.arrays.leaves import (
    MOST,
    Asking,
    ChunkRows,
    Vector,
    VectorAnswer,
    either,
    look_up_of,
)
from pavcodec.constraints.arrays.operators import ARITHMETIC, COMPARISONS
from pavcodec.constraints.evaluation import score_of
from pavcodec.constraints.nodes.syntax import (
    And,
    Arithmetic,
    Choice,
    Comparison,
    Imps,
    Negate,
    Node,
    Not,
    Number,
    OfHand,
    Or,
    Score,
)
from pavcodec.constraints.nodes.trees import bottom_up, children, distinct
from pavcodec.layout.columns import narrowest

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Truth = NDArray[np.bool_]


def _number(
    low: int, high: int, work: Callable[[ChunkRows], VectorAnswer | Asking]
) -> Vector | None:
    """Return the vector of a number; None if the bounds do not fit in 64 bits."""
    return None if low < -MOST or high > MOST else Vector(low, high, work)


def all_of(parts: Sequence[Vector]) -> Vector:
    """Return the vector of whether all parts are true; decided rows need no further parts."""
    return Vector(0, 1, partial(_decided, parts, stop=False))


def any_of(parts: Sequence[Vector]) -> Vector:
    """Return the vector of whether any part is true; decided rows need no further parts."""
    return Vector(0, 1, partial(_decided, parts, stop=True))


def _decided(parts: Sequence[Vector], rows: ChunkRows, *, stop: bool) -> Asking:
    """Return whether any part is true (`stop`), or whether all parts are true (not `stop`).

    The first part whose truth equals `stop` decides a row. `left` are the rows of the current
    requests, `origin` their positions in `rows` (None for all), and `going` is true for the rows of
    `left` that are not decided yet.
    """
    left, origin = rows, None
    going, wrong = np.ones(len(rows), np.bool_), None
    for part in parts:
        if not going.any():
            break
        few = left.few(going, part)
        if few is not None:
            left, origin = left.pick(few), few if origin is None else origin.take(few)
            going = np.ones(len(few), np.bool_)
        reply = yield part, left
        if reply.wrong is not None:
            faults = reply.wrong & going
            wrong = either(wrong, _spread(faults, origin, len(rows)))
            going = going & ~faults
        going = going & (~reply.truth if stop else reply.truth)
    undecided = _spread(going, origin, len(rows))
    return VectorAnswer(~undecided if stop else undecided, wrong)


def _spread(truth: Truth, origin: NDArray[np.intp] | None, count: int) -> Truth:
    """Return `bool[count]`: the values of `truth` at the positions `origin`, otherwise false."""
    if origin is None:
        return truth
    spread = np.zeros(count, np.bool_)
    spread[origin] = truth
    return spread


class Vectors:
    """The vectors of nodes, one for each node.

    `wholes` are the expressions; the vector of a node that occurs in them several times is shared.
    """

    def __init__(self, *wholes: Node) -> None:
        nodes = list(distinct(*wholes))
        places = Counter([*wholes, *(child for node in nodes for child in children(node))])
        self._shared = {node for node in nodes if places[node] > 1}
        self._known: dict[Node, Vector | None] = {}

    def of(self, node: Node) -> Vector | None:
        """Return the vector of a node; None if it has none.

        Nodes with `rnd`, `tricks`, a Python function, or values of more than 64 bits have none.
        """
        for part in bottom_up(node, known=self._known.__contains__):
            made = None if part.is_loose else self._made(part)
            if made is not None and part in self._shared:
                made = replace(made, shared=True)
            self._known[part] = made
        return self._known[node]

    def _made(self, node: Node) -> Vector | None:
        if isinstance(node, OfHand):
            return _looked_up(node)
        if isinstance(node, Number):
            return _constant(node.value)
        below = [vector for child in children(node) if (vector := self._known[child])]
        make = _MAKERS.get(type(node))
        return None if make is None or len(below) < len(children(node)) else make(node, *below)


def _looked_up(node: OfHand) -> Vector | None:
    look_up = look_up_of(node)
    if look_up is None:
        return None
    return _number(
        look_up.low,
        look_up.high,
        lambda rows: VectorAnswer(rows.chunk.values(look_up, rows.places)),
    )


def _constant(value: int) -> Vector | None:
    if abs(value) > MOST:
        return None
    constant = VectorAnswer(np.array(value, narrowest(value, value)))
    return _number(value, value, lambda _: constant)


def _negated(_: Negate, inner: Vector) -> Vector | None:
    kind = narrowest(-inner.high, -inner.low, inner.low, inner.high)

    def work(rows: ChunkRows) -> Asking:
        operand = yield inner, rows
        return VectorAnswer(-operand.values.astype(kind), operand.wrong)

    return _number(-inner.high, -inner.low, work)


def _opposite(_: Not, inner: Vector) -> Vector:
    def work(rows: ChunkRows) -> Asking:
        operand = yield inner, rows
        return VectorAnswer(~operand.truth, operand.wrong)

    return Vector(0, 1, work)


def _arithmetic(node: Arithmetic, left: Vector, right: Vector) -> Vector | None:
    operate, low, high = ARITHMETIC[node.operator], *_bounds(node.operator, left, right)
    if low < -MOST or high > MOST:
        return None
    kind: Any = narrowest(low, high, left.low, left.high, right.low, right.high)
    divides = node.operator in "/%" and right.low <= 0 <= right.high

    def work(rows: ChunkRows) -> Asking:
        one = yield left, rows
        other = yield right, rows
        wrong, divisor = either(one.wrong, other.wrong), other.values.astype(kind)
        if divides:
            nothing = np.broadcast_to(divisor == 0, len(rows))
            wrong, divisor = either(wrong, nothing), np.where(nothing, kind(1), divisor)
        return VectorAnswer(operate(one.values.astype(kind), divisor), wrong)

    return Vector(low, high, work)


def _bounds(operator: str, left: Vector, right: Vector) -> tuple[int, int]:
    """Return bounds of the result of an operation: (a lower bound, an upper bound)."""
    if operator == "+":
        return left.low + right.low, left.high + right.high
    if operator == "-":
        return left.low - right.high, left.high - right.low
    if operator == "*":
        corners = [
            one * other for one in (left.low, left.high) for other in (right.low, right.high)
        ]
        return min(corners), max(corners)
    most = max(abs(left.low), abs(left.high))
    if operator == "%":
        most = min(most, max(abs(right.low), abs(right.high)))
    return -most, most


def _comparison(node: Comparison, left: Vector, right: Vector) -> Vector:
    compare = COMPARISONS[node.operator]

    def work(rows: ChunkRows) -> Asking:
        one = yield left, rows
        other = yield right, rows
        return VectorAnswer(compare(one.values, other.values), either(one.wrong, other.wrong))

    return Vector(0, 1, work)


def _mapped(function: Callable[[int], int], inner: Vector) -> Vector | None:
    """Return the vector of a non-decreasing function, computed once for each different number."""
    low, high = function(inner.low), function(inner.high)
    kind = narrowest(low, high)

    def work(rows: ChunkRows) -> Asking:
        operand = yield inner, rows
        different, places = np.unique(operand.values, return_inverse=True)
        values = np.array(list(map(function, different.tolist())), kind)
        return VectorAnswer(values.take(places), operand.wrong)

    return _number(low, high, work)


def _choice(_: Choice, condition: Vector, then: Vector, otherwise: Vector) -> Vector:
    low, high = min(then.low, otherwise.low), max(then.high, otherwise.high)
    kind = narrowest(low, high)

    def work(rows: ChunkRows) -> Asking:
        decided = yield condition, rows
        truth = np.broadcast_to(decided.truth, len(rows))
        values, wrong = np.empty(len(rows), kind), decided.wrong
        for branch, chosen in ((then, truth), (otherwise, ~truth)):
            if not chosen.any():
                continue
            few = rows.few(chosen, branch)
            if few is None:
                reply = yield branch, rows
                np.copyto(values, reply.values, where=chosen)
                faults = None if reply.wrong is None else reply.wrong & chosen
            else:
                reply = yield branch, rows.pick(few)
                values[few] = reply.values
                faults = None if reply.wrong is None else _spread(reply.wrong, few, len(rows))
            wrong = either(wrong, faults)
        return VectorAnswer(values, wrong)

    return Vector(low, high, work)


_MAKERS: dict[type[Node], Callable[..., Vector | None]] = {
    Negate: _negated,
    Not: _opposite,
    Arithmetic: _arithmetic,
    Comparison: _comparison,
    And: lambda _, *parts: all_of(parts),
    Or: lambda _, *parts: any_of(parts),
    Imps: lambda _, inner: _mapped(imps, inner),
    Score: lambda node, inner: _mapped(partial(score_of, node), inner),
    Choice: _choice,
}
