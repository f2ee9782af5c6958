r"""Collections by different engines and workers, with kills: rates, memory, and the same bytes.

    python benchmarks/cluster.py --deals 1e8 --parts 200 --to parquet \
        --runs processes:1,dask:1,dask:2,dask:3,processes:2,kills:3

A run is an engine and its workers: `processes:2` or `dask:3`. `kills:3` makes the collection with
two workers, kills two workers with SIGKILL at random moments and then the driver, three times, and
lets the last run end; it takes the engines in turn. Each run makes all parts in an empty folder.

The table has the seconds, the rate as a ratio to the first run, the seconds of processors, the
resident memory of the largest worker in the second and in the last quarter of its life and at most,
that of the largest driver, and the SHA-256 of the whole. `--questions` compares statistics and
counts over the last folder. All folders are removed. The program ends with 1 if bytes differ.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Self

from cluster_questions import ask
from cluster_watch import Life, Watch

_MB = 1 << 20
_PATIENCE = 60.0
"""The seconds in which the processes of a killed driver must end."""
_WIDTHS = 5, 5, 5, 6
"""The widths of the columns of memory."""
_VICTIMS = 2
"""The workers that are killed before each driver."""
_ENGINES = ("processes", "dask")
_DRIVER = Path(__file__).with_name("cluster_driver.py")


@dataclass
class Measured:
    """What a run took, and what it made."""

    name: str
    seconds: float = 0.0
    sha256: str = ""
    watches: list[Watch] = field(default_factory=list)
    killed_workers: int = 0
    killed_drivers: int = 0
    left: int = 0
    """The processes that did not end by themselves."""

    @property
    def cpu(self) -> float:
        """The seconds of processors of all processes."""
        return sum(watch.cpu for watch in self.watches)

    @property
    def drivers(self) -> list[Life]:
        """The drivers, one after the other."""
        return [watch.driver for watch in self.watches]

    @property
    def workers(self) -> list[Life]:
        """The workers; a driver that has none works itself."""
        return [life for watch in self.watches for life in watch.workers] or self.drivers

    def columns(self) -> Iterator[str]:
        """Yield the columns of memory, in MB."""
        worker = max(self.workers, key=lambda life: life.peak)
        driver = max(self.drivers, key=lambda life: life.peak)
        quarters = worker.peak_between(0.25, 0.5), worker.peak_between(0.75, 1)
        for size, width in zip((*quarters, worker.peak, driver.peak), _WIDTHS, strict=True):
            yield f"{size / _MB:>{width}.0f}"


class Cluster:
    """The runs of a collection in temporary folders."""

    def __init__(self, args: argparse.Namespace) -> None:
        self.args = args
        self.random = Random(args.random)
        self.folders = Path(tempfile.mkdtemp(prefix="cluster-", dir=args.folder))

    def run(self, name: str) -> Measured:
        """Make the collection as the name of a run says, in an empty folder."""
        for old in self.folders.iterdir():
            shutil.rmtree(old)
        folder = self.folders / name.replace(":", "-")
        engine, _, number = name.partition(":")
        if engine == "kills":
            found = self._with_kills(folder, int(number))
        else:
            found = Measured(name)
            with self._driver(found, folder, engine, int(number)) as running:
                running.finish(check=True)
        found.name = name
        manifest = json.loads((folder / "manifest.json").read_text())
        found.sha256 = manifest["sha256"]
        return found

    def _with_kills(self, folder: Path, times: int) -> Measured:
        """Make the collection and kill workers and drivers at random moments."""
        found = Measured("")
        parts = self.args.parts
        for time_ in range(times):
            low, high = parts * time_ // (times + 1), parts * (time_ + 1) // (times + 1)
            moments = sorted(self.random.randint(low, max(low, high - 1)) for _ in range(_VICTIMS))
            engine = _ENGINES[time_ % 2] if self.args.kill == "both" else self.args.kill
            with self._driver(found, folder, engine, 2) as running:
                for moment in moments:
                    if running.wait_for(folder, moment):
                        time.sleep(self.random.random())
                        found.killed_workers += running.kill_worker(self.random)
                if running.wait_for(folder, high):
                    found.killed_drivers += running.kill_driver()
        with self._driver(found, folder, _ENGINES[0], 2) as running:
            running.finish(check=True)
        return found

    def _driver(self, found: Measured, folder: Path, engine: str, workers: int) -> Running:
        args = self.args
        job = {
            "where": args.where,
            "deals": args.deals,
            "parts": args.parts,
            "seed": args.seed,
            "to": args.to,
            "order": args.order,
            "engine": engine,
            "workers": workers,
        }
        return Running(found, [sys.executable, str(_DRIVER), str(folder), json.dumps(job)])

    def close(self) -> None:
        """Remove the folders."""
        shutil.rmtree(self.folders)


class Running:
    """A driver that runs, watched, with what may be done to it."""

    def __init__(self, found: Measured, command: list[str]) -> None:
        self._found = found
        self._begin = time.monotonic()
        self._process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        self._watch = Watch(self._process.pid)
        found.watches.append(self._watch)
        self._watch.start()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self._process.poll() is None:
            self.finish(check=False)
        assert self._process.stdout is not None
        self._process.stdout.close()
        self._watch.finish()
        self._found.seconds += time.monotonic() - self._begin
        self._found.left += self._watch.end_all(_PATIENCE)

    def finish(self, *, check: bool) -> None:
        """Wait for the end of the driver; stop the program if it failed."""
        self._process.communicate()
        if check and self._process.returncode:
            raise SystemExit(f"the driver ended with {self._process.returncode}")

    def wait_for(self, folder: Path, parts: int) -> bool:
        """Wait until a folder has the rows of so many parts; return whether the driver runs."""
        while self._process.poll() is None:
            if _rows(folder) >= parts:
                return True
            time.sleep(0.05)
        return False

    def kill_worker(self, random: Random) -> int:
        """Kill a worker at random; return 1, or 0 if there is none."""
        alive = [life for life in self._watch.workers if life in self._watch.alive()]
        if not alive:
            return 0
        random.choice(alive).process.kill()
        return 1

    def kill_driver(self) -> int:
        """Kill the driver; return 1."""
        self._process.kill()
        self._process.wait()
        return 1


def _rows(folder: Path) -> int:
    try:
        return sum(entry.name.endswith(".json") for entry in os.scandir(folder / "rows"))
    except FileNotFoundError:
        return 0


def head() -> str:
    """Return the head of the table."""
    names = zip(("2nd", "last", "peak", "driver"), _WIDTHS, strict=True)
    sizes = " ".join(f"{name:>{width}}" for name, width in names)
    return f"{'run':<12} {'s':>7} {'deals/s':>9} {'ratio':>5} {'CPU s':>7} {sizes} MB sha256"


def lines(found: Measured, first: Measured, deals: int) -> Iterator[str]:
    """Yield the lines of a run."""
    yield (
        f"{found.name:<12} {found.seconds:>7.1f} {deals / found.seconds:>9,.0f} "
        f"{first.seconds / found.seconds:>5.2f} {found.cpu:>7.1f} {' '.join(found.columns())}    "
        f"{found.sha256[:10]}"
    )
    if found.name.startswith("kills"):
        yield (
            f"  killed {found.killed_workers} workers and {found.killed_drivers} drivers; "
            f"{found.left} processes did not end by themselves"
        )


def main() -> int:
    """Run what the arguments say; return 1 if any two runs made different bytes."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--deals", type=lambda text: int(float(text)), default=10**6)
    parser.add_argument("--parts", type=int, default=20)
    parser.add_argument("--to", default="parquet")
    parser.add_argument("--where", default="hcp(south) >= 20")
    parser.add_argument("--order", default="drawn", help="drawn, permuted or sorted")
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--random", type=int, default=7, help="the seed of the moments of kills")
    parser.add_argument("--runs", default="processes:1,dask:2,processes:2,kills:2")
    parser.add_argument("--kill", choices=("both", *_ENGINES), default="both")
    parser.add_argument("--folder", help="where the temporary folders are")
    parser.add_argument("--questions", action="store_true", help="statistics and DuckDB's counts")
    args = parser.parse_args()
    cluster = Cluster(args)
    runs: list[Measured] = []
    print(head(), flush=True)
    try:
        for name in args.runs.split(","):
            runs.append(cluster.run(name))
            print("\n".join(lines(runs[-1], runs[0], args.deals)), flush=True)
        if args.questions:
            (last,) = cluster.folders.iterdir()
            ask(last, args.where)
    finally:
        cluster.close()
    same = len({each.sha256 for each in runs}) == 1
    print("all runs made the same bytes" if same else "THE BYTES DIFFER", runs[0].sha256)
    return 0 if same else 1


if __name__ == "__main__":
    sys.exit(main())
