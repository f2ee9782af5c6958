"""What all pages use: templates, questions from addresses and forms, answers or problems."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, Generic, get_origin

from fastapi import Request
from fastapi.responses import HTMLResponse
from jinja2 import Environment, StrictUndefined
from pydantic import ValidationError
from starlette.datastructures import FormData, QueryParams

from pavcodec._version import __version__
from pavcodec.errors import PavError
from pavcodec.odds.figures import chances, many, percent
from pavcodec.web.pages.static_files import VersionedLoader
from pavcodec.web.requests import client_of, workers_of
from pavcodec.web.tasks.problem import Problem, problem_of
from pavcodec.web.tasks.task import A, Q, Task
from pavcodec.web.workers.workers import Refusal

__all__ = ["PAGES", "Outcome", "ask", "render"]

PAGES = (
    ("/deal", "Deal"),
    ("/odds", "Odds"),
    ("/number", "Number"),
    ("/ending", "Ending"),
    ("/files", "Files"),
    ("/tournament", "Tournament"),
    ("/practice", "Practice"),
)
"""The address and the name of each page, in the order of the navigation."""


@dataclass(frozen=True)
class Outcome(Generic[A]):
    """The fields of a form as the user typed them, and an answer or a problem."""

    fields: Mapping[str, Any]
    answer: A | None = None
    problem: Problem | None = None
    status: int = 200
    retry: int | None = None


@cache
def _templates() -> Environment:
    templates = Environment(
        loader=VersionedLoader("pavcodec.web"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    templates.filters |= {"chances": chances, "percent": percent, "thousands": "{:,}".format}
    templates.globals |= {"many": many, "PAGES": PAGES, "VERSION": __version__}
    return templates


def render(
    request: Request, template: str, outcome: Outcome[Any], **values: object
) -> HTMLResponse:
    """Return a page; its template has `outcome`, `request` and the other values."""
    text = _templates().get_template(template).render(request=request, outcome=outcome, **values)
    headers = {} if outcome.retry is None else {"Retry-After": str(outcome.retry)}
    return HTMLResponse(text, outcome.status, headers)


async def ask(
    request: Request, task: Task[Q, A], values: QueryParams | FormData | Mapping[str, Any]
) -> Outcome[A]:
    """Return the answer of a task to a question from a form, or the problem; never an error."""
    fields = _fields(task.question, values)
    try:
        question = task.question.model_validate(fields)
        answer = await workers_of(request).answer(task, question, client_of(request))
    except (PavError, ValidationError) as error:
        return Outcome(fields, problem=problem_of(error), status=422)
    except Refusal as refusal:
        problem = Problem(message=refusal.message)
        return Outcome(fields, problem=problem, status=refusal.status, retry=refusal.retry)
    return Outcome(fields, answer)


def _fields(
    question: type[Q], values: QueryParams | FormData | Mapping[str, Any]
) -> dict[str, Any]:
    """Return the fields of a question that a form fills; an empty field has its default."""
    found: dict[str, Any] = {}
    for name, field in question.model_fields.items():
        if isinstance(values, QueryParams | FormData) and get_origin(field.annotation) in {
            list,
            tuple,
        }:
            texts = [text for text in values.getlist(name) if text != ""]
            found |= {name: texts} if texts else {}
        elif values.get(name) not in (None, ""):
            found[name] = values[name]
    return found
