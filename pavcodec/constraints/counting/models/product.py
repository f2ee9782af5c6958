"""The counted product of some factors: the nodes of a model."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache, partial

import numpy as np

from pavcodec.constraints.counting.diagrams.diagram import Diagram, both, constant, weighted_sum
from pavcodec.constraints.counting.models.halves import (
    Automaton,
    Blocks,
    automaton,
    counted,
    halves_of,
    reached,
    workers,
)
from pavcodec.constraints.counting.models.layers import (
    LINK_BYTES,
    NODE_BYTES,
    Counted,
    CountedBack,
    living_steps,
)
from pavcodec.constraints.vectors import Values
from pavcodec.limits import MEMORY, MemoryBudget

_PASSING_BYTES = 12
"""The bytes of a pair while its layer is counted: its item twice, and its place."""


def factors_of(
    conditions: Sequence[Diagram],
    sizes: tuple[int, ...],
    memory: int = MEMORY,
    seats: Iterable[int] = (),
) -> list[Diagram] | None:
    """Combine conditions by their seats, and count the cards of each constrained seat.

    `seats` are constrained even if no condition depends on them. Returns None if a factor can never
    be 1, and at least one factor if all are always 1.
    """
    by_seats: dict[tuple[int, ...], list[Diagram]] = {}
    for condition in conditions:
        by_seats.setdefault(condition.seats, []).append(condition)
    cards = sum(sizes)
    for seat in sorted({*seats, *(seat for seats in by_seats for seat in seats)}):
        by_seats.setdefault((seat,), []).append(_is_full(seat, sizes[seat], cards))
    factors = []
    for parts in by_seats.values():
        factor = both(parts, memory=memory)
        memory -= factor.memory
        if not factor.values.any():
            return None
        if factor.seats or not factor.values.all():
            factors.append(factor)
    return sorted(factors, key=lambda factor: factor.seats) or [constant(cards, 1)]


@cache
def _is_full(seat: int, size: int, cards: int) -> Diagram:
    """Return the diagram of whether a hand has its size, in a deck of so many cards."""
    return weighted_sum(seat, [1] * cards).map(partial(np.equal, size))


def count_layers(
    factors: Sequence[Diagram],
    seats: tuple[int, ...],
    letters: int,
    memory: int,
    widest: int | None = None,
) -> tuple[Counted | None, Values]:
    """Return (the product of factors, the values of the nodes after the last card).

    The product is None if no word makes all factors true. The values are a row for each of these
    nodes, with the value of each factor; it is 1 for conditions. The factors are combined into two
    automata of about equal width, and the states are pairs of nodes of these.
    """
    made = [automaton(living_steps(factor, factor.columns(seats)[:letters])) for factor in factors]
    always = automaton([np.zeros((1, letters), np.int32)] * factors[0].cards)
    first, second, places = halves_of(
        made, [factor.seats for factor in factors], always, MemoryBudget(memory)
    )
    nothing = None, np.zeros((0, len(factors)), np.int64)
    if not (first.is_living and second.is_living):
        return nothing
    a_node = NODE_BYTES + LINK_BYTES * letters
    room = MemoryBudget(memory - first.memory - second.memory, widest=widest)
    weights = [np.ones((1, letters), np.uint64)] * factors[0].cards
    with workers() as threads:
        layers = reached(
            (first, second), room, threads, resident=a_node, transient=a_node + _PASSING_BYTES
        )
        values = _values_of(layers[-1], first, second, places, factors)
        ends = np.tile(np.array([[0, 1]], np.uint64), (len(layers[-1]), 1))
        product = CountedBack(sum(map(len, layers[:-1])), letters, ends)
        halves = first, second
        ways = counted(halves, weights, layers, threads, product)
    return (product.counted(), values) if len(ways) else nothing


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
