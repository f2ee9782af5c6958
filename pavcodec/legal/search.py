"""An exact and complete search for plans with given denomination, first leader and seat on lead.

The search takes tricks back one by one, from the ending to the deal. A position consists of the
number of cards of each suit to take back, the seats that are void in each suit, and the seat that
must have won the trick that is taken back next.

Rule 1: A seat that holds the led suit follows. A void seat may follow with the last card that it
        had, or discard.
Rule 2: A seat that takes a card back is not void in its suit any more.
Rule 3: The winner is a seat that played a trump if there is one, otherwise a seat that followed.

The search skips a position that the criterion excludes, and tries each position only once.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from pavcodec.legal.criterion import SEATS, Signature, has_no_crossing, is_legal
from pavcodec.legal.plans import PlannedTrick

__all__ = ["search"]

_Position = tuple[tuple[int, ...], tuple[int, ...], int | None]
"""By suit, the cards to take back and the holders; and the seat on lead."""


def search(
    ending: Signature,
    trump: int | None,
    first: int | None = None,
    last: int | None = None,
    *,
    seats: int = SEATS,
) -> list[PlannedTrick] | None:
    """Return tricks to an ending, or None if no line of play has this trump suit and these leaders.

    `first` led to the first trick, and `last` is on lead in the ending; None allows any seat.
    """
    if not any(ending.gone):
        return [] if first is None or last is None or first == last else None
    return _Search(trump, first, seats).back((ending.gone, ending.holders, last))


class _Search:
    """One search, with the positions that it has found to be impossible."""

    def __init__(self, trump: int | None, first: int | None, seats: int) -> None:
        self._trump = trump
        self._first = first
        self._seats = seats
        self._dead: set[_Position] = set()

    def back(self, position: _Position) -> list[PlannedTrick] | None:
        """Return the tricks to a position, or None if there are none."""
        gone, holders, on_lead = position
        if not any(gone):
            return [] if self._first is None or self._first == on_lead else None
        if position in self._dead:
            return None
        if self._is_possible(Signature(gone, holders)):
            for trick, before in self._taken_back(position):
                line = self.back(before)
                if line is not None:
                    line.append(trick)
                    return line
        self._dead.add(position)
        return None

    def _is_possible(self, ending: Signature) -> bool:
        """Return False if the criterion excludes an ending in this denomination."""
        if not is_legal(ending, self._seats):
            return False
        return self._trump is not None or self._seats != SEATS or not has_no_crossing(ending)

    def _taken_back(self, position: _Position) -> Iterator[tuple[PlannedTrick, _Position]]:
        """Yield each possible last trick, and the position before it."""
        gone, holders, on_lead = position
        suits_there = [suit for suit, cards in enumerate(gone) if cards]
        for led in suits_there:
            free = [led, *(suit for suit in suits_there if suit != led)]
            choices = [(led,) if holders[led] >> seat & 1 else free for seat in range(self._seats)]
            for suits in product(*choices):
                followers = [seat for seat, suit in enumerate(suits) if suit == led]
                if not followers or any(suits.count(suit) > gone[suit] for suit in suits_there):
                    continue
                winners = [seat for seat, suit in enumerate(suits) if suit == self._trump]
                winners = winners or followers
                if on_lead is not None and on_lead not in winners:
                    continue
                winner = winners[0] if on_lead is None else on_lead
                cards, held = list(gone), list(holders)
                for seat, suit in enumerate(suits):
                    cards[suit] -= 1
                    held[suit] |= 1 << seat
                for leader in followers:
                    trick = PlannedTrick(led, leader, suits, winner)
                    yield trick, (tuple(cards), tuple(held), leader)
