"""The pages For programs: the JSON interface, and each operation with fields and examples."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse, RedirectResponse
from starlette.exceptions import HTTPException

from pavcodec.web.pages.page import Outcome, ask, render
from pavcodec.web.settings import API
from pavcodec.web.tasks.catalogue import TASKS
from pavcodec.web.tasks.task import Task
from pavcodec.web.tasks.usage import curl_lines, field_rows, is_flat, javascript_lines, python_lines
from pavcodec.web.workers import client_of, workers_of

router = APIRouter(default_response_class=HTMLResponse, include_in_schema=False)

_TASKS = {task.name: task for task in TASKS}
_LONG, _MANY, _SHOWN = 160, 4, 1500


@router.get("/programs")
async def overview(request: Request) -> HTMLResponse:
    """Return the page with all operations."""
    rows = [(task.name, task.summary, is_flat(task.question)) for task in TASKS]
    example = curl_lines(_TASKS["odds"], _address(request))
    return render(request, "programs.html", Outcome({}), rows=rows, example=example)


@router.get("/programs/{name:path}")
async def operation(request: Request, name: str) -> HTMLResponse:
    """Return the page of an operation, with the answer to its example."""
    task = _TASKS.get(name)
    if task is None:
        raise HTTPException(404)
    address = _address(request)
    outcome, answer = await _answered(request, task)
    return render(
        request,
        "operation.html",
        outcome,
        task=task,
        methods=["POST", "GET"] if is_flat(task.question) else ["POST"],
        fields=field_rows(task.question, "validation"),
        answers=[] if task.is_download else field_rows(task.answer, "serialization"),
        programs=[
            ("curl", curl_lines(task, address)),
            ("Python", python_lines(task, address)),
            ("JavaScript", javascript_lines(task, address)),
        ],
        answer=answer,
    )


@router.get("/api")
async def found_by_guess(request: Request) -> RedirectResponse:  # noqa: ARG001
    """Send those who guess the address to the page."""
    return RedirectResponse("/programs")


def _address(request: Request) -> str:
    return f"{str(request.base_url).rstrip('/')}{API}"


async def _answered(request: Request, task: Task[Any, Any]) -> tuple[Outcome[Any], str]:
    """Return the real answer to the example as text, long parts cut."""
    if not task.is_download:
        values = task.example.model_dump(mode="json", exclude_unset=True)
        outcome = await ask(request, task, values)
        if outcome.answer is None:
            return outcome, ""
        answer = _cut(json.loads(outcome.answer.model_dump_json()))
        return outcome, json.dumps(answer, indent=2, ensure_ascii=False)
    try:
        stream = await workers_of(request).download(task, task.example, client_of(request))
        content = await stream.content()
    except HTTPException as refusal:
        return Outcome({}, status=refusal.status_code), refusal.detail
    head = f"{stream.name} ({stream.media_type})\n\n"
    if b"\0" in content[:_SHOWN]:
        return Outcome({}), f"{head}{content[:64].hex(' ')} …"
    text = content[:_SHOWN].decode("utf-8", "replace")
    return Outcome({}), f"{head}{text}{' …' if len(content) > _SHOWN else ''}"


def _cut(value: Any) -> Any:
    """Return a value of JSON for a reader: long texts and lists end with an ellipsis."""
    if isinstance(value, str):
        return value if len(value) <= _LONG else f"{value[:_LONG]}…"
    if isinstance(value, list):
        return [_cut(each) for each in value[:_MANY]] + (["…"] if len(value) > _MANY else [])
    if isinstance(value, Mapping):
        return {name: _cut(each) for name, each in value.items()}
    return value
