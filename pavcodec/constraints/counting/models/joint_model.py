"""Large models: the layers that `product` makes, by blocks of pairs instead of sorting.

The factors are combined into two automata of about equal width, and the model is the product of
these. `pavcodec.arrays.models.joint` describes the storage of its layers.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from pavcodec.arrays.models.joint import keep_pairs, link_blocks, sum_pairs
from pavcodec.constraints.arrays.operators import Values
from pavcodec.constraints.counting.diagrams.diagram import Diagram
from pavcodec.constraints.counting.models.halves import (
    Automaton,
    Blocks,
    Workers,
    automaton,
    halves_of,
    reached,
    spans,
    workers,
)
from pavcodec.constraints.counting.models.layers import LINK_BYTES, NODE_BYTES, Layer, living_steps
from pavcodec.limits import MemoryBudget

if TYPE_CHECKING:
    from numpy.typing import NDArray


ITEM_BYTES = 4
PLACE_BYTES = 4
"""The bytes of the place of a node among the nodes with ways."""


def count_large(
    factors: Sequence[Diagram],
    seats: tuple[int, ...],
    letters: int,
    memory: int,
    widest: int | None = None,
) -> tuple[list[Layer], Values]:
    """Return the result of `count_layers`, computed by blocks of pairs."""
    made = []
    for factor in factors:
        layers = living_steps(factor, factor.columns(seats)[:letters])
        made.append(automaton([layer.astype(np.int32) for layer in layers]))
    always = automaton([np.zeros((1, letters), np.int32)] * factors[0].cards)
    halves = MemoryBudget(memory)
    first, second, places = halves_of(made, [factor.seats for factor in factors], always, halves)
    if not (first.is_living and second.is_living):
        return [], np.zeros((0, len(factors)), np.int64)
    a_node = NODE_BYTES + LINK_BYTES * letters
    room = MemoryBudget(memory - first.memory - second.memory, widest=widest)
    with workers() as threads:
        layers_of_pairs = reached(
            (first, second), room, threads,
            resident=a_node, transient=a_node + 2 * ITEM_BYTES + PLACE_BYTES,
        )  # fmt: skip
        ends = _values_of(layers_of_pairs[-1], first, second, places, factors)
        return _counted(first, second, layers_of_pairs, threads), ends


def _values_of(
    last: Blocks,
    first: Automaton,
    second: Automaton,
    places: Sequence[int],
    factors: Sequence[Diagram],
) -> Values:
    """Return a row for each pair after the last card with the value of each factor."""
    blocks = np.repeat(np.arange(len(last.starts) - 1), np.diff(last.starts))
    ends = np.concatenate([first.ends[blocks, 1:], second.ends[last.items]], axis=1)
    values = np.ones((len(ends), len(factors)), np.int64)
    for column, index in enumerate(places):
        true = factors[index].values[factors[index].values != 0]
        values[:, index] = true[ends[:, column]]
    return values


def _counted(
    first: Automaton, second: Automaton, layers: list[Blocks], threads: Workers
) -> list[Layer]:
    """Count the ways from the last card back; the function frees blocks after use."""
    counted: list[Layer] = []
    after = layers.pop()
    ways = np.tile(np.array([[0, 1]], np.uint64), (len(after), 1))
    while layers:
        here, card = layers.pop(), len(layers)
        moves, steps = first.layers[card], second.layers[card]
        children = np.empty((len(here), steps.shape[1]), np.int32)
        threads.results(
            link_blocks,
            [
                (
                    *share, here.starts, here.items, moves, steps, after.starts, after.items,
                    second.width(card + 1), children,
                )
                for share in spans(here.starts[1:], steps.shape[1])
            ],
        )  # fmt: skip
        layer, places = _living(children, ways, threads)
        after, ways = here.only(places >= 0), layer.ways
        counted.append(layer)
    return counted[::-1] if len(after) else []


def _living(
    children: NDArray[np.int32], next_ways: NDArray[np.uint64], threads: Workers
) -> tuple[Layer, NDArray[np.int32]]:
    """Return the nodes that have ways, and for all nodes their place among these, or -1."""
    count, letters = children.shape
    if not count:
        return Layer(children, np.empty((0, 2), np.uint64)), np.empty(0, np.int32)
    ways = np.empty((count, 2), np.uint64)
    shares = spans(np.arange(1, count + 1), letters)
    living = threads.results(sum_pairs, [(*share, children, next_ways, ways) for share in shares])
    starts = np.concatenate([[0], living]).cumsum().tolist()
    places = np.empty(count, np.int32)
    kept = Layer(np.empty((starts[-1], letters), np.int32), np.empty((starts[-1], 2), np.uint64))
    threads.results(
        keep_pairs,
        [
            (*share, start, children, ways, kept.children, kept.ways, places)
            for share, (start, _) in zip(shares, pairwise(starts), strict=True)
        ],
    )
    return kept, places
