"""The nodes of an expression, as immutable values.

The value of every node is an integer that depends on a deal. A condition has the value 1 or 0, and
every integer except 0 counts as true. `evaluate` defines the value of each kind of node.

Equal nodes are one object, so an expression is a graph: the expression of a variable exists once,
even if the script uses the variable in many places. Equality and hashes take constant time. Nodes
that contain an `rnd` without a number are the exception: each occurrence is a draw of its own, so
equal nodes of this kind are different objects, which compare equal.

`pavcodec.constraints.expressions` wraps nodes in Python objects with operators.
"""

from __future__ import annotations

from collections.abc import Callable
from operator import index
from typing import TYPE_CHECKING

from pavcodec.cards import SUIT_SIZE, Card, Rank, Seat, Strain, Suit
from pavcodec.constraints.nodes.holdings import SmallHolding
from pavcodec.constraints.nodes.interning import Interned, interned
from pavcodec.layout import Deal
from pavcodec.layout.hand_functions import (
    CCCC,
    LENGTH,
    LOSERS,
    QUALITY,
    HandFunction,
    LengthsAmong,
    SumOverCards,
    SumOverSuits,
)

__all__ = [
    "And",
    "Arithmetic",
    "CardSum",
    "Cccc",
    "Choice",
    "Comparison",
    "HasCard",
    "Holding",
    "Imps",
    "InShapes",
    "Length",
    "Losers",
    "Negate",
    "Node",
    "Not",
    "Number",
    "OfHand",
    "Or",
    "Python",
    "Quality",
    "Random",
    "Score",
    "Tricks",
]


@interned
class Node(Interned):
    """A part of an expression."""


@interned
class Number(Node):
    """An integer."""

    value: int

    def __post_init__(self) -> None:
        object.__setattr__(self, "value", int(index(self.value)))  # the text of True is a word


@interned
class OfHand(Node):
    """A function of one hand: `function` of the cards of `seat` in `suit`, or in all suits."""

    if TYPE_CHECKING:

        @property
        def seat(self) -> Seat:
            """The seat of the hand."""

        @property
        def suit(self) -> Suit | None:
            """The suit of the cards; None for all suits."""

        @property
        def function(self) -> HandFunction:
            """The function, as `pavcodec.layout.hand_functions` defines it."""


@interned
class CardSum(OfHand):
    """The sum of the points of a seat's cards, in one suit or in all.

    `points` has a value for each rank, ace first. `name` is the function of the language (`hcp`,
    `controls`, `aces`, `c13`, …), or `points` if no function has these points.
    """

    name: str
    seat: Seat
    suit: Suit | None
    points: tuple[int, ...]

    @property
    def function(self) -> SumOverCards:
        """The sum of the points."""
        return SumOverCards(self.points)


@interned
class Length(OfHand):
    """The number of cards that a seat holds in a suit."""

    seat: Seat
    suit: Suit

    function = LENGTH


@interned
class Losers(OfHand):
    """The losers of a seat, in one suit or in all."""

    seat: Seat
    suit: Suit | None

    function = LOSERS


@interned
class Quality(OfHand):
    """100 times the suit quality as The Bridge World, October 1982, defines it."""

    seat: Seat
    suit: Suit

    function = QUALITY


@interned
class Holding(OfHand):
    """Whether a seat's cards of a suit are exactly a holding, which may have small cards."""

    seat: Seat
    suit: Suit
    holding: SmallHolding

    @property
    def function(self) -> SumOverSuits:
        """Whether the cards match `holding`."""
        return SumOverSuits(self.holding.fits, self.holding.named_ranks)


@interned
class Cccc(OfHand):
    """100 times the hand evaluation CCCC of The Bridge World, October 1982."""

    seat: Seat

    suit = None
    function = CCCC


@interned
class InShapes(OfHand):
    """Whether a seat's lengths S, H, D, C are among some shapes."""

    seat: Seat
    shapes: frozenset[tuple[int, int, int, int]]

    suit = None

    @property
    def function(self) -> LengthsAmong:
        """Whether the lengths are among the shapes."""
        return LengthsAmong(self.shapes)


@interned
class HasCard(OfHand):
    """Whether a seat holds a card."""

    seat: Seat
    card: Card

    @property
    def suit(self) -> Suit:
        """The suit of the card."""
        return self.card.suit

    @property
    def function(self) -> SumOverCards:
        """The sum in which this rank counts 1 and every other rank 0."""
        return _RANK_ALONE[self.card % SUIT_SIZE]


_RANK_ALONE = [SumOverCards(tuple(int(rank == each) for each in Rank)) for rank in Rank]


@interned
class Negate(Node):
    """The operand with the opposite sign."""

    operand: Node


@interned
class Arithmetic(Node):
    """A sum, difference, product, quotient or remainder: `operator` is one of + - * / %.

    Division truncates towards 0, and a remainder has the sign of the left operand, as in C.
    """

    operator: str
    left: Node
    right: Node


@interned
class Comparison(Node):
    """Whether a comparison of two numbers is true: `operator` is one of == != < <= > >=."""

    operator: str
    left: Node
    right: Node


@interned
class Not(Node):
    """Whether the operand is 0."""

    operand: Node


@interned
class And(Node):
    """Whether all parts are true; no part is itself an `And`."""

    parts: tuple[Node, ...]


@interned
class Or(Node):
    """Whether any part is true; no part is itself an `Or`."""

    parts: tuple[Node, ...]


@interned
class Choice(Node):
    """The number `then` where a condition is true, otherwise the number `otherwise`."""

    condition: Node
    then: Node
    otherwise: Node


@interned
class Tricks(Node):
    """The double-dummy tricks of a declarer in a strain."""

    seat: Seat
    strain: Strain


@interned
class Score(Node):
    """The score of a contract for its declarer: `doubled` is 0, 1 or 2."""

    vulnerable: bool
    level: int
    strain: Strain
    doubled: int
    tricks: Node


@interned
class Imps(Node):
    """The international match points (IMPs) of a difference in score."""

    operand: Node


@interned
class Random(Node):
    """A random number from 0 to the operand minus 1, a new one for every deal.

    Equal nodes with a number, `draw`, are one draw in several places. Each occurrence of a node
    without a number is a draw of its own.
    """

    operand: Node
    draw: int | None = None

    def _starts_loose(self) -> bool:
        return self.draw is None


@interned
class Python(Node):
    """The value of a Python function of the deal."""

    function: Callable[[Deal], int]
    name: str
