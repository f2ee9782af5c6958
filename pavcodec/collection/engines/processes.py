"""The engine of several processes of this machine, by the standard library alone.

Each worker has a pipe of its own and one item at a time, so the driver has the item of a dead
worker, and no other worker is affected. The processes start as new programs: the threads
of libraries do not survive a fork.
"""

from __future__ import annotations

import multiprocessing
import os
import pickle
import signal
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from multiprocessing import resource_tracker
from multiprocessing.connection import Connection, wait
from multiprocessing.context import SpawnProcess
from threading import Thread, current_thread, main_thread
from types import FrameType
from typing import Any, NoReturn

from pavcodec.collection.engines.engine import (
    GUARD,
    DeadWorkerError,
    Engine,
    Item,
    Job,
    Team,
    attempt,
    prepared_work,
    sendable,
)
from pavcodec.limits import threads_limited

# A worker process of the standard library: it receives items through a pipe and returns results.
#
# Rule 1: an interrupt from the keyboard goes to all processes of a terminal; only the driver acts
# on it. It then ends the workers by a signal, which lets them remove what they have not finished.
# Rule 2: a worker ends when its driver does, however that ends, also in the middle of an item.


DEATHS = 3
"""The workers that may die, one after the other, as they start or while they work on an item."""

GRACE = 5.0
"""The seconds in which a worker that has to end may remove its files."""


def serve(pipe: Connection) -> None:
    """Receive (function, preparation) and then items; return `None` or an error, then results."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, _end)
    Thread(target=end_with_driver, daemon=True).start()
    try:
        with threads_limited(1):
            work = attempt(prepared_work, pipe.recv_bytes())
            if isinstance(work, Exception):
                pipe.send_bytes(sendable(work))
                return
            pipe.send_bytes(sendable(None))
            while True:
                item = pickle.loads(pipe.recv_bytes())  # noqa: S301 (from the driver)
                pipe.send_bytes(sendable(attempt(work, item)))
    except (EOFError, ConnectionError):
        return  # the driver has no more items, or ended


def _end(number: int, _: object) -> NoReturn:
    """End after the blocks that are open have removed what they wrote."""
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    sys.exit(128 + number)


def end_with_driver() -> None:
    """Wait until the process that started this one has ended; then end this one."""
    driver = multiprocessing.parent_process()
    assert driver is not None, "a worker is started by a driver"
    driver.join()
    os.kill(os.getpid(), signal.SIGTERM)
    time.sleep(GRACE)
    os._exit(1)


@contextmanager
def interrupts_held() -> Iterator[None]:
    """Hold back interrupts in this thread; processes and threads that start here never get them.

    So a worker prints no traceback, also while it starts. The interrupt comes after the block.
    """
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    resource_tracker.ensure_running()  # its start would let interrupts through again
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


@contextmanager
def interrupts_deferred() -> Iterator[None]:
    """Let an interrupt act only after the block; a second one acts at once.

    An interrupt that acts inside of a library can leave its locks locked, and its other threads
    then wait for ever; and Python drops one that acts while an object is deleted.
    """
    before = signal.getsignal(signal.SIGINT)
    if not callable(before) or current_thread() is not main_thread():
        yield
        return
    has_come = False

    def note(number: int, frame: FrameType | None) -> None:
        nonlocal has_come
        if has_come:
            before(number, frame)
        has_come = True

    signal.signal(signal.SIGINT, note)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
        if has_come:
            signal.raise_signal(signal.SIGINT)


_NEW = multiprocessing.get_context("spawn")


@dataclass(frozen=True)
class Processes(Engine):
    """Runs items in so many processes of this machine, each with one thread.

    A program that uses it must be importable: its own work stands under
    `if __name__ == "__main__":`, as `multiprocessing` documents.
    """

    workers: int

    def _results(self, job: Job[Item]) -> Iterator[tuple[Item, Any]]:
        return _Team(job, min(self.workers, len(job.items))).results()


@dataclass(eq=False)
class _Worker:
    process: SpawnProcess
    pipe: Connection
    is_ready: bool = False
    index: int | None = None
    """The index of the item that it has."""

    @property
    def is_idle(self) -> bool:
        return self.is_ready and self.index is None

    @classmethod
    def start(cls) -> _Worker:
        own, other = _NEW.Pipe()
        process = _NEW.Process(target=serve, args=(other,), daemon=True)
        with interrupts_held(), other:
            process.start()
        return cls(process, own)

    def send(self, data: bytes) -> None:
        with suppress(ConnectionError):  # it is dead; the next `receive` says so
            self.pipe.send_bytes(data)

    def receive(self) -> object:
        """Return what the worker sent; end one that is dead, and return its death."""
        try:
            return pickle.loads(self.pipe.recv_bytes())  # noqa: S301 (from our own process)
        except (OSError, EOFError, pickle.UnpicklingError):  # perhaps while it sent
            return DeadWorkerError(_cause(self.end()))

    def end(self, seconds: float = 0) -> int | None:
        """End the process after so many seconds at most; return its exit code."""
        self.pipe.close()
        self.process.join(seconds)
        if self.process.is_alive():
            self.process.kill()
            self.process.join()
        code = self.process.exitcode
        self.process.close()
        return code


class _Team(Team[Item]):
    most_deaths = DEATHS

    def __init__(self, job: Job[Item], size: int) -> None:
        super().__init__(job)
        self.size = size
        self.members: list[_Worker] = []
        self.failed_starts = 0
        """The workers in a row that died before they were ready."""

    def room(self) -> int:
        missing = self.size - len(self.members)
        for _ in range(missing):
            self.members.append(_Worker.start())  # each at once, so that `end` has it
        if missing:
            setup = self.job.packed()
            for worker in self.members[-missing:]:  # they start side by side
                worker.send(setup)
        return sum(each.is_idle for each in self.members)

    def submit(self, index: int) -> None:
        worker = next(each for each in self.members if each.is_idle)
        worker.index = index
        worker.send(pickle.dumps(self.job.items[index]))

    def ended(self) -> Iterator[tuple[int, Any]]:
        busy = {worker.pipe: worker for worker in self.members if not worker.is_idle}
        for pipe in wait(list(busy)):
            worker = busy[pipe]  # type: ignore[index]
            index, worker.index = worker.index, None
            outcome = worker.receive()
            if isinstance(outcome, DeadWorkerError):
                self.members.remove(worker)
            if index is None:
                self._started(worker, outcome)
            elif isinstance(outcome, DeadWorkerError):
                said = f"{DEATHS} worker processes died while they worked on it ({outcome})"
                yield index, DeadWorkerError(said)
            else:
                yield index, outcome

    def _started(self, worker: _Worker, outcome: object) -> None:
        """Take note of a worker that is ready; raise the error of its preparation."""
        if not isinstance(outcome, Exception):
            worker.is_ready, self.failed_starts = True, 0
            return
        self.failed_starts += 1
        if not isinstance(outcome, DeadWorkerError):
            raise outcome
        if self.failed_starts >= DEATHS:
            raise ChildProcessError(f"worker processes end as they start ({outcome}); {GUARD}")

    def end(self) -> None:
        """End all workers: those at work remove what they have not finished."""
        for worker in self.members:
            if worker.index is None and worker.is_ready:
                worker.pipe.close()
            else:
                worker.process.terminate()
        for worker in self.members:
            worker.end(GRACE)
        self.members.clear()


def _cause(code: int | None) -> str:
    """Return the end of a process as text: an exit code or a signal."""
    if code is None or code >= 0:
        return f"exit code {code}"
    known = {each.value: each.name for each in signal.Signals}
    return known.get(-code, f"signal {-code}")
