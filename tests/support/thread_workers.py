"""Workers without processes: threads of the test, without limits, for tests of pages."""

from __future__ import annotations

import asyncio
import io
from typing import TYPE_CHECKING

from web_tasks import content_of

from pavcodec.web.application import make_application
from pavcodec.web.settings import Settings
from pavcodec.web.tasks.task import A, Download, Q, Task
from pavcodec.web.workers import Pool, Stream

if TYPE_CHECKING:
    from fastapi import FastAPI

__all__ = ["ThreadWorkers", "threaded_application"]


class ThreadWorkers(Pool):
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
        content = await asyncio.to_thread(content_of, file)
        return Stream(file.name, file.media_type, io.BytesIO(content))


def threaded_application(settings: Settings | None = None) -> FastAPI:
    """Return the application with workers that are threads."""
    settings = settings or Settings()
    return make_application(settings, ThreadWorkers(settings))
