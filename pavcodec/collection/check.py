"""Check the parts of a collection: each against its row, all of them against plan and manifest."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from pavcodec.collection.engines.engine import Engine
from pavcodec.collection.manifest import MANIFEST, Rows, digest_of
from pavcodec.collection.plan import Plan, name_of_part
from pavcodec.collection.run import MISSING, NO_ROW, Done, Indexes, Tasks, Work, closed, patiently
from pavcodec.collection.stored import open_collection, stored_rows
from pavcodec.errors import ReadError

__all__ = ["Check", "check", "shown_ranges"]


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
        found: dict[str, object] = {
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
            found["unrecorded_parts"] = shown_ranges(self.unrecorded.ranges)
        if missing:
            found["missing_parts"] = shown_ranges(missing.ranges)
        return found | ({"problems": problems} if problems else {})


def shown_ranges(ranges: Iterable[range]) -> str:
    """Return indexes as text, as `--only` reads them.

    >>> shown_ranges([range(3, 4), range(10, 20)])
    '3,10-19'
    """
    return ",".join(
        str(each.start) if len(each) == 1 else f"{each.start}-{each.stop - 1}" for each in ranges
    )


def check(
    folder: str | os.PathLike[str],
    engine: Engine,
    *,
    on_row: Callable[[Done], None] | None = None,
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
    work = Work(plan, os.fspath(folder), makes=False)
    for task, outcome in closed(engine.run(work, Tasks(range(len(plan)), known))):
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
