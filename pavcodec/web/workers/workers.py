"""What workers do, and why they may refuse."""

from __future__ import annotations

import asyncio
import logging
import pickle
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass
from typing import Protocol

from pavcodec.errors import PavError
from pavcodec.limits import format_size
from pavcodec.web.tasks.task import A, Download, Q, Task
from pavcodec.web.workers.worker import Fault


class Refusal(Exception):  # noqa: N818 (the server refuses; the question has no error)
    """The workers cannot answer: too long, too large, too many questions, a dead worker.

    `status` is the status of HTTP; `retry` the seconds after which another try may succeed.
    """

    def __init__(self, status: int, message: str, retry: int | None = None) -> None:
        super().__init__(status, message, retry)
        self.status = status
        self.message = message
        self.retry = retry

    @property
    def headers(self) -> dict[str, str]:
        """The header of HTTP that says when another try may succeed, if one may."""
        return {} if self.retry is None else {"Retry-After": str(self.retry)}


@dataclass(frozen=True)
class Stream:
    """A file on its way: its name, its media type, and its bytes in chunks."""

    name: str
    media_type: str
    chunks: AsyncIterator[bytes]


class Workers(Protocol):
    """Run tasks; each method raises `PavError` for wrong data, and `Refusal`."""

    async def start(self) -> None:
        """Start the processes."""

    async def stop(self) -> None:
        """End the processes."""

    async def answer(self, task: Task[Q, A], question: Q, client: str) -> A:
        """Return the answer to a question; `client` is the address of the questioner."""

    async def download(self, task: Task[Q, Download], question: Q, client: str) -> Stream:
        """Return the file of a question; an error in the middle ends its chunks with `Refusal`."""

    @property
    def waiting(self) -> int:
        """The number of questions that wait."""


# Workers without processes: threads of this process, without limits, for tests of pages.


class Here:
    """Runs each task in a thread of this process."""

    waiting = 0

    async def start(self) -> None:
        """Do nothing."""

    async def stop(self) -> None:
        """Do nothing."""

    async def answer(self, task: Task[Q, A], question: Q, client: str) -> A:  # noqa: ARG002
        """Return the answer to a question."""
        return await asyncio.to_thread(task.work, question)

    async def download(self, task: Task[Q, Download], question: Q, client: str) -> Stream:  # noqa: ARG002
        """Return the file of a question."""
        file = await asyncio.to_thread(task.work, question)
        return Stream(file.name, file.media_type, _chunks(file.chunks))


async def _chunks(chunks: Iterator[bytes]) -> AsyncIterator[bytes]:
    while (chunk := await asyncio.to_thread(next, chunks, None)) is not None:
        yield chunk


# Why a server does not answer a question, in words for the client.


_OWN_MACHINE = "pavcodec on your own machine has no such limit"
SOON = 5
"""The seconds after which a busy server may have a free place."""

_log = logging.getLogger("pavcodec.web")


def busy() -> Refusal:
    """Return the refusal of a server whose places are taken."""
    return Refusal(503, "The server is busy with the questions of others; try again soon.", SOON)


def too_long(seconds: float) -> Refusal:
    """Return the refusal of a question whose time is over."""
    return Refusal(503, f"The question takes more than {seconds:g} seconds; {_OWN_MACHINE}.")


def too_large(size: int) -> Refusal:
    """Return the refusal of an answer of too many bytes."""
    return Refusal(413, f"The answer has more than {format_size(size)}; {_OWN_MACHINE}.")


def error_of(data: bytes) -> Exception:
    """Return the exception for the error that a worker sent; log an error of the program."""
    error = pickle.loads(data)  # noqa: S301 (from our own process)
    if isinstance(error, PavError):
        return error
    if isinstance(error, MemoryError):
        said = f"The question needs more memory than this server gives it; {_OWN_MACHINE}."
        return Refusal(413, said)
    if isinstance(error, RecursionError):
        return Refusal(413, "The question has too many parts inside each other.")
    assert isinstance(error, Fault)
    _log.error("%s in a task:\n%s", error.name, error.trace)
    return Refusal(500, "An error of this server, not of your question; its log has the place.")
