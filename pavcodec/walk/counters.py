"""Counters: in how many ways a partly placed deck can be completed.

A counter is all that distinguishes one walk from another. It knows how many cards there are, how
many owners a card may go to, a start state, the state after a card is placed, and how many
completions a state leaves. States are small tuples of ints; nothing here knows that a deck has 52
cards or a table four seats.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import accumulate
from math import comb
from typing import Protocol

__all__ = ["AnyOwner", "Counter", "FixedSizes", "LimitedSizes", "State"]

State = tuple[int, ...]


class Counter(Protocol):
    """What the walk asks of a way to count completions."""

    @property
    def cards(self) -> int:
        """The number of cards to place."""

    @property
    def owners(self) -> int:
        """The number of owners that a card may go to; the words are over 0..owners-1."""

    @property
    def start(self) -> State:
        """The state before any card is placed."""

    def place(self, state: State, owner: int) -> State | None:
        """Return the state after the next card went to `owner`, or None where it cannot."""

    def completions(self, state: State) -> int:
        """Return the number of ways to place all cards that are left."""

    def capacities(self, state: State) -> State:
        """Return the end of the state that holds the room of each owner that has a limit.

        Completions do not depend on which of these owners has which room.
        """

    def cumulative_counts(self, state: State, completions: int) -> list[int]:
        """Return where the partition of each owner ends: the completions up to that owner, added.

        The completions of the state itself are handed in, since who asks knows them.
        """


@dataclass(frozen=True, slots=True)
class FixedSizes:
    """Every owner gets exactly so many cards; the completions are a multinomial coefficient.

    `FixedSizes((13, 13, 13, 13))` counts deals, `FixedSizes((5, 5, 5, 5, 32))` five-card endings
    and `FixedSizes((13, 39))` single hands.

    >>> FixedSizes((13, 13, 13, 13)).completions((13, 13, 13, 13))
    53644737765488792839237440000
    """

    sizes: tuple[int, ...]

    @property
    def cards(self) -> int:
        return sum(self.sizes)

    @property
    def owners(self) -> int:
        return len(self.sizes)

    @property
    def start(self) -> State:
        return self.sizes

    def place(self, state: State, owner: int) -> State | None:
        room = state[owner]
        return (*state[:owner], room - 1, *state[owner + 1 :]) if room else None

    def completions(self, state: State) -> int:
        ways, cards = 1, 0
        for size in state:
            cards += size
            ways *= comb(cards, size)
        return ways

    def capacities(self, state: State) -> State:
        return state

    def cumulative_counts(self, state: State, completions: int) -> list[int]:
        # each owner's partition is to the whole as the owner's cards are to the cards left
        cards = sum(state) or 1
        return [completions * upto // cards for upto in accumulate(state)]


@dataclass(frozen=True, slots=True)
class LimitedSizes:
    """Every owner gets at most so many cards, and one more owner, the last, takes any number.

    `LimitedSizes(52, (13, 13, 13, 13))` counts all endings. A state is (cards left, room of each
    limited owner). With F(c; a, b, …) for its completions,

        F(c; ) = 1        F(c; …, b) = sum over k = 0..min(b, c) of C(c, k) * F(c - k; …)

    where k of the c cards go to the owner with room b. The order of the rooms does not matter, so
    they are kept sorted, and each value is worked out once.

    >>> LimitedSizes(52, (13, 13, 13, 13)).completions((52, 13, 13, 13, 13))
    1068380067768858063542620835042803325
    """

    cards: int
    limits: tuple[int, ...]
    _known: dict[State, int] = field(default_factory=dict, init=False, repr=False, compare=False)

    @property
    def owners(self) -> int:
        return len(self.limits) + 1

    @property
    def start(self) -> State:
        return (self.cards, *self.limits)

    def place(self, state: State, owner: int) -> State | None:
        left, rooms = state[0] - 1, state[1:]
        if left < 0:
            return None
        if owner == len(rooms):
            return (left, *rooms)
        if not rooms[owner]:
            return None
        return (left, *rooms[:owner], rooms[owner] - 1, *rooms[owner + 1 :])

    def completions(self, state: State) -> int:
        left = state[0]
        return self._ways((left, *sorted(min(room, left) for room in state[1:])))

    def capacities(self, state: State) -> State:
        return state[1:]

    def cumulative_counts(self, state: State, completions: int) -> list[int]:
        left, *rooms = state
        ways = {0: 0}  # by room: owners with equal room have equal partitions
        ends, total = [], 0
        for owner, room in enumerate(rooms):
            if room not in ways:
                rooms[owner] = room - 1
                ways[room] = self.completions((left - 1, *rooms))
                rooms[owner] = room
            total += ways[room]
            ends.append(total)
        return [*ends, completions]

    def __reduce__(self) -> tuple[object, tuple[int, tuple[int, ...]]]:
        return LimitedSizes, (self.cards, self.limits)

    def _ways(self, key: State) -> int:
        ways = self._known.get(key)
        if ways is None:
            left, *rooms = key
            ways = 1 if not rooms else self._sum_over_last(left, rooms[:-1], rooms[-1])
            self._known[key] = ways
        return ways

    def _sum_over_last(self, left: int, others: list[int], room: int) -> int:
        total = 0
        for taken in range(room + 1):
            rest = left - taken
            total += comb(left, taken) * self._ways((rest, *(min(other, rest) for other in others)))
        return total


@dataclass(frozen=True, slots=True)
class AnyOwner:
    """Every card goes to any owner; the completions are a power."""

    cards: int
    owners: int

    @property
    def start(self) -> State:
        return (self.cards,)

    def place(self, state: State, owner: int) -> State | None:
        return (state[0] - 1,) if state[0] else None

    def completions(self, state: State) -> int:
        ways: int = self.owners ** state[0]
        return ways

    def capacities(self, state: State) -> State:
        return state[1:]

    def cumulative_counts(self, state: State, completions: int) -> list[int]:
        return [completions // self.owners * owner for owner in range(1, self.owners + 1)]
