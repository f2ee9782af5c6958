"""A worker process: it receives questions through a socket and sends answers or files.

Rule 1: one question at a time, with one thread for loops, and within the limits of the process.
Rule 2: a file goes out as fast as the server takes it; the worker waits in between.
Rule 3: a worker ends when the server does, however that ends. The limit of processor time ends it
        also in the middle of a loop that runs no Python.
"""

from __future__ import annotations

import math
import os
import pickle
import signal
import socket
import struct
import time
import traceback
from collections.abc import Iterable, Iterator
from contextlib import suppress
from enum import IntEnum
from itertools import chain
from threading import Thread
from typing import BinaryIO

from pavcodec.collection.engines.processes import end_with_driver
from pavcodec.errors import PavError
from pavcodec.limits import threads_limited
from pavcodec.web.tasks.task import Download

# Messages between the server and a worker: a kind, the number of bytes, and the bytes.
#
# The server sends questions, and the worker answers each by one of these sequences:
#
#     ANSWER                  the answer, as a pickle
#     ERROR                   an exception, as a pickle
#     HEAD CHUNK… END         a file: its name and media type as a pickle, and its bytes
#     HEAD CHUNK… ERROR       a file that has no end
#
# Pickles come only from our own processes.


HEADER = struct.Struct(">BQ")
"""The kind and the number of bytes of a message."""

CHUNK_SIZE = 64 << 10
"""The bytes of each part of a file but the last."""


class Kind(IntEnum):
    """What a message is."""

    QUESTION = 0
    ANSWER = 1
    ERROR = 2
    HEAD = 3
    CHUNK = 4
    END = 5


class Fault(Exception):  # noqa: N818 (the server has the error)
    """An error of the program in a worker: its class and its place, without the user's values."""

    def __init__(self, name: str, trace: str) -> None:
        super().__init__(name, trace)
        self.name = name
        self.trace = trace


def framed(kind: Kind, data: bytes = b"") -> bytes:
    r"""Return a message as bytes.

    >>> framed(Kind.CHUNK, b"ab")
    b'\x04\x00\x00\x00\x00\x00\x00\x00\x02ab'
    """
    return HEADER.pack(kind, len(data)) + data


_MARGIN = 5
"""The seconds of processor time beyond the limit of the server, which ends a worker before."""

_SOON = 2.0
"""The seconds after which the first part of a file goes out as it is."""

_FIRST_VICTIM = "800"
"""The place among the processes that Linux ends when memory runs out: before the server."""


def work(link: socket.socket, memory: int, seconds: float) -> None:
    """Answer questions until the server closes the socket.

    `memory` is the limit in bytes beyond what the process has now, and `seconds` that of the
    processor time of each question.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    Thread(target=end_with_driver, daemon=True).start()
    import pavcodec.web.workers.warm  # noqa: F401 (before the limit: packages take much memory)

    _limit_memory(memory)
    with link, link.makefile("rb") as questions, threads_limited(1), suppress(OSError):
        while len(header := questions.read(HEADER.size)) == HEADER.size:
            _limit_time(seconds)
            for message in _replies(questions, HEADER.unpack(header)[1]):
                link.sendall(message)


def _replies(questions: BinaryIO, size: int) -> Iterator[bytes]:
    """Yield the messages that answer a question of so many bytes."""
    try:
        function, question = pickle.loads(questions.read(size))  # noqa: S301 (from the server)
        answer = function(question)
        if isinstance(answer, Download):
            yield from _file(answer)
        else:
            yield framed(Kind.ANSWER, pickle.dumps(answer, pickle.HIGHEST_PROTOCOL))
    except Exception as error:  # noqa: BLE001 (the server judges it)
        yield framed(Kind.ERROR, _packed(error))


def _file(file: Download) -> Iterator[bytes]:
    """Yield the messages of a file; its first part is made before its name goes out.

    The first part of a file that grows slowly is what there is.
    """
    chunks, first, end = iter(file.chunks), b"", time.monotonic() + _SOON
    while len(first) < CHUNK_SIZE and (not first or time.monotonic() < end):
        if not (chunk := next(chunks, b"")):
            break
        first += chunk
    yield framed(Kind.HEAD, pickle.dumps((file.name, file.media_type)))
    for part in parts(chain([first], chunks)):
        yield framed(Kind.CHUNK, part)
    yield framed(Kind.END)


def parts(chunks: Iterable[bytes], size: int = CHUNK_SIZE) -> Iterator[bytes]:
    """Yield the same bytes in parts of one size; the last one may be smaller.

    >>> list(parts([b"abc", b"", b"defgh"], 3))
    [b'abc', b'def', b'gh']
    """
    buffer = bytearray()
    for chunk in chunks:
        buffer += chunk
        whole = len(buffer) - len(buffer) % size
        for start in range(0, whole, size):
            yield bytes(buffer[start : start + size])
        del buffer[:whole]
    if buffer:
        yield bytes(buffer)


def _packed(error: Exception) -> bytes:
    """Return an exception as a pickle: data that is wrong, a limit, or an error of the program."""
    if isinstance(error, PavError):
        with suppress(Exception):  # some class might not come back from its pickle
            data = pickle.dumps(error)
            pickle.loads(data)  # noqa: S301 (our own)
            return data
    if isinstance(error, MemoryError):
        return pickle.dumps(MemoryError())
    if isinstance(error, RecursionError):
        return pickle.dumps(RecursionError())
    trace = "".join(traceback.format_tb(error.__traceback__))
    return pickle.dumps(Fault(type(error).__name__, trace))


def _limit_memory(memory: int) -> None:
    """Limit the address space to what the process has now and so many bytes more."""
    with suppress(OSError), open("/proc/self/oom_score_adj", "w") as score:
        score.write(_FIRST_VICTIM)
    with suppress(ImportError, OSError, ValueError):  # only POSIX has it, and only Linux all of it
        import resource

        with open("/proc/self/statm") as statm:
            now = int(statm.read().split()[0]) * os.sysconf("SC_PAGE_SIZE")
        resource.setrlimit(resource.RLIMIT_AS, (now + memory, resource.RLIM_INFINITY))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def _limit_time(seconds: float) -> None:
    """Let the system end this process after so many further seconds of processor time."""
    with suppress(ImportError, OSError, ValueError, OverflowError):  # also for no limit
        import resource

        used = sum(resource.getrusage(resource.RUSAGE_SELF)[:2])
        most = math.ceil(used + seconds) + _MARGIN
        resource.setrlimit(resource.RLIMIT_CPU, (most, resource.RLIM_INFINITY))
