"""What a condition implies for some seats alone.

`hearts(north) > 4 && spades(west) == 0 || spades(north) > 4 && hearts(west) == 0` implies for North
`hearts(north) > 4 || spades(north) > 4`, for any hand of West. Such a condition depends on fewer
hands, so it can be counted if the whole is too large, and every deal that satisfies the whole
satisfies it.

The rule: a node that depends on another seat, or on chance, is unknown. An unknown condition may be
true or false, and an unknown number may have any value between its least and its greatest value.
`weakest` is true if the condition may be true, `strongest` only if it must be true. The negation of
`weakest` is `strongest` of the negated condition. If a condition depends on no other seat, both are
the condition itself.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property
from typing import TYPE_CHECKING, cast

from pavcodec.cards import Seat
from pavcodec.constraints.evaluation import COMPARISONS
from pavcodec.constraints.nodes.syntax import (
    And,
    Arithmetic,
    Choice,
    Comparison,
    HasCard,
    Holding,
    InShapes,
    Negate,
    Node,
    Not,
    Number,
    Or,
    Python,
    Random,
    Tricks,
)
from pavcodec.constraints.nodes.trees import bottom_up, children, conjunction, disjunction

if TYPE_CHECKING:
    from pavcodec.constraints.vectors import Vectors


TRUE, FALSE = Number(1), Number(0)

_OPPOSITES = {"==": "!=", "!=": "==", "<": ">=", "<=": ">", ">": "<=", ">=": "<"}
_TRUTHS = (And, Or, Not, Comparison, HasCard, Holding, InShapes)
"""Nodes whose value is 1 or 0."""


class Looks:
    """The seats that nodes depend on, computed once for each node."""

    def __init__(self) -> None:
        self._known: dict[Node, frozenset[Seat]] = {}

    def at(self, node: Node) -> frozenset[Seat]:
        """Return the seats that the value of a node depends on, all of them for chance and Python.

        >>> from pavcodec.constraints.language.parser import parse_expression
        >>> sorted(Looks().at(parse_expression("hcp(north) + hcp(west) > 20")))
        [<Seat.NORTH: 0>, <Seat.WEST: 3>]
        """
        for each in bottom_up(node, known=self._known.__contains__):
            self._known[each] = self._of(each)
        return self._known[node]

    def _of(self, node: Node) -> frozenset[Seat]:
        if isinstance(node, Random | Tricks | Python):
            return frozenset(Seat)
        seat: Seat | None = getattr(node, "seat", None)
        if seat is not None:
            return frozenset([seat])
        return frozenset[Seat]().union(*(self._known[child] for child in children(node)))


def all_of(parts: Iterable[Node]) -> Node:
    """Join conditions by `and`, without those that are always true."""
    conditions = [part for part in parts if part != TRUE]
    if FALSE in conditions:
        return FALSE
    return conjunction(list(dict.fromkeys(conditions)))


def any_of(parts: Iterable[Node]) -> Node:
    """Join conditions by `or`, without those that are never true."""
    conditions = [part for part in parts if part != FALSE]
    if TRUE in conditions:
        return TRUE
    return disjunction(list(dict.fromkeys(conditions))) if conditions else FALSE


def opposite(node: Node) -> Node:
    """Return the negation of a condition."""
    match node:
        case Number(value):
            return FALSE if value else TRUE
        case Not(operand):
            return operand if isinstance(operand, _TRUTHS) else Comparison("!=", operand, FALSE)
    return Not(node)


class Implications:
    """What conditions imply for some seats alone.

    >>> from pavcodec.constraints.nodes.format import format_node
    >>> from pavcodec.constraints.language.parser import parse_expression
    >>> both = parse_expression("hcp(north) + hcp(south) >= 50 && spades(south) < 2")
    >>> print(format_node(Implications([Seat.NORTH]).weakest(both)))
    hcp(north) + 40 >= 50
    """

    def __init__(self, seats: Iterable[Seat], looks: Looks | None = None) -> None:
        self.seats = frozenset(seats)
        self._looks = looks or Looks()
        self._known: dict[tuple[Node, str], Node | None] = {}

    def weakest(self, node: Node) -> Node:
        """Return a condition on the seats that is true whenever another condition is true."""
        implied = self._remembered("weakest", node)
        return TRUE if implied is None else implied

    def strongest(self, node: Node) -> Node:
        """Return a condition on the seats that is true only when another condition is true."""
        implying = self._remembered("strongest", node)
        return FALSE if implying is None else implying

    def _remembered(self, way: str, node: Node) -> Node | None:
        key = node, way
        if key not in self._known:
            self._known[key] = getattr(self, f"_{way}")(node)
        return self._known[key]

    def _is_own(self, node: Node) -> bool:
        return self._looks.at(node) <= self.seats

    def _weakest(self, node: Node) -> Node | None:  # noqa: PLR0911 (one for each kind of node)
        if self._is_own(node):
            return node
        match node:
            case And(parts):
                return all_of(map(self.weakest, parts))
            case Or(parts):
                return any_of(map(self.weakest, parts))
            case Not(operand):
                return opposite(self.strongest(operand))
            case Comparison(operator, left, right):
                chosen = self._taken_apart(node)
                return self.weakest(chosen) if chosen else self._compared(operator, left, right)
            case Choice(condition, then, otherwise):
                return any_of(
                    [
                        all_of([self.weakest(condition), self.weakest(then)]),
                        all_of([opposite(self.strongest(condition)), self.weakest(otherwise)]),
                    ]
                )
        return None if isinstance(node, _TRUTHS) else self._compared("!=", node, FALSE)

    def _strongest(self, node: Node) -> Node | None:  # noqa: PLR0911 (one for each kind of node)
        if self._is_own(node):
            return node
        match node:
            case And(parts):
                return all_of(map(self.strongest, parts))
            case Or(parts):
                return any_of(map(self.strongest, parts))
            case Not(operand):
                return opposite(self.weakest(operand))
            case Comparison(operator, left, right):
                chosen = self._taken_apart(node)
                if chosen:
                    return self.strongest(chosen)
                return opposite(self._compared(_OPPOSITES[operator], left, right))
            case Choice(condition, then, otherwise):
                return any_of(
                    [
                        all_of([self.strongest(condition), self.strongest(then)]),
                        all_of([opposite(self.weakest(condition)), self.strongest(otherwise)]),
                        all_of([self.strongest(then), self.strongest(otherwise)]),
                    ]
                )
        return None if isinstance(node, _TRUTHS) else opposite(self._compared("==", node, FALSE))

    def _taken_apart(self, node: Comparison) -> Choice | None:
        """Return the choice of comparisons that is equal to a comparison with a choice."""
        match node:
            case Comparison(operator, Choice(condition, then, otherwise), other):
                pair = [_comparison(operator, each, other) for each in (then, otherwise)]
            case Comparison(operator, other, Choice(condition, then, otherwise)):
                pair = [_comparison(operator, other, each) for each in (then, otherwise)]
            case _:
                return None
        return Choice(condition, *pair)

    def _compared(self, operator: str, left: Node, right: Node) -> Node:
        """Return the condition that a comparison may be true."""
        ends = [self._remembered(way, node) for node in (left, right) for way in ("least", "most")]
        if None in ends:
            return TRUE
        low, high, other_low, other_high = cast("list[Node]", ends)
        if operator in (">", ">="):
            return _comparison(operator, high, other_low)
        if operator in ("<", "<="):
            return _comparison(operator, low, other_high)
        if operator == "==":
            return all_of([_comparison(">=", high, other_low), _comparison("<=", low, other_high)])
        return any_of([_comparison("!=", low, other_high), _comparison("!=", high, other_low)])

    def _least(self, node: Node) -> Node | None:
        """Return a number that is never greater than another number; None if there is none."""
        return self._end(node, most=False)

    def _most(self, node: Node) -> Node | None:
        """Return a number that is never less than another number."""
        return self._end(node, most=True)

    def _end(self, node: Node, *, most: bool) -> Node | None:  # noqa: PLR0911
        if self._is_own(node):
            return node
        way, other = ("most", "least") if most else ("least", "most")
        match node:
            case Arithmetic("+", left, right):
                return _operation("+", self._remembered(way, left), self._remembered(way, right))
            case Arithmetic("-", left, right):
                return _operation("-", self._remembered(way, left), self._remembered(other, right))
            case Negate(operand):
                return _operation("-", FALSE, self._remembered(other, operand))
            case Choice(condition, then, otherwise) if self._is_own(condition):
                ends = [self._remembered(way, each) for each in (then, otherwise)]
                return None if None in ends else Choice(condition, *ends)  # type: ignore[arg-type]
        if isinstance(node, _TRUTHS):
            return self.weakest(node) if most else self.strongest(node)
        return self._constant_end(node, most=most)

    def _constant_end(self, node: Node, *, most: bool) -> Node | None:
        if isinstance(node, Random):
            bound = node.operand
            if not isinstance(bound, Number) or bound.value < 1:
                return None
            return Number(bound.value - 1) if most else FALSE
        vector = self._vectors.of(node)
        if vector is None or vector.by_row:
            return None
        return Number(vector.high if most else vector.low)

    @cached_property
    def _vectors(self) -> Vectors:
        from pavcodec.constraints.vectors import Vectors

        return Vectors()


def _operation(operator: str, left: Node | None, right: Node | None) -> Node | None:
    if left is None or right is None:
        return None
    if isinstance(left, Number) and isinstance(right, Number):
        return Number(left.value + right.value if operator == "+" else left.value - right.value)
    return Arithmetic(operator, left, right)


def _comparison(operator: str, left: Node, right: Node) -> Node:
    if isinstance(left, Number) and isinstance(right, Number):
        return TRUE if COMPARISONS[operator](left.value, right.value) else FALSE
    return Comparison(operator, left, right)
