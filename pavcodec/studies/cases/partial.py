"""Resumable writing of listings: complete blocks are stored until the whole file is complete.

`FILE.part` contains the first blocks of the file. `FILE.part.index` identifies the listing, and has
an entry for each complete block, written after the block. The writing process holds a lock on it.
The last case of the last complete block determines where the next run starts.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from typing import BinaryIO, cast
from zlib import crc32

from pavcodec.errors import PavError, RecordError
from pavcodec.files.output import named, put_in_place
from pavcodec.records import (
    CASE_BLOCK,
    CASE_FOOT,
    CASES_IN_BLOCK,
    Case,
    CaseBlock,
    CaseFoot,
    record,
)
from pavcodec.studies.cases.cells.blocks import Block
from pavcodec.studies.cases.faults import fault_of_cases
from pavcodec.studies.cases.writing import MAGIC, CasesInSteps, file_blocks, tail_of

__all__ = ["PartialListing", "open_partial"]

_CASE = record("case16")


class PartialListing:
    """A listing in progress, with the complete blocks of an earlier run.

    `refused` is the reason why existing blocks are not used, or "".
    """

    def __init__(self, table: CasesInSteps, target: str, cases: BinaryIO, index: BinaryIO) -> None:
        self.table = table
        self.refused = ""
        self._target = target
        self._cases, self._index = cases, index
        self._entries: list[CaseBlock] = []
        self._last: Case | None = None
        self._is_whole = False
        try:
            self._look()
        except _NotTrustedError as error:
            self.refused = f"{cases.name} is not used, and the listing starts again: {error}"
            self._entries, self._last = [], None
        self._cut()

    @property
    def name(self) -> str:
        """The name of the file of the complete blocks."""
        return self._cases.name

    @property
    def count(self) -> int:
        """The number of cases in the complete blocks."""
        return len(self._entries) * CASES_IN_BLOCK

    @property
    def steps(self) -> int:
        """The number of steps in `blocks`."""
        return self.table.steps_after(self._last)

    def blocks(self) -> Iterator[Block]:
        """Yield the remaining cases."""
        return self.table.blocks(self._last)

    def write(self, blocks: Iterable[Block]) -> int:
        """Write the remaining cases, rename the file, and return the number of all cases."""
        count, index = self.count, list(self._entries)
        total = self._last.total if self._last else 0
        for data, entry in file_blocks(self.table, blocks, total):
            self._cases.write(data)
            index.append(entry)
            count += len(data) // _CASE.size
            if not count % CASES_IN_BLOCK:  # the short last block is not worth an entry
                self._cases.flush()  # before the entry, which guarantees the cases
                self._index.write(CASE_BLOCK.build(entry))
                self._index.flush()
                self._entries.append(entry)
        self._cases.write(tail_of(self.table, index, count))
        self._cases.close()
        put_in_place(self._cases.name, self._target)
        self._is_whole = True
        return count

    def tidy(self) -> None:
        """Remove the files if the listing is complete or they contain no blocks."""
        if self._is_whole or not self._entries:
            for name in (self._cases.name, self._index.name):
                with suppress(FileNotFoundError):
                    os.unlink(name)

    def _look(self) -> None:
        """Find the complete blocks, and verify each of them."""
        head, size = _head_of(self.table), CASES_IN_BLOCK * _CASE.size
        self._index.seek(0)
        self._cases.seek(0)
        data = self._index.read()
        if data[: len(head)] != head[: len(data)]:
            if os.fstat(self._cases.fileno()).st_size:
                raise _NotTrustedError("it belongs to another condition or version")
            return
        entries = data[len(head) :]
        for start in range(0, len(entries) - CASE_BLOCK.size + 1, CASE_BLOCK.size):
            block = self._cases.read(size)
            if len(block) < size:
                return
            before = self._last.total if self._last else 0
            self._last = _last_of(block, entries[start : start + CASE_BLOCK.size], self.count)
            fault = fault_of_cases(self.table.plan, block, before, self._last.total)
            if fault:
                raise _NotTrustedError(f"its cases are invalid: {fault}")
            self._entries.append(CaseBlock(self._last.total, crc32(block)))

    def _cut(self) -> None:
        """Truncate the files to complete blocks; cases first, since an entry needs its cases."""
        head = _head_of(self.table)
        self._cases.truncate(self.count * _CASE.size)
        if self._entries:
            self._index.truncate(len(head) + len(self._entries) * CASE_BLOCK.size)
        else:
            self._index.truncate(0)
            self._index.write(head)
            self._index.flush()


@contextmanager
def open_partial(table: CasesInSteps, path: str | os.PathLike[str]) -> Iterator[PartialListing]:
    """Open the complete blocks of a listing with the target `path`, and lock them.

    Raise `PavError` if another process has the lock, or if files with these names are not from
    pavcodec.

    >>> import tempfile
    >>> from pavcodec import case_table
    >>> path = os.path.join(tempfile.mkdtemp(), "nine.cases")
    >>> with open_partial(case_table("spades(west) == 9"), path) as partial:
    ...     partial.count, partial.refused, partial.write(partial.blocks())
    (0, '', 15)
    """
    target = os.path.realpath(path) if os.path.islink(path) else os.fspath(path)
    if os.path.exists(target) and not os.path.isfile(target):
        raise PavError(f"{target}: only a regular file is written with resume")
    part = f"{target}.part"
    with named(path), _locked(f"{part}.index") as index:
        _refuse_strange(index, part)
        # append mode: all writes go to the end
        with open(part, "a+b") as cases:
            partial = PartialListing(table, target, cast("BinaryIO", cases), index)
            try:
                yield partial
            finally:
                partial.tidy()


class _NotTrustedError(Exception):
    """The complete blocks belong to another listing, or were changed."""


def _head_of(table: CasesInSteps) -> bytes:
    """Return the head of an index: hands, columns, condition and a checksum of all cells."""
    text, plan = table.where.encode(), table.plan
    checksum = crc32(text)
    for cells in table.cells:
        for each in (cells.shapes, cells.honours):
            checksum = crc32(each.astype("<u2").tobytes(), checksum)
    seats = plan.seats[0], plan.seats[1] if len(plan.seats) > 1 else None
    foot = CaseFoot(seats, plan.patterns, plan.honours, len(text), 0, checksum)
    return CASE_FOOT.build(foot) + text


def _last_of(block: bytes, entry: bytes, before: int) -> Case:
    """Return the last case of a block; raise `_NotTrustedError` if it contradicts its entry."""
    try:
        last = cast("Case", _CASE.parse(block[-_CASE.size :]))
        if CASE_BLOCK.parse(entry) == CaseBlock(last.total, crc32(block)):
            return last
    except RecordError:
        pass
    places = f"cases {before + 1:,} to {before + CASES_IN_BLOCK:,}"
    raise _NotTrustedError(f"{places} or their checksum were changed")


def _refuse_strange(index: BinaryIO, part: str) -> None:
    """Raise `PavError` if the files are not from pavcodec."""
    index.seek(0)
    begin = index.read(len(MAGIC))
    if begin != MAGIC[: len(begin)]:
        raise PavError(f"{index.name} exists, and is no index of pavcodec: move it away")
    if not begin and os.path.exists(part) and os.path.getsize(part):
        os.unlink(index.name)
        raise PavError(f"{part} exists without its index {index.name}: move it away")


@contextmanager
def _locked(name: str) -> Iterator[BinaryIO]:
    """Open or create a file and lock it; the lock ends with the process at the latest."""
    try:
        from fcntl import LOCK_EX, LOCK_NB, flock
    except ImportError:
        raise PavError("this system has no locks for files, so nothing can be resumed") from None
    while True:
        with open(name, "a+b") as file:
            try:
                flock(file, LOCK_EX | LOCK_NB)
            except BlockingIOError:
                raise PavError(f"{name} is in use: another process writes this listing") from None
            if _has_name(file.fileno(), name):
                yield cast("BinaryIO", file)
                return


def _has_name(number: int, name: str) -> bool:
    """Return whether an open file still has its name; the last lock holder may have removed it."""
    try:
        return os.path.samestat(os.fstat(number), os.stat(name))
    except FileNotFoundError:
        return False
