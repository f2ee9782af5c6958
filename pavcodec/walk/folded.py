"""The partition walk over folded states, for counters with too many states to store.

Rule 1: The number of completions depends on the rooms of the owners, not on which owner has which
        room. States that differ only in that share one *folded* state, with rooms in descending
        order. Each room in this order is a *slot*.
Rule 2: A walk stores which owner has which slot. When an owner gets a card, the room of its slot
        decreases by one. Before that, the owner changes places with the owner in the last slot of
        equal room, so that the order stays descending.
Rule 3: An owner without a limit is the last owner. Its slot is always the last slot.

The numbers are equal to those of `Walk` and of the definition; the tests compare all three.
Endings of any sizes have millions of states and about 126,000 folded states, and a walk visits few
of them.
"""

from __future__ import annotations

from typing import TypeAlias

from pavcodec.walk.counters import Counter, State
from pavcodec.walk.walk import ByCounter, NotAMemberError, Walk

__all__ = ["FoldedWalk", "walk_of"]

KEPT_STATES = 1 << 16
"""Up to this number of states, a plain `Walk` stores all states and is faster."""

Folded: TypeAlias = tuple[list[int], list[int], list["Folded | None"], State]
"""By slot: completions, the last slot of equal room, and the next folded state; and the state."""


class FoldedWalk(ByCounter):
    """Rank and unrank the words of a counter in dictionary order, with folded states.

    >>> from pavcodec.walk import FixedSizes
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
        for place in range(len(word)):
            completions, equals, after, _ = node
            owner = 0
            slot = slots[0]
            while number >= completions[slot]:
                number -= completions[slot]
                owner += 1
                slot = slots[owner]
            word[place] = owner
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
