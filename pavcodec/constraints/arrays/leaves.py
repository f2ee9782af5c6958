"""Functions of a hand for many layouts: tables by holding and by shape.

`pavcodec.layout.hand_functions` defines the functions of a hand, and all tables are computed from
these definitions.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, cached_property, lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np

from pavcodec.arrays.owners.hand_tables import Kind, SuitTable, narrowest, suit_values
from pavcodec.arrays.owners.holdings import holdings_of
from pavcodec.cards import Seat, Suit
from pavcodec.constraints.arrays.operators import Values
from pavcodec.constraints.nodes.syntax import OfHand
from pavcodec.layout.hand_functions import LENGTH, LengthsAmong, SumOverSuits

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from pavcodec.arrays.owners.rows import Owners

__all__ = ["MOST", "Chunk", "LookUp", "look_up_of"]

MOST = (1 << 63) - 1
"""The greatest absolute value of a number; so `abs` of every number fits in 64 bits."""

_LENGTH_BITS = 4
_SHAPES = 1 << _LENGTH_BITS * len(Suit)


@dataclass(frozen=True, eq=False)
class LookUp:
    """A function of one hand: a sum of values of its suits, plus a value of its shape.

    `tables` has for each suit that counts a table from the holding to a value. `shapes` is a table
    from the packed lengths to a value; None if the shape does not count.
    """

    seat: Seat
    tables: tuple[tuple[Suit, SuitTable], ...]
    shapes: NDArray[np.int16] | None = None

    @property
    def low(self) -> int:
        """A lower bound of all values."""
        return sum(int(table.min()) for table in self._all)

    @property
    def high(self) -> int:
        """An upper bound of all values."""
        return sum(int(table.max()) for table in self._all)

    @cached_property
    def kind(self) -> Kind:
        """The integer type that all values and all intermediate sums fit in."""
        return narrowest(sum(int(np.abs(table).max()) for table in self._all))

    @property
    def _all(self) -> list[Any]:
        tables: list[Any] = [table for _, table in self.tables]
        return tables if self.shapes is None else [*tables, self.shapes]


class Chunk:
    """Some layouts, with the holding of each seat in each suit, and cached shapes.

    Raises `LayoutError` for a row that is no layout; the message counts rows from `first`.
    """

    def __init__(self, owners: Owners, first: int = 0) -> None:
        self.rows = len(owners)
        self._holdings = holdings_of(owners, first)
        self._shapes: dict[Seat, Values] = {}

    def values(self, look_up: LookUp, places: NDArray[np.intp] | None = None) -> NDArray[Any]:
        """Return the values of a function for the rows at `places`, or for all rows."""
        total = np.zeros(self.rows if places is None else len(places), look_up.kind)
        for suit, table in look_up.tables:
            held = self._holdings[look_up.seat, suit]
            total += table.take(held if places is None else held.take(places))
        if look_up.shapes is not None:
            shapes = self._shape(look_up.seat)
            total += look_up.shapes.take(shapes if places is None else shapes.take(places))
        return total

    def _shape(self, seat: Seat) -> Values:
        """Return the packed lengths of a seat."""
        if seat not in self._shapes:
            packed = np.zeros(self.rows, np.int64)
            for suit in Suit:
                packed += _packed_lengths(suit).take(self._holdings[seat, suit])
            self._shapes[seat] = packed
        return self._shapes[seat]


def look_up_of(node: OfHand) -> LookUp | None:
    """Return the tables of a function of a hand; None if its points do not fit in 64 bits."""
    function, shapes = node.function, None
    if isinstance(function, LengthsAmong):
        return LookUp(node.seat, (), _shapes_in(function.shapes))
    if isinstance(function, SumOverSuits):
        shapes = _short_suits(function) if function.shortness else None
    elif len(Suit) * sum(map(abs, function.weights)) > MOST:
        return None
    table = suit_values(function)
    tables = tuple((suit, table) for suit in (Suit if node.suit is None else [node.suit]))
    return LookUp(node.seat, tables, shapes)


@cache
def _packed_lengths(suit: Suit) -> Values:
    """Return a table: from a holding in a suit to its length at the suit's packed bits."""
    return suit_values(LENGTH).astype(np.int64) << _LENGTH_BITS * suit


def _packed(lengths: tuple[int, ...]) -> int:
    return sum(length << _LENGTH_BITS * suit for suit, length in enumerate(lengths))


@lru_cache(128)
def _shapes_in(shapes: frozenset[tuple[int, ...]]) -> NDArray[np.int16]:
    """Return a table: from packed lengths to 1 if they are among some shapes, otherwise 0."""
    table = np.zeros(_SHAPES, np.int16)
    table[[_packed(shape) for shape in shapes]] = 1
    return table


@cache
def _short_suits(function: SumOverSuits) -> NDArray[np.int16]:
    """Return a table: from packed lengths to the value that short suits add to a function."""
    lengths = np.indices((1 << _LENGTH_BITS,) * len(Suit), np.int8).reshape(len(Suit), -1)
    by_length = np.zeros(1 << _LENGTH_BITS, np.int16)
    by_length[: len(function.shortness)] = function.shortness
    is_short = (lengths < len(function.shortness)).any(axis=0)
    once = np.where(is_short, np.int16(function.if_any_short), np.int16(function.if_none_short))
    table: NDArray[np.int16] = by_length[lengths].sum(axis=0, dtype=np.int16) + once
    return table
