"""Walks over graphs of nodes: the nodes below a node, its measure, and its shared draws.

A node may occur in many places, and a chain of variables may be thousands of nodes deep. So no
function here is recursive, and every walk visits each node once.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from itertools import count as count_from
from typing import NamedTuple, cast

from pavcodec.constraints.nodes.syntax import Node, Number, Random

__all__ = [
    "MAX_DEPTH",
    "Measure",
    "bottom_up",
    "children",
    "distinct",
    "measure_of",
    "name_draws",
    "name_shared_draws",
]

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

    @classmethod
    def above(cls, node: Node, below: Iterable[Measure]) -> Measure:
        """Return the measure of a node from the measures of its children."""
        parts = list(below)
        return cls(
            1 + max((part.depth for part in parts), default=0),
            1 + sum(part.size for part in parts),
            not isinstance(node, Random)
            and (all(part.is_constant for part in parts) if parts else isinstance(node, Number)),
        )


def measure_of(node: Node) -> Measure:
    """Return the measure of a node, and store it in the node.

    >>> from pavcodec.constraints.nodes.syntax import Not
    >>> measure_of(Not(Not(Number(1))))
    Measure(depth=3, size=3, is_constant=True)
    """
    if node.measure is None:
        for part in bottom_up(node, known=lambda part: part.measure is not None):
            measure = Measure.above(part, [child.measure for child in children(part)])
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
        for field in map(str, part.__match_args__):
            value = getattr(part, field)
            if isinstance(value, Node) and id(value) in renamed:
                new[field] = renamed[id(value)]
            elif field == "parts":
                new[field] = tuple(renamed.get(id(each), each) for each in value)
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
