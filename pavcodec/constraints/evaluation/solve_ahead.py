"""Double-dummy tricks for expressions over many deals: solve the contracts before the evaluation.

`evaluate` solves a contract when it reaches `tricks`, and `&&`, `||` and `? :` skip some contracts.
A solver is faster with many contracts in one call. So `solve_ahead` works in rounds. In a round it
evaluates the expression for each deal, up to the first contract that is not solved yet. At the end
of the round it solves these contracts in one call. The rounds end when no contract is missing. So
no contract is solved that `evaluate` does not need.

Expressions with `rnd` or a Python function are not evaluated ahead, because a second evaluation can
give another result. Their contracts are solved one by one.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import TypeVar

from pavcodec.cards import Seat, Strain
from pavcodec.constraints.evaluation.evaluate import Evaluation
from pavcodec.constraints.nodes.syntax import And, Choice, Node, Or, Python, Random, Tricks
from pavcodec.constraints.nodes.trees import children
from pavcodec.errors import PavError
from pavcodec.layout import Deal, Layout
from pavcodec.solving.double_dummy import Asked, DoubleDummy, Solver, double_dummy

__all__ = ["LookAhead", "drawn_ahead", "kinds_in", "solve_ahead"]

K = TypeVar("K")
L = TypeVar("L", bound=Layout)

_AT_FIRST, _AT_MOST = 2, 64
"""The number of deals in the first chunk and in the largest chunk.

The caller may stop before it uses all deals of a chunk.
"""


def kinds_in(node: Node) -> set[type[Node]]:
    """Return the classes of the nodes of an expression.

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
    """Solve and cache the contracts that expressions need for some deals.

    Raises no error: the later evaluation raises the errors of the solver. Does nothing for a solver
    that is no `DoubleDummy`, because only this class has a cache.

    >>> from pavcodec import Deal
    >>> from pavcodec.solving.double_dummy import Engine
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
    cache = double_dummy if solver is None else solver
    if not isinstance(cache, DoubleDummy):
        return
    needs = _Needs()
    waiting = [each for each in items if needs.can_solve_ahead(each[1])]
    asked = [(deal, *each) for deal, node in waiting for each in needs.always(node)]
    while waiting:
        try:
            cache.solve(asked)
        except PavError:
            return
        missing = [(each, _first_missing(*each, cache)) for each in waiting]
        waiting = [each for each, contract in missing if contract is not None]
        asked = [contract for _, contract in missing if contract is not None]


class _UnknownTricksError(Exception):
    """A contract has not been solved yet."""

    def __init__(self, asked: Asked) -> None:
        self.asked = asked


def _first_missing(deal: Layout, node: Node, cache: DoubleDummy) -> Asked | None:
    """Return the first contract that the evaluation needs and the cache lacks; None if none."""

    def known(deal: Deal, declarer: Seat, strain: Strain) -> int:
        tricks = cache.known(deal, declarer, strain)
        if tricks is None:
            raise _UnknownTricksError((deal, declarer, strain))
        return tricks

    try:
        Evaluation(deal, tricks=known).value(node)
    except _UnknownTricksError as error:
        return error.asked
    except PavError:
        return None  # the later evaluation raises this error
    return None


class _Needs:
    """The contracts that expressions need for every deal, computed once for each node."""

    def __init__(self) -> None:
        self._always: dict[int, tuple[Node, frozenset[tuple[Seat, Strain]]]] = {}
        self._can_solve: dict[int, tuple[Node, bool]] = {}

    def can_solve_ahead(self, node: Node) -> bool:
        """Return whether an expression has `tricks`, and neither `rnd` nor a Python function."""
        if id(node) not in self._can_solve:
            kinds = kinds_in(node)
            self._can_solve[id(node)] = node, Tricks in kinds and not kinds & {Random, Python}
        return self._can_solve[id(node)][1]

    def always(self, node: Node) -> frozenset[tuple[Seat, Strain]]:
        """Return the (declarer, strain) pairs that the evaluation of a node needs for any deal."""
        if id(node) not in self._always:
            self._always[id(node)] = node, self._found(node)
        return self._always[id(node)][1]

    def _found(self, node: Node) -> frozenset[tuple[Seat, Strain]]:
        if isinstance(node, Tricks):
            return frozenset([(node.seat, node.strain)])
        if isinstance(node, And | Or):
            return self.always(node.parts[0])
        if isinstance(node, Choice):
            both = self.always(node.then) & self.always(node.otherwise)
            return self.always(node.condition) | both
        return frozenset[tuple[Seat, Strain]]().union(*map(self.always, children(node)))


def drawn_ahead(
    drawn: Iterable[Evaluation], nodes: Sequence[Node], *, most: int = _AT_MOST
) -> Iterator[Evaluation]:
    """Yield deals unchanged, after solving the contracts that some expressions need for them.

    The deals are solved in chunks, as by `LookAhead`, for all expressions together.
    """
    with_tricks = [node for node in nodes if Tricks in kinds_in(node)]
    deals, size = iter(drawn), _AT_FIRST if with_tricks else 1
    while chunk := list(islice(deals, size)):
        solve_ahead(((each.deal, node) for each in chunk for node in with_tricks), chunk[0].solve)
        yield from chunk
        size = min(2 * size, most) if with_tricks else 1


class LookAhead:
    """A filter that solves the contracts of candidates ahead, in chunks of 2, 4, … up to 64 deals.

    So a run that ends early has solved at most about twice the contracts that it needed, and a long
    run solves 64 deals in one call.
    """

    def __init__(self, node: Node, solver: Solver | None = None) -> None:
        self._solver = solver
        self._size = _AT_FIRST
        keeps = solver is None or isinstance(solver, DoubleDummy)
        self.solves = keeps and Tricks in kinds_in(node)
        """Whether there is anything to solve."""

    def __call__(self, candidates: Iterator[tuple[K, L, Node]]) -> Iterator[tuple[K, L, Node]]:
        """Yield candidates unchanged, after solving the contracts that they may need."""
        return self._solved(candidates) if self.solves else candidates

    def _solved(self, candidates: Iterator[tuple[K, L, Node]]) -> Iterator[tuple[K, L, Node]]:
        while chunk := self._chunk(candidates):
            solve_ahead(((deal, node) for _, deal, node in chunk), self._solver)
            yield from chunk

    def _chunk(self, candidates: Iterator[tuple[K, L, Node]]) -> Sequence[tuple[K, L, Node]]:
        chunk = list(islice(candidates, self._size))
        self._size = min(2 * self._size, _AT_MOST)
        return chunk
