"""Workers as processes: the way of a question from its client to a process and back.

Rule 1: whatever happens to a question, its turn ends, and its process is ready again or ended.
Rule 2: a question whose process ends by itself gets one more try, but not the rest of a file.
Rule 3: a file waits for its client between its parts, and the process waits with it.
"""

from __future__ import annotations

import asyncio
import errno
import logging
import multiprocessing
import os
import pickle
import socket
import time
from collections import Counter
from collections.abc import AsyncIterator, Callable, Hashable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field
from multiprocessing.process import BaseProcess
from typing import cast

from pavcodec.collection.engines.processes import interrupts_held
from pavcodec.web.settings import Settings
from pavcodec.web.tasks.task import A, Download, Q, Question, Task
from pavcodec.web.workers.worker import CHUNK_SIZE, HEADER, Kind, framed, work
from pavcodec.web.workers.workers import (
    SOON,
    Refusal,
    Stream,
    busy,
    error_of,
    too_large,
    too_long,
)

# Turns: which questions are worked on, and which wait.
#
# Rule 1: so many questions at a time are *brief*; a free place goes to the clients in turn, so one
#         client with many questions does not keep others from theirs.
# Rule 2: a question that is not done after the brief time becomes *long* and gives its place free.
#         Few are long at a time, in all and by client; one too many is refused.
# Rule 3: few questions wait, in all and by client; one too many is refused at once.
# Rule 4: of the questions of one client the newest is next. No question says how long it takes, but
#         somebody waits for the last one, and whoever sends a crowd waits for all of it anyway.


class Turns:
    """The places of a server, and who waits for them."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._free = settings.brief_workers
        self._brief: Counter[str] = Counter()
        self._long: Counter[str] = Counter()
        self._queues: dict[str, list[asyncio.Future[None]]] = {}
        """The waiting questions of each client; the first client is the next."""

    @property
    def waiting(self) -> int:
        """The number of questions that wait."""
        return sum(map(len, self._queues.values()))

    @property
    def brief(self) -> int:
        """The number of brief questions."""
        return self._brief.total()

    @property
    def long(self) -> int:
        """The number of long questions."""
        return self._long.total()

    async def begin(self, client: str) -> Turn:
        """Wait for a place; raises `Refusal` if too many wait, or none gets free in time."""
        if self._free and not self._queues and self._may_begin(client):
            self._count(client)
            return Turn(self, client)
        if len(self._queues.get(client, ())) >= self._settings.waiting_by_client:
            raise Refusal(429, "You have too many questions under way; wait for them.", SOON)
        if self.waiting >= self._settings.waiting:
            raise busy()
        ticket = asyncio.get_running_loop().create_future()
        self._queues.setdefault(client, []).append(ticket)
        self._give()
        try:
            async with asyncio.timeout(self._settings.most_seconds):
                await ticket
        except BaseException as error:
            if ticket.done() and not ticket.cancelled():  # it got a place in the same moment
                Turn(self, client).end()
            elif ticket in (queue := self._queues.get(client, [])):
                queue.remove(ticket)
                if not queue:
                    del self._queues[client]
            if isinstance(error, TimeoutError):
                raise busy() from None
            raise
        return Turn(self, client)

    def _may_begin(self, client: str) -> bool:
        """Return whether a client has fewer places than its half."""
        return self._brief[client] < max(1, self._settings.brief_workers // 2)

    def _count(self, client: str) -> None:
        self._free -= 1
        self._brief[client] += 1

    def _give(self) -> None:
        """Give the free places to the clients in turn."""
        for client in list(self._queues):
            if not self._free:
                return
            if not self._may_begin(client):
                continue
            queue = self._queues.pop(client)
            ticket = queue.pop()
            if queue:
                self._queues[client] = queue  # behind the other clients
            if not ticket.done():
                self._count(client)
                ticket.set_result(None)
        if self._free and any(map(self._may_begin, self._queues)):
            self._give()

    def _free_brief(self, client: str) -> None:
        self._free += 1
        _less(self._brief, client)
        self._give()

    def _lengthen(self, client: str) -> None:
        if self._long[client] >= self._settings.long_by_client:
            raise Refusal(
                429, "You have long questions under way; try this one after they are done.", SOON
            )
        if self.long >= self._settings.long_workers:
            raise busy()
        self._long[client] += 1
        self._free_brief(client)


class Turn:
    """The place of a question: brief, later perhaps long, then ended."""

    def __init__(self, turns: Turns, client: str) -> None:
        self._turns = turns
        self._client = client
        self._state = "brief"

    def lengthen(self) -> None:
        """Become long; raises `Refusal` if too many are."""
        if self._state == "brief":
            self._turns._lengthen(self._client)
            self._state = "long"

    def end(self) -> None:
        """Give the place free; a second call does nothing."""
        if self._state == "brief":
            self._turns._free_brief(self._client)
        elif self._state == "long":
            _less(self._turns._long, self._client)
        self._state = "ended"


def _less(counts: Counter[str], client: str) -> None:
    counts[client] -= 1
    if not counts[client]:
        del counts[client]


# A worker process as the server sees it: its socket, its priority, its end.


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


# The crew: worker processes that are ready, and those at work.


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

    @property
    def ready(self) -> int:
        """The number of processes without a question."""
        return len(self._ready)

    @property
    def pids(self) -> list[int]:
        """The processes, those with a question first."""
        workers = (*self._busy, *self._ready)
        return [worker.process.pid for worker in workers if worker.process.pid is not None]

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


# A file on its way from a process to a client: neither is faster than the other.


_ROOM = 2
"""The parts of a file that wait for the client."""


class FilePump:
    """Takes the parts of a file from a process as fast as the client takes them.

    A task of its own does it, so the process is free again or ended also if the client never takes
    a part. `ended` gets None for a whole file, or why the rest is missing.
    """

    def __init__(
        self,
        settings: Settings,
        worker: WorkerProcess,
        turn: Turn,
        ended: Callable[[BaseException | None], None],
    ) -> None:
        self._settings = settings
        self._worker = worker
        self._turn = turn
        self._ended = ended
        self._room = asyncio.Semaphore(_ROOM)
        self._parts: asyncio.Queue[bytes | BaseException | None] = asyncio.Queue()
        self._end: BaseException | None = asyncio.CancelledError()
        self.task = asyncio.create_task(self._run())
        self.task.add_done_callback(self._finish)  # also if it ends before it runs

    async def parts(self) -> AsyncIterator[bytes]:
        """Yield the parts; raises what ended the file too early. One call at most."""
        try:
            while (part := await self._parts.get()) is not None:
                if isinstance(part, BaseException):
                    raise part
                self._room.release()
                yield part
        finally:
            self.task.cancel()

    async def _run(self) -> None:
        try:
            await self._pass_on()
            self._end = None
        except Died:
            self._end = Refusal(503, "The process that made the file has ended.", SOON)
        except Exception as error:  # noqa: BLE001 (`parts` raises it)
            self._end = error

    def _finish(self, _task: asyncio.Task[None]) -> None:
        self._ended(self._end)
        self._parts.put_nowait(self._end)

    async def _pass_on(self) -> None:
        """Queue all parts, within the limits of time and size."""
        settings, clock = self._settings, asyncio.get_running_loop().time
        size, waited, seconds = 0, 0.0, settings.most_file_seconds
        while True:
            kind, data = await self._worker.message(self._turn, seconds)
            if kind is Kind.END:
                return
            if kind is Kind.ERROR:
                raise error_of(data)
            size += len(data)
            if size > settings.file_output:
                raise too_large(settings.file_output)
            start = clock()
            await self._wait_for_room(min(settings.stalled, seconds - waited))
            waited += clock() - start
            self._parts.put_nowait(data)

    async def _wait_for_room(self, seconds: float) -> None:
        try:
            async with asyncio.timeout(seconds):
                await self._room.acquire()
        except TimeoutError:
            raise Refusal(408, "The client takes the file too slowly.") from None


_TRIES = 2


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
        self.turns = Turns(settings)
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

    @property
    def waiting(self) -> int:
        """The number of questions that wait."""
        return self.turns.waiting

    async def answer(self, task: Task[Q, A], question: Q, client: str) -> A:
        """Return the answer to a question."""
        reply = await self._reply(task, question, client)
        self._crew.give_back(reply.worker, _key(question))
        reply.turn.end()
        return cast("A", pickle.loads(reply.data))  # noqa: S301 (from our own process)

    async def download(self, task: Task[Q, Download], question: Q, client: str) -> Stream:
        """Return the file of a question; its parts come as fast as the client takes them."""
        reply = await self._reply(task, question, client)
        name, media_type = pickle.loads(reply.data)  # noqa: S301 (from our own process)

        def ended(error: BaseException | None) -> None:
            reply.turn.end()
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
        turn = await self.turns.begin(client)
        try:
            return await self._tried(task, question, turn)
        except BaseException:
            turn.end()
            raise

    async def _tried(self, task: Task[Q, A], question: Q, turn: Turn) -> _Reply:
        """Return the reply of a process; another one tries if the first ends by itself."""
        for _ in range(_TRIES):
            with suppress(Died):
                return await self._asked(turn, packed(task.work, question), _key(question))
            _log.warning("a worker process ended in the task %s", task.name)
        said = "The process that worked on the question has ended, twice."
        raise Refusal(503, said, 12 * SOON)

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


def _key(question: Question) -> Hashable:
    """Return what questions have in common that need the same tables: the same deals."""
    texts = tuple(str(getattr(question, name, "")) for name in ("condition", "given"))
    return texts if any(texts) else None
