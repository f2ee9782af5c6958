"""The partition walk over folded states, for counters with too many states to keep them all.

Rule 1: completions depend on how much room the owners have, not on which owner has which room.
        States that differ only in that are one *folded* state, its rooms in descending order: a
        *slot* each.
Rule 2: a walk keeps who sits in which slot. When the owner of a slot takes a card, the slot's room
        falls by one; it first changes places with the last slot of equal room, so that the order
        stays.
Rule 3: an owner without limit, if the counter has one, is the last; its slot is the last and stays.

The numbers are those of `Walk` and of the definitions; the tests hold all three against each other.
Endings of any sizes have millions of states and some 126,000 folded ones, of which a walk meets
few.
"""

from __future__ import annotations

from typing import TypeAlias

from pavcodec.walk.counters import Counter, State
from pavcodec.walk.walk import ByCounter, NotAMemberError, Walk

__all__ = ["FoldedWalk", "walk_of"]

KEPT_STATES = 1 << 16
"""Up to so many states a plain `Walk` keeps them all and is quicker."""

Folded: TypeAlias = tuple[list[int], list[int], list["Folded | None"], State]
"""By slot: completions, the last slot of equal room, the folded state after it; and the state."""


class FoldedWalk(ByCounter):
    """Rank and unrank the words of a counter in dictionary order, with few nodes.

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
        """Return the number of a word; raise `NotAMemberError` if the counter does not have it."""
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
        """Return the owner in each slot and the slot of each owner, as they are at the start."""
        seats = self._seats[:]
        slots = seats[:]
        for slot, owner in enumerate(seats):
            slots[owner] = slot
        return seats, slots

    def _link(self, node: Folded, slot: int) -> Folded:
        """Return the folded state after the owner in a slot took a card, made if need be."""
        state = self.counter.place(node[3], slot)
        if state is None:
            raise NotAMemberError
        after = self._folded.get(state)
        if after is None:
            after = self._folded[state] = self._make(state, node[0][slot])
        node[2][slot] = after
        return after

    def _make(self, state: State, completions: int) -> Folded:
        """Make the node of a folded state, not linked to any other yet."""
        ends = self.counter.cumulative_counts(state, completions)
        each = [end - start for start, end in zip([0, *ends], ends, strict=False)]
        rooms = self.counter.capacities(state)
        equals = [len(rooms) - 1 - rooms[::-1].index(room) for room in rooms]
        return each, [*equals, *range(len(rooms), len(ends))], [None] * len(ends), state


def walk_of(counter: Counter) -> Walk | FoldedWalk:
    """Return the quickest walk for a counter: over all its states if they are few, else folded."""
    states = 1
    for room in counter.start:
        states *= room + 1
    return Walk(counter) if states <= KEPT_STATES else FoldedWalk(counter)
