"""Convert a condition to limits: ranges of lengths and of high-card points, hand by hand.

The method needs a conjunction of parts that each limit one length or the points of one hand.
`evaluate` computes each part for each value, so a part has the same meaning as elsewhere.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from operator import index as as_integer

from pavcodec.cards import DECK_SIZE, HAND_SIZE, SUIT_SIZE, UNUSED, Seat, Suit
from pavcodec.constraints.counting.condition import conjunction_of
from pavcodec.constraints.evaluation.evaluate import evaluate
from pavcodec.constraints.expressions import Expression, expression
from pavcodec.constraints.language.build import parts_of
from pavcodec.constraints.nodes.naming import show
from pavcodec.constraints.nodes.syntax import (
    And,
    Arithmetic,
    CardSum,
    Choice,
    Comparison,
    InShapes,
    Length,
    Negate,
    Node,
    Not,
    Number,
    Or,
)
from pavcodec.constraints.nodes.trees import distinct
from pavcodec.constraints.nodes.vocabulary import card_sum
from pavcodec.errors import PavError
from pavcodec.layout import Layout
from pavcodec.layout.hand_functions import HCP
from pavcodec.shapes import SHAPES

__all__ = ["MOST_POINTS", "HandLimits", "NotLimitsError", "Range", "condition_of", "limits_of"]

Range = tuple[int, int]
"""The minimum and the maximum, both included."""

MOST_POINTS = HCP.most(HAND_SIZE)
"""The maximum of high-card points in a hand."""

_ANY_LENGTH: Range = (0, SUIT_SIZE)
_ANY_POINTS: Range = (0, MOST_POINTS)
_SUITS = tuple(suit.name.lower() for suit in Suit)
_OPERATORS = (And, Arithmetic, Choice, Comparison, Negate, Not, Or)
_NEEDS = "the dealer of 1999 needs ranges of lengths and of hcp, each of one hand"


class NotLimitsError(PavError):
    """A condition is no conjunction of ranges of lengths and points, hand by hand."""


@dataclass(frozen=True)
class HandLimits:
    """The minimum and maximum of each length and of the points of a hand, and the user's weights.

    A weight, in the order S H D C, replaces the hand's excess in a suit (see `matrix`); None keeps
    it. Raise `PavError` for invalid ranges or weights.

    >>> west = HandLimits(spades=(5, 6), hearts=(4, 4), hcp=(11, 15))
    >>> west.lengths, west.has_lengths, west.has_points
    (((5, 6), (4, 4), (0, 13), (0, 13)), True, True)
    """

    spades: Range = _ANY_LENGTH
    hearts: Range = _ANY_LENGTH
    diamonds: Range = _ANY_LENGTH
    clubs: Range = _ANY_LENGTH
    hcp: Range = _ANY_POINTS
    weights: tuple[int | None, ...] = (None,) * len(Suit)

    def __post_init__(self) -> None:
        for name, most in (*((suit, SUIT_SIZE) for suit in _SUITS), ("hcp", MOST_POINTS)):
            low, high = map(as_integer, getattr(self, name))
            if not 0 <= low <= high <= most:
                raise PavError(f"a range of {name} lies in 0 to {most}, not {low} to {high}")
        given = [weight for weight in self.weights if weight is not None]
        if len(self.weights) != len(Suit) or any(as_integer(weight) < 0 for weight in given):
            raise PavError(f"weights are four numbers from 0 on, or None, not {self.weights!r}")
        if given and not self.has_lengths:
            raise PavError("weights are for a hand with a range of some length; this one has none")

    @property
    def lengths(self) -> tuple[Range, ...]:
        """The ranges of the four lengths, S H D C."""
        return self.spades, self.hearts, self.diamonds, self.clubs

    @property
    def has_lengths(self) -> bool:
        """Whether a length is limited."""
        return any(lengths != _ANY_LENGTH for lengths in self.lengths)

    @property
    def has_points(self) -> bool:
        """Whether the points are limited."""
        return self.hcp != _ANY_POINTS


def limits_of(where: Expression | Node | str | int) -> tuple[HandLimits, ...]:
    """Return the limits of the four hands, N E S W, in a condition.

    Raise `NotLimitsError` if the condition contains anything else, and `PavError` if no hand is
    within the limits.

    >>> limits_of("15 <= hcp(south) && hcp(south) <= 17 && shape(north, 5xxx)")[2].hcp
    (15, 17)
    >>> limits_of("spades(west) != 5")
    Traceback (most recent call last):
    ...
    pavcodec.studies.dealer1999.limits.NotLimitsError: 'spades(west) != 5' leaves a gap; \
the dealer of 1999 needs ranges of lengths and of hcp, each of one hand
    """
    hands = [HandLimits() for _ in Seat]
    for part in parts_of(expression(where).node):
        for seat, name, (low, high) in _limits_in(part):
            known = getattr(hands[seat], name)
            both = max(known[0], low), min(known[1], high)
            if both[0] > both[1]:
                none_left = f"no number is left for {name}({seat.name.lower()})"
                raise PavError(f"no deal satisfies all of this: {none_left}")

            hands[seat] = replace(hands[seat], **{name: both})
    return tuple(hands)


def condition_of(hands: tuple[HandLimits, ...]) -> Expression:
    """Return the condition that all hands are within their limits.

    >>> print(condition_of(limits_of("hcp(west) == 10 && hcp(north) < 8")))
    hcp(north) <= 7 && hcp(west) == 10
    """
    parts: list[Node] = []
    for seat, hand in zip(Seat, hands, strict=True):
        leaves = [(Length(seat, suit), _ANY_LENGTH) for suit in Suit]
        known: list[tuple[Node, Range]] = [*leaves, (_points(seat), _ANY_POINTS)]
        for (leaf, whole), (low, high) in zip(known, (*hand.lengths, hand.hcp), strict=True):
            if low == high:
                parts.append(Comparison("==", leaf, Number(low)))
                continue
            parts += [Comparison(">=", leaf, Number(low))] * (low > whole[0])
            parts += [Comparison("<=", leaf, Number(high))] * (high < whole[1])
    return Expression(conjunction_of(parts))


def _points(seat: Seat) -> CardSum:
    return card_sum(seat, None, HCP.weights)


def _limits_in(part: Node) -> Iterator[tuple[Seat, str, Range]]:
    """Yield seat, name and range of each limit in a part."""
    if isinstance(part, InShapes):
        ranges = [(min(lengths), max(lengths)) for lengths in zip(*part.shapes, strict=True)]
        inside = {
            shape
            for shape in SHAPES
            if all(low <= n <= high for n, (low, high) in zip(shape, ranges, strict=False))
        }
        if not ranges or inside != part.shapes:
            raise _refusal(part, "is no range of each length")
        yield from ((part.seat, name, found) for name, found in zip(_SUITS, ranges, strict=True))
        return
    leaves = _leaves(part)
    if not leaves:
        if not evaluate(part, Layout(bytes([UNUSED]) * DECK_SIZE)):
            raise PavError(f"no deal satisfies {show(part)}")
        return
    leaf, *more = leaves
    if more:
        raise _refusal(part, "combines several numbers")
    if isinstance(leaf, Length):
        yield leaf.seat, _SUITS[leaf.suit], _range_of(part, leaf, SUIT_SIZE)
    elif isinstance(leaf, CardSum) and leaf == _points(leaf.seat):
        yield leaf.seat, "hcp", _range_of(part, leaf, MOST_POINTS)
    else:
        raise _refusal(part, "is no limit of a length or of hcp")


def _refusal(part: Node, reason: str) -> NotLimitsError:
    return NotLimitsError(f"{show(part)} {reason}; {_NEEDS}")


def _leaves(node: Node) -> list[Node]:
    """Return the functions in a node, each once, without constant numbers."""
    found = distinct(node, stop=lambda part: not isinstance(part, _OPERATORS))
    return [part for part in found if not isinstance(part, (*_OPERATORS, Number))]


def _range_of(part: Node, leaf: Length | CardSum, most: int) -> Range:
    """Return the values of a function for which a part holds; raise if they are no range."""
    values = range(most + 1)
    held = [value for value in values if evaluate(part, _layout_with(leaf, value))]
    if not held:
        raise PavError(f"no deal satisfies {show(part)}")
    if held != list(range(held[0], held[-1] + 1)):
        raise _refusal(part, "leaves a gap")
    return held[0], held[-1]


def _layout_with(leaf: Length | CardSum, value: int) -> Layout:
    """Return a layout in which a function has a value, and no other hand has cards."""
    owners = bytearray([UNUSED]) * DECK_SIZE
    for card in _cards_with(leaf, value):
        owners[card] = leaf.seat
    return Layout(bytes(owners))


def _cards_with(leaf: Length | CardSum, value: int) -> Iterator[int]:
    """Yield cards of a length, or honours with a sum of points, the highest possible first."""
    if isinstance(leaf, Length):
        yield from range(leaf.suit * SUIT_SIZE, leaf.suit * SUIT_SIZE + value)
        return
    for rank, points in enumerate(HCP.weights[: HCP.named_ranks]):
        for suit in range(len(Suit)):
            if points <= value:
                value -= points
                yield suit * SUIT_SIZE + rank
