"""The home page, and what robots may read."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, date, datetime
from typing import Any

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse, PlainTextResponse

from pavcodec.cards import Seat
from pavcodec.formats.registry import FORMATS
from pavcodec.layout import Layout
from pavcodec.practice import situation_names
from pavcodec.shapes import SHAPES, ShapeClass
from pavcodec.web.pages.page import Outcome, ask, render
from pavcodec.web.tasks.deal import DEAL
from pavcodec.web.tasks.problem import Problem

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
    try:
        words = _in_words(day)
    except ValueError:
        message = f"'day' takes a date, as in 2026-11-23, not {day!r}"
        return _page(request, Outcome({}, problem=Problem(message=message), status=422))
    outcome = await ask(request, DEAL, {"n": "1", "seed": day})  # the first deal of this seed
    return _page(request, replace(outcome, fields={}), date=words)


def _page(request: Request, outcome: Outcome[Any], date: str = "") -> HTMLResponse:
    """Return the page, with the pattern of South's hand and how many hands have it."""
    pattern, share = "", None
    if outcome.answer is not None:
        south = Layout.from_pbn(outcome.answer.boards[0]["deal"])[Seat.SOUTH]
        lengths = sorted(south.shape, reverse=True)
        pattern = "–".join(map(str, lengths))
        alike = (shape for shape in SHAPES if sorted(shape, reverse=True) == lengths)
        share = ShapeClass(alike).probability
    numbers = {"formats": len(FORMATS), "situations": len(situation_names())}
    return render(request, "home.html", outcome, date=date, pattern=pattern, share=share, **numbers)


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
