"""Why workers may refuse, in words for the client, and a file on its way from them."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import dataclass

from pavcodec.limits import format_size

_OWN_MACHINE = "pavcodec on your own machine has no such limit"
SOON = 5
"""The seconds after which a busy server may have a free place."""


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


class Fault(Exception):  # noqa: N818 (the server has the error)
    """An error of the program in a worker: its class and its place, without the user's values."""

    def __init__(self, name: str, trace: str) -> None:
        super().__init__(name, trace)
        self.name = name
        self.trace = trace


@dataclass(frozen=True)
class Stream:
    """A file for a client: its name, its media type, its size in bytes, and these in chunks."""

    name: str
    media_type: str
    size: int
    chunks: AsyncIterator[bytes]


def busy() -> Refusal:
    """Return the refusal of a server whose places are taken."""
    return Refusal(503, "The server is busy with the questions of others; try again soon.", SOON)


def too_long(seconds: float) -> Refusal:
    """Return the refusal of a question whose time is over."""
    return Refusal(503, f"The question takes more than {seconds:g} seconds; {_OWN_MACHINE}.")


def too_large(size: int) -> Refusal:
    """Return the refusal of an answer of too many bytes."""
    return Refusal(413, f"The answer has more than {format_size(size)}; {_OWN_MACHINE}.")


def needs_memory() -> Refusal:
    """Return the refusal of a question that needs more memory than a worker has."""
    said = f"The question needs more memory than this server gives it; {_OWN_MACHINE}."
    return Refusal(413, said)


def too_deep() -> Refusal:
    """Return the refusal of a question that is nested too deeply."""
    return Refusal(413, "The question has too many parts inside each other.")
