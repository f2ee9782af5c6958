"""One page for each simple question: a form of its fields, and the answer as text."""

from __future__ import annotations

from dataclasses import replace

from fastapi import APIRouter, HTTPException, Request
from fastapi.responses import HTMLResponse
from starlette.datastructures import QueryParams

from pavcodec.questions import question_named
from pavcodec.web.pages.page import Outcome, ask, controls, render
from pavcodec.web.tasks.asked import AskedAnswer
from pavcodec.web.tasks.simple import SIMPLE

router = APIRouter(prefix="/ask", default_response_class=HTMLResponse, include_in_schema=False)


@router.get("/{name}")
async def simple_page(request: Request, name: str) -> HTMLResponse:
    """Return the page of a question: empty, or with the answer to that in the address."""
    if name not in SIMPLE:
        raise HTTPException(404)
    question = question_named(SIMPLE[name].asked)
    shown, asked = controls(question), request.query_params
    typed = QueryParams([(field, text) for field, text in asked.multi_items() if text.strip()])
    outcome: Outcome[AskedAnswer] = Outcome(dict(typed))
    if typed:
        outcome = await ask(request, SIMPLE[name], typed)
    return render(
        request,
        "question.html",
        replace(outcome, fields={field: "\n".join(asked.getlist(field)) for field in asked}),
        name=name,
        title=str(question.__doc__).partition("\n")[0],
        controls=shown,
    )
