"""What all pages use: templates, questions from addresses and forms, answers or problems."""

from __future__ import annotations

import hashlib
import mimetypes
from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache
from http import HTTPStatus
from pathlib import Path
from typing import Any, Generic, TypeAlias, get_origin

from fastapi import Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response
from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup, escape
from pydantic import ValidationError
from starlette.datastructures import FormData, QueryParams
from starlette.exceptions import HTTPException
from starlette.staticfiles import StaticFiles

from pavcodec._version import __version__
from pavcodec.chances.figures import chances, many, plain_percent
from pavcodec.errors import PavError
from pavcodec.questions.asking import Ask, Question, asks
from pavcodec.web.tasks.problem import Problem, problem_of
from pavcodec.web.tasks.task import A, Download, Q, Task
from pavcodec.web.workers import client_of, workers_of

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
    "deal": "web/index#deal",
    "odds": "web/index#odds",
    "number": "web/index#number",
    "ending": "web/index#ending",
    "files": "web/index#files",
    "tournament": "web/index#a-clubs-afternoon",
    "practice": "web/index#practice",
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

# The style sheets and scripts of the pages.
#
# An address with the version, a hash of all files, is that of one content for ever, so browsers ask
# for it once. Templates write `/static/NAME`, and the loader of templates puts the version in.
# Scripts import each other by relative addresses, which then have the version too.


_FILES = sorted(each for each in (Path(__file__).parent.parent / "static").iterdir())
VERSION = hashlib.sha256(b"".join(each.read_bytes() for each in _FILES)).hexdigest()[:12]
"""A name of the contents of all files."""

mimetypes.add_type("text/javascript", ".js")  # tables of machines have other types


class Versioned(StaticFiles):
    """The files at an address with the version."""

    def file_response(self, *args: Any, **more: Any) -> Response:
        """Return an answer that browsers keep."""
        response = super().file_response(*args, **more)
        response.headers["cache-control"] = "public, max-age=31536000, immutable"
        return response


class VersionedLoader(PackageLoader):
    """Loads templates, in which the addresses of static files get the version."""

    def get_source(self, environment: Environment, template: str) -> tuple[str, str, object]:  # type: ignore[override]
        """Return the text of a template, its path, and whether it is current."""
        text, path, current = super().get_source(environment, template)
        return text.replace('"/static/', f'"/static/{VERSION}/'), path, current


# Pages from templates.


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


# Questions from addresses and forms, and their answers.


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
        return await workers_of(request).download(task, question, client_of(request))
    except (PavError, ValidationError, HTTPException) as error:
        return _without_answer(fields, error)


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


# Pages for requests that no page answers: wrong addresses, and what the server refuses.


_TITLES = {
    400: "The request cannot be read",
    403: "A form of another site",
    404: "There is no such page",
    405: "This page takes no such request",
    413: "That is too large",
    414: "The address is too long",
    421: "This server has another name",
    429: "Too many requests",
    500: "An error of this server",
    503: "No answer for now",
}
_ADVICE = {
    400: "The form cannot be read. Open its page, and send it again:",
    404: "The address may have a mistake. These are the pages:",
    405: "Open the page, and send its form again:",
}


def error_page(request: Request, error: HTTPException) -> Response:
    """Return the page for an error."""
    code = error.status_code
    title = _TITLES.get(code, HTTPStatus(code).phrase)
    outcome: Outcome[Any] = Outcome({}, status=code, headers=error.headers or {})
    detail = _ADVICE.get(code, error.detail)
    return render(request, "notice.html", outcome, title=title, detail=detail)


async def raised(_request: Request, error: Exception) -> Response:
    """Leave an error to the checks of requests, which make all pages of errors."""
    raise error
