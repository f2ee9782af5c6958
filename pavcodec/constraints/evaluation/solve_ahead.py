"""Double-dummy tricks of many deals at once: what an expression asks for is solved beforehand.

The definition asks for a contract when it comes to it, and does not ask for what `&&`, `||` and
`? :` pass over. So the deals go through it together: where one asks for a contract that is not
known, it waits; when all wait, their contracts are solved at once, and they go on. No deal is
solved in a contract that the definition does not ask for.

An expression with `rnd` or a Python function is not looked at beforehand, since asking it twice is
not the same as asking it once: its contracts are solved one by one.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import TypeVar

from pavcodec.cards import Seat, Strain
from pavcodec.constraints.evaluation.double_dummy import Asked, DoubleDummy, Solver, double_dummy
from pavcodec.constraints.evaluation.evaluate import Evaluation
from pavcodec.constraints.nodes.syntax import And, Choice, Node, Or, Python, Random, Tricks
from pavcodec.constraints.nodes.trees import children
from pavcodec.errors import PavError
from pavcodec.layout import Deal, Layout

__all__ = ["LookAhead", "drawn_ahead", "kinds_in", "solve_ahead"]

K = TypeVar("K")
L = TypeVar("L", bound=Layout)

_AT_FIRST, _AT_MOST = 2, 64
"""The deals that are looked at before it is known whether anybody wants them."""


def kinds_in(node: Node) -> set[type[Node]]:
    """Return the kinds of nodes that an expression has.

    >>> from pavcodec.constraints.nodes.syntax import Not, Number
    >>> sorted(kind.__name__ for kind in kinds_in(Not(Number(1))))
    ['Not', 'Number']
    """
    pending, seen = [node], {id(node)}
    kinds: set[type[Node]] = set()
    while pending:
        top = pending.pop()
        kinds.add(type(top))
        for child in children(top):
            if id(child) not in seen:
                seen.add(id(child))
                pending.append(child)
    return kinds


def solve_ahead(items: Iterable[tuple[Layout, Node]], solver: Solver | None = None) -> None:
    """Solve what the values of expressions for deals will ask for; errors are left to come later.

    Only a `DoubleDummy` keeps what it solves. For any other solver this does nothing.

    >>> from pavcodec import Deal
    >>> from pavcodec.constraints.evaluation.double_dummy import Engine
    >>> from pavcodec.constraints.language.parser import parse_expression
    >>> class Nine(Engine):
    ...     def contracts(self, asked):
    ...         return [9 for _ in asked]
    ...
    ...     def strain(self, deals, strain):
    ...         return [[9, 4, 9, 4] for _ in deals]
    >>> deal, solver = Deal(bytes(card % 4 for card in range(52))), DoubleDummy(Nine())
    >>> node = parse_expression("hcp(north) > 9 && tricks(south, clubs) > 8")
    >>> solve_ahead([(deal, node)], solver)
    >>> solver.known(deal, Seat.SOUTH, Strain.CLUBS), solver.known(deal, Seat.WEST, Strain.CLUBS)
    (9, None)
    """
    keeper = double_dummy if solver is None else solver
    if not isinstance(keeper, DoubleDummy):
        return
    asking = _Asking()
    waiting = [each for each in items if asking.may_ask(each[1])]
    asked = [(deal, *each) for deal, node in waiting for each in asking.first_of(node)]
    while waiting:
        try:
            keeper.solve(asked)
        except PavError:
            return
        going_on = [(each, _next(*each, keeper)) for each in waiting]
        waiting = [each for each, wanted in going_on if wanted is not None]
        asked = [wanted for _, wanted in going_on if wanted is not None]


class _UnknownTricksError(Exception):
    """A contract has not been solved yet."""

    def __init__(self, asked: Asked) -> None:
        self.asked = asked


def _next(deal: Layout, node: Node, keeper: DoubleDummy) -> Asked | None:
    """Return the first contract that the definition asks for and nobody knows; None for none."""

    def known(deal: Deal, declarer: Seat, strain: Strain) -> int:
        tricks = keeper.known(deal, declarer, strain)
        if tricks is None:
            raise _UnknownTricksError((deal, declarer, strain))
        return tricks

    try:
        Evaluation(deal, tricks=known).value(node)
    except _UnknownTricksError as error:
        return error.asked
    except PavError:
        return None  # whoever asks for the value is told
    return None


class _Asking:
    """What expressions ask for whatever the deal, found once for each node."""

    def __init__(self) -> None:
        self._first: dict[int, tuple[Node, frozenset[tuple[Seat, Strain]]]] = {}
        self._may_ask: dict[int, tuple[Node, bool]] = {}

    def may_ask(self, node: Node) -> bool:
        """Tell whether an expression has `tricks`, and nothing that is asked only once."""
        if id(node) not in self._may_ask:
            kinds = kinds_in(node)
            self._may_ask[id(node)] = node, Tricks in kinds and not kinds & {Random, Python}
        return self._may_ask[id(node)][1]

    def first_of(self, node: Node) -> frozenset[tuple[Seat, Strain]]:
        """Return the contracts that the definition comes to whatever the cards are."""
        if id(node) not in self._first:
            self._first[id(node)] = node, self._found(node)
        return self._first[id(node)][1]

    def _found(self, node: Node) -> frozenset[tuple[Seat, Strain]]:
        if isinstance(node, Tricks):
            return frozenset([(node.seat, node.strain)])
        if isinstance(node, And | Or):
            return self.first_of(node.parts[0])
        if isinstance(node, Choice):
            both = self.first_of(node.then) & self.first_of(node.otherwise)
            return self.first_of(node.condition) | both
        return frozenset[tuple[Seat, Strain]]().union(*map(self.first_of, children(node)))


def drawn_ahead(
    drawn: Iterable[Evaluation], nodes: Sequence[Node], *, most: int = _AT_MOST
) -> Iterator[Evaluation]:
    """Yield deals as they are, once the tricks that some expressions ask of each are solved.

    They are solved as by `LookAhead`, all contracts of a deal together.
    """
    asking = [node for node in nodes if Tricks in kinds_in(node)]
    deals, size = iter(drawn), _AT_FIRST if asking else 1
    while chunk := list(islice(deals, size)):
        solve_ahead(((each.deal, node) for each in chunk for node in asking), chunk[0].solve)
        yield from chunk
        size = min(2 * size, most) if asking else 1


class LookAhead:
    """Solves the contracts of deals that may be wanted, few at first and then more together.

    So a run that ends early has solved at most about twice what it needed, and a long one solves
    64 deals at once.
    """

    def __init__(self, node: Node, solver: Solver | None = None) -> None:
        self._solver = solver
        self._size = _AT_FIRST
        keeps = solver is None or isinstance(solver, DoubleDummy)
        self.solves = keeps and Tricks in kinds_in(node)
        """Whether there is anything to solve."""

    def __call__(self, candidates: Iterator[tuple[K, L, Node]]) -> Iterator[tuple[K, L, Node]]:
        """Yield candidates as they are, once the tricks that each may ask for are solved."""
        return self._solved(candidates) if self.solves else candidates

    def _solved(self, candidates: Iterator[tuple[K, L, Node]]) -> Iterator[tuple[K, L, Node]]:
        while chunk := self._chunk(candidates):
            solve_ahead(((deal, node) for _, deal, node in chunk), self._solver)
            yield from chunk

    def _chunk(self, candidates: Iterator[tuple[K, L, Node]]) -> Sequence[tuple[K, L, Node]]:
        chunk = list(islice(candidates, self._size))
        self._size = min(2 * self._size, _AT_MOST)
        return chunk
