"""The page Number."""

from __future__ import annotations

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse

from pavcodec.web.pages.page import Outcome, ask, render
from pavcodec.web.tasks.number import DECODE

__all__ = ["router"]

router = APIRouter(default_response_class=HTMLResponse, include_in_schema=False)


@router.get("/number")
async def number_page(request: Request) -> HTMLResponse:
    """Return the page: empty, or with the deal of the number in the address."""
    asked = request.query_params
    outcome = await ask(request, DECODE, asked) if asked else Outcome({})
    return render(request, "number.html", outcome)
