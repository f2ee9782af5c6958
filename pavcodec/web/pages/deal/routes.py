"""The page Deal: conditions, their numbers and odds, and their boards; the address has all."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import cache
from typing import Any

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse, Response

from pavcodec.numberings import numbering
from pavcodec.sampling import fresh_seed
from pavcodec.web.pages.deal.form import SEATS, DealForm, all_formats, groups
from pavcodec.web.pages.page import Outcome, ask, redirect, render, save
from pavcodec.web.tasks.deal.boards import DEAL
from pavcodec.web.tasks.deal.build import BUILD
from pavcodec.web.tasks.deal.count import COUNT
from pavcodec.web.tasks.deal.files import DEAL_FILE
from pavcodec.web.tasks.deal.situations import (
    SituationsQuestion,
    SituationView,
    situations,
)

__all__ = ["router"]

router = APIRouter(prefix="/deal", default_response_class=HTMLResponse, include_in_schema=False)

_SEED_OF_SCRIPT = re.compile(r"\bseed\s+[0-9]", re.IGNORECASE)


@router.get("")
async def deal_page(request: Request) -> Response:
    """Return the page: empty, or with the number of deals and the boards of the address."""
    form = DealForm.of(request.query_params)
    if "add" in request.query_params:
        return await _with_part(request, form)
    if form.is_empty:
        return _page(request, form, Outcome({}))
    is_chosen = "seed" in form.texts
    if not is_chosen and not _SEED_OF_SCRIPT.search(form.texts.get("condition", "")):
        return redirect(form.address(seed=fresh_seed()))
    outcome: Outcome[Any] = await ask(request, DEAL, form.question | {"counted": True})
    if not is_chosen and outcome.answer is not None:  # the seed of the script, or a fresh one
        return redirect(form.address(seed=outcome.answer.seed))
    return _page(request, form, outcome)


@router.get("/count")
async def number_of_deals(request: Request) -> HTMLResponse:
    """Return the part of the page with the number of deals, for the script of the page."""
    form = DealForm.of(request.query_params)
    outcome = await ask(request, COUNT, form.condition_fields)
    return render(request, "deal_count.html", outcome)


@router.get("/file")
async def deal_file(request: Request) -> Response:
    """Return a file of the boards of the address, or the page with the problem."""
    values = request.query_params
    form = DealForm.of(values)
    chosen = {name: values[name] for name in ("to", "layout") if values.get(name)}
    found = await save(request, DEAL_FILE, form.question | chosen)
    return found if isinstance(found, Response) else _page(request, form, found)


async def _with_part(request: Request, form: DealForm) -> Response:
    """Return the page with a part added to the condition; nothing is dealt."""
    values = request.query_params
    fields = {name: values[name] for name in BUILD.question.model_fields if values.get(name)}
    outcome: Outcome[Any] = await ask(request, BUILD, fields)
    built = replace(outcome, answer=None)
    if outcome.answer is not None:
        form = replace(form, texts={**form.texts, "condition": outcome.answer.condition})
        fields = {}
    return _page(request, form, built, part=fields, building=True)


def _page(
    request: Request,
    form: DealForm,
    outcome: Outcome[Any],
    *,
    part: dict[str, str] | None = None,
    building: bool = False,
) -> HTMLResponse:
    problem = outcome.problem
    if problem is not None:
        problem = problem.model_copy(update={"field": form.field_of(problem.field)})
    answer = outcome.answer
    fields = form.fields | (part or {})
    if answer is not None:  # the form is for the next set
        fields = {name: text for name, text in fields.items() if name not in {"seed", "start"}}
    return render(
        request,
        "deal.html",
        replace(outcome, fields=fields, problem=problem),
        form=form,
        seats=SEATS,
        library=_library(),
        formats=all_formats(),
        building=building,
        all_deals=numbering("deal").cardinality,
        groups=list(groups(form, answer.seed)) if answer is not None else [],
    )


@cache
def _library() -> list[SituationView]:
    return situations(SituationsQuestion()).situations
