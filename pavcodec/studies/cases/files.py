"""Listings as files: cases as records, an index of their blocks, the condition, and a foot.

The file is written sequentially, in memory for one block. It is read through a memory map: the
index is in memory, and a block is read and verified when one of its cases is first used.
"""

from __future__ import annotations

import os
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from functools import cache
from itertools import pairwise
from typing import TYPE_CHECKING, BinaryIO, NamedTuple, Protocol, SupportsIndex, TypeAlias, cast
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from pavcodec.arrays import integer
from pavcodec.cards import Seat
from pavcodec.errors import PavError, ReadError, RecordError
from pavcodec.files.opening import Closing, Mapped, map_bytes
from pavcodec.files.paths import named, put_in_place
from pavcodec.records import Case, Record, RecordFile, record
from pavcodec.records.arrays import join_rows, split_rows
from pavcodec.records.kinds import HONOURS_OFF, MOST_WAYS, PATTERN_OFF
from pavcodec.studies.cases.cells import BRIDGE, Block, Cells, Plan, binomials, running_totals
from pavcodec.studies.cases.deals import CaseSequence

if TYPE_CHECKING:
    from pavcodec.records.declarations import Fields

    Hand: TypeAlias = tuple[NDArray[np.uint64], NDArray[np.uint64]]


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


# The bytes of a listing's file: blocks of cases as records, then index, condition and foot.


_CASE = record("case16")
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
    return int.from_bytes(case, "little") & (1 << _CASE.table.places[0].bits) - 1


def _rows(table: CasesInSteps, block: Block, before: int) -> tuple[NDArray[np.uint8], int]:
    """Return cases as rows of bytes, and the running total after them."""
    totals = np.stack(running_totals(block.ways, before), axis=1)
    hands = _hand(table.cells[-1], block.last), _NO_HAND
    if len(table.cells) > 1:
        hands = _hand(table.cells[0], np.array([block.first])), hands[0]
    shapes, honours = zip(*hands, strict=True)
    if len(totals):
        before = integer(totals[-1])
    return join_rows(_CASE.table, [totals, *shapes, *honours]), before


def _hand(cells: Cells, rows: NDArray[np.int64]) -> Hand:
    return cells.shapes[rows].astype(np.uint64), cells.honours[rows].astype(np.uint64)


# Find faults in cases from a file, also if the file has a valid checksum.
#
# Cases are valid if they have the hands and columns of the file's foot, if each hand can hold its
# cards next to the other hand, if each case has the ways of its calculation, and if all cases are
# in the order of the study. Then each number is a deal, and each deal has one number.


_WORD = 64
_SHAPE_BITS, _HONOUR_BITS = 10, 16
_NEAR = 1e-9

Numbers = NDArray[np.int64]
_HandNumbers = tuple[Numbers, Numbers]
"""The shapes and the honours of a hand, for each case."""


def fault_of_cases(plan: Plan, data: bytes, before: int, total: int) -> str | None:
    """Return the fault of the cases in a block of a file; None if they are valid.

    `before` and `total` are the running totals before the block and at its end.
    """
    rows = np.frombuffer(data, np.uint8).reshape(-1, _CASE.size)
    columns, are_good = split_rows(_CASE.table, rows)
    totals, *others = columns
    shapes_1, shapes_2, honours_1, honours_2 = (column.astype(np.int64) for column in others)
    hands = [(shapes_1, honours_1), (shapes_2, honours_2)]
    for hand, (shapes, maps) in enumerate(hands):
        listed = hand < len(plan.seats)
        has_other_shapes = (shapes < PATTERN_OFF) != (listed and plan.patterns)
        if has_other_shapes.any() or ((maps < HONOURS_OFF) != (listed and plan.honours)).any():
            return "they have other columns than the listing"
    hands = hands[: len(plan.seats)]
    if any((shapes > PATTERN_OFF).any() for shapes, _ in hands) or not are_good.all():
        return "they have unused bits that are not 0"
    ways = _ways(plan, hands)
    if ways is None:
        return "a hand cannot have these cards"
    if (np.diff(_keys(hands)) <= 0).any():
        return "they are not in order"
    high, low = totals.T
    return None if _add_up(low, high, ways, before, total) else "their ways do not add up"


def _ways(
    plan: Plan, hands: list[_HandNumbers]
) -> tuple[NDArray[np.uint64], NDArray[np.float64]] | None:
    """Return the ways of cases, modulo 2^64 and approximately; None if a hand is impossible."""
    lengths, by_suit, _ = _tables()
    left = np.array([len(group) for group in plan.groups])[:, None]
    chosen = binomials(len(BRIDGE.suit_cards(0)) * BRIDGE.suits)
    exact, about = np.ones(len(hands[0][0]), np.uint64), np.ones(len(hands[0][0]))
    named = np.zeros(len(exact), np.int64)
    for shapes, listed in hands:
        maps = listed if plan.honours else np.zeros_like(listed)
        held = by_suit[:, maps]
        needs = lengths[:, shapes] - held
        if not plan.patterns:
            needs = BRIDGE.hand_size - held.sum(axis=0, keepdims=True)
        if (named & maps).any() or (needs < 0).any() or (needs > left).any():
            return None
        for sizes, many in zip(np.broadcast_to(left, needs.shape), needs, strict=True):
            ways = chosen[sizes, many]
            exact *= ways
            about *= ways
        left, named = left - needs, named | maps
    return exact, about


def _keys(hands: list[_HandNumbers]) -> Numbers:
    """Return numbers that have the same order as the cases."""
    _, _, ranks = _tables()
    keys = np.zeros(len(hands[0][0]), np.int64)
    of_shape = np.zeros(PATTERN_OFF + 1, np.int64)
    of_shape[list(BRIDGE.rank_of_shape)] = list(BRIDGE.rank_of_shape.values())
    for shapes, maps in hands:
        keys = keys << _SHAPE_BITS | of_shape[shapes]
        keys = keys << _HONOUR_BITS | ranks[maps]
    return keys


@cache
def _tables() -> tuple[Numbers, Numbers, Numbers]:
    """Return the lengths by shape, the honours of each suit by map, and the order of the maps.

    The first two arrays have a row for each suit.
    """
    lengths = np.zeros((BRIDGE.suits, PATTERN_OFF + 1), np.int64)
    for index, shape in BRIDGE.shape_of.items():
        lengths[:, index] = shape
    maps = np.arange(HONOURS_OFF + 1)
    bits = [maps >> bit & 1 for bit in range(BRIDGE.suits * BRIDGE.honours)]
    rows = [bits[first : first + BRIDGE.honours] for first in range(0, len(bits), BRIDGE.honours)]
    by_suit = np.array([np.sum(row, axis=0) for row in reversed(rows)])
    worth = [index % BRIDGE.honours + 1 for index in range(len(bits))]
    points = np.array(worth) @ np.array(bits)
    ranks = np.empty(len(maps), np.int64)
    ranks[np.lexsort((-maps, points))] = maps
    return lengths, by_suit, ranks


def _add_up(
    low: NDArray[np.uint64],
    high: NDArray[np.uint64],
    ways: tuple[NDArray[np.uint64], NDArray[np.float64]],
    before: int,
    total: int,
) -> bool:
    """Return whether running totals, as two words, grow by the ways up to a total.

    Two differences are equal if their lower words are equal and their values are approximately so.
    """
    exact, about = ways
    lower = np.concatenate([np.array([before & (1 << _WORD) - 1], np.uint64), low])
    upper = np.concatenate([np.array([before >> _WORD], np.uint64), high])
    steps = lower[1:] - lower[:-1]
    borrowed = (lower[1:] < lower[:-1]).astype(np.float64)
    more = upper[1:].astype(np.float64) - upper[:-1].astype(np.float64) - borrowed
    sizes = more * 2.0**_WORD + steps.astype(np.float64)
    if int(high[-1]) << _WORD | int(low[-1]) != total:
        return False
    return bool((steps == exact).all() and (np.abs(sizes - about) <= _NEAR * about).all())


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
        try:
            self.where = data[text:end].decode()
        except UnicodeDecodeError:
            raise self._broken("its condition is not text in UTF-8") from None
        self._index = list(CASE_BLOCK.parse_many(data[start:text]))
        if any(entry.total > after.total for entry, after in pairwise(self._index)):
            raise self._broken("the totals of its index do not ascend")
        self._good: set[int] = set()
        self._sound: set[int] = set()

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
        positions = range(block * CASES_IN_BLOCK, min((block + 1) * CASES_IN_BLOCK, self._count))
        row = bisect_right(positions, wanted, key=self._total)
        if row == len(positions):
            raise self._broken(f"{self._cases_of(block)} have other totals than its index")
        return positions[row]

    def _total(self, position: int) -> int:
        return total_of(self._data[position * _CASE.size : (position + 1) * _CASE.size])

    def _at(self, position: int) -> Case:
        self._check(position // CASES_IN_BLOCK)
        data = self._data[position * _CASE.size : (position + 1) * _CASE.size]
        return cast("Case", _CASE.parse_at(position, data))

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
                raise self._broken(f"{self._cases_of(block)} were changed")
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
            raise self._broken(f"{self._cases_of(block)} are invalid: {fault}")
        self._sound.add(block)

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


# Resumable writing of listings: complete blocks are stored until the whole file is complete.
#
# `FILE.part` contains the first blocks of the file. `FILE.part.index` identifies the listing, and
# has an entry for each complete block, written after the block. The writing process holds a lock on
# it. The last case of the last complete block determines where the next run starts.


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
        for column in (cells.shapes, cells.honours):
            checksum = crc32(column.astype("<u2").tobytes(), checksum)
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
    named = f"cases {before + 1:,} to {before + CASES_IN_BLOCK:,}"
    raise _NotTrustedError(f"{named} or their checksum were changed")


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
