"""The crew: worker processes that are ready, and those at work."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Hashable

from pavcodec.web.settings import Settings
from pavcodec.web.workers.process import WorkerProcess

__all__ = ["Crew"]

_log = logging.getLogger("pavcodec.web")


class Crew:
    """Starts, lends and ends worker processes; a ready one is always kept if the system can.

    The number of processes follows from the turns of the questions; nothing here limits it.
    """

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._ready: list[WorkerProcess] = []
        self._busy: set[WorkerProcess] = set()
        self._ends: set[asyncio.Future[None]] = set()
        self._spare: asyncio.Task[None] | None = None
        self._is_open = True
        self.started = 0
        """The processes that have started so far."""

    @property
    def ready(self) -> int:
        """The number of processes without a question."""
        return len(self._ready)

    @property
    def pids(self) -> list[int]:
        """The processes, those with a question first."""
        found = (*self._busy, *self._ready)
        return [worker.process.pid for worker in found if worker.process.pid is not None]

    async def start(self) -> None:
        """Start the first process; the spare ones follow."""
        self._ready.append(await self._started())
        self._fill()

    async def take(self, key: Hashable) -> WorkerProcess:
        """Return a process without a question: the one that had the same key before, if any.

        Raises `OSError` if the system has no room for another process, and after the end.
        """
        while self._ready:
            knowing = (worker for worker in reversed(self._ready) if key in worker.keys)
            worker = next(knowing, self._ready[-1])
            self._ready.remove(worker)
            if not worker.reader.at_eof():  # it is alive
                self._busy.add(worker)
                self._fill()
                return worker
            self._end(worker)
        worker = await self._started()
        self._busy.add(worker)
        self._fill()
        return worker

    def give_back(self, worker: WorkerProcess, key: Hashable) -> None:
        """Take back a process that has answered."""
        self._busy.discard(worker)
        worker.remember(key)
        if self._is_open and not worker.is_worn and self.ready < self._settings.brief_workers:
            self._ready.append(worker)
        else:
            self._end(worker)
            self._fill()

    def dismiss(self, worker: WorkerProcess) -> None:
        """End a process in the middle of its work, or a dead one."""
        self._busy.discard(worker)
        self._end(worker)
        self._fill()

    async def stop(self) -> None:
        """End all processes."""
        self._is_open = False
        if self._spare is not None:
            await asyncio.wait([self._spare])  # it ends the process that it has started
        for worker in (*self._ready, *self._busy):
            self._end(worker)
        self._ready.clear()
        self._busy.clear()
        if self._ends:
            await asyncio.wait(self._ends)

    async def _started(self) -> WorkerProcess:
        worker = await WorkerProcess.start(self._settings)
        self.started += 1
        if not self._is_open:
            self._end(worker)
            raise ConnectionAbortedError("the processes have ended")
        return worker

    def _end(self, worker: WorkerProcess) -> None:
        end = worker.end()
        self._ends.add(end)
        end.add_done_callback(self._ends.discard)

    def _fill(self) -> None:
        """Start a spare process if none is ready, for the next question."""
        if self._is_open and not self._ready and (self._spare is None or self._spare.done()):
            self._spare = asyncio.get_running_loop().create_task(self._add_spare())

    async def _add_spare(self) -> None:
        try:
            self._ready.append(await self._started())
        except ConnectionAbortedError:
            return
        except OSError as error:
            _log.error("no worker process can start: %s", error.strerror)
