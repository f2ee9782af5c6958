"""The joint distribution of some numbers over words of owners: models with many ends.

The product of some conditions and some numbers is a model, except that its nodes after the last
card have different values. A pass from the first card counts the words that lead to each of these
nodes, so one pass gives the whole distribution.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from pavcodec.constraints.counting.diagrams.diagram import Diagram
from pavcodec.constraints.counting.models.layers import DEAD, Layer, arrangements
from pavcodec.constraints.counting.models.product import count_layers, factors_of
from pavcodec.limits import MEMORY

if TYPE_CHECKING:
    from numpy.typing import NDArray


_LIMBS = 4
_LIMB = np.uint64(32)
_LOW = np.uint64((1 << 32) - 1)


def outcomes_of(
    conditions: Sequence[Diagram],
    numbers: Sequence[Diagram],
    sizes: tuple[int, ...],
    *,
    memory: int = MEMORY,
) -> dict[tuple[int, ...], int]:
    """Return for each row of values of some numbers how many words have it.

    The words are those of owners with hands of these sizes for which all conditions hold. Rows
    without words are absent. Raises `ProductTooLarge` if counting would take more than `memory`
    bytes.
    """
    memory -= sum(each.memory for each in [*conditions, *numbers])
    factors = factors_of(
        conditions, sizes, memory, seats=[seat for number in numbers for seat in number.seats]
    )
    if factors is None:
        return {}
    seats = tuple(sorted({seat for each in [*factors, *numbers] for seat in each.seats}))
    letters = len(seats) + (len(seats) < len(sizes))
    memory -= sum(factor.memory for factor in factors)
    marked = [replace(each, values=np.arange(1, len(each.values) + 1)) for each in numbers]
    layers, ends = count_layers([*factors, *marked], seats, letters, memory)
    if not layers:
        return {}
    free = arrangements(tuple(size for seat, size in enumerate(sizes) if seat not in seats))
    rows = ends[:, len(factors) :] - 1
    values = [each.values[rows[:, column]].tolist() for column, each in enumerate(numbers)]
    outcomes: dict[tuple[int, ...], int] = {}
    for row, words in zip(zip(*values, strict=True), words_of_ends(layers, len(ends)), strict=True):
        if words:
            outcomes[row] = outcomes.get(row, 0) + words * free
    return dict(sorted(outcomes.items()))


def words_of_ends(layers: Sequence[Layer], ends: int) -> list[int]:
    """Count the words that lead to each node after the last card, in limbs of 32 bits."""
    counts = np.zeros((_LIMBS, 1), np.uint64)
    counts[0, 0] = 1
    widths = [*(len(layer.ways) for layer in layers[1:]), ends]
    for layer, width in zip(layers, widths, strict=True):
        after = np.zeros((_LIMBS, width), np.uint64)
        for children in layer.children.T:
            living = children != DEAD
            for limbs, sums in zip(counts, after, strict=True):
                np.add.at(sums, children[living], limbs[living])
        counts = _carried(after)
    return [sum(limb << 32 * power for power, limb in enumerate(row)) for row in counts.T.tolist()]


def _carried(limbs: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Carry the bits above 32 to the next limb; a row has one limb of all numbers."""
    for limb in range(_LIMBS - 1):
        limbs[limb + 1] += limbs[limb] >> _LIMB
        limbs[limb] &= _LOW
    return limbs
