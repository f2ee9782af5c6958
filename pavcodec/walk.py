"""The partition walk: rank and unrank words in dictionary order, for any counter.

A counter says how many ways there are to complete a word; the walk does the rest. `Walk` stores a
node for each state that it visits, and `FoldedWalk` one for all states that differ only in which
owner has which room. `walk_of` chooses between them.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import accumulate
from math import comb
from typing import Any, Protocol, TypeAlias

# Counters: how many ways there are to place the remaining cards of a deck.
#
# Walks differ only in their counter. A counter defines the number of cards, the number of owners to
# which a card may go, a start state, the state after a card is placed, and the number of
# completions of a state. States are small tuples of ints. The *room* of an owner is the number of
# cards that it may still get. Nothing here depends on 52 cards or four seats.


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


# The partition walk.
#
# Rule 1: A *word* is one owner for each card, as bytes. Words have dictionary order.
# Rule 2: The number of a word is the number of words before it.
# Rule 3: At each card, the remaining words split into one partition for each owner, in the order of
#         owners. The size of a partition is the number of completions after that choice. The number
#         of a word is the sum of the partitions before the chosen owners. In reverse, the number
#         selects the owner at each card.
# Rule 4: A counter counts the completions.
#
# The tests have the definition, a direct translation of these rules. `Walk` returns the same
# numbers faster: the partitions of a state never change, so a *node* for each visited state stores
# where they end, and links to the next nodes. It stores every state that it visits: 38,416 states
# for deals. `FoldedWalk` is for counters with many more states.


Node: TypeAlias = list[Any]
"""With k owners: the k ends of the partitions, k links to the next nodes, and the state.

One flat list, because a walk spends most of its time reading nodes from memory.
"""


class NotAMemberError(ValueError):
    """The word is not in the ranking: the counter has no completion for it."""


class ByCounter:
    """A ranking that its counter defines: equal if the counters are equal, pickled as the counter.

    Nodes are not pickled.
    """

    __slots__ = ("counter",)

    def __init__(self, counter: Counter) -> None:
        self.counter = counter

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, ByCounter) or type(self) is not type(other):
            return NotImplemented
        return self.counter == other.counter

    def __hash__(self) -> int:
        return hash((type(self), self.counter))

    def __reduce__(self) -> tuple[object, tuple[Counter]]:
        return type(self), (self.counter,)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.counter!r})"


class Walk(ByCounter):
    """Rank and unrank the words of a counter in dictionary order.

    >>> walk = Walk(FixedSizes((2, 1)))
    >>> [walk.unrank(number).hex() for number in range(walk.cardinality)]
    ['000001', '000100', '010000']
    >>> walk.rank(bytes([0, 1, 0]))
    1
    """

    __slots__ = ("_alphabet", "_nodes", "_owners", "_root", "cardinality")

    def __init__(self, counter: Counter) -> None:
        super().__init__(counter)
        self.cardinality = counter.completions(counter.start)
        self._owners = counter.owners
        self._alphabet = bytes(range(counter.owners))
        self._nodes: dict[State, Node] = {}
        self._root = self._make(counter.start, self.cardinality)

    def rank(self, word: bytes) -> int:
        """Return the number of a word; raise `NotAMemberError` for a word that is not counted."""
        if len(word) != self.counter.cards or word.translate(None, self._alphabet):
            raise NotAMemberError
        number = 0
        node = self._root
        owners = self._owners
        for owner in word:
            if owner:
                number += node[owner - 1]
            node = node[owners + owner] or self._link(node, owner)
        return number

    def unrank(self, number: int) -> bytes:
        """Return the word of a number, which must be in 0..cardinality-1."""
        word = bytearray(self.counter.cards)
        node = self._root
        owners = self._owners
        for card in range(len(word)):
            if number < node[0]:
                node = node[owners] or self._link(node, 0)
                continue
            owner = 1
            while number >= node[owner]:
                owner += 1
            word[card] = owner
            number -= node[owner - 1]
            node = node[owners + owner] or self._link(node, owner)
        return bytes(word)

    def _link(self, node: Node, owner: int) -> Node:
        """Return the node after the choice of `owner`; create it if needed."""
        state = self.counter.place(node[-1], owner)
        if state is None:
            raise NotAMemberError
        after = self._nodes.get(state)
        if after is None:
            after = self._make(state, node[owner] - (node[owner - 1] if owner else 0))
            self._nodes[state] = after
        node[self._owners + owner] = after
        return after

    def _make(self, state: State, completions: int) -> Node:
        """Create the node of a state, without links to other nodes."""
        return [*self.counter.cumulative_counts(state, completions), *[None] * self._owners, state]


# The partition walk over folded states, for counters with too many states to store.
#
# Rule 1: The number of completions depends on the rooms of the owners, not on which owner has which
#         room. States that differ only in that share one *folded* state, with rooms in descending
#         order. Each room in this order is a *slot*.
# Rule 2: A walk stores which owner has which slot. When an owner gets a card, the room of its slot
#         decreases by one. Before that, the owner changes places with the owner in the last slot of
#         equal room, so that the order stays descending.
# Rule 3: An owner without a limit is the last owner. Its slot is always the last slot.
#
# The numbers are equal to those of `Walk` and of the definition; the tests compare all three.
# Endings of any sizes have millions of states and about 126,000 folded states, and a walk visits
# few of them.


KEPT_STATES = 1 << 16
"""Up to this number of states, a plain `Walk` stores all states and is faster."""

Folded: TypeAlias = tuple[list[int], list[int], list["Folded | None"], State]
"""By slot: completions, the last slot of equal room, and the next folded state; and the state."""


class FoldedWalk(ByCounter):
    """Rank and unrank the words of a counter in dictionary order, with folded states.

    >>> walk = FoldedWalk(FixedSizes((2, 1)))
    >>> [walk.unrank(number).hex() for number in range(walk.cardinality)]
    ['000001', '000100', '010000']
    """

    __slots__ = ("_alphabet", "_folded", "_root", "_seats", "cardinality")

    def __init__(self, counter: Counter) -> None:
        super().__init__(counter)
        self.cardinality = counter.completions(counter.start)
        self._alphabet = bytes(range(counter.owners))
        rooms = counter.capacities(counter.start)
        by_room = sorted(range(len(rooms)), key=lambda owner: -rooms[owner])
        self._seats = [*by_room, *range(len(rooms), counter.owners)]
        self._folded: dict[State, Folded] = {}
        start = counter.start
        fixed = start[: len(start) - len(rooms)]
        self._root = self._make((*fixed, *sorted(rooms, reverse=True)), self.cardinality)

    def rank(self, word: bytes) -> int:
        """Return the number of a word; raise `NotAMemberError` for a word that is not counted."""
        if len(word) != self.counter.cards or word.translate(None, self._alphabet):
            raise NotAMemberError
        seats, slots = self._seating()
        number = 0
        node = self._root
        for owner in word:
            completions, equals, after, _ = node
            for slot in slots[:owner]:
                number += completions[slot]
            slot = slots[owner]
            last = equals[slot]
            if last != slot:
                other = seats[last]
                seats[slot], slots[other], seats[last], slots[owner] = other, slot, owner, last
            node = after[last] or self._link(node, last)
        return number

    def unrank(self, number: int) -> bytes:
        """Return the word of a number, which must be in 0..cardinality-1."""
        word = bytearray(self.counter.cards)
        seats, slots = self._seating()
        node = self._root
        for card in range(len(word)):
            completions, equals, after, _ = node
            owner = 0
            slot = slots[0]
            while number >= completions[slot]:
                number -= completions[slot]
                owner += 1
                slot = slots[owner]
            word[card] = owner
            last = equals[slot]
            if last != slot:
                other = seats[last]
                seats[slot], slots[other], seats[last], slots[owner] = other, slot, owner, last
            node = after[last] or self._link(node, last)
        return bytes(word)

    def _seating(self) -> tuple[list[int], list[int]]:
        """Return the owner of each slot and the slot of each owner at the start."""
        seats = self._seats[:]
        slots = seats[:]
        for slot, owner in enumerate(seats):
            slots[owner] = slot
        return seats, slots

    def _link(self, node: Folded, slot: int) -> Folded:
        """Return the folded state after the owner in a slot gets a card; create it if needed."""
        state = self.counter.place(node[3], slot)
        if state is None:
            raise NotAMemberError
        after = self._folded.get(state)
        if after is None:
            after = self._folded[state] = self._make(state, node[0][slot])
        node[2][slot] = after
        return after

    def _make(self, state: State, completions: int) -> Folded:
        """Create the node of a folded state, without links to other nodes."""
        ends = self.counter.cumulative_counts(state, completions)
        each = [end - start for start, end in zip([0, *ends], ends, strict=False)]
        rooms = self.counter.capacities(state)
        equals = [len(rooms) - 1 - rooms[::-1].index(room) for room in rooms]
        return each, [*equals, *range(len(rooms), len(ends))], [None] * len(ends), state


def walk_of(counter: Counter) -> Walk | FoldedWalk:
    """Return the fastest walk for a counter: `Walk` for few states, otherwise `FoldedWalk`."""
    states = 1
    for room in counter.start:
        states *= room + 1
    return Walk(counter) if states <= KEPT_STATES else FoldedWalk(counter)
