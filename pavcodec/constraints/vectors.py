"""Values of expressions for many layouts at once, of whatever asks nothing but where the cards are.

What an expression is worth is told by `evaluate`. A vector gives the same for arrays: a node is
worked out only for the rows for which the definition comes to it, and so no row is said to divide
by 0 that does not. A row that does is asked again of the definition, which knows what to say.
Numbers that might leave 64 bits have no vector; bounds tell which those are.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from pavcodec.constraints.array_operators import ARITHMETIC, COMPARISONS
from pavcodec.constraints.columns import LEAVES, MOST, Chunk, LookUp, look_up_of
from pavcodec.constraints.diagram import Values
from pavcodec.constraints.evaluate import score_of
from pavcodec.constraints.scoring import imps
from pavcodec.constraints.syntax import (
    And,
    Arithmetic,
    Choice,
    Comparison,
    Imps,
    Negate,
    Node,
    Not,
    Number,
    Or,
    Score,
)

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Truth = NDArray[np.bool_]

__all__ = ["Rows", "Vector", "Vectors", "all_of", "any_of"]


@dataclass(frozen=True)
class Rows:
    """Some rows of a chunk, or all of them where `places` is None.

    `again` has a mark for each row of the chunk that the definition has to be asked of.
    """

    chunk: Chunk
    again: Truth
    places: NDArray[np.intp] | None = None

    def __len__(self) -> int:
        return self.chunk.rows if self.places is None else len(self.places)

    @property
    def indexes(self) -> NDArray[np.intp] | slice:
        """What picks these rows from an array that has a row for each of the chunk."""
        return slice(None) if self.places is None else self.places

    def where(self, truth: Truth) -> Rows:
        """Return the rows for which something is true."""
        places = np.flatnonzero(truth)
        if len(places) == len(self):
            return self
        return Rows(self.chunk, self.again, self.chosen(places))

    def chosen(self, places: NDArray[np.intp]) -> NDArray[np.intp]:
        """Return where in the chunk some of these rows stand."""
        return places if self.places is None else self.places[places]

    def column(self, look_up: LookUp) -> Values:
        """Return what is looked up for these rows; it is not to be changed."""
        column = self.chunk.column(look_up)
        return column if self.places is None else column.take(self.places)

    def ask_again(self, truth: Truth) -> None:
        """Mark the rows for which something is true."""
        self.again[self.chosen(np.flatnonzero(truth))] = True


@dataclass(frozen=True, eq=False)
class Vector:
    """The values of a node for rows, all from `low` to `high`, as numbers and as truth."""

    low: int
    high: int
    values: Callable[[Rows], Values]
    truth: Callable[[Rows], Truth]


def _number(low: int, high: int, values: Callable[[Rows], Values]) -> Vector | None:
    """Return the vector of a number, if it always has room."""
    if low < -MOST or high > MOST:
        return None
    return Vector(low, high, values, lambda rows: values(rows) != 0)


def _condition(truth: Callable[[Rows], Truth]) -> Vector:
    """Return the vector of what is 1 where something is true, else 0."""
    return Vector(0, 1, lambda rows: truth(rows).astype(np.int64), truth)


def all_of(parts: Sequence[Vector]) -> Vector:
    """Return the vector of whether all parts are true; no part is asked after one that is not."""
    return _condition(partial(_decided, parts, stop=False))


def any_of(parts: Sequence[Vector]) -> Vector:
    """Return the vector of whether any part is true; no part is asked after one that is."""
    return _condition(partial(_decided, parts, stop=True))


def _decided(parts: Sequence[Vector], rows: Rows, *, stop: bool) -> Truth:
    """Return the truth of the first part that is as `stop` says, or else of the last part."""
    first, *others = parts
    found = first.truth(rows)
    for part in others:
        going_on = found != stop
        left = rows.where(going_on)
        if not len(left):
            break
        found[going_on] = part.truth(left)
    return found


class Vectors:
    """Makes vectors of nodes, each of them once, however many places it has in a tree."""

    def __init__(self) -> None:
        self._known: dict[int, tuple[Node, Vector | None]] = {}  # with the node: its id stays
        self._looked_up: dict[Node, Vector | None] = {}

    def of(self, node: Node) -> Vector | None:
        """Return the vector of a node; None where chance, tricks or Python are asked."""
        if id(node) not in self._known:
            self._known[id(node)] = node, self._made(node)
        return self._known[id(node)][1]

    def _made(self, node: Node) -> Vector | None:  # noqa: PLR0911 (one for each kind of node)
        if isinstance(node, LEAVES):
            return self._of_one_hand(node)
        match node:
            case Number(value):
                return _number(value, value, lambda rows: np.full(len(rows), value, np.int64))
            case Negate(operand):
                return _negated(self.of(operand))
            case Arithmetic(operator, left, right):
                return _arithmetic(operator, self.of(left), self.of(right))
            case Imps(operand):
                return _mapped(imps, self.of(operand))
            case Score(tricks=tricks):
                return _mapped(partial(score_of, node), self.of(tricks))
            case Choice(condition, then, otherwise):
                return _choice(self.of(condition), self.of(then), self.of(otherwise))
        return self._condition(node)

    def _condition(self, node: Node) -> Vector | None:
        """Return the vector of an operator that gives 1 or 0."""
        match node:
            case Comparison(operator, left, right):
                return _comparison(operator, self.of(left), self.of(right))
            case Not(operand):
                return _opposite(self.of(operand))
            case And(parts) | Or(parts):
                vectors = [vector for part in parts if (vector := self.of(part))]
                if len(vectors) == len(parts):
                    return all_of(vectors) if isinstance(node, And) else any_of(vectors)
        return None

    def _of_one_hand(self, node: Node) -> Vector | None:
        """Return the vector of a function of one hand; equal ones are looked up once."""
        if node not in self._looked_up:
            self._looked_up[node] = _looked_up(look_up_of(node))
        return self._looked_up[node]


def _looked_up(look_up: LookUp | None) -> Vector | None:
    if look_up is None:
        return None
    return _number(look_up.low, look_up.high, lambda rows: rows.column(look_up))


def _negated(inner: Vector | None) -> Vector | None:
    if inner is None:
        return None
    return _number(-inner.high, -inner.low, lambda rows: -inner.values(rows))


def _opposite(inner: Vector | None) -> Vector | None:
    if inner is None:
        return None
    return _condition(lambda rows: ~inner.truth(rows))


def _arithmetic(operator: str, left: Vector | None, right: Vector | None) -> Vector | None:
    if left is None or right is None:
        return None
    operate = ARITHMETIC[operator]

    def values(rows: Rows) -> Values:
        return operate(left.values(rows), right.values(rows))

    def divided(rows: Rows) -> Values:
        dividend, divisor = left.values(rows), right.values(rows)
        nothing = divisor == 0
        if nothing.any():
            rows.ask_again(nothing)
            divisor = np.where(nothing, 1, divisor)
        return operate(dividend, divisor)

    return _number(*_bounds(operator, left, right), divided if operator in "/%" else values)


def _bounds(operator: str, left: Vector, right: Vector) -> tuple[int, int]:
    """Return the least and the greatest value that an operation may have."""
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


def _comparison(operator: str, left: Vector | None, right: Vector | None) -> Vector | None:
    if left is None or right is None:
        return None
    compare = COMPARISONS[operator]
    return _condition(lambda rows: compare(left.values(rows), right.values(rows)))


def _mapped(function: Callable[[int], int], inner: Vector | None) -> Vector | None:
    """Return the vector of a function that never falls, worked out once for each number."""
    if inner is None:
        return None

    def values(rows: Rows) -> Values:
        different, places = np.unique(inner.values(rows), return_inverse=True)
        return np.array(list(map(function, different.tolist())), np.int64).take(places)

    return _number(function(inner.low), function(inner.high), values)


def _choice(
    condition: Vector | None, then: Vector | None, otherwise: Vector | None
) -> Vector | None:
    if condition is None or then is None or otherwise is None:
        return None

    def values(rows: Rows) -> Values:
        is_true = condition.truth(rows)
        found = np.empty(len(rows), np.int64)
        for branch, truth in ((then, is_true), (otherwise, ~is_true)):
            chosen = rows.where(truth)
            if len(chosen):
                found[truth] = branch.values(chosen)
        return found

    return _number(min(then.low, otherwise.low), max(then.high, otherwise.high), values)
