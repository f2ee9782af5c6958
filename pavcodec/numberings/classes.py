"""Classes of deals as rankings, and canonical layouts of arrays.

Rank and unrank classes: the partition walk over canonical words, rank by rank.

Rule 1: The number of a class is the number of canonical words before its own, rank by rank. Rule 2:
Every beginning of a canonical word is canonical. The owners of one rank are a *row*. So a row may
follow a beginning if no permutation that leaves this beginning unchanged makes the row smaller.
Rule 3: After a row, only the permutations that also leave the row unchanged remain. Burnside's
lemma over them counts the classes of the rest; this count is the partition of the row. Rule 4: If
only one permutation remains, the rest is the plain walk.

The *room* of a hand is the number of cards that it still gets. The remaining permutations and the
rooms of the hands define a *node*. The kernel walks over a table of nodes, which get into it when a
deal first reaches them: there are very many, and nearly all deals need only a few.
"""

from __future__ import annotations

from collections.abc import Callable
from ctypes import Array, c_int32, c_int64, c_uint64, memmove, sizeof
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate, chain, compress, product
from operator import sub
from threading import Lock
from typing import TYPE_CHECKING, Any, TypeAlias

from pavcodec.cards import DECK_SIZE, SUIT_SIZE, UNUSED
from pavcodec.errors import LayoutError
from pavcodec.kernel import bind
from pavcodec.symmetry import Symmetry, count_classes, symmetry_of
from pavcodec.walk import FixedSizes, Rank, Ranking, Unrank

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from pavcodec.arrays import Owners, Threads


Group: TypeAlias = tuple[int, ...]
"""The remaining permutations, by their positions in the symmetry."""
Rooms: TypeAlias = tuple[int, ...]
_Node: TypeAlias = tuple[Group, Rooms]

_UNKNOWN, _PLAIN = -1, -2  # as in the kernel
_MOST_SUITS, _MOST_SEATS, _MOST_RANKS = 4, 4, 15
_NODES_AT_FIRST = 16
_WORD = 1 << 64


@dataclass(frozen=True)
class ClassWalk(Ranking):
    """Rank and unrank the classes of deals: each word has the number of its canonical word.

    Each suit of the deck has `ranks` cards, and all hands have the same size.

    >>> walk = ClassWalk(symmetry_of("suits"), ranks=1)
    >>> walk.cardinality, walk.unrank(0).hex(), walk.rank(bytes([3, 1, 2, 0]))
    (1, '00010203', 0)
    """

    symmetry: Symmetry
    ranks: int

    @cached_property
    def capacities(self) -> Rooms:
        """The number of cards of each hand."""
        seats = self.symmetry.seats
        size, left = divmod(self.symmetry.suits * self.ranks, seats)
        if left:
            suits = self.symmetry.suits
            raise ValueError(f"{suits} suits of {self.ranks} do not fill {seats} hands")
        return (size,) * seats

    @cached_property
    def cards(self) -> int:
        """The length of the words."""
        return sum(self.capacities)

    @cached_property
    def cardinality(self) -> int:
        """The number of classes."""
        return count_classes(self.symmetry.permutations, self.ranks, self.capacities)

    @cached_property
    def table(self) -> ClassTable:
        """The nodes that some deal has reached."""
        return ClassTable(self.symmetry, self.ranks, self.capacities)

    @cached_property
    def _rows(self) -> tuple[Rank, Unrank]:
        return self.table.rank_rows, self.table.unrank_rows


class ClassTable:
    """The nodes of a walk, as the kernel reads them; it ranks and unranks rows of deals.

    A deal that reaches a node that is not there stops the kernel, which goes on from this deal when
    the table has the node.
    """

    def __init__(self, symmetry: Symmetry, ranks: int, capacities: Rooms) -> None:
        suits, seats = symmetry.suits, symmetry.seats
        assert suits <= _MOST_SUITS, "the kernel sorts four suits"
        assert seats <= _MOST_SEATS, "the kernel has four rooms"
        assert ranks <= _MOST_RANKS, "the kernel packs 15 cards"
        self._symmetry, self._capacities = symmetry, capacities
        self._rank = bind("class_rank", *symmetry.definition, ranks)
        self._unrank = bind("class_unrank", seats, suits, ranks)
        self._taken = [
            tuple(map(row.count, range(seats))) for row in product(range(seats), repeat=suits)
        ]
        self._choices: dict[Group, list[tuple[int, Group]]] = {}
        self._nodes: dict[_Node, int] = {}
        self._in_order: list[_Node] = []
        self._tables = self._empty(_NODES_AT_FIRST)
        self._lock = Lock()
        self._add(tuple(range(symmetry.order)), capacities)

    def rank_rows(self, n: int, words: Any, numbers: Any) -> int:
        """Write the numbers of deals; return the first row that is not a deal, or -1."""
        return self._walk(self._rank, n, words, numbers)

    def unrank_rows(self, n: int, numbers: Any, words: Any) -> None:
        """Write the canonical deals of numbers, which must be below the cardinality."""
        self._walk(self._unrank, n, numbers, words)

    def _walk(self, function: Callable[..., int], n: int, given: Any, results: Any) -> int:
        """Call a function of the kernel again until it needs no more nodes; return a bad row."""
        row, missing = 0, (c_int64 * 1)()
        while (row := function(*self._tables, row, n, given, results, missing)) >= 0:
            if missing[0] < 0:
                return row
            self._link(*divmod(missing[0], len(self._taken)))
        return -1

    def _empty(self, nodes: int) -> tuple[Array[c_uint64], Array[c_int32]]:
        rows = len(self._taken)
        return (c_uint64 * (2 * (rows + 1) * nodes))(), (c_int32 * (rows * nodes))()

    def _link(self, node: int, row: int) -> None:
        """Link the node after a row of another node; add it if it is not there."""
        with self._lock:
            group, rooms = self._in_order[node]
            left = dict(self._choices_of(group))[row]
            after = self._after(rooms, row)
            target = self._nodes.get((left, after))
            if target is None:
                target = self._add(left, after)
            self._tables[1][node * len(self._taken) + row] = target

    def _add(self, group: Group, rooms: Rooms) -> int:
        """Add a node to the tables, which grow if they are full; return its number."""
        number, rows = len(self._in_order), len(self._taken)
        if number * rows == len(self._tables[1]):
            larger = self._empty(2 * number)
            memmove(larger[0], self._tables[0], sizeof(self._tables[0]))
            memmove(larger[1], self._tables[1], sizeof(self._tables[1]))
            self._tables = larger
        counts = [0] * rows
        after: list[c_int32 | int] = [_UNKNOWN] * rows
        for row, left in self._choices_of(group):
            then = self._after(rooms, row)
            if min(then) >= 0:
                counts[row] = self._count(left, then)
                if len(left) == 1 or not any(then):
                    after[row] = _PLAIN
        starts = (divmod(start, _WORD) for start in accumulate(counts, initial=0))
        words = 2 * (rows + 1)
        self._tables[0][words * number : words * (number + 1)] = [*chain.from_iterable(starts)]
        self._tables[1][rows * number : rows * (number + 1)] = after
        self._in_order.append((group, rooms))
        self._nodes[group, rooms] = number
        return number

    def _after(self, rooms: Rooms, row: int) -> Rooms:
        """Return the rooms of the hands after a row."""
        return tuple(map(sub, rooms, self._taken[row]))

    def _count(self, group: Group, rooms: Rooms) -> int:
        """Return the number of classes of the words with these rooms."""
        if len(group) == 1:
            return FixedSizes(rooms).cardinality
        permutations = [self._symmetry.permutations[index] for index in group]
        if all(one.seats == permutations[0].seats for one in permutations):
            rooms = tuple(sorted(rooms))  # the seats are alike; sorting makes more cache hits
        return count_classes(tuple(permutations), sum(rooms) // self._symmetry.suits, rooms)

    def _choices_of(self, group: Group) -> list[tuple[int, Group]]:
        """Return the rows that no permutation makes smaller, each with those that fix it."""
        choices = self._choices.get(group)
        if choices is None:
            images = [self._images[index] for index in group]
            choices = self._choices[group] = []
            for row, becomes in enumerate(zip(*images, strict=True)):
                if min(becomes) == row:
                    choices.append((row, tuple(compress(group, map(row.__eq__, becomes)))))
        return choices

    @cached_property
    def _images(self) -> list[list[int]]:
        """The image of each row under each permutation."""
        seats, suits = self._symmetry.seats, self._symmetry.suits
        by_permutation = []
        for one in self._symmetry.permutations:
            images = [0]
            for new_suit in one.suits:
                parts = [name * seats ** (suits - 1 - new_suit) for name in one.seats]
                images = [image + part for image in images for part in parts]
            by_permutation.append(images)
        return by_permutation


def canonical_many(
    owners: Owners, symmetry: str, *, threads: Threads = None
) -> tuple[Owners, NDArray[np.uint8]]:
    """Return canonical layouts, and the permutations to them: `uint8[n, 52]` and `uint8[n, 8]`.

    Row k is the result of `Layout.canonical` for the owners in row k; a permutation is the new
    suits of S H D C and then the new seats of N E S W. `threads` share the work; the default is one
    for each processor. Raises `LayoutError` with the first row that is not a layout,
    `UnknownNameError` for an unknown symmetry, and `TypeError` for another array.

    >>> from pavcodec import numbering
    >>> owners = numbering("deal").sample_many(2, seed=7)
    >>> canonical, ways = canonical_many(owners, "suits,turns")
    >>> ways.tolist()
    [[2, 3, 0, 1, 3, 0, 1, 2], [1, 0, 2, 3, 3, 0, 1, 2]]
    >>> (canonical_many(canonical, "suits,turns")[0] == canonical).all()
    np.True_
    """
    import numpy as np

    from pavcodec.arrays import checked, share

    group = symmetry_of(symmetry)
    rows = checked("owners", owners, np.uint8, DECK_SIZE)
    canonical = np.empty_like(rows, order="C")
    ways = np.empty((len(rows), group.suits + group.seats), np.uint8)

    def work(part: slice) -> None:
        given = np.ascontiguousarray(rows[part])
        bad = group.canonical_words(SUIT_SIZE, len(given), given, canonical[part], ways[part])
        if bad >= 0:
            raise LayoutError(
                f"row {part.start + bad}: an owner is 0 to {UNUSED}, not {given[bad].max()}"
            )

    share(work, len(rows), threads)
    return canonical, ways
