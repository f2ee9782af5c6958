"""What is looked up of hands, for many layouts at once: tables by holding and by shape.

Every table is made by calling the functions that define the language, once for each of the 8192
holdings of a suit or for each row of four lengths, so that there is one meaning.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache
from itertools import product
from typing import TYPE_CHECKING, Any

import numpy as np

from pavcodec.arrays.chunks import refuse
from pavcodec.arrays.owners.holdings import Holdings, write_holdings
from pavcodec.cards import SUIT_SIZE, Seat, Suit
from pavcodec.constraints.arrays.operators import Values
from pavcodec.constraints.bridge_world import shape_value, suit_quality, suit_value
from pavcodec.constraints.evaluation.evaluate import losers_of, points_of
from pavcodec.constraints.nodes.holdings import SmallHolding, holdings_of
from pavcodec.constraints.nodes.syntax import (
    CardSum,
    Cccc,
    HasCard,
    Holding,
    InShapes,
    Length,
    Losers,
    Node,
    Quality,
)
from pavcodec.layout import Layout

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from pavcodec.arrays.owners.rows import Owners

__all__ = ["LEAVES", "MOST", "Chunk", "Kind", "LookUp", "look_up_of", "narrowest"]

Kind = type[np.signedinteger[Any]]

MOST = (1 << 63) - 1
"""The largest number, with either sign; `abs` of all numbers has room then."""

LEAVES = (CardSum, Cccc, HasCard, Holding, InShapes, Length, Losers, Quality)
"""The nodes that are functions of one hand."""

_LENGTH_BITS = 4
_SHAPES = 1 << _LENGTH_BITS * len(Suit)


@dataclass(frozen=True, eq=False)
class LookUp:
    """A number of one hand: the sum of what its suits say, and its shape if that says anything.

    `tables` has the values by holding for each suit that counts, `shapes` those by packed lengths.
    """

    seat: Seat
    tables: tuple[tuple[Suit, Values], ...]
    shapes: NDArray[np.int16] | None = None

    @property
    def low(self) -> int:
        """A number that no value is below."""
        return sum(int(table.min()) for table in self._all)

    @property
    def high(self) -> int:
        """A number that no value is above."""
        return sum(int(table.max()) for table in self._all)

    @cached_property
    def kind(self) -> Kind:
        """The integers that all values fit in, and all sums on the way."""
        return narrowest(sum(int(np.abs(table).max()) for table in self._all))

    @property
    def _all(self) -> list[Any]:
        tables: list[Any] = [table for _, table in self.tables]
        return tables if self.shapes is None else [*tables, self.shapes]


def narrowest(*values: int) -> Kind:
    """Return the smallest integers that some numbers fit in, with either sign.

    >>> narrowest(-40, 3000).__name__, narrowest(70_000).__name__, narrowest(MOST).__name__
    ('int16', 'int32', 'int64')
    """
    most = max(map(abs, values))
    return np.int16 if most < 1 << 15 else np.int32 if most < 1 << 31 else np.int64


class Chunk:
    """Some layouts, what each seat holds of each suit, and what was looked up already.

    Raises `LayoutError` for owners that are none, with the row, `first` being that of the first.
    """

    def __init__(self, owners: Owners, first: int = 0) -> None:
        rows = np.require(owners, requirements=["C", "W"])
        self.rows = len(rows)
        self._holdings: Holdings = np.empty((len(Seat), len(Suit), self.rows), np.uint16)
        wrong = write_holdings(rows, self._holdings)
        if wrong >= 0:
            refuse(first + wrong, lambda: Layout(rows[wrong].tobytes()))
        self._shapes: dict[Seat, Values] = {}

    def values(self, look_up: LookUp, places: NDArray[np.intp] | None = None) -> NDArray[Any]:
        """Return what is looked up of some rows, or of all."""
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


def look_up_of(node: Node) -> LookUp | None:  # noqa: PLR0911 (one for each kind of leaf)
    """Return how a leaf is looked up; None for points that have no room."""
    match node:
        case CardSum(_, seat, suit, points):
            if len(Suit) * sum(map(abs, points)) > MOST:
                return None
            return _by_suit(seat, suit, points_of, points)
        case Length(seat, suit):
            return _by_suit(seat, suit, len)
        case Losers(seat, suit):
            return _by_suit(seat, suit, losers_of)
        case Quality(seat, suit):
            return _by_suit(seat, suit, suit_quality)
        case Holding(seat, suit, holding):
            return _by_suit(seat, suit, SmallHolding.fits, holding)
        case HasCard(seat, card):
            one = tuple(int(rank == card.rank) for rank in range(SUIT_SIZE))
            return _by_suit(seat, card.suit, points_of, one)
        case InShapes(seat, shapes):
            return LookUp(seat, (), _shapes_in(shapes))
        case Cccc(seat):
            return LookUp(seat, _by_suit(seat, None, suit_value).tables, _shape_values())
    raise TypeError(f"{node!r} is no function of one hand")


def _by_suit(
    seat: Seat, suit: Suit | None, function: Callable[..., int], *details: object
) -> LookUp:
    """Look up a function of the ranks held in a suit, or its sum over all suits."""
    table = _table(function, *details)
    return LookUp(seat, tuple((each, table) for each in (Suit if suit is None else [suit])))


@lru_cache(128)
def _table(function: Callable[..., int], *details: object) -> Values:
    """Return the values of a function by holding; details come before the ranks."""
    values = [int(function(*details, ranks)) for ranks in _all_holdings()]
    return np.array(values, narrowest(*values))


@cache
def _all_holdings() -> list[str]:
    return holdings_of(SUIT_SIZE)


@cache
def _packed_lengths(suit: Suit) -> Values:
    """Return by holding what its length adds to the packed lengths of a hand."""
    return _table(len).astype(np.int64) << _LENGTH_BITS * suit


def _packed(lengths: tuple[int, ...]) -> int:
    return sum(length << _LENGTH_BITS * suit for suit, length in enumerate(lengths))


@lru_cache(128)
def _shapes_in(shapes: frozenset[tuple[int, int, int, int]]) -> NDArray[np.int16]:
    """Return by packed lengths whether they are among some shapes."""
    table = np.zeros(_SHAPES, np.int16)
    table[[_packed(shape) for shape in shapes]] = 1
    return table


@cache
def _shape_values() -> NDArray[np.int16]:
    """Return by packed lengths what they add to the value of a hand (`cccc`)."""
    table = np.zeros(_SHAPES, np.int16)
    for lengths in product(range(SUIT_SIZE + 1), repeat=len(Suit)):
        table[_packed(lengths)] = shape_value(lengths)
    return table
