"""The partition walk.

Rule 1: A *word* is one owner for each card, as bytes. Words have dictionary order.
Rule 2: The number of a word is the number of words before it.
Rule 3: At each card, the remaining words split into one partition for each owner, in the order of
        owners. The size of a partition is the number of completions after that choice. The number
        of a word is the sum of the partitions before the chosen owners. In reverse, the number
        selects the owner at each card.
Rule 4: A counter counts the completions (see `counters`). Nothing here depends on the size of a
        deck or the number of seats.

The tests have the definition, a direct translation of these rules. `Walk` returns the same numbers
faster: the partitions of a state never change, so a *node* for each visited state stores where they
end, and links to the next nodes. It stores every state that it visits: 38,416 states for deals.
`FoldedWalk` is for counters with many more states.
"""

from __future__ import annotations

from typing import Any, TypeAlias

from pavcodec.walk.counters import Counter, State

__all__ = ["ByCounter", "NotAMemberError", "Walk"]

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

    >>> from pavcodec.walk import FixedSizes
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
        for place in range(len(word)):
            if number < node[0]:
                node = node[owners] or self._link(node, 0)
                continue
            owner = 1
            while number >= node[owner]:
                owner += 1
            word[place] = owner
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
