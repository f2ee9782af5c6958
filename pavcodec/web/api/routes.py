"""The routes of the JSON interface: each task at its name.

POST takes the question as JSON. GET takes it from the address, if all its fields are texts, numbers
or lists of them, so that a link or a short command asks it.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Annotated, Any

from fastapi import APIRouter, Body, Query, Request
from fastapi.responses import JSONResponse, Response, StreamingResponse

from pavcodec.web.api.problems import FAILURES
from pavcodec.web.requests import attachment, client_of, workers_of
from pavcodec.web.tasks.catalogue import TASKS
from pavcodec.web.tasks.task import Answer, Question, Task
from pavcodec.web.tasks.usage import is_flat

__all__ = ["make_router"]

_FRESH = {"Cache-Control": "no-store"}
"""No cache keeps an answer: it may have the keys of a tournament."""


def make_router() -> APIRouter:
    """Return the routes of all tasks."""
    router = APIRouter()
    for task in TASKS:
        _add(router, task, "POST")
        if is_flat(task.question):
            _add(router, task, "GET")
    return router


def _add(router: APIRouter, task: Task[Any, Any], method: str) -> None:
    download = task.is_download
    router.add_api_route(
        f"/{task.name}",
        _endpoint(task, method),
        methods=[method],
        summary=task.summary,
        tags=[task.name.partition("/")[0]],
        response_model=None if download else task.answer,
        response_class=StreamingResponse if download else JSONResponse,
        responses={200: _success(task), **FAILURES},
        operation_id=task.name.replace("/", "_") + ("_get" if method == "GET" else ""),
    )


def _success(task: Task[Any, Any]) -> dict[str, Any]:
    """Return the description of a success: a file, or an answer."""
    if not task.is_download:
        return {"description": "the answer"}
    schema = {"schema": {"type": "string", "format": "binary"}}
    header = {"description": "the name of the file", "schema": {"type": "string"}}
    return {
        "description": "the file",
        "content": dict.fromkeys(task.media_types, schema),
        "headers": {"Content-Disposition": header},
    }


def _endpoint(task: Task[Any, Any], method: str) -> Callable[..., Awaitable[Response]]:
    async def answer(request: Request, question: Question) -> Response:
        found: Answer = await workers_of(request).answer(task, question, client_of(request))
        return Response(found.model_dump_json(), 200, _FRESH, "application/json")

    async def download(request: Request, question: Question) -> Response:
        stream = await workers_of(request).download(task, question, client_of(request))
        headers = attachment(stream.name) | _FRESH
        return StreamingResponse(stream.chunks, headers=headers, media_type=stream.media_type)

    endpoint = download if task.is_download else answer
    example = task.example.model_dump(mode="json", exclude_unset=True)
    place = Query() if method == "GET" else Body(examples=[example])
    endpoint.__annotations__ = {"request": Request, "question": Annotated[task.question, place]}
    return endpoint
