"""A line of play so far: the leader, the cards in order, and what follows by the rules of play.

The player of each card follows from the leader and the winners of the tricks. A player who does
not follow suit holds no more cards of the suit.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from operator import index as as_integer
from typing import SupportsIndex

from pavcodec.boards import Board
from pavcodec.boards.play import played_cards, strain_of, winner
from pavcodec.cards import SUIT_SIZE, Card, Seat, Strain, Suit
from pavcodec.constraints.known.cards import CardsLike, card_list
from pavcodec.errors import NumberError, PavError, shown
from pavcodec.layout import Hand

__all__ = ["Play"]

_TRICK = len(Seat)


@dataclass(frozen=True, init=False)
class Play:
    """Cards in the order of play, with their players and the suits that players do not hold.

    `leader` leads to the first trick. The cards are a text or a list. The strain is needed after a
    complete trick in which somebody did not follow suit, since it decides who won. Raises
    `PavError` for a card that is played twice, for a player who plays a suit after not following
    it, and for a trick without a known winner; the message names the trick.

    >>> play = Play("W", "SK S2 S3 S4, SA S5 S6 H2, H3", strain="NT")
    >>> play.turn, play.voids, [str(card) for card in play.trick]
    (<Seat.NORTH: 0>, ((<Seat.SOUTH: 2>, <Suit.SPADES: 0>),), ['H3'])
    >>> play.cards_of("west")
    Hand.from_pbn('AK.3..')
    """

    leader: Seat
    cards: tuple[Card, ...]
    strain: Strain | None

    def __init__(
        self,
        leader: Seat | int | str,
        cards: CardsLike = (),
        strain: Strain | int | str | None = None,
    ) -> None:
        object.__setattr__(self, "leader", Seat.of(leader))
        object.__setattr__(self, "cards", tuple(card_list(cards)))
        object.__setattr__(self, "strain", None if strain is None else Strain.of(strain))
        self._check()

    @classmethod
    def of_board(cls, board: Board) -> Play | None:
        """Return the play of a board; None if it has none. Raises `PavError` if it is not legible.

        The strain is that of the contract. The tags are those of PBN: `Play` and `Contract`.
        """
        if not isinstance(board, Board):
            raise TypeError(f"a Board has a play, not {type(board).__name__!r}")
        tag = next((tag for tag in board.entries if tag.name == "Play" and tag.lines), None)
        if tag is None:
            return None
        strain = strain_of(board.tags.get("Contract", ""))
        return cls(tag.value, played_cards(board, strain), strain or None)

    @cached_property
    def players(self) -> tuple[Seat, ...]:
        """The player of each card."""
        found: list[Seat] = []
        for trick in self.tricks:
            first = self._leads[len(found) // _TRICK]
            found += [Seat((first + place) % _TRICK) for place in range(len(trick))]
        return tuple(found)

    @property
    def tricks(self) -> tuple[tuple[Card, ...], ...]:
        """The cards of each trick in order; the last may have fewer than four."""
        starts = range(0, len(self.cards), _TRICK)
        return tuple(self.cards[start : start + _TRICK] for start in starts)

    @property
    def trick(self) -> tuple[Card, ...]:
        """The cards of the trick that is not complete; () between two tricks."""
        return self.cards[len(self.cards) // _TRICK * _TRICK :]

    @property
    def turn(self) -> Seat | None:
        """The seat that plays next; None after the last card."""
        place = len(self.cards)
        if place == _TRICK * SUIT_SIZE:
            return None
        return Seat((self._leads[place // _TRICK] + place) % _TRICK)

    @property
    def winners(self) -> tuple[Seat, ...]:
        """The winner of each complete trick."""
        return self._leads[1:]

    @cached_property
    def voids(self) -> tuple[tuple[Seat, Suit], ...]:
        """The seats that did not follow suit, each with the suit, in the order of play."""
        found: dict[tuple[Seat, Suit], None] = {}
        for place, (card, seat) in enumerate(zip(self.cards, self.players, strict=True)):
            led = self.cards[place // _TRICK * _TRICK].suit
            if card.suit != led:
                found[seat, led] = None
        return tuple(found)

    def cards_of(self, seat: Seat | int | str) -> Hand:
        """Return the cards that a seat played."""
        wanted = Seat.of(seat)
        pairs = zip(self.cards, self.players, strict=True)
        return Hand(card for card, player in pairs if player == wanted)

    def first(self, count: SupportsIndex) -> Play:
        """Return the play of the first cards only; raise `NumberError` for less than 0 or too many.

        >>> Play("W", "SK S2 S3", "NT").first(2)
        Play('W', 'SK S2', strain='NT')
        """
        many = as_integer(count)
        if not 0 <= many <= len(self.cards):
            raise NumberError(f"this play has 0 to {len(self.cards)} cards, not {shown(many)}")
        return Play(self.leader, self.cards[:many], self.strain)

    @cached_property
    def _leads(self) -> tuple[Seat, ...]:
        """The leader of each trick, also of the next one after a complete trick."""
        strain = "" if self.strain is None else self.strain.letters[0]
        leads = [self.leader]
        for number, trick in enumerate(self.tricks, 1):
            if len(trick) == _TRICK:
                try:
                    won = winner([str(card) for card in trick], strain)
                except PavError:
                    raise PavError(
                        f"who won trick {number}, {_shown(trick)}, is not known without the "
                        "strain: give strain="
                    ) from None
                leads.append(Seat((leads[-1] + won) % _TRICK))
        return tuple(leads)

    def _check(self) -> None:
        """Raise `PavError` for a card that is played twice, or a suit after not following it."""
        at: dict[Card, int] = {}
        voids: dict[tuple[Seat, Suit], int] = {}
        for place, card in enumerate(self.cards):
            number = place // _TRICK + 1
            if card in at:
                raise PavError(f"trick {number}: {card} was played in trick {at[card]} already")
            at[card] = number
        for place, (card, seat) in enumerate(zip(self.cards, self.players, strict=True)):
            number, led = place // _TRICK + 1, self.cards[place // _TRICK * _TRICK].suit
            if (seat, card.suit) in voids:
                name, suit = seat.name.title(), card.suit.name.lower()
                raise PavError(
                    f"trick {number}: {name} plays {card}, but did not follow {suit} in trick "
                    f"{voids[seat, card.suit]}"
                )
            if card.suit != led:
                voids.setdefault((seat, led), number)

    def __repr__(self) -> str:
        strain = "" if self.strain is None else f", strain={self.strain.letters!r}"
        return f"Play({self.leader.letter!r}, {_shown(self.cards)!r}{strain})"


def _shown(cards: Iterable[Card]) -> str:
    return " ".join(map(str, cards))
