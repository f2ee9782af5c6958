"""The pool: the way of a question from its client to a process and back.

Rule 1: whatever happens to a question, its place gets free, and its process is ready or ended.
Rule 2: a question whose process ends by itself gets one more try.
Rule 3: a file is whole before its client gets the first byte. It has no name on the disk by then,
        so nothing remains of it, however its client leaves.
"""

from __future__ import annotations

import asyncio
import logging
import math
import multiprocessing
import os
import pickle
import shutil
import signal
import tempfile
from collections import Counter
from collections.abc import AsyncIterator, Callable, Coroutine
from concurrent.futures.process import BrokenProcessPool
from contextlib import ExitStack, asynccontextmanager, suppress
from dataclasses import dataclass, field
from typing import Any, BinaryIO, cast

from pebble import ProcessExpired, ProcessPool

from pavcodec.collection.engines.processes import interrupts_held
from pavcodec.web.settings import Settings
from pavcodec.web.tasks.task import A, Download, Q, Task
from pavcodec.web.workers.worker import Limits, answer, begin, write_file
from pavcodec.web.workers.workers import SOON, Fault, Refusal, Stream, busy, too_long

_CHUNK_SIZE = 256 << 10
"""The bytes of a file that are in memory at a time."""

_MOST_ANSWERS = 2000
"""The answers after which a process is replaced."""

_PRELOADED = [begin.__module__, "pebble", "pavcodec.web.workers.warm"]
"""What the process that makes the copies imports; else each copy needs 20 ms more."""

_TRIES = 2
_log = logging.getLogger("pavcodec.web")


# Places: which questions are worked on, and which wait.
#
# Rule 1: so many questions at a time are *brief*. One client has some of these places, so a client
#         with many questions does not keep others from theirs.
# Rule 2: a question that is not done after the brief time becomes *long* and gives its place free.
#         Few are long at a time, in all and by client; one too many is refused after a while.
# Rule 3: few questions wait, in all and by client; one too many is refused at once.


class _Client:
    """What one client has under way."""

    def __init__(self, most: int) -> None:
        self.places = asyncio.Semaphore(most)
        self.questions = 0


@dataclass
class Place:
    """The place of a question; the end of `held` gives it free."""

    client: str
    held: ExitStack = field(default_factory=ExitStack)
    is_long: bool = False


class Places:
    """The places of a server, and who waits for them."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._brief = asyncio.Semaphore(settings.brief_workers)
        self._clients: dict[str, _Client] = {}
        self._long: Counter[str] = Counter()
        self.waiting = 0

    @property
    def under_way(self) -> int:
        """The number of questions that wait or are worked on."""
        return sum(client.questions for client in self._clients.values())

    @property
    def long(self) -> int:
        """The number of long questions."""
        return self._long.total()

    @asynccontextmanager
    async def taken(self, name: str) -> AsyncIterator[Place]:
        """Wait for a place and keep it; raises `Refusal` if too many wait, or for too long."""
        client = self._clients.get(name) or _Client(self._settings.brief_by_client)
        if client.questions >= self._settings.waiting_by_client:
            raise Refusal(429, "You have too many questions under way; wait for them.", SOON)
        if self.waiting >= self._settings.waiting:
            raise busy()
        self._clients[name] = client
        client.questions += 1
        place = Place(name)
        try:
            with place.held:
                await self._wait(place, client.places, self._brief)
                yield place
        finally:
            client.questions -= 1
            if not client.questions:
                del self._clients[name]

    async def _wait(self, place: Place, *semaphores: asyncio.Semaphore) -> None:
        self.waiting += 1
        try:
            async with asyncio.timeout(self._settings.most_seconds):
                for each in semaphores:
                    await each.acquire()
                    place.held.callback(each.release)
        except TimeoutError:
            raise busy() from None
        finally:
            self.waiting -= 1

    def lengthen(self, place: Place) -> Refusal | None:
        """Let a question become long, or return why it may not."""
        if self._long[place.client] >= self._settings.long_by_client:
            said = "You have long questions under way; try this one after they are done."
            return Refusal(429, said, SOON)
        if self.long >= self._settings.long_workers:
            return busy()
        self._long[place.client] += 1
        place.held.close()
        place.held.callback(self._shorten, place.client)
        place.is_long = True
        return None

    def _shorten(self, client: str) -> None:
        self._long -= Counter([client])


# The crew: processes that are ready, and those at work. Each is a pool of `pebble` with one
# process, so the death of one breaks no other, and its pipe belongs to it alone.


class Process:
    """A worker process, which `pebble` watches and ends.

    It is a copy of one process by fork where the system can, so it is there at once. Raises
    `OSError` or `RuntimeError` if the system has no room for it.
    """

    def __init__(self, memory: int) -> None:
        can_fork = "forkserver" in multiprocessing.get_all_start_methods()
        context = multiprocessing.get_context("forkserver" if can_fork else "spawn")
        if can_fork:
            context.set_forkserver_preload(_PRELOADED)
        self.pool = ProcessPool(1, 0, begin, (memory,), context)
        with interrupts_held():
            self._pid = self.pool.schedule(os.getpid).result()
        self._most = _resident(self._pid) + memory // 2
        self.answers = 0

    @property
    def is_alive(self) -> bool:
        """Whether the process is still there."""
        try:
            os.kill(self._pid, 0)
        except OSError:
            return False
        return self.pool.active

    @property
    def is_worn(self) -> bool:
        """Whether a new process should replace this one, which remembers much."""
        return self.answers > _MOST_ANSWERS or _resident(self._pid) > self._most

    def end(self) -> None:
        """End the process, also in the middle of a question."""
        self.pool.stop()  # type: ignore[no-untyped-call]
        self.pool.join()


def _resident(process: int) -> int:
    """Return the resident memory of a process in bytes; 0 where the system does not say."""
    try:
        with open(f"/proc/{process}/statm") as statm:
            return int(statm.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, IndexError):
        return 0


class Crew:
    """Starts, lends and ends processes; a ready one is always kept."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._most = settings.brief_workers + settings.long_workers
        self._all: set[Process] = set()
        self._ready: list[Process] = []
        self._tasks: set[asyncio.Task[None]] = set()

    @asynccontextmanager
    async def lent(self) -> AsyncIterator[Process]:
        """Lend a process, which ends if its use does not come to an end."""
        while self._ready and not self._ready[-1].is_alive:  # it has ended by itself
            self._end(self._ready.pop())
        while not self._ready:
            await asyncio.shield(self.add())
        process = self._ready.pop()
        if not self._ready and len(self._all) < self._most:
            self.add()
        try:
            yield process
        except BaseException:
            self._end(process)
            raise
        process.answers += 1
        if process.is_worn:
            self._end(process)
        else:
            self._ready.append(process)

    def add(self) -> asyncio.Task[None]:
        """Start a process, which is ready after the task."""
        return self._begun(self._add())

    async def stop(self) -> None:
        """End all processes."""
        while self._tasks:  # one may just start a process
            await asyncio.wait(self._tasks)
        for process in list(self._all):
            self._end(process)
        await asyncio.gather(*self._tasks)

    async def _add(self) -> None:
        try:
            process = await asyncio.to_thread(Process, self._settings.memory)
        except (OSError, RuntimeError):
            said = "The server has no room for another process."
            raise Refusal(503, said, 12 * SOON) from None
        self._all.add(process)
        self._ready.append(process)

    def _end(self, process: Process) -> None:
        self._all.discard(process)
        self._begun(asyncio.to_thread(process.end))

    def _begun(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._finished)
        return task

    def _finished(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (error := task.exception()):
            _log.error("no worker process can start: %s", error)


class Pool:
    """Runs each task in a process that can be ended, with limits of time, memory and output."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self.places = Places(settings)
        self._crew = Crew(settings)
        self._folder = ""

    async def start(self) -> None:
        """Start the first process."""
        self._folder = tempfile.mkdtemp(prefix="pavcodec-")
        await self._crew.add()

    async def stop(self) -> None:
        """End the processes."""
        await self._crew.stop()
        shutil.rmtree(self._folder, ignore_errors=True)

    async def answer(self, task: Task[Q, A], question: Q, client: str) -> A:
        """Return the answer to a question; raises `PavError` and `Refusal`."""
        seconds = self._settings.most_seconds
        limits = Limits(seconds, seconds, self._settings.output)
        return cast("A", await self._asked(client, answer, (task.work, question, limits)))

    async def download(self, task: Task[Q, Download], question: Q, client: str) -> Stream:
        """Return the file of a question, whole; raises `PavError` and `Refusal`."""
        settings = self._settings
        limits = Limits(settings.most_seconds, settings.most_file_seconds, settings.file_output)
        handle, path = tempfile.mkstemp(dir=self._folder)
        os.close(handle)
        try:
            asked = task.work, question, limits, path
            name, media_type = await self._asked(client, write_file, asked)
            file = open(path, "rb")  # noqa: SIM115 (`_chunks` closes it)
        finally:
            with suppress(OSError):  # Windows removes it with the folder
                os.unlink(path)
        return Stream(name, media_type, os.fstat(file.fileno()).st_size, _chunks(file))

    async def _asked(
        self, client: str, function: Callable[..., bytes], asked: tuple[Any, ...]
    ) -> Any:  # noqa: ANN401 (each task has an answer of its own)
        """Return what a process found; another one tries if the first ends by itself."""
        work, _, limits, *path = asked
        async with self.places.taken(client) as place:
            for _ in range(_TRIES):
                try:
                    return _found(await self._replied(place, function, asked, limits.seconds))
                except TimeoutError:  # it has waited for a processor
                    raise busy() from None
                except (BrokenProcessPool, ProcessExpired) as error:
                    if getattr(error, "exitcode", None) == _OUT_OF_TIME:
                        is_begun = path and os.path.getsize(path[0])
                        most = limits.seconds if is_begun else limits.first_seconds
                        raise too_long(most) from None
                _log.warning("a worker process ended in %s", work.__qualname__)
        said = "The process that worked on the question has ended, twice."
        raise Refusal(503, said, 12 * SOON)

    async def _replied(
        self, place: Place, function: Callable[..., bytes], asked: tuple[Any, ...], seconds: float
    ) -> bytes:
        """Return the reply of a process; its question becomes long after the brief time."""
        settings, waits = self._settings, 0
        most = None if seconds == math.inf else settings.patience * seconds
        async with self._crew.lent() as process:
            reply = asyncio.wrap_future(process.pool.schedule(function, asked, timeout=most))
            try:
                while not (await asyncio.wait({reply}, timeout=settings.brief))[0]:
                    waits += 1
                    refusal = None if place.is_long else self.places.lengthen(place)
                    if refusal and waits >= settings.patience:
                        raise refusal
                    if not process.pool.active:
                        raise BrokenProcessPool("the process ended before it had the question")
                return reply.result()
            finally:
                reply.cancel()


_OUT_OF_TIME = -getattr(signal, "SIGXCPU", math.inf)
"""The exit code of a process that the system has ended for its time of a processor."""


def _found(reply: bytes) -> object:
    """Return what a process has found, or raise its error; log an error of the program."""
    found = pickle.loads(reply)  # noqa: S301 (from our own process)
    if isinstance(found, Fault):
        _log.error("%s in a task:\n%s", found.name, found.trace)
        said = "An error of this server, not of your question; its log has the place."
        raise Refusal(500, said)
    if isinstance(found, Exception):
        raise found
    return found


async def _chunks(file: BinaryIO) -> AsyncIterator[bytes]:
    with file:
        while chunk := await asyncio.to_thread(file.read, _CHUNK_SIZE):
            yield chunk
