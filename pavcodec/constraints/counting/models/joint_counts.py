"""The joint distribution of some numbers over words of owners: models with many ends.

The product of some conditions and some numbers is a model, except that its nodes after the last
card have different values. A pass from the first card counts the words that lead to each of these
nodes, so one pass gives the whole distribution.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from pavcodec import kernel
from pavcodec.constraints.counting.diagrams.diagram import Diagram
from pavcodec.constraints.counting.models.layers import Counted, arrangements, integers_of
from pavcodec.constraints.counting.models.product import count_layers, factors_of
from pavcodec.limits import MEMORY


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
    counted, ends = count_layers([*factors, *marked], seats, letters, memory)
    if counted is None:
        return {}
    free = arrangements(tuple(size for seat, size in enumerate(sizes) if seat not in seats))
    rows = ends[:, len(factors) :] - 1
    values = [each.values[rows[:, column]].tolist() for column, each in enumerate(numbers)]
    outcomes: dict[tuple[int, ...], int] = {}
    for row, words in zip(zip(*values, strict=True), words_of_ends(counted), strict=True):
        if words:
            outcomes[row] = outcomes.get(row, 0) + words * free
    return dict(sorted(outcomes.items()))


def words_of_ends(counted: Counted) -> list[int]:
    """Count the words that lead to each node after the last card."""
    words = np.array([[0, 1]], np.uint64)
    widths = [*(len(layer.ways) for layer in counted.layers[1:]), len(counted.ends)]
    for layer, width in zip(counted.layers, widths, strict=True):
        after = np.zeros((width, 2), np.uint64)
        letters = layer.children.shape[1]
        kernel.automaton_arrive(layer.children, letters, len(words), words, after)
        words = after
    return integers_of(words)
