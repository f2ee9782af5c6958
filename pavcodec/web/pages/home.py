"""The home page, and what robots may read."""

from __future__ import annotations

from datetime import UTC, date, datetime

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse, PlainTextResponse

from pavcodec.web.pages.page import ask, render
from pavcodec.web.tasks.today import TODAY

router = APIRouter(default_response_class=HTMLResponse, include_in_schema=False)

_ROBOTS = """\
User-agent: *
Disallow: /api/
Disallow: /*?
"""


@router.get("/")
async def home_page(request: Request) -> HTMLResponse:
    """Return the page, with the deal of the day, or of the day in the address."""
    day = request.query_params.get("day") or datetime.now(UTC).date().isoformat()
    outcome = await ask(request, TODAY, {"day": day})
    return render(request, "home.html", outcome, date=_in_words(day) if outcome.answer else "")


@router.get("/robots.txt")
async def robots() -> PlainTextResponse:
    """Keep robots from questions, which cost work; they may read the pages."""
    return PlainTextResponse(_ROBOTS)


def _in_words(day: str) -> str:
    """Return a date in words, whatever the locale.

    >>> _in_words("2026-11-03")
    '3 November 2026'
    """
    months = "January February March April May June July August September October November December"
    parsed = date.fromisoformat(day)
    return f"{parsed.day} {months.split()[parsed.month - 1]} {parsed.year}"
