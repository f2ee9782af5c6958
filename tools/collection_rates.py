"""Measure what a deal, a task and a part cost on this machine, for the page of costs.

    python tools/collection_rates.py

writes `collection_rates.json`. The figures of deals are seconds of one processor, with the SHA-256
of the file; the least of three turns counts.
"""

from __future__ import annotations

import json
import os
import platform
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import BinaryIO, cast

import pavcodec as pav
from pavcodec.collection.engines.choice import engine_of
from pavcodec.collection.making import Measured
from pavcodec.collection.manifest import Row, Rows, json_bytes, row_name
from pavcodec.collection.plan import Plan
from pavcodec.collection.stored import put_manifest
from pavcodec.files.storage import storage_of
from pavcodec.limits.threads import threads_limited

RATES = Path(__file__).with_suffix(".json")
WHERE = "hcp(south) >= 20"
FORMATS = (
    "parquet", "parquet:number,hcp", "parquet:number", "pav", "deal12", "lines.zst", "pbn.zst",
)  # fmt: skip
_DEALS = 1 << 19
_TURNS = 3
_TASKS = 5000
_ROWS = 20_000


def plan_of(to: str, parts: int = 1) -> Plan:
    """Return the plan of a collection of the measured deals."""
    return pav.parts(WHERE, _DEALS, parts=parts, seed=7, to=to)


def deal_costs(to: str) -> dict[str, int]:
    """Return the nanoseconds of a processor and the bits of a deal in a format."""
    plan = plan_of(to)
    plan.making.prepare()
    least, size = 0, 0
    for _ in range(_TURNS):
        with open(os.devnull, "wb") as nowhere, threads_limited(1):
            stream = Measured(nowhere)
            begin = time.process_time_ns()
            plan.making.write(plan[0], cast("BinaryIO", stream))
            taken = time.process_time_ns() - begin
        least, size = min(taken, least or taken), stream.size
    return {"nanoseconds": least // _DEALS, "bits": -(-8 * size // _DEALS)}


def microseconds(call: Callable[[], object]) -> int:
    """Return the microseconds of a call, by the clock."""
    begin = time.perf_counter_ns()
    call()
    return (time.perf_counter_ns() - begin) // 1000


def start_time() -> int:
    """Return the microseconds until two new workers have made a part of one deal each."""
    plan = pav.parts(WHERE, 2, parts=2, seed=7)

    def make() -> None:
        with tempfile.TemporaryDirectory() as folder:
            plan.make(folder, workers=2)

    return min(microseconds(make) for _ in range(_TURNS))


def task_time(scheduler: str | None) -> int:
    """Return the microseconds of a task that does nothing, by two workers that run already."""
    return min(_task_time(scheduler) for _ in range(_TURNS))


def _task_time(scheduler: str | None) -> int:
    outcomes = engine_of(2, scheduler).run(abs, range(_TASKS))
    for _ in range(_TASKS // 10):
        next(outcomes)
    left = _TASKS - _TASKS // 10
    return -(-microseconds(lambda: list(outcomes)) // left)


def row_time() -> int:
    """Return the microseconds for each part when a manifest is written and its rows are removed."""
    plan = plan_of("deal12", parts=_ROWS)
    with tempfile.TemporaryDirectory() as folder:
        storage, rows = storage_of(folder), Rows(plan)
        for part in map(plan.__getitem__, range(_ROWS)):
            row = Row(part.index, part.name, part.start, part.count, part.count, 1, "0" * 64)
            rows.add(row)
            with storage.put(row_name(part)) as stream:
                stream.write(json_bytes(row.to_dict()))

        def finish() -> None:
            put_manifest(rows, storage)
            storage.remove(storage.names("rows/"))

        return -(-microseconds(finish) // _ROWS)


def main() -> None:
    """Measure, and write the figures."""
    found = {
        "machine": f"{os.cpu_count()} processors of {platform.machine()}, "
        f"Python {platform.python_version()}",
        "where": WHERE,
        "formats": {to: deal_costs(to) for to in FORMATS},
        "start": start_time(),
        "task": {"processes": task_time(None), "dask": task_time("local")},
        "row": row_time(),
    }
    RATES.write_text(json.dumps(found, indent=2) + "\n", encoding="utf-8")
    print(RATES.read_text("utf-8"))


if __name__ == "__main__":
    main()
