"""The layers of the product of some factors, by sorting or, if they are large, by blocks."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from functools import cache, partial
from math import prod
from typing import TYPE_CHECKING

import numpy as np

from pavcodec.constraints.arrays.operators import Values
from pavcodec.constraints.counting.diagrams.diagram import (
    Diagram,
    Ids,
    both,
    children_of,
    constant,
    step_bytes,
    unique,
    weighted_sum,
)
from pavcodec.constraints.counting.models.layers import (
    DEAD,
    LINK_BYTES,
    NODE_BYTES,
    Layer,
    living_steps,
    sums_of,
)
from pavcodec.limits import MEMORY, MemoryBudget

if TYPE_CHECKING:
    from numpy.typing import NDArray


LARGE = 1 << 18
"""The most states of a layer without compiled loops; for more, loading numba saves time."""

_LARGE_IF_LOADED = 1 << 12
"""The same where the compiled loops are loaded, which are up to 12 times as fast."""


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
) -> tuple[list[Layer], Values]:
    """Return (the layers of the product of factors, the values of the nodes after the last card).

    The values are a row for each of these nodes, with the value of each factor; it is 1 for
    conditions.
    """
    if _is_large(factors):
        # numba takes half a second to import
        from pavcodec.constraints.counting.models.joint_model import count_large

        return count_large(factors, seats, letters, memory, widest)
    steps = [living_steps(factor, factor.columns(seats)[:letters]) for factor in factors]
    links, ends = _reached(steps, memory, widest)
    values = [factor.values[factor.values != 0][ends[:, k]] for k, factor in enumerate(factors)]
    return _counted(links, len(ends)), np.stack(values, axis=1)


def _is_large(factors: Sequence[Diagram]) -> bool:
    """Return whether a product is large enough for compiled loops."""
    large = _LARGE_IF_LOADED if "pavcodec.arrays.models.joint" in sys.modules else LARGE
    return prod(factor.widest for factor in factors) > large


def _reached(
    steps: list[list[Ids]], memory: int, widest: int | None = None
) -> tuple[list[NDArray[np.int32]], Ids]:
    """Return the children of all reachable nodes, and the nodes after the last card.

    A node is a row with its place in each factor. The loop processes layer by layer from the first
    card.
    """
    nodes: Ids = np.zeros((1, len(steps)), np.int64)
    layers: list[NDArray[np.int32]] = []
    letters = steps[0][0].shape[1]
    a_node, passing = NODE_BYTES + LINK_BYTES * letters, letters * step_bytes(len(steps))
    room = MemoryBudget(memory, widest=widest)
    for card in range(len(steps[0])):
        count = len(nodes)
        room.take(card=card, states=count, resident=count * a_node, transient=count * passing)
        children = children_of(nodes, [layers_of[card] for layers_of in steps])
        flat = children.reshape(-1, len(steps))
        living = flat[:, 0] != DEAD
        for column in flat.T[1:]:
            living &= column != DEAD
        nodes, place_of = unique(flat[living])
        links = np.full(len(flat), DEAD, np.int32)
        links[living] = place_of
        layers.append(links.reshape(children.shape[:2]))
    return layers, nodes


def _counted(layers: list[NDArray[np.int32]], ends: int) -> list[Layer]:
    """Count the ways from the last card back, and remove the nodes without ways.

    The function frees layers after use.
    """
    ways, node_of = (
        np.tile(np.array([[0, 1]], np.uint64), (ends, 1)),
        np.arange(ends, dtype=np.int32),
    )
    counted = []
    while layers:
        links = np.append(node_of, np.int32(DEAD))[layers.pop()]  # -1 is the last place
        ways = sums_of(links, ways)
        living = ways.any(axis=1)
        node_of = np.where(living, np.cumsum(living) - 1, DEAD).astype(np.int32)
        links, ways = links[living], ways[living]
        counted.append(Layer(links, ways))
    return counted[::-1] if len(ways) else []
