"""The criterion: whether legal play can reach an ending, for any deck and any number of seats.

Rule 1: Let T tricks be complete. Only the *signature* of the ending matters: the number of cards
        gone of each suit, and the seats that still hold the suit.
Rule 2: A trick takes a card of the led suit from each seat that still holds this suit. So at most
        M = gone // max(1, holders) tricks were led in a suit.
Rule 3: An ending is legal in some denomination if and only if the M of all suits sum to T or more.
Rule 4: Notrump has one exception, and a given trump suit has three.

The documentation has the proofs. Rules 1 to 3 do not depend on the size of the deck. The exceptions
of a given trump suit are proved for four seats and suits of 13 cards.
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


class Signature(NamedTuple):
    """The data that decide whether an ending is legal.

    >>> signature(bytes([0, 0, 1, 2, 2, 1]), suits=2, seats=2)
    Signature(gone=(0, 2), holders=(3, 2))
    """

    gone: tuple[int, ...]
    """By suit: the number of cards played."""
    holders: tuple[int, ...]
    """By suit: the seats that hold it, as bits."""

    @property
    def tricks(self) -> int:
        """The number of complete tricks, for four seats."""
        return sum(self.gone) // SEATS

    @property
    def most_led(self) -> list[int]:
        """By suit: the maximum number of tricks that were led in it."""
        return [
            gone // (held.bit_count() or 1)
            for gone, held in zip(self.gone, self.holders, strict=True)
        ]


def signature(owners: bytes, *, suits: int = 4, seats: int = SEATS) -> Signature:
    """Return the signature of owners; the value `seats` marks a card that was played."""
    ranks = len(owners) // suits
    gone, holders = [], []
    for start in range(0, len(owners), ranks):
        suit = owners[start : start + ranks]
        gone.append(suit.count(seats))
        holders.append(_holders(frozenset(suit), seats))
    return Signature(tuple(gone), tuple(holders))


@cache
def _holders(owners: frozenset[int], seats: int) -> int:
    """Return the seats among some owners, as bits."""
    return sum(1 << seat for seat in range(seats) if seat in owners)


def is_legal(ending: Signature, seats: int = SEATS) -> bool:
    """Return whether play can reach an ending in some denomination (rule 3)."""
    return sum(ending.most_led) * seats >= sum(ending.gone)


def has_no_crossing(ending: Signature) -> bool:
    """Return whether play in notrump cannot reach an ending that rule 3 allows.

    In such an ending only two suits were led, each the maximum number of times, by two groups of
    seats without a common seat. All cards of both suits that are gone were followed to these
    tricks. So no seat that wins a trick in one of these suits can lead the other.
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
    """The reason why a given trump suit is impossible although the ending is legal."""

    kind: str
    """`crossing`, `last trick` or `ruffs`."""
    suits: tuple[int, ...]
    """The suits that were led."""


def trump_bar(ending: Signature, trump: int) -> TrumpBar | None:
    """Return why this trump suit is impossible for an ending that rule 3 allows, or None.

    Every discarded card of the trump suit is a ruff, and the seat with the highest ruff leads next.

    * `crossing`: the exception of notrump, if no ruff can help.
    * `last trick`: only one side suit was led, so a seat that ruffs never leads again. All trumps
      must then fall on the last trick, but too few seats can ruff there.
    * `ruffs`: the seats that can ruff cannot give the lead back often enough.
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
    """Return whether the trumps gone need more ruffs than the play allows.

    The same seats hold all suits that some seat need not follow, and the other seats ruff. After a
    trick with ruffs, one of these seats is on lead. It gives the lead back in a trick to which all
    seats follow.
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
