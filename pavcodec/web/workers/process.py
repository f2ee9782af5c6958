"""A worker process as the server sees it: its socket, its priority, its end."""

from __future__ import annotations

import asyncio
import errno
import multiprocessing
import os
import pickle
import socket
import time
from collections.abc import Hashable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field
from multiprocessing.process import BaseProcess

from pavcodec.collection.engines.interrupts import interrupts_held
from pavcodec.web.settings import Settings
from pavcodec.web.workers.messages import CHUNK_SIZE, HEADER, Kind, framed
from pavcodec.web.workers.refusals import busy, too_large, too_long
from pavcodec.web.workers.turns import Turn
from pavcodec.web.workers.worker import work

__all__ = ["Died", "WorkerProcess", "packed"]

_NICE = 10
"""The priority of long questions; a larger number is lower."""

_STEP = 0.02
"""The seconds between two looks at the time of a processor at least."""

_KEYS = 50
"""The number of questions that a worker is remembered for."""

_MOST_ANSWERS = 2000
"""The answers after which a worker is replaced."""

_FORKS = "forkserver" in multiprocessing.get_all_start_methods()
_starter = ThreadPoolExecutor(1, "starter")
"""The thread that starts and joins processes, one after the other."""


class Died(Exception):  # noqa: N818 (the pool tries again)
    """The worker ended before its answer."""


@dataclass(eq=False)
class WorkerProcess:
    """A process with one question at a time; `is_low` once its priority is low, which stays."""

    process: BaseProcess
    reader: asyncio.StreamReader
    writer: asyncio.StreamWriter
    settings: Settings
    size: int = 0
    """The resident memory at the start, in bytes."""
    answered: int = 0
    is_low: bool = False
    keys: dict[Hashable, None] = field(default_factory=dict)
    """The keys of the last questions, the newest last."""
    _used_before: float = 0.0
    """The time of a processor before this question."""
    _worked: float = 0.0
    """The time by the clock in which the server has waited for messages about this question."""
    _end: asyncio.Future[None] | None = None

    @classmethod
    async def start(cls, settings: Settings) -> WorkerProcess:
        """Start a process; raises `OSError` if the system has no room for one."""
        own, other = socket.socketpair()
        try:
            starting = asyncio.get_running_loop().run_in_executor(_starter, _start, other, settings)
            process = await asyncio.shield(starting)
        except asyncio.CancelledError:
            starting.add_done_callback(_end_of_start)
            own.close()
            raise
        except BaseException:
            own.close()
            raise
        try:
            reader, writer = await asyncio.open_connection(sock=own, limit=4 * CHUNK_SIZE)
        except BaseException:  # nobody waits for the process any more
            own.close()
            process.kill()
            _starter.submit(_join, process)
            raise
        return cls(process, reader, writer, settings, _resident(process.pid))

    def send(self, packed: bytes) -> None:
        """Send a question; a dead worker shows at the next `message`."""
        self._used_before, self._worked = self._processor_seconds(), 0.0
        self.writer.write(framed(Kind.QUESTION, packed))

    async def message(self, turn: Turn, seconds: float) -> tuple[Kind, bytes]:
        """Return the next message of a question that may take so much time in all.

        The turn becomes long, and the priority low, after the brief time. What counts is the time
        of a processor: on a busy machine a question waits for one, but not for ever. Raises `Died`,
        and `Refusal` for the limits.
        """
        limits = self.settings
        reading = asyncio.create_task(self._read(limits.output))
        await asyncio.sleep(0)  # a message that has come already takes no time
        try:
            if not (self.is_low or await self._is_read(reading, min(limits.brief, seconds))):
                turn.lengthen()
                self._lower_priority()
            if not await self._is_read(reading, seconds):
                raise too_long(seconds) if self._used >= seconds else busy()
            return reading.result()
        finally:
            reading.cancel()

    async def _is_read(self, reading: asyncio.Task[tuple[Kind, bytes]], seconds: float) -> bool:
        """Wait for a message until the question has had so much time; return whether it came."""
        most, clock = self.settings.patience * seconds, time.monotonic
        while not reading.done() and (left := min(seconds - self._used, most - self._worked)) > 0:
            start = clock()
            await asyncio.wait({reading}, timeout=max(left, _STEP))
            self._worked += clock() - start
        return reading.done()

    async def _read(self, most: int) -> tuple[Kind, bytes]:
        try:
            kind, size = HEADER.unpack(await self.reader.readexactly(HEADER.size))
            if size > most:
                raise too_large(most)
            return Kind(kind), await self.reader.readexactly(size)
        except (asyncio.IncompleteReadError, OSError):
            raise Died from None

    def _lower_priority(self) -> None:
        """Let all other processes come first from now on."""
        self.is_low = True
        # it has ended, or the system has no priorities
        with suppress(OSError, ValueError, AttributeError):
            os.setpriority(os.PRIO_PROCESS, self.process.pid or 0, _NICE)

    @property
    def _used(self) -> float:
        """The time of a processor for this question; never more than that of the clock."""
        return min(self._processor_seconds() - self._used_before, self._worked)

    def _processor_seconds(self) -> float:
        """Return the time of a processor so far; that of the clock if the system does not say."""
        try:
            with open(f"/proc/{self.process.pid}/stat") as stat:
                user, system = stat.read().rpartition(")")[2].split()[11:13]
            return (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")
        except (OSError, ValueError):
            return time.monotonic()

    @property
    def is_worn(self) -> bool:
        """Whether the process has to be replaced: a low priority, much memory, many answers."""
        grown = _resident(self.process.pid) - self.size
        return self.is_low or grown > self.settings.memory // 2 or self.answered >= _MOST_ANSWERS

    def remember(self, key: Hashable) -> None:
        """Remember a question that this process has answered."""
        self.answered += 1
        if key is None:
            return
        self.keys.pop(key, None)
        self.keys[key] = None
        if len(self.keys) > _KEYS:
            del self.keys[next(iter(self.keys))]

    def end(self) -> asyncio.Future[None]:
        """End the process at once; the result comes when it has ended, also of a second call."""
        if self._end is None:
            self.writer.transport.abort()
            with suppress(ProcessLookupError):
                self.process.kill()
            self._end = asyncio.get_running_loop().run_in_executor(_starter, _join, self.process)
        return self._end


def _start(link: socket.socket, settings: Settings) -> BaseProcess:
    with link:
        arguments = (link, settings.memory, max(settings.most_seconds, settings.most_file_seconds))
        process: BaseProcess
        if _FORKS:
            forks = multiprocessing.get_context("forkserver")
            forks.set_forkserver_preload(["pavcodec.web.workers.warm"])
            process = forks.Process(target=work, args=arguments, daemon=True)
        else:
            new = multiprocessing.get_context("spawn")
            process = new.Process(target=work, args=arguments, daemon=True)
        with interrupts_held():
            try:
                process.start()
            except EOFError:  # the process that makes the copies ended; the next start makes one
                raise ConnectionError(errno.EPIPE, os.strerror(errno.EPIPE)) from None
    return process


def _join(process: BaseProcess) -> None:
    process.join()
    process.close()


def _end_of_start(starting: asyncio.Future[BaseProcess]) -> None:
    """End a process that nobody waits for any more."""
    if not starting.cancelled() and starting.exception() is None:
        starting.result().kill()


def _resident(process: int | None) -> int:
    """Return the resident memory of a process in bytes; 0 where the system does not say."""
    try:
        with open(f"/proc/{process}/statm") as statm:
            return int(statm.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, IndexError):
        return 0


def packed(function: object, question: object) -> bytes:
    """Return the function of a task and its question for a worker."""
    return pickle.dumps((function, question), pickle.HIGHEST_PROTOCOL)
