"""The counting model: all deals that satisfy some conditions, counted and in order.

The conditions are *factors*: diagrams with the values 1 and 0, each of some seats. A model is their
product. It has a layer of nodes before each card and one after the last card. Each node has its
*ways*: the number of words of owners that lead from it to the end with all factors 1 and all hands
full.

Rule 1: every seat that some factor depends on is *constrained*, and has a factor that is 1 where
the hand has its size. Seats that no factor depends on are *free*. They share one letter, the rest.
A multinomial coefficient counts the divisions of its cards among them, so they need no nodes.
Rule 2: nodes without ways are left out, so every path is a way.
Rule 3: ways are stored in two 64-bit limbs, high and low; 128 bits suffice for the number of all
layouts.
Rule 4: a rank is a sum of completions: the ways of each child before the one of the word, times the
arrangements of the cards that the free seats still need after the card, their *rooms*.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Protocol

import numpy as np
from numpy.typing import NDArray  # noqa: TC002 (for the dataclass)

from pavcodec.constraints.counting.diagrams.diagram import Diagram
from pavcodec.constraints.counting.models.layers import DEAD, Layer, arrangements, integers_of
from pavcodec.constraints.counting.models.product import count_layers, factors_of
from pavcodec.limits import MEMORY

if TYPE_CHECKING:
    from pavcodec.constraints.counting.models.loops import Batch


MOST_KNOWN = 1 << 19
"""The most nodes of a model that is also stored as Python integers."""

_NODES_IN_A_WALK = 500
"""The nodes that become Python integers in about the time in which a deal is read from arrays."""

_ROOM_BITS = 6
_ROOM = (1 << _ROOM_BITS) - 1  # no seat of 52 cards has more


class _Children(Protocol):
    def __getitem__(self, node: int) -> list[int]: ...


class _Ways(Protocol):
    def __getitem__(self, node: int) -> int: ...


@dataclass(frozen=True, eq=False)
class Model:
    """The words of owners that satisfy some conditions.

    `sizes` are the hand sizes. `seats` are the constrained seats. A letter is the place of a seat
    among them; if there are free seats, one more letter is the rest.
    """

    sizes: tuple[int, ...]
    seats: tuple[int, ...]
    layers: tuple[Layer, ...]
    ends: NDArray[np.uint64] | None = None
    """The ways of the nodes after the last card; None for one node with one way."""

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
        [ways] = integers_of(self.layers[0].ways[:1])
        return ways * arrangements(tuple(self.sizes[seat] for seat in self.free))

    def rank(self, owners: Sequence[int]) -> int | None:
        """Return the number of words before this one in dictionary order; None if it is no word."""
        if len(owners) != len(self.layers):
            return None
        number, node, rooms = 0, 0, self._rooms
        for owner, (children, ways) in zip(owners, self._steps, strict=True):
            row = children[node]
            for seat, letter, slot in self._turns:
                child, after = row[letter], rooms
                if child == DEAD:
                    continue
                if slot >= 0:
                    if not rooms >> slot & _ROOM:
                        continue
                    after -= 1 << slot
                if seat == owner:
                    node, rooms = child, after
                    break
                number += ways[child] * _BY_ROOMS[after]
            else:
                return None
        return number

    def unrank(self, number: int) -> bytes:
        """Return the word with this number of words before it, 0..cardinality-1."""
        owners, node, rooms = bytearray(), 0, self._rooms
        turns, hands = self._turns, _BY_ROOMS
        for children, ways in self._steps:
            row = children[node]
            for seat, letter, slot in turns:
                child, after = row[letter], rooms
                if child == DEAD:
                    continue
                if slot >= 0:
                    if not rooms >> slot & _ROOM:
                        continue
                    after -= 1 << slot
                completions = ways[child] * hands[after]
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
        from pavcodec.constraints.counting.models.loops import batch_of_layers

        return batch_of_layers(self.sizes, self.seats, self.layers, self.cardinality, self.ends)

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
        """The rooms of the free seats before the first card, six bits a seat."""
        return sum(self.sizes[seat] << _ROOM_BITS * slot for slot, seat in enumerate(self.free))

    @property
    def _steps(self) -> list[tuple[_Children, _Ways]]:
        """For each card the children of the nodes before it, and the ways of the nodes after it.

        Small models store them as Python integers, which are faster for single deals, as soon as
        so many deals were ranked or unranked that this pays.
        """
        known = vars(self)
        if "_numbers" not in known:
            known["_walks"] = walks = known.get("_walks", 0) + 1
            if self.nodes > min(MOST_KNOWN, walks * _NODES_IN_A_WALK):
                return self._rows
        return self._numbers

    @cached_property
    def _rows(self) -> list[tuple[_Children, _Ways]]:
        """The result of `_steps` in arrays."""
        return [(_RowsOf(children), _NumbersOf(ways)) for children, ways in self._arrays]

    @cached_property
    def _numbers(self) -> list[tuple[_Children, _Ways]]:
        """The result of `_steps` as Python integers."""
        return [(children.tolist(), integers_of(ways)) for children, ways in self._arrays]

    @property
    def _arrays(self) -> Iterator[tuple[NDArray[np.int32], NDArray[np.uint64]]]:
        last = np.array([[0, 1]], np.uint64) if self.ends is None else self.ends
        children = [layer.children for layer in self.layers]
        return zip(children, [*(layer.ways for layer in self.layers[1:]), last], strict=True)


class _RowsOf:
    """The rows of an array as lists, each made when it is read."""

    def __init__(self, rows: NDArray[np.int32]) -> None:
        self._rows = rows

    def __getitem__(self, node: int) -> list[int]:
        row: list[int] = self._rows[node].tolist()
        return row


class _NumbersOf:
    """The rows of limbs of an array as integers, each made when it is read."""

    def __init__(self, rows: NDArray[np.uint64]) -> None:
        self._rows = rows

    def __getitem__(self, node: int) -> int:
        return integers_of(self._rows[node : node + 1])[0]


class _ByRooms(dict[int, int]):
    """Arrangements by the rooms of hands, six bits each, computed at first use."""

    def __missing__(self, rooms: int) -> int:
        sizes = tuple(rooms >> shift & _ROOM for shift in range(0, rooms.bit_length(), _ROOM_BITS))
        ways = self[rooms] = arrangements(sizes)
        return ways


_BY_ROOMS = _ByRooms()


def build_model(
    conditions: Sequence[Diagram],
    sizes: tuple[int, ...],
    *,
    memory: int = MEMORY,
    widest: int | None = None,
) -> Model:
    """Return the model of conditions that all hold.

    Raises `ProductTooLarge` if the model and the conditions would take more than `memory` bytes, or
    if more than `widest` states can be reached before a card. The limit `widest` depends only on
    the conditions: it stops the same models at the same cards everywhere.
    """
    memory -= sum(condition.memory for condition in conditions)
    factors = factors_of(conditions, sizes, memory)
    seats = tuple(sorted({seat for factor in factors or () for seat in factor.seats}))
    if factors is None:
        return Model(sizes, seats, ())
    memory -= sum(factor.memory for factor in factors)
    letters = len(seats) + (len(seats) < len(sizes))
    return Model(sizes, seats, tuple(count_layers(factors, seats, letters, memory, widest)[0]))
