"""Dask: the engine on clusters whose workers die or join, and lazy tables and arrays of rows."""

from __future__ import annotations

import os
import pickle
import signal
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import other_worker
import pytest
from dask_support import dask_programs
from engine_support import (
    Marked,
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
from pavcodec.collection.engines import dask_cluster  # noqa: E402 (it imports what may be missing)

pytestmark = [pytest.mark.slow, pytest.mark.faults]


def test_a_local_cluster_whose_workers_die(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Dask blames all tasks of a lost worker, here after the first death."""
    import dask

    monkeypatch.setenv("ENGINE_FOLDER", str(tmp_path))
    prepare = Marked(tmp_path, "prepared")
    with dask.config.set({"distributed.scheduler.allowed-failures": 0}):
        found = results(engine_of(1, "local"), fatal, range(12), prepare=prepare)
    fault = found.pop(3)
    assert found == {number: number for number in range(12) if number != 3}
    assert isinstance(fault, ChildProcessError)
    assert str(fault) == "1 worker died while working on it"
    processes = [line.split()[0] for line in prepare.lines()]
    assert len(processes) == len({str(os.getpid()), *processes}) - 1 >= 2
    assert not running_workers()


def test_a_cluster_at_an_address_whose_workers_die_and_join(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from distributed import Client

    monkeypatch.setattr(dask_cluster, "UNDER_WAY", 8)
    prepare = Marked(tmp_path, "prepared")
    squares = {number: number * number for number in range(40)}
    with dask_programs(tmp_path, 2) as cluster:
        engine = engine_of(scheduler=cluster.address)
        found: dict[int, object] = {}
        for item, outcome in engine.run(slow_square, range(40), prepare=prepare):
            assert item not in found
            found[item] = outcome
            if len(found) == 5:
                cluster.workers.pop(0).kill()
                cluster.start_worker()
        assert found == squares
        assert len(prepare.lines()) == len({line.split()[0] for line in prepare.lines()}) >= 2
        assert results(engine, square, []) == {}
        found = results(engine, failing, range(6))
        assert isinstance(found[1], pav.PavError)
        assert [found[number] for number in (0, 4, 5)] == [0, 4, 5]
        with pytest.raises(FileNotFoundError):
            results(engine, square, range(9), prepare=Marked(tmp_path / "nowhere", "prepared"))
        with Client(cluster.address, set_as_default=False) as client:
            assert results(engine_of(scheduler=client), square, range(40)) == squares
            assert client.status == "running"
            assert not any(client.run(our_plugins).values())
        with pytest.raises(pav.PavError, match="has its own workers, not 3"):
            engine_of(3, cluster.address)


def test_a_scheduler_that_comes_back_gets_all_that_is_left_and_a_lost_one_is_one_error(
    tmp_path: Path,
) -> None:
    import dask

    with dask_programs(tmp_path, 2) as cluster:
        found, engine = {}, engine_of(scheduler=cluster.address)
        for item, outcome in engine.run(slow_square, range(30)):
            assert item not in found
            found[item] = outcome
            if len(found) == 5 and cluster.scheduler is not None:
                cluster.scheduler.kill()
                cluster.scheduler.wait()
                cluster.start_scheduler()
                cluster.start_worker()
        assert found == {number: number * number for number in range(30)}
        with dask.config.set({"distributed.comm.timeouts.connect": "1s"}):
            run = engine.run(slow_square, range(1000))
            next(run)
            cluster.scheduler.kill()  # type: ignore[union-attr]
            lost = "the Dask scheduler is lost; what was made is kept"
            with pytest.raises(ConnectionError, match=lost):
                list(run)
            with pytest.raises(ConnectionError, match="no Dask scheduler answers at 'tcp://127"):
                results(engine, square, range(5))


def test_workers_of_another_version_or_without_the_package_are_refused(tmp_path: Path) -> None:
    from distributed import Client

    old = r"has pavcodec 0\.0\.1, this program has .*: inst"
    bare = r"install pavcodec .* with the same packages on all"
    with dask_programs(tmp_path, 0) as cluster:
        for kind, reason in (("old", old), ("bare", bare)):
            worker = cluster.start_worker(str(other_worker.__file__), kind)
            with Client(cluster.address, set_as_default=False) as client:
                client.wait_for_workers(1, timeout=20)
            with pytest.raises(pav.PavError, match=reason):
                results(engine_of(scheduler=cluster.address), square, range(5))
            worker.kill()
            worker.wait()


@pytest.mark.parametrize("address", ["nonsense", "foo://x:1", "", "tcp://127.0.0.1"])
def test_what_is_no_address(address: str) -> None:
    with pytest.raises(pav.PavError, match="is no address of a Dask scheduler, such as tcp://10"):
        results(engine_of(scheduler=address), square, range(5))


INTERRUPTED_DELETION = """import os, signal, threading
from distributed import Future
from engine_support import slow_square
from pavcodec.collection.engines import engine_of

delete = Future.__del__

def interrupted(future):
    if threading.current_thread() is threading.main_thread():
        Future.__del__ = delete  # once: a second interrupt acts at once, also in a deletion
        os.kill(os.getpid(), signal.SIGNAL)
    delete(future)

if __name__ == "__main__":
    for number, _ in enumerate(engine_of(1, "local").run(slow_square, range(10_000))):
        if number == 0:
            Future.__del__ = interrupted
"""


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="it reads /proc")
@pytest.mark.parametrize("name", ["SIGINT", "SIGKILL"])
def test_no_process_remains_and_an_interrupt_in_the_deletion_of_a_future_is_not_lost(
    name: str, tmp_path: Path
) -> None:
    """Python drops an exception of a deletion, and the run would go on."""
    text = INTERRUPTED_DELETION.replace("SIGNAL", name)
    driver = started_program(text, folder=tmp_path)
    try:
        _, errors = driver.communicate(timeout=30)
    finally:
        driver.kill()
    if name == "SIGINT":
        assert errors.rstrip().splitlines()[-1] == "KeyboardInterrupt"
        assert errors.count("Traceback") == 1
    else:
        assert driver.returncode == -signal.SIGKILL
    assert end_of_session(driver.pid) == []


# tables and arrays


SPACES: dict[str, Callable[[], Any]] = {
    "a test": lambda: "hcp(south) >= 20 && rnd(2) == 1",
    "a mix": lambda: pav.mix([("hcp(south) >= 22", 1), ("hcp(south) >= 12", 2)]),
    "endings": lambda: pav.endings("spades(south) == 2", cards=3),
}


@pytest.mark.parametrize("name", SPACES)
def test_rows_are_those_of_a_folder(name: str, tmp_path: Path) -> None:
    import dask
    import pandas as pd

    space = SPACES[name]()
    arguments: dict[str, Any] = {"parts": 3, "seed": 7, "start": 5}
    made = pav.parts(space, 40, **arguments).make(tmp_path / "set", workers=1)
    files = sorted((tmp_path / "set").glob("part-*.parquet"))
    with dask.config.set(scheduler="synchronous"):
        table = pav.dask_deals(space, 40, **arguments)
        table = pickle.loads(pickle.dumps(table))
        assert table.npartitions == len(files) == 3
        whole = table.compute()
        for place, path in enumerate(files):
            expected = pd.read_parquet(path, dtype_backend="pyarrow").drop(columns="tags")
            found = table.partitions[place].compute()
            pd.testing.assert_frame_equal(found, expected)
        assert list(table.dtypes) == list(whole.dtypes)
        owners = pav.dask_deals(space, 40, **arguments, kind="array").compute()
    assert len(whole) == len(owners) == made.rows.rows
    assert owners.dtype == np.uint8
    hands = whole[["north", "east", "south", "west"]].to_numpy().tolist()
    layouts = [pav.Layout.from_pbn(f"N:{' '.join(row)}") for row in hands]
    assert [layout.owners for layout in layouts] == [row.tobytes() for row in owners]


def test_columns_and_wrong_arguments() -> None:
    table = pav.dask_deals("hcp(south) >= 20", 10**9, parts=1000, seed=7, columns=["south_hcp"])
    assert list(table.columns) == ["south_hcp"]
    assert table.npartitions == 1000
    assert [str(kind) for kind in table.dtypes] == ["int8[pyarrow]"]
    wrong: list[tuple[type[Exception], dict[str, Any], str]] = [
        (pav.UnknownNameError, {"kind": "matrix"}, "'dataframe' or 'array', not 'matrix'"),
        (pav.PavError, {"kind": "array", "columns": ["number"]}, "the cards and no columns"),
        (TypeError, {"columns": "number"}, "columns are names in a list, not one text"),
        (pav.PavError, {"columns": ["points"]}, "points"),
        (pav.NumberError, {"parts": 11}, "10 samples are divided into 1 to 10 parts, not 11"),
    ]
    for error, options, reason in wrong:
        with pytest.raises(error, match=reason):
            pav.dask_deals(1, 10, **{"parts": 2, "seed": 7} | options)
