"""Deals as the arrays of programs that learn, and back."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from pavcodec.arrays.chunks import Threads, checked
from pavcodec.arrays.views.catalogue import VIEWS, FeatureView, view_of
from pavcodec.arrays.views.reading import read_view
from pavcodec.arrays.views.writing import check_dtype, write_view
from pavcodec.boards import Vulnerability
from pavcodec.boards.batch import owners_of
from pavcodec.cards import DECK_SIZE, Seat
from pavcodec.layout import Layout

if TYPE_CHECKING:
    from numpy.typing import DTypeLike, NDArray

    from pavcodec.arrays.owners.rows import Owners

__all__ = ["Seats", "Vulnerable", "feature_views", "features", "owners_of_features"]

Seats: TypeAlias = "Seat | int | str | NDArray[np.uint8] | None"
"""A seat, or an array with a seat for each row."""
Vulnerable: TypeAlias = "Vulnerability | str | NDArray[np.bool_]"
"""A vulnerability, or an array `bool[n, 2]`: of North and South, and of East and West."""


def feature_views() -> tuple[FeatureView, ...]:
    """Return all views, each with its shape, dtype, order of cards, and source.

    >>> [view.name for view in feature_views() if not view.is_lossless][:3]
    ['onehot-hand', 'openspiel-hand', 'openspiel-observation']
    """
    return tuple(VIEWS.values())


def features(  # noqa: PLR0913 (keywords)
    owners: Owners | Layout | Iterable[Layout],
    view: str = "onehot",
    *,
    seat: Seats = None,
    vulnerable: Vulnerable = "None",
    dtype: DTypeLike | None = None,
    threads: Threads = None,
) -> NDArray[Any]:
    """Return deals as arrays of a view: `uint8[n, 52]` to n arrays of the view's shape.

    `feature_views` lists the views. With `seat`, the deal is turned until this seat is in the place
    of North, so that the hands are those of the seat, its left-hand opponent, its partner and its
    right-hand opponent; an array `uint8[n]` has a seat for each row. Views of one hand need a seat.
    `vulnerable` is for observations; an array `bool[n, 2]` has a row for each deal. `dtype`
    replaces that of the view if it holds all its values. A layout gives one array without n. The
    result is a new array that you may change.

    Raises `LayoutError` with the first row that is no layout, or no deal where the view needs
    deals, and `TypeError` for another array or dtype.

    >>> import pavcodec as pav
    >>> deals = pav.numbering("deal").sample_many(3, seed=7)
    >>> pav.features(deals, "openspiel").shape, pav.features(deals, "openspiel").dtype
    ((3, 4, 52), dtype('float32'))
    >>> pav.features(deals, "pgx-observation", seat="S").sum(axis=1).tolist()
    [15, 15, 15]
    >>> pav.features(pav.Deal(deals[0].tobytes()), "pgx")[:13].tolist()
    [12, 13, 14, 15, 21, 24, 27, 31, 36, 40, 42, 44, 46]
    """
    found = view_of(view)
    if isinstance(owners, Layout):
        one = features([owners], view, seat=seat, vulnerable=vulnerable, dtype=dtype)
        return one.reshape(one.shape[1:])
    if isinstance(owners, np.ndarray):
        rows = checked("owners", owners, np.uint8, DECK_SIZE)
    else:
        given: object = owners
        if not isinstance(given, Iterable):
            kind = type(given).__name__
            raise TypeError(f"deals are an array uint8[n, 52], a layout or layouts, not {kind!r}")
        rows = owners_of(owners)
    turns = _turns_of(found, seat, len(rows))
    sides = _sides_of(found, vulnerable, len(rows))
    return write_view(found, rows, turns, sides, check_dtype(found, dtype), threads)


def owners_of_features(array: NDArray[Any], view: str = "onehot", *, seat: Seats = None) -> Owners:
    """Return the owners of the arrays of a view: the inverse of `features`, as `uint8[n, 52]`.

    `seat` is that of `features`. The array may have any dtype. Views of one hand give layouts in
    which the other cards are unused. Raises `LayoutError` for a view that counts small cards
    together, with the first row that belongs to no layout, and `TypeError` for another shape.

    >>> import pavcodec as pav
    >>> deals = pav.numbering("deal").sample_many(3, seed=7)
    >>> there = pav.features(deals, "rlcard", seat="W")
    >>> bool((pav.owners_of_features(there, "rlcard", seat="W") == deals).all())
    True
    """
    found = view_of(view)
    expected = f"view {view!r} is an array of shape {['n', *found.shape]}".replace("'n'", "n")
    if not isinstance(array, np.ndarray):
        raise TypeError(f"{expected}, not {type(array).__name__!r}")
    if (
        array.shape[1:] != found.shape
        or array.dtype.kind not in "biufV"
        or (array.dtype.type is np.void)
    ):
        raise TypeError(f"{expected}, not {array.dtype}{list(array.shape)}")
    return read_view(found, array, _turns_of(found, seat, len(array)))


def _turns_of(view: FeatureView, seat: Seats, count: int) -> NDArray[np.uint8]:
    """Return the seat that takes the place of North: one for all rows, or one for each."""
    if isinstance(seat, np.ndarray):
        if seat.shape != (count,) or seat.dtype.kind not in "ui":
            found = f"{seat.dtype}{list(seat.shape)}"
            raise TypeError(f"seats are an array uint8[{count}], not {found}")
        if count and not (seat.min() >= 0 and seat.max() < len(Seat)):
            wrong = int(((seat < 0) | (seat >= len(Seat))).argmax())
            raise TypeError(f"row {wrong}: a seat is 0 to 3, not {seat[wrong]}")
        return seat.astype(np.uint8)
    if seat is None and view.needs_seat:
        raise TypeError(f"view {view.name!r} shows what one seat sees: name it, as in seat='S'")
    return np.array([0 if seat is None else Seat.of(seat)], np.uint8)


def _sides_of(view: FeatureView, vulnerable: Vulnerable, count: int) -> NDArray[np.bool_]:
    """Return whether each side is vulnerable: one row for all deals, or one for each."""
    if isinstance(vulnerable, np.ndarray):
        if vulnerable.shape != (count, 2) or vulnerable.dtype != np.bool_:
            found = f"{vulnerable.dtype}{list(vulnerable.shape)}"
            raise TypeError(f"vulnerability is an array bool[{count}, 2], not {found}")
        sides = vulnerable
    else:
        word = Vulnerability.of(vulnerable)
        both = word is Vulnerability.ALL
        sides = np.array([[both or word is Vulnerability.NS, both or word is Vulnerability.EW]])
    if sides.any() and not view.has_vulnerability:
        raise TypeError(f"view {view.name!r} has no vulnerability")
    return sides
