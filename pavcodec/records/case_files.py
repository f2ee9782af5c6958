"""The other records in a file of cases: the index entries, and the foot of the file.

A block has 65,536 cases. The file has the cases as `case16` records, an entry for each block, the
condition as text, and the foot.
"""

from __future__ import annotations

from typing import NamedTuple

from pavcodec.cards import Seat
from pavcodec.records.bits.fields import Fields
from pavcodec.records.cases import MOST_WAYS
from pavcodec.records.record import Record

__all__ = [
    "CASES_IN_BLOCK",
    "CASE_BLOCK",
    "CASE_FOOT",
    "CaseBlock",
    "CaseBlockRecord",
    "CaseFoot",
    "CaseFootRecord",
]

CASES_IN_BLOCK = 1 << 16
MAGIC = int.from_bytes(b"PAVCASES", "little")
VERSION = 1

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

    def _value(self, fields: Fields) -> CaseFoot:
        magic, version, first, second, patterns, honours, *sizes = fields
        if magic != MAGIC:
            raise self.refusal("the bytes do not begin with PAVCASES")
        if version != VERSION:
            raise self.refusal(f"the version is {version}; this program reads version {VERSION}")
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
        return (MAGIC, VERSION, *seats, int(patterns), int(honours), *sizes)

    def __reduce__(self) -> str:
        return "CASE_FOOT"


CASE_BLOCK, CASE_FOOT = CaseBlockRecord(), CaseFootRecord()
