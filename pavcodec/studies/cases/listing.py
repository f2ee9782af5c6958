"""Listings as files: cases as records, an index of their blocks, the condition, and a foot.

The file is written sequentially, in memory for one block. It is read through a memory map: the
index is in memory, and a block is read and verified when one of its cases is first used.
"""

from __future__ import annotations

import os
from bisect import bisect_right
from collections.abc import Iterator
from itertools import pairwise
from typing import Self, SupportsIndex, cast
from zlib import crc32

from pavcodec.errors import ReadError, RecordError
from pavcodec.files.closing import Closing
from pavcodec.files.mapped import Mapped, map_bytes
from pavcodec.records import (
    CASE_BLOCK,
    CASE_FOOT,
    CASES_IN_BLOCK,
    Case,
    CaseFoot,
    RecordFile,
    record,
)
from pavcodec.studies.cases.cells.plan import Plan
from pavcodec.studies.cases.faults import fault_of_cases
from pavcodec.studies.cases.sequence import CaseSequence
from pavcodec.studies.cases.writing import CHECKSUM_BYTES, MAGIC, total_of

__all__ = ["CaseListing", "open_cases"]

_CASE = record("case16")


class CaseListing(Closing, CaseSequence):
    """A listing in a file, over a memory map; `pavcodec.open_cases(path)` returns it.

    It is a sequence of `Case`, with `rows` in the form of the study; see `CaseSequence`. The index
    is in memory. The first use of a block of 65,536 cases compares it with its checksum, and raises
    `ReadError` if it was changed. The first use for rows or deals also raises `ReadError` if its
    cases are invalid. A `with` block closes the file at its end. The file must not get shorter
    while it is open.

    >>> import os, tempfile
    >>> from pavcodec import case_table
    >>> path = os.path.join(tempfile.mkdtemp(), "nine.cases")
    >>> case_table("spades(west) == 9").save(path)
    15
    >>> with open_cases(path) as listing:
    ...     len(listing), listing.cardinality, listing.select(9425130), listing.where
    (15, 58809465, 1, 'spades(west) == 9')
    """

    def __init__(self, data: Mapped, name: str) -> None:
        self.name = name
        self._data = data
        foot = self._read_foot()
        self.plan = Plan(
            tuple(seat for seat in foot.seats if seat is not None), foot.patterns, foot.honours
        )
        self._count = foot.cases
        entries = -(-foot.cases // CASES_IN_BLOCK)
        start = foot.cases * _CASE.size
        text = start + entries * CASE_BLOCK.size
        end = len(data) - CASE_FOOT.size
        if text + foot.text_bytes != end:
            raise self._broken("its length differs from that in its foot")
        if crc32(data[start : len(data) - CHECKSUM_BYTES]) != foot.checksum:
            raise self._broken("the end of the file was changed: its checksum is wrong")
        self.where = self._read_text(data[text:end])
        self._index = list(CASE_BLOCK.parse_many(data[start:text]))
        if any(entry.total > after.total for entry, after in pairwise(self._index)):
            raise self._broken("the totals of its index do not ascend")
        self._good: set[int] = set()
        self._sound: set[int] = set()

    @classmethod
    def open(cls, path: str | os.PathLike[str]) -> Self:
        """Map a file into memory; raise `ReadError` if it is no complete listing."""
        name = os.fspath(path)
        data = map_bytes(name, "a case listing is a regular file")
        if data[-CASE_FOOT.size :][: len(MAGIC)] != MAGIC:
            raise ReadError(f"{name}: this is no complete case listing")
        return cls(data, name)

    @property
    def cardinality(self) -> int:
        """The ways of all cases: hands for one hand, pairs of hands for two."""
        return self._index[-1].total if self._index else 0

    def __len__(self) -> int:
        return self._count

    def select(self, number: SupportsIndex) -> int:
        """Return the position of the case for a number: the first with a greater running total.

        Raise `NumberError` outside 0 to `cardinality` - 1.
        """
        wanted = self._checked(number)
        block = bisect_right(self._index, wanted, key=lambda entry: entry.total)
        self._check(block)
        places = range(block * CASES_IN_BLOCK, min((block + 1) * CASES_IN_BLOCK, self._count))
        found = bisect_right(places, wanted, key=self._total)
        if found == len(places):
            raise self._broken(f"{self._places(block)} have other totals than its index")
        return places[found]

    def _total(self, place: int) -> int:
        return total_of(self._data[place * _CASE.size : (place + 1) * _CASE.size])

    def _at(self, place: int) -> Case:
        self._check(place // CASES_IN_BLOCK)
        data = self._data[place * _CASE.size : (place + 1) * _CASE.size]
        return cast("Case", _CASE.parse_at(place, data))

    def _cases(self, start: int, stop: int) -> Iterator[Case]:
        for block in range(start // CASES_IN_BLOCK, -(-stop // CASES_IN_BLOCK)):
            self._check(block)
            first = block * CASES_IN_BLOCK
            whole = RecordFile(_CASE, self._bytes_of(block))
            yield from whole[max(start - first, 0) : stop - first]

    def _bytes_of(self, block: int) -> bytes:
        size = CASES_IN_BLOCK * _CASE.size
        return self._data[block * size : min((block + 1) * size, self._count * _CASE.size)]

    def _check(self, block: int) -> None:
        """Compare a block with its checksum, once; raise `ReadError` if it was changed."""
        if block not in self._good:
            if crc32(self._bytes_of(block)) != self._index[block].checksum:
                raise self._broken(f"{self._places(block)} were changed")
            self._good.add(block)

    def check(self, place: int) -> None:
        """Raise `ReadError` if the block of a case is invalid, even with a correct checksum."""
        block = place // CASES_IN_BLOCK
        if block in self._sound:
            return
        self._check(block)
        before = self._index[block - 1].total if block else 0
        total = self._index[block].total
        fault = fault_of_cases(self.plan, self._bytes_of(block), before, total)
        if fault:
            raise self._broken(f"{self._places(block)} are invalid: {fault}")
        self._sound.add(block)

    def _places(self, block: int) -> str:
        first = block * CASES_IN_BLOCK
        return f"cases {first + 1:,} to {min(first + CASES_IN_BLOCK, self._count):,}"

    def _read_text(self, data: bytes) -> str:
        """Return the condition."""
        try:
            return data.decode()
        except UnicodeDecodeError:
            raise self._broken("its condition is not text in UTF-8") from None

    def _read_foot(self) -> CaseFoot:
        try:
            return CASE_FOOT.parse(self._data[len(self._data) - CASE_FOOT.size :])
        except RecordError as error:
            raise self._broken(str(error)) from None

    def _broken(self, reason: str) -> ReadError:
        return ReadError(f"{self.name}: this listing cannot be used: {reason}")

    def close(self) -> None:
        """Close the file."""
        if not isinstance(self._data, bytes):
            self._data.close()

    def __reduce__(self) -> tuple[object, tuple[str]]:
        return open_cases, (self.name,)

    def __repr__(self) -> str:
        return f"<{len(self)} cases in {self.name!r}>"


def open_cases(path: str | os.PathLike[str]) -> CaseListing:
    """Open the file of a case listing, which may be larger than memory.

    Raise `ReadError` if the file is no complete listing.
    """
    return CaseListing.open(path)
