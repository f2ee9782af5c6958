"""Listings whose making may be interrupted: finished blocks stay beside the file until it is whole.

`FILE.part` is the beginning of the file. `FILE.part.index` tells what it is the beginning of, and
has an entry for each finished block, written when the block was. Whoever writes holds a lock on it.
The last case of the last finished block tells where to go on, so that nothing is made twice.
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
    """A listing that is being written, with the blocks that an earlier run has finished.

    `refused` tells why what was there is not used, or is empty.
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
            self.refused = f"{cases.name} is not used, and the listing is made anew: {error}"
            self._entries, self._last = [], None
        self._cut()

    @property
    def name(self) -> str:
        """The name of the file of the finished blocks."""
        return self._cases.name

    @property
    def count(self) -> int:
        """The cases of the finished blocks."""
        return len(self._entries) * CASES_IN_BLOCK

    @property
    def steps(self) -> int:
        """How many steps `blocks` goes through."""
        return self.table.steps_after(self._last)

    def blocks(self) -> Iterator[Block]:
        """Yield the cases that are still to be written."""
        return self.table.blocks(self._last)

    def write(self, blocks: Iterable[Block]) -> int:
        """Write all that is left, give the file its name, and return the number of its cases."""
        count, index = self.count, list(self._entries)
        total = self._last.total if self._last else 0
        for data, entry in file_blocks(self.table, blocks, total):
            self._cases.write(data)
            index.append(entry)
            count += len(data) // _CASE.size
            if not count % CASES_IN_BLOCK:  # a shorter block, at the end, is soon made again
                self._cases.flush()  # the cases come first: an entry vouches for them
                self._index.write(CASE_BLOCK.build(entry))
                self._index.flush()
                self._entries.append(entry)
        self._cases.write(tail_of(self.table, index, count))
        self._cases.close()
        put_in_place(self._cases.name, self._target)
        self._is_whole = True
        return count

    def tidy(self) -> None:
        """Remove the files where they keep nothing, as when the listing is whole."""
        if self._is_whole or not self._entries:
            for name in (self._cases.name, self._index.name):
                with suppress(FileNotFoundError):
                    os.unlink(name)

    def _look(self) -> None:
        """Find the finished blocks, and compare each with its checksum."""
        head, size = _head_of(self.table), CASES_IN_BLOCK * _CASE.size
        self._index.seek(0)
        self._cases.seek(0)
        data = self._index.read()
        if data[: len(head)] != head[: len(data)]:
            if os.fstat(self._cases.fileno()).st_size:
                raise _NotTrustedError("it is of another condition or of another version")
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
                raise _NotTrustedError(f"of its cases, {fault}")
            self._entries.append(CaseBlock(self._last.total, crc32(block)))

    def _cut(self) -> None:
        """Cut off what is not of finished blocks; the cases first, lest an end finds them alone."""
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
    """Open the finished blocks of a listing that shall have this path, for nobody else meanwhile.

    Raises `PavError` where somebody else has them open, or where files of these names are not
    pavcodec's.

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
        # what is written goes to the end
        with open(part, "a+b") as cases:
            partial = PartialListing(table, target, cast("BinaryIO", cases), index)
            try:
                yield partial
            finally:
                partial.tidy()


class _NotTrustedError(Exception):
    """The finished blocks are not those of this listing, or not as they were written."""


def _head_of(table: CasesInSteps) -> bytes:
    """Return what an index begins with: hands, columns, condition and a checksum of all cells."""
    text, plan = table.where.encode(), table.plan
    checksum = crc32(text)
    for cells in table.cells:
        for each in (cells.patterns, cells.honours):
            checksum = crc32(each.astype("<u2").tobytes(), checksum)
    seats = plan.seats[0], plan.seats[1] if len(plan.seats) > 1 else None
    foot = CaseFoot(seats, plan.patterns, plan.honours, len(text), 0, checksum)
    return CASE_FOOT.build(foot) + text


def _last_of(block: bytes, entry: bytes, before: int) -> Case:
    """Return the last case of a block that is as its entry tells."""
    try:
        last = cast("Case", _CASE.parse(block[-_CASE.size :]))
        if CASE_BLOCK.parse(entry) == CaseBlock(last.total, crc32(block)):
            return last
    except RecordError:
        pass
    places = f"cases {before + 1:,} to {before + CASES_IN_BLOCK:,}"
    raise _NotTrustedError(f"{places} or their checksum were changed")


def _refuse_strange(index: BinaryIO, part: str) -> None:
    """Keep files that somebody else made for another purpose."""
    index.seek(0)
    begin = index.read(len(MAGIC))
    if begin != MAGIC[: len(begin)]:
        raise PavError(f"{index.name} is there, and it is no index of pavcodec's: move it away")
    if not begin and os.path.exists(part) and os.path.getsize(part):
        os.unlink(index.name)
        raise PavError(f"{part} is there without its index {index.name}: move it away")


@contextmanager
def _locked(name: str) -> Iterator[BinaryIO]:
    """Open a file, or make it, and hold a lock on it, which ends with the process at the latest."""
    try:
        from fcntl import LOCK_EX, LOCK_NB, flock
    except ImportError:
        raise PavError("this system has no locks for files, so nothing can be resumed") from None
    while True:
        with open(name, "a+b") as file:
            try:
                flock(file, LOCK_EX | LOCK_NB)
            except BlockingIOError:
                raise PavError(f"{name} is in use: somebody else is writing this listing") from None
            if _has_name(file.fileno(), name):
                yield cast("BinaryIO", file)
                return


def _has_name(number: int, name: str) -> bool:
    """Tell whether an open file has a name still: who held the lock before may have removed it."""
    try:
        return os.path.samestat(os.fstat(number), os.stat(name))
    except FileNotFoundError:
        return False
