"""What vectors answer for rows of a chunk, each worked out as seldom as can be.

A vector asks other vectors for their answers, as an operator of the definition asks for values; so
vectors may stand within one another as deep as they like. What stands in several places is asked
several times, mostly for few rows that are left: then it is worked out for these. Once that has
cost as much as all rows of the chunk would, it is worked out for all of them, and kept.

An answer may be asked for rows for which the definition does not come to it. So a division by 0 is
no fault here, but a mark: an operator passes on the marks of what it comes to.
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
"""The rows that cost about as much as asking once more."""
_FEW = 1, 4
"""The share of rows up to which it pays to go on with these alone."""


class Answer(NamedTuple):
    """The values for some rows, one alone where it is the same for all, and marks of faults.

    Values of conditions are `bool`, those of numbers integers that have room for them. Where
    `wrong` is marked, the definition raises, and the value says nothing; None is for no marks.
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
"""Yields vectors with rows, gets their answers, and returns an answer."""


@dataclass(frozen=True, eq=False)
class Vector:
    """A node as it is worked out for many rows: all its values are from `low` to `high`.

    One that is `shared` stands in several places.
    """

    low: int
    high: int
    work: Callable[[Rows], Answer | Asking]
    """Answers, or starts to ask."""
    shared: bool = False


class Rows:
    """Some rows of a chunk, or all of them where `places` is None, with what is known of them."""

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
        """What picks these rows from an array that has a row for each of the chunk."""
        return slice(None) if self.places is None else self.places

    def pick(self, places: Places) -> Rows:
        """Return the rows at some places among these."""
        chosen = places if self.places is None else self.places.take(places)
        return Rows(self.chunk, chosen, self._whole or self)

    def few(self, truth: Truth, vector: Vector) -> Places | None:
        """Return the places of rows, if a vector had better be asked for these alone."""
        count = int(np.count_nonzero(truth))
        if count * _FEW[1] > len(self) * _FEW[0] or vector.low == vector.high:
            return None
        return None if self.known(vector) is not None else np.flatnonzero(truth)

    def known(self, vector: Vector) -> Answer | None:
        """Return an answer that is there already."""
        found = self._known.get(vector)
        if found is None and self._whole is not None and self.places is not None:
            kept = self._whole._known.get(vector)
            if kept is not None:
                found = self._known[vector] = kept.take(self.places)
        return found

    def keep(self, vector: Vector, found: Answer) -> None:
        """Keep an answer, if it may be asked for again."""
        if vector.shared:
            self._known[vector] = found

    def for_all(self, vector: Vector) -> Rows:
        """Return the rows to work a vector out for: these, or all once these have cost as much."""
        whole = self._whole
        if whole is None or not vector.shared:
            return self
        spent = whole._spent[vector] = whole._spent.get(vector, 0) + len(self) + _PRICE
        return whole if spent > len(whole) else self


def answer(vector: Vector, rows: Rows) -> Answer:
    """Return what a vector answers for some rows, with all that it asks for."""
    pending: list[_Open] = []
    asked = vector, rows
    while True:
        found = _soon(*asked, pending)
        while True:
            if found is not None and not pending:
                return found
            try:
                asked = pending[-1].asking.send(found)  # type: ignore[arg-type]  # None to begin
                break
            except StopIteration as done:
                found = pending.pop().answered(done.value)


class _Open(NamedTuple):
    """A vector that asks others: for the rows that it was asked for, or for more of them."""

    vector: Vector
    rows: Rows
    worked: Rows
    asking: Asking

    def answered(self, found: Answer) -> Answer:
        """Keep an answer, and return that for the rows asked for."""
        return _kept(self.vector, self.rows, self.worked, found)


def _soon(vector: Vector, rows: Rows, pending: list[_Open]) -> Answer | None:
    """Return an answer if it asks for nothing, else begin with it."""
    found = rows.known(vector)
    if found is not None:
        return found
    worked = rows.for_all(vector)
    begun = vector.work(worked)
    if isinstance(begun, Answer):
        return _kept(vector, rows, worked, begun)
    pending.append(_Open(vector, rows, worked, begun))
    return None


def _kept(vector: Vector, rows: Rows, worked: Rows, found: Answer) -> Answer:
    worked.keep(vector, found)
    return found if worked is rows or rows.places is None else found.take(rows.places)


def either(one: Truth | None, other: Truth | None) -> Truth | None:
    """Join marks."""
    if one is None or other is None:
        return other if one is None else one
    return one | other
