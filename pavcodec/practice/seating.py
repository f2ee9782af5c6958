"""Assign the hands of a condition to the seats of a board, with dealer and vulnerability."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import cast

from pavcodec.boards import Board, Vulnerability
from pavcodec.boards.turning import Turn, turn_layout
from pavcodec.cards import Seat
from pavcodec.layout import Deal
from pavcodec.numberings import numbering

__all__ = ["Seating", "turned"]

_SEATS = len(Seat)


def turned(deal: Deal, places: int) -> Deal:
    """Return a deal rotated clockwise: each hand moves `places` seats on.

    >>> deal = numbering("deal")[0]
    >>> turned(deal, 1)["E"] == deal["N"], turned(deal, 3)["N"] == deal["E"]
    (True, True)
    """
    return cast("Deal", turn_layout(deal, Turn.of(places)))


@dataclass(frozen=True, slots=True, kw_only=True)
class Seating:
    """Makes boards from the deals of a condition.

    `players` get the hands: all four, or two partners. `dealer` and `vulnerable` belong to the
    condition before rotation, and rotate with it; without them, they follow from the board number.

    With `turning`, the rotation changes from board to board. For four players, the dealer rotates
    as in tournaments; without a dealer, board 1 is not rotated. Two players exchange their seats.
    With `across`, a condition for North and South is first rotated to East and West.

    >>> seating = Seating(players=(Seat.NORTH, Seat.SOUTH), turning=True)
    >>> [seating.places(number) for number in (1, 2, 3, 4)]
    [0, 2, 0, 2]
    >>> seating = Seating(dealer=Seat.SOUTH, turning=True)
    >>> board = seating.board(1, numbering("deal")[0])
    >>> seating.places(1), board.dealer, board.vulnerable
    (2, <Seat.NORTH: 0>, <Vulnerability.NONE: 'None'>)
    """

    players: tuple[Seat, ...] = tuple(Seat)
    dealer: Seat | None = None
    vulnerable: Vulnerability | None = None
    turning: bool = False
    across: bool = False

    def places(self, number: int) -> int:
        """Return the number of places by which a board is rotated clockwise."""
        first = int(self.across)
        if not self.turning:
            return first
        if len(self.players) == _SEATS:
            return (number - 1 - (self.dealer or 0)) % _SEATS
        return first + 2 * ((number - 1) % 2)

    def describe(self) -> str:
        """Return a sentence about the rotation of the boards; "" if there is none.

        >>> Seating(dealer=Seat.EAST, turning=True).describe()
        'The table is turned: East of the condition is the dealer of each board.'
        """
        said = ""
        if self.turning and (self.dealer is not None or len(self.players) == _SEATS):
            dealer = Seat(self.dealer or 0).name.title()
            said = f"{dealer} of the condition is the dealer of each board"
        elif self.turning:
            said = "on even boards partners have changed places"
        elif self.across:
            said = "South of the condition is West, and North is East"
        return said and f"The table is turned: {said}."

    def board(self, number: int, deal: Deal, tags: Mapping[str, str] | None = None) -> Board:
        """Return the board of a deal; its tag `DealId` has the number of the rotated deal."""
        places = self.places(number)
        there = turned(deal, places)
        identity = {"DealId": f"deal:{numbering('deal').rank(there)}"}
        return Board.make(
            there,
            number=number,
            dealer=None if self.dealer is None else Seat((self.dealer + places) % _SEATS),
            vulnerable=self.vulnerable and Turn.of(places).sides(self.vulnerable.value),
            tags={**(tags or {}), **identity},
        )
