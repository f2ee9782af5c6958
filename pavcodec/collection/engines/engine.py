"""What an engine is, how a worker tries an item, and the engine of one process: this one.

Rule 1: an engine yields each item exactly once, with its result or the exception of its last try,
        in the order in which they end.
Rule 2: wrong data (`PavError`) stays wrong, so the first exception is the result. An error of a
        file or of the network that may pass is worth another try, and so is a worker that died.
Rule 3: an item whose worker died runs again after all others and alone, so that no other item is
        under suspicion and each has all memory; if its workers die again, it is an exception.
Rule 4: few items are under way at a time, so that a million of them take no memory.
Rule 5: whatever ends the loop over the results, no worker process of this engine remains.
"""

from __future__ import annotations

import pickle
import time
import traceback
from abc import ABC, abstractmethod
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Generic, NamedTuple, TypeVar, cast

from pavcodec.errors import PavError
from pavcodec.files.objects import is_transient
from pavcodec.limits import threads_limited

Item = TypeVar("Item")
Result = TypeVar("Result")

Prepare = Callable[[], object]
"""What a worker process calls once, before its first item."""

TRIES = 5
"""The tries of an item whose files fail with errors that may pass."""

GUARD = 'a script must start them under `if __name__ == "__main__":`, or use workers=1'
"""The advice where worker processes end as they start: each of them imports the script."""

_PAUSE = 0.1
"""The seconds before the second try; each further pause is twice as long."""


def prepared_work(packed: bytes) -> Callable[[Any], Any]:
    """Return the function of a pickle of function and preparation, after the preparation here.

    >>> prepared_work(pickle.dumps((abs, None)))(-2)
    2
    """
    work, prepare = pickle.loads(packed)  # noqa: S301 (from our own driver)
    if prepare is not None:
        prepare()
    return cast("Callable[[Any], Any]", work)


def attempt(
    work: Callable[[Item], Result], item: Item, *, pause: Callable[[float], object] = time.sleep
) -> Result | Exception:
    """Return the result of an item, or the exception of its last try.

    >>> attempt(abs, -2)
    2
    >>> attempt(abs, "x")
    TypeError("bad operand type for abs(): 'str'")
    """
    for again in range(TRIES):
        try:
            return work(item)
        except OSError as error:
            if again + 1 == TRIES or not is_transient(error):
                return error
        except PavError as error:
            return error
        except Exception as error:  # noqa: BLE001 (the caller judges it)
            error.add_note("".join(traceback.format_exception(error)))
            return error
        pause(_PAUSE * 2**again)
    raise AssertionError("the last try returns")


def sendable(outcome: Result | Exception) -> bytes:
    """Return an outcome as a pickle; what cannot be pickled becomes an exception with its text."""
    try:
        data = pickle.dumps(outcome)
        if isinstance(outcome, Exception):
            pickle.loads(data)  # noqa: S301 (our own: some exceptions are lost only here)
    except Exception as error:  # noqa: BLE001 (any class may fail in any way)
        text = repr(outcome) if isinstance(outcome, Exception) else f"no pickle: {error!r}"
        return pickle.dumps(RuntimeError(text))
    return data


class Job(NamedTuple, Generic[Item]):
    """What a run has to do."""

    work: Callable[[Item], Any]
    items: Sequence[Item]
    prepare: Prepare | None

    def packed(self) -> bytes:
        """Return the function and the preparation of its workers as a pickle: a `prepared_work`."""
        return pickle.dumps((self.work, self.prepare))


class DeadWorkerError(ChildProcessError):
    """The outcome of an item whose worker died while it worked on it."""


class Team(ABC, Generic[Item]):
    """The workers of one run, in other processes."""

    most_deaths: ClassVar[int]
    """The times that a worker may die while it works on the same item."""

    def __init__(self, job: Job[Item]) -> None:
        self.job = job

    @abstractmethod
    def room(self) -> int:
        """Return how many more items the workers take now; start workers that are missing."""

    @abstractmethod
    def submit(self, index: int) -> None:
        """Give the item of an index to a worker."""

    @abstractmethod
    def ended(self) -> Iterable[tuple[int, Any]]:
        """Wait for workers; return the indexes of items that have ended, with their outcomes.

        There may be none if there is room for other items now.
        """

    @abstractmethod
    def end(self) -> None:
        """End all workers."""

    def results(self) -> Iterator[tuple[Item, Any]]:
        """Yield each item with its outcome; see `Engine.run`."""
        items = self.job.items
        total, submitted, under_way = len(items), 0, 0
        deaths: Counter[int] = Counter()
        suspects: deque[int] = deque()
        ended: list[tuple[Item, Any]] = []
        try:
            while True:
                if submitted < total:
                    for index in range(submitted, min(total, submitted + self.room())):
                        self.submit(index)
                        submitted, under_way = submitted + 1, under_way + 1
                elif suspects and not under_way and self.room():
                    self.submit(suspects.popleft())
                    under_way = 1
                yield from ended  # while the workers have their next items
                if submitted == total and not under_way and not suspects:
                    return
                ended = []
                for index, outcome in self.ended():
                    under_way -= 1
                    if isinstance(outcome, DeadWorkerError):
                        deaths[index] += 1
                        if deaths[index] < self.most_deaths:
                            suspects.append(index)
                            continue
                    ended.append((items[index], outcome))
        finally:
            self.end()


@dataclass(frozen=True)
class Engine(ABC):
    """Runs a function for many items, perhaps in other processes and on other machines."""

    def run(
        self,
        work: Callable[[Item], Result],
        items: Sequence[Item],
        *,
        prepare: Prepare | None = None,
    ) -> Iterator[tuple[Item, Result | Exception]]:
        """Yield each item with its result, or with the exception of its last try.

        Functions and items go to other processes, so they can be pickled. The order is that in
        which items end. `prepare` runs once in each worker process; its exception ends the run.
        Raises `ChildProcessError` if no worker can start; with a Dask cluster, `ConnectionError` if
        no scheduler answers or if it is lost, and `PavError` for workers of another version.
        """
        return self._results(Job(work, items, prepare))

    @abstractmethod
    def _results(self, job: Job[Item]) -> Iterator[tuple[Item, Any]]:
        """Yield each item of a job with its outcome, by the workers of this engine."""


class ThisProcess(Engine):
    """Runs items in this process, one after the other, each with one thread.

    >>> list(ThisProcess().run(abs, [-2, 3]))
    [(-2, 2), (3, 3)]
    """

    def _results(self, job: Job[Item]) -> Iterator[tuple[Item, Any]]:
        if job.prepare is not None and len(job.items):
            job.prepare()
        work = job.work
        for item in job.items:
            with threads_limited(1):
                outcome = attempt(work, item)
            yield item, outcome
