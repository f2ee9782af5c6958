"""What workers do, and why they may refuse."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass
from typing import Protocol

from pavcodec.web.tasks.task import A, Download, Q, Task

__all__ = ["Refusal", "Stream", "Workers"]


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

    def figures(self) -> Mapping[str, float]:
        """Return what the workers do now, and what they have done, by names."""
