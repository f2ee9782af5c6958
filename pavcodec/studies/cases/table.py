"""The listing that is computed on demand, and how it is written to a file.

A `CaseTable` stores only the totals of its blocks, so a listing of many millions of cases needs
little memory. One of its blocks is a *step*: a cell of the first hand with a range of cells of the
second, or a range of cells of the only hand. Its cases are computed together, as arrays, whenever
they are needed. A file is written sequentially, in memory for one block of it.
"""

from __future__ import annotations

import os
import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import cached_property, lru_cache
from math import prod
from typing import BinaryIO, ClassVar, cast
from zlib import crc32

import numpy as np

from pavcodec.arrays import Limbs, add, total_of_words
from pavcodec.constraints import TestedDeals
from pavcodec.constraints.expressions import expression
from pavcodec.constraints.nodes.syntax import Node, conjunction, parts_of
from pavcodec.constraints.operators import Expression
from pavcodec.errors import PavError, RecordError
from pavcodec.files.opening import open_output
from pavcodec.files.paths import named, put_in_place
from pavcodec.numberings.chain import Chain
from pavcodec.records import Case
from pavcodec.records.arrays import join_rows
from pavcodec.studies.cases.cells import (
    Accepts,
    HandCondition,
    NotCasesError,
    Numbers,
    Plan,
    cells_of,
    no_hand,
    read_hands,
    sort_parts,
)
from pavcodec.studies.cases.files import (
    CASE_BLOCK,
    CASE_FOOT,
    CASES_IN_BLOCK,
    CHECKSUM_BYTES,
    MAGIC,
    CaseBlock,
    CaseFoot,
    fault_of_cases,
)
from pavcodec.studies.cases.sequence import CASE, OFF, CaseDeals, CaseSequence, total_of

_NO_HANDS = [np.array([off], np.uint64) for off in OFF]
_MOST_IN_STEP = 1 << 18
"""The maximum number of cells of the last hand in a step."""
_CACHED = 1 << 20
"""The number of cells in the steps whose cases are cached."""
_MOST_WORK = 1 << 37
_STEP_COSTS = 1 << 15
"""The fixed cost of a step, in cells."""


class CaseTable(CaseSequence):
    """A listing that is computed on demand; `pavcodec.case_table(where)` returns it.

    It is a sequence of `Case`, with `rows` in the form of the study; see `CaseSequence`. The first
    access counts all cases, which takes seconds for tens of millions. `save` writes them to a file.
    """

    def __init__(self, plan: Plan, conditions: list[Accepts], where: str = "") -> None:
        self.plan = plan
        self.where = where
        self.cells = [cells_of(plan, accepts) for accepts in conditions]
        self._at_once = _MOST_IN_STEP
        self._parts = max(1, -(-len(self.cells[-1].shapes) // self._at_once))
        in_step = min(max(1, len(self.cells[-1].shapes)), self._at_once)
        self._recent = lru_cache(_CACHED // in_step)(self._records_of_step)
        if len(self.cells) > 1:
            first, last = (len(cells.shapes) for cells in self.cells)
            if first * (last + _STEP_COSTS) > _MOST_WORK:
                raise NotCasesError(
                    f"the listing pairs {first:,} cases of the first hand with {last:,} of the "
                    "second, which is too many to go through; 'pavcodec count' counts them"
                )

    @property
    def steps(self) -> int:
        """The number of steps."""
        return self._parts * prod(len(cells.shapes) for cells in self.cells[:-1])

    def steps_after(self, case: Case | None) -> int:
        """Return the number of steps that `chunks` computes after a case."""
        return self.steps if case is None else self.steps - self._step_of(case)[0]

    def chunks(self, after: Case | None = None) -> Iterator[bytes]:
        """Yield the records of each step; only those after the case `after`, if given.

        The earlier steps are not computed. Raise `PavError` if the case is not in the listing.
        """
        if not isinstance(after, Case | None):
            raise TypeError(f"cases come after a Case, not {type(after).__name__!r}")
        step, done = (0, -1) if after is None else self._step_of(after)
        total = 0 if after is None else after.total
        while step < self.steps:
            first, last, ways = self._step(step)
            if done >= 0:
                ways, last, done = ways[last > done], last[last > done], -1
            data = self._joined(first, last, ways, total)
            total = total_of(data[-CASE.size :]) if data else total
            step += 1
            yield data

    def save(self, path: str | os.PathLike[str], *, resume: bool = False) -> int:
        """Write the listing to a file, and return the number of cases.

        The file appears only when it is complete; `pavcodec.open_cases` reads it. With `resume`,
        the complete blocks of an interrupted run stay in two files next to it, whose names end in
        `.part` and `.part.index`, and the next run with `resume` continues there. If these belong
        to another condition or were changed, there is a warning, and the listing starts again.
        Raise `PavError` if another process writes the same listing with `resume`.

        >>> import os, tempfile
        >>> path = os.path.join(tempfile.mkdtemp(), "nine.cases")
        >>> case_table("spades(west) == 9").save(path, resume=True)
        15
        """
        if not resume:
            with open_output(path) as stream:
                return write_cases(self, self.chunks(), stream)
        with open_partial(self, path) as partial:
            if partial.refused:
                warnings.warn(partial.refused, stacklevel=2)
            return partial.write(partial.chunks())

    @cached_property
    def _chains(self) -> tuple[Chain, Chain]:
        counts, totals = [], []
        for step in range(self.steps):
            _, _, ways = self._step(step)
            counts.append(len(ways))
            totals.append(total_of_words(ways))
        return Chain(tuple(counts)), Chain(tuple(totals))

    def _records(self, block: int, rows: slice) -> bytes:
        return self._recent(block)[CASE.size * rows.start : CASE.size * rows.stop]

    def _records_of_step(self, step: int) -> bytes:
        return self._joined(*self._step(step), self._chains[1].starts[step])

    @cached_property
    def _left(self) -> tuple[Numbers, Limbs]:
        """The cards of each group that a cell of the first hand leaves, and its ways."""
        needs = self.cells[0].needs
        return self.plan.sizes - needs, self.plan.ways(needs, self.plan.sizes)

    def _step(self, step: int) -> tuple[int, Numbers, Limbs]:
        """Return the cases of a step: the indexes of their cells in each hand, and their ways.

        The first index is one number; it has no meaning if there is one hand.
        """
        first, part = divmod(step, self._parts)
        last = self.cells[-1]
        here = slice(part * self._at_once, (part + 1) * self._at_once)
        rows = np.arange(here.start, here.start + len(last.shapes[here]))
        if len(self.cells) == 1:
            return first, rows, self.plan.ways(last.needs[:, here], self.plan.sizes)
        if self.plan.honours:
            rows = rows[last.maps[here] & self.cells[0].maps[first] == 0]
        left, ways = self._left
        ways = ways[first] * self.plan.ways(last.needs[:, rows], left[:, first])
        possible = ways > 0
        return first, rows[possible], ways[possible]

    def _joined(self, first: int, last: Numbers, ways: Limbs, before: int) -> bytes:
        """Return the records of cases; `before` is the running total before them."""
        if not len(ways):
            return b""
        totals = np.empty((len(ways), 2), np.uint64)
        ways.cumsum(out=totals[:, 1])
        (totals[:, 1] < ways).cumsum(out=totals[:, 0])
        totals = add(totals, before)
        columns = [totals, *_NO_HANDS]
        hands = [last] if len(self.cells) == 1 else [np.array([first]), last]
        for hand, (cells, rows) in enumerate(zip(self.cells, hands, strict=True)):
            columns[1 + hand] = cells.shapes[rows].astype(np.uint64)
            columns[3 + hand] = cells.maps[rows].astype(np.uint64)
        return join_rows(CASE.table, columns).tobytes()

    def _step_of(self, case: Case) -> tuple[int, int]:
        """Return the step of a case, and the index of its last cell."""
        hands = zip(self.cells, self.plan.hands(case), strict=True)
        *first, last = (cells.index_of(cell) for cells, cell in hands)
        if last is None or None in first:
            raise PavError(f"{case} is no case of this listing")
        step = sum(index or 0 for index in first) * self._parts + last // self._at_once
        return step, last

    def __reduce__(self) -> tuple[object, ...]:
        return case_table, (self.where,)

    def __repr__(self) -> str:
        return f"case_table({self.where!r})"


def case_table(where: Expression | Node | str | int) -> CaseTable:
    """Return the cases of a condition on one hand or two, in the order of Pavlicek's study.

    Each part of the condition, between `&&`, depends on the shape and on the honours (A K Q J) of
    one hand. If only shapes matter, cases have shapes; if only honours matter, they have honours;
    otherwise they have both. The hands have the order of their first use in the condition. Raise
    `NotCasesError` for other conditions, and `TextError` for a text that is no condition.
    >>> table = case_table("shape(east, any 5332) && hcp(east) == 34")
    >>> len(table), table.cardinality, table.row(0).hands
    (48, 756, ['5=3=3=2 S A-K-Q-J H A-K-Q D A-K-Q C A-Q'])
    >>> table.deals.cardinality
    63865442143086998400
    """
    return _table_of(read_hands(where), expression(where))


def _table_of(hands: Sequence[HandCondition], where: Expression | None = None) -> CaseTable:
    """Return the cases of one hand or two; `where` is the condition for their name."""
    honours = any(hand.uses_honours for hand in hands)
    shapes = any(hand.uses_shape for hand in hands) or not honours
    plan = Plan(tuple(hand.seat for hand in hands), shapes, honours)
    if where is None:
        where = Expression(conjunction([part for hand in hands for part in hand.parts]))
    return CaseTable(plan, [hand.accepts for hand in hands], str(where))


# The study's method for three or four hands: two by cases, and rejection for the others.
#
# A listing deals the two most constrained hands. The other parts of the condition, on the other
# hands or on several hands together, are tested on each deal, and deals that do not satisfy them
# are rejected. All deals of the condition are equally likely, and their number is estimated.


@dataclass(frozen=True, eq=False)
class SelectedDeals(TestedDeals):
    """The deals of a listing that also satisfy a condition, which is tested deal by deal."""

    counted: CaseDeals  # type: ignore[assignment]  # also a numbering with a condition
    _is_drawn_in_loops: ClassVar[bool] = False


def select(deals: CaseDeals, rest: Sequence[Node]) -> CaseDeals | SelectedDeals:
    """Return the deals of a listing that also satisfy `rest`."""
    if not rest:
        return deals
    reasons = ("the deals of a listing are selected by it",) * len(rest)
    return SelectedDeals(deals, Expression(conjunction(rest)), reasons)


def deals_by_cases(where: Expression | Node | str | int) -> CaseDeals | SelectedDeals:
    """Return the deals of a condition by the study's method: two hands by cases, then rejection.

    The parts with cases are listed for the two hands that they constrain most, those with the
    fewest hands. If there are no other parts, the result is a numbering; otherwise the other parts
    are tested deal by deal. Raise `NotCasesError` if no part has cases, or if a listing is too
    long.

    >>> both = deals_by_cases("spades(west) == 9 && shape(east, xx66)")
    >>> both.cardinality
    5793043221084319200000
    >>> three = deals_by_cases("spades(west) == 9 && hcp(north) > 9 && shape(east, xx66)")
    >>> str(three.counted.where), str(three.tested)
    ('spades(west) == 9 && shape(east, xx66)', 'hcp(north) > 9')
    >>> three.sample(1, seed=7)[0]["N"].hcp
    11
    """
    condition = expression(where).node
    hands, refused = sort_parts(condition)
    if not hands:
        raise refused[0][1] if refused else no_hand(condition)
    listed = list(hands)
    if len(hands) > 2:
        fewest = sorted(hands, key=lambda hand: _table_of([hand]).cardinality)[:2]
        listed = [hand for hand in hands if hand in fewest]
    known = {part for hand in listed for part in hand.parts}
    left = [part for part in parts_of(condition) if part not in known]
    return select(_table_of(listed).deals, left)


# Write a listing to a file.


def _foot_of(table: CaseTable, cases: int, checksum: int) -> bytes:
    """Return the condition and the foot of a table."""
    text, plan = table.where.encode(), table.plan
    seats = plan.seats[0], plan.seats[1] if len(plan.seats) > 1 else None
    foot = CaseFoot(seats, plan.patterns, plan.honours, len(text), cases, checksum)
    return text + CASE_FOOT.build(foot)


def write_cases(
    table: CaseTable,
    chunks: Iterable[bytes],
    stream: BinaryIO,
    index: Sequence[CaseBlock] = (),
    keep: Callable[[CaseBlock], None] | None = None,
) -> int:
    """Write the rest of a listing to a stream, and return the number of all cases.

    `index` are the entries of the blocks that the stream has. After each whole block, `keep` gets
    its entry.
    """
    entries, whole = list(index), CASES_IN_BLOCK * CASE.size
    count = len(entries) * CASES_IN_BLOCK
    for data in _in_blocks(chunks, whole):
        stream.write(data)
        entries.append(CaseBlock(total_of(data[-CASE.size :]), crc32(data)))
        count += len(data) // CASE.size
        if keep is not None and len(data) == whole:
            keep(entries[-1])
    tail = CASE_BLOCK.build_many(entries) + _foot_of(table, count, 0)[:-CHECKSUM_BYTES]
    stream.write(tail + crc32(tail).to_bytes(CHECKSUM_BYTES, "little"))
    return count


def _in_blocks(chunks: Iterable[bytes], size: int) -> Iterator[bytes]:
    """Yield the bytes of chunks in blocks of a size; the last block may be shorter."""
    waiting = bytearray()
    for data in chunks:
        waiting += data
        while len(waiting) >= size:
            yield bytes(waiting[:size])
            del waiting[:size]
    if waiting:
        yield bytes(waiting)


# Resumable writing of listings: complete blocks are stored until the whole file is complete.
#
# `FILE.part` contains the first blocks of the file. `FILE.part.index` identifies the listing, and
# has an entry for each complete block, written after the block. The writing process holds a lock on
# it. The last case of the last complete block determines where the next run starts.


class PartialListing:
    """A listing in progress, with the complete blocks of an earlier run.

    `refused` is the reason why existing blocks are not used, or "".
    """

    def __init__(self, table: CaseTable, target: str, cases: BinaryIO, index: BinaryIO) -> None:
        self.table = table
        self.refused = ""
        self._target = target
        self._cases, self._index = cases, index
        self._entries: list[CaseBlock] = []
        self._last: Case | None = None
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
        """The number of steps in `chunks`."""
        return self.table.steps_after(self._last)

    def chunks(self) -> Iterator[bytes]:
        """Yield the remaining cases."""
        return self.table.chunks(self._last)

    def write(self, chunks: Iterable[bytes]) -> int:
        """Write the remaining cases, rename the file, and return the number of all cases."""
        count = write_cases(self.table, chunks, self._cases, self._entries, self._keep)
        self._cases.close()
        put_in_place(self._cases.name, self._target)
        self._entries = []
        return count

    def _keep(self, entry: CaseBlock) -> None:
        self._cases.flush()  # before the entry, which guarantees the cases
        self._index.write(CASE_BLOCK.build(entry))
        self._index.flush()
        self._entries.append(entry)

    def tidy(self) -> None:
        """Remove the files if the listing is complete or they contain no blocks."""
        if not self._entries:
            for name in (self._cases.name, self._index.name):
                with suppress(FileNotFoundError):
                    os.unlink(name)

    def _look(self) -> None:
        """Find the complete blocks, and verify each of them."""
        head = _head_of(self.table)
        self._index.seek(0)
        self._cases.seek(0)
        data = self._index.read()
        if data[: len(head)] != head[: len(data)]:
            if os.fstat(self._cases.fileno()).st_size:
                raise _NotTrustedError("it belongs to another condition or version")
            return
        entries = data[len(head) :]
        for start in range(0, len(entries) - CASE_BLOCK.size + 1, CASE_BLOCK.size):
            block = self._cases.read(CASES_IN_BLOCK * CASE.size)
            if len(block) < CASES_IN_BLOCK * CASE.size:
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
        self._cases.truncate(self.count * CASE.size)
        if self._entries:
            self._index.truncate(len(head) + len(self._entries) * CASE_BLOCK.size)
        else:
            self._index.truncate(0)
            self._index.write(head)
            self._index.flush()


@contextmanager
def open_partial(table: CaseTable, path: str | os.PathLike[str]) -> Iterator[PartialListing]:
    """Open the complete blocks of a listing with the target `path`, and lock them.

    Raise `PavError` if another process has the lock, or if files with these names are not from
    pavcodec.

    >>> import tempfile
    >>> from pavcodec import case_table
    >>> path = os.path.join(tempfile.mkdtemp(), "nine.cases")
    >>> with open_partial(case_table("spades(west) == 9"), path) as partial:
    ...     partial.count, partial.refused, partial.write(partial.chunks())
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


def _head_of(table: CaseTable) -> bytes:
    """Return the head of an index: hands, columns, condition and a checksum of all cells."""
    checksum = crc32(table.where.encode())
    for cells in table.cells:
        for column in (cells.shapes, cells.maps):
            checksum = crc32(column.astype("<u2").tobytes(), checksum)
    text = len(table.where.encode())
    foot = _foot_of(table, 0, checksum)
    return foot[text:] + foot[:text]


def _last_of(block: bytes, entry: bytes, before: int) -> Case:
    """Return the last case of a block; raise `_NotTrustedError` if it contradicts its entry."""
    try:
        last = cast("Case", CASE.parse(block[-CASE.size :]))
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
            # who held the lock before may have removed the file
            if os.path.exists(name) and os.path.samestat(os.fstat(file.fileno()), os.stat(name)):
                yield cast("BinaryIO", file)
                return
