"""What all pages use: templates, questions from addresses and forms, answers or problems."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache
from http import HTTPStatus
from typing import Any, Generic, TypeAlias, get_origin

from fastapi import Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response, StreamingResponse
from jinja2 import Environment, StrictUndefined
from markupsafe import Markup, escape
from pydantic import ValidationError
from starlette.datastructures import FormData, QueryParams
from starlette.exceptions import HTTPException

from pavcodec._version import __version__
from pavcodec.chances.figures import chances, many, plain_percent
from pavcodec.errors import PavError
from pavcodec.questions.asking import Ask, Question, asks
from pavcodec.web.pages.static_files import VersionedLoader
from pavcodec.web.requests import attachment, client_of, workers_of
from pavcodec.web.tasks.problem import Problem, problem_of
from pavcodec.web.tasks.task import A, Download, Q, Task

Values: TypeAlias = QueryParams | FormData | Mapping[str, Any]
"""The fields of an address or of a form, or those that a page has put together."""

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

MANUAL = {
    "deal": "web/deal",
    "odds": "web/odds",
    "number": "web/number",
    "ending": "web/number#the-page-ending",
    "files": "web/files",
    "tournament": "web/afternoon",
    "practice": "web/files#practice",
    "programs": "web/api",
}
"""The page of the manual on each page, by the first word of its address."""


@dataclass(frozen=True)
class Outcome(Generic[A]):
    """The fields of a form as the user typed them, and an answer or a problem."""

    fields: Mapping[str, Any]
    answer: A | None = None
    problem: Problem | None = None
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Control:
    """A field of a form, as the macro `control` draws it.

    `kind` is check, select, number, text or area.
    """

    name: str
    kind: str
    declared: Ask
    default: object

    @property
    def options(self) -> list[tuple[str, str]]:
        """The choices, as values and texts; a choice that may be absent can be any."""
        choices = [(each, each) for each in self.declared.choices]
        return choices if self.default else [("", "any"), *choices]


def controls(question: type[Question]) -> dict[str, Control]:
    """Return the fields of a question that have a label, by their names, for a form."""
    return {
        each.name: Control(each.name, _kind(str(each.type), one), one, _text(each.default))
        for each, one in asks(question)
        if one.label and not one.local
    }


def _kind(kind: str, declared: Ask) -> str:
    if kind.startswith("tuple"):
        return "area"
    if declared.choices:
        return "select"
    kinds = {"bool": "check", "bool | None": "check", "int": "number", "int | None": "number"}
    return kinds.get(kind, "area" if declared.most >= _LONG_TEXT else "text")


def _text(default: object) -> object:
    """Return a default for a form; nothing for a field that is needed or may be absent."""
    return default if isinstance(default, str | int) else ""


_LONG_TEXT = 2_000


@cache
def _templates() -> Environment:
    templates = Environment(
        loader=VersionedLoader("pavcodec.web"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    templates.filters |= {
        "chances": lambda share: chances(Fraction(share)),
        "percent": lambda share: plain_percent(Fraction(share)),
        "thousands": "{:,}".format,
    }
    templates.filters |= {"breakable": _breakable}
    templates.globals |= {"many": many, "PAGES": PAGES, "MANUAL": MANUAL, "VERSION": __version__}
    return templates


def _breakable(text: str) -> Markup:
    """Return a text with long numbers, which lines may break after each comma."""
    return escape(text).replace(",", Markup(",<wbr>"))


def render(
    request: Request, template: str, outcome: Outcome[Any], **values: object
) -> HTMLResponse:
    """Return a page; its template has `outcome`, `request` and the other values."""
    text = _templates().get_template(template).render(request=request, outcome=outcome, **values)
    return HTMLResponse(text, outcome.status, outcome.headers)


def redirect(address: str) -> RedirectResponse:
    """Send the browser to the address that holds the whole question."""
    return RedirectResponse(address, HTTPStatus.SEE_OTHER)


async def ask(request: Request, task: Task[Q, A], values: Values) -> Outcome[A]:
    """Return the answer of a task to a question from a form, or the problem; never an error."""
    fields = _fields(task.question, values)
    try:
        question = task.question.model_validate(fields)
        answer = await workers_of(request).answer(task, question, client_of(request))
    except (PavError, ValidationError, HTTPException) as error:
        return _without_answer(fields, error)
    return Outcome(fields, answer)


async def save(
    request: Request, task: Task[Q, Download], values: Values
) -> Response | Outcome[Download]:
    """Return the file of a task for the browser to save, or the problem; never an error."""
    fields = _fields(task.question, values)
    try:
        question = task.question.model_validate(fields)
        stream = await workers_of(request).download(task, question, client_of(request))
    except (PavError, ValidationError, HTTPException) as error:
        return _without_answer(fields, error)
    headers = attachment(stream.name, stream.size)
    return StreamingResponse(stream.chunks, headers=headers, media_type=stream.media_type)


def _without_answer(
    fields: Mapping[str, Any], error: PavError | ValidationError | HTTPException
) -> Outcome[Any]:
    """Return why a question has no answer."""
    if isinstance(error, HTTPException):
        problem = Problem(message=error.detail)
        return Outcome(fields, None, problem, error.status_code, error.headers or {})
    return Outcome(fields, problem=problem_of(error), status=422)


def _fields(question: type[Q], values: Values) -> dict[str, Any]:
    """Return the fields of a question that a form fills; an empty field has its default."""
    fields: dict[str, Any] = {}
    for name, each in question.model_fields.items():
        is_list = get_origin(each.annotation) in {list, tuple}
        if is_list and isinstance(values, QueryParams | FormData):
            texts = [text for text in values.getlist(name) if text != ""]
            fields |= {name: texts} if texts else {}
        elif values.get(name) not in (None, ""):
            fields[name] = values[name]
    return fields
