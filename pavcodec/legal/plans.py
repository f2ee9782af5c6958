"""Plans: the suits that each seat plays to each trick on the way to an ending.

A plan has no ranks. Any cards of the right suits can be played to it, and the seats can exchange
them within a trick so that the planned winner has the highest. So a plan without a revoke, in which
each winner leads to the next trick, is a line of play.

Rule 1: Write gone = 4 · f + r for each suit. With f tricks led in each suit, some tricks are
        missing. Choose suits that lead the missing tricks, too; one suit may lead several of them.
        The chosen suits are *short*: all their cards are played to their own tricks, and each seat
        follows as long as it can. The other suits are *whole*: all seats follow to their f tricks,
        and their r remaining cards are discarded on the tricks of short suits.
Rule 2: No suit is both discarded and not followed, so there is no revoke in any order of the tricks
        that keeps the order within each suit.
Rule 3: The lead can pass from a trick to the next if some seat follows to both. Short suits are
        first, one after another. Whole tricks, to which all seats follow, are inserted where the
        lead needs one.
Rule 4: If this fails for every choice of short suits, one ruff moves the lead to the other seats.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import NamedTuple

from pavcodec.legal.criterion import SEATS, Signature

__all__ = ["PlannedTrick", "notrump_plan", "plan", "trump_plan"]

_ALL = (1 << SEATS) - 1
_Step = tuple[int, int]
"""The suit led, and the seats that follow, as bits."""


class PlannedTrick(NamedTuple):
    """A trick without ranks: `suits` has the suit that each seat plays, North first."""

    led: int
    leader: int
    suits: tuple[int, ...]
    winner: int


def plan(ending: Signature) -> tuple[int | None, list[PlannedTrick]]:
    """Return a trump suit (None: notrump) and the tricks to an ending, which must be legal."""
    tricks = notrump_plan(ending)
    return (None, tricks) if tricks is not None else _with_one_ruff(ending)


def notrump_plan(ending: Signature) -> list[PlannedTrick] | None:
    """Return tricks in notrump to a legal ending, or None if there are none."""
    return next(_block_plans(ending), None)


def trump_plan(ending: Signature, trump: int) -> list[PlannedTrick] | None:
    """Return tricks without a ruff, or None if rules 1 to 3 give none."""
    for tricks in _block_plans(ending):
        if all(trump not in trick.suits or trick.led == trump for trick in tricks):
            return tricks
    return None


def _block_plans(ending: Signature) -> Iterator[list[PlannedTrick]]:
    """Yield the plans of rules 1 to 3, those with few short suits first."""
    whole = [gone // SEATS for gone in ending.gone]
    missing = ending.tricks - sum(whole)
    rooms = [
        range(min(missing, most - tricks) + 1)
        for most, tricks in zip(ending.most_led, whole, strict=True)
    ]
    choices = [more for more in product(*rooms) if sum(more) == missing]
    for more in sorted(choices, key=lambda each: sum(map(bool, each))):
        steps = _steps(ending, more)
        if steps is not None:
            over = [
                suit
                for suit, gone in enumerate(ending.gone)
                if not more[suit]
                for _ in range(gone % SEATS)
            ]
            yield _tricks(steps, over)


def _steps(ending: Signature, more: tuple[int, ...]) -> list[_Step] | None:
    """Return the suits led and their followers for a choice of short suits; None if the lead fails.

    The lead fails if two consecutive short suits have no common follower and no whole trick is
    left.
    """
    gone, holders = ending
    whole = [
        (suit, _ALL)
        for suit, cards in enumerate(gone)
        if not more[suit]
        for _ in range(cards // SEATS)
    ]
    leads = [cards // SEATS + extra for cards, extra in zip(gone, more, strict=True)]
    short = [suit for suit, extra in enumerate(more) if extra]
    short.sort(key=lambda suit: gone[suit] - leads[suit] * max(1, holders[suit].bit_count()))
    steps: list[_Step] = []
    for place, suit in enumerate(short):
        before = steps[-1][1] if steps else 0
        meeting = before or (holders[short[1]] if len(short) > 1 else 0)
        block = _block(gone[suit], holders[suit], leads[suit], meeting)
        if place and not before & block[0]:
            if not whole:
                return None
            steps.append(whole.pop())
        steps += [(suit, followers) for followers in block]
    return steps + whole


def _block(cards: int, holders: int, leads: int, meeting: int) -> list[int]:
    """Return the followers of each trick of a short suit: all holders, and others while they can.

    The other seats are added in seat order; but seats of `meeting` are first if none of them is a
    holder.
    """
    order = sorted(range(SEATS), key=lambda seat: not meeting >> seat & 1)
    if holders & meeting:
        order = list(range(SEATS))
    times = [leads if holders >> seat & 1 else 0 for seat in range(SEATS)]
    if not holders:
        times[order[0]] = leads
    spare = cards - sum(times)
    for seat in order:
        if not times[seat]:
            times[seat] = min(leads, spare)
            spare -= times[seat]
    return [sum(1 << seat for seat in range(SEATS) if times[seat] > turn) for turn in range(leads)]


def _tricks(steps: list[_Step], over: list[int]) -> list[PlannedTrick]:
    """Return the tricks of steps: a seat that follows to both tricks wins; `over` is discarded."""
    tricks: list[PlannedTrick] = []
    leader = _first(steps[0][1]) if steps else 0
    for place, (led, followers) in enumerate(steps):
        after = steps[place + 1][1] if place + 1 < len(steps) else _ALL
        winner = _first(followers & after)
        suits = tuple(led if followers >> seat & 1 else over.pop() for seat in range(SEATS))
        tricks.append(PlannedTrick(led, leader, suits, winner))
        leader = winner
    return tricks


def _with_one_ruff(ending: Signature) -> tuple[int, list[PlannedTrick]]:
    """Return the plan of rule 4: all tricks in one suit, then all in another, with a ruff between.

    A seat that holds the second suit ruffs the last trick of the first suit. The remaining trumps
    fall on this trick, too, or on the very last trick.
    """
    most, holders = ending.most_led, ending.holders
    first, second = (suit for suit in range(len(most)) if most[suit])
    trump, other = (suit for suit in range(len(most)) if not most[suit])
    trumps = ending.gone[trump]
    leader = _first(holders[first])
    tricks = []
    for place in range(ending.tricks):
        led = first if place < most[first] else second
        crosses, is_last = place == most[first] - 1, place == ending.tricks - 1
        suits = [led if holders[led] >> seat & 1 else other for seat in range(SEATS)]
        free = [seat for seat in range(SEATS) if not holders[led] >> seat & 1]
        free.sort(key=lambda seat: not holders[second] >> seat & 1)
        ruffs = free[:trumps] if crosses or is_last else []
        for seat in ruffs:
            suits[seat] = trump
        trumps -= len(ruffs)
        winner = ruffs[0] if ruffs else leader
        tricks.append(PlannedTrick(led, leader, tuple(suits), winner))
        leader = winner
    return trump, tricks


def _first(seats: int) -> int:
    """Return the first of some seats, given as bits."""
    return (seats & -seats).bit_length() - 1
