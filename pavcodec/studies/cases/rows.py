"""The common part of all listings, in memory or in a file: cases by position, number and hands."""

from __future__ import annotations

from abc import abstractmethod
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from operator import index as as_integer
from typing import SupportsIndex, overload

from pavcodec.errors import NumberError, shown
from pavcodec.records import Case
from pavcodec.studies.cases.cells.plan import CaseRow, Plan

__all__ = ["CaseRows"]


class CaseRows(Sequence[Case]):
    """The cases of one hand or two, in the order of the study; positions start at 0."""

    plan: Plan
    where: str

    @property
    @abstractmethod
    def cardinality(self) -> int:
        """The ways of all cases: hands for one hand, pairs of hands for two."""

    @abstractmethod
    def select(self, number: SupportsIndex) -> int:
        """Return the position of the case for a number: the first with a greater running total.

        Raise `NumberError` outside 0 to `cardinality` - 1.
        """

    @abstractmethod
    def _at(self, place: int) -> Case:
        """Return the case at a valid position."""

    @abstractmethod
    def _cases(self, start: int, stop: int) -> Iterator[Case]:
        """Yield the cases at valid positions from `start` to before `stop`."""

    def check(self, place: int) -> None:
        """Raise `ReadError` if the case of a file at a valid position is invalid."""

    def total_before(self, place: int) -> int:
        """Return the running total before a case."""
        return self._at(place - 1).total if place else 0

    def row(self, place: SupportsIndex) -> CaseRow:
        """Return a case as a row, with its number, its ways and their calculation."""
        (row,) = self.rows(as_integer(place), as_integer(place) + 1)
        return row

    def rows(self, start: int = 0, stop: int | None = None) -> Iterator[CaseRow]:
        """Yield the rows of all cases, or from position `start` to before `stop`."""
        end = len(self) if stop is None else min(stop, len(self))
        if start < end:
            before = self.total_before(start)
            for number, case in enumerate(self._cases(start, end), start=start + 1):
                self.check(number - 1)
                yield CaseRow(self.plan, number, case, case.total - before)
                before = case.total

    def place_of(self, case: Case) -> int | None:
        """Return the position of the case with these hands and any total; None if there is none.

        >>> from pavcodec import case_table
        >>> table = case_table("spades(west) == 9")
        >>> table.place_of(table[7]), table.place_of(table[7]._replace(first_pattern=0))
        (7, None)
        """
        wanted = self.plan.order(case)
        place = bisect_left(self, wanted, key=self.plan.order)
        found = place < len(self) and self.plan.order(self._at(place)) == wanted
        return place if found else None

    @overload
    def __getitem__(self, place: SupportsIndex) -> Case: ...
    @overload
    def __getitem__(self, place: slice) -> list[Case]: ...
    def __getitem__(self, place: SupportsIndex | slice) -> Case | list[Case]:
        if isinstance(place, slice):
            places = range(len(self))[place]
            if places.step == 1:
                return list(self._cases(places.start, places.stop)) if places else []
            return [self._at(one) for one in places]
        try:
            found = range(len(self))[as_integer(place)]
        except IndexError:
            raise IndexError(f"{place!r} is past the end of a length of {len(self)}") from None
        return self._at(found)

    def __iter__(self) -> Iterator[Case]:
        return self._cases(0, len(self))

    def _checked(self, number: SupportsIndex) -> int:
        """Return a number as an int; raise `NumberError` if it selects no case."""
        wanted = as_integer(number)
        if not 0 <= wanted < self.cardinality:
            raise NumberError(
                f"a case is picked by a number of 0 to {self.cardinality - 1}, not {shown(wanted)}"
                if self.cardinality
                else "there are no cases to pick from"
            )
        return wanted
