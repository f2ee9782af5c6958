"""The page For programs: the operations of the JSON interface, with examples."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse

from pavcodec.web.pages.page import Outcome, render
from pavcodec.web.settings import API
from pavcodec.web.tasks.catalogue import TASKS
from pavcodec.web.tasks.task import Answer, Task
from pavcodec.web.tasks.usage import curl_lines, is_flat, javascript_lines, python_lines

__all__ = ["router"]

router = APIRouter(default_response_class=HTMLResponse, include_in_schema=False)


@dataclass(frozen=True)
class Operation:
    """An operation of the interface: its name, its fields and its examples."""

    name: str
    summary: str
    methods: str
    fields: list[tuple[str, str]]
    answer: list[tuple[str, str]]
    examples: list[tuple[str, str]]


@router.get("/programs")
async def programs_page(request: Request) -> HTMLResponse:
    """Return the page."""
    address = str(request.base_url).rstrip("/") + API
    operations = [_operation(task, address) for task in TASKS]
    outcome: Outcome[Answer] = Outcome({})
    return render(request, "programs.html", outcome, operations=operations, address=API)


def _operation(task: Task[Any, Any], address: str) -> Operation:
    lines = {"curl": curl_lines, "Python": python_lines, "JavaScript": javascript_lines}
    return Operation(
        name=task.name,
        summary=task.summary,
        methods="GET or POST" if is_flat(task.question) else "POST",
        fields=_fields(task.question),
        answer=[] if task.is_download else _fields(task.answer),
        examples=[(language, make(task, address)) for language, make in lines.items()],
    )


def _fields(model: type[Any]) -> list[tuple[str, str]]:
    return [(name, field.description or "") for name, field in model.model_fields.items()]
