"""Workers as processes: the way of a question from its client to a process and back.

Rule 1: whatever happens to a question, its turn ends, and its process is ready again or ended.
Rule 2: a question whose process ends by itself gets one more try, but not the rest of a file.
Rule 3: a file waits for its client between its parts, and the process waits with it.
"""

from __future__ import annotations

import asyncio
import logging
import pickle
from collections import Counter
from collections.abc import Hashable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import cast

from pavcodec.errors import PavError
from pavcodec.web.settings import Settings
from pavcodec.web.tasks.task import A, Download, Q, Question, Task
from pavcodec.web.workers.crew import Crew
from pavcodec.web.workers.file_pump import FilePump
from pavcodec.web.workers.messages import Kind
from pavcodec.web.workers.process import Died, WorkerProcess, packed
from pavcodec.web.workers.refusals import error_of, twice_dead
from pavcodec.web.workers.turns import Turn, Turns
from pavcodec.web.workers.workers import Refusal, Stream

__all__ = ["Pool"]

_TRIES = 2
_log = logging.getLogger("pavcodec.web")


@dataclass(frozen=True)
class _Reply:
    """The first message of a process, which keeps its turn until the reply is dealt with."""

    worker: WorkerProcess
    turn: Turn
    data: bytes


class Pool:
    """Runs each task in a process that can be ended, with limits of time, memory and output."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._crew = Crew(settings)
        self._turns = Turns(settings)
        self._ends: Counter[str] = Counter()
        self._pumps: set[asyncio.Task[None]] = set()

    async def start(self) -> None:
        """Start the first process."""
        await self._crew.start()

    async def stop(self) -> None:
        """End the processes."""
        for pump in self._pumps:
            pump.cancel()
        if self._pumps:
            await asyncio.wait(self._pumps)
        await self._crew.stop()

    @property
    def pids(self) -> list[int]:
        """The worker processes, those at work first."""
        return self._crew.pids

    def figures(self) -> Mapping[str, float]:
        """Return what the workers do now, and how many questions have ended in which way."""
        turns = self._turns
        now = {"brief": turns.brief, "long": turns.long, "waiting": turns.waiting}
        ends = {f"ended_{name}": count for name, count in self._ends.items()}
        return now | {"ready": self._crew.ready, "started": self._crew.started} | ends

    async def answer(self, task: Task[Q, A], question: Q, client: str) -> A:
        """Return the answer to a question."""
        reply = await self._reply(task, question, client)
        self._crew.give_back(reply.worker, _key(question))
        reply.turn.end()
        self._ends["answered"] += 1
        return cast("A", pickle.loads(reply.data))  # noqa: S301 (from our own process)

    async def download(self, task: Task[Q, Download], question: Q, client: str) -> Stream:
        """Return the file of a question; its parts come as fast as the client takes them."""
        reply = await self._reply(task, question, client)
        name, media_type = pickle.loads(reply.data)  # noqa: S301 (from our own process)

        def ended(error: BaseException | None) -> None:
            reply.turn.end()
            self._count_end(error)
            if error is None:
                self._crew.give_back(reply.worker, _key(question))
            else:
                self._crew.dismiss(reply.worker)

        pump = FilePump(self._settings, reply.worker, reply.turn, ended)
        self._pumps.add(pump.task)
        pump.task.add_done_callback(self._pumps.discard)
        return Stream(name, media_type, pump.parts())

    async def _reply(self, task: Task[Q, A], question: Q, client: str) -> _Reply:
        """Return the answer, or the head of the file; raises `PavError` and `Refusal`."""
        turn = None
        try:
            turn = await self._turns.begin(client)
            return await self._tried(task, question, turn)
        except BaseException as error:
            if turn is not None:
                turn.end()
            self._count_end(error)
            raise

    async def _tried(self, task: Task[Q, A], question: Q, turn: Turn) -> _Reply:
        """Return the reply of a process; another one tries if the first ends by itself."""
        for _ in range(_TRIES):
            with suppress(Died):
                return await self._asked(turn, packed(task.work, question), _key(question))
            self._ends["died"] += 1
            _log.warning("a worker process ended in the task %s", task.name)
        raise twice_dead()

    async def _asked(self, turn: Turn, question: bytes, key: Hashable) -> _Reply:
        """Return the reply of a process; a process that gives none ends."""
        try:
            worker = await self._crew.take(key)
        except OSError:
            raise Refusal(503, "The server has no room for another process.", 60) from None
        try:
            worker.send(question)
            kind, data = await worker.message(turn, self._settings.most_seconds)
        except BaseException:
            self._crew.dismiss(worker)
            raise
        if kind is Kind.ERROR:
            self._crew.give_back(worker, key)
            raise error_of(data)
        return _Reply(worker, turn, data)

    def _count_end(self, error: BaseException | None) -> None:
        if error is None:
            name = "answered"
        elif isinstance(error, PavError):
            name = "wrong"
        elif isinstance(error, Refusal):
            name = f"refused_{error.status}"
        else:
            name = "left" if isinstance(error, asyncio.CancelledError) else "failed"
        self._ends[name] += 1


def _key(question: Question) -> Hashable:
    """Return what questions have in common that need the same tables: the same deals."""
    found = tuple(str(getattr(question, name, "")) for name in ("condition", "given"))
    return found if any(found) else None
