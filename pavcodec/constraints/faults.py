"""What may be wrong with a model that somebody else has made, before a loop walks through it."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray  # noqa: TC002 (for the arguments)

from pavcodec.constraints.model import DEAD, LARGE, Layer, Model, sums_of

__all__ = ["fault_of"]

_MOST_CARDS = 63


def fault_of(model: Model) -> str | None:
    """Return what is wrong with a model that was read; None if nothing is.

    Every path through a model without fault is a word of hands of the right sizes, and each node
    has as many ways as its children have together, and some. So no loop leaves its tables.

    >>> fault_of(Model((1, 1), (0,), ()))
    >>> fault_of(Model((1, 1), (2,), ()))
    'its seats are not those of its hands'
    """
    fault = _fault_of_hands(model)
    if fault or not model.layers:
        return fault
    letters = len(model.seats) + bool(model.free)
    if len(model.layers) != sum(model.sizes) or len(model.layers[0].ways) != 1:
        return "it has not a layer for each card"
    ways = np.array([[0, 1]], np.uint64)
    for layer in reversed(model.layers):
        fault = _fault_of_layer(layer, letters, ways)
        if fault:
            return fault
        ways = layer.ways
    return None if _hands_are_full(model, letters) else "its hands have not their sizes"


def _fault_of_hands(model: Model) -> str | None:
    seats, sizes = model.seats, model.sizes
    if not all(isinstance(size, int) and 0 <= size <= _MOST_CARDS for size in sizes):
        return "its hands have no sizes"
    if not all(isinstance(seat, int) and 0 <= seat < len(sizes) for seat in seats):
        return "its seats are not those of its hands"
    return None if list(seats) == sorted(set(seats)) else "its seats are out of order"


def _fault_of_layer(layer: Layer, letters: int, next_ways: NDArray[np.uint64]) -> str | None:
    children, ways = layer.children, layer.ways
    if children.dtype != np.int32 or children.shape != (len(ways), letters) or not len(ways):
        return "its children have another form"
    if ways.dtype != np.uint64 or ways.shape != (len(children), 2):
        return "its ways have another form"
    if children.min() < DEAD or children.max() >= len(next_ways):
        return "it leads to nodes that it does not have"
    if not (ways[:, 0] | ways[:, 1]).all() or not np.array_equal(_sums(children, next_ways), ways):
        return "its ways do not add up"
    return None


def _sums(children: NDArray[np.int32], ways: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Return what the children of each node have together; large layers go through a loop."""
    if len(children) < LARGE:
        return sums_of(children, ways)
    from pavcodec.kernels.joint import sum_pairs  # numba takes half a second to import

    found = np.empty((len(children), 2), np.uint64)
    sum_pairs(0, len(children), children, ways, found)
    return found


def _hands_are_full(model: Model, letters: int) -> bool:
    """Tell whether all words have so many cards for each letter, whatever way leads to a node."""
    held = np.zeros((1, letters), np.uint8)
    widths = [*(len(layer.ways) for layer in model.layers[1:]), 1]
    for layer, width in zip(model.layers, widths, strict=True):
        after = np.zeros((width, letters), np.uint8)
        for letter in range(letters):
            _give(after, layer.children[:, letter], held, letter)
        for letter in range(letters):
            expected = np.zeros_like(after)
            expected[:] = after
            _give(expected, layer.children[:, letter], held, letter)
            if not np.array_equal(expected, after):
                return False
        held = after
    rest = [sum(model.sizes[seat] for seat in model.free)] if model.free else []
    found: list[int] = held[0].tolist()
    return found == [*(model.sizes[seat] for seat in model.seats), *rest]


def _give(
    after: NDArray[np.uint8], children: NDArray[np.int32], held: NDArray[np.uint8], letter: int
) -> None:
    """Write what children hold whose parents give the next card to a letter."""
    living = children != DEAD
    given = held[living]
    given[:, letter] += 1
    after[children[living]] = given
