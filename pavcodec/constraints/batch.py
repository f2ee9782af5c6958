"""Many deals of a model at once."""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from itertools import pairwise, product

import numpy as np
from numpy.typing import NDArray

from pavcodec.constraints.model import Model, arrangements
from pavcodec.kernels.unrank import ROOMS, place_card

__all__ = ["deals_of"]

Limbs = NDArray[np.uint64]
_AT_ONCE = 1 << 14
_SEATS = 4


def deals_of(model: Model, indexes: Limbs) -> tuple[Limbs, NDArray[np.uint8]]:
    """Return (deal numbers, owners) of indexes of a model of deals of 13 cards a hand.

    `indexes` is `uint64[n, 2]`, high and low, and so are the numbers; owners are `uint8[n, 52]`.
    """
    count = len(indexes)
    numbers = np.zeros((count, 2), np.uint64)
    owners = np.empty((count, len(model.layers)), np.uint8)
    cuts = [*range(0, count, _AT_ONCE), count]
    with ThreadPoolExecutor(os.cpu_count() or 1) as threads:
        list(
            threads.map(
                lambda cut: _deal(
                    model, indexes[slice(*cut)], numbers[slice(*cut)], owners[slice(*cut)]
                ),
                pairwise(cuts),
            )
        )
    return numbers, owners


def _deal(model: Model, indexes: Limbs, numbers: Limbs, owners: NDArray[np.uint8]) -> None:
    """Work out some deals, card by card."""
    indexes = indexes.copy()
    letters = np.array(
        [model.seats.index(seat) if seat in model.seats else -1 for seat in range(_SEATS)]
    )
    sizes = [0 if seat in model.seats else size for seat, size in enumerate(model.sizes)]
    nodes = np.zeros(len(indexes), np.int64)
    rooms = np.full(len(indexes), _place(sizes), np.int64)
    left = np.full(len(indexes), _place(list(model.sizes)), np.int64)
    last = np.array([[0, 1]], np.uint64)
    ways = [layer.ways for layer in model.layers[1:]] + [last]
    table = _arrangements()
    column = np.empty(len(indexes), np.uint8)
    for card, layer in enumerate(model.layers):
        place_card(
            letters, layer.children, ways[card], table, table, nodes, rooms, left, indexes, numbers,
            column,
        )  # fmt: skip
        owners[:, card] = column


def _place(rooms: list[int]) -> int:
    place = 0
    for room in rooms:
        place = place * ROOMS + room
    return place


@cache
def _arrangements() -> Limbs:
    """Return the arrangements of the cards that are left, by the rooms of the four hands."""
    table = [arrangements(rooms) for rooms in product(range(ROOMS), repeat=_SEATS)]
    return np.array([(ways >> 64, ways & (1 << 64) - 1) for ways in table], np.uint64)
