"""The page Files."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse, Response

from pavcodec.errors import ReadError
from pavcodec.printing.layouts import LAYOUTS
from pavcodec.web.pages.files.uploads import Kept, Sent, sent
from pavcodec.web.pages.page import Outcome, ask, render, save
from pavcodec.web.tasks.exact import percent
from pavcodec.web.tasks.files.converting import CONVERT, writable
from pavcodec.web.tasks.files.printing import PRINT
from pavcodec.web.tasks.files.reading import READ
from pavcodec.web.tasks.limits import FILE_BOARDS, PAGE_BOARDS, UPLOAD
from pavcodec.web.tasks.problem import Problem, problem_of

__all__ = ["router"]

router = APIRouter(prefix="/files", default_response_class=HTMLResponse, include_in_schema=False)

FIRST = ("pbn", "lin", "dlm", "dup", "bri", "ber", "csv", "lines", "rbn", "json", "html", "pav")
"""The formats that most people want, before all others."""
TURNS = (
    ("", "as they are"),
    ("1", "one place clockwise"),
    ("2", "two places: North sits South"),
    ("3", "three places clockwise"),
    ("NS", "North and South swapped"),
    ("EW", "East and West swapped"),
)


@router.get("")
async def empty_page(request: Request) -> HTMLResponse:
    """Return the page without files."""
    return _page(request, Outcome({}), [])


@router.post("")
async def files_page(request: Request) -> HTMLResponse:
    """Return the page with what is in the files of the form."""
    form = await _form(request)
    if isinstance(form, Problem):
        return _page(request, Outcome({}, problem=form, status=422), [])
    return await _read(request, form)


@router.post("/convert")
async def convert_file(request: Request) -> Response:
    """Return the boards in another format, or the page with the problem."""
    form = await _form(request)
    if isinstance(form, Problem):
        return _page(request, Outcome({}, problem=form, status=422), [])
    found = await save(request, CONVERT, form.question())
    return found if isinstance(found, Response) else await _read(request, form, found)


@router.post("/print")
async def print_file(request: Request) -> Response:
    """Return the pages to print, or the page with the problem."""
    form = await _form(request)
    if isinstance(form, Problem):
        return _page(request, Outcome({}, problem=form, status=422), [])
    kind = form.fields.get("kind", "pdf")
    solutions = form.fields.get("solutions", "")  # a box that is not checked sends nothing
    found = await save(request, PRINT, form.question(to=kind, solutions=solutions or "0"))
    return found if isinstance(found, Response) else await _read(request, form, found)


async def _form(request: Request) -> Sent | Problem:
    try:
        return await sent(request)
    except ReadError as error:
        return problem_of(error)


async def _read(request: Request, form: Sent, failed: Outcome[Any] | None = None) -> HTMLResponse:
    """Return the page with what is in the files, and the problem of another task."""
    outcome: Outcome[Any] = await ask(request, READ, form.question())
    shown = replace(outcome, fields={**form.fields, **outcome.fields})
    if failed is not None and outcome.problem is None:
        shown = replace(shown, problem=failed.problem, status=failed.status, headers=failed.headers)
    return _page(request, shown, await form.kept(), has_files=bool(form.files))


def _page(
    request: Request, outcome: Outcome[Any], kept: list[Kept], *, has_files: bool = False
) -> HTMLResponse:
    answer = outcome.answer
    shares = {}
    if answer is not None and answer.figures is not None:
        figures = answer.figures
        shares = {name: percent(Fraction(getattr(figures, name))) for name in ("balanced", "short")}
    return render(
        request,
        "files.html",
        outcome,
        kept=kept,
        is_too_large=has_files and not kept,
        shares=shares,
        formats=_formats(),
        layouts=[(name, f"{name}: {text}") for name, text in LAYOUTS.items()],
        turns=TURNS,
        limits={"bytes": UPLOAD >> 20, "boards": FILE_BOARDS, "shown": PAGE_BOARDS},
    )


def _formats() -> list[tuple[str, str]]:
    """Return the formats of a conversion: the usual ones first."""
    every = {each.name: f"{each.name}: {each.summary}" for each in writable()}
    return [(name, every[name]) for name in (*FIRST, *(n for n in every if n not in FIRST))]
