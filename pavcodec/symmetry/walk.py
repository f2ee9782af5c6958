"""Classes to numbers and back: the partition walk over canonical words, rank by rank.

Rule 1: the number of a class is how many canonical words come before its own, rank by rank.
Rule 2: a canonical word begins with a canonical word. So a rank's owners, a *row*, may follow those
        before it if no permutation that leaves these unchanged makes a smaller row of it.
Rule 3: after a row, only the permutations that leave it unchanged as well are left. Burnside's
        lemma over them counts the classes of what follows; that is the partition of the row.
Rule 4: where only one permutation is left, the rest is the plain walk.

The permutations that are left, the room of each hand and the ranks to come are a *node*. The nodes
that are met are kept.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from dataclasses import dataclass, field
from functools import cached_property
from itertools import compress, product
from operator import sub

from pavcodec.symmetry.canonical import by_ranks, by_suits, canonical_word
from pavcodec.symmetry.counting import count_classes
from pavcodec.symmetry.groups import Symmetry
from pavcodec.symmetry.permutations import inverse
from pavcodec.walk import FixedSizes, NotAMemberError, Walk

__all__ = ["ClassWalk", "Node"]

Group = tuple[int, ...]
"""The permutations that are left, by their places in the symmetry."""


@dataclass(frozen=True, slots=True)
class Node:
    """What may follow: canonical rows in order, where their partitions end, what is left after."""

    rows: tuple[int, ...]
    ends: tuple[int, ...]
    groups: tuple[Group, ...]


@dataclass(frozen=True)
class ClassWalk:
    """Rank and unrank the classes of deals: any word has the number of its canonical word.

    The deck has so many `ranks` in each suit, and all hands are of one size.

    >>> from pavcodec.symmetry import symmetry_of
    >>> walk = ClassWalk(symmetry_of("suits"), ranks=1)
    >>> walk.cardinality, walk.unrank(0).hex(), walk.rank(bytes([3, 1, 2, 0]))
    (1, '00010203', 0)
    """

    symmetry: Symmetry
    ranks: int
    _nodes: dict[tuple[Group, tuple[int, ...]], Node] = field(
        default_factory=dict, init=False, repr=False, compare=False
    )
    _chosen: dict[Group, list[tuple[int, Group]]] = field(
        default_factory=dict, init=False, repr=False, compare=False
    )

    def __reduce__(self) -> tuple[object, tuple[Symmetry, int]]:
        return type(self), (self.symmetry, self.ranks)

    @cached_property
    def capacities(self) -> tuple[int, ...]:
        """The cards of each hand."""
        seats = self.symmetry.seats
        size, left = divmod(self.symmetry.suits * self.ranks, seats)
        if left:
            raise ValueError(f"{self.symmetry.suits} suits of {self.ranks} make no {seats} hands")
        return (size,) * seats

    @cached_property
    def group(self) -> Group:
        """All permutations."""
        return tuple(range(self.symmetry.order))

    @cached_property
    def cardinality(self) -> int:
        """The number of classes."""
        return self._count(self.group, self.capacities)

    @cached_property
    def plain(self) -> Walk:
        """The walk over all words rank by rank."""
        return Walk(FixedSizes(self.capacities))

    @cached_property
    def owners(self) -> tuple[bytes, ...]:
        """The owners of each row, by its number: the rows are in the order of their owners."""
        symmetry = self.symmetry
        return tuple(map(bytes, product(range(symmetry.seats), repeat=symmetry.suits)))

    @cached_property
    def _row_of(self) -> dict[bytes, int]:
        return {row: number for number, row in enumerate(self.owners)}

    @cached_property
    def _images(self) -> tuple[tuple[int, ...], ...]:
        """What each permutation makes of each row."""
        found = []
        for one in self.symmetry.permutations:
            order, seats = inverse(one.suits), one.seats
            images = (bytes(seats[row[suit]] for suit in order) for row in self.owners)
            found.append(tuple(map(self._row_of.__getitem__, images)))
        return tuple(found)

    def _count(self, group: Group, rooms: tuple[int, ...]) -> int:
        if len(group) == 1:
            return FixedSizes(rooms).completions(rooms)
        permutations = [self.symmetry.permutations[place] for place in group]
        if all(one.seats == permutations[0].seats for one in permutations):
            rooms = tuple(sorted(rooms))  # so that fewer are counted: the seats are alike
        return count_classes(tuple(permutations), sum(rooms) // self.symmetry.suits, rooms)

    def node(self, group: Group, rooms: tuple[int, ...]) -> Node:
        """Return the node of the permutations that are left and of the rooms of the hands."""
        found = self._nodes.get((group, rooms))
        if found is None:
            found = self._nodes[group, rooms] = self._make(group, rooms)
        return found

    def _make(self, group: Group, rooms: tuple[int, ...]) -> Node:
        rows, ends, groups, total = [], [], [], 0
        for row, left in self._choices(group):
            after = self.after(rooms, row)
            if min(after) >= 0:
                total += self._count(left, after)
                rows.append(row)
                ends.append(total)
                groups.append(left)
        return Node(tuple(rows), tuple(ends), tuple(groups))

    def _choices(self, group: Group) -> list[tuple[int, Group]]:
        """Return the rows that no permutation makes smaller, each with those that leave it."""
        found = self._chosen.get(group)
        if found is None:
            images = [self._images[place] for place in group]
            found = self._chosen[group] = []
            for row, becomes in enumerate(zip(*images, strict=True)):
                if min(becomes) == row:
                    found.append((row, tuple(compress(group, map(row.__eq__, becomes)))))
        return found

    @cached_property
    def _taken(self) -> tuple[tuple[int, ...], ...]:
        """How many cards of each row each seat takes."""
        return tuple(tuple(map(row.count, range(len(self.capacities)))) for row in self.owners)

    def after(self, rooms: tuple[int, ...], row: int) -> tuple[int, ...]:
        """Return the rooms after a row."""
        return tuple(map(sub, rooms, self._taken[row]))

    def rank(self, word: bytes) -> int:
        """Return the number of a word's class; raise `NotAMemberError` for no deal."""
        count = self.symmetry.suits
        sizes = tuple(map(word.count, range(len(self.capacities))))
        if len(word) != count * self.ranks or sizes != self.capacities:
            raise NotAMemberError
        canonical = by_ranks(canonical_word(word, self.symmetry)[0], count)
        number, group, rooms = 0, self.group, self.capacities
        for begin in range(0, len(word), count):
            if len(group) == 1:
                return number + self.plain.rank(canonical) - self._first(canonical[:begin], rooms)
            node, row = self.node(group, rooms), self._row_of[canonical[begin : begin + count]]
            place = bisect_left(node.rows, row)
            number += node.ends[place - 1] if place else 0
            group, rooms = node.groups[place], self.after(rooms, row)
        return number

    def unrank(self, number: int) -> bytes:
        """Return the canonical word of a number."""
        word, group, rooms = b"", self.group, self.capacities
        while any(rooms):
            if len(group) == 1:
                word = self.plain.unrank(number + self._first(word, rooms))
                break
            node = self.node(group, rooms)
            place = bisect_right(node.ends, number)
            number -= node.ends[place - 1] if place else 0
            row = node.rows[place]
            word += self.owners[row]
            group, rooms = node.groups[place], self.after(rooms, row)
        return by_suits(word, self.symmetry.suits)

    def _first(self, begin: bytes, rooms: tuple[int, ...]) -> int:
        """Return the number that the plain walk gives the first word that begins like this."""
        rest = b"".join(bytes([seat]) * room for seat, room in enumerate(rooms))
        return self.plain.rank(begin + rest)
