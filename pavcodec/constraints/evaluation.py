"""The definition of the language: the value of an expression for a deal, in the slow, obvious way.

All faster ways are tested against this module. A node has one value for a deal, in all its places;
only an `rnd` without a number is drawn again in each place. Operands that do not affect the value
are not evaluated: after a false part of `&&`, no other part is, and so no division by 0 in it is an
error.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Iterator
from operator import index
from random import randrange
from typing import Any, cast

from pavcodec.boards.par import Par as BestScore
from pavcodec.boards.par import duplicate_score, imps, par
from pavcodec.cards import Seat, Suit
from pavcodec.constraints.nodes.format import place_of
from pavcodec.constraints.nodes.syntax import (
    OPERATORS,
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
    Par,
    Python,
    Random,
    Scaled,
    Score,
    Tricks,
    distinct,
)
from pavcodec.errors import PavError
from pavcodec.layout import Deal, Layout, TrickTable
from pavcodec.layout.notation import holding_of
from pavcodec.sampling import Stream
from pavcodec.solving.double_dummy import Solver, double_dummy

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
    endplay, which `pip install 'pavcodec[club]'` installs. Raises `PavError` for a division
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
        self._known: dict[Node, int] = {}

    def value(self, node: Node) -> int:
        """Return the value of a node; the errors are those of `evaluate`."""
        value = self._without_operands(node)
        return self._computed(node) if value is None else value

    def known(self, node: Node) -> int | None:
        """Return the value that a node has so far; None if it has none."""
        return self._known.get(node)

    def keep(self, node: Node, value: int) -> None:
        """Give a node its value."""
        self._known[node] = value

    def draw(self, node: Random, below: int) -> int:
        """Return the draw of an `rnd` below a bound; without a number, each place is a new draw."""
        drawn = None if node.draw is None else self._known.get(node)
        if drawn is None:
            drawn = self.random(below)
        if node.draw is not None:
            self._known[node] = drawn
        return drawn

    def par(self, node: Par) -> BestScore:
        """Return the par of the deal if North bids first, with its contracts."""
        if not self.deal.is_deal:
            raise PavError("par is the score of whole deals, not of endings")
        table = TrickTable(bytes(map(self.value, node.table)))
        return par(table, Seat.NORTH, node.vulnerable)

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

    def _of_operator(self, node: Arithmetic | Comparison) -> _Steps:
        left, right = (yield node.left), (yield node.right)
        return int(OPERATORS[node.operator].of(left, right))

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

    def _of_par(self, node: Par) -> int:
        score = self.par(node).score
        return -score if node.side else score

    def _of_scaled(self, node: Scaled) -> _Steps:
        value: int = yield node.operand
        return value

    def _of_score(self, node: Score) -> _Steps:
        return score_of(node, (yield node.tricks))

    def _of_imps(self, node: Imps) -> _Steps:
        return imps((yield node.operand))

    def _of_random(self, node: Random) -> _Steps:
        bound = yield node.operand
        if bound < 1:
            raise PavError(f"rnd draws one of at least 1 number, not of {bound}")
        return self.draw(node, bound)

    def _of_python(self, node: Python) -> int:
        value = node.function(cast("Deal", self.deal))
        try:
            return index(value)
        except TypeError:
            raise TypeError(
                f"the condition {node.name!r} must return a bool or an integer, not {value!r}"
            ) from None


_FUNCTIONS: dict[type[Node], Callable[..., int]] = {
    Number: Evaluation._of_number,
    HasCard: Evaluation._of_has_card,
    Tricks: Evaluation._of_tricks,
    Par: Evaluation._of_par,
    Python: Evaluation._of_python,
}
_OPERATORS: dict[type[Node], Callable[..., _Steps]] = {
    Negate: Evaluation._of_negate,
    Arithmetic: Evaluation._of_operator,
    Comparison: Evaluation._of_operator,
    Not: Evaluation._of_not,
    And: Evaluation._of_and,
    Or: Evaluation._of_or,
    Choice: Evaluation._of_choice,
    Scaled: Evaluation._of_scaled,
    Score: Evaluation._of_score,
    Imps: Evaluation._of_imps,
    Random: Evaluation._of_random,
}


def kinds_in(node: Node) -> set[type[Node]]:
    """Return the classes of the nodes of an expression.

    >>> from pavcodec.constraints.nodes.syntax import Not, Number
    >>> sorted(kind.__name__ for kind in kinds_in(Not(Number(1))))
    ['Not', 'Number']
    """
    return {type(part) for part in distinct(node)}
