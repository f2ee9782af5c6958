"""Engines: each item once, exceptions as results, dead workers, and nothing left running."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from engine_support import (
    Marked,
    facts,
    failing,
    fatal,
    results,
    running_workers,
    slow_square,
    square,
)
from program_support import end_of_session, of_session, started_program

import pavcodec as pav
from pavcodec.collection.engines import engine_of
from pavcodec.collection.engines.engine import TRIES, ThisProcess, attempt
from pavcodec.collection.engines.processes import Processes, interrupts_deferred
from pavcodec.limits import available, processors, threads_limited


def test_the_engine_of_a_number_of_workers(monkeypatch: pytest.MonkeyPatch) -> None:
    assert engine_of(1) == ThisProcess()
    assert engine_of(3) == Processes(3)
    assert engine_of() == engine_of(available())
    monkeypatch.delattr(os, "sched_getaffinity", raising=False)
    for told, many in ((3, 3), (None, 1)):
        monkeypatch.setattr(os, "cpu_count", lambda told=told: told)
        assert available() == many
    with pytest.raises(pav.NumberError, match="workers are 1 or more, not 0"):
        engine_of(0)


def test_a_try_is_worth_another_only_for_errors_that_may_pass() -> None:
    errors: list[Exception] = []
    pauses: list[float] = []

    def work(most: int) -> int:
        if len(errors) < most:
            errors.append(ConnectionResetError(f"try {len(errors)}"))
            raise errors[-1]
        return most

    assert attempt(work, TRIES - 1, pause=pauses.append) == TRIES - 1
    assert pauses == [0.1, 0.2, 0.4, 0.8]
    errors.clear()
    assert attempt(work, TRIES, pause=pauses.append) is errors[-1]
    assert len(errors) == TRIES
    for error in (pav.PavError("wrong"), FileNotFoundError("none"), ZeroDivisionError()):
        errors.clear()

        def once(_: int, error: Exception = error) -> int:
            errors.append(error)
            raise error

        assert attempt(once, 0, pause=pauses.append) is error
        assert errors == [error]


def test_limits_of_threads_end_in_any_order() -> None:
    first, second = threads_limited(1), threads_limited(1)
    before = processors()
    first.__enter__()
    second.__enter__()
    first.__exit__(None, None, None)
    assert processors() == 1
    second.__exit__(None, None, None)
    assert processors() == before


@pytest.mark.slow
@pytest.mark.parametrize("workers", [1, 2])
def test_each_item_comes_once_and_exceptions_are_results(workers: int, tmp_path: Path) -> None:
    engine, prepare = engine_of(workers), Marked(tmp_path, "prepared")
    found = results(engine, square, range(100), prepare=prepare)
    assert found == {number: number * number for number in range(100)}
    assert len({line.split()[0] for line in prepare.lines()}) == len(prepare.lines())
    assert 1 <= len(prepare.lines()) <= workers
    assert results(engine, square, []) == {}
    told = results(engine, facts, range(6))
    assert {threads for _, threads in told.values()} == {1}
    processes = {process for process, _ in told.values()}
    assert (processes == {os.getpid()}) == (workers == 1)
    assert 1 <= len(processes) <= workers
    found = results(engine, failing, range(6))
    assert [found[number] for number in (0, 4, 5)] == [0, 4, 5]
    assert (type(found[1]), str(found[1])) == (pav.PavError, "item 1 is wrong")
    assert "Unsendable" in repr(found[2])
    assert isinstance(found[3], FileNotFoundError)
    with pytest.raises(FileNotFoundError):
        results(engine, square, range(9), prepare=Marked(tmp_path / "nowhere", "prepared"))
    assert not running_workers()


@pytest.mark.slow
@pytest.mark.faults
def test_dead_workers_lose_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ENGINE_FOLDER", str(tmp_path))
    found = results(Processes(2), fatal, range(8))
    fault = found.pop(3)
    assert isinstance(fault, ChildProcessError)
    assert "3 worker processes died while they worked on it (SIGKILL)" in str(fault)
    assert found == {number: number for number in (0, 1, 2, 4, 5, 6, 7)}
    assert not running_workers()
    for number, _ in enumerate(Processes(2).run(slow_square, range(1000))):
        if number == 3:
            break
    assert not running_workers()


LONG = """
from engine_support import slow_square
from pavcodec.collection.engines.processes import Processes
if __name__ == "__main__":
    for item, _ in Processes(2).run(slow_square, range(10_000)):
        print(item, flush=True)
"""


@pytest.mark.slow
@pytest.mark.faults
@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="it reads /proc")
@pytest.mark.parametrize("kind", ["interrupt of the terminal", "kill of the driver"])
def test_no_process_remains(kind: str, tmp_path: Path) -> None:
    driver = started_program(LONG, folder=tmp_path)
    assert driver.stdout is not None
    for _ in range(4):
        driver.stdout.readline()
    assert len(of_session(driver.pid)) >= 3
    if kind.startswith("kill"):
        os.kill(driver.pid, signal.SIGKILL)
    else:
        os.killpg(driver.pid, signal.SIGINT)
    _, errors = driver.communicate(timeout=20)
    assert errors.count("Traceback") == ("KeyboardInterrupt" in errors) == (kind[0] != "k")
    assert end_of_session(driver.pid) == []


@pytest.mark.slow
@pytest.mark.faults
def test_a_script_without_a_guard_gets_one_reason(tmp_path: Path) -> None:
    text = LONG.replace('if __name__ == "__main__":', "if True:")
    driver = started_program(text, folder=tmp_path)
    _, errors = driver.communicate(timeout=60)
    assert driver.returncode == 1
    last = errors.rstrip().splitlines()[-1]
    assert last.startswith("ChildProcessError: worker processes end as they start (exit code 1); a")


# interrupts that act after a block


@pytest.fixture
def same_handler() -> Iterator[None]:
    before = signal.getsignal(signal.SIGINT)
    yield
    assert signal.getsignal(signal.SIGINT) is before
    signal.signal(signal.SIGINT, before)


@pytest.mark.usefixtures("same_handler")
def test_an_interrupt_acts_after_the_outer_block_and_a_second_one_at_once() -> None:
    steps = []

    @interrupts_deferred()
    def outer(times: int) -> None:
        for time in range(times):
            with interrupts_deferred():
                signal.raise_signal(signal.SIGINT)
            steps.append(f"{time} of {times}")

    for times in (1, 2):
        with pytest.raises(KeyboardInterrupt):
            outer(times)
    assert steps == ["0 of 1", "0 of 2"]
    with pytest.raises(ZeroDivisionError), interrupts_deferred():
        raise ZeroDivisionError


@pytest.mark.usefixtures("same_handler")
def test_what_ignores_interrupts_and_other_threads_stay_as_they_are() -> None:
    def handler_in_a_block() -> object:
        with interrupts_deferred():
            return signal.getsignal(signal.SIGINT)

    before = signal.getsignal(signal.SIGINT)
    with ThreadPoolExecutor(1) as threads:
        assert threads.submit(handler_in_a_block).result() is before
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        assert handler_in_a_block() is signal.SIG_IGN
    finally:
        signal.signal(signal.SIGINT, before)
