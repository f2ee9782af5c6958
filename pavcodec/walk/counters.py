"""Counters: how many ways there are to place the remaining cards of a deck.

Walks differ only in their counter. A counter defines the number of cards, the number of owners to
which a card may go, a start state, the state after a card is placed, and the number of completions
of a state. States are small tuples of ints. The *room* of an owner is the number of cards that it
may still get. Nothing here depends on 52 cards or four seats.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import accumulate
from math import comb
from typing import Protocol

__all__ = ["Counter", "FixedSizes", "LimitedSizes", "State"]

State = tuple[int, ...]


class Counter(Protocol):
    """The interface through which a walk counts completions."""

    @property
    def cards(self) -> int:
        """The number of cards to place."""

    @property
    def owners(self) -> int:
        """The number of owners that may get a card; words use the values 0..owners-1."""

    @property
    def start(self) -> State:
        """The state before the first card."""

    def place(self, state: State, owner: int) -> State | None:
        """Return the state after the next card is given to `owner`, or None if it cannot be."""

    def completions(self, state: State) -> int:
        """Return the number of ways to place all remaining cards."""

    def capacities(self, state: State) -> State:
        """Return the last part of the state: the room of each owner that has a limit.

        The number of completions does not change when these rooms are permuted.
        """

    def cumulative_counts(self, state: State, completions: int) -> list[int]:
        """Return, for each owner, the completions when the next card goes to it or an earlier one.

        `completions` is the value of the method of that name for this state; callers have it
        already.
        """


@dataclass(frozen=True, slots=True)
class FixedSizes:
    """Count the words in which each owner gets an exact number of cards: a multinomial coefficient.

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
        # the completions of an owner are in proportion to its cards among the remaining cards
        cards = sum(state) or 1
        return [completions * upto // cards for upto in accumulate(state)]


@dataclass(frozen=True, slots=True)
class LimitedSizes:
    """Count the words in which owners have upper limits; one more owner, the last, has no limit.

    `LimitedSizes(52, (13, 13, 13, 13))` counts all endings. A state is (cards left, room of each
    limited owner). With F(c; a, b, …) for its completions,

        F(c; ) = 1        F(c; …, b) = sum over k = 0..min(b, c) of C(c, k) * F(c - k; …)

    where k of the c cards go to the owner with room b. The order of the rooms does not change F, so
    they are sorted, and each value is computed once.

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
        ways = {0: 0}  # by room: owners with equal room have equally many completions
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
