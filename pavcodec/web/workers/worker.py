"""The inside of a worker process: one question after the other, each within its limits.

Rule 1: a question has one thread for loops, and limits of memory, of processor time and of output.
Rule 2: what goes back to the server is small or has a limit: an answer, why there is none, or the
        name of a file, which is on the disk as a whole.
Rule 3: a worker ends when the server does, and whenever the server says so, also in the middle of
        a loop that runs no Python.
"""

from __future__ import annotations

import math
import os
import pickle
import signal
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from itertools import chain
from threading import Thread

from pavcodec.collection.engines.processes import end_with_driver
from pavcodec.errors import PavError
from pavcodec.limits import threads_limited
from pavcodec.web.tasks.task import A, Download, Q
from pavcodec.web.workers.workers import Fault, Refusal, needs_memory, too_deep, too_large

_FIRST_VICTIM = "800"
"""The place among the processes that Linux ends when memory runs out: before the server."""


@dataclass(frozen=True)
class Limits:
    """What a question may take: seconds of a processor, and bytes of its answer.

    `first_seconds` limits the work on an answer, or on the first part of a file.
    """

    first_seconds: float
    seconds: float
    output: int


def begin(memory: int) -> None:
    """Prepare a process; `memory` is the limit in bytes beyond what it has then."""
    signal.signal(signal.SIGTERM, signal.SIG_DFL)  # a handler of Python waits for the end of a loop
    Thread(target=end_with_driver, daemon=True).start()
    import pavcodec.web.workers.warm  # noqa: F401 (before the limit: packages take much memory)

    with suppress(OSError), open("/proc/self/oom_score_adj", "w") as score:
        score.write(_FIRST_VICTIM)
    with suppress(ImportError, OSError, ValueError):  # only POSIX has it, and only Linux all of it
        import resource

        with open("/proc/self/statm") as statm:
            now = int(statm.read().split()[0]) * os.sysconf("SC_PAGE_SIZE")
        resource.setrlimit(resource.RLIMIT_AS, (now + memory, resource.RLIM_INFINITY))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def answer(work: Callable[[Q], A], question: Q, limits: Limits) -> bytes:
    """Return the answer to a question as a pickle, or why there is none."""

    def answered() -> bytes:
        with _time_limited(limits.first_seconds):
            packed = pickle.dumps(work(question), pickle.HIGHEST_PROTOCOL)
        if len(packed) > limits.output:
            raise too_large(limits.output)
        return packed

    return _replied(answered)


def write_file(work: Callable[[Q], Download], question: Q, limits: Limits, path: str) -> bytes:
    """Write the file of a question, once its first part is made.

    Returns its name and media type as a pickle, or why there is no file.
    """

    def written() -> bytes:
        with _time_limited(limits.first_seconds):
            file = work(question)
            chunks = iter(file.chunks)
            first = next(chunks, b"")
        with open(path, "wb") as stream, _time_limited(limits.seconds):
            for chunk in chain([first], chunks):
                if stream.tell() + len(chunk) > limits.output:
                    raise too_large(limits.output)
                stream.write(chunk)
        return pickle.dumps((file.name, file.media_type))

    return _replied(written)


def _replied(work: Callable[[], bytes]) -> bytes:
    """Return what a function returns, or the pickle of its error."""
    try:
        with threads_limited(1):
            return work()
    except Exception as error:  # noqa: BLE001 (the server judges it)
        return pickle.dumps(_sendable(error))


def _sendable(error: Exception) -> Exception:
    """Return an error that any pickle carries: wrong data, a limit, or a fault of the program."""
    if isinstance(error, MemoryError):
        return needs_memory()
    if isinstance(error, RecursionError):
        return too_deep()
    if isinstance(error, PavError | Refusal):
        with suppress(Exception):  # some class might not come back from its pickle
            pickle.loads(pickle.dumps(error))  # noqa: S301 (our own)
            return error
    return Fault(type(error).__name__, "".join(traceback.format_tb(error.__traceback__)))


@contextmanager
def _time_limited(seconds: float) -> Iterator[None]:
    """Let the system end this process after so many seconds of a processor inside the block."""
    try:
        import resource
    except ImportError:  # Windows, where only the limit by the clock holds
        yield
        return
    used = sum(resource.getrusage(resource.RUSAGE_SELF)[:2])
    most = math.ceil(used + seconds) if seconds < math.inf else resource.RLIM_INFINITY
    _, hard = before = resource.getrlimit(resource.RLIMIT_CPU)
    with suppress(ValueError):  # the system allows less, and ends the process before
        resource.setrlimit(resource.RLIMIT_CPU, (most, hard))
    try:
        yield
    finally:  # a process must not end between two questions, with the lock of their pipe
        resource.setrlimit(resource.RLIMIT_CPU, before)
