"""The nodes of an expression: what it says, as immutable values.

Every node is an integer that depends on a deal; a condition is 1 or 0, and any other number than 0
counts as true. `evaluate` defines what the nodes mean. Equal nodes are one object, so an expression
is a graph: what a variable of a script says is there once, wherever the variable is used. Equality
and hashes take no time. Only what holds an `rnd` without a number is an object of its own, since
such a draw is one of its own wherever it was written; equal ones still compare equal.
`pavcodec.constraints.expressions` wraps nodes for Python, where operators build them.
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
        object.__setattr__(self, "value", int(index(self.value)))  # True would be shown as a word


@interned
class OfHand(Node):
    """A function of one hand: the `function` of what `seat` holds of `suit`, or of all suits."""

    if TYPE_CHECKING:

        @property
        def seat(self) -> Seat:
            """Whose hand it is."""

        @property
        def suit(self) -> Suit | None:
            """The suit that the function is of; None for all suits."""

        @property
        def function(self) -> HandFunction:
            """The function, as the table of functions of a hand defines it."""


@interned
class CardSum(OfHand):
    """The points of the cards that a seat holds, in one suit or in all.

    `points` has a value for each rank, ace first. `name` is what the language calls it (`hcp`,
    `controls`, `aces`, `pt3`, `c13`, …); it says nothing that `points` does not say.
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
    """The suit quality of the Bridge World, October 1982, times 100."""

    seat: Seat
    suit: Suit

    function = QUALITY


@interned
class Holding(OfHand):
    """Whether a seat holds such cards of a suit, and no others of it."""

    seat: Seat
    suit: Suit
    holding: SmallHolding

    @property
    def function(self) -> SumOverSuits:
        """Whether the holding is the one asked for."""
        return SumOverSuits(self.holding.fits, self.holding.named_ranks)


@interned
class Cccc(OfHand):
    """The hand evaluation of the Bridge World, October 1982, times 100."""

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
        """The sum in which this rank alone counts."""
        return _RANK_ALONE[self.card % SUIT_SIZE]


_RANK_ALONE = [SumOverCards(tuple(int(rank == each) for each in Rank)) for rank in Rank]


@interned
class Negate(Node):
    """The number with the other sign."""

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
    """Whether two numbers compare so: `operator` is one of == != < <= > >=."""

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
    """One number where a condition is true, else another."""

    condition: Node
    then: Node
    otherwise: Node


@interned
class Tricks(Node):
    """The tricks of a declarer in a strain, double dummy."""

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
    """The international match points of a difference in score."""

    operand: Node


@interned
class Random(Node):
    """A random number of 0 to the operand - 1, a new one for every deal.

    Draws that are equal and have a number, `draw`, are one draw in several places. Without a number
    a draw is one of its own wherever it stands.
    """

    operand: Node
    draw: int | None = None

    def _starts_loose(self) -> bool:
        return self.draw is None


@interned
class Python(Node):
    """What a Python function says of the deal."""

    function: Callable[[Deal], int]
    name: str
