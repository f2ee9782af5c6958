"""Collections through faults: workers, schedulers and drivers that die; the bytes stay the same."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from threading import Event, Thread
from typing import Any

import pytest
from collection_support import contents
from dask_support import DaskPrograms, dask_programs
from packages import needs
from program_support import end_of_session, environment, of_session

import pavcodec as pav

pytestmark = [
    pytest.mark.slow,
    pytest.mark.faults,
    pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="it reads /proc"),
]

CONDITION, COUNT, PARTS = "hcp(south) >= 20", 64_000, 16
"""A part takes some hundredths of a second."""


def plan() -> Any:
    """Return the plan of all tests here."""
    return pav.parts(CONDITION, COUNT, parts=PARTS, seed=7)


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    """The folder of an undisturbed run in one process."""
    folder = tmp_path_factory.mktemp("whole") / "set"
    assert plan().make(folder, workers=1).is_complete
    return contents(folder)


@pytest.fixture
def cluster(tmp_path: Path) -> Iterator[DaskPrograms]:
    needs("distributed")
    (tmp_path / "dask").mkdir()
    with dask_programs(tmp_path / "dask", 2) as programs:
        yield programs


def command(folder: Path, *words: str) -> subprocess.Popen[str]:
    """Start the command that makes the same collection, in a session of its own."""
    condition = [CONDITION, "-n", str(COUNT), "--parts", str(PARTS), "--seed", "7"]
    return subprocess.Popen(
        [sys.executable, "-m", "pavcodec", "deal", *condition, "-o", str(folder), *words],
        env=environment(),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )


def wait_for_parts(folder: Path, count: int, program: subprocess.Popen[str]) -> None:
    """Wait until a folder has so many parts, or the program has ended."""
    while len(list(folder.glob("part-*"))) < count and program.poll() is None:
        Event().wait(0.01)


@contextmanager
def meanwhile(fault: Callable[[], object], *, times: int, seed: int) -> Iterator[None]:
    """Let a fault happen some times, after random pauses, while the block runs."""
    ended, random = Event(), Random(seed)

    def run() -> None:
        for _ in range(times):
            if ended.wait(random.uniform(0.1, 0.5)):
                return
            fault()

    thread = Thread(target=run)
    thread.start()
    try:
        yield
    finally:
        ended.set()
        thread.join()


@pytest.mark.parametrize("workers", [2, 3])
def test_processes_make_the_same_bytes(
    workers: int, whole: dict[str, bytes], tmp_path: Path
) -> None:
    assert plan().make(tmp_path / "set", workers=workers).made == PARTS
    assert contents(tmp_path / "set") == whole


def test_killed_workers_of_dask(
    cluster: DaskPrograms, whole: dict[str, bytes], tmp_path: Path
) -> None:
    def fault() -> None:
        cluster.workers.pop(0).kill()
        cluster.start_worker()

    with meanwhile(fault, times=4, seed=1):
        made = plan().make(tmp_path / "set", scheduler=cluster.address)
    assert (made.is_complete, made.made, made.failed) == (True, PARTS, [])
    assert contents(tmp_path / "set") == whole


def test_an_adaptive_cluster(whole: dict[str, bytes], tmp_path: Path) -> None:
    distributed = pytest.importorskip("distributed")
    with (
        distributed.LocalCluster(
            n_workers=0, threads_per_worker=1, dashboard_address=":0"
        ) as local,
        distributed.Client(local, set_as_default=False) as client,
    ):
        local.adapt(minimum=0, maximum=3, interval="100ms")
        assert plan().make(tmp_path / "set", scheduler=client).is_complete
    assert contents(tmp_path / "set") == whole


def test_a_killed_scheduler(cluster: DaskPrograms, whole: dict[str, bytes], tmp_path: Path) -> None:
    assert cluster.scheduler is not None
    folder = tmp_path / "set"
    first = command(folder, "--scheduler", cluster.address)
    wait_for_parts(folder, 4, first)
    cluster.scheduler.kill()
    _, errors = first.communicate(timeout=30)
    assert first.returncode == 1
    assert errors.splitlines()[-1] == (
        "pavcodec deal: the Dask scheduler is lost; what was made is kept: run again to go on"
    )
    kept = {name: data for name, data in contents(folder).items() if name.startswith("part-")}
    assert 4 <= len(kept) < PARTS
    assert kept.items() <= whole.items()
    cluster.scheduler.wait()
    cluster.start_scheduler()
    cluster.start_worker()
    second = command(folder, "--scheduler", cluster.address)
    assert f"{len(kept)} verified" in second.communicate(timeout=60)[1]
    assert second.returncode == 0
    assert contents(folder) == whole


def test_killed_worker_processes(whole: dict[str, bytes], tmp_path: Path) -> None:
    program = command(tmp_path / "set", "--workers", "2")
    wait_for_parts(tmp_path / "set", 1, program)

    def fault() -> None:
        for process in workers_of(program):
            os.kill(process, signal.SIGKILL)
            return

    with meanwhile(fault, times=4, seed=2):
        _, errors = program.communicate(timeout=60)
    assert (program.returncode, "Traceback" in errors) == (0, False), errors
    assert contents(tmp_path / "set") == whole
    assert end_of_session(program.pid) == []


def workers_of(program: subprocess.Popen[str]) -> list[int]:
    """Return the worker processes of a command, in a changing order."""
    found = []
    for process in of_session(program.pid):
        try:
            words = Path(f"/proc/{process}/cmdline").read_text(encoding="utf-8")
        except OSError:
            continue
        if "spawn_main" in words:
            found.append(process)
    return found


LOCAL = ["--scheduler", "local", "--workers", "2"]


@pytest.mark.parametrize(
    ("engine", "signals"),
    [
        (["--workers", "2"], [signal.SIGKILL, signal.SIGINT, signal.SIGTERM]),
        (LOCAL, [signal.SIGINT]),
    ],
)
def test_killed_drivers_and_interrupts(
    engine: list[str], signals: list[int], whole: dict[str, bytes], tmp_path: Path
) -> None:
    if engine == LOCAL:
        needs("distributed")
    folder = tmp_path / "set"
    for count, number in enumerate(signals, 1):
        program = command(folder, *engine)
        wait_for_parts(folder, 3 * count, program)
        if number == signal.SIGINT:
            os.killpg(program.pid, number)
        else:
            program.send_signal(number)
        _, errors = program.communicate(timeout=30)
        assert program.returncode in {-number, 128 + number}
        assert "Traceback" not in errors
        assert end_of_session(program.pid) == []
        kept = {name: data for name, data in contents(folder).items() if name.startswith("part-")}
        assert kept.items() <= whole.items()
    last = command(folder, *engine)
    _, errors = last.communicate(timeout=60)
    assert last.returncode == 0, errors
    assert contents(folder) == whole
