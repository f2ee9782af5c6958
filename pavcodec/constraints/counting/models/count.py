"""Counting by turns: the number of words that satisfy some conditions, without a model.

The factors are dealt by turns and combined into two automata. The states are pairs of nodes of
these. A forward pass finds the pairs that can be reached before each turn; a backward pass counts
their ways. Only the ways of one layer are in memory.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray  # noqa: TC002 (for the dataclass)

from pavcodec.constraints.counting.diagrams.diagram import Diagram
from pavcodec.constraints.counting.models.halves import (
    Automaton,
    automaton,
    counted,
    halves_of,
    reached,
    workers,
)
from pavcodec.constraints.counting.models.layers import arrangements, integers_of, living_steps
from pavcodec.constraints.counting.models.model import build_model
from pavcodec.constraints.counting.models.product import factors_of
from pavcodec.constraints.counting.models.turns import TurnPart, in_turns, parts_of_deck, remainder
from pavcodec.limits import MEMORY, MemoryBudget

_PAIR_BYTES = 4
_TRANSIENT_BYTES = 40
"""The bytes of a pair while its layer is processed: its ways twice, and which of them stay."""


@dataclass(frozen=True, eq=False)
class Halves:
    """The factors of a product as two automata by turns, and how their turns deal the deck."""

    first: Automaton
    second: Automaton
    parts: tuple[TurnPart, ...]
    letters: int
    weights: tuple[NDArray[np.uint64], ...]
    """For each turn the number of words of a letter, by the origin of a node of `first`."""

    @property
    def turns(self) -> int:
        """The number of turns."""
        return len(self.first.layers)


def halves_of_factors(
    factors: Sequence[Diagram], seats: tuple[int, ...], letters: int, room: MemoryBudget
) -> Halves:
    """Deal factors by turns, and combine them; raise `ProductTooLarge` if memory is too small."""
    steps = [living_steps(factor, factor.columns(seats)[:letters]) for factor in factors]
    owners = [
        seats.index(factor.seats[0]) if len(factor.seats) == 1 else None for factor in factors
    ]
    parts = parts_of_deck(steps, letters, owners)
    layers, weights = remainder(parts, letters)
    made = [automaton(in_turns(each, parts)) for each in steps]
    first, second, _ = halves_of(
        made, [factor.seats for factor in factors], automaton(layers), room
    )
    return Halves(first, second, parts, letters, tuple(each.astype(np.uint64) for each in weights))


def count_layouts(
    conditions: Sequence[Diagram],
    sizes: tuple[int, ...],
    *,
    memory: int = MEMORY,
) -> int:
    """Return how many words of owners with hands of these sizes satisfy all conditions.

    The result is `build_model(conditions, sizes).cardinality`, in less time and memory. Raises
    `ProductTooLarge` if counting would take more than `memory` bytes.

    >>> from pavcodec.constraints.counting.diagrams.diagram import weighted_sum
    >>> two_spades = weighted_sum(0, [1, 1, 1, 0, 0, 0]).map(lambda spades: (spades == 2) * 1)
    >>> count_layouts([two_spades], (2, 2, 2))
    18
    """
    memory -= sum(condition.memory for condition in conditions)
    factors = factors_of(conditions, sizes, memory)
    seats = tuple(sorted({seat for factor in factors or () for seat in factor.seats}))
    if factors is None:
        return 0
    letters = len(seats) + (len(seats) < len(sizes))
    if letters == 1:
        return build_model(conditions, sizes, memory=memory).cardinality
    room = MemoryBudget(memory)
    halves = halves_of_factors(factors, seats, letters, room)
    if not (halves.first.is_living and halves.second.is_living):
        return 0
    with workers() as threads:
        layers = reached(
            (halves.first, halves.second),
            room,
            threads,
            resident=_PAIR_BYTES,
            transient=_TRANSIENT_BYTES,
        )
        both = halves.first, halves.second
        total = integers_of(counted(both, halves.weights, layers, threads))
    free = tuple(size for seat, size in enumerate(sizes) if seat not in seats)
    return sum(total) * arrangements(free)
