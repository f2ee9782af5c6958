"""Listings as files: cases as records, an index of their blocks, the condition, and a foot.

The file is written front to back, so that it needs no room but a block's. It is read through a
memory map: the index is kept, and a block is looked at, and checked, when a case of it is wanted.
"""

from __future__ import annotations

import mmap
import os
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from itertools import pairwise
from typing import TYPE_CHECKING, BinaryIO, Self, SupportsIndex, cast
from zlib import crc32

import numpy as np

from pavcodec.cases.cells import Cells
from pavcodec.cases.faults import fault_of_cases
from pavcodec.cases.plan import Plan
from pavcodec.cases.sequence import CaseSequence
from pavcodec.cases.table import Block, CaseTable, running_totals
from pavcodec.errors import ReadError, RecordError
from pavcodec.records import (
    CASE_BLOCK,
    CASE_FOOT,
    CASES_IN_BLOCK,
    Case,
    CaseBlock,
    CaseFoot,
    RecordFile,
    record,
)
from pavcodec.records.cases import HONOURS_OFF, PATTERN_OFF
from pavcodec.records.closing import Closing

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["MAGIC", "CaseListing", "file_blocks", "open_cases", "tail_of", "write_cases"]

_CASE = record("case16")
MAGIC = b"PAVCASES"
_CHECKSUM_BYTES = 4
_TOTAL = (1 << 73) - 1
_UPPER = 64
"""The first bit of the upper one of the two words of a case."""
_PATTERNS, _HONOURS = (73, 83), (93, 109)
"""The first bits of what a case tells of the first hand and of the second."""


class CaseListing(Closing, CaseSequence):
    """A listing in a file, over a memory map; made by `pavcodec.open_cases(path)`.

    It is a sequence of `Case`, with `rows` as the study prints them; see `CaseSequence`. The index
    is in memory; a block of 65,536 cases is compared with its checksum when it is first needed, and
    raises `ReadError` where it was changed. It does so, too, where rows or deals are asked for and
    its cases cannot be. Used in a `with` block, it closes the file. The file must not get shorter
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

    def __init__(self, data: bytes | mmap.mmap, name: str) -> None:
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
            raise self._broken("its length is not what its foot tells")
        if crc32(data[start : len(data) - _CHECKSUM_BYTES]) != foot.checksum:
            raise self._broken("the end of the file was changed: its checksum is another")
        self.where = self._read_text(data[text:end])
        self._index = list(CASE_BLOCK.parse_many(data[start:text]))
        if any(entry.total > after.total for entry, after in pairwise(self._index)):
            raise self._broken("the totals of its index do not ascend")
        self._good: set[int] = set()
        self._sound: set[int] = set()

    @classmethod
    def open(cls, path: str | os.PathLike[str]) -> Self:
        """Map a file into memory; raise `ReadError` where it is no listing, or not a whole one."""
        name = os.fspath(path)
        if os.path.exists(path) and not os.path.isfile(path):
            raise ReadError(f"{name}: a case listing is a regular file")
        with open(path, "rb") as file:
            is_short = os.fstat(file.fileno()).st_size < CASE_FOOT.size
            data = b"" if is_short else mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        if data[-CASE_FOOT.size :][: len(MAGIC)] != MAGIC:
            raise ReadError(f"{name}: this is no case listing, or not a whole one")
        return cls(data, str(name))

    @property
    def cardinality(self) -> int:
        """The ways of all cases: hands for one hand, pairs of hands for two."""
        return self._index[-1].total if self._index else 0

    def __len__(self) -> int:
        return self._count

    def select(self, number: SupportsIndex) -> int:
        """Return the place of the case that a number picks: the first total greater than it.

        Raises `NumberError` outside 0 to `cardinality` - 1.
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
        data = self._data[place * _CASE.size : (place + 1) * _CASE.size]
        return int.from_bytes(data, "little") & _TOTAL

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
        """Compare a block with its checksum, once."""
        if block not in self._good:
            if crc32(self._bytes_of(block)) != self._index[block].checksum:
                raise self._broken(f"{self._places(block)} were changed")
            self._good.add(block)

    def check(self, place: int) -> None:
        """Refuse the block of a case where its cases cannot be dealt, whatever its checksum."""
        block = place // CASES_IN_BLOCK
        if block in self._sound:
            return
        self._check(block)
        before = self._index[block - 1].total if block else 0
        total = self._index[block].total
        fault = fault_of_cases(self.plan, self._bytes_of(block), before, total)
        if fault:
            raise self._broken(f"{self._places(block)} cannot be: {fault}")
        self._sound.add(block)

    def _places(self, block: int) -> str:
        first = block * CASES_IN_BLOCK
        return f"cases {first + 1:,} to {min(first + CASES_IN_BLOCK, self._count):,}"

    def _read_text(self, data: bytes) -> str:
        """Return the condition."""
        try:
            return data.decode()
        except UnicodeDecodeError:
            raise self._broken("its condition is no text in UTF-8") from None

    def _read_foot(self) -> CaseFoot:
        try:
            return CASE_FOOT.parse(self._data[len(self._data) - CASE_FOOT.size :])
        except RecordError as error:
            raise self._broken(str(error)) from None

    def _broken(self, reason: str) -> ReadError:
        return ReadError(f"{self.name}: this listing cannot be used: {reason}")

    def close(self) -> None:
        """Close the file."""
        if isinstance(self._data, mmap.mmap):
            self._data.close()

    def __reduce__(self) -> tuple[object, tuple[str]]:
        return open_cases, (self.name,)

    def __repr__(self) -> str:
        return f"<{len(self)} cases in {self.name!r}>"


def open_cases(path: str | os.PathLike[str]) -> CaseListing:
    """Open the file of a case listing, which may be larger than memory.

    Raises `ReadError` where the file is no listing, or not a whole one.
    """
    return CaseListing.open(path)


def write_cases(table: CaseTable, blocks: Iterable[Block], stream: BinaryIO) -> int:
    """Write a listing to a stream, given all its blocks in order; return the number of cases."""
    index, count = [], 0
    for data, entry in file_blocks(table, blocks):
        index.append(entry)
        count += len(data) // _CASE.size
        stream.write(data)
    stream.write(tail_of(table, index, count))
    return count


def tail_of(table: CaseTable, index: Iterable[CaseBlock], count: int) -> bytes:
    """Return what stands in a file after its cases: the index, the condition and the foot."""
    text, plan = table.where.encode(), table.plan
    seats = plan.seats[0], plan.seats[1] if len(plan.seats) > 1 else None
    foot = CaseFoot(seats, plan.patterns, plan.honours, len(text), count, 0)
    tail = CASE_BLOCK.build_many(index) + text + CASE_FOOT.build(foot)[:-_CHECKSUM_BYTES]
    return tail + crc32(tail).to_bytes(_CHECKSUM_BYTES, "little")


def file_blocks(
    table: CaseTable, blocks: Iterable[Block], total: int = 0
) -> Iterator[tuple[bytes, CaseBlock]]:
    """Yield the blocks of a file with what the index tells of them; `total` is that before them.

    All blocks but the last have 65,536 cases, if those that are given begin where one begins.
    """
    waiting, count = [], 0
    for block in blocks:
        rows, total = _rows(table, block, total)
        waiting.append(rows)
        count += len(rows)
        if count >= CASES_IN_BLOCK:
            rows = np.concatenate(waiting)
            whole = count - count % CASES_IN_BLOCK
            for start in range(0, whole, CASES_IN_BLOCK):
                yield _finished(rows[start : start + CASES_IN_BLOCK])
            waiting, count = [rows[whole:]], count - whole
    if count:
        yield _finished(np.concatenate(waiting))


def _finished(rows: NDArray[np.uint64]) -> tuple[bytes, CaseBlock]:
    low, high = rows[-1].tolist()
    data = rows.astype("<u8").tobytes()
    return data, CaseBlock((high << _UPPER | low) & _TOTAL, crc32(data))


def _rows(table: CaseTable, block: Block, before: int) -> tuple[NDArray[np.uint64], int]:
    """Return cases as records of two words, the lower first, and the running total after them."""
    high, low = running_totals(block.ways, before)
    last = _hand(table.cells[-1], block.last)
    other = np.array([PATTERN_OFF, HONOURS_OFF], np.uint64)
    hands = (last, other)
    if len(table.cells) > 1:
        first = table.cells[0]
        hands = (_hand(first, np.array([block.first])), last)
    rows = np.empty((len(low), 2), np.uint64)
    rows[:, 0], rows[:, 1] = low, high
    for (pattern, honours), place in zip(hands, (0, 1), strict=True):
        rows[:, 1] |= pattern << np.uint64(_PATTERNS[place] - _UPPER)
        rows[:, 1] |= honours << np.uint64(_HONOURS[place] - _UPPER)
    if len(low):
        before = int(high[-1]) << _UPPER | int(low[-1])
    return rows, before


def _hand(cells: Cells, places: NDArray[np.int64]) -> NDArray[np.uint64]:
    """Return patterns and honours of some cells."""
    return np.stack([cells.patterns[places], cells.honours[places]]).astype(np.uint64)
