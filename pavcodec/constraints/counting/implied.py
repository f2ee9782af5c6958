"""What a condition implies for some seats alone.

`hearts(north) > 4 && spades(west) == 0 || spades(north) > 4 && hearts(west) == 0` implies for North
`hearts(north) > 4 || spades(north) > 4`, for any hand of West. Such a condition depends on fewer
hands, so it can be counted if the whole is too large, and every deal that satisfies the whole
satisfies it.

The rule: a node that depends on another seat, or on chance, is unknown. An unknown condition may be
true or false, and an unknown number may have any value between its least and its greatest value.
`weakest` is true if the condition may be true, `strongest` only if it must be true: they are the
most and the least of its value, as of a number. The negation of `weakest` is `strongest` of the
negated condition. If a condition depends on no other seat, both are the condition itself.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property
from typing import TYPE_CHECKING, cast

from pavcodec.cards import Seat
from pavcodec.constraints.nodes.syntax import (
    OPERATORS,
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
    Random,
    conjunction,
    disjunction,
    measure_of,
)

if TYPE_CHECKING:
    from pavcodec.constraints.vectors import Vectors


TRUE, FALSE = Number(1), Number(0)

_OPPOSITES = {"==": "!=", "!=": "==", "<": ">=", "<=": ">", ">": "<=", ">=": "<"}
_TRUTHS = (And, Or, Not, Comparison, HasCard, Holding, InShapes)
"""Nodes whose value is 1 or 0."""


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

    def __init__(self, seats: Iterable[Seat]) -> None:
        self.seats = frozenset(seats)
        self._truths: dict[tuple[Node, bool], Node] = {}
        self._ends: dict[tuple[Node, bool], Node | None] = {}

    def weakest(self, node: Node) -> Node:
        """Return a condition on the seats that is true whenever another condition is true."""
        return self._truth(node, most=True)

    def strongest(self, node: Node) -> Node:
        """Return a condition on the seats that is true only when another condition is true."""
        return self._truth(node, most=False)

    def _is_own(self, node: Node) -> bool:
        return measure_of(node).seats <= self.seats

    def _truth(self, node: Node, *, most: bool) -> Node:
        """Return the weakest condition, or the strongest if not `most`."""
        key = node, most
        if key not in self._truths:
            self._truths[key] = node if self._is_own(node) else self._truth_of(node, most=most)
        return self._truths[key]

    def _truth_of(self, node: Node, *, most: bool) -> Node:  # noqa: PLR0911 (one for each kind)
        match node:
            case And(parts):
                return all_of(self._truth(part, most=most) for part in parts)
            case Or(parts):
                return any_of(self._truth(part, most=most) for part in parts)
            case Not(operand):
                return opposite(self._truth(operand, most=not most))
            case Comparison(operator, left, right):
                chosen = _taken_apart(node)
                if chosen:
                    return self._truth(chosen, most=most)
                return self._compared(operator, left, right, most=most)
            case Choice(condition, then, otherwise):
                first, second = self._truth(then, most=most), self._truth(otherwise, most=most)
                choices = [
                    all_of([self._truth(condition, most=most), first]),
                    all_of([opposite(self._truth(condition, most=not most)), second]),
                ]
                return any_of(choices if most else [*choices, all_of([first, second])])
        if isinstance(node, _TRUTHS):
            return TRUE if most else FALSE
        return self._compared("!=", node, FALSE, most=most)

    def _compared(self, operator: str, left: Node, right: Node, *, most: bool) -> Node:
        """Return the condition that a comparison may be true, or that it must be."""
        if not most:
            return opposite(self._compared(_OPPOSITES[operator], left, right, most=True))
        ends = [self._end(node, most=way) for node in (left, right) for way in (False, True)]
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

    def _end(self, node: Node, *, most: bool) -> Node | None:
        """Return a number that is never less than another number, or if not `most`, never greater.

        None if there is none.
        """
        key = node, most
        if key not in self._ends:
            self._ends[key] = node if self._is_own(node) else self._end_of(node, most=most)
        return self._ends[key]

    def _end_of(self, node: Node, *, most: bool) -> Node | None:
        match node:
            case Arithmetic("+" | "-" as operator, left, right):
                other = most if operator == "+" else not most
                return _operation(
                    operator, self._end(left, most=most), self._end(right, most=other)
                )
            case Negate(operand):
                return _operation("-", FALSE, self._end(operand, most=not most))
            case Choice(condition, then, otherwise) if self._is_own(condition):
                ends = [self._end(each, most=most) for each in (then, otherwise)]
                return None if None in ends else Choice(condition, *ends)  # type: ignore[arg-type]
        if isinstance(node, _TRUTHS):
            truth = self._truth(node, most=most)
            is_number = not isinstance(truth, _TRUTHS) and truth not in (TRUE, FALSE)
            return _comparison("!=", truth, FALSE) if is_number else truth
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


def _taken_apart(node: Comparison) -> Choice | None:
    """Return the choice of comparisons that is equal to a comparison with a choice."""
    match node:
        case Comparison(operator, Choice(condition, then, otherwise), other):
            pair = [_comparison(operator, each, other) for each in (then, otherwise)]
        case Comparison(operator, other, Choice(condition, then, otherwise)):
            pair = [_comparison(operator, other, each) for each in (then, otherwise)]
        case _:
            return None
    return Choice(condition, *pair)


def _operation(operator: str, left: Node | None, right: Node | None) -> Node | None:
    if left is None or right is None:
        return None
    if isinstance(left, Number) and isinstance(right, Number):
        return Number(left.value + right.value if operator == "+" else left.value - right.value)
    return Arithmetic(operator, left, right)


def _comparison(operator: str, left: Node, right: Node) -> Node:
    if isinstance(left, Number) and isinstance(right, Number):
        return TRUE if OPERATORS[operator].of(left.value, right.value) else FALSE
    return Comparison(operator, left, right)
