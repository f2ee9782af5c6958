"""The reachable pairs of nodes of two automata, layer by layer, computed by several threads.

`pavcodec.arrays.models.joint` describes the storage of a layer. Each task takes some hundredths of
a second, so that an interrupt takes effect soon. The result does not depend on the number of
threads.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray  # noqa: TC002 (for the dataclass)

from pavcodec.arrays.models.joint import incoming, reach_blocks
from pavcodec.constraints.counting.models.halves import Automaton
from pavcodec.limits.memory import MemoryBudget, ProductTooLarge
from pavcodec.limits.threads import processors

__all__ = ["Blocks", "Workers", "reached", "spans", "workers"]

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

    def only(self, living: NDArray[np.bool_]) -> Blocks:
        """Return the layer with some of its pairs."""
        ends = np.concatenate([[0], np.cumsum(living)])
        return Blocks(ends[self.starts], self.items[living])


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
    begins, edges = incoming(moves, height)
    arriving = np.diff(here.starts)[edges // steps.shape[1]]
    work = np.concatenate([[0], arriving.cumsum()])[begins[1:]]
    shares = spans(work, 1)
    found_by = np.zeros(len(shares), np.int64)
    calls = [
        (*share, begins, edges, here.starts, here.items, steps, width, found_by, part, most)
        for part, share in enumerate(shares)
    ]
    sizes, items = zip(*threads.results(reach_blocks, calls), strict=True)
    starts = np.concatenate([[0], *sizes]).cumsum()
    if len(starts) <= height or starts[-1] > most:
        return None
    return Blocks(starts, np.concatenate(items))
