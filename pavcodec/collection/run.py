"""Make the parts of a collection in a folder, and continue what is there.

Rule 1: a part that is there is read and compared with its row; only what is missing or damaged is
        made. Workers do both, and the driver has a row for each part and nothing larger.
Rule 2: several runs may work on one folder. Who finds all rows writes the manifest; its bytes are
        the same for all.
Rule 3: rows and names of killed workers are removed after the manifest is there.
"""

from __future__ import annotations

import os
import pickle
from bisect import bisect_right
from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import accumulate
from typing import NamedTuple, TypeVar, cast, overload

from pavcodec.collection.engines.engine import Engine, ThisProcess, attempt
from pavcodec.collection.manifest import MANIFEST, ROWS, Row, Rows, digest_of, make_part, row_name
from pavcodec.collection.plan import Making, Part, Plan, name_of_part
from pavcodec.collection.stored import (
    check_stored,
    continues,
    open_collection,
    put_manifest,
    read_row,
    stored_rows,
)
from pavcodec.constraints.counting.model import Model
from pavcodec.constraints.counting.recent import models_used, recent_model, remember_model
from pavcodec.errors import PavError, ReadError
from pavcodec.files.paths import protocol_of, shown_path
from pavcodec.files.stores import Storage, storage_of
from pavcodec.files.text import sha256_of

T = TypeVar("T")

MISSING = "is missing"
"""Why a part is made that is not there."""
NO_ROW = "has no row"
"""Why a part is made that is there, and whose row is not."""
_MOST_FAILED = 20
"""The parts that may fail before a run ends."""


class Done(NamedTuple):
    """What a worker did with a part; `reason` is why a part was made again, or is not there."""

    row: Row | None
    made: bool = False
    reason: str = ""


@dataclass(frozen=True, slots=True)
class PartTask:
    """A part to look at, and its row if a manifest has it."""

    index: int
    row: Row | None


class Indexes(Sequence[int]):
    """Indexes of parts as ranges, in ascending order and without repeats.

    >>> list(Indexes([range(5, 7), range(2), range(1, 3)])), Indexes([range(10**6)])[-1]
    ([0, 1, 2, 5, 6], 999999)
    """

    def __init__(self, ranges: Iterable[range]) -> None:
        joined: list[range] = []
        for each in sorted((one for one in ranges if one), key=lambda one: one.start):
            if joined and each.start <= joined[-1].stop:
                joined[-1] = range(joined[-1].start, max(joined[-1].stop, each.stop))
            else:
                joined.append(each)
        self.ranges = tuple(joined)
        self._ends = list(accumulate(map(len, joined)))

    def __len__(self) -> int:
        return self._ends[-1] if self._ends else 0

    @overload
    def __getitem__(self, at: int) -> int: ...
    @overload
    def __getitem__(self, at: slice) -> Sequence[int]: ...
    def __getitem__(self, at: int | slice) -> int | Sequence[int]:
        if isinstance(at, slice):
            return [self[each] for each in range(*at.indices(len(self)))]
        at = range(len(self))[at]
        which = bisect_right(self._ends, at)
        return self.ranges[which][at - (self._ends[which - 1] if which else 0)]

    def __contains__(self, index: object) -> bool:
        return isinstance(index, int) and any(index in each for each in self.ranges)


class PartTasks(Sequence[PartTask]):
    """The tasks of some parts, made one by one."""

    def __init__(self, indexes: Sequence[int], rows: Rows | None) -> None:
        self._indexes, self._rows = indexes, rows

    def __len__(self) -> int:
        return len(self._indexes)

    @overload
    def __getitem__(self, at: int) -> PartTask: ...
    @overload
    def __getitem__(self, at: slice) -> Sequence[PartTask]: ...
    def __getitem__(self, at: int | slice) -> PartTask | Sequence[PartTask]:
        if isinstance(at, slice):
            return [self[each] for each in range(*at.indices(len(self)))]
        index = self._indexes[at]
        return PartTask(index, None if self._rows is None else self._rows.get(index))


@dataclass(frozen=True)
class Work:
    """Compares a part with its row; with `makes`, makes it if it is missing or damaged."""

    plan: Plan
    storage: Storage
    makes: bool

    def __call__(self, task: PartTask) -> Done:
        """Return the row of the part, or why there is none."""
        plan, storage, index = self.plan, self.storage, task.index
        row, reason = task.row, MISSING
        if row is None:
            try:
                row = read_row(plan, storage, index)
            except FileNotFoundError:
                if storage.exists(plan[index].name):
                    reason = NO_ROW
                    others = _rows_by_now(plan, storage)
                    row = None if others is None else others.get(index)
            except ReadError as error:
                reason = str(error)
        if row is not None:
            reason = fault_of(storage, row)
            if not reason:
                return Done(row)
        if not self.makes:
            return Done(None, reason=reason)
        made = _in_spite_of_others(lambda: make_part(plan, index, storage.address))
        return Done(made, made=True, reason=reason)


def _rows_by_now(plan: Plan, storage: Storage) -> Rows | None:
    """Return all rows if another run has completed the folder since this one began."""
    try:
        return stored_rows(plan, storage)
    except ReadError:  # a run of all parts writes the manifest again
        return None


def _in_spite_of_others(write: Callable[[], T]) -> T:
    """Write a file; again if another run completed the folder and removed unfinished files."""
    try:
        return write()
    except FileNotFoundError:
        return write()


def fault_of(storage: Storage, row: Row) -> str:
    """Return how the file of a part differs from its row; nothing if it is as the row says."""
    try:
        size = storage.size(row.name)
        if size != row.bytes:
            return f"has {size:,} bytes, not {row.bytes:,}"
        with storage.open(row.name) as stream:
            digest = sha256_of(stream)
    except FileNotFoundError:
        return MISSING
    if digest != row.sha256:
        return f"is damaged: its SHA-256 is {digest[:16]}…, not {row.sha256[:16]}…"
    return ""


# Models for workers: the driver builds each model once, and sends it with the preparation.
#
# Rule 1: a worker process gets the models before its first part, also if it starts later, and on
#         machines without a common disk. No part builds a model.
# Rule 2: models that take more than `MOST_SENT` bytes together are not sent: each worker process
#         builds them once. So are the models of weights, which belong to one space.


MOST_SENT = 1 << 28
"""The most bytes of all models of a collection that workers get from the driver.

The scheduler of a cluster passes on some 100 MB in a second, to all workers together; a worker
builds as much of a large model in half a second.
"""


class _Sent(NamedTuple):
    """A model as a worker gets it: its pickle has nothing that ranks and loops derive from it."""

    key: Hashable
    model: Model

    def remember(self) -> Model:
        """Give the model to this process, if it has none."""
        recent = recent_model(self.key, self.model.limit)
        if recent is None:
            remember_model(*self)
        return recent or self.model


@dataclass(frozen=True)
class Prepared:
    """The preparation of a worker process: it takes the models, and then prepares the making."""

    making: Making
    models: tuple[_Sent, ...]

    def __call__(self) -> None:
        """Prepare this process."""
        alive = [each.remember() for each in self.models]
        self.making.prepare()
        del alive  # the making holds them now


def prepared(making: Making) -> Prepared:
    """Prepare a making in this process; return the preparation of workers, with the models.

    A model that the caller's space has is not built again.
    """
    fresh = cast("Making", pickle.loads(pickle.dumps(making)))  # noqa: S301 (our own value)
    with models_used() as used:
        fresh.prepare()
    sizes = accumulate(model.memory for model in used.values())
    pairs = zip(used.items(), sizes, strict=True)
    sent = [_Sent(*item) for item, size in pairs if size <= MOST_SENT]
    return Prepared(making, tuple(sent))


# Make the parts of a folder, and complete it.


@dataclass
class Made:
    """What a run of `make` did."""

    rows: Rows
    chosen: int
    """The parts that the run was to make or to verify."""
    made: int = 0
    verified: int = 0
    again: list[tuple[str, str]] = field(default_factory=list)
    """The names of parts that were made again, with the reasons."""
    failed: list[tuple[str, str]] = field(default_factory=list)
    """The names of parts that could not be made, with the reasons."""
    is_complete: bool = False
    """Whether the folder has all parts and a manifest."""

    @property
    def missing(self) -> int:
        """The parts of this run that are not there."""
        return self.chosen - self.made - self.verified

    @property
    def sha256(self) -> str:
        """The SHA-256 of what `sha256sum part-*` prints; empty if the folder is not complete."""
        return digest_of(self.rows) if self.is_complete else ""

    def to_dict(self) -> dict[str, object]:
        """Return the result for JSON."""
        description: dict[str, object] = {
            "parts": len(self.rows.plan),
            "chosen": self.chosen,
            "made": self.made,
            "verified": self.verified,
            "missing": self.missing,
            "rows": self.rows.rows,
            "bytes": self.rows.bytes,
            "is_complete": self.is_complete,
            "sha256": self.sha256 or None,
        }
        if self.failed:
            description["failed"] = [{"name": name, "reason": why} for name, why in self.failed]
        return description


def make(
    plan: Plan,
    folder: str | os.PathLike[str],
    engine: Engine,
    *,
    only: Sequence[int] | None = None,
    on_row: Callable[[Done], None] | None = None,
) -> Made:
    """Make the parts of a plan that a folder does not have, and verify those that it has.

    `only` are the indexes of some parts. The manifest is written when all parts are there, also by
    other runs. Raises `PavError` for a folder with another plan or with other files, and for a part
    whose data is wrong; parts whose files cannot be written are in the result.
    """
    path, storage = os.fspath(folder), storage_of(folder)
    _check_folder(path, engine)
    patiently(lambda: continues(plan, storage))
    try:
        known = patiently(lambda: stored_rows(plan, storage))
    except ReadError:
        known = None  # a damaged manifest is written again
    rows = Rows(plan) if known is None else known
    chosen = range(len(plan)) if only is None else only
    result = Made(rows, len(chosen))
    work = Work(plan, storage, makes=True)
    tasks = PartTasks(chosen, known)
    for task, outcome in engine.run(work, tasks, prepare=prepared(plan.making)):
        if isinstance(outcome, Exception):
            _note_failure(result, plan[task.index], outcome)
            continue
        assert outcome.row is not None
        rows.add(outcome.row)
        result.made += outcome.made
        result.verified += not outcome.made
        if outcome.made and outcome.reason not in (MISSING, NO_ROW):
            result.again.append((outcome.row.name, outcome.reason))
        if on_row is not None:
            on_row(outcome)
    patiently(lambda: _finish(result, storage, engine))
    return result


def _check_folder(path: str, engine: Engine) -> None:
    """Raise `PavError` for a folder that is none, or that other processes do not have."""
    if not path:
        raise PavError("the folder has an empty name: '.' is the present folder")
    if protocol_of(path) == "memory" and not isinstance(engine, ThisProcess):
        raise PavError(f"{shown_path(path)} is the memory of one process: use one worker")


def patiently(action: Callable[[], T]) -> T:
    """Return what an action of the driver returns; tried again as the work of workers."""
    outcome = attempt(lambda do: do(), action)
    if isinstance(outcome, Exception):
        raise outcome
    return outcome


def _note_failure(result: Made, part: Part, error: Exception) -> None:
    """Note why a part is not made; raise the errors of which another part would also die."""
    if not isinstance(error, OSError):
        raise error
    reason = str(error.strerror or error)
    if error.filename is not None and not str(error.filename).endswith(part.name):
        reason = f"{error.filename}: {reason}"
    result.failed.append((part.name, reason))
    if len(result.failed) >= _MOST_FAILED:
        raise PavError(
            f"{len(result.failed)} parts could not be made, the last of them {part.name}: {reason}"
        )


def _finish(result: Made, storage: Storage, engine: Engine) -> None:
    """Write the manifest if all parts are there, and remove what nobody needs then."""
    rows = result.rows
    if result.failed or result.missing:
        return
    if not rows.is_complete and not _read_others(rows, storage, engine):
        return
    check_stored(rows.plan, storage)
    if result.chosen < len(rows.plan):  # other runs made the others, whose files are not read
        names = set(storage.names("part-"))
        if not all(rows.plan[index].name in names for index in range(len(rows.plan))):
            return
    _in_spite_of_others(lambda: put_manifest(rows, storage))
    storage.remove(storage.names(ROWS))
    storage.remove([*storage.unfinished(), *storage.unfinished(ROWS)])
    result.is_complete = True


def _read_others(rows: Rows, storage: Storage, engine: Engine) -> bool:
    """Read the rows that other runs wrote; return whether all parts are made."""
    plan, names = rows.plan, set(storage.names(ROWS))
    if len(names) < len(plan) and not storage.exists(MANIFEST):
        return False
    missing = Indexes(rows.missing())
    if all(row_name(plan[index]) in names for index in missing):
        for _, row in engine.run(partial(read_row, plan, storage), missing):
            if isinstance(row, Row):
                rows.add(row)
    if not rows.is_complete:  # another run has completed the folder and removed the rows
        for row in _rows_by_now(plan, storage) or ():
            if rows.get(row.part) is None:
                rows.add(row)
    return rows.is_complete


# Check the parts of a collection: each against its row, all of them against plan and manifest.


@dataclass(frozen=True)
class Check:
    """What `check` found in a folder."""

    rows: Rows
    damaged: tuple[tuple[str, str], ...]
    """The names of damaged parts, with the reasons."""
    foreign: tuple[str, ...]
    """Files with names of parts that the plan does not have."""
    manifest: str
    """What is wrong with the manifest; empty if it is right, or if there need be none."""
    has_manifest: bool
    missing: Indexes
    """The parts that are not there."""
    unrecorded: Indexes
    """The parts that are there and have no row: a run did not end, or the manifest is lost."""

    @property
    def is_complete(self) -> bool:
        """Whether all parts and the manifest are there and right."""
        is_right = not (self.damaged or self.foreign or self.manifest)
        return is_right and self.has_manifest and self.rows.is_complete

    def to_dict(self) -> dict[str, object]:
        """Return the result for JSON."""
        rows, missing = self.rows, self.missing
        description: dict[str, object] = {
            "is_whole": self.is_complete,
            "parts": len(rows.plan),
            "right": rows.made,
            "missing": len(missing),
            "rows": rows.rows,
            "bytes": rows.bytes,
            "sha256": digest_of(rows) if rows.is_complete else None,
        }
        problems = [{"name": name, "reason": reason} for name, reason in self.damaged]
        problems += [{"name": name, "reason": "is not in the plan"} for name in self.foreign]
        if self.manifest:
            problems.append({"name": MANIFEST, "reason": self.manifest})
        if self.unrecorded:
            description["unrecorded_parts"] = shown_ranges(self.unrecorded.ranges)
        if missing:
            description["missing_parts"] = shown_ranges(missing.ranges)
        return description | ({"problems": problems} if problems else {})


def shown_ranges(ranges: Iterable[range]) -> str:
    """Return indexes as text, as `--only` reads them.

    >>> shown_ranges([range(3, 4), range(10, 20)])
    '3,10-19'
    """
    return ",".join(
        str(each.start) if len(each) == 1 else f"{each.start}-{each.stop - 1}" for each in ranges
    )


def check(
    folder: str | os.PathLike[str], engine: Engine, *, on_row: Callable[[Done], None] | None = None
) -> Check:
    """Read all parts of a folder and compare them with their rows; nothing is written.

    Raises `ReadError` for a folder without a plan, or with a damaged one.
    """
    opened = patiently(lambda: open_collection(folder))
    plan, storage = opened.plan, opened.storage
    known, fault, has_manifest = None, "", True
    try:
        known = patiently(lambda: stored_rows(plan, storage))
        has_manifest = known is not None
    except ReadError as error:
        fault = str(error)
    rows = Rows(plan)
    damaged: list[tuple[str, str]] = []
    missing: list[range] = []
    unrecorded: list[range] = []
    work = Work(plan, storage, makes=False)
    for task, outcome in engine.run(work, PartTasks(range(len(plan)), known)):
        if isinstance(outcome, Exception):
            raise outcome
        if outcome.row is not None:
            rows.add(outcome.row)
        elif outcome.reason in (MISSING, NO_ROW):
            some = missing if outcome.reason == MISSING else unrecorded
            some.append(range(task.index, task.index + 1))
        else:
            damaged.append((plan[task.index].name, outcome.reason))
        if on_row is not None:
            on_row(outcome)
    names = patiently(lambda: storage.names("part-"))
    return Check(
        rows=rows,
        damaged=tuple(sorted(damaged)),
        foreign=tuple(name for name in names if not _is_ours(name, plan)),
        manifest=fault,
        has_manifest=has_manifest,
        missing=Indexes(missing),
        unrecorded=Indexes(unrecorded),
    )


def _is_ours(name: str, plan: Plan) -> bool:
    """Return whether a plan has a part of a name."""
    digits = name.removeprefix("part-").partition(".")[0]
    if not (digits.isascii() and digits.isdecimal() and int(digits) < len(plan)):
        return False
    return name == name_of_part(int(digits), len(plan), plan.making.suffix)
