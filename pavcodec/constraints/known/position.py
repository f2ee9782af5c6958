"""A position: what is known of the cards of a deal, at any moment of the play.

Known are cards of hands, cards that were played, suits that a seat does not hold any more, and
cards that are gone without a known player. A position is a condition on the original deal, so the
deals that agree with it are counted and drawn exactly like those of any condition. `remaining`
takes the gone cards out of such a deal: it maps the deals of a position to the layouts that are
still possible, each layout once if the players of all gone cards are known.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from pavcodec.cards import DECK_SIZE, HAND_SIZE, SUIT_SIZE, UNUSED, Card, Seat, Suit
from pavcodec.constraints.expressions import Expression
from pavcodec.constraints.known.play import Play
from pavcodec.constraints.known.room import check_room
from pavcodec.constraints.language.build import conjunction
from pavcodec.constraints.nodes.syntax import Comparison, HasCard, Length, Node, Number
from pavcodec.constraints.nodes.vocabulary import card_sum
from pavcodec.errors import LayoutError, PavError
from pavcodec.layout import Deal, Hand, Layout

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = ["FourHands", "Position"]

FourHands = tuple[Hand, Hand, Hand, Hand]
"""A set of cards for each seat, N E S W."""


@dataclass(frozen=True)
class Position:
    """What is known of a deal: made by `pavcodec.position`, which has the meaning of each field.

    >>> from pavcodec import deals, position
    >>> table = position(
    ...     hands={"S": "AQ5.KJ93.A76.T96", "N": "KJT9.AQ64.82.A85"},
    ...     played=Play("W", "DK D2 D4 DA, SA S2 S9 C3", "H"),
    ... )
    >>> table.turn, table.voids, table.unseen.suit("S"), table.sizes
    (<Seat.SOUTH: 2>, ((<Seat.EAST: 1>, <Suit.SPADES: 0>),), '87643', (11, 11, 11, 11))
    """

    hands: FourHands
    """The known cards of each seat, with those that it played."""
    played: FourHands
    """The cards that each seat played."""
    voids: tuple[tuple[Seat, Suit], ...]
    """The seats and suits of which the seat holds no more cards, in the order of seats."""
    unused: Hand
    """The cards that are gone without a known player."""
    play: Play | None = None
    """The play in order, if it is known."""

    @property
    def turn(self) -> Seat | None:
        """The seat that plays next; None if the order of play is not known, or at its end."""
        return None if self.play is None else self.play.turn

    @property
    def trick(self) -> tuple[Card, ...]:
        """The cards of the trick that is not complete, if the order of play is known."""
        return () if self.play is None else self.play.trick

    @cached_property
    def gone(self) -> Hand:
        """The cards that are not in a hand any more."""
        return _union([*self.played, self.unused])

    @cached_property
    def unseen(self) -> Hand:
        """The cards that are still in a hand, nobody knows in which."""
        known = _union([*self.hands, self.unused])
        return Hand(card for card in range(DECK_SIZE) if card not in known)

    @cached_property
    def live(self) -> FourHands:
        """The known cards that each seat still holds."""
        north, east, south, west = (
            Hand.from_mask(held.mask & ~gone.mask)
            for held, gone in zip(self.hands, self.played, strict=True)
        )
        return north, east, south, west

    @property
    def sizes(self) -> tuple[int, ...] | None:
        """The number of cards that each seat still holds; None if players are not known."""
        return None if self.unused else tuple(HAND_SIZE - len(cards) for cards in self.played)

    @property
    def where(self) -> Expression:
        """The condition on the original deal; raises `PavError` if no deal satisfies it.

        >>> from pavcodec import position
        >>> print(position(played={"E": "S5 HA"}, shown_out={"E": "S"}).where)
        hascard(east, 5S) && hascard(east, AH) && spades(east) == 1
        """
        return Expression(_all_of(self.deal_parts()))

    def deal_parts(self) -> list[Node]:
        """Return the conditions on the original deal; raise `PavError` if they exclude each other.

        A seat without live cards of a suit has as many as it played, if all gone cards of the suit
        have known players. Otherwise its live cards are counted.
        """
        rooms = [HAND_SIZE - len(cards) for cards in self.hands]
        check_room("deal", rooms, self._unseen_by_suit, self.voids)
        return [*_held(self.hands), *filter(None, map(self._void_of_deal, self.voids))]

    def ending_parts(self, cards: int) -> list[Node]:
        """Return the conditions on an ending of so many cards in each hand; see `deal_parts`.

        The seats hold their live cards, and nobody holds the cards that are gone.
        """
        for seat, live, played in zip(Seat, self.live, self.played, strict=True):
            name, gone = seat.name.title(), len(played)
            if len(live) > cards:
                raise PavError(f"{name} holds {len(live)} known cards, and here a hand has {cards}")
            if gone + cards > HAND_SIZE:
                raise PavError(f"{name} played {gone} cards, so it does not hold {cards} any more")
        nobody = DECK_SIZE - cards * len(Seat) - len(self.gone)
        if nobody < 0:
            raise PavError(
                f"{len(self.gone)} cards are gone: hands of {cards} cards cannot remain, since "
                f"these take {cards * len(Seat)} of {DECK_SIZE}"
            )
        rooms = [cards - len(live) for live in self.live]
        check_room("ending", [*rooms, nobody], self._unseen_by_suit, self.voids)
        empty = [Comparison("==", Length(*void), Number(0)) for void in self.voids]
        full = [seat for seat in Seat if not rooms[seat]]
        return [*_held(self.live), *empty, *self._gone_from([s for s in Seat if s not in full])]

    def remaining(self, deal: Layout) -> Layout:
        """Return the layout that remains of a deal of this position, without the gone cards.

        Raises `LayoutError` if the deal does not agree with the position.

        >>> from pavcodec import deals, position
        >>> table = position(played=Play("W", "DK D2 D4 DA C3", "NT"))
        >>> layout = table.remaining(deals("hcp(east) > 20", known=table).sample(1, seed=7)[0])
        >>> layout.sizes, layout.unused
        ((12, 12, 11, 12), Hand.from_pbn('..AK42.3'))
        """
        if not isinstance(deal, Layout):
            raise TypeError(f"a deal is a Deal or a Layout, not {type(deal).__name__!r}")
        if not deal.is_deal:
            raise LayoutError(f"a position is of a deal, and this is none: {deal}")
        reason = self._disagreement(deal.owners)
        if reason:
            raise LayoutError(f"this deal does not agree with the position: {reason}")
        owners = bytearray(deal.owners)
        for card in self.gone:
            owners[card] = UNUSED
        return Layout.unchecked(bytes(owners)) if self.gone else Deal.unchecked(bytes(owners))

    def remaining_many(self, owners: NDArray[np.uint8]) -> NDArray[np.uint8]:
        """Return the layouts that remain of many deals: `uint8[n, 52]` to a new `uint8[n, 52]`.

        Row k is what `remaining` returns for row k. Raises `LayoutError` with the row for a deal
        that does not agree, or for a row that is no deal.
        """
        from pavcodec.constraints.arrays.evaluate import contains_rows

        agree = contains_rows(_all_of(self.deal_parts()), (HAND_SIZE,) * len(Seat), owners)
        if not agree.all():
            row = int(agree.argmin())
            try:
                self.remaining(Layout(owners[row].tobytes()))
            except LayoutError as error:
                raise LayoutError(f"row {row}: {error}") from None
        found = owners.copy()
        found[:, list(self.gone)] = UNUSED
        return found

    @cached_property
    def _unseen_by_suit(self) -> list[int]:
        return [len(self.unseen.suit(suit)) for suit in Suit]

    def _live_cards(self, suit: Suit) -> Iterator[Card]:
        return (card for card in _cards_of_suit(suit) if card not in self.gone)

    def _void_of_deal(self, void: tuple[Seat, Suit]) -> Node | None:
        """Return the condition that a seat has no live cards of a suit; None if that is known."""
        seat, suit = void
        if len(self.hands[seat]) == HAND_SIZE:
            return None
        if not self.unused.suit(suit):
            held = len(self.hands[seat].suit(suit))
            return Comparison("==", Length(seat, suit), Number(held))
        live = set(self._live_cards(suit))
        return _none_of(seat, suit, [int(card in live) for card in _cards_of_suit(suit)])

    def _gone_from(self, seats: list[Seat]) -> Iterator[Node]:
        """Yield the conditions that seats do not hold gone cards."""
        for seat in seats:
            for suit in Suit:
                gone = [int(card in self.gone) for card in _cards_of_suit(suit)]
                if any(gone) and (seat, suit) not in self.voids:
                    yield _none_of(seat, suit, gone)

    def _disagreement(self, owners: bytes) -> str:
        """Return why the owners of a deal do not agree; empty if they do."""
        for seat, cards in zip(Seat, self.hands, strict=True):
            missing = next((card for card in cards if owners[card] != seat), None)
            if missing is not None:
                return f"{seat.name.title()} does not hold {missing}"
        for seat, suit in self.voids:
            held = next((card for card in self._live_cards(suit) if owners[card] == seat), None)
            if held is not None:
                return f"{seat.name.title()} still holds {held}, but has no {suit.name.lower()}"
        return ""


def _union(hands: list[Hand]) -> Hand:
    mask = 0
    for hand in hands:
        mask |= hand.mask
    return Hand.from_mask(mask)


def _held(hands: FourHands) -> list[Node]:
    return [HasCard(seat, card) for seat, cards in zip(Seat, hands, strict=True) for card in cards]


def _cards_of_suit(suit: Suit) -> list[Card]:
    return [Card(suit * SUIT_SIZE + place) for place in range(SUIT_SIZE)]


def _none_of(seat: Seat, suit: Suit, marks: list[int]) -> Node:
    """Return the condition that a seat holds none of the marked cards of a suit."""
    return Comparison("==", card_sum(seat, suit, marks), Number(0))


def _all_of(parts: list[Node]) -> Node:
    return conjunction(parts) if parts else Number(1)
