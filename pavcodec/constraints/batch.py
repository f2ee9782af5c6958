"""Many deals of a model at once."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from itertools import product
from typing import TYPE_CHECKING

import numpy as np

from pavcodec.cards import HAND_SIZE
from pavcodec.constraints.model import Model, arrangements
from pavcodec.kernels.chunks import share
from pavcodec.kernels.limbs import Limbs
from pavcodec.kernels.rows import Owners
from pavcodec.kernels.unrank import ROOM_BITS, place_card
from pavcodec.numberings.batch import OneByOne

if TYPE_CHECKING:
    from pavcodec.constraints.constrained import ModelRanking

__all__ = ["ModelBatch", "deals_of"]

_SEATS = 4


@dataclass(frozen=True)
class ModelBatch(OneByOne):
    """The batch of a counting model: unranked in a loop, ranked row by row."""

    ranking: ModelRanking

    def unrank(self, numbers: Limbs, owners: Owners) -> None:
        """Write the owners of indexes."""
        owners[:] = deals_of(self.ranking.model, numbers)[1]


def deals_of(model: Model, indexes: Limbs) -> tuple[Limbs, Owners]:
    """Return (deal numbers, owners) of indexes of a model of deals of 13 cards a hand.

    `indexes` is `uint64[n, 2]`, high and low, and so are the numbers; owners are `uint8[n, 52]`.
    """
    count = len(indexes)
    numbers = np.zeros((count, 2), np.uint64)
    owners = np.empty((count, len(model.layers)), np.uint8)

    def work(part: slice) -> None:
        _deal(model, indexes[part], numbers[part], owners[part])

    share(work, count, None)
    return numbers, owners


def _deal(model: Model, indexes: Limbs, numbers: Limbs, owners: Owners) -> None:
    """Work out some deals, card by card."""
    indexes = indexes.copy()
    letters = np.array(
        [model.seats.index(seat) if seat in model.seats else -1 for seat in range(_SEATS)]
    )
    free = [0 if seat in model.seats else size for seat, size in enumerate(model.sizes)]
    nodes = np.zeros(len(indexes), np.int64)
    rooms = np.full(len(indexes), _packed(free), np.int64)
    left = np.full(len(indexes), _packed(model.sizes), np.int64)
    ways = [*(layer.ways for layer in model.layers[1:]), np.array([[0, 1]], np.uint64)]
    column = np.empty(len(indexes), np.uint8)
    for card, layer in enumerate(model.layers):
        place_card(
            letters, layer.children, ways[card], _arrangements(), nodes, rooms, left, indexes,
            numbers, column,
        )  # fmt: skip
        owners[:, card] = column


def _packed(rooms: Iterable[int]) -> int:
    packed = 0
    for room in rooms:
        packed = packed << ROOM_BITS | room
    return packed


@cache
def _arrangements() -> Limbs:
    """Return the arrangements of the cards that are left, high and low, by the rooms of hands."""
    table = np.zeros((1 << ROOM_BITS * _SEATS, 2), np.uint64)
    for rooms in product(range(HAND_SIZE + 1), repeat=_SEATS):
        table[_packed(rooms)] = divmod(arrangements(rooms), 1 << 64)
    return table
