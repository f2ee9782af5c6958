"""Listings in files: cases as records, an index of their blocks, the condition, and a foot.

A file is read through a memory map: the index is in memory, and a block is read and verified when
one of its cases is first used. Module `table` writes files.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from functools import cached_property
from itertools import pairwise
from operator import sub
from typing import TYPE_CHECKING, NamedTuple, cast
from zlib import crc32

import numpy as np

from pavcodec.arrays import differences, integer, split
from pavcodec.cards import Seat
from pavcodec.errors import ReadError, RecordError
from pavcodec.files.opening import Closing, Mapped, map_bytes
from pavcodec.numberings.chain import Chain
from pavcodec.records import Case, Record
from pavcodec.records.arrays import split_rows
from pavcodec.records.kinds import HONOURS_OFF, MOST_WAYS, PATTERN_OFF
from pavcodec.studies.cases.cells import Plan
from pavcodec.studies.cases.sequence import CASE, CaseSequence

if TYPE_CHECKING:
    from pavcodec.records.declarations import Fields


# The index and the foot of a file, as records.


CASES_IN_BLOCK = 1 << 16
MAGIC = b"PAVCASES"
CHECKSUM_BYTES = 4
_VERSION = 1
_NOBODY = len(Seat)


class CaseBlock(NamedTuple):
    """An index entry: the running total at the end of a block, and the CRC-32 of its bytes."""

    total: int
    checksum: int


class CaseFoot(NamedTuple):
    """The contents of the foot of a listing's file.

    `seats` are the seats of the first and the second hand; the second is None for listings of one
    hand. `text_bytes` is the length of the condition in UTF-8. `checksum` is the CRC-32 of all
    bytes from the index to the checksum itself.
    """

    seats: tuple[int, int | None]
    patterns: bool
    honours: bool
    text_bytes: int
    cases: int
    checksum: int


class CaseBlockRecord(Record[CaseBlock]):
    """An index entry of a listing's file."""

    name = "case-block"
    summary = "an entry of a listing's index: running total and checksum of 65,536 cases"
    size = 16

    def _value(self, fields: Fields) -> CaseBlock:
        total, checksum = fields
        if total > MOST_WAYS:
            raise self.refusal(f"a running total is 0 to {MOST_WAYS}, not {total}")
        return CaseBlock(total, checksum)

    def _fields(self, value: CaseBlock) -> Fields:
        self._parts(value, CaseBlock)
        return tuple(value)

    def __reduce__(self) -> str:
        return "CASE_BLOCK"


class CaseFootRecord(Record[CaseFoot]):
    """The foot of a listing's file."""

    name = "case-foot"
    summary = "the foot of a listing's file: hands, columns, sizes and a checksum"
    size = 32

    def _value(self, fields: Fields) -> CaseFoot:
        magic, version, first, second, patterns, honours, *sizes = fields
        if magic != int.from_bytes(MAGIC, "little"):
            raise self.refusal("the bytes do not begin with PAVCASES")
        if version != _VERSION:
            raise self.refusal(f"the version is {version}; this program reads version {_VERSION}")
        if first >= _NOBODY or second > _NOBODY or first == second:
            raise self.refusal(f"{first} and {second} are not two seats")
        if not patterns | honours:
            raise self.refusal("the listing has neither patterns nor honours")
        seats = first, None if second == _NOBODY else second
        return CaseFoot(seats, bool(patterns), bool(honours), *sizes)

    def _fields(self, value: CaseFoot) -> Fields:
        self._parts(value, CaseFoot)
        (first, second), patterns, honours, *sizes = value
        seats = first, _NOBODY if second is None else second
        magic = int.from_bytes(MAGIC, "little")
        return (magic, _VERSION, *seats, int(patterns), int(honours), *sizes)

    def __reduce__(self) -> str:
        return "CASE_FOOT"


CASE_BLOCK, CASE_FOOT = CaseBlockRecord(), CaseFootRecord()


def fault_of_cases(plan: Plan, data: bytes, before: int, total: int) -> str | None:
    """Return the fault of the cases in a block of a file; None if they are valid.

    `before` and `total` are the running totals before the block and at its end. Cases are valid if
    they have the hands and columns of the file's foot, if each hand can hold its cards next to the
    other hand, if each case has the ways of its calculation, and if all cases are in the order of
    the study. Then each number is a deal, and each deal has one number.
    """
    rows = np.frombuffer(data, np.uint8).reshape(-1, CASE.size)
    (totals, *columns), are_good = split_rows(CASE.table, rows)
    columns = [column.astype(np.int64) for column in columns]
    hands = [(columns[hand], columns[2 + hand]) for hand in range(2)]
    for hand, (shapes, maps) in enumerate(hands):
        listed = hand < len(plan.seats)
        has_other_shapes = (shapes < PATTERN_OFF) != (listed and plan.patterns)
        if has_other_shapes.any() or ((maps < HONOURS_OFF) != (listed and plan.honours)).any():
            return "they have other columns than the listing"
    hands = hands[: len(plan.seats)]
    if any((shapes > PATTERN_OFF).any() for shapes, _ in hands) or not are_good.all():
        return "they have unused bits that are not 0"
    left, ways, named = plan.sizes, np.ones(1, np.uint64), np.zeros(1, np.int64)
    for shapes, maps in hands:
        needs = plan.needs(shapes, maps)
        if not plan.fit(needs, left).all() or (named & maps).any():
            return "a hand cannot have these cards"
        left, ways = left - needs, ways * plan.ways(needs, left)
        named = maps if plan.honours else named
    first, *second = [plan.keys(*hand) for hand in hands]
    keys = first if not second else first << 26 | second[0]
    if (np.diff(keys) <= 0).any():
        return "they are not in order"
    high, low = differences(np.concatenate([[split(before)], totals])).T
    if high.any() or (low != ways).any() or integer(totals[-1]) != total:
        return "their ways do not add up"
    return None


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
        try:
            foot = CASE_FOOT.parse(data[len(data) - CASE_FOOT.size :])
        except RecordError as error:
            raise self._broken(str(error)) from None
        seats = tuple(seat for seat in foot.seats if seat is not None)
        self.plan = Plan(seats, foot.patterns, foot.honours)
        self._count = foot.cases
        start = foot.cases * CASE.size
        text = start + -(-foot.cases // CASES_IN_BLOCK) * CASE_BLOCK.size
        end = len(data) - CASE_FOOT.size
        if text + foot.text_bytes != end:
            raise self._broken("its length differs from that in its foot")
        if crc32(data[start : len(data) - CHECKSUM_BYTES]) != foot.checksum:
            raise self._broken("the end of the file was changed: its checksum is wrong")
        try:
            self.where = data[text:end].decode()
        except UnicodeDecodeError:
            raise self._broken("its condition is not text in UTF-8") from None
        self._index = list(CASE_BLOCK.parse_many(data[start:text]))
        if any(entry.total > after.total for entry, after in pairwise(self._index)):
            raise self._broken("the totals of its index do not ascend")
        self._good: set[int] = set()
        self._faults: dict[int, str | None] = {}

    @cached_property
    def _chains(self) -> tuple[Chain, Chain]:
        starts = range(0, self._count, CASES_IN_BLOCK)
        counts = (min(CASES_IN_BLOCK, self._count - start) for start in starts)
        totals = [0, *(entry.total for entry in self._index)]
        return Chain(tuple(counts)), Chain(tuple(map(sub, totals[1:], totals)))

    def _records(self, block: int, rows: slice) -> bytes:
        first = block * CASES_IN_BLOCK
        if block not in self._good:
            whole = self._data[
                CASE.size * first : CASE.size * (first + self._chains[0].sizes[block])
            ]
            if crc32(whole) != self._index[block].checksum:
                raise self._broken(f"{self._cases_of(block)} were changed")
            self._good.add(block)
        return self._data[CASE.size * (first + rows.start) : CASE.size * (first + rows.stop)]

    def _cases_in(self, block: int, rows: slice) -> Iterator[Case]:
        if self._fault_of(block) is None:
            return super()._cases_in(block, rows)
        return cast("Iterator[Case]", CASE.parse_run(self._records(block, rows), rows.start))

    def check(self, place: int) -> None:
        """Raise `ReadError` if the block of a case is invalid, even with a correct checksum."""
        block = place // CASES_IN_BLOCK
        fault = self._fault_of(block)
        if fault is not None:
            raise self._broken(f"{self._cases_of(block)} are invalid: {fault}")

    def _fault_of(self, block: int) -> str | None:
        """Return the fault of a block with a correct checksum, or None."""
        if block not in self._faults:
            data = self._records(block, slice(0, self._chains[0].sizes[block]))
            before, total = self._chains[1].starts[block], self._index[block].total
            fault = fault_of_cases(self.plan, data, before, total)
            self._faults[block] = fault
        return self._faults[block]

    def _refuse_block(self, block: int) -> None:
        raise self._broken(f"{self._cases_of(block)} have other totals than its index")

    def _cases_of(self, block: int) -> str:
        first = block * CASES_IN_BLOCK
        return f"cases {first + 1:,} to {min(first + CASES_IN_BLOCK, self._count):,}"

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
    name = os.fspath(path)
    data = map_bytes(name, "a case listing is a regular file")
    if data[-CASE_FOOT.size :][: len(MAGIC)] != MAGIC:
        raise ReadError(f"{name}: this is no complete case listing")
    return CaseListing(data, name)
