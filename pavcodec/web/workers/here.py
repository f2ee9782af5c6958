"""Workers without processes: threads of this process, without limits, for tests of pages."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator, Mapping

from pavcodec.web.tasks.task import A, Download, Q, Task
from pavcodec.web.workers.workers import Stream

__all__ = ["Here"]


class Here:
    """Runs each task in a thread of this process."""

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

    def figures(self) -> Mapping[str, float]:
        """Return nothing."""
        return {}


async def _chunks(chunks: Iterator[bytes]) -> AsyncIterator[bytes]:
    while (chunk := await asyncio.to_thread(next, chunks, None)) is not None:
        yield chunk
