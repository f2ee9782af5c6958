"""Dask clusters of several programs for tests: schedulers and workers that tests may kill."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from program_support import environment


@dataclass
class DaskPrograms:
    """A scheduler and workers as programs of their own."""

    folder: Path
    """Where workers keep their files."""
    programs: list[subprocess.Popen[bytes]] = field(default_factory=list)
    workers: list[subprocess.Popen[bytes]] = field(default_factory=list)
    scheduler: subprocess.Popen[bytes] | None = None
    address: str = ""

    def start_scheduler(self) -> None:
        """Start a scheduler at a free port, or again at the port of the one before."""
        path = self.folder / "scheduler.json"
        path.unlink(missing_ok=True)
        where = ["--port", self.address.rpartition(":")[2] or "0"]
        self.scheduler = self._start(
            "dask_scheduler", "--host=127.0.0.1", *where, "--no-show", f"--scheduler-file={path}"
        )
        deadline = time.monotonic() + 20
        while not path.exists() or not path.read_text(encoding="utf-8").rstrip().endswith("}"):
            assert time.monotonic() < deadline, "no scheduler started"
            time.sleep(0.02)
        self.address = json.loads(path.read_text(encoding="utf-8"))["address"]

    def start_worker(self, *first: str) -> subprocess.Popen[bytes]:
        """Start a worker of one thread without a nanny; `first` replaces its program."""
        worker = self._start(
            "dask_worker",
            self.address,
            "--nthreads=1",
            "--no-nanny",
            "--no-dashboard",
            f"--local-directory={self.folder}",
            first=first,
        )
        self.workers.append(worker)
        return worker

    def _start(
        self, program: str, *words: str, first: tuple[str, ...] = ()
    ) -> subprocess.Popen[bytes]:
        started = subprocess.Popen(
            [sys.executable, *(first or ("-m", f"distributed.cli.{program}")), *words],
            env=environment(),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            stdin=subprocess.DEVNULL,
        )
        self.programs.append(started)
        return started

    def end(self) -> None:
        """Kill all programs."""
        for program in self.programs:
            program.kill()
        for program in self.programs:
            program.wait(10)


@contextmanager
def dask_programs(folder: Path, workers: int) -> Iterator[DaskPrograms]:
    """Yield a cluster, which ends with the block."""
    programs = DaskPrograms(folder)
    try:
        programs.start_scheduler()
        for _ in range(workers):
            programs.start_worker()
        yield programs
    finally:
        programs.end()
