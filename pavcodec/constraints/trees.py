"""Walks over trees: what stands below a node, how deep and large a tree is, which draws it shares.

Everything that walks a tree goes down as deep as the tree does, so no tree is deeper than
`MAX_DEPTH`, whether a text or Python makes it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import fields, replace
from itertools import count as count_from
from typing import NamedTuple

from pavcodec.constraints.syntax import Node, Number, Random

__all__ = [
    "MAX_DEPTH",
    "MAX_SIZE",
    "Measure",
    "Measures",
    "children",
    "name_draws",
    "name_shared_draws",
]

MAX_DEPTH = 200
"""How many operators and functions may stand within one another."""

MAX_SIZE = 100_000
"""How many parts an expression may have, variables written out."""


def children(node: Node) -> list[Node]:
    """Return the nodes right below a node, from left to right.

    >>> from pavcodec.constraints.syntax import Or
    >>> children(Or((Number(1), Number(2))))
    [Number(value=1), Number(value=2)]
    """
    below: list[Node] = []
    for field in fields(node):  # type: ignore[arg-type]  # every node is a dataclass
        value = getattr(node, field.name)
        if isinstance(value, Node):
            below.append(value)
        elif field.name == "parts":
            below += value
    return below


class Measure(NamedTuple):
    """How deep a tree is, how many parts it has, and what can be seen of its leaves.

    `is_constant` tells that neither deal nor chance is asked, and `has_loose_draws` that there is
    an `rnd` without a number of its own.
    """

    depth: int
    size: int
    is_constant: bool
    has_loose_draws: bool

    @classmethod
    def above(cls, node: Node, below: Iterable[Measure]) -> Measure:
        """Return the measure of a node, given those of the nodes right below it."""
        parts = list(below)
        is_loose = isinstance(node, Random) and node.draw is None
        return cls(
            1 + max((part.depth for part in parts), default=0),
            1 + sum(part.size for part in parts),
            not isinstance(node, Random)
            and (all(part.is_constant for part in parts) if parts else isinstance(node, Number)),
            is_loose or any(part.has_loose_draws for part in parts),
        )

    @property
    def without_top(self) -> Measure:
        """The measure of what stands right below the top, as if it were one part."""
        return self._replace(depth=self.depth - 1, size=self.size - 1)

    @property
    def excess(self) -> str | None:
        """What there is too much of; None for a tree that is neither too deep nor too large."""
        if self.depth > MAX_DEPTH:
            return f"more than {MAX_DEPTH} operators within one another"
        return f"more than {MAX_SIZE} parts" if self.size > MAX_SIZE else None


class Measures:
    """Measures nodes, each of them once, however many places it has in a tree."""

    def __init__(self) -> None:
        self._known: dict[int, tuple[Node, Measure]] = {}  # with the node, so its id stays its own

    def of(self, node: Node) -> Measure:
        """Return the measure of a tree, be it far too deep.

        >>> from pavcodec.constraints.syntax import Not
        >>> Measures().of(Not(Not(Number(1))))
        Measure(depth=3, size=3, is_constant=True, has_loose_draws=False)
        """
        pending = [node]
        while pending:
            top = pending[-1]
            below = children(top)
            unknown = [child for child in below if id(child) not in self._known]
            pending += unknown
            if not unknown:
                pending.pop()
                measures = [self._known[id(child)][1] for child in below]
                self._known[id(top)] = top, Measure.above(top, measures)
        return self._known[id(node)][1]


def name_draws(node: Node, name: Callable[[Random], int | None]) -> Node:
    """Give each `rnd` without a number the one that `name` says, if it says one.

    >>> name_draws(Random(Number(6)), lambda draw: 1)
    Random(operand=Number(value=6), draw=1)
    """
    done: dict[int, Node] = {}

    def named(part: Node) -> Node:
        if id(part) not in done:
            done[id(part)] = renamed(part)
        return done[id(part)]

    def renamed(part: Node) -> Node:
        new: dict[str, object] = {}
        if isinstance(part, Random) and part.draw is None:
            new["draw"] = name(part)
        for field in fields(part):  # type: ignore[arg-type]  # every node is a dataclass
            value = getattr(part, field.name)
            if isinstance(value, Node):
                new[field.name] = named(value)
            elif field.name == "parts":
                new[field.name] = tuple(map(named, value))
        return replace(part, **new) if new else part  # type: ignore[type-var]

    return named(node)


def name_shared_draws(node: Node) -> Node:
    """Give each `rnd` that stands in several places of a tree, being one node, a free number.

    So what was one draw stays one draw when the tree is written and read.

    >>> from pavcodec.constraints.syntax import Arithmetic
    >>> die = Random(Number(6))
    >>> name_shared_draws(Arithmetic("+", die, die)).left
    Random(operand=Number(value=6), draw=1)
    """
    draws = list(_draws(node))
    places = Counter(id(draw) for draw in draws)
    free = count_from(1 + max((draw.draw or 0 for draw in draws), default=0))
    shared = dict.fromkeys(id(d) for d in draws if d.draw is None and places[id(d)] > 1)
    names = {draw: next(free) for draw in shared}
    return name_draws(node, lambda draw: names.get(id(draw))) if names else node


def _draws(node: Node) -> Iterator[Random]:
    """Yield the draws of a tree from left to right, each as often as it stands there."""
    pending = [node]
    while pending:
        top = pending.pop()
        if isinstance(top, Random):
            yield top
        pending += reversed(children(top))
