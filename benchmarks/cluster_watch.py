"""Watch a program and all processes that it starts: seconds of processors, and memory over time."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from threading import Event, Thread

import psutil

__all__ = ["Life", "Watch"]

_PERIOD = 0.25
_HELPERS = ("resource_tracker", "forkserver")
_BUSY = 0.2
"""The seconds of a processor that a worker has used before it counts as one."""


@dataclass
class Life:
    """A process: its role, the seconds of processors, and its resident bytes at times."""

    process: psutil.Process
    role: str
    cpu: float = 0.0
    sizes: list[tuple[float, int]] = field(default_factory=list)

    @property
    def peak(self) -> int:
        """The greatest resident bytes."""
        return max((size for _, size in self.sizes), default=0)

    def peak_between(self, begin: float, end: float) -> int:
        """Return the greatest resident bytes between two shares of its life."""
        if not self.sizes:
            return 0
        first, last = self.sizes[0][0], self.sizes[-1][0]
        low, high = (first + share * (last - first) for share in (begin, end))
        return max(size for when, size in self.sizes if low <= when <= high)


class Watch(Thread):
    """Samples a process and its descendants until they end, also those whose parents have died."""

    def __init__(self, root: int) -> None:
        super().__init__(daemon=True)
        self._root = psutil.Process(root)
        self._done = Event()
        self.driver = Life(self._root, "driver")
        self.lives: dict[int, Life] = {root: self.driver}

    def run(self) -> None:
        """Sample until `finish`."""
        while not self._done.wait(_PERIOD):
            self._sample()

    def finish(self) -> None:
        """End the sampling."""
        self._sample()
        self._done.set()
        self.join()

    def _sample(self) -> None:
        now = time.monotonic()
        try:
            found = self._root.children(recursive=True)
        except psutil.Error:
            found = []
        for process in found:
            self.lives.setdefault(process.pid, Life(process, _role(process)))
        for life in list(self.lives.values()):
            try:
                with life.process.oneshot():
                    times, size = life.process.cpu_times(), life.process.memory_info().rss
            except psutil.Error:
                continue
            if size:
                life.cpu = times.user + times.system
                life.sizes.append((now, size))

    @property
    def workers(self) -> list[Life]:
        """The workers so far, in the order of their starts."""
        return [life for life in self.lives.values() if life.role == "worker" and life.cpu > _BUSY]

    @property
    def cpu(self) -> float:
        """The seconds of processors of all processes."""
        return sum(life.cpu for life in self.lives.values())

    def alive(self) -> list[Life]:
        """Return the processes that run."""
        return [life for life in self.lives.values() if _runs(life.process)]

    def end_all(self, patience: float) -> int:
        """Wait for all processes; end those that remain, and return how many these were."""
        deadline = time.monotonic() + patience
        while self.alive() and time.monotonic() < deadline:
            time.sleep(_PERIOD)
        left = self.alive()
        for life in left:
            life.process.kill()
        return len(left)


def _runs(process: psutil.Process) -> bool:
    try:
        return bool(process.is_running() and process.status() != psutil.STATUS_ZOMBIE)
    except psutil.Error:
        return False


def _role(process: psutil.Process) -> str:
    try:
        words = " ".join(process.cmdline())
    except psutil.Error:
        return "helper"
    return "helper" if any(each in words for each in _HELPERS) else "worker"
