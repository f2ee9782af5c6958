"""The engine of Dask on real clusters: workers that die or join, a scheduler that is lost."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from pathlib import Path

import bare_worker
import old_worker
import pytest
from dask_support import DaskPrograms, dask_programs
from engine_support import (
    Marked,
    facts,
    failing,
    fatal,
    our_plugins,
    results,
    running_workers,
    slow_square,
    square,
)
from packages import needs
from program_support import end_of_session, started_program

import pavcodec as pav
from pavcodec.collection.engines import engine_of

needs("distributed")
pytestmark = [pytest.mark.slow, pytest.mark.faults]


@pytest.fixture
def cluster(tmp_path: Path) -> Iterator[DaskPrograms]:
    with dask_programs(tmp_path, 2) as programs:
        yield programs


def test_a_local_cluster(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ENGINE_FOLDER", str(tmp_path))
    engine, prepare = engine_of(2, "local"), Marked(tmp_path, "prepared")
    found = results(engine, facts, range(30), prepare=prepare)
    assert {threads for _, threads in found.values()} == {1}
    processes = {str(process) for process, _ in found.values()}
    assert sorted(line.split()[0] for line in prepare.lines()) == sorted(processes)
    assert str(os.getpid()) not in processes
    found = results(engine, fatal, range(6))
    assert isinstance(found[3], ChildProcessError)
    assert [found[number] for number in (0, 1, 2, 4, 5)] == [0, 1, 2, 4, 5]
    assert not running_workers()


def test_items_that_only_wait_beside_a_fatal_one_are_made(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Dask blames all tasks of a lost worker, here after the first death."""
    import dask

    monkeypatch.setenv("ENGINE_FOLDER", str(tmp_path))
    with dask.config.set({"distributed.scheduler.allowed-failures": 0}):
        outcomes = list(engine_of(1, "local").run(fatal, range(12)))
    found = dict(outcomes)
    assert len(outcomes) == len(found) == 12
    fault = found.pop(3)
    assert found == {number: number for number in range(12) if number != 3}
    assert isinstance(fault, ChildProcessError)
    assert str(fault) == "1 worker died while working on it"


def test_a_cluster_at_an_address(cluster: DaskPrograms, tmp_path: Path) -> None:
    from distributed import Client

    engine = engine_of(scheduler=cluster.address)
    assert results(engine, square, range(1500)) == {n: n * n for n in range(1500)}
    assert results(engine, square, []) == {}
    found = results(engine, failing, range(6))
    assert isinstance(found[1], pav.PavError)
    assert [found[number] for number in (0, 4, 5)] == [0, 4, 5]
    with pytest.raises(FileNotFoundError):
        results(engine, square, range(9), prepare=Marked(tmp_path / "nowhere", "prepared"))
    with Client(cluster.address, set_as_default=False) as client:
        assert results(engine_of(scheduler=client), square, range(9)) == {
            n: n * n for n in range(9)
        }
        assert client.status == "running"
        assert not any(client.run(our_plugins).values())
    with pytest.raises(pav.PavError, match="has its own workers, not 3"):
        engine_of(3, cluster.address)


@pytest.mark.parametrize("address", ["nonsense", "foo://x:1", "", "tcp://127.0.0.1"])
def test_what_is_no_address(address: str) -> None:
    with pytest.raises(pav.PavError, match="is no address of a Dask scheduler, such as tcp://10"):
        results(engine_of(scheduler=address), square, range(5))


def test_killed_workers_lose_nothing_and_new_ones_join(
    cluster: DaskPrograms, tmp_path: Path
) -> None:
    prepare = Marked(tmp_path, "prepared")
    found: dict[int, object] = {}
    engine = engine_of(scheduler=cluster.address)
    for item, outcome in engine.run(slow_square, range(60), prepare=prepare):
        assert item not in found
        found[item] = outcome
        if len(found) in {5, 15, 25}:
            cluster.workers.pop(0).kill()
            cluster.start_worker()
    assert found == {number: number * number for number in range(60)}
    assert len(prepare.lines()) == len({line.split()[0] for line in prepare.lines()}) >= 3


def test_a_lost_scheduler_is_one_error(cluster: DaskPrograms) -> None:
    import dask

    assert cluster.scheduler is not None
    with dask.config.set({"distributed.comm.timeouts.connect": "1s"}):
        run = engine_of(scheduler=cluster.address).run(slow_square, range(1000))
        for _ in range(5):
            next(run)
        cluster.scheduler.kill()
        lost = "the Dask scheduler is lost; what was made is kept"
        with pytest.raises(ConnectionError, match=lost):
            list(run)
        with pytest.raises(ConnectionError, match="no Dask scheduler answers at 'tcp://127"):
            results(engine_of(scheduler=cluster.address), square, range(5))


def test_a_scheduler_that_comes_back_gets_all_that_is_left(cluster: DaskPrograms) -> None:
    found = {}
    for item, outcome in engine_of(scheduler=cluster.address).run(slow_square, range(40)):
        assert item not in found
        found[item] = outcome
        if len(found) == 5 and cluster.scheduler is not None:
            cluster.scheduler.kill()
            cluster.scheduler.wait()
            cluster.start_scheduler()
            for _ in range(2):
                cluster.start_worker()
    assert found == {number: number * number for number in range(40)}


def test_workers_of_another_version_are_refused(tmp_path: Path) -> None:
    with dask_programs(tmp_path, 0) as cluster:
        cluster.start_worker(old_worker.__file__)
        with pytest.raises(pav.PavError, match=r"has pavcodec 0\.0\.1, this program has .*: inst"):
            results(engine_of(scheduler=cluster.address), square, range(5))


def test_workers_without_the_package_are_refused(tmp_path: Path) -> None:
    from distributed import Client

    with dask_programs(tmp_path, 0) as cluster:
        cluster.start_worker(bare_worker.__file__)
        with Client(cluster.address, set_as_default=False) as client:
            client.wait_for_workers(1, timeout=20)
        with pytest.raises(
            pav.PavError, match=r"install pavcodec .* with the same packages on all"
        ):
            results(engine_of(scheduler=cluster.address), square, range(5))


def test_an_adaptive_cluster_starts_workers_for_the_work() -> None:
    from distributed import Client, LocalCluster

    with (
        LocalCluster(n_workers=0, threads_per_worker=1, dashboard_address=":0") as local,
        Client(local, set_as_default=False) as client,
    ):
        local.adapt(minimum=0, maximum=2, interval="100ms")
        found = results(engine_of(scheduler=client), facts, range(60))
    assert {threads for _, threads in found.values()} == {1}
    assert len({process for process, _ in found.values()}) in {1, 2}


LONG = """
from engine_support import slow_square
from pavcodec.collection.engines import engine_of
if __name__ == "__main__":
    for item, _ in engine_of(2, "local").run(slow_square, range(10_000)):
        print(item, flush=True)
"""


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="it reads /proc")
@pytest.mark.parametrize("kind", ["interrupt of the terminal", "kill of the driver"])
def test_no_process_remains(kind: str, tmp_path: Path) -> None:
    driver = started_program(LONG, folder=tmp_path)
    assert driver.stdout is not None
    for _ in range(4):
        driver.stdout.readline()
    if kind.startswith("kill"):
        os.kill(driver.pid, signal.SIGKILL)
    else:
        os.killpg(driver.pid, signal.SIGINT)
    _, errors = driver.communicate(timeout=20)
    if not kind.startswith("kill"):
        assert errors.rstrip().splitlines()[-1] == "KeyboardInterrupt"
        assert errors.count("Traceback") == 1
    assert end_of_session(driver.pid) == []


INTERRUPTED_DELETION = """import os, signal, threading
from distributed import Future
from engine_support import slow_square
from pavcodec.collection.engines import engine_of

delete = Future.__del__

def interrupted(future):
    if threading.current_thread() is threading.main_thread():
        Future.__del__ = delete  # once: a second interrupt acts at once, also in a deletion
        os.kill(os.getpid(), signal.SIGINT)
    delete(future)

if __name__ == "__main__":
    for number, _ in enumerate(engine_of(1, "local").run(slow_square, range(10_000))):
        if number == 0:
            Future.__del__ = interrupted
"""


def test_an_interrupt_is_not_lost_while_a_future_is_deleted(tmp_path: Path) -> None:
    """Python drops an exception of a deletion, and the run would go on."""
    driver = started_program(INTERRUPTED_DELETION, folder=tmp_path)
    try:
        _, errors = driver.communicate(timeout=30)
    finally:
        driver.kill()
    assert errors.rstrip().splitlines()[-1] == "KeyboardInterrupt"
    assert errors.count("Traceback") == 1
    assert end_of_session(driver.pid) == []
