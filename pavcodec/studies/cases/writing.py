"""The bytes of a listing's file: blocks of cases as records, then index, condition and foot."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, BinaryIO, Protocol, TypeAlias
from zlib import crc32

import numpy as np

from pavcodec.arrays.words.limbs import integer
from pavcodec.records import (
    CASE_BLOCK,
    CASE_FOOT,
    CASES_IN_BLOCK,
    Case,
    CaseBlock,
    CaseFoot,
    record,
)
from pavcodec.records.bits.arrays import join_rows
from pavcodec.records.cases import HONOURS_OFF, PATTERN_OFF
from pavcodec.studies.cases.cells.blocks import Block, running_totals
from pavcodec.studies.cases.cells.cells import Cells
from pavcodec.studies.cases.cells.plan import Plan

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Hand: TypeAlias = tuple[NDArray[np.uint64], NDArray[np.uint64]]

__all__ = [
    "CHECKSUM_BYTES",
    "MAGIC",
    "CasesInSteps",
    "file_blocks",
    "tail_of",
    "total_of",
    "write_cases",
]

_CASE = record("case16")
MAGIC = b"PAVCASES"
CHECKSUM_BYTES = 4
_TOTAL = (1 << _CASE.specification.places[0].bits) - 1
"""The bits of the running total, which is the first field of a case."""
_NO_HAND = np.array([PATTERN_OFF], np.uint64), np.array([HONOURS_OFF], np.uint64)


class CasesInSteps(Protocol):
    """The part of a table of cases that its file needs."""

    plan: Plan
    where: str
    cells: list[Cells]

    def blocks(self, after: Case | None = None) -> Iterator[Block]:
        """Yield the cases of each step, or only those after a case."""

    def steps_after(self, case: Case | None) -> int:
        """Return the number of steps in `blocks` after a case."""


def write_cases(table: CasesInSteps, blocks: Iterable[Block], stream: BinaryIO) -> int:
    """Write a listing with all its blocks to a stream; return the number of cases."""
    index, count = [], 0
    for data, entry in file_blocks(table, blocks):
        index.append(entry)
        count += len(data) // _CASE.size
        stream.write(data)
    stream.write(tail_of(table, index, count))
    return count


def tail_of(table: CasesInSteps, index: Iterable[CaseBlock], count: int) -> bytes:
    """Return the bytes of a file after its cases: the index, the condition and the foot."""
    text, plan = table.where.encode(), table.plan
    seats = plan.seats[0], plan.seats[1] if len(plan.seats) > 1 else None
    foot = CaseFoot(seats, plan.patterns, plan.honours, len(text), count, 0)
    tail = CASE_BLOCK.build_many(index) + text + CASE_FOOT.build(foot)[:-CHECKSUM_BYTES]
    return tail + crc32(tail).to_bytes(CHECKSUM_BYTES, "little")


def file_blocks(
    table: CasesInSteps, blocks: Iterable[Block], total: int = 0
) -> Iterator[tuple[bytes, CaseBlock]]:
    """Yield the blocks of a file with their entries; `total` is the running total before them.

    All blocks but the last have 65,536 cases if the first given case starts a block.
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


def _finished(rows: NDArray[np.uint8]) -> tuple[bytes, CaseBlock]:
    data = rows.tobytes()
    return data, CaseBlock(total_of(data[-_CASE.size :]), crc32(data))


def total_of(case: bytes) -> int:
    """Return the running total in the bytes of a case."""
    return int.from_bytes(case, "little") & _TOTAL


def _rows(table: CasesInSteps, block: Block, before: int) -> tuple[NDArray[np.uint8], int]:
    """Return cases as rows of bytes, and the running total after them."""
    totals = np.stack(running_totals(block.ways, before), axis=1)
    hands = _hand(table.cells[-1], block.last), _NO_HAND
    if len(table.cells) > 1:
        hands = _hand(table.cells[0], np.array([block.first])), hands[0]
    shapes, honours = zip(*hands, strict=True)
    if len(totals):
        before = integer(totals[-1])
    return join_rows(_CASE.specification, [totals, *shapes, *honours]), before


def _hand(cells: Cells, places: NDArray[np.int64]) -> Hand:
    """Return the shapes and honours of some cells."""
    return cells.shapes[places].astype(np.uint64), cells.honours[places].astype(np.uint64)
