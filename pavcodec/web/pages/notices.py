"""Pages for requests that no page answers: wrong addresses, and what the server refuses."""

from __future__ import annotations

from collections.abc import Mapping
from http import HTTPStatus

from fastapi import FastAPI, Request, Response
from starlette.exceptions import HTTPException
from starlette.types import Scope

from pavcodec.web.pages.page import Outcome, render
from pavcodec.web.tasks.task import Answer
from pavcodec.web.workers import Refusal

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


def error_page(scope: Scope, status: int, message: str) -> str:
    """Return the page for a status, with a sentence that says why."""
    return bytes(_notice(Request(scope), status, message, {}).body).decode()


def add_handlers(application: FastAPI) -> None:
    """Turn the errors of an application into pages."""
    application.add_exception_handler(HTTPException, _of_http)
    application.add_exception_handler(Refusal, _of_refusal)


def _notice(request: Request, status: int, detail: str, headers: Mapping[str, str]) -> Response:
    title = _TITLES.get(status, HTTPStatus(status).phrase)
    outcome: Outcome[Answer] = Outcome({}, status=status)
    page = render(request, "notice.html", outcome, title=title, detail=detail)
    page.headers.update(headers)
    return page


async def _of_http(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    detail = _ADVICE.get(error.status_code, error.detail)
    return _notice(request, error.status_code, detail, error.headers or {})


async def _of_refusal(request: Request, error: Exception) -> Response:
    assert isinstance(error, Refusal)
    return _notice(request, error.status, error.message, error.headers)
