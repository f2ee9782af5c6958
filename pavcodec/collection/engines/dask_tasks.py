"""What runs on the workers of a Dask cluster: one task for each item.

Rule 1: the function and its preparation reach each worker once, as a plugin, and also each worker
        that joins later; a task has only its item.
Rule 2: the preparation runs before the first item of a worker process, once; tasks of other threads
        wait for it.
Rule 3: a worker with another version of pavcodec refuses all items: it could write other bytes.
"""

from __future__ import annotations

from contextlib import ExitStack
from threading import Lock
from typing import Any, NamedTuple

from distributed import Worker, WorkerPlugin, get_worker

from pavcodec._version import __version__
from pavcodec.collection.engines.engine import attempt, prepared_work, sendable
from pavcodec.errors import PavError
from pavcodec.limits.threads import threads_limited

__all__ = ["Answer", "WorkOfRun", "run_item"]


class Answer(NamedTuple):
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

    def answer(self, item: object) -> Answer:
        """Return the outcome of an item, or why this worker cannot run any."""
        with self._lock:
            if self._work is None:
                self._work = attempt(self._prepared, self._setup)
                self._setup = b""
        if isinstance(self._work, Exception):
            return Answer(is_ready=False, outcome=sendable(self._work))
        return Answer(is_ready=True, outcome=sendable(attempt(self._work, item)))

    def _prepared(self, setup: bytes) -> object:
        """Return the function of the run, after its preparation."""
        if self.version != __version__:
            raise PavError(
                f"the worker {self._address} has pavcodec {__version__}, this program has "
                f"{self.version}: install the same, since parts of both may have other bytes"
            )
        return prepared_work(setup)


def run_item(run: str, item: object) -> Answer:
    """Return the answer of this worker for an item of a run."""
    found = get_worker().plugins[run]
    assert isinstance(found, WorkOfRun), "plugins of runs have names of their own"
    return found.answer(item)
