"""The losing trick count of DealerV2 as an expression of other functions of the language."""

from __future__ import annotations

from functools import partial, reduce

from pavcodec.cards import SUIT_SIZE, Card, Seat, Suit
from pavcodec.constraints.nodes.syntax import (
    And,
    Arithmetic,
    Comparison,
    HasCard,
    Length,
    Losers,
    Node,
    Not,
    Number,
    Or,
)

__all__ = ["losing_trick_count"]


def losing_trick_count(seat: Seat, suit: Suit | None = None) -> Node:
    """Return the losing trick count of a suit or a hand in hundredths, with half losers.

    >>> from pavcodec.constraints.nodes.format import format_node
    >>> format_node(losing_trick_count(Seat.WEST, Suit.CLUBS))[:40]
    '100 * losers(west, clubs) + 50 * ((hasca'
    """
    suits = [_of_suit(seat, each) for each in (Suit if suit is None else [suit])]
    return reduce(partial(Arithmetic, "+"), suits)


def _of_suit(seat: Seat, suit: Suit) -> Node:
    """Return 100 times the losers of a suit, corrected by half losers.

    Half a loser less: a single king; ace and queen in a doubleton; ace, jack and exactly one of
    king and queen; jack, ten and exactly one of ace and king, without the queen. Half a loser more:
    the queen without ace, king and jack, in three cards or more.
    """
    ace, king, queen, jack, ten = (HasCard(seat, Card(suit * SUIT_SIZE + n)) for n in range(5))
    length = Length(seat, suit)
    less = Or(
        (
            And((Comparison("==", length, Number(1)), king)),
            And((Comparison("==", length, Number(2)), ace, queen)),
            And((jack, ace, Comparison("!=", king, queen))),
            And((jack, ten, Not(queen), Comparison("!=", ace, king))),
        )
    )
    more = And((queen, Comparison(">=", length, Number(3)), Not(Or((ace, king, jack)))))
    whole = Arithmetic("*", Number(100), Losers(seat, suit))
    return Arithmetic("+", whole, Arithmetic("*", Number(50), Arithmetic("-", more, less)))
