"""The engine of a Dask cluster, through Dask's public interfaces alone: client, plugin, futures.

Rule 1: Dask gives the tasks of a lost worker to other workers, and of an adaptive cluster to those
        that join later. It gives up all tasks that several lost workers had, also those that only
        waited there. So an item that it gives up runs once more, alone.
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
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from itertools import count
from queue import SimpleQueue
from secrets import token_hex
from threading import Lock
from typing import Any, NamedTuple, cast

from distributed import Client, Future, KilledWorker, LocalCluster, Worker, WorkerPlugin, get_worker
from distributed.comm.addressing import resolve_address

from pavcodec._version import __version__
from pavcodec.collection.engines.engine import (
    GUARD,
    TRIES,
    DeadWorkerError,
    Engine,
    Item,
    Job,
    Team,
    attempt,
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
class DaskCluster(Engine):
    """Runs items on the workers of a Dask cluster.

    `scheduler` is the address of one that runs, or a client, which stays open. With `workers`, a
    cluster of so many processes of this machine starts and ends with each run. Each worker needs
    the same version of pavcodec. A scheduler has to answer, and to come back after its connection
    was lost, within the time of Dask's setting `distributed.comm.timeouts.connect`.
    """

    scheduler: str | Client
    workers: int | None = None

    def _results(self, job: Job[Item]) -> Iterator[tuple[Item, Any]]:
        return _Tasks(job, self).results()

    @contextmanager
    def client(self) -> Iterator[Client]:
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
            cluster = LocalCluster(
                n_workers=workers,
                threads_per_worker=1,
                processes=True,
                dashboard_address="127.0.0.1:0",
                silence_logs=logging.CRITICAL,
            )
            cluster.adapt(minimum=workers, maximum=workers)  # others for those that stay away
    except RuntimeError as error:
        raise ChildProcessError(f"worker processes end as they start ({error}); {GUARD}") from None
    return cluster


class _Tasks(Team[Item]):
    """The tasks of one run in a cluster, and the plugin with its work."""

    most_deaths = 2

    def __init__(self, job: Job[Item], cluster: DaskCluster) -> None:
        super().__init__(job)
        self._cluster = cluster
        self._opened = ExitStack()
        self._client: Client | None = None
        self._name = f"pavcodec-{token_hex(6)}"
        self._registered = ""
        """The scheduler that has the plugin."""
        self._under_way: dict[int, Future[WorkerAnswer]] = {}
        """The tasks in the scheduler, by the indexes of their items."""
        self._ends: SimpleQueue[int] = SimpleQueue()
        """The indexes of tasks that have ended; an interrupt can end the wait for the next one."""
        self._lost: list[int] = []
        """The indexes of tasks under way that the scheduler has lost."""
        self._losses: Counter[int] = Counter()
        self._submissions = count()

    def room(self) -> int:
        if self._client is None:
            self._client = self._opened.enter_context(self._cluster.client())
            self._register(self._client)
        if self._lost or len(self._under_way) > UNDER_WAY // 2:
            return 0
        threads = 0
        with interrupts_deferred(), suppress(*_LOST):
            threads = sum(self._client.nthreads().values())
        return max(UNDER_WAY, FOR_EACH_THREAD * threads) - len(self._under_way)

    @interrupts_deferred()
    def submit(self, index: int) -> None:
        assert self._client is not None, "there was room for the item"
        item = self.job.items[index]
        part = item if isinstance(item, int) else getattr(item, "index", None)
        number = part if isinstance(part, int) else index
        key = f"pavcodec-part-{number:06d}-{self._name}-{next(self._submissions)}"
        future = self._client.submit(run_item, self._name, item, key=key, pure=False)
        self._under_way[index] = future
        future.add_done_callback(lambda _: self._ends.put(index))

    def ended(self) -> Iterable[tuple[int, Any]]:
        assert self._client is not None, "there are items under way"
        if self._lost:
            self._register(self._client)
        for index in self._lost:
            self._losses[index] += 1
            if self._losses[index] >= TRIES:
                raise ConnectionError(f"the Dask scheduler lost a task {TRIES} times; run again")
            self.submit(index)
        indexes = [self._ends.get()]
        while not self._ends.empty():
            indexes.append(self._ends.get())
        outcomes = self._settled(self._client, indexes)
        self._lost = [index for index in indexes if index in self._under_way]
        return outcomes.items()

    @interrupts_deferred()
    def _settled(self, client: Client, indexes: list[int]) -> dict[int, Any]:
        """Return the outcomes of tasks that have ended, and release them, but for lost ones."""
        outcomes: dict[int, Any] = {}
        finished: dict[int, Future[WorkerAnswer]] = {}
        for index in indexes:
            future = self._under_way[index]
            if future.status == "finished":
                finished[index] = future
            elif future.status == "error":
                outcomes[index] = _failure(future)
        answers: list[WorkerAnswer] = []
        with suppress(*_LOST, KilledWorker):  # a result is lost with its worker
            answers = cast("list[WorkerAnswer]", client.gather(list(finished.values())))
        outcomes |= zip(finished, map(_outcome, answers), strict=False)
        for index in outcomes:
            self._under_way.pop(index).release()
        return outcomes

    def _register(self, client: Client) -> None:
        """Send function and preparation to all workers of a scheduler that does not have them.

        They also reach workers that join later. If the connection is lost, wait for it; raise
        `ConnectionError` if the client gives it up.
        """
        fault: BaseException | None = None
        for _ in range(_LOOKS):
            while client.status == "connecting":
                time.sleep(_PAUSE)
            if client.status != "running":
                raise ConnectionError(
                    "the Dask scheduler is lost; what was made is kept: run again to go on"
                )
            try:
                self._send_plugin(client)
            except _LOST as error:
                fault = error
                time.sleep(_PAUSE)
            except Exception as error:  # Dask raises those of workers, of any class
                raise PavError(_unable(error)) from error
            else:
                return
        raise PavError(_unable(fault)) from fault

    @interrupts_deferred()
    def _send_plugin(self, client: Client) -> None:
        scheduler = client.scheduler_info()["id"]
        if scheduler != self._registered:
            client.register_plugin(WorkOfRun(self.job.packed()), name=self._name)
        self._registered = scheduler

    def end(self) -> None:
        client = self._client
        with self._opened:
            if client is None or client.status != "running":
                return
            with suppress(*_LOST):
                client.cancel(list(self._under_way.values()), force=True)
            with suppress(KeyError, *_LOST):  # a worker may lack it
                client.unregister_worker_plugin(self._name)


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
        return DeadWorkerError(f"{dead} died while working on it")
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
