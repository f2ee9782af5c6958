"""Whether the unseen cards fit into the hands: by the theorem of Hall, for four suits.

The unseen cards of a suit may be in each hand that is not void in it. They all fit if, for every
set of suits, the cards of these suits are no more than the free places of the hands that are not
void in all of them.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

from pavcodec.cards import Seat, Suit
from pavcodec.errors import PavError

__all__ = ["check_room"]


def check_room(
    kind: str,
    rooms: Sequence[int],
    unseen: Sequence[int],
    voids: Sequence[tuple[Seat, Suit]],
) -> None:
    """Raise `PavError` if the unseen cards do not fit into the free places of the hands.

    `rooms` has the free places of each seat, and for endings those of nobody; `unseen` the unseen
    cards of each suit. `kind` is the word for layouts of these hands in messages.

    >>> check_room("deal", [0, 6, 0, 7], [4, 3, 3, 3], [(Seat.EAST, Suit.SPADES)])
    >>> check_room("deal", [0, 10, 0, 3], [4, 3, 3, 3], [(Seat.EAST, Suit.SPADES)])
    Traceback (most recent call last):
    ...
    pavcodec.errors.PavError: no deal has these cards: 4 unseen spades, and 3 places for them \
(West 3; East has none of them)
    """
    for many in range(1, len(Suit) + 1):
        for suits in combinations(Suit, many):
            void = [seat for seat in Seat if all((seat, suit) in voids for suit in suits)]
            places = [(owner, room) for owner, room in enumerate(rooms) if owner not in void]
            cards, room = sum(unseen[suit] for suit in suits), sum(room for _, room in places)
            if cards > room:
                names = " and ".join(suit.name.lower() for suit in suits)
                raise PavError(
                    f"no {kind} has these cards: {cards} unseen {names}, and {room} places for "
                    f"them ({_listed(places, void)})"
                )


def _listed(places: list[tuple[int, int]], void: list[Seat]) -> str:
    """Return the places and the void hands as text."""
    found = [
        f"{Seat(owner).name.title() if owner < len(Seat) else 'unused'} {room}"
        for owner, room in places
        if room
    ]
    if not void:
        return ", ".join(found) or "all hands are full"
    text = ", ".join(found) or "the others are full"
    verb = "has" if len(void) == 1 else "have"
    return f"{text}; {' and '.join(seat.name.title() for seat in void)} {verb} none of them"
