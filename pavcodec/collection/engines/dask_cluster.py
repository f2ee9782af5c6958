"""The engine of a Dask cluster, through Dask's public interfaces alone: client, plugin, futures.

Rule 1: Dask gives the tasks of a lost worker to other workers, and of an adaptive cluster to those
        that join later. It gives up all tasks that several lost workers had, also those that only
        waited there. Such an item runs once more, after all others and alone; it becomes an
        exception only if Dask gives it up again, for then it is the one that ends the workers.
Rule 2: if the connection to the scheduler ends, Dask cancels all tasks. They are submitted again if
        the scheduler comes back; otherwise the run ends, and what was made is kept.
Rule 3: keys of tasks are new in each run, so that no run takes results of another one.
Rule 4: an interrupt acts while this thread waits for the end of a task, not while it calls Dask,
        whose threads could then wait for ever for a lock.
"""

from __future__ import annotations

import asyncio
import concurrent.futures
import logging
import pickle
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from itertools import count
from queue import SimpleQueue
from secrets import token_hex
from threading import Lock
from typing import Any, Generic, NamedTuple, cast

from distributed import Client, Future, KilledWorker, LocalCluster, Worker, WorkerPlugin, get_worker
from distributed.comm.addressing import resolve_address

from pavcodec._version import __version__
from pavcodec.collection.engines.engine import (
    GUARD,
    TRIES,
    Item,
    Prepare,
    Result,
    attempt,
    packed_work,
    prepared_work,
    sendable,
)
from pavcodec.collection.engines.processes import interrupts_deferred, interrupts_held
from pavcodec.errors import PavError
from pavcodec.limits import threads_limited

# What runs on the workers of a Dask cluster: one task for each item.
#
# Rule 1: the function and its preparation reach each worker once, as a plugin, and also each worker
# that joins later; a task has only its item. Rule 2: the preparation runs before the first item of
# a worker process, once; tasks of other threads wait for it. Rule 3: a worker with another version
# of pavcodec refuses all items: it could write other bytes.


class WorkerAnswer(NamedTuple):
    """What a task returns."""

    is_ready: bool
    """Whether the worker was prepared; if not, the outcome is the reason, of all items."""
    outcome: bytes
    """The result or the exception as a pickle."""


class WorkOfRun(WorkerPlugin):
    """The function of a run on a worker, and the version of pavcodec that sent it."""

    def __init__(self, setup: bytes) -> None:
        self.version = __version__
        self._setup = setup

    def setup(self, worker: Worker) -> None:
        """Limit the threads of this process; Dask calls this on each worker."""
        self._address = worker.address
        self._lock = Lock()
        self._work: Any = None
        self._blocks = ExitStack()
        self._blocks.enter_context(threads_limited(1))

    def teardown(self, worker: Worker) -> None:  # noqa: ARG002 (Dask passes it)
        """Remove the limit again."""
        self._blocks.close()

    def answer(self, item: object) -> WorkerAnswer:
        """Return the outcome of an item, or why this worker cannot run any."""
        with self._lock:
            if self._work is None:
                self._work = attempt(self._prepared, self._setup)
                self._setup = b""
        if isinstance(self._work, Exception):
            return WorkerAnswer(is_ready=False, outcome=sendable(self._work))
        return WorkerAnswer(is_ready=True, outcome=sendable(attempt(self._work, item)))

    def _prepared(self, setup: bytes) -> object:
        """Return the function of the run, after its preparation."""
        if self.version != __version__:
            raise PavError(
                f"the worker {self._address} has pavcodec {__version__}, this program has "
                f"{self.version}: install the same, since parts of both may have other bytes"
            )
        return prepared_work(setup)


def run_item(run: str, item: object) -> WorkerAnswer:
    """Return the answer of this worker for an item of a run."""
    plugin = get_worker().plugins[run]
    assert isinstance(plugin, WorkOfRun), "plugins of runs have names of their own"
    return plugin.answer(item)


UNDER_WAY = 1000
"""The tasks in the scheduler at a time: enough for an adaptive cluster to see that work is left."""

FOR_EACH_THREAD = 3
"""The tasks in the scheduler for each thread, if the cluster has so many."""


_PAUSE, _LOOKS = 0.1, 100
"""The seconds between two looks at a connection that is lost, and the looks at one that is not."""

_LOST = (OSError, asyncio.CancelledError, concurrent.futures.CancelledError)
"""What calls of a client raise when the connection to the scheduler is lost."""


@dataclass(frozen=True)
class DaskCluster:
    """Runs items on the workers of a Dask cluster.

    `scheduler` is the address of one that runs, or a client, which stays open. With `workers`, a
    cluster of so many processes of this machine starts and ends with each run. Each worker needs
    the same version of pavcodec. A scheduler has to answer, and to come back after its connection
    was lost, within the time of Dask's setting `distributed.comm.timeouts.connect`.
    """

    scheduler: str | Client
    workers: int | None = None

    def run(
        self,
        work: Callable[[Item], Result],
        items: Sequence[Item],
        *,
        prepare: Prepare | None = None,
    ) -> Iterator[tuple[Item, Result | Exception]]:
        """Yield each item with its result or its exception, in the order in which they end.

        Raises `ConnectionError` if no scheduler answers or if the scheduler is lost, and `PavError`
        for workers of another version.
        """
        if not len(items):
            return
        with self._client() as client:
            run = _Run(client, packed_work(work, prepare), items)
            try:
                yield from run.outcomes()
            finally:
                run.end()

    @contextmanager
    def _client(self) -> Iterator[Client]:
        """Yield the client; close what was opened here."""
        if isinstance(self.scheduler, Client):
            yield self.scheduler
            return
        with ExitStack() as opened:
            opened.enter_context(_quiet())
            address: Any = self.scheduler
            if self.workers is not None:
                address = opened.enter_context(_local_cluster(self.workers))
            else:
                _check_address(address)
            try:
                client = Client(address, set_as_default=False)
            except (OSError, ValueError) as error:
                raise ConnectionError(
                    f"no Dask scheduler answers at {self.scheduler!r}: {error}"
                ) from None
            yield opened.enter_context(client)


def _check_address(address: str) -> None:
    """Raise `PavError` for what is no address: a client for it could not even be closed."""
    try:
        resolve_address(address)
    except (OSError, ValueError) as error:
        raise PavError(
            f"{address!r} is no address of a Dask scheduler, such as tcp://10.0.0.1:8786: {error}"
        ) from None


def _local_cluster(workers: int) -> LocalCluster:
    """Return a cluster of processes of this machine, with the dashboard at a free port."""
    try:
        with interrupts_held():
            return LocalCluster(
                n_workers=workers,
                threads_per_worker=1,
                processes=True,
                dashboard_address="127.0.0.1:0",
                silence_logs=logging.CRITICAL,
            )
    except RuntimeError as error:
        raise ChildProcessError(f"worker processes end as they start ({error}); {GUARD}") from None


class _Run(Generic[Item]):
    """One run: its items, the futures of some of them, and the plugin."""

    def __init__(self, client: Client, setup: bytes, items: Sequence[Item]) -> None:
        self._client, self._items, self._setup = client, items, setup
        self._name = f"pavcodec-{token_hex(6)}"
        self._under_way: dict[int, Future[WorkerAnswer]] = {}
        """The tasks in the scheduler, by the indexes of their items."""
        self._ends: SimpleQueue[int] = SimpleQueue()
        """The indexes of tasks that have ended; an interrupt can end the wait for the next one."""
        self._losses: dict[int, int] = {}
        self._suspects: list[int] = []
        """The indexes of the items that Dask has given up, among others."""
        self._submissions = count()
        self._next = 0
        self._registered = ""
        """The scheduler that has the plugin."""

    def outcomes(self) -> Iterator[tuple[Item, Any]]:
        """Yield the outcomes of all items."""
        self._register()
        self._submit_more()
        yield from self._until_all_end(alone=False)
        for index in self._suspects:
            self._submit(index)
            yield from self._until_all_end(alone=True)

    def _until_all_end(self, *, alone: bool) -> Iterator[tuple[Item, Any]]:
        """Yield the outcomes of what is under way, and of what is submitted until that ends."""
        while self._under_way:
            indexes = self._ended()
            yield from self._settled(indexes, alone=alone)
            lost = [index for index in indexes if index in self._under_way]
            if lost:
                self._register()
            for index in lost:
                self._submit_again(index)
            if len(self._under_way) <= UNDER_WAY // 2:
                self._submit_more()

    def _ended(self) -> list[int]:
        """Wait until a task ends; return the indexes of all that have ended."""
        indexes = [self._ends.get()]
        while not self._ends.empty():
            indexes.append(self._ends.get())
        return indexes

    @interrupts_deferred()
    def _settled(self, indexes: list[int], *, alone: bool) -> list[tuple[Item, Any]]:
        """Return the items of tasks that have ended, without those that are lost, and the outcomes.

        Set aside the items that Dask has given up, unless they ran alone.
        """
        outcomes: dict[int, Any] = {}
        finished: dict[int, Future[WorkerAnswer]] = {}
        suspects = []
        for index in indexes:
            future = self._under_way[index]
            if future.status == "finished":
                finished[index] = future
            elif future.status == "error":
                if not alone and isinstance(future.exception(), KilledWorker):
                    suspects.append(index)
                else:
                    outcomes[index] = _failure(future)
        outcomes |= self._gathered(finished)
        self._suspects += suspects
        for index in (*suspects, *outcomes):
            self._under_way.pop(index).release()
        return [(self._items[index], outcome) for index, outcome in outcomes.items()]

    def _gathered(self, finished: dict[int, Future[WorkerAnswer]]) -> dict[int, Any]:
        """Return the outcomes of tasks, or none if a result is lost with its worker."""
        try:
            answers = cast("list[WorkerAnswer]", self._client.gather(list(finished.values())))
        except (*_LOST, KilledWorker):
            return {}
        return dict(zip(finished, map(_outcome, answers), strict=True))

    def _register(self) -> None:
        """Send function and preparation to all workers of a scheduler that does not have them.

        They also reach workers that join later. If the connection is lost, wait for it; raise
        `ConnectionError` if the client gives it up.
        """
        fault: BaseException | None = None
        for _ in range(_LOOKS):
            while self._client.status == "connecting":
                time.sleep(_PAUSE)
            if self._client.status != "running":
                raise ConnectionError(
                    "the Dask scheduler is lost; what was made is kept: run again to go on"
                )
            try:
                self._send_plugin()
            except _LOST as error:
                fault = error
                time.sleep(_PAUSE)
            except Exception as error:  # Dask raises those of workers, of any class
                raise PavError(_unable(error)) from error
            else:
                return
        raise PavError(_unable(fault)) from fault

    @interrupts_deferred()
    def _send_plugin(self) -> None:
        scheduler = self._client.scheduler_info()["id"]
        if scheduler != self._registered:
            self._client.register_plugin(WorkOfRun(self._setup), name=self._name)
        self._registered = scheduler

    @interrupts_deferred()
    def _submit_more(self) -> None:
        """Submit items until enough are under way."""
        if self._next == len(self._items):
            return
        threads = 0
        with suppress(*_LOST):
            threads = sum(self._client.nthreads().values())
        most = max(UNDER_WAY, FOR_EACH_THREAD * threads)
        while self._next < len(self._items) and len(self._under_way) < most:
            self._submit(self._next)
            self._next += 1

    @interrupts_deferred()
    def _submit(self, index: int) -> None:
        item = self._items[index]
        part = item if isinstance(item, int) else getattr(item, "index", None)
        number = part if isinstance(part, int) else index
        key = f"pavcodec-part-{number:06d}-{self._name}-{next(self._submissions)}"
        future = self._client.submit(run_item, self._name, item, key=key, pure=False)
        self._under_way[index] = future
        future.add_done_callback(lambda _: self._ends.put(index))

    def _submit_again(self, index: int) -> None:
        """Submit an item again whose task the scheduler has lost."""
        self._losses[index] = self._losses.get(index, 0) + 1
        if self._losses[index] >= TRIES:
            raise ConnectionError(f"the Dask scheduler lost a task {TRIES} times; run again")
        self._submit(index)

    def end(self) -> None:
        """Cancel what is under way, and remove the plugin from the workers."""
        if self._client.status != "running":
            return
        with suppress(*_LOST):
            self._client.cancel(list(self._under_way.values()), force=True)
        with suppress(KeyError, *_LOST):  # a worker may lack it
            self._client.unregister_worker_plugin(self._name)


def _outcome(answer: WorkerAnswer) -> Any:
    """Return the outcome of a task; raise the error of a worker that cannot run any."""
    outcome = pickle.loads(answer.outcome)  # noqa: S301 (from our own worker)
    if not answer.is_ready:
        raise outcome
    return outcome


def _failure(future: Future[WorkerAnswer]) -> Exception:
    """Return the exception of an item that ends its workers; raise other errors of workers."""
    error = future.exception()
    if isinstance(error, KilledWorker):
        deaths = error.allowed_failures + 1
        dead = "1 worker" if deaths == 1 else f"{deaths} workers"
        return ChildProcessError(f"{dead} died while working on it")
    raise PavError(_unable(error)) from error


def _unable(error: BaseException | None) -> str:
    return (
        f"a Dask worker cannot run the parts ({error!r}): "
        f"install pavcodec {__version__} with the same packages on all workers"
    )


@contextmanager
def _quiet() -> Iterator[None]:
    """Silence Dask's own messages: this engine states in one line what matters."""
    loggers = [logging.getLogger(name) for name in logging.root.manager.loggerDict]
    ours = [each for each in loggers if each.name.partition(".")[0] == "distributed"]
    levels = [each.level for each in ours]
    for each in ours:
        each.setLevel(logging.CRITICAL + 1)
    try:
        yield
    finally:
        for each, level in zip(ours, levels, strict=True):
            each.setLevel(level)
