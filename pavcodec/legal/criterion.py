"""Which endings legal play can reach: the criterion, for any deck and any number of seats.

Rule 1: T tricks are over. Of an ending only its *signature* matters: how many cards of each suit
        are gone, and which seats still hold the suit.
Rule 2: a trick takes a card of the suit that is led from each seat that still holds this suit. So
        at most M = gone // max(1, holders) tricks were led in it.
Rule 3: an ending is legal in some denomination if the M of all suits add up to T at least, and only
        then.
Rule 4: in notrump there is one exception, and with a given trump suit there are three.

The documentation has the proofs. Rules 1 to 3 do not depend on the size of the deck; the exceptions
of a given trump suit hold for four seats and suits of 13 cards.
"""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

__all__ = [
    "SEATS",
    "Signature",
    "TrumpBar",
    "has_no_crossing",
    "is_legal",
    "signature",
    "trump_bar",
]

SEATS = 4
_FULL = (1 << SEATS) - 1


class Signature(NamedTuple):
    """What decides whether an ending is legal.

    >>> signature(bytes([0, 0, 1, 2, 2, 1]), suits=2, seats=2)
    Signature(gone=(0, 2), holders=(3, 2))
    """

    gone: tuple[int, ...]
    """By suit: the cards that have been played."""
    holders: tuple[int, ...]
    """By suit: the seats that hold it, a bit each."""

    @property
    def tricks(self) -> int:
        """The tricks that are over, where there are four seats."""
        return sum(self.gone) // SEATS

    @property
    def most_led(self) -> list[int]:
        """By suit: the most tricks that were led in it."""
        return [
            gone // (held.bit_count() or 1)
            for gone, held in zip(self.gone, self.holders, strict=True)
        ]


def signature(owners: bytes, *, suits: int = 4, seats: int = SEATS) -> Signature:
    """Return the signature of owners; the last owner, `seats`, is nobody."""
    ranks = len(owners) // suits
    gone, holders = [], []
    for start in range(0, len(owners), ranks):
        suit = owners[start : start + ranks]
        gone.append(suit.count(seats))
        holders.append(_holders(frozenset(suit), seats))
    return Signature(tuple(gone), tuple(holders))


@cache
def _holders(owners: frozenset[int], seats: int) -> int:
    """Return the seats among some owners, a bit each."""
    return sum(1 << seat for seat in range(seats) if seat in owners)


def is_legal(ending: Signature, seats: int = SEATS) -> bool:
    """Tell whether play can reach an ending in some denomination (rule 3)."""
    return sum(ending.most_led) * seats >= sum(ending.gone)


def has_no_crossing(ending: Signature) -> bool:
    """Tell whether play in notrump cannot reach an ending that rule 3 allows.

    Then only two suits were led, as often as they can have been, by two groups of seats that have
    no seat in common. No card of either suit is left for a seat of the other group. So nobody who
    wins a trick in one of these suits can lead the other.
    """
    most = ending.most_led
    led = [suit for suit, tricks in enumerate(most) if tricks]
    if len(led) != 2 or sum(most) != ending.tricks:
        return False
    first, second = (ending.holders[suit] for suit in led)
    return not first & second and all(
        ending.gone[suit] == ending.holders[suit].bit_count() * most[suit] for suit in led
    )


class TrumpBar(NamedTuple):
    """Why a given trump suit is impossible, though the ending is legal."""

    kind: str
    """`crossing`, `last trick` or `ruffs`."""
    suits: tuple[int, ...]
    """The suits that were led."""


def trump_bar(ending: Signature, trump: int) -> TrumpBar | None:
    """Return why this trump suit cannot be, for an ending that rule 3 allows; None if it can.

    Every card of the trump suit that is discarded is a ruff, and who ruffs highest leads next.

    * `crossing`: the exception of notrump, and no ruff can help.
    * `last trick`: one side suit alone was led, so nobody who ruffs leads again: all trumps are
      gone on the last trick, and there they have no room.
    * `ruffs`: the seats that can ruff do not come to lead often enough.
    """
    gone, holders = ending
    most = ending.most_led
    led = tuple(suit for suit, tricks in enumerate(most) if tricks)
    sizes = [held.bit_count() for held in holders]
    if has_no_crossing(ending) and (trump in led or not gone[trump]):
        return TrumpBar("crossing", led)
    if len(led) == 1 and led[0] != trump and ending.tricks > 1:
        (suit,) = led
        if gone[trump] + max(1, sizes[suit]) > SEATS:
            return TrumpBar("last trick", led)
    if sum(most) == ending.tricks and _has_too_many_ruffs(ending, trump, most, led):
        return TrumpBar("ruffs", led)
    return None


def _has_too_many_ruffs(
    ending: Signature, trump: int, most: list[int], led: tuple[int, ...]
) -> bool:
    """Tell whether more ruffs are needed than the seats that can ruff come to make.

    All suits that somebody need not follow are held by the same seats, and the others ruff. After
    a trick with ruffs, one of these is on lead, and gives it back by a trick that all follow.
    """
    gone, holders = ending
    ruffs = gone[trump] - SEATS * most[trump]
    sometimes = [suit for suit in led if holders[suit].bit_count() < SEATS]
    if ruffs < 2 or len({holders[suit] for suit in sometimes}) != 1:
        return False
    followers = holders[sometimes[0]].bit_count()
    room = SEATS - followers
    if room > 1 and any(gone[suit] != followers * most[suit] for suit in sometimes):
        return False
    followed = {suit: most[suit] for suit in led}
    for suit in sometimes:
        followed[suit] -= max(0, -(-(SEATS * most[suit] - gone[suit]) // room))
    spare = sum(followed.values()) - min(followed[suit] for suit in sometimes)
    return -(-ruffs // room) - 1 > spare
