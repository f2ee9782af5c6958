"""The arguments for known cards that functions on deals and endings share."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypedDict

from pavcodec.cards import HAND_SIZE, Card, Seat, Suit
from pavcodec.constraints.known.cards import (
    CardsLike,
    SuitsLike,
    by_seat,
    cards_of,
    suits_of,
)
from pavcodec.constraints.known.play import Play
from pavcodec.constraints.known.position import FourHands, Position
from pavcodec.constraints.language.build import conjunction, parts_of
from pavcodec.constraints.nodes.syntax import Node, Number
from pavcodec.errors import PavError, hint
from pavcodec.layout import Hand, Layout

__all__ = ["KnownCards", "position", "with_known_cards"]

HandsLike = Mapping[Any, CardsLike] | Layout | str
PlayedLike = Play | Mapping[Any, CardsLike]
ShownOutLike = Mapping[Any, SuitsLike]


class KnownCards(TypedDict, total=False):
    """The keyword arguments for known cards; `known` is a position with all of them."""

    hands: HandsLike
    played: PlayedLike
    shown_out: ShownOutLike
    unused: CardsLike
    known: Position | None


def position(
    *,
    hands: HandsLike | None = None,
    played: PlayedLike | None = None,
    shown_out: ShownOutLike | None = None,
    unused: CardsLike = (),
) -> Position:
    """Return a position: the known cards of a deal at a moment of its play.

    `hands` maps seats to cards that they were dealt, all or a few; they may include or lack those
    that the seat played. A `Layout` or its text also does. `played` maps seats to the cards that
    they played, or is a `Play`: then the players and the voids follow from the rules of play.
    `shown_out` maps seats to suits of which they hold no more cards. `unused` are cards that are
    gone, and nobody knows who played them. Raises `PavError` where these contradict each other.

    >>> table = position(hands={"S": "AQ5.KJ93.A76.T96"}, played={"E": "S2"}, shown_out={"E": "H"})
    >>> len(table.hands[2]), table.gone, table.voids
    (13, Hand.from_pbn('2...'), ((<Seat.EAST: 1>, <Suit.HEARTS: 1>),))
    >>> position(hands={"S": "SA", "W": "AS"})
    Traceback (most recent call last):
    ...
    pavcodec.errors.PavError: SA is in two hands, South's and West's
    """
    play = played if isinstance(played, Play) else None
    own, gone = _hands_of(hands), _played_of(played)
    nobody = cards_of(unused, "unused")
    voids = dict.fromkeys(play.voids if play else ())
    for seat, suits in by_seat({} if shown_out is None else shown_out, "shown_out"):
        voids |= {(seat, suit): None for suit in suits_of(suits)}
    _check_twice(own, "in two hands, {0}'s and {1}'s")
    _check_twice(gone, "played by two seats, {0} and {1}")
    _check_owners(own, gone, nobody, play)
    north, east, south, west = (
        Hand.from_mask(one.mask | other.mask) for one, other in zip(own, gone, strict=True)
    )
    found = Position((north, east, south, west), gone, tuple(sorted(voids)), nobody, play)
    _check_sizes(own, found)
    _check_voids(found)
    return found


def with_known_cards(
    where: Node, given: KnownCards, function: str, cards: int | None = None
) -> Node:
    """Return a condition with the known cards in front of it; unchanged if nothing is known.

    With `cards`, it is a condition on endings of so many cards. `function` names the public
    function for the errors: `TypeError` for other arguments, and `PavError` for known cards that no
    deal or ending has.
    """
    found = _position_of(given, function)
    if found is None:
        return where
    parts = found.deal_parts() if cards is None else found.ending_parts(cards)
    all_parts = [*parts, *parts_of(where)]
    return conjunction(all_parts) if all_parts else Number(1)


def _position_of(given: KnownCards, function: str) -> Position | None:
    known = [*KnownCards.__annotations__]
    for name in given:
        if name not in known:
            raise TypeError(
                f"{function}() got an unexpected keyword argument {name!r}{hint(name, known)}"
            )
    found = given.get("known")
    others = {name: value for name, value in given.items() if name != "known"}
    if found is None:
        return position(**others) if others else None  # type: ignore[arg-type] # its own names
    if others:
        raise TypeError(f"{function}() takes known= or {'=, '.join(others)}=, not both")
    if not isinstance(found, Position):
        raise TypeError(f"known is a Position, not {type(found).__name__!r}: use pavcodec.position")
    return found


def _hands_of(hands: HandsLike | None) -> FourHands:
    """Return the cards of each seat."""
    if isinstance(hands, str):
        hands = Layout.from_pbn(hands, lenient=True)
    if isinstance(hands, Layout):
        return hands.hands
    return _by_seat({} if hands is None else hands, "hands")


def _played_of(played: PlayedLike | None) -> FourHands:
    """Return the played cards of each seat."""
    if isinstance(played, Play):
        return _four({seat: played.cards_of(seat) for seat in Seat})
    return _by_seat({} if played is None else played, "played")


def _by_seat(given: Mapping[Any, CardsLike], what: str) -> FourHands:
    pairs = by_seat(given, what)
    return _four({seat: cards_of(cards, seat.name.title()) for seat, cards in pairs})


def _four(hands: Mapping[Seat, Hand]) -> FourHands:
    north, east, south, west = (hands.get(seat, Hand()) for seat in Seat)
    return north, east, south, west


def _check_twice(hands: FourHands, problem: str) -> None:
    """Raise `PavError` for a card of two seats."""
    owners: dict[Card, Seat] = {}
    for seat in Seat:
        for card in hands[seat]:
            if card in owners:
                names = [each.name.title() for each in (owners[card], seat)]
                raise PavError(f"{card} is {problem.format(*names)}")
            owners[card] = seat


def _check_owners(own: FourHands, gone: FourHands, unused: Hand, play: Play | None) -> None:
    """Raise `PavError` for a card in one hand that another seat or nobody played."""
    for seat in Seat:
        name = seat.name.title()
        for card in own[seat]:
            if card in unused:
                raise PavError(
                    f"{card} is unused, but in {name}'s hand: list cards that a seat played "
                    "as played"
                )
            player = next((other for other in Seat if card in gone[other]), seat)
            if player != seat:
                raise PavError(
                    f"{_place(play, card)}{player.name.title()} plays {card}, but it is in "
                    f"{name}'s hand"
                )
        both = next((card for card in gone[seat] if card in unused), None)
        if both is not None:
            raise PavError(f"{both} is unused, but played by {name}")


def _check_sizes(own: FourHands, found: Position) -> None:
    """Raise `PavError` for a seat with more than 13 cards."""
    for seat in Seat:
        if len(found.hands[seat]) <= HAND_SIZE:
            continue
        name, many = seat.name.title(), len(found.hands[seat])
        other = [card for card in found.played[seat] if card not in own[seat]]
        if len(own[seat]) > HAND_SIZE or not own[seat]:
            raise PavError(f"{name} has {HAND_SIZE} cards at most, not {many}")
        card = other[0] if found.play is None else min(other, key=found.play.cards.index)
        raise PavError(
            f"{_place(found.play, card)}{name} plays {card}, but its hand has "
            f"{len(own[seat])} cards without it: together they are {many}, and a hand has "
            f"{HAND_SIZE}"
        )


def _check_voids(found: Position) -> None:
    """Raise `PavError` for a known card of a suit that the seat does not hold any more."""
    for seat, suit in found.voids:
        card = next((card for card in found.live[seat] if card.suit == suit), None)
        if card is not None:
            name, what = seat.name.title(), suit.name.lower()
            place = _place_of_void(found.play, seat, suit)
            raise PavError(f"{place}{name} shows out of {what}, but still holds {card}")


def _place(play: Play | None, card: Card) -> str:
    """Return the trick of a card for a message."""
    return "" if play is None else f"trick {play.cards.index(card) // len(Seat) + 1}: "


def _place_of_void(play: Play | None, seat: Seat, suit: Suit) -> str:
    """Return the trick in which a seat showed out of a suit, for a message."""
    if play is None:
        return ""
    for number, trick in enumerate(play.tricks):
        players = play.players[number * len(Seat) :]
        for player, card in zip(players, trick, strict=False):
            if player == seat and trick[0].suit == suit != card.suit:
                return f"trick {number + 1}: "
    return ""
