"""Rank and unrank classes in arrays: the compiled loops of `pavcodec.symmetry`.

A row of the table is a node: the rows of cards that may follow, the starts of their partitions, and
the next node of each: another node, the plain walk, or a node that does not exist yet. The loop
stops deals that reach a missing node and reports them. Then these nodes are created, and the loop
processes these deals again from the start.
"""

from __future__ import annotations

from collections.abc import Callable
from threading import Lock
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from pavcodec.arrays.compiler import compiled
from pavcodec.arrays.numberings.deals import thresholds
from pavcodec.arrays.numberings.symmetry import canonical_rows, labels_of
from pavcodec.arrays.owners.rows import held, packed_sizes
from pavcodec.arrays.words.limbs import split
from pavcodec.arrays.words.wide import at_least
from pavcodec.symmetry import ClassWalk

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from pavcodec.arrays.owners.rows import Owners
    from pavcodec.arrays.words.limbs import Limbs


_SEATS, _ROOM_BITS = 4, np.uint64(4)
_ONE, _LAST = np.uint64(1), np.uint64(_SEATS - 1)
_UNKNOWN, _PLAIN = -1, -2
_FEW = 64


class _Table(NamedTuple):
    """All nodes by number; rows after the last node are unused."""

    counts: NDArray[np.int64]
    rows: NDArray[np.uint16]
    high: NDArray[np.uint64]
    low: NDArray[np.uint64]
    after: NDArray[np.int32]


class ClassKernel:
    """Rank and unrank the classes of a walk over at most four suits and four hands."""

    def __init__(self, walk: ClassWalk) -> None:
        symmetry = walk.symmetry
        self._walk, self._lock = walk, Lock()
        self._deck = symmetry.suits, np.uint64(symmetry.seats)
        self._names = symmetry.suits + symmetry.seats
        self._symmetry = walk.ranks, labels_of(symmetry), symmetry.seats, symmetry.any_suits
        rooms = (*walk.capacities, *(0,) * (_SEATS - len(walk.capacities)))
        north, east, south, west = rooms
        self._sizes = packed_sizes(rooms)
        self._start = np.uint64(sum(room << 4 * (_SEATS - 1 - i) for i, room in enumerate(rooms)))
        self._plain = thresholds((north, east, south, west))[:2]
        self._states: list[tuple[tuple[int, ...], tuple[int, ...]]] = []
        self._numbers: dict[tuple[tuple[int, ...], tuple[int, ...]], int] = {}
        self._table = self._empty(_FEW)
        if len(walk.group) > 1:
            self._make(walk.group, walk.capacities)

    def _empty(self, nodes: int) -> _Table:
        shape = (nodes, len(self._walk.owners))
        return _Table(
            np.zeros(nodes, np.int64),
            np.zeros(shape, np.uint16),
            np.zeros(shape, np.uint64),
            np.zeros(shape, np.uint64),
            np.full(shape, _UNKNOWN, np.int32),
        )

    def rank(self, owners: Owners, numbers: Limbs) -> int:
        """Write the numbers of owners; return the first row that is not a deal, or -1."""
        bad: int = _first_bad(owners, self._sizes)
        if bad >= 0:
            return bad
        canonical = np.empty_like(owners)
        ways = np.empty((len(owners), self._names), np.uint8)
        canonical_rows(owners, *self._symmetry, canonical, ways)
        self._repeat(_rank, canonical, numbers)
        return -1

    def unrank(self, numbers: Limbs, owners: Owners) -> None:
        """Write the canonical owners of numbers, which must be below the cardinality."""
        self._repeat(_unrank, owners, numbers)

    def _repeat(self, loop: Callable[..., None], owners: Owners, numbers: Limbs) -> None:
        """Run a loop, and run it again for the deals that reached a missing node."""
        left = np.arange(len(owners))
        while len(left):
            missing = np.full(len(left), -1, np.int64)
            table, (high, low) = self._table, self._plain
            loop(*table, high, low, self._start, *self._deck, owners, numbers, left, missing)
            left, missing = left[missing >= 0], missing[missing >= 0]
            for link in np.unique(missing).tolist():
                self._link(*divmod(link, len(self._walk.owners)))

    def _link(self, node: int, index: int) -> None:
        """Create the node after a row of another node, and link it."""
        group, rooms = self._states[node]
        before = self._walk.node(group, rooms)
        after = self._walk.after(rooms, before.rows[index])
        with self._lock:
            target = self._numbers.get((before.groups[index], after))
            if target is None:
                target = self._make(before.groups[index], after)
            self._table.after[node, index] = target

    def _make(self, group: tuple[int, ...], rooms: tuple[int, ...]) -> int:
        """Add a node to the table, which grows if it is full; return the number of the node."""
        number, node = len(self._states), self._walk.node(group, rooms)
        if number == len(self._table.counts):
            larger = self._empty(2 * number)
            for name in _Table._fields:
                getattr(larger, name)[:number] = getattr(self._table, name)
            self._table = larger
        table, count = self._table, len(node.rows)
        table.rows[number, :count] = node.rows
        for index, end in enumerate(node.ends[:-1], 1):
            table.high[number, index], table.low[number, index] = split(end)
        for index, left in enumerate(node.groups):
            ends = len(left) == 1 or not any(self._walk.after(rooms, node.rows[index]))
            table.after[number, index] = _PLAIN if ends else _UNKNOWN
        table.counts[number] = count
        self._states.append((group, rooms))
        self._numbers[group, rooms] = number
        return number


@compiled()
def _first_bad(owners: Any, sizes: Any) -> Any:
    for deal in range(len(owners)):
        if held(owners[deal]) != sizes:
            return deal
    return -1


@compiled()
def _rank(
    counts: Any, rows: Any, node_high: Any, node_low: Any, after: Any,
    high: Any, low: Any, start: Any, suits: Any, seats: Any,
    owners: Any, numbers: Any, left: Any, missing: Any,
) -> None:  # fmt: skip
    ranks = owners.shape[1] // suits
    for item in range(len(left)):
        word, state = owners[left[item]], start
        total_high, total_low, node = np.uint64(0), np.uint64(0), np.int64(0)
        for rank in range(ranks):
            if node == _PLAIN:
                for suit in range(suits):
                    seat = np.uint64(word[suit * ranks + rank])
                    total_low += low[state, seat]
                    total_high += high[state, seat] + np.uint64(total_low < low[state, seat])
                    state -= _ONE << _ROOM_BITS * (_LAST - seat)
                continue
            row = np.uint64(0)
            for suit in range(suits):
                seat = np.uint64(word[suit * ranks + rank])
                row = row * seats + seat
                state -= _ONE << _ROOM_BITS * (_LAST - seat)
            index = np.searchsorted(rows[node, : counts[node]], np.uint16(row))
            total_low += node_low[node, index]
            total_high += node_high[node, index] + np.uint64(total_low < node_low[node, index])
            if after[node, index] == _UNKNOWN:
                missing[item] = node * rows.shape[1] + index
                break
            node = np.int64(after[node, index])
        numbers[left[item], 0], numbers[left[item], 1] = total_high, total_low


@compiled()
def _partition_of(node_high: Any, node_low: Any, count: Any, high: Any, low: Any) -> Any:
    """Return the last partition of a node that starts at or before a number."""
    begin, end = 0, count
    while end - begin > 1:
        middle = (begin + end) // 2
        if at_least(high, low, node_high[middle], node_low[middle]):
            begin = middle
        else:
            end = middle
    return begin


@compiled()
def _unrank(
    counts: Any, rows: Any, node_high: Any, node_low: Any, after: Any,
    high: Any, low: Any, start: Any, suits: Any, seats: Any,
    owners: Any, numbers: Any, left: Any, missing: Any,
) -> None:  # fmt: skip
    ranks = owners.shape[1] // suits
    for item in range(len(left)):
        word, state, node = owners[left[item]], start, np.int64(0)
        left_high, left_low = numbers[left[item], 0], numbers[left[item], 1]
        for rank in range(ranks):
            if node == _PLAIN:
                for suit in range(suits):
                    seat = at_least(left_high, left_low, high[state, 1], low[state, 1])
                    seat += at_least(left_high, left_low, high[state, 2], low[state, 2])
                    seat += at_least(left_high, left_low, high[state, 3], low[state, 3])
                    left_high -= high[state, seat] + np.uint64(left_low < low[state, seat])
                    left_low -= low[state, seat]
                    state -= _ONE << _ROOM_BITS * (_LAST - seat)
                    word[suit * ranks + rank] = seat
                continue
            begins_high, begins_low = node_high[node], node_low[node]
            index = _partition_of(begins_high, begins_low, counts[node], left_high, left_low)
            left_high -= begins_high[index] + np.uint64(left_low < begins_low[index])
            left_low -= begins_low[index]
            row = np.uint64(rows[node, index])
            for suit in range(suits - 1, -1, -1):
                seat = row % seats
                row //= seats
                state -= _ONE << _ROOM_BITS * (_LAST - seat)
                word[suit * ranks + rank] = seat
            if after[node, index] == _UNKNOWN:
                missing[item] = node * rows.shape[1] + index
                break
            node = np.int64(after[node, index])
