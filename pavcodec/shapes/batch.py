"""Shapes of hands in arrays of layouts, and lookup tables by shape index."""

from __future__ import annotations

from functools import lru_cache
from math import comb
from typing import TYPE_CHECKING, Any

import numpy as np

from pavcodec.cards import DECK_SIZE, HAND_SIZE, SUIT_SIZE, UNUSED, Seat
from pavcodec.errors import LayoutError
from pavcodec.shapes.shapes import SHAPES

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["bits_table", "places_table", "shape_indexes"]

_AT_ONCE = 1 << 14
_SUITS = DECK_SIZE // SUIT_SIZE
_CHOOSE_TWO = np.array([comb(length + 1, 2) for length in range(HAND_SIZE + 1)], np.uint16)
_CHOOSE_THREE = np.array([comb(length + 2, 3) for length in range(HAND_SIZE + 1)], np.uint16)


def shape_indexes(owners: Any, seat: Seat | int | str) -> NDArray[np.uint16]:  # noqa: ANN401
    """Return the shape indexes of a seat in squashed order: `uint8[n, 52]` to `uint16[n]`.

    Raises `LayoutError`, with the row, if the seat does not hold 13 cards or an owner is above 4,
    and `TypeError` if `owners` is not such an array.

    >>> from pavcodec import numbering
    >>> shape_indexes(numbering("deal").sample_many(3, seed=7), "north").tolist()
    [187, 188, 237]
    """
    expected = f"owners are an array uint8[n, {DECK_SIZE}]"
    if not isinstance(owners, np.ndarray):
        raise TypeError(f"{expected}, not {type(owners).__name__!r}")
    if owners.dtype != np.uint8 or owners.ndim != 2 or owners.shape[1] != DECK_SIZE:
        raise TypeError(f"{expected}, not {owners.dtype}{list(owners.shape)}")
    holder = Seat.of(seat)
    indexes = np.empty(len(owners), np.uint16)
    for start in range(0, len(owners), _AT_ONCE):
        rows = owners[start : start + _AT_ONCE]
        indexes[start : start + _AT_ONCE] = _indexes(rows, holder, start)
    return indexes


def _indexes(rows: NDArray[np.uint8], seat: Seat, first: int) -> NDArray[np.uint16]:
    unknown = np.flatnonzero(rows.max(axis=1, initial=0) > UNUSED)
    if len(unknown):
        row = int(unknown[0])
        owner = rows[row].max()
        raise LayoutError(f"row {first + row}: an owner is 0 to {UNUSED}, not {owner}")
    held = (rows == seat).reshape(len(rows), _SUITS, SUIT_SIZE)
    upto = held.sum(axis=2, dtype=np.uint8).cumsum(axis=1, dtype=np.uint8)
    wrong = np.flatnonzero(upto[:, -1] != HAND_SIZE)
    if len(wrong):
        row, name = int(wrong[0]), seat.name.title()
        held_cards = f"{name} holds {upto[row, -1]}"
        raise LayoutError(f"row {first + row}: a shape has {HAND_SIZE} cards, and {held_cards}")
    found: NDArray[np.uint16] = _CHOOSE_THREE[upto[:, 2]] + _CHOOSE_TWO[upto[:, 1]] + upto[:, 0]
    return found


@lru_cache(64)
def bits_table(bits: int) -> NDArray[np.bool_]:
    """Return an array by shape index: whether this bit is set."""
    return np.array([bits >> index & 1 for index in range(len(SHAPES))], bool)


@lru_cache(64)
def places_table(places: tuple[int, ...]) -> NDArray[np.uint16]:
    """Return places by shape index, as an array."""
    return np.array(places, np.uint16)
