"""The compiler from expressions to diagrams.

The functions of a hand have the basic diagrams of the module `automaton`. An operator combines the
diagrams of its operands by their product (`automaton.combine`). Nodes with `rnd`, `tricks` or a
Python function have no diagram.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import partial

import numpy as np

from pavcodec.boards.par import imps
from pavcodec.cards import SUIT_SIZE, Card, Suit
from pavcodec.constraints.counting.automaton import (
    MOST_VALUE,
    Diagram,
    both,
    combine,
    constant,
    is_full,
    lengths_table,
    suit_table,
    suits_fold,
    weighted_sum,
)
from pavcodec.constraints.evaluation import score_of
from pavcodec.constraints.nodes import syntax
from pavcodec.constraints.nodes.format import show
from pavcodec.constraints.nodes.syntax import bottom_up
from pavcodec.constraints.vectors import ARITHMETIC, COMPARISONS, Values
from pavcodec.errors import ModelTooLarge, PavError, shown
from pavcodec.layout.columns import lengths_values, suit_values
from pavcodec.layout.hand import LENGTH, OfLengths, SumOverCards, SumOverSuits
from pavcodec.limits import MEMORY, ProductTooLarge, format_size

ADVICE = "allow more with --memory or memory=, or loosen or leave out that part"
"""What to do about a part that takes too much memory."""


class NotCountableError(PavError):
    """An expression has no diagram, so it must be tested deal by deal."""


def too_large(what: str, error: ProductTooLarge, memory: int, hint: str = "") -> ModelTooLarge:
    """Return the error for work that takes more than the memory limit."""
    reached = f"{error.states:,} state{'s' if error.states > 1 else ''}"
    return ModelTooLarge(
        f"{what} takes more than {format_size(memory)}: it had {reached} when it came to "
        f"{Card(error.card)}{hint}; {ADVICE}"
    )


@dataclass
class Compiler:
    """A compiler from expressions to diagrams, for a deck of suits of equal size.

    >>> from pavcodec.constraints.nodes.syntax import Length
    >>> from pavcodec.cards import Seat
    >>> sorted(Compiler().diagram(Length(Seat.NORTH, Suit.SPADES)).values.tolist())
    [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13]
    """

    suit_size: int = SUIT_SIZE
    suits: int = len(Suit)
    memory: int = MEMORY
    """The memory limit, in bytes, for diagrams and for their products."""
    together: bool = True
    """Whether all diagrams are within the limit together, or each is."""
    sizes: tuple[int, ...] = ()
    """The number of cards of each hand; () if unknown. The values of a diagram are correct for
    hands of these sizes; for hands of other sizes they may be wrong."""
    _known: dict[syntax.Node, Diagram] = field(default_factory=dict, repr=False)
    _taken: int = field(default=0, repr=False)

    @property
    def cards(self) -> int:
        """The number of cards in the deck."""
        return self.suits * self.suit_size

    def diagram(self, node: syntax.Node) -> Diagram:
        """Return the diagram of an expression.

        Raises `NotCountableError` if there is none, and `ModelTooLarge` with the part that needs
        too much memory.
        """
        if node not in self._known:
            for part in bottom_up(node, known=self._known.__contains__):
                try:
                    made = self._made(part)
                except ProductTooLarge as error:
                    what = show(part) if part == node else f"{show(part)} in {show(node)}"
                    raise too_large(what, error, self.memory) from None
                self._known[part] = made
                self._taken += made.memory
        return self._known[node]

    @property
    def _room(self) -> int:
        """The bytes that a product may take."""
        return self.memory - self._taken if self.together else self.memory

    def truth(self, node: syntax.Node) -> Diagram:
        """Return the diagram of whether an expression is true: 1 or 0."""
        diagram = self.diagram(node)
        if set(diagram.values.tolist()) <= {0, 1}:
            return diagram
        return diagram.map(lambda values: values != 0)

    def _made(self, node: syntax.Node) -> Diagram:  # noqa: PLR0911 (one for each kind of node)
        match node:
            case syntax.Number(value):
                return constant(self.cards, self._checked(value))
            case syntax.And(parts):
                return both(list(map(self.truth, parts)), memory=self._room)
            case syntax.Or(parts):
                return self._combined(map(self.truth, parts), _any, absorbing=1)
            case syntax.Not(operand):
                return self.truth(operand).map(lambda values: 1 - values)
            case syntax.Negate(operand):
                return self.diagram(operand).map(np.negative)
            case syntax.Comparison(operator, left, right):
                compare = COMPARISONS[operator]
                two = (self.diagram(left), self.diagram(right))
                return self._combined(two, lambda values: compare(*values))
            case syntax.Arithmetic():
                return self._arithmetic(node)
            case syntax.Scaled(operand):
                return self.diagram(operand)
            case syntax.Imps(operand):
                return self._mapped(operand, imps)
            case syntax.Score():
                return self._mapped(node.tricks, partial(score_of, node))
            case syntax.Choice(condition, then, otherwise):
                three = (self.truth(condition), self.diagram(then), self.diagram(otherwise))
                return self._combined(three, lambda values: np.where(*values))
            case syntax.OfHand():
                return self._of_hand(node)
        raise NotCountableError(syntax.measure_of(node).reason or "this is tested deal by deal")

    def _mapped(self, operand: syntax.Node, function: Callable[[int], int]) -> Diagram:
        """Return the diagram of a function of one number, computed once for each of its values."""
        inner = self.diagram(operand)
        images = {value: self._checked(function(value)) for value in inner.values.tolist()}
        return inner.map(lambda values: np.array([images[value] for value in values.tolist()]))

    def _combined(
        self,
        parts: Iterable[Diagram],
        function: Callable[[list[Values]], Values],
        *,
        absorbing: int | None = None,
    ) -> Diagram:
        return combine(list(parts), function, absorbing=absorbing, memory=self._room)

    def _of_hand(self, node: syntax.OfHand) -> Diagram:
        """Return the diagram of a function of one hand, by its kind."""
        match node.function:
            case OfLengths() as function:
                values = lengths_values(function, self.suit_size, self.suits)
                return lengths_table(node.seat, values.astype(np.int64))
            case SumOverCards(weights):
                return weighted_sum(node.seat, self._weights(weights, node.suit))
            case SumOverSuits() as function:
                return self._of_suits(node.seat, node.suit, function)

    def _weights(self, points: tuple[int, ...], suit: Suit | None) -> list[int]:
        """Return the weight of each card: the points of its rank, and 0 outside `suit`."""
        ranks = points[: self.suit_size]
        self._checked(self.suits * sum(map(abs, ranks)))
        return [
            weight if suit is None or suit == each else 0
            for each in range(self.suits)
            for weight in ranks
        ]

    def _of_suits(self, seat: int, suit: Suit | None, function: SumOverSuits) -> Diagram:
        """Return the diagram of a function of the holding of a suit, or of the sum over all suits.

        In the sum over all suits, the lowest bit is 1 if some suit so far is short.
        """
        values = suit_values(function, self.suit_size).astype(np.int64)
        if suit is not None:
            return suit_table(seat, self.cards, self.suit_size * suit, values)
        if not function.shortness:
            return suits_fold(seat, self.suits, values, memory=self._room).map(np.positive)

        def join(value: Values, other: Values) -> Values:
            return value + other - (value & other & 1)

        lengths = suit_values(LENGTH, self.suit_size)
        for length, more in enumerate(function.shortness):
            values[lengths == length] += more
        values = 2 * values + (lengths < len(function.shortness))
        ends = function.if_none_short, function.if_any_short
        sums = suits_fold(seat, self.suits, values, join, memory=self._room)
        return sums.map(lambda values: (values >> 1) + np.where(values & 1, ends[1], ends[0]))

    def _arithmetic(self, node: syntax.Arithmetic) -> Diagram:
        """Return the diagram of an arithmetic operation.

        Raises `NotCountableError` if a result may be too large, or a divisor can be 0.
        """
        left, right = self.diagram(node.left), self.diagram(node.right)
        most = [max(abs(int(v)) for v in (d.values.min(), d.values.max())) for d in (left, right)]
        self._checked(most[0] * most[1] if node.operator == "*" else sum(most))
        operate = ARITHMETIC[node.operator]
        if node.operator in "/%" and (right.values == 0).any():
            if self._is_true_of_hands(right.map(lambda values: values == 0)):
                raise NotCountableError("a division whose divisor can be 0 is tested deal by deal")
            right = right.map(lambda values: np.where(values == 0, 1, values))
        return self._combined((left, right), lambda values: operate(*values))

    def _is_true_of_hands(self, truth: Diagram) -> bool:
        """Return whether a diagram of 1 and 0 is 1 for some hands of the sizes `sizes`."""
        hands = [
            is_full(seat, size, self.cards)
            for seat, size in enumerate(self.sizes)
            if seat in truth.seats
        ]
        return bool(both([truth, *hands], memory=self._room).values.any())

    def _checked(self, value: int) -> int:
        if abs(value) > MOST_VALUE:
            raise NotCountableError(
                f"numbers as large as {shown(value)} (more than 2^61) are tested deal by deal"
            )
        return value


def _any(values: list[Values]) -> Values:
    return np.asarray(np.logical_or.reduce(values), np.int64)
