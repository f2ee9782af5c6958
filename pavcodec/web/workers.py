"""The workers: they run tasks, in processes of their own, with limits.

Rule 1: so many questions at a time are *brief*. One that is not done after the brief time becomes
        *long* and gives its place to another, as long as few are long. A client has some of all
        places, so a client with many questions does not keep others from theirs.
Rule 2: whatever happens to a question, its place gets free, and its process is ready or ended. A
        question whose process ends by itself gets one more try.
Rule 3: a question has one thread for loops, and limits of memory, of processor time and of output.
Rule 4: what goes back to the server is small or has a limit: an answer, why there is none, or the
        name of a file, which is whole before its client gets the first byte. It has no name on the
        disk by then, so nothing remains of it, however its client leaves.
Rule 5: a worker ends when the server does, and whenever the server says so, also in the middle of
        a loop that runs no Python.
"""

from __future__ import annotations

import asyncio
import errno
import logging
import math
import multiprocessing
import os
import pickle
import re
import shutil
import signal
import tempfile
import time
import traceback
from collections.abc import AsyncIterator, Callable, Iterator
from concurrent.futures.process import BrokenProcessPool
from contextlib import ExitStack, asynccontextmanager, contextmanager, suppress
from dataclasses import dataclass
from ipaddress import IPv6Address, ip_network
from threading import Thread
from typing import Any, BinaryIO, cast
from urllib.parse import quote
from weakref import WeakValueDictionary

from pebble import ProcessExpired, ProcessPool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import StreamingResponse

from pavcodec.collection.engines.processes import end_with_driver, interrupts_held
from pavcodec.errors import PavError
from pavcodec.limits import format_size, threads_limited
from pavcodec.web.settings import Settings
from pavcodec.web.tasks.task import A, Download, Q, Task

_log = logging.getLogger("pavcodec.web")


# Why workers may refuse, in words for the client.


class _Fault(Exception):  # noqa: N818 (the server has the error)
    """An error of the program in a worker: its class and its place, without the user's values."""


_OWN_MACHINE = "pavcodec on your own machine has no such limit"
_BUSY = "The server is busy with the questions of others; try again soon."


# The inside of a worker process: one question after the other.


_FIRST_VICTIM = "800"
"""The place among the processes that Linux ends when memory runs out: before the server."""

_OUT_OF_TIME = -getattr(signal, "SIGXCPU", math.inf)
"""The exit code of a process that the system has ended for its time of a processor."""


@dataclass(frozen=True)
class _Limits:
    """What a question may take: seconds of a processor, bytes of its answer or file, and memory."""

    seconds: float
    output: int
    memory: int


def _begin(memory: int) -> None:
    """Prepare a process; `memory` is the limit in bytes beyond what it has then."""
    signal.signal(signal.SIGTERM, signal.SIG_DFL)  # a handler of Python waits for the end of a loop
    Thread(target=end_with_driver, daemon=True).start()
    import pavcodec.web.warm  # noqa: F401 (before the limit: packages take much memory)

    with suppress(OSError), open("/proc/self/oom_score_adj", "w") as score:
        score.write(_FIRST_VICTIM)
    with suppress(ImportError, OSError, ValueError):  # only POSIX has it, and only Linux all of it
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (_held() + memory, resource.RLIM_INFINITY))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def _held() -> int:
    """Return the memory of this process in bytes."""
    with open("/proc/self/statm") as statm:
        return int(statm.read().split()[0]) * os.sysconf("SC_PAGE_SIZE")


def _is_worn(memory: int) -> bool:
    """Return whether this process remembers so much that half of its memory is left at most."""
    with suppress(ImportError, OSError):
        import resource

        most, _ = resource.getrlimit(resource.RLIMIT_AS)
        return most != resource.RLIM_INFINITY and _held() > most - memory // 2
    return False


def _reply(
    work: Callable[[Any], Any], question: object, limits: _Limits, path: str
) -> tuple[bytes, bool]:
    """Return the pickle of an answer, or of why there is none, and whether this process is worn.

    A file goes to the path; its answer has its name and media type.
    """
    try:
        most = time.process_time() + limits.seconds
        with threads_limited(1), _limited("CPU", most), _limited("FSIZE", limits.output):
            found = work(question)
            if isinstance(found, Download):
                with open(path, "wb") as stream:
                    found.write(stream)
                found = found.name, found.media_type
            reply = pickle.dumps(found, pickle.HIGHEST_PROTOCOL)
    except Exception as error:  # noqa: BLE001 (the server judges it)
        reply = pickle.dumps(_sendable(error, limits))
    if len(reply) > limits.output:
        reply = pickle.dumps(_too_large(limits))
    return reply, _is_worn(limits.memory)


def _too_large(limits: _Limits) -> HTTPException:
    said = f"The answer has more than {format_size(limits.output)}; {_OWN_MACHINE}."
    return HTTPException(413, said)


def _sendable(error: Exception, limits: _Limits) -> Exception:
    """Return an error that any pickle carries: wrong data, a limit, or a fault of the program."""
    if isinstance(error, OSError) and error.errno == errno.EFBIG:
        return _too_large(limits)
    if isinstance(error, MemoryError):
        said = f"The question needs more memory than this server gives it; {_OWN_MACHINE}."
        return HTTPException(413, said)
    if isinstance(error, RecursionError):
        return HTTPException(413, "The question has too many parts inside each other.")
    if isinstance(error, PavError | HTTPException):
        with suppress(Exception):  # some class might not come back from its pickle
            pickle.loads(pickle.dumps(error))  # noqa: S301 (our own)
            return error
    return _Fault(type(error).__name__, "".join(traceback.format_tb(error.__traceback__)))


@contextmanager
def _limited(kind: str, most: float) -> Iterator[None]:
    """Let the system hold a limit inside the block; Windows holds none.

    After the block there is no limit: a process must not end with the lock of its pipe.
    """
    try:
        import resource
    except ImportError:
        yield
        return
    limit = getattr(resource, f"RLIMIT_{kind}")
    before = resource.getrlimit(limit)
    with suppress(ValueError):  # the system allows less, and ends the process before
        soft = resource.RLIM_INFINITY if most == math.inf else math.ceil(most)
        resource.setrlimit(limit, (soft, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(limit, before)


# The pool: the way of a question from its client to a process and back.


_CHUNK_SIZE = 256 << 10
"""The bytes of a file that are in memory at a time."""

_MOST_ANSWERS = 2000
"""The answers after which a process is replaced."""

_TRIES = 2


class Stream(StreamingResponse):
    r"""A file on its way to a client, which saves it; its name may have any letters.

    >>> import io
    >>> print(*Stream('a"é.pbn', "text/x-pbn", io.BytesIO(b"")).headers.values(), sep="\n")
    0
    attachment; filename="a__.pbn"; filename*=UTF-8''a%22%C3%A9.pbn
    text/x-pbn; charset=utf-8
    """

    def __init__(self, name: str, media_type: str, file: BinaryIO) -> None:
        plain = re.sub(r'[^ -~]|["\\%]', "_", name)
        exact = quote(name, safe="", errors="replace")
        also = "" if plain == name else f"; filename*=UTF-8''{exact}"
        headers = {
            "Content-Length": str(file.seek(0, os.SEEK_END)),
            "Content-Disposition": f'attachment; filename="{plain}"{also}',
        }
        super().__init__(_chunks(file), headers=headers, media_type=media_type)
        self.name = name

    async def content(self) -> bytes:
        """Return all bytes of the file."""
        return b"".join([cast("bytes", chunk) async for chunk in self.body_iterator])


class Pool:
    """Runs each task in a process that can be ended, with limits of time, memory and output.

    Each process is in a pool of `pebble` of its own, so the death of one breaks no other, and its
    pipe belongs to it alone. It starts when the others have questions.
    """

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._brief = asyncio.Semaphore(settings.most_workers)
        self._long = asyncio.Semaphore(settings.most_workers)
        self._clients: WeakValueDictionary[str, asyncio.Semaphore] = WeakValueDictionary()
        self._ready: list[ProcessPool] = []
        self._ends: set[asyncio.Task[None]] = set()
        self._folder = ""
        self.waiting = 0
        """The number of questions that wait for a place."""

    async def start(self) -> None:
        """Start the first process, of which others are copies by fork where the system can."""
        self._folder = tempfile.mkdtemp(prefix="pavcodec-")
        self._ready = [self._process() for _ in range(2 * self._settings.most_workers)]
        with interrupts_held():
            first = self._ready[-1].schedule(int)
        await asyncio.wrap_future(first)

    async def stop(self) -> None:
        """End the processes."""
        for process in self._ready:
            self._end(process)
        while self._ends:
            await asyncio.wait(self._ends)
        shutil.rmtree(self._folder, ignore_errors=True)

    def _process(self) -> ProcessPool:
        """Return a process, which starts with its first question."""
        can_fork = "forkserver" in multiprocessing.get_all_start_methods()
        context = multiprocessing.get_context("forkserver" if can_fork else "spawn")
        if can_fork:  # else each copy needs some time more for its imports
            context.set_forkserver_preload([__name__, "pavcodec.web.warm"])
        return ProcessPool(1, _MOST_ANSWERS, _begin, (self._settings.memory,), context)

    def _end(self, process: ProcessPool) -> None:
        """End a process, also in the middle of a question."""
        process.stop()  # type: ignore[no-untyped-call]
        end = asyncio.create_task(asyncio.to_thread(process.join))
        self._ends.add(end)
        end.add_done_callback(self._ends.discard)

    async def answer(self, task: Task[Q, A], question: Q, client: str) -> A:
        """Return the answer to a question; raises `PavError` and `HTTPException`."""
        settings = self._settings
        limits = _Limits(settings.most_seconds, settings.output, settings.memory)
        return cast("A", await self._asked(client, task, question, limits, ""))

    async def download(self, task: Task[Q, Download], question: Q, client: str) -> Stream:
        """Return the file of a question, whole; raises `PavError` and `HTTPException`."""
        settings = self._settings
        limits = _Limits(settings.most_file_seconds, settings.file_output, settings.memory)
        handle, path = tempfile.mkstemp(dir=self._folder)
        os.close(handle)
        try:
            name, media_type = await self._asked(client, task, question, limits, path)
            file = open(path, "rb")  # noqa: SIM115 (`_chunks` closes it)
        finally:
            with suppress(OSError):  # Windows removes it with the folder
                os.unlink(path)
        return Stream(name, media_type, file)

    async def _asked(
        self, client: str, task: Task[Any, Any], question: object, limits: _Limits, path: str
    ) -> Any:
        """Return what a process found; another one tries if the first ends by itself."""
        asked = task.work, question, limits, path
        async with self._place(client) as place:
            for _ in range(_TRIES):
                try:
                    return _found(await self._replied(asked, place))
                except TimeoutError:  # it has waited for a processor
                    raise HTTPException(503, _BUSY, {"Retry-After": "5"}) from None
                except (BrokenProcessPool, ProcessExpired) as error:
                    if getattr(error, "exitcode", None) == _OUT_OF_TIME:
                        most = f"{limits.seconds:g} seconds"
                        said = f"The question takes more than {most}; {_OWN_MACHINE}."
                        raise HTTPException(503, said) from None
                _log.warning("a worker process ended in %s", task.work.__qualname__)
        said = "The process that worked on the question has ended, twice."
        raise HTTPException(503, said, {"Retry-After": "60"})

    @asynccontextmanager
    async def _place(self, client: str) -> AsyncIterator[ExitStack]:
        """Wait for a place of a client, and one of all, which the end of the stack gives free."""
        if self.waiting >= self._settings.waiting:
            raise HTTPException(503, _BUSY, {"Retry-After": "5"})
        own = self._clients.setdefault(client, asyncio.Semaphore(self._settings.by_client))
        with ExitStack() as held, ExitStack() as place:
            self.waiting += 1
            try:
                async with asyncio.timeout(self._settings.most_seconds):
                    for each, stack in ((own, held), (self._brief, place)):
                        await each.acquire()
                        stack.callback(each.release)
            except TimeoutError:
                raise HTTPException(503, _BUSY, {"Retry-After": "5"}) from None
            finally:
                self.waiting -= 1
            yield place

    async def _replied(
        self, asked: tuple[Callable[[Any], Any], object, _Limits, str], place: ExitStack
    ) -> bytes:
        """Return the reply of a process; its question becomes long after the brief time."""
        settings, seconds = self._settings, asked[2].seconds
        most = None if seconds == math.inf else settings.patience * seconds
        process, is_long, is_worn = self._ready.pop(), False, True
        try:
            with interrupts_held():
                if not process.active:  # it has ended by itself
                    raise BrokenProcessPool
                reply = asyncio.wrap_future(process.schedule(_reply, asked, timeout=most))
            while not (await asyncio.wait({reply}, timeout=settings.brief))[0]:
                if not process.active:  # it has ended before it had the question
                    raise BrokenProcessPool
                if not is_long and not self._long.locked():
                    is_long = await self._long.acquire()
                    place.close()
                    place.callback(self._long.release)
            packed, is_worn = reply.result()
            return packed
        finally:
            if is_worn:
                self._end(process)
                process = self._process()
            self._ready.append(process)


def _found(reply: bytes) -> object:
    """Return what a process has found, or raise its error; log an error of the program."""
    found = pickle.loads(reply)  # noqa: S301 (from our own process)
    if isinstance(found, _Fault):
        _log.error("%s in a task:\n%s", *found.args)
        said = "An error of this server, not of your question; its log has the place."
        raise HTTPException(500, said)
    if isinstance(found, Exception):
        raise found
    return found


async def _chunks(file: BinaryIO) -> AsyncIterator[bytes]:
    with file:
        file.seek(0)
        while chunk := await asyncio.to_thread(file.read, _CHUNK_SIZE):
            yield chunk


# Who sent a request, and the workers that answer it.


def workers_of(request: Request) -> Pool:
    """Return the workers of the application."""
    workers: Pool = request.app.state.workers
    return workers


def client_of(request: Request) -> str:
    """Return the address of the client, or its network."""
    return network_of(request.client.host) if request.client else "unknown"


def network_of(address: str) -> str:
    """Return the address of one client: of IPv6 its network, since a client has all of it.

    >>> network_of("2001:db8::1"), network_of("::ffff:192.0.2.1"), network_of("192.0.2.1")
    ('2001:db8::/64', '192.0.2.1', '192.0.2.1')
    """
    if ":" not in address:
        return address
    try:
        parsed = IPv6Address(address.partition("%")[0])
    except ValueError:
        return "unknown"
    if parsed.ipv4_mapped is not None:
        return str(parsed.ipv4_mapped)
    return str(ip_network((int(parsed) >> 64 << 64, 64)))
