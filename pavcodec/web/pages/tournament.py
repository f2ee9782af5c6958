"""The page Tournament: a set of boards that anybody can check, in four steps.

The server keeps nothing. New files travel in the page, as links that hold their bytes; files that
somebody sent go back to the browser in hidden fields, for the buttons of the next step.
"""

from __future__ import annotations

from base64 import b64decode
from collections.abc import Mapping
from dataclasses import replace
from datetime import date, timedelta
from os.path import splitext
from typing import Any
from urllib.parse import urlencode

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse, Response

from pavcodec.errors import ReadError
from pavcodec.files.compressed import zipped
from pavcodec.questions.tournament import BigDeal, Club, Verify
from pavcodec.web.pages.files import Sent, sent
from pavcodec.web.pages.page import Outcome, ask, controls, redirect, render, save
from pavcodec.web.tasks.problem import Problem, problem_of
from pavcodec.web.tasks.task import PAGE_BOARDS, Task
from pavcodec.web.tasks.tournament import (
    BIG_DEAL,
    BIG_DEAL_FILE,
    DEAL,
    DEAL_FILE,
    MAKE,
    VERIFY,
    file_view,
)

router = APIRouter(
    prefix="/tournament", default_response_class=HTMLResponse, include_in_schema=False
)

_VERIFY = "tournament_verify.html"
_SECRET = {"Cache-Control": "no-store"}
"""The header of pages with keys or boards: no cache keeps a copy."""
_BIG_DEAL_FILES = (
    ("pbn", "PBN"),
    ("dlm", "DLM"),
    ("dup", "DUP"),
    ("csv", "CSV"),
    ("goe", "Numbers of Big Deal"),
    ("pdf", "Hand records"),
)
"""The formats of the page of Big Deal, and their names."""
_TOO_MANY = f"a page shows at most {PAGE_BOARDS} boards: save a file instead"
_NO_DELAY = Problem(
    message="write down something that nobody knows yet, or choose 'without such a value'",
    field="delayed",
)


@router.get("")
async def overview(request: Request) -> HTMLResponse:
    """Return the page with the steps and what they are for."""
    return render(request, "tournament.html", Outcome({}))


@router.get("/publish")
async def publish(request: Request) -> HTMLResponse:
    """Return the page that says what to publish and when."""
    return render(request, "tournament_publish.html", Outcome({}))


@router.get("/make")
async def make_form(request: Request) -> HTMLResponse:
    """Return the form for a new set; the address may hold its fields."""
    return _made(request, Outcome(dict(request.query_params)))


@router.post("/make")
async def make_set(request: Request) -> HTMLResponse:
    """Draw the keys of a new set, and return the page with its files."""
    try:
        fields = dict((await sent(request)).fields)
    except ReadError as error:
        return _made(request, Outcome({}, problem=problem_of(error), status=422))
    without = fields.pop("without", "")
    if without:
        fields.pop("delayed", None)
    elif not fields.get("delayed", "").strip() and fields.get("title", "").strip():
        return _made(request, Outcome(fields, problem=_NO_DELAY, status=422))
    outcome = await ask(request, MAKE, fields)
    return _made(request, replace(outcome, fields={**outcome.fields, "without": without}))


@router.get("/deal")
async def deal_form(request: Request) -> HTMLResponse:
    """Return the form for the files of a set and its value."""
    return render(request, "tournament_deal.html", Outcome({}), kept=[])


@router.post("/deal")
async def deal_set(request: Request) -> HTMLResponse:
    """Return the page of a set that can be dealt, with its boards on demand."""
    form, outcome = await _asked(request, DEAL)
    if outcome.answer is not None:  # of all files that were sent, the next step needs two
        form = Sent(form.fields, tuple(outcome.answer.view["files"]))
    return await _page(request, "tournament_deal.html", form, outcome)


@router.post("/deal/file")
async def deal_file(request: Request) -> Response:
    """Return a file of a set, or the page of the set with the problem."""
    try:
        form = await sent(request)
    except ReadError as error:
        form, outcome = Sent({}), Outcome[Any]({}, problem=problem_of(error), status=422)
    else:
        saved = await save(request, DEAL_FILE, form.question())
        if isinstance(saved, Response):
            saved.headers.update(_SECRET)
            return saved
        outcome = saved
    return await _page(request, "tournament_deal.html", form, outcome)


@router.get("/verify")
async def verify_form(request: Request) -> HTMLResponse:
    """Return the form for the files of a set and the boards that were played."""
    return render(request, _VERIFY, Outcome({}), kept=[], controls=controls(Verify))


@router.post("/verify")
async def verify_set(request: Request) -> HTMLResponse:
    """Return the page with the result of the comparison."""
    form, outcome = await _asked(request, VERIFY)
    return await _page(request, _VERIFY, form, outcome)


async def _asked(request: Request, task: Task[Any, Any]) -> tuple[Sent, Outcome[Any]]:
    """Return the form of a request, and the answer of a task to it, or the problem."""
    try:
        form = await sent(request)
    except ReadError as error:
        return Sent({}), Outcome({}, problem=problem_of(error), status=422)
    return form, await ask(request, task, form.question())


async def _page(request: Request, template: str, form: Sent, outcome: Outcome[Any]) -> HTMLResponse:
    """Return a page that carries the files of a form."""
    page = render(request, template, outcome, kept=await form.kept(), controls=controls(Verify))
    page.headers.update(_SECRET)
    return page


def _made(request: Request, outcome: Outcome[Any]) -> HTMLResponse:
    """Return the page of a new set."""
    whole = None
    if outcome.answer is not None:
        answer: Any = outcome.answer
        files = {file["name"]: b64decode(file["content"]) for file in answer.files}
        whole = file_view(f"{splitext(answer.description)[0]}.zip", zipped(files), "keep")
    values = {"whole": whole, "days": _days(), "href": _href, "controls": controls(Club)}
    page = render(request, "tournament_make.html", outcome, **values)
    page.headers.update(_SECRET)
    return page


def _href(file: Mapping[str, str]) -> str:
    """Return a link that holds the bytes of a file."""
    return f"data:{file['media_type']};base64,{file['content']}"


def _days() -> dict[str, str]:
    """Return days for suggestions, as in 24 November 2026: the next weekday, the next Saturday."""
    today = date.today()
    ahead = [today + timedelta(days=count) for count in range(1, 8)]
    weekday = next(day for day in ahead if day.weekday() < 5)
    saturday = next(day for day in ahead if day.weekday() == 5)
    return {
        name: f"{day:%A} {day.day} {day:%B %Y}"
        for name, day in (("weekday", weekday), ("saturday", saturday))
    }


@router.get("/bigdeal")
async def big_deal(request: Request) -> Response:
    """Return the page of a seed of Big Deal; the address holds the seed."""
    asked = request.query_params
    outcome: Outcome[Any] = await ask(request, BIG_DEAL, asked) if asked else Outcome({})
    outcome = replace(outcome, fields=dict(asked))
    answer: Any = outcome.answer
    show = {"show": "1"} if asked.get("show") else {}
    if answer is not None and show and not answer.view:
        problem = Problem(message=_TOO_MANY, field="boards")
        outcome = replace(outcome, answer=None, problem=problem, status=422)
    if outcome.answer is None:
        return _big_deal(request, outcome)
    fields = {name: text for name, text in asked.items() if text and name != "show"}
    if "seed" not in fields and "entropy" not in fields:
        whole = fields | show | {"seed": answer.seed}
        return redirect(f"/tournament/bigdeal?{urlencode(whole)}")
    links = [
        {"href": f"/tournament/bigdeal/file?{urlencode(fields | {'to': name})}", "label": label}
        for name, label in _BIG_DEAL_FILES
    ]
    return _big_deal(request, outcome, links)


@router.get("/bigdeal/file")
async def big_deal_file(request: Request) -> Response:
    """Return the boards of a seed of Big Deal in a format."""
    saved = await save(request, BIG_DEAL_FILE, request.query_params)
    if isinstance(saved, Response):
        return saved
    return _big_deal(request, saved)


def _big_deal(request: Request, outcome: Outcome[Any], links: object = ()) -> HTMLResponse:
    """Return the page of Big Deal."""
    values = {"links": links, "controls": controls(BigDeal)}
    return render(request, "tournament_bigdeal.html", outcome, **values)
