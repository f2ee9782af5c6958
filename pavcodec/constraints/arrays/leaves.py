"""Functions of a hand for many layouts: tables by holding and by shape.

`pavcodec.layout.hand` defines the functions of a hand, and all tables are computed from
these definitions.
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from pavcodec.cards import SUIT_SIZE, Seat, Suit
from pavcodec.constraints.arrays.operators import Values
from pavcodec.constraints.nodes.syntax import OfHand
from pavcodec.layout.columns import (
    Kind,
    SuitTable,
    holdings_of,
    lengths_values,
    narrowest,
    suit_values,
)
from pavcodec.layout.hand import LENGTH, OfLengths, SumOverSuits

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from pavcodec.arrays import Owners

    Truth = NDArray[np.bool_]
    Places = NDArray[np.intp]


MOST = (1 << 63) - 1
"""The greatest absolute value of a number; so `abs` of every number fits in 64 bits."""

_LENGTH_BITS = 4


@dataclass(frozen=True, eq=False)
class LookUp:
    """A function of one hand: a sum of values of its suits, plus a value of its shape.

    `tables` has for each suit that counts a table from the holding to a value. `shapes` is a table
    from the packed lengths to a value; None if the shape does not count.
    """

    seat: Seat
    tables: tuple[tuple[Suit, SuitTable], ...]
    shapes: SuitTable | None = None

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
    if isinstance(function, OfLengths):
        return LookUp(node.seat, (), _by_shape(function))
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


@lru_cache(128)
def _by_shape(function: OfLengths) -> SuitTable:
    """Return a table: from packed lengths to the value of a function of the lengths."""
    values = lengths_values(function)
    table = np.zeros((1 << _LENGTH_BITS,) * len(Suit), values.dtype)
    table[(slice(SUIT_SIZE + 1),) * len(Suit)] = values.transpose()
    return table.reshape(-1)


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


# Answers of vectors for rows of a chunk, with as few evaluations as possible.
#
# A *vector* is a node in the form that is evaluated for many rows; its *answer* for some rows is an
# array of values. The vector of an operator is a generator: it yields the vectors of its operands
# and receives their answers, as an operator of `evaluate` does. So the depth of nested operators
# has no limit.
#
# A vector that occurs in several places is requested several times, often for few rows, because the
# other rows are decided already. Then it is evaluated for these rows only. When the cost of these
# evaluations reaches the cost of all rows of the chunk, it is evaluated for all rows, and the
# answer is cached.
#
# A vector may be evaluated for rows for which `evaluate` does not evaluate the node. So a division
# by 0 raises no error here. It marks the row, and an operator copies the marks of those operands
# that `evaluate` would evaluate.


_PRICE = 8192
"""The fixed cost of one request, as a number of rows."""
_FEW = 1, 4
"""The largest share of rows, as a fraction, for which a separate evaluation is faster."""


class VectorAnswer(NamedTuple):
    """The values of a vector for some rows, and marks of faults.

    `values` is an array with one value for each row, or a 0-dimensional array if all rows have the
    same value. The type is `bool` for a condition, and for a number an integer type with enough
    bits. `wrong` is a `bool` array: where it is true, `evaluate` raises an error and the value has
    no meaning. None is an array without marks.
    """

    values: Any
    wrong: Truth | None = None

    @property
    def truth(self) -> Truth:
        """Whether the values are not 0."""
        truth: Truth = self.values if self.values.dtype == np.bool_ else self.values != 0
        return truth

    def take(self, places: Places) -> VectorAnswer:
        """Return the answer for some of the rows."""
        if not self.values.ndim:
            return self
        wrong = None if self.wrong is None else self.wrong.take(places)
        return VectorAnswer(self.values.take(places), wrong)


Asking = Generator[tuple["Vector", "ChunkRows"], VectorAnswer, VectorAnswer]
"""A generator that yields (vector, rows), receives their answers, and returns an answer."""


@dataclass(frozen=True, eq=False)
class Vector:
    """A node in the form that is evaluated for many rows; its values are from `low` to `high`.

    `shared` is true if the node occurs in several places.
    """

    low: int
    high: int
    work: Callable[[ChunkRows], VectorAnswer | Asking]
    """Return the answer, or a generator that first requests other answers."""
    shared: bool = False


class ChunkRows:
    """Some rows of a chunk, or all if `places` is None, with the cached answers for them.

    `whole` is the object for all rows of the chunk; None if this is the one.
    """

    def __init__(
        self, chunk: Chunk, places: Places | None = None, whole: ChunkRows | None = None
    ) -> None:
        self.chunk = chunk
        self.places = places
        self._whole = whole
        self._known: dict[Vector, VectorAnswer] = {}
        self._spent: dict[Vector, int] = {}

    def __len__(self) -> int:
        return self.chunk.rows if self.places is None else len(self.places)

    @property
    def indexes(self) -> Places | slice:
        """The index of these rows in an array with one entry for each row of the chunk."""
        return slice(None) if self.places is None else self.places

    def pick(self, places: Places) -> ChunkRows:
        """Return the rows at some positions within these rows."""
        chosen = places if self.places is None else self.places.take(places)
        return ChunkRows(self.chunk, chosen, self._whole or self)

    def few(self, truth: Truth, vector: Vector) -> Places | None:
        """Return the positions of the true rows if a vector should be evaluated for them only.

        Returns None if the vector should be evaluated for all these rows.
        """
        count = int(np.count_nonzero(truth))
        if count * _FEW[1] > len(self) * _FEW[0] or vector.low == vector.high:
            return None
        return None if self.known(vector) is not None else np.flatnonzero(truth)

    def known(self, vector: Vector) -> VectorAnswer | None:
        """Return the cached answer of a vector for these rows; None if there is none."""
        cached = self._known.get(vector)
        if cached is None and self._whole is not None and self.places is not None:
            kept = self._whole._known.get(vector)
            if kept is not None:
                cached = self._known[vector] = kept.take(self.places)
        return cached

    def keep(self, vector: Vector, computed: VectorAnswer) -> None:
        """Cache an answer if the vector occurs in several places."""
        if vector.shared:
            self._known[vector] = computed

    def for_all(self, vector: Vector) -> ChunkRows:
        """Return the rows for which to evaluate a vector: these rows, or all rows of the chunk.

        The rows of each request for a shared vector add to its cost. All rows are returned when
        this cost is higher than that of the whole chunk.
        """
        whole = self._whole
        if whole is None or not vector.shared:
            return self
        spent = whole._spent[vector] = whole._spent.get(vector, 0) + len(self) + _PRICE
        return whole if spent > len(whole) else self


def answer(vector: Vector, rows: ChunkRows) -> VectorAnswer:
    """Return the answer of a vector for some rows; evaluate all vectors that it needs."""
    pending: list[_Open] = []
    asked = vector, rows
    while True:
        reply = _begin(*asked, pending)
        while True:
            if reply is not None and not pending:
                return reply
            try:
                asked = pending[-1].asking.send(reply)  # type: ignore[arg-type]  # None to begin
                break
            except StopIteration as done:
                opened = pending.pop()
                reply = _cached(opened.vector, opened.rows, opened.worked, done.value)


class _Open(NamedTuple):
    """An unfinished vector: `rows` are the requested rows, `worked` the rows of the evaluation."""

    vector: Vector
    rows: ChunkRows
    worked: ChunkRows
    asking: Asking


def _begin(vector: Vector, rows: ChunkRows, pending: list[_Open]) -> VectorAnswer | None:
    """Return the answer if it needs no other answers; otherwise add the vector to `pending`."""
    cached = rows.known(vector)
    if cached is not None:
        return cached
    worked = rows.for_all(vector)
    begun = vector.work(worked)
    if isinstance(begun, VectorAnswer):
        return _cached(vector, rows, worked, begun)
    pending.append(_Open(vector, rows, worked, begun))
    return None


def _cached(
    vector: Vector, rows: ChunkRows, worked: ChunkRows, computed: VectorAnswer
) -> VectorAnswer:
    worked.keep(vector, computed)
    return computed if worked is rows or rows.places is None else computed.take(rows.places)


def either(one: Truth | None, other: Truth | None) -> Truth | None:
    """Return the marks that are true where one or the other is true."""
    if one is None or other is None:
        return other if one is None else one
    return one | other
