"""The definition of the language: the value of an expression for a deal, in the slow, obvious way.

All faster ways are tested against this module. A node has one value for a deal, in all its places;
only an `rnd` without a number is drawn again in each place. Operands that do not affect the value
are not evaluated: after a false part of `&&`, no other part is, and so no division by 0 in it is an
error. The module also solves double-dummy contracts ahead for many deals, and has batches of drawn
deals with their values.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from itertools import islice
from operator import index
from random import randrange
from typing import TYPE_CHECKING, Any, TypeVar, cast

from pavcodec.boards.par import duplicate_score, imps
from pavcodec.cards import DECK_SIZE, Seat, Strain, Suit
from pavcodec.constraints.nodes.format import place_of
from pavcodec.constraints.nodes.syntax import (
    And,
    Arithmetic,
    Choice,
    Comparison,
    HasCard,
    Imps,
    Negate,
    Node,
    Not,
    Number,
    OfHand,
    Or,
    Python,
    Random,
    Score,
    Tricks,
)
from pavcodec.constraints.nodes.trees import children, distinct
from pavcodec.errors import PavError
from pavcodec.layout import Deal, Layout
from pavcodec.layout.notation import holding_of
from pavcodec.sampling import Stream
from pavcodec.solving.double_dummy import Asked, DoubleDummy, Solver, double_dummy

if TYPE_CHECKING:
    from pavcodec.arrays import Owners


Chance = Callable[[int], int]
"""A function from n to a random number from 0 to n - 1, such as `random.Random(7).randrange`."""

_Steps = Generator[Node, Any, int]
"""A generator that yields operands, receives their values, and returns the value of a node."""


def evaluate(
    node: Node,
    deal: Layout,
    *,
    random: Chance | None = None,
    tricks: Solver | None = None,
) -> int:
    """Return the value of an expression for a deal; the value of a condition is 1 or 0.

    `random` makes the draws of `rnd`: one for each place of an `rnd` without a number, and one for
    all places of an `rnd` with a number. `tricks` is the double-dummy solver; the default is
    endplay, which `pip install 'pavcodec[double-dummy]'` installs. Raises `PavError` for a division
    by 0, and `TypeError` if a Python function returns a value that is neither bool nor integer.

    >>> from pavcodec.constraints.language.parser import parse_expression
    >>> hands = "N:9642.95.AKQT4.K7 KJ3.K3.98.T98654 AQT85.Q862..AQJ2 7.AJT74.J76532.3"
    >>> deal = Deal.from_pbn(hands)
    >>> evaluate(parse_expression("hcp(south) + spades(south)"), deal)
    20
    >>> evaluate(parse_expression("hcp(north) > 12 || shape(south, any 5440)"), deal)
    1
    """
    return Evaluation(deal, random, tricks).value(node)


def evaluations(deals: Iterable[Layout], seed: int, start: int = 0) -> Iterator[Evaluation]:
    """Yield an `Evaluation` of each deal; `rnd` in deal k draws as sample `start` + k of the seed.

    >>> from pavcodec import numbering
    >>> from pavcodec.constraints.language.parser import parse_expression
    >>> first, *_ = evaluations(numbering("deal").sample(3, seed=7), seed=7)
    >>> first.value(parse_expression("10 * spades(north) + rnd(6)"))
    12
    """
    stream = Stream(seed)
    return (Evaluation(deal, stream.chance(k)) for k, deal in enumerate(deals, start))


def divide(dividend: int, divisor: int) -> int:
    """Divide and truncate towards 0, as C does; raise `PavError` for a division by 0.

    >>> divide(7, 2), divide(-7, 2), divide(7, -2)
    (3, -3, -3)
    """
    if not divisor:
        raise PavError("division by 0")
    quotient = abs(dividend) // abs(divisor)
    return quotient if (dividend < 0) == (divisor < 0) else -quotient


def remainder(dividend: int, divisor: int) -> int:
    """Return the remainder of `divide`; it has the sign of the dividend.

    Raises `PavError` for a division by 0.

    >>> remainder(7, 2), remainder(-7, 2), remainder(7, -2)
    (1, -1, 1)
    """
    return dividend - divisor * divide(dividend, divisor)


def score_of(node: Score, tricks: int) -> int:
    """Return the score of a contract for its declarer, given the number of tricks.

    >>> from pavcodec.cards import Strain
    >>> score_of(Score(True, 4, Strain.SPADES, 0, Number(0)), 10)
    620
    """
    return duplicate_score(
        node.level, node.strain, tricks=tricks, vulnerable=node.vulnerable, doubled=node.doubled
    )


class Evaluation:
    """The values of expressions for one deal; all expressions share cached values and draws.

    The arguments are those of `evaluate`.
    """

    def __init__(
        self, deal: Layout, random: Chance | None = None, tricks: Solver | None = None
    ) -> None:
        self.deal = deal
        self.random = random or randrange
        self.solve = tricks or double_dummy
        self.drawn: dict[Random, int] = {}
        self._known: dict[Node, int] = {}

    def value(self, node: Node) -> int:
        """Return the value of a node; the errors are those of `evaluate`."""
        value = self._without_operands(node)
        return self._computed(node) if value is None else value

    def _without_operands(self, node: Node) -> int | None:
        """Return the value of a node that is cached or has no operands; None for other nodes."""
        value = self._known.get(node)
        if value is not None:
            return value
        function = _FUNCTIONS.get(type(node))
        if function is not None:
            value = self._known[node] = function(self, node)
        elif isinstance(node, OfHand):
            value = self._known[node] = self._of_hand(node)
        return value

    def _computed(self, node: Node) -> int:
        """Compute the value of a node and of the operands that it needs.

        An operator is a generator: it yields an operand and receives its value. The stack of
        generators is a list, so the depth of nested operators has no limit.
        """
        pending = [(node, self._begin(node))]
        operand: int | None = None
        while True:
            top, steps = pending[-1]
            try:
                asked = steps.send(operand)
            except StopIteration as done:
                value: int = done.value
                pending.pop()
                if not top.is_loose:
                    self._known[top] = value
                if not pending:
                    return value
                operand = value
            except PavError as error:
                where = place_of(each for each, _ in reversed(pending))
                if not where:
                    raise
                raise PavError(f"{error}{where}") from error
            else:
                operand = self._without_operands(asked)
                if operand is None:
                    pending.append((asked, self._begin(asked)))

    def _begin(self, node: Node) -> _Steps:
        begin = _OPERATORS.get(type(node))
        if begin is None:
            raise TypeError(f"{node!r} is no node of an expression")
        return begin(self, node)

    def _of_number(self, node: Number) -> int:
        return node.value

    def _of_hand(self, node: OfHand) -> int:
        suits = Suit if node.suit is None else [node.suit]
        held = [holding_of(self.deal.owners, node.seat, suit) for suit in suits]
        return node.function.value(held)

    def _of_has_card(self, node: HasCard) -> int:
        """Return the same value as `_of_hand`, in a tenth of the time."""
        return int(self.deal.owners[node.card] == node.seat)

    def _of_negate(self, node: Negate) -> _Steps:
        operand: int = yield node.operand
        return -operand

    def _of_arithmetic(self, node: Arithmetic) -> _Steps:
        left, right = (yield node.left), (yield node.right)
        return _ARITHMETIC[node.operator](left, right)

    def _of_comparison(self, node: Comparison) -> _Steps:
        left, right = (yield node.left), (yield node.right)
        return int(COMPARISONS[node.operator](left, right))

    def _of_not(self, node: Not) -> _Steps:
        return int(not (yield node.operand))

    def _of_and(self, node: And) -> _Steps:
        for part in node.parts:
            if not (yield part):
                return 0
        return 1

    def _of_or(self, node: Or) -> _Steps:
        for part in node.parts:
            if (yield part):
                return 1
        return 0

    def _of_choice(self, node: Choice) -> _Steps:
        value: int = yield node.then if (yield node.condition) else node.otherwise
        return value

    def _of_tricks(self, node: Tricks) -> int:
        return self.solve(cast("Deal", self.deal), node.seat, node.strain)

    def _of_score(self, node: Score) -> _Steps:
        return score_of(node, (yield node.tricks))

    def _of_imps(self, node: Imps) -> _Steps:
        return imps((yield node.operand))

    def _of_random(self, node: Random) -> _Steps:
        if node.draw is not None and node in self.drawn:
            return self.drawn[node]
        bound = yield node.operand
        if bound < 1:
            raise PavError(f"rnd draws one of at least 1 number, not of {bound}")
        drawn = self.random(bound)
        if node.draw is not None:  # without a number, each place is a draw of its own
            self.drawn[node] = drawn
        return drawn

    def _of_python(self, node: Python) -> int:
        value = node.function(cast("Deal", self.deal))
        try:
            return index(value)
        except TypeError:
            raise TypeError(
                f"the condition {node.name!r} must return a bool or an integer, not {value!r}"
            ) from None


_ARITHMETIC: dict[str, Callable[[int, int], int]] = {
    "+": int.__add__,
    "-": int.__sub__,
    "*": int.__mul__,
    "/": divide,
    "%": remainder,
}
COMPARISONS: dict[str, Callable[[int, int], bool]] = {
    "==": int.__eq__,
    "!=": int.__ne__,
    "<": int.__lt__,
    "<=": int.__le__,
    ">": int.__gt__,
    ">=": int.__ge__,
}


_FUNCTIONS: dict[type[Node], Callable[..., int]] = {
    Number: Evaluation._of_number,
    HasCard: Evaluation._of_has_card,
    Tricks: Evaluation._of_tricks,
    Python: Evaluation._of_python,
}
_OPERATORS: dict[type[Node], Callable[..., _Steps]] = {
    Negate: Evaluation._of_negate,
    Arithmetic: Evaluation._of_arithmetic,
    Comparison: Evaluation._of_comparison,
    Not: Evaluation._of_not,
    And: Evaluation._of_and,
    Or: Evaluation._of_or,
    Choice: Evaluation._of_choice,
    Score: Evaluation._of_score,
    Imps: Evaluation._of_imps,
    Random: Evaluation._of_random,
}


# Double-dummy tricks for expressions over many deals: solve the contracts before the evaluation.
#
# `evaluate` solves a contract when it reaches `tricks`, and `&&`, `||` and `? :` skip some
# contracts. A solver is faster with many contracts in one call. So `solve_ahead` works in rounds.
# In a round it evaluates the expression for each deal, up to the first contract that is not solved
# yet. At the end of the round it solves these contracts in one call. The rounds end when no
# contract is missing. So no contract is solved that `evaluate` does not need.
#
# Expressions with `rnd` or a Python function are not evaluated ahead, because a second evaluation
# can give another result. Their contracts are solved one by one.


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
    return {type(part) for part in distinct(node)}


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
            self._always[id(node)] = node, self._needed(node)
        return self._always[id(node)][1]

    def _needed(self, node: Node) -> frozenset[tuple[Seat, Strain]]:
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


class Drawn:
    """Many deals: `owners` is `uint8[n, 52]`, and `evaluation(k)` evaluates expressions for deal k.

    >>> from pavcodec import numbering
    >>> from pavcodec.constraints.language.parser import parse_expression
    >>> some = Drawn.by_seed(numbering("deal").sample_many(3, seed=7), seed=7)
    >>> [each.value(parse_expression("rnd(6)")) for each in some.evaluations()]
    [2, 3, 1]
    """

    def __init__(self, owners: Owners, evaluation: Callable[[int], Evaluation]) -> None:
        self.owners = owners
        self.evaluation = evaluation

    @classmethod
    def by_seed(cls, owners: Owners, seed: int, start: int = 0) -> Drawn:
        """Return deals for which `rnd` uses the seed; deal k is sample `start` + k of the seed."""
        stream = Stream(seed)
        deal_of = Deal.unchecked

        def evaluation(row: int) -> Evaluation:
            return Evaluation(deal_of(owners[row].tobytes()), stream.chance(start + row))

        return cls(owners, evaluation)

    @classmethod
    def of(cls, evaluations: Sequence[Evaluation]) -> Drawn:
        """Return the deals of existing evaluations."""
        import numpy as np

        together = b"".join(each.deal.owners for each in evaluations)
        owners = np.frombuffer(together, np.uint8).reshape(-1, DECK_SIZE)
        return cls(owners, evaluations.__getitem__)

    def __len__(self) -> int:
        return len(self.owners)

    def evaluations(self) -> Iterator[Evaluation]:
        """Yield the evaluation of each deal in turn."""
        return map(self.evaluation, range(len(self.owners)))
