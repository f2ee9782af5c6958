"""Automata of some factors, combined two by two: the halves of a product, and its pairs of nodes.

An automaton is a layer of children for each turn, over the letters of that turn; -1 is a dead end.
Nodes from which no word leads to an end are left out. Equivalent nodes are merged after a factor of
several hands was joined. Conditions of different hands are independent, so their product has almost
no equivalent nodes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from functools import reduce
from itertools import pairwise
from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pavcodec import kernel
from pavcodec.constraints.counting.diagrams.diagram import hash_table
from pavcodec.constraints.counting.models.layers import CountedBack, Layer
from pavcodec.limits import MemoryBudget, ProductTooLarge, check_time, processors

Steps = NDArray[np.int32]
DEAD = -1
_MOST_PAIRED = 300_000
"""The most nodes of a trial product of two factors, which shows how many states one adds."""
_SEVERAL = 2
_MOST_SHARED = 2_000_000
"""The most nodes of a product of all factors of several hands."""
_MOST_SPLITS = 10
"""The most factors for which all divisions into two halves are compared."""


@dataclass(frozen=True, eq=False)
class Automaton:
    """Layers of children, and for each node after the last turn the node of each factor there.

    `origins` has for each layer and node the node of the first of the factors.
    """

    layers: tuple[Steps, ...]
    origins: tuple[NDArray[np.int32], ...]
    ends: NDArray[np.int64]

    @property
    def nodes(self) -> int:
        """The number of nodes."""
        return sum(map(len, self.layers))

    @property
    def memory(self) -> int:
        """The bytes that the layers take."""
        return sum(layer.nbytes for layer in (*self.layers, *self.origins))

    @property
    def widest(self) -> int:
        """The nodes of the widest layer."""
        return max(map(len, self.layers))

    @property
    def is_living(self) -> bool:
        """Whether any word leads to an end."""
        return len(self.layers[0]) > 0

    def width(self, turn: int) -> int:
        """Return the nodes before a turn, or after the last one."""
        return len(self.layers[turn]) if turn < len(self.layers) else len(self.ends)


def automaton(layers: Sequence[NDArray[np.signedinteger[Any]]]) -> Automaton:
    """Return the automaton of one factor."""
    ends = int(layers[-1].max(initial=DEAD)) + 1
    origins = tuple(np.arange(len(layer), dtype=np.int32) for layer in layers)
    narrow = tuple(np.ascontiguousarray(layer, np.int32) for layer in layers)
    return Automaton(narrow, origins, np.arange(ends)[:, None])


def joined(first: Automaton, second: Automaton, room: MemoryBudget, *, merging: bool) -> Automaton:
    """Return the product of two automata; raise `ProductTooLarge` if the memory is too small.

    If one of them leads to no end, it is the product. The caller chooses whether equivalent nodes
    are merged.
    """
    if not (first.is_living and second.is_living):
        return first if second.is_living else second
    starts, items = np.array([0, 1], np.int64), np.zeros(1, np.int32)
    layers: list[Steps] = []
    owners: list[NDArray[np.int32]] = []
    for turn, (moves, steps) in enumerate(zip(first.layers, second.layers, strict=True)):
        a_node = 4 * steps.shape[1] + 8
        room.take(
            card=turn,
            states=len(items),
            resident=a_node * len(items),
            transient=2 * a_node * len(items),
        )
        owners.append(first.origins[turn][_blocks(starts)])
        after = _joined_layer(
            starts, items, moves, steps, first.width(turn + 1), second.width(turn + 1),
            room.most(a_node, a_node),
        )  # fmt: skip
        if after is None:
            raise ProductTooLarge(room.states, turn)
        starts, items, children = after
        layers.append(children)
    ends = np.concatenate([first.ends[_blocks(starts)], second.ends[items]], axis=1)
    return _trimmed(layers, owners, ends, merging=merging)


def _joined_layer(  # noqa: PLR0913, PLR0917
    starts: NDArray[np.int64],
    items: NDArray[np.int32],
    moves: Steps,
    steps: Steps,
    height: int,
    width: int,
    most: int,
) -> tuple[NDArray[np.int64], NDArray[np.int32], Steps] | None:
    """Return the next layer and the children of this one; None if it has more than `most` pairs.

    The next layer has `height` blocks, of nodes below `width`.
    """
    letters = steps.shape[1]
    children = np.full((len(items), letters), DEAD, np.int32)
    next_starts = np.zeros(height + 1, np.int64)
    reached = np.empty(min(children.size, most + width), np.int32)
    positions = np.full(width, -1, np.int32)
    count = kernel.blocks_join(
        *_incoming(moves, height), starts, items, steps, letters, height, most, positions,
        next_starts, reached, children,
    )  # fmt: skip
    return None if count < 0 else (next_starts, reached[:count].copy(), children)


def _incoming(moves: Steps, targets: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the edges to each node of the next layer: (begins, edges).

    An edge is a node and a letter, numbered node * letters + letter.
    """
    begins, edges = np.empty(targets + 1, np.int64), np.empty(moves.size, np.int64)
    kernel.blocks_incoming(moves, moves.shape[1], len(moves), targets, begins, edges)
    return begins, edges[: begins[-1]]


def _blocks(starts: NDArray[np.int64]) -> NDArray[np.int32]:
    """Return the block of each pair of a layer."""
    return np.repeat(np.arange(len(starts) - 1, dtype=np.int32), np.diff(starts))


def _trimmed(
    layers: list[Steps],
    owners: list[NDArray[np.int32]],
    ends: NDArray[np.int64],
    *,
    merging: bool,
) -> Automaton:
    """Remove the nodes that lead to no end, and renumber the rest; the layers are consumed."""
    places = np.append(np.arange(len(ends), dtype=np.int32), np.int32(DEAD))
    trimmed: list[Steps] = []
    origins: list[NDArray[np.int32]] = []
    while layers:
        children, owner = places[layers.pop()], owners.pop()  # -1 is the last place
        living = np.zeros(len(children), bool)
        for column in children.T:
            living |= column != DEAD
        children, owner = children[living], owner[living]
        places = np.full(len(living) + 1, DEAD, np.int32)
        if merging:
            rows, node_of = _merged(np.column_stack([owner, children]))
            children, owner = np.ascontiguousarray(rows[:, 1:]), rows[:, 0].copy()
            places[:-1][living] = node_of
        else:
            places[:-1][living] = np.arange(len(children), dtype=np.int32)
        trimmed.append(children)
        origins.append(owner)
    return Automaton(tuple(trimmed[::-1]), tuple(origins[::-1]), ends)


def _merged(rows: Steps) -> tuple[Steps, NDArray[np.int64]]:
    """Return (the different rows, the place of each row among them)."""
    different, places = np.empty_like(rows), np.empty(len(rows), np.int64)
    table = hash_table(len(rows))
    count = kernel.rows_number(rows, rows.shape[1], len(rows), table, different, places)
    return different[:count], places


def halves_of(
    factors: Sequence[Automaton],
    seats: Sequence[tuple[int, ...]],
    first: Automaton,
    room: MemoryBudget,
) -> tuple[Automaton, Automaton, list[int]]:
    """Combine factors into two automata of about equal size, the first one with `first`.

    Also returns the places of the factors in the order of the ends of both.
    """
    groups = _groups(factors, seats)
    made, places = [group[0] for group in groups], [group[1] for group in groups]
    of = [tuple({seat for index in group for seat in seats[index]}) for group in places]
    one, other = (
        sorted(half, key=lambda group: (len(of[group]), made[group].widest))
        for half in _two_halves(made, of)
    )
    if not other:  # no two factors share enough
        one, other = other, one

    def more(whole: Automaton, group: int) -> Automaton:
        return joined(whole, made[group], room, merging=len(of[group]) > 1)

    return (
        reduce(more, one, first),
        reduce(more, other[1:], made[other[0]]),
        [index for group in (*one, *other) for index in places[group]],
    )


def _groups(
    factors: Sequence[Automaton], seats: Sequence[tuple[int, ...]]
) -> list[tuple[Automaton, list[int]]]:
    """Return factors with their places; those of several hands are one factor, if it is small.

    The joined factor has fewer states, because each part need not store what another part decides.
    """
    single = [index for index, of in enumerate(seats) if len(of) < _SEVERAL]
    several = sorted(
        (index for index in range(len(seats)) if index not in single),
        key=lambda index: factors[index].nodes,
    )
    groups = [(factors[index], [index]) for index in single]
    shared: tuple[Automaton, list[int]] | None = None
    for index in several:
        if shared is None:
            shared = factors[index], [index]
            continue
        try:
            most = MemoryBudget(1 << 40, limit=_MOST_SHARED)
            shared = joined(shared[0], factors[index], most, merging=True), [*shared[1], index]
        except ProductTooLarge:
            groups.append((factors[index], [index]))
    return groups if shared is None else [*groups, shared]


def _two_halves(
    factors: Sequence[Automaton], seats: Sequence[tuple[int, ...]]
) -> tuple[list[int], list[int]]:
    """Split factors, by their places, so that the larger half is as small as estimates show.

    A factor of several hands multiplies the size of a half by the least number of states that it
    adds to one factor of that half.
    """
    count = len(factors)
    adds = _additions(factors, seats)

    def size(half: Sequence[int]) -> int:
        single = [index for index in half if len(seats[index]) == 1]
        known, total = single, prod(factors[index].widest for index in single)
        for index in half:
            if index not in single:
                total *= min((adds[index, other] for other in known), default=factors[index].widest)
                known = [*known, index]
        return total

    best: tuple[int, list[int], list[int]] | None = None
    for chosen in range(1 << (min(count, _MOST_SPLITS) - 1)):
        one = [index for index in range(count) if chosen >> index & 1]
        other = [index for index in range(count) if index not in one]
        largest = max(size(one), size(other))
        if best is None or largest < best[0]:
            best = largest, one, other
    assert best is not None
    return (best[1], best[2]) if best[1] else (best[2], best[1])


def _additions(
    factors: Sequence[Automaton], seats: Sequence[tuple[int, ...]]
) -> dict[tuple[int, int], int]:
    """Return how many states each factor of several hands adds to each other factor."""
    added = {}
    for index, factor in enumerate(factors):
        for other in range(len(factors)):
            if other == index or len(seats[index]) == 1:
                continue
            added[index, other] = factor.widest
            if (other, index) in added or set(seats[index]) & set(seats[other]):
                most = MemoryBudget(1 << 40, limit=_MOST_PAIRED)
                try:
                    nodes = joined(factors[other], factor, most, merging=False).nodes
                except ProductTooLarge:
                    continue
                added[index, other] = max(1, -(-nodes // factors[other].nodes))
    return added


# The reachable pairs of nodes of two automata, layer by layer, computed by several threads.
#
# A layer is stored as blocks: for each node of the first automaton, the nodes of the second that
# are paired with it. Each task takes some hundredths of a second, so that an interrupt takes effect
# soon. The result does not depend on the number of threads.


_WORK = 1 << 21
"""The pairs and letters of a task."""


@dataclass(frozen=True, eq=False)
class Blocks:
    """A layer: the items of block i are those from `starts[i]` to before `starts[i + 1]`."""

    starts: NDArray[np.int64]
    items: NDArray[np.int32]

    def __len__(self) -> int:
        """Return the number of pairs."""
        return len(self.items)


@dataclass(frozen=True)
class Workers:
    """Threads that share the tasks of a layer."""

    pool: ThreadPoolExecutor
    many: int

    def results(self, task: Callable[..., Any], calls: Sequence[tuple[Any, ...]]) -> list[Any]:
        """Return the results of a task for some arguments."""
        if self.many == 1 or len(calls) == 1:
            return [task(*call) for call in calls]
        return [each.result() for each in [self.pool.submit(task, *call) for call in calls]]


@contextmanager
def workers() -> Iterator[Workers]:
    """Yield threads, one for each processor; an interrupt cancels the waiting tasks."""
    many = processors()
    pool = ThreadPoolExecutor(many)
    try:
        yield Workers(pool, many)
    finally:
        pool.shutdown(cancel_futures=True)


def spans(ends: NDArray[np.int64], letters: int) -> list[tuple[int, int]]:
    """Divide blocks into ranges of about equal work; `ends` adds up the pairs of the blocks."""
    total = int(ends[-1]) if len(ends) else 0
    parts = total * letters // _WORK + 1
    goals = [total * part // parts for part in range(1, parts)]
    cuts = [0, *np.searchsorted(ends, goals).tolist(), len(ends)]
    return [(first, last) for first, last in pairwise(cuts) if first < last]


def reached(
    halves: tuple[Automaton, Automaton],
    room: MemoryBudget,
    threads: Workers,
    *,
    resident: int,
    transient: int,
) -> list[Blocks]:
    """Return all reachable pairs, before each turn and after the last one.

    A pair takes `resident` bytes to the end, and `transient` more bytes while its layer is
    computed. Raises `ProductTooLarge` if the memory is too small.
    """
    first, second = halves
    layers = [Blocks(np.array([0, 1]), np.zeros(1, np.int32))]
    for turn in range(len(first.layers)):
        count = len(layers[-1])
        room.take(card=turn, states=count, resident=resident * count, transient=transient * count)
        most = room.most(resident, transient)
        if turn + 1 == len(first.layers):  # what is after the last turn is no state
            most = max(most, len(first.ends) * len(second.ends))
        after = _after(halves, turn, layers[-1], most, threads)
        if after is None:
            raise ProductTooLarge(room.states, turn)
        layers.append(after)
    return layers


def _after(
    halves: tuple[Automaton, Automaton], turn: int, here: Blocks, most: int, threads: Workers
) -> Blocks | None:
    """Return the pairs after a turn; None if there are more than `most`."""
    first, second = halves
    moves, steps = first.layers[turn], second.layers[turn]
    height, width = first.width(turn + 1), second.width(turn + 1)
    begins, edges = _incoming(moves, height)
    letters = steps.shape[1]
    arriving = np.diff(here.starts)[edges // letters]
    work = np.concatenate([[0], arriving.cumsum()])[begins]
    counts: list[int] = []

    def reach(begin: int, end: int) -> tuple[NDArray[np.int64], NDArray[np.int32]] | None:
        if sum(counts) > most:
            return None
        reached = np.empty(min(int(work[end] - work[begin]), (end - begin) * width), np.int32)
        sizes, seen = np.empty(end - begin, np.int64), np.full(width, -1, np.int32)
        counts.append(
            kernel.blocks_reach(
                begins, edges, here.starts, here.items, steps, letters, begin, end, seen, sizes,
                reached,
            )
        )  # fmt: skip
        return sizes, reached[: sizes.sum()].copy()

    parts = threads.results(reach, spans(work[1:], 1))
    if sum(counts) > most:
        return None
    sizes, items = zip(*parts, strict=True)
    return Blocks(np.concatenate([[0], *sizes]).cumsum(), np.concatenate(items))


def counted(
    halves: tuple[Automaton, Automaton],
    weights: Sequence[NDArray[np.uint64]],
    layers: list[Blocks],
    threads: Workers,
    kept: CountedBack | None = None,
) -> NDArray[np.uint64]:
    """Count the ways of the pairs from the last turn back; return those of the pairs of the first.

    `weights` has for each turn the number of words of a letter, by the origin of a node of the
    first half. Ways are `uint64[n, 2]`, high and low. The pairs that have ways go into `kept`, with
    their children. The function frees layers after use.
    """
    first, second = halves
    after = layers.pop()
    ways = np.tile(np.array([[0, 1]], np.uint64), (len(after), 1))
    keeps = int(kept is not None)
    while layers:
        check_time()
        here, turn = layers.pop(), len(layers)
        steps, width = second.layers[turn], second.width(turn + 1)
        letters = steps.shape[1]
        sums = np.empty((len(here), 2), np.uint64)
        children = np.empty((keeps * len(here), letters), np.int32)
        blocks, next_blocks = (here.starts, here.items), (after.starts, after.items, ways)
        given = first.layers[turn], steps, first.origins[turn], weights[turn], letters
        parts = spans(here.starts[1:], letters)
        living = threads.results(
            _count,
            [(blocks, given, next_blocks, keeps, part, width, sums, children) for part in parts],
        )
        places = np.concatenate([[0], living]).cumsum().tolist()
        room = kept.room(places[-1]) if kept else _only_ways(places[-1])
        left = Blocks(np.zeros_like(here.starts), np.empty(places[-1], np.int32))
        threads.results(
            kernel.blocks_keep,
            [
                (
                    *blocks, sums, children, letters, keeps, *part, place, left.starts, left.items,
                    room.ways, room.children,
                )
                for part, place in zip(parts, places, strict=False)
            ],
        )  # fmt: skip
        after, ways = left, room.ways
    return ways


def _count(  # noqa: PLR0913, PLR0917
    blocks: tuple[Any, ...],
    given: tuple[Any, ...],
    next_blocks: tuple[Any, ...],
    keeps: int,
    part: tuple[int, int],
    width: int,
    sums: NDArray[np.uint64],
    children: Steps,
) -> int:
    """Write the sums, and the children if they are kept, of a part; return the pairs with ways."""
    positions = np.full(width, -1, np.int32)
    living: int = kernel.blocks_count(
        *blocks, *given, *next_blocks, keeps, *part, positions, sums, children
    )
    return living


def _only_ways(count: int) -> Layer:
    return Layer(np.empty((0, 0), np.int32), np.empty((count, 2), np.uint64))
