"""Decision diagrams: integer functions of who holds which card, as layered automata.

Rule 1: a diagram reads the cards in deck order. It has a layer of nodes before each card and one
after the last; a node of layer c has one child in layer c + 1 for each *letter*. The letters are
the seats that the function looks at, in order, and one more for every other owner.
Rule 2: the nodes after the last card are values. What a word of owners leads to is the function.
Rule 3: a reduced diagram has no two nodes in a layer that mean the same, and none that no word
leads to. Equal functions of the same seats have equal reduced diagrams, but for the order of the
nodes in a layer.
Rule 4: a function of several functions is their product, layer by layer, reduced. Everything that
the language says is put together so from sums over cards, tables of suits and tables of shapes.

Nothing here knows what a suit is or how many cards a deck or a hand has. Values are 64-bit
integers of at most `MOST_VALUE`.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.typing import NDArray

from pavcodec.constraints.arrays.operators import Values
from pavcodec.limits.memory import MEMORY, MemoryBudget

__all__ = [
    "MOST_VALUE",
    "Diagram",
    "Ids",
    "both",
    "children_of",
    "combine",
    "joined_sizes",
    "reduce",
    "step_bytes",
    "unique",
]

Ids = NDArray[np.int64]

MOST_VALUE = 1 << 61
"""The greatest number, without its sign, that a diagram may have as a value."""

_MANY_NODES = 5000

NOT_CONSTANT = -(1 << 62)


@dataclass(frozen=True, eq=False)
class Diagram:
    """An integer function of the owners of the cards.

    `layers[c]` has a row for each node before card c and a column for each letter: the seats of
    `seats` in turn, then any other owner. `values` are those of the nodes after the last card.
    """

    seats: tuple[int, ...]
    layers: tuple[Ids, ...]
    values: Values

    @property
    def cards(self) -> int:
        """The number of cards."""
        return len(self.layers)

    @property
    def nodes(self) -> int:
        """The number of nodes, the values not counted."""
        return sum(map(len, self.layers))

    @property
    def widest(self) -> int:
        """The nodes of the widest layer."""
        return max(map(len, self.layers))

    @property
    def memory(self) -> int:
        """The bytes that the nodes take."""
        return sum(layer.nbytes for layer in self.layers) + self.values.nbytes

    def value(self, owners: Iterable[int]) -> int:
        """Return the value for a word of owners: the function itself, card by card."""
        letters = {seat: letter for letter, seat in enumerate(self.seats)}
        node = 0
        for layer, owner in zip(self.layers, owners, strict=True):
            node = layer[node, letters.get(owner, len(self.seats))]
        return int(self.values[node])

    def columns(self, seats: Sequence[int]) -> list[int]:
        """Return the letter of this diagram for each letter of an alphabet of more seats."""
        places = {seat: place for place, seat in enumerate(self.seats)}
        other = len(self.seats)
        return [*(places.get(seat, other) for seat in seats), other]

    def map(self, function: Callable[[Values], Values]) -> Diagram:
        """Return the diagram of a function of this one's value."""
        return reduce(self.seats, self.layers, function(self.values).astype(np.int64))

    def constants(self) -> list[Values]:
        """Return for each layer the value that all words from a node lead to, or `NOT_CONSTANT`."""
        found = [self.values]
        for layer in reversed(self.layers):
            below = found[-1][layer]
            same = (below == below[:, :1]).all(axis=1)
            found.append(np.where(same, below[:, 0], NOT_CONSTANT))
        return found[::-1]


def unique(rows: Ids) -> tuple[Ids, Ids]:
    """Return the different rows of an array, in some order, and for each row which one it is.

    Columns are folded into one number as long as it has room for all of them.
    """
    key, room = rows[:, 0], int(rows[:, 0].max(initial=0)) + 1
    for column in rows.T[1:]:
        size = int(column.max(initial=0)) + 1
        if room * size >= 1 << 62:
            different, key = np.unique(key, return_inverse=True)
            room = len(different)
        key, room = key * size + column, room * size
    _, first, place = np.unique(key, return_index=True, return_inverse=True)
    return rows[first], place.reshape(-1)


def reduce(seats: tuple[int, ...], layers: Sequence[Ids], values: Values) -> Diagram:
    """Merge the nodes that mean the same, from the last card back, and drop those not led to."""
    if is_worth_loops(sum(map(len, layers))):
        widths = list(map(len, layers))
        starts = np.concatenate([[0], np.cumsum(widths)])
        rows = np.empty((starts[-1], layers[0].shape[1]), np.int32)
        np.concatenate(layers, out=rows, casting="same_kind")
        return _reduced_in_loops(seats, rows, starts, values)
    return _reduced(seats, list(layers), values)


def _reduced(seats: tuple[int, ...], layers: list[Ids], values: Values) -> Diagram:
    """Reduce layers that are given up one by one, so that they are not held twice."""
    values, place = np.unique(values, return_inverse=True)
    merged = []
    while layers:
        different, place = unique(place[layers.pop()])
        merged.append(different)
    return _trimmed(seats, merged, values, int(place[0]))


def _trimmed(seats: tuple[int, ...], merged: list[Ids], values: Values, root: int) -> Diagram:
    """Drop the nodes that no word leads to, and number the others anew; the last layer is first."""
    kept = np.array([root])
    trimmed = []
    while merged:
        rows = merged.pop()[kept]
        kept, place = np.unique(rows, return_inverse=True)
        trimmed.append(place.reshape(rows.shape))
    return Diagram(seats, tuple(trimmed), values[kept])


def step_bytes(parts: int) -> int:
    """Return what a node and a letter of a product take at most while the next layer is found.

    The children in each part are held twice. `unique` holds the key, its copy, the order, the
    sorted key, two counts and the places, and some room to sort in.
    """
    return 16 * parts + 64


def children_of(nodes: Ids, steps: Sequence[Ids]) -> Ids:
    """Return the children of nodes of a product: [node, letter, part].

    `nodes` has a column for each part, `steps` the children in each part, over the same letters.
    """
    children = np.empty((len(nodes), steps[0].shape[1], len(steps)), np.int64)
    for place, step in enumerate(steps):
        children[:, :, place] = step[nodes[:, place]]
    return children


def combine(
    parts: Sequence[Diagram],
    function: Callable[[list[Values]], Values],
    *,
    absorbing: int | None = None,
    memory: int = MEMORY,
) -> Diagram:
    """Return the diagram of a function of the values of several diagrams.

    `absorbing` is a value that decides the result, whatever the other parts: 0 where all are to be
    true, 1 where any is. It must then be the value of the function as well. Raises
    `ProductTooLarge` where that would take more than `memory` bytes.
    """
    varying = [part for part in parts if len(part.values) > 1 or part.seats]
    if len(varying) == 1:
        return _map_of_one(parts, varying[0], function)
    seats = tuple(sorted({seat for part in parts for seat in part.seats}))
    columns = [part.columns(seats) for part in parts]
    room = MemoryBudget(memory, 0 if absorbing is None else 8 * sum(part.nodes for part in parts))
    if is_worth_loops(sum(part.nodes for part in parts)):
        return _combined_in_loops(parts, function, absorbing, room)
    decided = None if absorbing is None else [part.constants() for part in parts]
    nodes: Ids = np.zeros((1, len(parts)), np.int64)
    layers: list[Ids] = []
    for card in range(parts[0].cards):
        steps = len(nodes) * (len(seats) + 1)
        passing = steps * step_bytes(len(parts))
        room.take(card=card, states=len(nodes), resident=4 * steps, transient=passing)
        children = children_of(
            nodes, [part.layers[card][:, of] for part, of in zip(parts, columns, strict=True)]
        )
        flat = children.reshape(-1, len(parts))
        if decided is not None:
            over = np.zeros(len(flat), bool)
            for place, constants in enumerate(decided):
                over |= constants[card + 1][flat[:, place]] == absorbing
            if over.any():  # one node stands for all that are decided
                flat[over] = flat[over.argmax()]
        nodes, place_of = unique(flat)
        layers.append(place_of.reshape(children.shape[:2]).astype(np.int32))
    values = function([part.values[nodes[:, place]] for place, part in enumerate(parts)])
    return _reduced(seats, layers, values.astype(np.int64))


def _map_of_one(
    parts: Sequence[Diagram], varying: Diagram, function: Callable[[list[Values]], Values]
) -> Diagram:
    """Return the function of several diagrams all of which but one are numbers."""

    def of_values(values: Values) -> Values:
        return function(
            [values if part is varying else part.values.repeat(len(values)) for part in parts]
        )

    return varying.map(of_values)


def _combined_in_loops(
    parts: Sequence[Diagram],
    function: Callable[[list[Values]], Values],
    absorbing: int | None,
    room: MemoryBudget,
) -> Diagram:
    """Return what `combine` does, by compiled loops."""
    from pavcodec.arrays.models.diagrams import mark_decided, multiply_layers

    seats = tuple(sorted({seat for part in parts for seat in part.seats}))
    letters = len(seats) + 1
    widths = np.array([[*map(len, part.layers), len(part.values)] for part in parts])
    ends = (widths.cumsum() - widths.ravel()).reshape(widths.shape)
    ends = np.concatenate([ends, ends[:, -1:] + widths[:, -1:]], axis=1)
    before = widths[:, :-1].ravel()
    starts = (before.cumsum() - before).reshape(len(parts), -1)
    rows = np.empty((before.sum(), letters), np.int32)
    for part, firsts in zip(parts, starts.tolist(), strict=True):
        columns = part.columns(seats)
        for first, layer in zip(firsts, part.layers, strict=True):
            rows[first : first + len(layer)] = layer[:, columns]
    decided = np.zeros(widths.sum(), np.bool_)
    if absorbing is not None:
        for part, firsts in zip(parts, ends.tolist(), strict=True):
            decided[firsts[-2] : firsts[-1]] = part.values == absorbing
        mark_decided(rows, starts, ends, decided)
    kept, passing = 4 * letters, letters * step_bytes(len(parts))
    left = room.memory - room.resident
    made, made_starts, last = multiply_layers(rows, starts, ends, decided, left, kept, passing)
    for card, count in enumerate(np.diff(made_starts).tolist()):
        room.take(card=card, states=count, resident=count * kept, transient=count * passing)
    values = function([part.values[last[:, place]] for place, part in enumerate(parts)])
    return _reduced_in_loops(seats, made, made_starts, values.astype(np.int64))


def _reduced_in_loops(
    seats: tuple[int, ...], rows: NDArray[np.int32], starts: Values, values: Values
) -> Diagram:
    """Return what `reduce` does, by compiled loops; the rows are lost."""
    from pavcodec.arrays.models.diagrams import reduce_layers

    values, places = np.unique(values, return_inverse=True)
    rows, starts, kept = reduce_layers(rows, starts, places)
    return Diagram(seats, tuple(np.split(rows, starts[1:-1])), values[kept])


def is_worth_loops(nodes: int) -> bool:
    """Tell whether diagrams of so many nodes are worth the start of numba, or that is done."""
    return "numba" in sys.modules or nodes > _MANY_NODES


def both(parts: Sequence[Diagram], *, memory: int = MEMORY) -> Diagram:
    """Return whether all of some diagrams of 1 and 0 are 1.

    Values from 2 on are true as well, and then which they are is told: the result numbers, from 1
    on, the rows of values that are not 0, as dictionaries order them.
    """
    return combine(parts, partial(_joined, sizes=joined_sizes(parts)), absorbing=0, memory=memory)


def joined_sizes(parts: Sequence[Diagram]) -> list[int]:
    """Return how many true values each part may have for `both`."""
    return [max(1, int(part.values.max())) for part in parts]


def _joined(values: list[Values], sizes: list[int]) -> Values:
    number = np.zeros(len(values[0]), np.int64)
    for column, size in zip(values, sizes, strict=True):
        number = number * size + column - 1
    return np.where(np.logical_and.reduce(values), number + 1, 0)
