"""Automata of some factors, put together two by two: the halves of a large product.

An automaton is a layer of children for each turn, over the letters of that turn; -1 is a dead end.
Nodes that lead nowhere are left out. Nothing is reduced: of conditions that are independent, as
those of different hands are, the product has next to no nodes that mean the same.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import reduce
from math import prod

import numpy as np
from numpy.typing import NDArray

from pavcodec.constraints.memory import ProductTooLarge, Room
from pavcodec.kernels.joint import join_layer

__all__ = ["Automaton", "automaton", "halves_of", "joined"]

Steps = NDArray[np.int32]
DEAD = -1
_MOST_PAIRED = 300_000
"""The nodes of a product of two factors that shows how much one says when the other is known."""
_MOST_SPLITS = 10
"""The factors whose ways to be told apart into two are all looked at."""


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


def automaton(layers: Sequence[Steps]) -> Automaton:
    """Return the automaton of one factor."""
    ends = int(layers[-1].max(initial=DEAD)) + 1
    origins = tuple(np.arange(len(layer), dtype=np.int32) for layer in layers)
    return Automaton(tuple(layers), origins, np.arange(ends)[:, None])


def joined(first: Automaton, second: Automaton, room: Room) -> Automaton:
    """Return the product of two automata; raise `ProductTooLarge` where there is no room for it.

    Where one of them leads to no end, that is the product.
    """
    if not (first.is_living and second.is_living):
        return first if second.is_living else second
    starts, items = np.array([0, 1], np.int64), np.zeros(1, np.int32)
    layers: list[Steps] = []
    owners: list[NDArray[np.int32]] = []
    for turn, (moves, steps) in enumerate(zip(first.layers, second.layers, strict=True)):
        a_node = 4 * steps.shape[1] + 8
        room.take(
            card=turn, states=len(items), kept=a_node * len(items), passing=2 * a_node * len(items)
        )
        owners.append(first.origins[turn][_blocks(starts)])
        most = room.most(a_node, a_node)
        starts, items, children = join_layer(
            starts, items, moves, steps, first.width(turn + 1), second.width(turn + 1), most
        )
        if starts[-1] < 0:
            raise ProductTooLarge(room.states, turn)
        layers.append(children)
    ends = np.concatenate([first.ends[_blocks(starts)], second.ends[items]], axis=1)
    return _trimmed(layers, owners, ends)


def _blocks(starts: NDArray[np.int64]) -> NDArray[np.int32]:
    """Return for each pair of a layer the block that it is in."""
    return np.repeat(np.arange(len(starts) - 1, dtype=np.int32), np.diff(starts))


def _trimmed(
    layers: list[Steps], owners: list[NDArray[np.int32]], ends: NDArray[np.int64]
) -> Automaton:
    """Leave out the nodes that lead to no end, and number the others anew; layers are given up."""
    places = np.append(np.arange(len(ends), dtype=np.int32), np.int32(DEAD))
    found: list[Steps] = []
    origins: list[NDArray[np.int32]] = []
    while layers:
        children = places[layers.pop()]  # -1 is the last place
        living = np.zeros(len(children), bool)
        for column in children.T:
            living |= column != DEAD
        found.append(children[living])
        origins.append(owners.pop()[living])
        places = np.full(len(living) + 1, DEAD, np.int32)
        places[:-1][living] = np.arange(len(found[-1]), dtype=np.int32)
    return Automaton(tuple(found[::-1]), tuple(origins[::-1]), ends)


def halves_of(
    factors: Sequence[Automaton], seats: Sequence[tuple[int, ...]], first: Automaton, room: Room
) -> tuple[Automaton, Automaton, list[int]]:
    """Put factors together into two automata of about equal size, the first one with `first`.

    Also returns the places of the factors in the order of the ends of both.
    """
    places = _two_halves(factors, seats)
    one, other = (
        sorted(half, key=lambda place: (len(seats[place]), factors[place].widest))
        for half in places
    )
    if not other:  # they say little together
        one, other = other, one
    second = reduce(
        lambda made, place: joined(made, factors[place], room), other[1:], factors[other[0]]
    )
    made = reduce(lambda made, place: joined(made, factors[place], room), one, first)
    return made, second, [*one, *other]


def _two_halves(
    factors: Sequence[Automaton], seats: Sequence[tuple[int, ...]]
) -> tuple[list[int], list[int]]:
    """Tell apart factors, by their places, so that the larger half is as small as can be seen.

    What a factor of several hands adds to a half is what it has left to say when the factor of the
    half is known that says most about it.
    """
    count = len(factors)
    adds = _additions(factors, seats)

    def size(half: Sequence[int]) -> int:
        single = [place for place in half if len(seats[place]) == 1]
        known, total = single, prod(factors[place].widest for place in single)
        for place in half:
            if place not in single:
                total *= min((adds[place, other] for other in known), default=factors[place].widest)
                known = [*known, place]
        return total

    best: tuple[int, list[int], list[int]] | None = None
    for chosen in range(1 << (min(count, _MOST_SPLITS) - 1)):
        one = [place for place in range(count) if chosen >> place & 1]
        other = [place for place in range(count) if place not in one]
        largest = max(size(one), size(other))
        if best is None or largest < best[0]:
            best = largest, one, other
    assert best is not None
    return (best[1], best[2]) if best[1] else (best[2], best[1])


def _additions(
    factors: Sequence[Automaton], seats: Sequence[tuple[int, ...]]
) -> dict[tuple[int, int], int]:
    """Return for each factor of several hands, and each other one, what it adds to that."""
    found = {}
    for place, factor in enumerate(factors):
        for other in range(len(factors)):
            if other == place or len(seats[place]) == 1:
                continue
            found[place, other] = factor.widest
            if (other, place) in found or set(seats[place]) & set(seats[other]):
                most = Room(1 << 40, limit=_MOST_PAIRED)
                try:
                    nodes = joined(factors[other], factor, most).nodes
                except ProductTooLarge:
                    continue
                found[place, other] = max(1, -(-nodes // factors[other].nodes))
    return found
