"""A collection on a cluster with faults, event by event.

Rule 1: a worker asks the scheduler for a part, makes it, and puts it into the store. Scheduler and
        store serve one after the other, in the order of the requests.
Rule 2: a worker dies at a random time of its life. Its part goes back to the others at once, and
        what it did for the part is lost, also in the store. After a while another worker starts.
Rule 3: when a part is refused at the end of its put, the same worker makes it again.
Rule 4: events at the same time happen in the order in which they were planned.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction
from functools import partial
from heapq import heappop, heappush

from pavcodec.collection.costs.chances import Chances
from pavcodec.collection.costs.values import SECOND, Cluster, Job, Outcome

__all__ = ["simulate"]


def simulate(job: Job, cluster: Cluster, *, seed: int = 0) -> Outcome:
    """Return what a collection takes on a cluster; the seed decides the faults.

    >>> job = Job(deals=10**6, parts=10, nanoseconds=2000, bits=96)
    >>> [simulate(job, Cluster(workers=workers)).time / SECOND for workers in (1, 2, 3)]
    [2.0, 1.0, 0.8]
    """
    return _Simulation(job, cluster, Chances(seed)).run()


@dataclass(eq=False)
class _Worker:
    number: int
    life: int = 0
    born: int = 0
    part: int | None = None
    spent: int = 0
    """The time for the making of its part."""
    since: int | None = None
    """When it began to make its part."""


@dataclass(eq=False)
class _Server:
    """Serves requests one after the other; a request of a dead worker is dropped."""

    plan: Callable[[int, Callable[[], None]], None]
    busy: int = 0
    _waiting: deque[tuple[_Worker, int, int, Callable[[], None]]] = field(default_factory=deque)
    _current: tuple[_Worker, int] | None = None
    _begin: int = 0
    _serial: int = 0

    def serve(self, now: int, worker: _Worker, time: int, done: Callable[[], None]) -> None:
        """Serve a worker when all earlier requests are done."""
        self._waiting.append((worker, worker.life, time, done))
        if self._current is None:
            self._next(now)

    def _next(self, now: int) -> None:
        self._current = None
        while self._waiting:
            worker, life, time, done = self._waiting.popleft()
            if worker.life == life:
                self._current, self._begin = (worker, life), now
                self._serial += 1
                end = now + time
                self.plan(end, partial(self._end, end, self._serial, done))
                return

    def _end(self, now: int, serial: int, done: Callable[[], None]) -> None:
        if serial != self._serial or self._current is None:
            return  # its worker died
        self.busy += now - self._begin
        self._next(now)
        done()

    def drop(self, now: int, worker: _Worker, life: int) -> None:
        """End the service of a worker that died in that life."""
        if self._current == (worker, life):
            self.busy += now - self._begin
            self._next(now)


class _Simulation:
    def __init__(self, job: Job, cluster: Cluster, chances: Chances) -> None:
        self._job, self._cluster, self._chances = job, cluster, chances
        self._events: list[tuple[int, int, Callable[[], None]]] = []
        self._planned = 0
        self._now = 0
        self._next_part = 0
        self._left: deque[int] = deque()
        self._idle: deque[tuple[_Worker, int]] = deque()
        self._attempts: dict[int, int] = {}
        self._stored = 0
        self._scheduler, self._store = _Server(self._plan), _Server(self._plan)
        self._workers = [_Worker(number) for number in range(cluster.workers)]
        self._work = self._lost = self._paid = self._deaths = self._puts = 0

    def run(self) -> Outcome:
        """Return the outcome when all parts are in the store."""
        for worker in self._workers:
            self._start(worker)
        while self._stored < self._job.parts:
            self._now, _, happen = heappop(self._events)
            happen()
        for worker in self._workers:
            self._paid += max(0, self._now - worker.born) if worker.born >= 0 else 0
        tail = self._job.parts * self._cluster.row
        time = self._now + tail
        busy = {
            "workers": Fraction(self._work + self._lost, self._cluster.workers),
            "scheduler": Fraction(self._scheduler.busy),
            "store": Fraction(self._store.busy),
            "manifest": Fraction(tail),
        }
        return Outcome(
            job=self._job,
            time=time,
            paid=self._paid,
            work=self._work,
            lost=self._lost,
            deaths=self._deaths,
            puts=self._puts,
            shares={name: share / time if time else share for name, share in busy.items()},
        )

    def _plan(self, when: int, happen: Callable[[], None]) -> None:
        self._planned += 1
        heappush(self._events, (when, self._planned, happen))

    def _start(self, worker: _Worker) -> None:
        """Begin a life of a worker."""
        worker.born, life = self._now, worker.life
        self._plan(self._now + self._cluster.start, lambda: self._ready(worker, life))
        if self._cluster.lifetime:
            lives = self._chances.lifetime(self._cluster.lifetime, worker.number, life)
            self._plan(self._now + lives, lambda: self._die(worker))

    def _die(self, worker: _Worker) -> None:
        """End a life of a worker, and return its part."""
        self._deaths += 1
        self._paid += self._now - worker.born
        self._lose(worker)
        part, life = worker.part, worker.life
        worker.part, worker.born = None, -1
        worker.life += 1
        for server in (self._scheduler, self._store):
            server.drop(self._now, worker, life)
        self._plan(self._now + self._cluster.replaced, lambda: self._start(worker))
        if part is not None:
            self._left.append(part)
            self._wake()

    def _lose(self, worker: _Worker) -> None:
        """Count what a worker did for its part as lost."""
        if worker.since is not None:
            self._lost += self._now - worker.since
        self._lost += worker.spent
        worker.spent, worker.since = 0, None

    def _wake(self) -> None:
        """Give an idle worker a part that came back."""
        while self._idle:
            worker, life = self._idle.popleft()
            if worker.life == life:
                self._ready(worker, life)
                return

    def _ready(self, worker: _Worker, life: int) -> None:
        """Let the scheduler give a part to a worker."""
        if worker.life != life:
            return
        if self._left:
            part = self._left.popleft()
        elif self._next_part < self._job.parts:
            part = self._next_part
            self._next_part += 1
        else:
            self._idle.append((worker, life))
            return
        worker.part = part
        task = self._cluster.task
        self._scheduler.serve(self._now, worker, task, lambda: self._make(worker, part))

    def _make(self, worker: _Worker, part: int) -> None:
        """Make a part."""
        attempt = self._attempts[part] = self._attempts.get(part, -1) + 1
        time, life = self._job.time_of(part), worker.life
        if self._chances.is_slow(self._cluster.slow, part, attempt):
            time *= self._cluster.slowness
        worker.since = self._now
        self._plan(self._now + time, lambda: self._put(worker, life, part, attempt))

    def _put(self, worker: _Worker, life: int, part: int, attempt: int) -> None:
        """Put a part into the store."""
        if worker.life != life or worker.since is None:
            return
        worker.spent, worker.since = self._now - worker.since, None
        bandwidth = self._cluster.bandwidth
        time = self._job.bytes_of(part) * SECOND // bandwidth if bandwidth else 0
        self._store.serve(self._now, worker, time, lambda: self._stored_by(worker, part, attempt))

    def _stored_by(self, worker: _Worker, part: int, attempt: int) -> None:
        """End a put: the part is there, or the worker makes it again."""
        self._puts += 1
        if self._chances.is_refused(self._cluster.refused, part, attempt):
            self._lose(worker)
            self._make(worker, part)
            return
        self._stored += 1
        self._attempts.pop(part)
        self._work += worker.spent
        worker.spent, worker.part = 0, None
        self._ready(worker, worker.life)
