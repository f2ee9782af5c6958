"""Questions about a folder of parts: statistics by one process and by several, and by DuckDB."""

from __future__ import annotations

import subprocess
import sys
import time
from hashlib import sha256
from pathlib import Path

__all__ = ["ask"]

_WORKERS = {"one process": ["--workers", "1"], "two processes": ["--workers", "2"]} | {
    "Dask, two workers": ["--workers", "2", "--scheduler", "local"]
}


def ask(folder: Path, where: str) -> None:
    """Print the answers and the seconds that they took."""
    _statistics(folder, where)
    if next(folder.glob("part-*.parquet"), None) is not None:
        _counts(folder)


def _statistics(folder: Path, where: str) -> None:
    """Compare the statistics of the folder by different workers."""
    first = ""
    for name, options in _WORKERS.items():
        begin = time.monotonic()
        command = [sys.executable, "-m", "pavcodec", "stats", str(folder), "--json", *options]
        command += ["--given", where]
        done = subprocess.run(command, capture_output=True, check=False)
        taken = time.monotonic() - begin
        digest = sha256(done.stdout).hexdigest()[:10]
        first = first or digest
        said = "equal" if digest == first else "DIFFERENT"
        if done.stderr:
            said = done.stderr.decode().strip().splitlines()[-1]
        print(f"stats, {name:<18} {taken:>8.1f} s  {digest} {said}")


def _counts(folder: Path) -> None:
    """Print DuckDB's answers over all parts as one table, and how many row groups a range needs."""
    import duckdb

    connection = duckdb.connect()
    connection.read_parquet(f"{folder}/part-*.parquet").create_view("parts")
    (middle,) = connection.execute("SELECT number FROM parts LIMIT 1").fetchone() or (b"",)
    least, greatest = middle[:1] + bytes(11), middle[:1] + b"\xff" * 11
    questions = {
        "deals": "SELECT count(*) FROM parts",
        "deals by South's points": "SELECT south_hcp, count(*) FROM parts GROUP BY 1 ORDER BY 1",
        "a range of numbers": "SELECT count(*) FROM parts WHERE number BETWEEN $1 AND $2",
    }
    for name, question in questions.items():
        begin = time.monotonic()
        try:
            found = connection.execute(question, [least, greatest] if "$1" in question else [])
        except duckdb.BinderException:
            continue  # the form has no such column
        rows = found.fetchall()
        taken = time.monotonic() - begin
        print(f"DuckDB, {name:<24} {taken:>7.2f} s  {rows[0][0] if len(rows) == 1 else dict(rows)}")
    needed, groups = _row_groups(folder, least, greatest)
    print(f"{needed} of {groups} row groups may have numbers of the range")


def _row_groups(folder: Path, least: bytes, greatest: bytes) -> tuple[int, int]:
    """Return how many row groups may have a number in a range by their statistics, and of all."""
    import pyarrow.parquet as pq

    needed = groups = 0
    for path in folder.glob("part-*.parquet"):
        metadata = pq.read_metadata(path)
        for place in range(metadata.num_row_groups):
            statistics = metadata.row_group(place).column(0).statistics
            groups += 1
            needed += statistics.min <= greatest and statistics.max >= least
    return needed, groups
