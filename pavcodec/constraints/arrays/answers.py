"""Answers of vectors for rows of a chunk, with as few evaluations as possible.

A *vector* is a node in the form that is evaluated for many rows; its *answer* for some rows is an
array of values. The vector of an operator is a generator: it yields the vectors of its operands and
receives their answers, as an operator of `evaluate` does. So the depth of nested operators has no
limit.

A vector that occurs in several places is requested several times, often for few rows, because the
other rows are decided already. Then it is evaluated for these rows only. When the cost of these
evaluations reaches the cost of all rows of the chunk, it is evaluated for all rows, and the answer
is cached.

A vector may be evaluated for rows for which `evaluate` does not evaluate the node. So a division by
0 raises no error here. It marks the row, and an operator copies the marks of those operands that
`evaluate` would evaluate.
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from pavcodec.constraints.arrays.leaves import Chunk

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Truth = NDArray[np.bool_]
    Places = NDArray[np.intp]

__all__ = ["Answer", "Asking", "Rows", "Vector", "answer", "either"]

_PRICE = 8192
"""The fixed cost of one request, as a number of rows."""
_FEW = 1, 4
"""The largest share of rows, as a fraction, for which a separate evaluation is faster."""


class Answer(NamedTuple):
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

    def take(self, places: Places) -> Answer:
        """Return the answer for some of the rows."""
        if not self.values.ndim:
            return self
        wrong = None if self.wrong is None else self.wrong.take(places)
        return Answer(self.values.take(places), wrong)


Asking = Generator[tuple["Vector", "Rows"], Answer, Answer]
"""A generator that yields (vector, rows), receives their answers, and returns an answer."""


@dataclass(frozen=True, eq=False)
class Vector:
    """A node in the form that is evaluated for many rows; its values are from `low` to `high`.

    `shared` is true if the node occurs in several places.
    """

    low: int
    high: int
    work: Callable[[Rows], Answer | Asking]
    """Return the answer, or a generator that first requests other answers."""
    shared: bool = False


class Rows:
    """Some rows of a chunk, or all if `places` is None, with the cached answers for them.

    `whole` is the object for all rows of the chunk; None if this is the one.
    """

    def __init__(
        self, chunk: Chunk, places: Places | None = None, whole: Rows | None = None
    ) -> None:
        self.chunk = chunk
        self.places = places
        self._whole = whole
        self._known: dict[Vector, Answer] = {}
        self._spent: dict[Vector, int] = {}

    def __len__(self) -> int:
        return self.chunk.rows if self.places is None else len(self.places)

    @property
    def indexes(self) -> Places | slice:
        """The index of these rows in an array with one entry for each row of the chunk."""
        return slice(None) if self.places is None else self.places

    def pick(self, places: Places) -> Rows:
        """Return the rows at some positions within these rows."""
        chosen = places if self.places is None else self.places.take(places)
        return Rows(self.chunk, chosen, self._whole or self)

    def few(self, truth: Truth, vector: Vector) -> Places | None:
        """Return the positions of the true rows if a vector should be evaluated for them only.

        Returns None if the vector should be evaluated for all these rows.
        """
        count = int(np.count_nonzero(truth))
        if count * _FEW[1] > len(self) * _FEW[0] or vector.low == vector.high:
            return None
        return None if self.known(vector) is not None else np.flatnonzero(truth)

    def known(self, vector: Vector) -> Answer | None:
        """Return the cached answer of a vector for these rows; None if there is none."""
        found = self._known.get(vector)
        if found is None and self._whole is not None and self.places is not None:
            kept = self._whole._known.get(vector)
            if kept is not None:
                found = self._known[vector] = kept.take(self.places)
        return found

    def keep(self, vector: Vector, found: Answer) -> None:
        """Cache an answer if the vector occurs in several places."""
        if vector.shared:
            self._known[vector] = found

    def for_all(self, vector: Vector) -> Rows:
        """Return the rows for which to evaluate a vector: these rows, or all rows of the chunk.

        The rows of each request for a shared vector add to its cost. All rows are returned when
        this cost is higher than that of the whole chunk.
        """
        whole = self._whole
        if whole is None or not vector.shared:
            return self
        spent = whole._spent[vector] = whole._spent.get(vector, 0) + len(self) + _PRICE
        return whole if spent > len(whole) else self


def answer(vector: Vector, rows: Rows) -> Answer:
    """Return the answer of a vector for some rows; evaluate all vectors that it needs."""
    pending: list[_Open] = []
    asked = vector, rows
    while True:
        found = _begin(*asked, pending)
        while True:
            if found is not None and not pending:
                return found
            try:
                asked = pending[-1].asking.send(found)  # type: ignore[arg-type]  # None to begin
                break
            except StopIteration as done:
                found = pending.pop().answered(done.value)


class _Open(NamedTuple):
    """An unfinished vector: `rows` are the requested rows, `worked` the rows of the evaluation."""

    vector: Vector
    rows: Rows
    worked: Rows
    asking: Asking

    def answered(self, found: Answer) -> Answer:
        """Cache an answer, and return its part for the requested rows."""
        return _cached(self.vector, self.rows, self.worked, found)


def _begin(vector: Vector, rows: Rows, pending: list[_Open]) -> Answer | None:
    """Return the answer if it needs no other answers; otherwise add the vector to `pending`."""
    found = rows.known(vector)
    if found is not None:
        return found
    worked = rows.for_all(vector)
    begun = vector.work(worked)
    if isinstance(begun, Answer):
        return _cached(vector, rows, worked, begun)
    pending.append(_Open(vector, rows, worked, begun))
    return None


def _cached(vector: Vector, rows: Rows, worked: Rows, found: Answer) -> Answer:
    worked.keep(vector, found)
    return found if worked is rows or rows.places is None else found.take(rows.places)


def either(one: Truth | None, other: Truth | None) -> Truth | None:
    """Return the marks that are true where one or the other is true."""
    if one is None or other is None:
        return other if one is None else one
    return one | other
