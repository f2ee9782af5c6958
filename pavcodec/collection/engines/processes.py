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
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from multiprocessing import resource_tracker
from multiprocessing.connection import Connection, wait
from multiprocessing.context import SpawnProcess
from threading import Thread, current_thread, main_thread
from types import FrameType
from typing import Any, Generic, NoReturn

from pavcodec.collection.engines.engine import (
    DEATHS,
    GUARD,
    Item,
    Prepare,
    Result,
    attempt,
    packed_work,
    prepared_work,
    sendable,
)
from pavcodec.limits import threads_limited

# A worker process of the standard library: it receives items through a pipe and returns results.
#
# Rule 1: an interrupt from the keyboard goes to all processes of a terminal; only the driver acts
# on it. It then ends the workers by a signal, which lets them remove what they have not finished.
# Rule 2: a worker ends when its driver does, however that ends, also in the middle of an item.


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
class Processes:
    """Runs items in so many processes of this machine, each with one thread.

    A program that uses it must be importable: its own work stands under
    `if __name__ == "__main__":`, as `multiprocessing` documents.
    """

    workers: int

    def run(
        self,
        work: Callable[[Item], Result],
        items: Sequence[Item],
        *,
        prepare: Prepare | None = None,
    ) -> Iterator[tuple[Item, Result | Exception]]:
        """Yield each item with its result or its exception, in the order in which they end.

        Raises `ChildProcessError` if no worker can start.
        """
        team = _Team(packed_work(work, prepare), _Agenda(items))
        try:
            yield from team.outcomes(min(self.workers, len(items)))
        finally:
            team.end()


class _Agenda(Generic[Item]):
    """The items that no worker has, and the deaths of each item that a worker left unfinished."""

    def __init__(self, items: Sequence[Item]) -> None:
        self.items = items
        self._next = 0
        self._left: deque[int] = deque()
        self._deaths: dict[int, int] = {}

    def __len__(self) -> int:
        return len(self._left) + len(self.items) - self._next

    def take(self) -> int:
        """Return the index of the next item."""
        if self._left:
            return self._left.popleft()
        self._next += 1
        return self._next - 1

    def put_back(self, index: int) -> bool:
        """Take back an item whose worker died; return whether it gets another try."""
        self._deaths[index] = self._deaths.get(index, 0) + 1
        if self._deaths[index] >= DEATHS:
            return False
        self._left.append(index)
        return True


@dataclass(eq=False)
class _Worker:
    process: SpawnProcess
    pipe: Connection
    is_ready: bool = False
    index: int | None = None
    """The index of the item that it has."""

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
        """Return what the worker sent; raise `EOFError` if it is dead."""
        try:
            return pickle.loads(self.pipe.recv_bytes())  # noqa: S301 (from our own process)
        except (OSError, pickle.UnpicklingError) as error:  # it died while it sent
            raise EOFError from error

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


@dataclass(eq=False)
class _Team(Generic[Item]):
    setup: bytes
    agenda: _Agenda[Item]
    members: list[_Worker] = field(default_factory=list)
    failed_starts: int = 0
    """The workers in a row that died before they were ready."""

    def outcomes(self, size: int) -> Iterator[tuple[Item, Any]]:
        """Yield the outcomes of all items by so many workers."""
        for _ in range(size):
            self.members.append(_Worker.start())  # each at once, so that `end` has it
        for worker in self.members:  # they start side by side
            worker.send(self.setup)
        while busy := [
            each for each in self.members if each.index is not None or not each.is_ready
        ]:
            by_pipe = {worker.pipe: worker for worker in busy}
            for pipe in wait(list(by_pipe)):
                yield from self._heard(by_pipe[pipe])  # type: ignore[index]
            if not self.agenda and all(each.index is None for each in self.members):
                return

    def _heard(self, worker: _Worker) -> Iterator[tuple[Item, Any]]:
        """Yield the outcome that a worker sent, if any, and give it the next item."""
        index = worker.index
        try:
            outcome = worker.receive()
        except EOFError:
            yield from self._replaced(worker)
            return
        if index is None:
            if isinstance(outcome, Exception):
                raise outcome
            worker.is_ready, self.failed_starts = True, 0
        worker.index = None
        if self.agenda:
            worker.index = self.agenda.take()
            worker.send(pickle.dumps(self.agenda.items[worker.index]))
        if index is not None:
            yield self.agenda.items[index], outcome

    def _replaced(self, worker: _Worker) -> Iterator[tuple[Item, Any]]:
        """Start another worker for a dead one; yield the outcome of an item that killed many."""
        self.members.remove(worker)
        code = worker.end()
        if worker.index is None:
            self.failed_starts += 1
            if self.failed_starts >= DEATHS:
                raise ChildProcessError(
                    f"worker processes end as they start ({_cause(code)}); {GUARD}"
                )
        elif not self.agenda.put_back(worker.index):
            said = f"{DEATHS} worker processes died while they worked on it ({_cause(code)})"
            yield self.agenda.items[worker.index], ChildProcessError(said)
        if self.agenda:
            new = _Worker.start()
            self.members.append(new)
            new.send(self.setup)

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
