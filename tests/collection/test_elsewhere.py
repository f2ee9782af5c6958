"""Collections without engines: the job array of the page, and tables that skip parts."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from packages import needs
from program_support import environment

import pavcodec as pav

pytestmark = pytest.mark.slow

PAGE = Path(__file__).parents[2] / "docs" / "collection" / "index.md"


def test_the_job_array_of_the_page(tmp_path: Path) -> None:
    [job] = re.findall(
        r"^```sh\n(#!.*?)^```", PAGE.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL
    )
    (tmp_path / "job.sh").write_text(job, encoding="utf-8")
    (tmp_path / "pavcodec").write_text(
        f'#!/bin/sh\nexec "{sys.executable}" -m pavcodec "$@"\n', encoding="utf-8"
    )
    (tmp_path / "pavcodec").chmod(0o755)
    there = environment()
    there["PATH"] = f"{tmp_path}:{there['PATH']}"
    for task in (2, 0, 3, 1, 2):  # a queue may run a task twice
        subprocess.run(
            ["sh", "job.sh"],
            cwd=tmp_path,
            env=there | {"SLURM_ARRAY_TASK_ID": str(task)},
            check=True,
            stderr=subprocess.DEVNULL,
        )
    found = pav.open_collection(tmp_path / "deals")
    assert found.is_complete
    plan = pav.parts("hcp(south) >= 20", 4000, parts=4, seed=7, to="deal12")
    assert found.sha256 == plan.make(tmp_path / "here", workers=1).sha256


@pytest.mark.filterwarnings("ignore:The inplace keyword")  # of pandas, by Dask
def test_tables_read_only_the_parts_that_may_have_a_number(tmp_path: Path) -> None:
    duckdb = pytest.importorskip("duckdb")
    frames = pytest.importorskip("dask.dataframe")
    plan = pav.parts("hcp(south) >= 20", 4000, parts=8, seed=7, order="sorted")
    plan.make(tmp_path / "set", workers=1)
    files = str(tmp_path / "set" / "part-*.parquet")
    rows = pav.open_collection(tmp_path / "set").rows
    for index in (0, 3, 7):
        facts: Any = rows[index].facts
        ends = [int(facts[name]).to_bytes(12, "big") for name in ("least", "greatest")]
        query = f"FROM '{files}' WHERE number BETWEEN ? AND ?"
        assert duckdb.execute(f"SELECT count(*) {query}", ends).fetchone() == (500,)
        explained = duckdb.execute(f"EXPLAIN ANALYZE SELECT count(*) {query}", ends).fetchone()[1]
        assert re.search(r"Row Groups Scanned: (\d+) / 8", explained)[1] == "1"  # type: ignore[index]
        limits = [("number", ">=", ends[0]), ("number", "<=", ends[1])]
        found = frames.read_parquet(files, columns=["number"], filters=limits)
        assert (found.npartitions, len(found)) == (1, 500)


POLARS = """
import polars, sys
first, last = map(bytes.fromhex, sys.argv[2:])
inside = polars.col("number").is_between(first, last)
print(polars.scan_parquet(sys.argv[1]).filter(inside).select(polars.len()).collect().item())
"""


def test_polars_skips_row_groups(tmp_path: Path) -> None:
    needs("polars")
    plan = pav.parts("hcp(south) >= 20", 4000, parts=8, seed=7, order="sorted")
    plan.make(tmp_path / "set", workers=1)
    facts: Any = pav.open_collection(tmp_path / "set").rows[3].facts
    ends = [int(facts[name]).to_bytes(12, "big").hex() for name in ("least", "greatest")]
    done = subprocess.run(
        [sys.executable, "-c", POLARS, str(tmp_path / "set" / "part-*.parquet"), *ends],
        env=environment() | {"POLARS_VERBOSE": "1"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.split()[-1] == "500"
    read = re.findall(r"reading (\d) / 1 row groups", done.stderr)
    assert sorted(read) == ["0"] * 7 + ["1"]
