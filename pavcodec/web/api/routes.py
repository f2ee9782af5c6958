"""The routes of the JSON interface: each task at its name, by POST with its question as JSON."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

from fastapi import APIRouter, Request
from fastapi.responses import StreamingResponse

from pavcodec.web.requests import client_of, workers_of
from pavcodec.web.tasks.catalogue import TASKS
from pavcodec.web.tasks.task import Task

__all__ = ["router"]

router = APIRouter(prefix="/api/v1")


def _endpoint(task: Task[Any, Any]) -> Callable[..., Awaitable[Any]]:
    async def answer(request: Request, question: Any) -> Any:  # noqa: ANN401 (the task has the types)
        return await workers_of(request).answer(task, question, client_of(request))

    async def download(request: Request, question: Any) -> StreamingResponse:  # noqa: ANN401
        stream = await workers_of(request).download(task, question, client_of(request))
        name = {"Content-Disposition": f'attachment; filename="{stream.name}"'}
        return StreamingResponse(stream.chunks, headers=name, media_type=stream.media_type)

    endpoint = download if task.is_download else answer
    endpoint.__annotations__ |= {"question": task.question, "request": Request}
    return endpoint


for _task in TASKS:
    router.add_api_route(
        f"/{_task.name}",
        _endpoint(_task),
        methods=["POST"],
        summary=_task.summary,
        response_model=None if _task.is_download else _task.answer,
        operation_id=_task.name.replace("/", "_"),
    )
