"""Why workers may refuse, and a file on its way from them."""

from __future__ import annotations

import logging
import pickle
from collections.abc import AsyncIterator
from dataclasses import dataclass

from pavcodec.errors import PavError
from pavcodec.limits import format_size
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
