"""The counting model: every deal that satisfies some conditions, counted and in order.

The conditions are *factors*: diagrams of 1 and 0, each of some seats. A model is their product. It
has nodes, a layer before each card and one after the last, and for each node the *ways*: how many
words of owners lead from it to the end with all factors 1 and all hands full.

Rule 1: every seat that some factor looks at is *constrained*, and has a factor that is 1 where the
hand has its size. Seats that no factor looks at are *free*. They share one letter, the rest: which
of them gets which of its cards is a multinomial coefficient and needs no nodes.
Rule 2: nodes that lead nowhere are left out, so that every path is a way.
Rule 3: ways are held in two 64-bit limbs, high and low; 128 bits hold the number of all layouts.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache, cached_property, partial
from math import factorial, prod
from typing import TYPE_CHECKING, Protocol

import numpy as np
from numpy.typing import NDArray  # noqa: TC002 (for the dataclass)

from pavcodec.constraints.diagram import (
    Diagram,
    Ids,
    Values,
    both,
    children_of,
    step_bytes,
    unique,
)
from pavcodec.constraints.memory import MEMORY, Room
from pavcodec.constraints.pieces import constant, weighted_sum

if TYPE_CHECKING:
    from pavcodec.numberings.batch import Batch

__all__ = [
    "Layer",
    "Model",
    "build_model",
    "count_layers",
    "factors_of",
    "living_steps",
    "sums_of",
]

DEAD = -1

MOST_KNOWN = 1 << 19
"""The nodes of a model that is worth holding as Python integers too."""

LARGE = 1 << 20
"""The most states that a layer may have; with more, compiled loops are worth the start of numba."""

_SOONER = 16
MANY_NODES = 20_000
"""The nodes of factors from which on a sixteenth of `LARGE` is enough."""

NODE_BYTES = 16
LINK_BYTES = 4
"""What the ways of a node take, and each of its children."""


_ROOM_BITS = 6
_ROOM = (1 << _ROOM_BITS) - 1  # no seat of 52 cards has more


class _Children(Protocol):
    def __getitem__(self, node: int) -> list[int]: ...


class _Ways(Protocol):
    def __getitem__(self, node: int) -> int: ...


@dataclass(frozen=True, eq=False)
class Layer:
    """The nodes before a card: for each letter the child in the next layer or -1, and the ways.

    `ways` has two columns of 64 bits, high and low.
    """

    children: NDArray[np.int32]
    ways: NDArray[np.uint64]


@dataclass(frozen=True, eq=False)
class Model:
    """The words of owners that satisfy some conditions.

    `sizes` are the hand sizes. `seats` are the constrained seats; a letter is the place of a seat
    among them, and one more, where there are free seats, is the rest.
    """

    sizes: tuple[int, ...]
    seats: tuple[int, ...]
    layers: tuple[Layer, ...]

    @property
    def free(self) -> tuple[int, ...]:
        """The seats without a condition."""
        return tuple(seat for seat in range(len(self.sizes)) if seat not in self.seats)

    @property
    def nodes(self) -> int:
        """The number of nodes."""
        return sum(len(layer.ways) for layer in self.layers)

    @property
    def memory(self) -> int:
        """The bytes that the nodes take."""
        return sum(layer.children.nbytes + layer.ways.nbytes for layer in self.layers)

    @cached_property
    def cardinality(self) -> int:
        """The exact number of words."""
        if not self.layers:
            return 0
        high, low = self.layers[0].ways[0].tolist()
        return int(high << 64 | low) * arrangements(tuple(self.sizes[seat] for seat in self.free))

    def choices(self, card: int, node: int, rooms: int) -> list[tuple[int, int, int, int]]:
        """Return (seat, child, rooms after, completions) for each seat that may get the next card.

        `rooms` are the cards that the free seats still take, six bits a seat. A rank is a sum of
        completions.
        """
        children, ways = self._steps[card]
        row, hands = children[node], _BY_ROOMS
        found = []
        for seat, letter, place in self._turns:
            child = row[letter]
            if child == DEAD:
                continue
            if place < 0:
                found.append((seat, child, rooms, ways[child] * hands[rooms]))
            elif rooms >> place & _ROOM:
                after = rooms - (1 << place)
                found.append((seat, child, after, ways[child] * hands[after]))
        return found

    def rank(self, owners: Sequence[int]) -> int | None:
        """Return how many words come before this one in dictionary order; None if it is no word."""
        if len(owners) != len(self.layers):
            return None
        number, node, rooms = 0, 0, self._rooms
        for card, owner in enumerate(owners):
            for seat, child, after, completions in self.choices(card, node, rooms):
                if seat == owner:
                    node, rooms = child, after
                    break
                number += completions
            else:
                return None
        return number

    def unrank(self, number: int) -> bytes:
        """Return the word with so many words before it, of 0..cardinality-1."""
        owners, node, rooms = bytearray(), 0, self._rooms
        for card in range(len(self.layers)):
            for seat, child, after, completions in self.choices(card, node, rooms):
                if number < completions:
                    owners.append(seat)
                    node, rooms = child, after
                    break
                number -= completions
            else:
                raise AssertionError("the number was checked against the cardinality")
        return bytes(owners)

    @cached_property
    def batch(self) -> Batch:
        """The loops that rank and unrank many words."""
        from pavcodec.constraints.batch import batch_of_model

        return batch_of_model(self)

    @cached_property
    def _turns(self) -> tuple[tuple[int, int, int], ...]:
        """For each seat its letter, and the place of its room; -1 for a constrained one."""
        rest, free = len(self.seats), self.free
        return tuple(
            (seat, rest, _ROOM_BITS * free.index(seat))
            if seat in free
            else (seat, self.seats.index(seat), -1)
            for seat in range(len(self.sizes))
        )

    @cached_property
    def _rooms(self) -> int:
        """The rooms of the free seats before the first card."""
        return sum(self.sizes[seat] << _ROOM_BITS * place for place, seat in enumerate(self.free))

    @cached_property
    def _steps(self) -> list[tuple[_Children, _Ways]]:
        """For each card the children of the nodes before it, and the ways of the nodes after it.

        Those of small models are Python integers, which are quicker one by one.
        """
        last = np.array([[0, 1]], np.uint64)
        children = [layer.children for layer in self.layers]
        ways = [*(layer.ways for layer in self.layers[1:]), last]
        if self.nodes > MOST_KNOWN:
            return [(_RowsOf(c), _NumbersOf(w)) for c, w in zip(children, ways, strict=True)]
        return [
            (c.tolist(), [high << 64 | low for high, low in w.tolist()])
            for c, w in zip(children, ways, strict=True)
        ]


class _RowsOf:
    """The rows of an array as lists, made when they are asked for."""

    def __init__(self, rows: NDArray[np.int32]) -> None:
        self._rows = rows

    def __getitem__(self, node: int) -> list[int]:
        row: list[int] = self._rows[node].tolist()
        return row


class _NumbersOf:
    """The rows of an array, high and low, as integers, made when they are asked for."""

    def __init__(self, rows: NDArray[np.uint64]) -> None:
        self._rows = rows

    def __getitem__(self, node: int) -> int:
        high, low = self._rows[node].tolist()
        return int(high << 64 | low)


@cache
def arrangements(sizes: tuple[int, ...]) -> int:
    """Return in how many ways so many cards are dealt to hands of these sizes."""
    ways = factorial(sum(sizes))
    return ways // prod(map(factorial, sizes))


class _ByRooms(dict[int, int]):
    """Arrangements by the rooms of hands, six bits each, worked out as they are met."""

    def __missing__(self, rooms: int) -> int:
        sizes = tuple(rooms >> place & _ROOM for place in range(0, rooms.bit_length(), _ROOM_BITS))
        ways = self[rooms] = arrangements(sizes)
        return ways


_BY_ROOMS = _ByRooms()


def factors_of(
    conditions: Sequence[Diagram],
    sizes: tuple[int, ...],
    memory: int = MEMORY,
    seats: Iterable[int] = (),
) -> list[Diagram] | None:
    """Put conditions together by their seats, and count the cards of each constrained seat.

    `seats` are constrained even if no condition looks at them. Returns None where a factor can
    never be 1, and at least one factor where all always are.
    """
    by_seats: dict[tuple[int, ...], list[Diagram]] = {}
    for condition in conditions:
        by_seats.setdefault(condition.seats, []).append(condition)
    cards = sum(sizes)
    for seat in sorted({*seats, *(seat for seats in by_seats for seat in seats)}):
        full = weighted_sum(seat, [1] * cards).map(partial(np.equal, sizes[seat]))
        by_seats.setdefault((seat,), []).append(full)
    factors = []
    for parts in by_seats.values():
        factor = both(parts, memory=memory)
        memory -= factor.memory
        if not factor.values.any():
            return None
        if factor.seats or not factor.values.all():
            factors.append(factor)
    return sorted(factors, key=lambda factor: factor.seats) or [constant(cards, 1)]


def living_steps(factor: Diagram, columns: Sequence[int]) -> list[Ids]:
    """Return the layers of a factor without the nodes that only lead to 0: dead ends are -1.

    `columns` are the letters of the factor that stand for the letters of the model.
    """
    alive = [constants != 0 for constants in factor.constants()]
    places = [np.where(living, np.cumsum(living) - 1, DEAD) for living in alive]
    return [
        places[card + 1][layer[alive[card]]][:, columns] for card, layer in enumerate(factor.layers)
    ]


def build_model(
    conditions: Sequence[Diagram],
    sizes: tuple[int, ...],
    *,
    memory: int = MEMORY,
    widest: int | None = None,
) -> Model:
    """Return the model of conditions that all hold.

    Raises `ProductTooLarge` where that and the conditions would take more than `memory` bytes, or
    where more than `widest` states would be reached before a card. What that stops, and at which
    card, depends on nothing but the conditions.
    """
    memory -= sum(condition.memory for condition in conditions)
    factors = factors_of(conditions, sizes, memory)
    seats = tuple(sorted({seat for factor in factors or () for seat in factor.seats}))
    if factors is None:
        return Model(sizes, seats, ())
    memory -= sum(factor.memory for factor in factors)
    letters = len(seats) + (len(seats) < len(sizes))
    return Model(sizes, seats, tuple(count_layers(factors, seats, letters, memory, widest)[0]))


def count_layers(
    factors: Sequence[Diagram],
    seats: tuple[int, ...],
    letters: int,
    memory: int,
    widest: int | None = None,
) -> tuple[list[Layer], Values]:
    """Return the layers of the product of factors, and what the nodes after the last card mean.

    That is a row for each node with the value of each factor, which is 1 for conditions.
    """
    if _is_large(factors):
        from pavcodec.constraints.large import count_large  # numba takes half a second to import

        return count_large(factors, seats, letters, memory, widest)
    steps = [living_steps(factor, factor.columns(seats)[:letters]) for factor in factors]
    links, ends = _reached(steps, memory, widest)
    values = [factor.values[factor.values != 0][ends[:, k]] for k, factor in enumerate(factors)]
    return _counted(links, len(ends)), np.stack(values, axis=1)


def _is_large(factors: Sequence[Diagram]) -> bool:
    """Tell whether a product is worth the start of numba."""
    widest = prod(factor.widest for factor in factors)
    is_wide = widest * _SOONER > LARGE and sum(factor.nodes for factor in factors) > MANY_NODES
    return widest > LARGE or is_wide


def _reached(
    steps: list[list[Ids]], memory: int, widest: int | None = None
) -> tuple[list[NDArray[np.int32]], Ids]:
    """Return the children of all nodes that can be reached, and the nodes after the last card.

    A node is a row with its place in each factor. It goes layer by layer from the first card.
    """
    nodes: Ids = np.zeros((1, len(steps)), np.int64)
    layers: list[NDArray[np.int32]] = []
    letters = steps[0][0].shape[1]
    a_node, passing = NODE_BYTES + LINK_BYTES * letters, letters * step_bytes(len(steps))
    room = Room(memory, widest=widest)
    for card in range(len(steps[0])):
        count = len(nodes)
        room.take(card=card, states=count, kept=count * a_node, passing=count * passing)
        children = children_of(nodes, [layers_of[card] for layers_of in steps])
        flat = children.reshape(-1, len(steps))
        living = (flat != DEAD).all(axis=1)
        nodes, place_of = unique(flat[living])
        links = np.full(len(flat), DEAD, np.int32)
        links[living] = place_of
        layers.append(links.reshape(children.shape[:2]))
    return layers, nodes


def _counted(layers: list[NDArray[np.int32]], ends: int) -> list[Layer]:
    """Count the ways from the last card back, and leave out the nodes that have none.

    The layers are given up as they are used.
    """
    ways, place = np.tile(np.array([[0, 1]], np.uint64), (ends, 1)), np.arange(ends, dtype=np.int32)
    counted = []
    while layers:
        links = np.append(place, np.int32(DEAD))[layers.pop()]  # -1 is the last place
        ways = sums_of(links, ways)
        living = ways.any(axis=1)
        place = np.where(living, np.cumsum(living) - 1, DEAD).astype(np.int32)
        links, ways = links[living], ways[living]
        counted.append(Layer(links, ways))
    return counted[::-1] if len(ways) else []


def sums_of(links: NDArray[np.int32], ways: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Return for each node the ways of its children together, added up with carry."""
    none = np.zeros((1, 2), np.uint64)
    terms = np.concatenate([ways, none])[links]  # -1 is the last row
    total = np.zeros((len(links), 2), np.uint64)
    for term in terms.transpose(1, 0, 2):
        total += term
        total[:, 0] += total[:, 1] < term[:, 1]
    return total
