"""Pages for requests that no page answers: wrong addresses, and what the server refuses."""

from __future__ import annotations

from http import HTTPStatus

from fastapi import Request, Response
from starlette.exceptions import HTTPException

from pavcodec.web.pages.page import Outcome, render
from pavcodec.web.tasks.task import Answer

__all__ = ["notice"]

_TITLES = {404: "There is no such page", 405: "This page takes no such request"}
_ADVICE = {
    404: "The address may have a mistake. These are the pages:",
    405: "Open the page, and send its form again:",
}


async def notice(request: Request, error: Exception) -> Response:
    """Return a page that says why there is no answer, and where the pages are."""
    assert isinstance(error, HTTPException)
    status = error.status_code
    title = _TITLES.get(status, HTTPStatus(status).phrase)
    detail = _ADVICE.get(status, error.detail)
    outcome: Outcome[Answer] = Outcome({}, status=status)
    page = render(request, "notice.html", outcome, title=title, detail=detail)
    page.headers.update(error.headers or {})
    return page
