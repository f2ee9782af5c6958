"""Walks over graphs of nodes: the nodes below a node, its measure, and its shared draws.

A node may occur in many places, and a chain of variables may be thousands of nodes deep. So no
function here is recursive, and every walk visits each node once.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import count as count_from
from typing import NamedTuple, cast

from pavcodec.constraints.nodes.syntax import (
    And,
    Node,
    Number,
    Or,
    Random,
)
from pavcodec.errors import PavError

MAX_DEPTH = 200
"""The greatest depth of nested operators and functions in a text."""


def children(node: Node) -> list[Node]:
    """Return the children of a node, from left to right.

    >>> from pavcodec.constraints.nodes.syntax import Or
    >>> children(Or((Number(1), Number(2))))
    [Number(value=1), Number(value=2)]
    """
    return cast("list[Node]", list(node.below))


def distinct(*nodes: Node, stop: Callable[[Node], bool] | None = None) -> Iterator[Node]:
    """Yield every node of some graphs once, in the order of first occurrence, parents first.

    If `stop(node)` is true, the walk does not visit the children of that node.

    >>> from pavcodec.constraints.nodes.syntax import Negate, Or
    >>> [type(node).__name__ for node in distinct(Or((Negate(Number(1)), Number(1))))]
    ['Or', 'Negate', 'Number']
    """
    pending, seen = list(reversed(nodes)), set[int]()
    while pending:
        node = pending.pop()
        if id(node) not in seen:
            seen.add(id(node))
            yield node
            if stop is None or not stop(node):
                pending += reversed(children(node))


def bottom_up(*nodes: Node, known: Callable[[Node], bool] | None = None) -> Iterator[Node]:
    """Yield every node of some graphs once, children before parents, from left to right.

    The walk omits a node if `known(node)` is true, and nodes that only occur below such nodes.

    >>> from pavcodec.constraints.nodes.syntax import Negate, Or
    >>> [type(node).__name__ for node in bottom_up(Or((Negate(Number(1)), Number(1))))]
    ['Number', 'Negate', 'Or']
    """
    pending, open_, done = list(reversed(nodes)), set[int](), set[int]()
    while pending:
        node = pending[-1]
        if id(node) in done or (id(node) not in open_ and known is not None and known(node)):
            pending.pop()
        elif id(node) in open_:
            pending.pop()
            done.add(id(node))
            yield node
        else:
            open_.add(id(node))
            pending += [child for child in reversed(children(node)) if id(child) not in done]


class Measure(NamedTuple):
    """The depth and size of a graph, and whether it is a constant.

    `size` counts a node once for each of its places, as in the text without variables.
    `is_constant` is true if the value depends neither on the deal nor on `rnd`.
    """

    depth: int
    size: int
    is_constant: bool


def measure_of(node: Node) -> Measure:
    """Return the measure of a node, and store it in the node.

    >>> from pavcodec.constraints.nodes.syntax import Not
    >>> measure_of(Not(Not(Number(1))))
    Measure(depth=3, size=3, is_constant=True)
    """
    if node.measure is None:
        for part in bottom_up(node, known=lambda part: part.measure is not None):
            below = [cast("Measure", child.measure) for child in children(part)]
            is_constant = isinstance(part, Number) if not below else not isinstance(part, Random)
            measure = Measure(
                1 + max((each.depth for each in below), default=0),
                1 + sum(each.size for each in below),
                is_constant and all(each.is_constant for each in below),
            )
            object.__setattr__(part, "measure", measure)
    return cast("Measure", node.measure)


def name_draws(node: Node, name: Callable[[Random], int | None]) -> Node:
    """Return the node in which each `rnd` without a number has the number `name(rnd)`.

    If `name` returns None, the `rnd` stays without a number. A node has one number in all its
    places, and `name` is called from left to right.

    >>> name_draws(Random(Number(6)), lambda draw: 1)
    Random(operand=Number(value=6), draw=1)
    """
    if not node.is_loose:
        return node
    loose = [part for part in distinct(node) if isinstance(part, Random) and part.draw is None]
    names = {id(draw): name(draw) for draw in loose}
    renamed: dict[int, Node] = {}
    for part in bottom_up(node, known=lambda part: not part.is_loose):
        new: dict[str, object] = {}
        if names.get(id(part)) is not None:
            new["draw"] = names[id(part)]
        for key in map(str, part.__match_args__):
            value = getattr(part, key)
            if isinstance(value, Node) and id(value) in renamed:
                new[key] = renamed[id(value)]
            elif key == "parts":
                new[key] = tuple(renamed.get(id(each), each) for each in value)
        if new:
            renamed[id(part)] = replace(part, **new)
    return renamed.get(id(node), node)


def name_shared_draws(node: Node) -> Node:
    """Return the node in which each `rnd` that occurs in several places has an unused number.

    So one draw stays one draw after the expression was written as text and parsed again.

    >>> from pavcodec.constraints.nodes.syntax import Arithmetic
    >>> die = Random(Number(6))
    >>> name_shared_draws(Arithmetic("+", die, die)).left
    Random(operand=Number(value=6), draw=1)
    """
    if not node.is_loose:
        return node
    places = _places(node)
    draws = [part for part in distinct(node) if isinstance(part, Random)]
    free = count_from(1 + max(draw.draw or 0 for draw in draws))
    shared = [draw for draw in draws if draw.draw is None and places[id(draw)] > 1]
    names = {id(draw): next(free) for draw in shared}
    return name_draws(node, lambda draw: names.get(id(draw))) if names else node


def _places(node: Node) -> Counter[int]:
    """Count the places of each node with loose draws; the keys are identities of nodes."""
    loose = [*bottom_up(node, known=lambda part: not part.is_loose)]
    places = Counter({id(node): 1})
    for part in reversed(loose):  # parents first
        for child in children(part):
            places[id(child)] += places[id(part)]
    return places


# Conditions joined by `and` and `or`.


_MANY_PARTS, _MOST_PARTS = 10_000, 100_000
"""The number of joined parts above which repeated parts are removed, and the greatest number."""


def conjunction(parts: Sequence[Node]) -> Node:
    """Join conditions by `and`, `1` for none; the parts of an `And` become parts of the result.

    If there are more than 10,000 parts, repeated parts are removed. Raises `PavError` if more than
    100,000 parts remain.

    >>> conjunction([And((Number(1), Number(2))), Number(3)])
    And(parts=(Number(value=1), Number(value=2), Number(value=3)))
    """
    flat = _flat(And, parts) or [Number(1)]
    return flat[0] if len(flat) == 1 else And(tuple(flat))


def disjunction(parts: Sequence[Node]) -> Node:
    """Join conditions by `or`, as `conjunction` does by `and`."""
    flat = _flat(Or, parts)
    return flat[0] if len(flat) == 1 else Or(tuple(flat))


def _flat(join: type[And | Or], parts: Sequence[Node]) -> list[Node]:
    """Return the parts, with each `join` node replaced by its own parts.

    If each variable of a script joins the variable before it twice, the number of parts doubles
    with every line. A repeated part does not change the value, unless it contains a loose draw, so
    the function removes repeated parts of a long list.
    """
    flat: list[Node] = []
    for part in parts:
        flat.extend(part.parts if isinstance(part, join) else (part,))
    if len(flat) > _MANY_PARTS:
        first = {id(part): index for index, part in reversed([*enumerate(flat)])}
        flat = [p for index, p in enumerate(flat) if p.is_loose or first[id(p)] == index]
    if len(flat) > _MOST_PARTS:
        raise PavError(f"more than {_MOST_PARTS} conditions in a row")
    return flat


def parts_of(condition: Node) -> tuple[Node, ...]:
    """Return the conditions that `&&` joins, without constants that are true.

    >>> parts_of(And((Number(1), Number(0))))
    (Number(value=0),)
    """
    parts = condition.parts if isinstance(condition, And) else (condition,)
    return tuple(part for part in parts if not (isinstance(part, Number) and part.value))


# Weights: functions of a deal whose values are fractions of 0 or more.
#
# A weight is the value of an expression, or a table: a fraction for some values of an expression,
# and one for all other values. A deal is weighted by the product of its weights.


class Entry(NamedTuple):
    """The weight of the values from `low` to `high`; None is no limit."""

    low: int | None
    high: int | None
    weight: Fraction

    def has(self, value: int) -> bool:
        """Return whether the entry is the one of a value."""
        return (self.low is None or self.low <= value) and (self.high is None or value <= self.high)

    def meets(self, other: Entry) -> bool:
        """Return whether a value has both entries."""
        return not any(
            one.high is not None and two.low is not None and one.high < two.low
            for one, two in ((self, other), (other, self))
        )


@dataclass(frozen=True)
class Weight:
    """A factor of the weight of a deal: `of` the value that `number` has for the deal.

    Without `entries` the weight is the value itself. With them, it is the weight of the entry that
    has the value, or `otherwise`. `text` is the notation of the language.

    >>> from pavcodec.constraints.language.parser import parse_expression
    >>> some = (Entry(12, 14, Fraction(1)), Entry(15, None, Fraction(1, 2)))
    >>> weight = Weight(parse_expression("hcp(north)"), some)
    >>> [str(weight.of(value)) for value in (11, 12, 14, 37)]
    ['0', '1', '1', '1/2']
    """

    number: Node
    entries: tuple[Entry, ...] | None = None
    otherwise: Fraction = Fraction(0)
    text: str = field(default="", compare=False)

    @classmethod
    def constant(cls, share: Fraction) -> Weight:
        """Return the weight that is equal for all deals.

        >>> Weight.constant(Fraction(1, 3)).text
        '1/3'
        """
        if share.denominator == 1:
            return cls(Number(share.numerator), text=str(share))
        return cls(Number(1), (Entry(1, 1, share),), text=str(share))

    def of(self, value: int) -> Fraction:
        """Return the weight of a value of `number`; a value without a table may be negative."""
        if self.entries is None:
            return Fraction(value)
        return next((each.weight for each in self.entries if each.has(value)), self.otherwise)
