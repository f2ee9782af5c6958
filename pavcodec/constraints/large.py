"""Large models: the layers that `model` makes, by blocks of pairs instead of sorting.

The factors are put together into two automata of about equal width, and the model is the product of
these. See `pavcodec.kernels.joint` for how its layers are held.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from pavcodec.constraints.diagram import Diagram, Values, both, joined_sizes
from pavcodec.constraints.memory import ProductTooLarge, Room
from pavcodec.constraints.model import DEAD, LINK_BYTES, NODE_BYTES, Layer, living_steps
from pavcodec.constraints.pieces import constant
from pavcodec.kernels.joint import count_blocks, incoming, reach_blocks

__all__ = ["count_large"]

Steps = NDArray[np.int32]
ITEM_BYTES = 4
FLAG_BYTES = 9
"""What says whether a node has ways, and how many before it have some."""


@dataclass(frozen=True)
class _Blocks:
    """A layer: the items of block i are those from `starts[i]` to before `starts[i + 1]`."""

    starts: NDArray[np.int64]
    items: NDArray[np.int32]


def count_large(
    factors: Sequence[Diagram],
    seats: tuple[int, ...],
    letters: int,
    memory: int,
    limit: int | None = None,
) -> tuple[list[Layer], Values]:
    """Return what `count_layers` does, by blocks of pairs."""
    places = _two_halves(factors)
    halves, taken = [], 0
    for chosen in places:
        parts = [factors[place] for place in chosen] or [constant(factors[0].cards, 1)]
        halves.append(both(parts, memory=memory - taken))
        taken += halves[-1].memory
    if not all(half.values.any() for half in halves):
        return [], np.zeros((0, len(factors)), np.int64)
    moves, steps = (
        [layer.astype(np.int32) for layer in living_steps(half, half.columns(seats)[:letters])]
        for half in halves
    )
    with ThreadPoolExecutor(os.cpu_count() or 1) as threads:
        product = _Product(moves, steps, threads, os.cpu_count() or 1)
        reached = product.reached(memory - taken * 3 // 2, limit)  # with the living steps
        ends = _values_of(reached[-1], halves, places, factors)
        return product.counted(reached), ends


def _two_halves(factors: Sequence[Diagram]) -> tuple[list[int], list[int]]:
    """Tell apart the factors, by their places, into two of about equal width."""
    halves: tuple[list[int], list[int]] = ([], [])
    widths = [1, 1]
    for place in sorted(range(len(factors)), key=lambda place: -factors[place].widest):
        half = widths.index(min(widths))
        halves[half].append(place)
        widths[half] *= factors[place].widest
    return halves


def _values_of(
    last: _Blocks,
    halves: Sequence[Diagram],
    places: tuple[list[int], list[int]],
    factors: Sequence[Diagram],
) -> Values:
    """Return a row for each pair after the last card with the value of each factor."""
    first = np.repeat(np.arange(len(last.starts) - 1), np.diff(last.starts))
    values = np.ones((len(first), len(factors)), np.int64)
    for half, chosen, nodes in zip(halves, places, (first, last.items), strict=True):
        if chosen:
            joined = half.values[half.values != 0][nodes] - 1
            sizes = joined_sizes([factors[place] for place in chosen])
            values[:, chosen] = np.stack(np.unravel_index(joined, sizes), axis=1) + 1
    return values


def _nodes(layers: Sequence[Steps], card: int) -> int:
    """Return the nodes before a card; after the last one, those that are led to."""
    return len(layers[card]) if card < len(layers) else int(layers[-1].max()) + 1


@dataclass
class _Product:
    """The product of two automata, `moves` and `steps`, over the same letters."""

    moves: list[Steps]
    steps: list[Steps]
    threads: ThreadPoolExecutor
    parts: int

    @property
    def letters(self) -> int:
        return int(self.moves[0].shape[1])

    def width(self, card: int) -> int:
        """Return the nodes of the second automaton before a card."""
        return _nodes(self.steps, card)

    def height(self, card: int) -> int:
        """Return the nodes of the first automaton before a card."""
        return _nodes(self.moves, card)

    def reached(self, memory: int, limit: int | None = None) -> list[_Blocks]:
        """Return all pairs that can be reached, before each card and after the last."""
        layers = [_Blocks(np.array([0, 1]), np.zeros(1, np.int32))]
        a_node = NODE_BYTES + LINK_BYTES * self.letters
        passing = a_node + 2 * ITEM_BYTES + FLAG_BYTES
        room = Room(
            memory, limit=limit
        )  # for the nodes, since the items of a block make way for its nodes
        for card in range(len(self.moves)):
            count = len(layers[-1].items)
            room.take(card=card, states=count, kept=count * a_node, passing=count * passing)
            most = room.most(a_node, passing)
            if card + 1 == len(self.moves):  # what is after the last card is no state
                most = max(most, self.height(card + 1) * self.width(card + 1))
            layers.append(self._after(card, layers[-1], room, most))
        return layers

    def _after(self, card: int, here: _Blocks, room: Room, most: int) -> _Blocks:
        """Return the pairs after a card; raise where there are more than `most`."""
        moves, steps = self.moves[card], self.steps[card]
        begins, edges = incoming(moves, self.height(card + 1))
        spans = self._spans(begins[1:])
        found_by = np.zeros(len(spans), np.int64)
        tasks = [
            self.threads.submit(
                reach_blocks, *span, begins, edges, here.starts, here.items, steps,
                self.width(card + 1), found_by, part, most,
            )
            for part, span in enumerate(spans)
        ]  # fmt: skip
        sizes, items = zip(*(task.result() for task in tasks), strict=True)
        starts = np.concatenate([[0], *sizes]).cumsum()
        if len(starts) <= self.height(card + 1):
            raise ProductTooLarge(room.states, card)
        return _Blocks(starts, np.concatenate(items))

    def counted(self, layers: list[_Blocks]) -> list[Layer]:
        """Count the ways from the last card back; the blocks are given up as they are used."""
        counted: list[Layer] = []
        after = layers.pop()
        ways = np.tile(np.array([[0, 1]], np.uint64), (len(after.items), 1))
        while layers:
            here, card = layers.pop(), len(layers)
            children = np.full((len(here.items), self.letters), DEAD, np.int32)
            found = np.zeros((len(here.items), 2), np.uint64)
            tasks = [
                self.threads.submit(
                    count_blocks, *span, here.starts, here.items, self.moves[card],
                    self.steps[card], after.starts, after.items, ways, self.width(card + 1),
                    children, found,
                )
                for span in self._spans(here.starts[1:])
            ]  # fmt: skip
            for task in tasks:
                task.result()
            living = found.any(axis=1)
            ends = np.concatenate([[0], np.cumsum(living)])
            after = _Blocks(ends[here.starts], here.items[living])
            ways = found[living]
            counted.append(Layer(children[living], ways))
        return counted[::-1] if len(after.items) else []

    def _spans(self, ends: NDArray[np.int64]) -> list[tuple[int, int]]:
        """Divide blocks into ranges of about equal work; `ends` adds up the work of the blocks."""
        goals = [int(ends[-1]) * part // self.parts for part in range(1, self.parts)]
        cuts = [0, *np.searchsorted(ends, goals).tolist(), len(ends)]
        return [(first, last) for first, last in pairwise(cuts) if first < last]
