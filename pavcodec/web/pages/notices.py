"""Pages for requests that no page answers: wrong addresses, and what the server refuses."""

from __future__ import annotations

from http import HTTPStatus

from fastapi import Request, Response
from starlette.exceptions import HTTPException

from pavcodec.web.pages.page import Outcome, render
from pavcodec.web.tasks.task import Answer

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
    outcome: Outcome[Answer] = Outcome({}, status=code, headers=error.headers or {})
    detail = _ADVICE.get(code, error.detail)
    return render(request, "notice.html", outcome, title=title, detail=detail)


async def raised(_request: Request, error: Exception) -> Response:
    """Leave an error to the checks of requests, which make all pages of errors."""
    raise error
