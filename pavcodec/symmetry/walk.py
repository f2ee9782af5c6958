"""Rank and unrank classes: the partition walk over canonical words, rank by rank.

Rule 1: The number of a class is the number of canonical words before its own, rank by rank.
Rule 2: Every beginning of a canonical word is canonical. The owners of one rank are a *row*. So a
        row may follow a beginning if no permutation that leaves this beginning unchanged makes the
        row smaller.
Rule 3: After a row, only the permutations that also leave the row unchanged remain. Burnside's
        lemma over them counts the classes of the rest; this count is the partition of the row.
Rule 4: If only one permutation remains, the rest is the plain walk.

The *room* of a hand is the number of cards that it still gets. The remaining permutations and the
rooms of the hands define a *node*. Visited nodes are stored.
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
"""The remaining permutations, by their positions in the symmetry."""


@dataclass(frozen=True, slots=True)
class Node:
    """The canonical rows in order, the ends of their partitions, and the group after each row."""

    rows: tuple[int, ...]
    ends: tuple[int, ...]
    groups: tuple[Group, ...]


@dataclass(frozen=True)
class ClassWalk:
    """Rank and unrank the classes of deals: each word has the number of its canonical word.

    Each suit of the deck has `ranks` cards, and all hands have the same size.

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
        """The number of cards of each hand."""
        seats = self.symmetry.seats
        size, left = divmod(self.symmetry.suits * self.ranks, seats)
        if left:
            suits = self.symmetry.suits
            raise ValueError(f"{suits} suits of {self.ranks} do not fill {seats} hands")
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
        """The walk over all words, rank by rank."""
        return Walk(FixedSizes(self.capacities))

    @cached_property
    def owners(self) -> tuple[bytes, ...]:
        """The owners of each row by its number; rows have the order of their owners."""
        symmetry = self.symmetry
        return tuple(map(bytes, product(range(symmetry.seats), repeat=symmetry.suits)))

    @cached_property
    def _row_of(self) -> dict[bytes, int]:
        return {row: number for number, row in enumerate(self.owners)}

    @cached_property
    def _images(self) -> tuple[tuple[int, ...], ...]:
        """The image of each row under each permutation."""
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
            rooms = tuple(sorted(rooms))  # the seats are alike; sorting makes more cache hits
        return count_classes(tuple(permutations), sum(rooms) // self.symmetry.suits, rooms)

    def node(self, group: Group, rooms: tuple[int, ...]) -> Node:
        """Return the node of a group and the rooms of the hands; create it if needed."""
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
        """Return the rows that no permutation makes smaller, each with those that fix it."""
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
        """For each row, the number of cards of each seat."""
        return tuple(tuple(map(row.count, range(len(self.capacities)))) for row in self.owners)

    def after(self, rooms: tuple[int, ...], row: int) -> tuple[int, ...]:
        """Return the rooms of the hands after a row."""
        return tuple(map(sub, rooms, self._taken[row]))

    def rank(self, word: bytes) -> int:
        """Return the number of a word's class; raise `NotAMemberError` if it is not a deal."""
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
        """Return the canonical word of a number, which must be in 0..cardinality-1."""
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
        """Return the number in the plain walk of the first word with this beginning."""
        rest = b"".join(bytes([seat]) * room for seat, room in enumerate(rooms))
        return self.plain.rank(begin + rest)
