"""Checks of a model from a file, before a loop walks through it."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
from numpy.typing import NDArray  # noqa: TC002 (for the arguments)

from pavcodec.constraints.counting.models.layers import DEAD, Layer, arrangements, sums_of
from pavcodec.constraints.counting.models.model import Model

__all__ = ["fault_of"]

LARGE = 1 << 16
"""The nodes of a layer that are worth the start of numba."""
_MOST_CARDS = 63
_BITS_OF_WAYS = 128
_MOST_HANDS = 7
_BITS_OF_LETTER = 8
_NONE = -1


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
    if not all(_has_form(layer, letters) for layer in model.layers):
        return "its layers have another form"
    last = Layer(np.zeros((1, letters), np.int32), np.array([[0, 1]], np.uint64))
    held = np.zeros(1, np.int64)
    for layer, after in pairwise((*model.layers, last)):
        given = _checked(layer, after.ways, held)
        if given is None:
            return "its nodes do not fit together"
        held = given
    rest = [sum(model.sizes[seat] for seat in model.free)] if model.free else []
    full = [*(model.sizes[seat] for seat in model.seats), *rest]
    if held[0] != sum(size << _BITS_OF_LETTER * letter for letter, size in enumerate(full)):
        return "its hands have not their sizes"
    return None


def _fault_of_hands(model: Model) -> str | None:
    seats, sizes = model.seats, model.sizes
    if not all(isinstance(size, int) and 0 <= size <= _MOST_CARDS for size in sizes):
        return "its hands have no sizes"
    if len(sizes) > _MOST_HANDS or sum(sizes) > _MOST_CARDS:
        return "its hands are too many, or too large"
    if arrangements(sizes).bit_length() > _BITS_OF_WAYS:
        return "its hands are too large for its ways"  # which would run over and yet add up
    if not all(isinstance(seat, int) and 0 <= seat < len(sizes) for seat in seats):
        return "its seats are not those of its hands"
    return None if list(seats) == sorted(set(seats)) else "its seats are out of order"


def _has_form(layer: Layer, letters: int) -> bool:
    children, ways = layer.children, layer.ways
    return (
        children.dtype == np.int32
        and ways.dtype == np.uint64
        and len(ways) > 0
        and children.shape == (len(ways), letters)
        and ways.shape == (len(ways), 2)
    )


def _checked(
    layer: Layer, next_ways: NDArray[np.uint64], held: NDArray[np.int64]
) -> NDArray[np.int64] | None:
    """Return the cards for each letter before the nodes of the next layer, a byte for each.

    None if two paths to a node disagree on them, if no path leads to a node, if a child is no node,
    or if ways do not add up. Large layers go through a loop.
    """
    given = np.full(len(next_ways), _NONE, np.int64)
    if len(layer.ways) >= LARGE:
        from pavcodec.arrays.models.joint import check_layer  # numba takes half a second to import

        children, ways = np.ascontiguousarray(layer.children), np.ascontiguousarray(layer.ways)
        return given if check_layer(children, ways, next_ways, held, given) else None
    children, ways = layer.children, layer.ways
    if children.min() < DEAD or children.max() >= len(next_ways) or held.min() < 0:
        return None
    if not ways.any(axis=1).all() or not np.array_equal(sums_of(children, next_ways), ways):
        return None
    for is_again in (False, True):
        for letter, column in enumerate(children.T):
            places = column[column != DEAD]
            after = held[column != DEAD] + (1 << _BITS_OF_LETTER * letter)
            if is_again and not np.array_equal(given[places], after):
                return None
            given[places] = after
    return given
