"""Read views: the owners of the arrays of a program."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from pavcodec.arrays.owners.hand_tables import are_deals
from pavcodec.arrays.views.orders import KEYS, FeatureView, owners_of_keys
from pavcodec.arrays.views.writing import DDS_BITS, hand_start
from pavcodec.cards import DECK_SIZE, HAND_SIZE, UNUSED
from pavcodec.errors import LayoutError

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from pavcodec.arrays.owners.rows import Owners


_SEATS = 4
_PHASES = 2
"""The phases of open_spiel whose observations have the form of the auction."""


def read_view(view: FeatureView, array: NDArray[Any], turns: NDArray[np.uint8]) -> Owners:
    """Return the owners of the arrays of a view; where it shows one hand, others are unused.

    `turns` are those of `write_view`. Raises `LayoutError` for a view that does not determine the
    cards, and with the first row that no layout has.
    """
    if view.gives == "nothing":
        raise LayoutError(
            f"view {view.name!r} counts the cards from the seven down together, so several deals "
            "have the same array, and it gives no owners"
        )
    owners = _READERS.get(view.name, _read_planes)(view, array)
    return np.where(owners < _SEATS, (owners + turns[:, None]) % _SEATS, owners).astype(np.uint8)


def _refuse(wrong: Any, reason: str) -> None:
    """Raise `LayoutError` with the first wrong row, if there is one."""
    rows = np.flatnonzero(wrong)
    if len(rows):
        raise LayoutError(f"row {rows[0]}: {reason}")


def _are_whole(array: NDArray[Any]) -> NDArray[np.bool_]:
    """Return whether each number is an integer; NaN is none."""
    return np.asarray(array == np.floor(array), np.bool_)


def _read_planes(view: FeatureView, array: NDArray[Any]) -> Owners:
    """Return the owners of hands of places, each 0 or 1."""
    return _owners_of_planes(view, array if array.ndim > 2 else array[:, None])


def _owners_of_planes(view: FeatureView, hands: NDArray[Any]) -> Owners:
    owners = np.full((len(hands), DECK_SIZE), UNUSED, np.uint8)
    for seat in range(hands.shape[1]):
        cards = hands[:, seat, view.order.places]
        is_held = cards == 1
        _refuse(((cards != 0) & ~is_held).any(axis=1), f"view {view.name!r} has only 0 and 1")
        _refuse((is_held & (owners != UNUSED)).any(axis=1), "two hands hold the same card")
        owners[is_held] = seat
    return owners


def _read_observation(view: FeatureView, array: NDArray[Any]) -> Owners:
    """Return the owners of the hand in an observation of the auction."""
    if view.name.startswith("openspiel"):
        in_auction = array[:, :_PHASES].sum(axis=1) == 1
        reason = "this observation is of the play, and has another form than that of the auction"
        _refuse(~in_auction, reason)
    first = hand_start(view)
    owners = _owners_of_planes(view, array[:, None, first : first + view.order.width])
    _refuse((owners == 0).sum(axis=1) != HAND_SIZE, f"a hand has {HAND_SIZE} cards")
    return owners


def _read_hands(view: FeatureView, array: NDArray[Any]) -> Owners:
    """Return the owners of places of cards in the order of hands."""
    is_whole = (np.sort(array, axis=1) == np.arange(DECK_SIZE)).all(axis=1)
    _refuse(~is_whole, f"view {view.name!r} has each number from 0 to {DECK_SIZE - 1} once")
    positions = np.arange(DECK_SIZE)
    seats = positions // HAND_SIZE if view.name == "pgx" else positions % _SEATS
    owners = np.empty((len(array), DECK_SIZE), np.uint8)
    places = array.astype(np.intp)
    np.put_along_axis(owners, places, np.broadcast_to(seats, places.shape).astype(np.uint8), axis=1)
    return owners[:, view.order.places]


def _read_keys(_view: FeatureView, array: NDArray[Any]) -> Owners:
    """Return the owners of four numbers, one for each suit."""
    fits = (array >= 0) & (array < KEYS) & _are_whole(array)
    _refuse(~fits.all(axis=1), f"a number is an integer from 0 to {KEYS - 1}")
    owners = owners_of_keys(array)
    _refuse(~are_deals(owners), f"a hand has {HAND_SIZE} cards")
    return owners


def _read_dds(_view: FeatureView, array: NDArray[Any]) -> Owners:
    """Return the owners of a number of bits for each hand and suit."""
    known = int(DDS_BITS.sum())
    fits = (array >= 0) & (array <= known) & _are_whole(array)
    words = np.where(fits, array, 0).astype(np.int64)
    fits &= words & ~known == 0
    _refuse(~fits.all(axis=(1, 2)), "a number is an integer with bits 2 to 14")
    held = (words[:, :, :, None] & DDS_BITS != 0).reshape(len(array), _SEATS, DECK_SIZE)
    _refuse((held.sum(axis=1) > 1).any(axis=1), "two hands hold the same card")
    owners = np.where(held.any(axis=1), held.argmax(axis=1), UNUSED)
    return owners.astype(np.uint8)


_READERS: dict[str, Callable[[FeatureView, NDArray[Any]], Owners]] = {
    "openspiel-deal": _read_hands,
    "openspiel-observation": _read_observation,
    "pgx": _read_hands,
    "pgx-key": _read_keys,
    "pgx-observation": _read_observation,
    "dds": _read_dds,
}
"""The functions of the views that are not only numbers of cards at places."""
