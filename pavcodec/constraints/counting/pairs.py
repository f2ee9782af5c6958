"""The product of two automata, as pairs of their nodes, and its ways from the last card back.

An automaton has a layer of children for each turn, over the letters of that turn; -1 is a dead end.
Nodes from which no word leads to an end are left out. Factors are combined two by two into two
automata, the *halves* of a product: first those of several hands, whose equivalent nodes are
merged, for each part need not store what another part decides. Conditions of different hands are
independent, so their product has almost no equivalent nodes.

A layer of the product of both halves is stored as blocks: for each node of the first half, the
nodes of the second that are paired with it. Several threads share the blocks of a layer. Each task
takes some hundredths of a second, so that an interrupt takes effect soon. The result does not
depend on the number of threads.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property, reduce
from itertools import pairwise
from math import prod
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pavcodec import kernel
from pavcodec.constraints.counting.automaton import Diagram, Ids, numbered
from pavcodec.limits import MemoryBudget, ProductTooLarge, check_time, processors

Steps = NDArray[np.int32]
Ways = NDArray[np.uint64]
DEAD = -1

NODE_BYTES = 16
LINK_BYTES = 4
"""The bytes of the ways of a node, and of each of its children."""

_MOST_PAIRED = 300_000
"""The most nodes of a trial product of two factors, which shows how many states one adds."""
_MOST_SHARED = 2_000_000
"""The most nodes of a product of all factors of several hands."""
_MOST_SPLITS = 10
"""The most factors for which all divisions into two halves are compared."""
_WORK = 1 << 21
"""The pairs and letters of a task."""
_MOST_LAYERS = 256


@dataclass(frozen=True, eq=False)
class Automaton:
    """Layers of children, for a product of some factors, which depends on some seats.

    `origins` has for each layer and node the node of the first of the factors. `ends` has for each
    node after the last turn the node of each factor there, of those at `places` in a list.
    """

    layers: tuple[Steps, ...]
    origins: tuple[NDArray[np.int32], ...]
    ends: NDArray[np.int64]
    seats: frozenset[int] = frozenset()
    places: tuple[int, ...] = ()

    @classmethod
    def of(
        cls, layers: Sequence[NDArray[Any]], seats: Sequence[int] = (), place: int | None = None
    ) -> Automaton:
        """Return the automaton of one factor; a factor without a place has one end."""
        ends = int(layers[-1].max(initial=DEAD)) + 1
        return cls(
            tuple(np.ascontiguousarray(layer, np.int32) for layer in layers),
            tuple(np.arange(len(layer), dtype=np.int32) for layer in layers),
            np.arange(ends)[:, None] if place is not None else np.zeros((ends, 0), np.int64),
            frozenset(seats),
            () if place is None else (place,),
        )

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


Halves = tuple[Automaton, Automaton]


def living_steps(factor: Diagram, seats: Sequence[int], letters: int) -> list[Ids]:
    """Return the layers of a factor without nodes that only lead to 0; -1 marks dead ends.

    The letters are those of `seats`, and one more for the rest if there are more letters.
    """
    alive = [factor.values != 0]
    for layer in reversed(factor.layers):
        alive.append(alive[-1][layer].any(axis=1))
    alive.reverse()
    places = [np.where(living, np.cumsum(living) - 1, DEAD) for living in alive]
    columns = factor.columns(seats)[:letters]
    return [
        places[card + 1][layer[alive[card]]][:, columns] for card, layer in enumerate(factor.layers)
    ]


@dataclass(frozen=True, eq=False)
class Blocks:
    """A layer: the items of block i are those from `starts[i]` to before `starts[i + 1]`."""

    starts: NDArray[np.int64]
    items: NDArray[np.int32]

    def __len__(self) -> int:
        """Return the number of pairs."""
        return len(self.items)

    @property
    def of_items(self) -> NDArray[np.int32]:
        """The block of each item."""
        return np.repeat(np.arange(len(self.starts) - 1, dtype=np.int32), np.diff(self.starts))


_FIRST = Blocks(np.array([0, 1]), np.zeros(1, np.int32))
"""The pair before the first turn."""


def joined(first: Automaton, second: Automaton, room: MemoryBudget, *, merging: bool) -> Automaton:
    """Return the product of two automata; raise `ProductTooLarge` if the memory is too small.

    If one of them leads to no end, it is the product. The caller chooses whether equivalent nodes
    are merged.
    """
    if not (first.is_living and second.is_living):
        return first if second.is_living else second
    halves, here = (first, second), _FIRST
    layers: list[Steps] = []
    owners: list[NDArray[np.int32]] = []
    for turn, steps in enumerate(second.layers):
        letters, count = steps.shape[1], len(here)
        a_node = 4 * letters + 8
        room.take(card=turn, states=count, resident=a_node * count, transient=2 * a_node * count)
        children = np.full((count, letters), DEAD, np.int32)
        after = _after(halves, turn, here, room.most(a_node, a_node), children=children)
        if after is None:
            raise ProductTooLarge(room.states, turn)
        owners.append(first.origins[turn][here.of_items])
        layers.append(children)
        here = after
    ends = np.concatenate([first.ends[here.of_items], second.ends[here.items]], axis=1)
    of_both = first.seats | second.seats, (*first.places, *second.places)
    return Automaton(*_trimmed(layers, owners, len(ends), merging=merging), ends, *of_both)


def _after(  # noqa: PLR0913, PLR0917
    halves: Halves,
    turn: int,
    here: Blocks,
    most: int,
    threads: Workers | None = None,
    children: Steps | None = None,
) -> Blocks | None:
    """Return the pairs after a turn; None if there are more than `most`.

    The children of the pairs before are written where they are wanted, without threads.
    """
    first, second = halves
    steps, height, width = second.layers[turn], first.width(turn + 1), second.width(turn + 1)
    letters = steps.shape[1]
    begins, edges = _incoming(first.layers[turn], height)
    keeps, kept = (0, np.empty((0, 0), np.int32)) if children is None else (1, children)
    counts: list[int] = []

    def reach(
        begin: int, end: int, pairs: int
    ) -> tuple[NDArray[np.int64], NDArray[np.int32]] | None:
        if is_too_much():
            return None
        room = min(pairs, (end - begin) * width, most + width)
        sizes, reached = np.empty(end - begin, np.int64), np.empty(room, np.int32)
        count = kernel.blocks_join(
            begins, edges, here.starts, here.items, steps, letters, begin, end, most, keeps,
            np.full(width, -1, np.int32), sizes, reached, kept,
        )  # fmt: skip
        counts.append(count)
        return sizes, reached[: max(count, 0)].copy()

    def is_too_much() -> bool:
        return min(counts, default=0) < 0 or sum(counts) > most

    if threads:
        arriving = np.diff(here.starts)[edges // letters]
        work = np.concatenate([[0], arriving.cumsum()])[begins]
        spans = [(*span, int(work[span[1]] - work[span[0]])) for span in _spans(work[1:], 1)]
        parts = threads.results(reach, spans)
    else:
        parts = [reach(0, height, kept.size)]
    if is_too_much():
        return None
    sizes, items = zip(*parts, strict=True)
    return Blocks(np.concatenate([[0], *sizes]).cumsum(), np.concatenate(items))


def _incoming(moves: Steps, targets: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the edges to each node of the next layer: (begins, edges).

    An edge is a node and a letter, numbered node * letters + letter.
    """
    begins, edges = np.empty(targets + 1, np.int64), np.empty(moves.size, np.int64)
    kernel.blocks_incoming(moves, moves.shape[1], len(moves), targets, begins, edges)
    return begins, edges[: begins[-1]]


def _trimmed(
    layers: list[Steps], owners: list[NDArray[np.int32]], ends: int, *, merging: bool
) -> tuple[tuple[Steps, ...], tuple[NDArray[np.int32], ...]]:
    """Return layers and owners without nodes that lead to no end, from which they are taken."""
    places = np.append(np.arange(ends, dtype=np.int32), np.int32(DEAD))
    trimmed: list[tuple[Steps, NDArray[np.int32]]] = []
    while layers:
        children, owner = places[layers.pop()], owners.pop()  # -1 is the last place
        living = np.zeros(len(children), bool)
        for column in children.T:
            living |= column != DEAD
        children, owner = children[living], owner[living]
        node_of: NDArray[Any] = np.arange(len(children))
        if merging:
            rows, node_of = numbered(np.column_stack([owner, children]))
            children, owner = np.ascontiguousarray(rows[:, 1:]), rows[:, 0].copy()
        places = np.full(len(living) + 1, DEAD, np.int32)
        places[:-1][living] = node_of
        trimmed.append((children, owner))
    left, of_first = zip(*reversed(trimmed), strict=True)
    return left, of_first


def halves_of(factors: Sequence[Automaton], first: Automaton, room: MemoryBudget) -> Halves:
    """Combine factors into two automata of about equal size, the first one with `first`."""
    one, other = (
        sorted(half, key=lambda factor: (len(factor.seats), factor.widest))
        for half in _two_halves(_with_one_of_several(factors))
    )
    if not other:  # no two factors share enough
        one, other = other, one

    def more(whole: Automaton, factor: Automaton) -> Automaton:
        return joined(whole, factor, room, merging=len(factor.seats) > 1)

    return reduce(more, one, first), reduce(more, other)


def _with_one_of_several(factors: Sequence[Automaton]) -> list[Automaton]:
    """Return factors in which those of several hands are one, as far as it is small."""
    kept = [factor for factor in factors if len(factor.seats) <= 1]
    shared: Automaton | None = None
    for factor in sorted((each for each in factors if len(each.seats) > 1), key=lambda f: f.nodes):
        most = MemoryBudget(1 << 40, limit=_MOST_SHARED)
        try:
            shared = joined(shared, factor, most, merging=True) if shared else factor
        except ProductTooLarge:
            kept.append(factor)
    return kept if shared is None else [*kept, shared]


def _two_halves(factors: Sequence[Automaton]) -> tuple[list[Automaton], list[Automaton]]:
    """Split factors so that the larger half is as small as estimates show.

    A factor of several hands multiplies the size of a half by the least number of states that it
    adds to one factor of that half.
    """
    adds = _additions(factors)

    def size(half: Sequence[int]) -> int:
        known = [index for index in half if len(factors[index].seats) == 1]
        total = prod(factors[index].widest for index in known)
        for index in half:
            if len(factors[index].seats) != 1:
                total *= min((adds[index, other] for other in known), default=factors[index].widest)
                known.append(index)
        return total

    count = range(len(factors))
    splits = [
        tuple([index for index in count if chosen >> index & 1 == side] for side in (1, 0))
        for chosen in range(1 << (min(len(factors), _MOST_SPLITS) - 1))
    ]
    one, other = min(splits, key=lambda split: max(map(size, split)))
    if not one:
        one, other = other, one
    return [factors[index] for index in one], [factors[index] for index in other]


def _additions(factors: Sequence[Automaton]) -> dict[tuple[int, int], int]:
    """Return how many states each factor of several hands adds to each other factor."""
    added = {}
    for index, factor in enumerate(factors):
        for other, another in enumerate(factors):
            if other == index or len(factor.seats) == 1:
                continue
            added[index, other] = factor.widest
            if (other, index) in added or factor.seats & another.seats:
                most = MemoryBudget(1 << 40, limit=_MOST_PAIRED)
                try:
                    nodes = joined(another, factor, most, merging=False).nodes
                except ProductTooLarge:
                    continue
                added[index, other] = max(1, -(-nodes // another.nodes))
    return added


# The reachable pairs of two halves, layer by layer, and their ways.


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


def _spans(ends: NDArray[np.int64], letters: int) -> list[tuple[int, int]]:
    """Divide blocks into ranges of about equal work; `ends` adds up the pairs of the blocks."""
    total = int(ends[-1]) if len(ends) else 0
    parts = total * letters // _WORK + 1
    goals = [total * part // parts for part in range(1, parts)]
    cuts = [0, *np.searchsorted(ends, goals).tolist(), len(ends)]
    return [(first, last) for first, last in pairwise(cuts) if first < last]


def reached(
    halves: Halves, room: MemoryBudget, threads: Workers, *, resident: int, transient: int
) -> list[Blocks]:
    """Return all reachable pairs, before each turn and after the last one.

    A pair takes `resident` bytes to the end, and `transient` more bytes while its layer is
    computed. Raises `ProductTooLarge` if the memory is too small.
    """
    first, second = halves
    layers = [_FIRST]
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


class Layer(NamedTuple):
    """The nodes before a card: for each letter the child in the next layer or -1, and the ways.

    `ways` has two columns of 64 bits, high and low; for large sums of weights it has more.
    """

    children: NDArray[np.int32]
    ways: Ways


@dataclass(frozen=True, eq=False)
class Counted:
    """A counted automaton, in the arrays that the kernel reads; its layers are parts of them.

    `starts` has the number of nodes before each layer, and of all. `children` has a row for each
    node. `ways` has, for each layer and for the nodes after the last card, a row of zeros, which
    are the ways of the child -1, and then a row for each node.
    """

    starts: NDArray[np.int64]
    children: NDArray[np.int32]
    ways: Ways

    @cached_property
    def layers(self) -> tuple[Layer, ...]:
        """The layers, from the first card on."""
        return tuple(
            Layer(self.children[first:end], self.ways[first + card + 1 : end + card + 1])
            for card, (first, end) in enumerate(pairwise(self.starts.tolist()))
        )

    @property
    def ends(self) -> Ways:
        """The ways of the nodes after the last card."""
        return self.ways[int(self.starts[-1]) + len(self.starts) :]

    @property
    def total(self) -> int:
        """The ways of the first node."""
        [ways] = integers_of(self.ways[1:2])
        return ways

    def words_of_ends(self) -> list[int]:
        """Count the words that lead to each node after the last card, from the first card on."""
        words = np.array([[0, 1]], np.uint64)
        widths = [*(len(layer.ways) for layer in self.layers[1:]), len(self.ends)]
        for layer, width in zip(self.layers, widths, strict=True):
            after = np.zeros((width, 2), np.uint64)
            letters = layer.children.shape[1]
            kernel.automaton_arrive(layer.children, letters, len(words), words, after)
            words = after
        return integers_of(words)


class CountedBack:
    """The arrays of an automaton that is counted from the last card back.

    They have room for the most nodes that may be, and are filled from the end; what stays empty
    takes no memory, since systems give memory only to what is written.
    """

    def __init__(self, most: int, letters: int, ends: Ways) -> None:
        self._children = np.empty((most, letters), np.int32)
        self._ways = np.empty((most + len(ends) + _MOST_LAYERS, ends.shape[1]), np.uint64)
        self._widths: list[int] = []
        self._node, self._way = most, len(self._ways)
        self._put(len(ends))[:] = ends

    def _put(self, width: int) -> Ways:
        end = self._way
        self._way = end - width - 1
        self._ways[self._way] = 0
        return self._ways[end - width : end]

    def room(self, width: int) -> Layer:
        """Return the arrays of the next layer, of so many nodes, to be written."""
        end, self._node = self._node, self._node - width
        self._widths.append(width)
        return Layer(self._children[self._node : end], self._put(width))

    def counted(self) -> Counted:
        """Return the automaton of the layers so far."""
        starts = np.cumsum([0, *self._widths[::-1]], dtype=np.int64)
        return Counted(starts, self._children[self._node :], self._ways[self._way :])


def integers_of(rows: Ways) -> list[int]:
    """Return rows of 64-bit limbs, the highest first, as integers.

    >>> integers_of(np.array([[1, 5], [0, 7]], np.uint64))
    [18446744073709551621, 7]
    """
    if rows.shape[1] == 2:
        return [high << 64 | low for high, low in rows.tolist()]
    return [int.from_bytes(row.tobytes(), "big") for row in rows.astype(">u8")]


def counted(
    halves: Halves,
    weights: Sequence[Ways],
    layers: list[Blocks],
    threads: Workers,
    kept: CountedBack | None = None,
) -> Ways:
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
        given = (
            here.starts, here.items, first.layers[turn], steps, first.origins[turn], weights[turn],
            letters, after.starts, after.items, ways, keeps,
        )  # fmt: skip
        parts = _spans(here.starts[1:], letters)
        living = threads.results(_count, [(given, part, width, sums, children) for part in parts])
        places = np.concatenate([[0], living]).cumsum().tolist()
        nodes = places[-1]
        room = kept.room(nodes) if kept else Layer(children, np.empty((nodes, 2), np.uint64))
        left = Blocks(np.zeros_like(here.starts), np.empty(nodes, np.int32))
        threads.results(
            kernel.blocks_keep,
            [
                (
                    here.starts, here.items, sums, children, letters, keeps, *part, place,
                    left.starts, left.items, room.ways, room.children,
                )
                for part, place in zip(parts, places, strict=False)
            ],
        )  # fmt: skip
        after, ways = left, room.ways
    return ways


def _count(
    given: tuple[Any, ...], part: tuple[int, int], width: int, sums: Ways, children: Steps
) -> int:
    """Write the sums, and the children if they are kept, of a part; return the pairs with ways."""
    positions = np.full(width, -1, np.int32)
    living: int = kernel.blocks_count(*given, *part, positions, sums, children)
    return living
