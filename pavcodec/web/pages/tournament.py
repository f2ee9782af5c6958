"""The page Tournament: a set of boards that anybody can check, in four steps.

The server keeps nothing. New files travel in the page, as links that hold their bytes; files that
somebody sent go back to the browser in hidden fields, for the buttons of the next step.
"""

from __future__ import annotations

import json
from base64 import b64decode, b64encode
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import date, timedelta
from typing import Any

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse, Response, StreamingResponse
from pydantic import ValidationError
from starlette.datastructures import UploadFile
from starlette.exceptions import HTTPException

from pavcodec.errors import PavError
from pavcodec.files.zipped import zipped
from pavcodec.web.pages.page import Outcome, ask, render
from pavcodec.web.requests import attachment, client_of, workers_of
from pavcodec.web.tasks.problem import Problem, problem_of
from pavcodec.web.tasks.task import Task
from pavcodec.web.tasks.tournament.deal import DEAL, DEAL_FILE
from pavcodec.web.tasks.tournament.make import MAKE, MakeAnswer
from pavcodec.web.tasks.tournament.verify import VERIFY
from pavcodec.web.tasks.tournament.views import TournamentFile, file_view
from pavcodec.web.workers.workers import Refusal

__all__ = ["router"]

router = APIRouter(
    prefix="/tournament", default_response_class=HTMLResponse, include_in_schema=False
)

_MOST_FILES = 100
_MOST_KEPT = 900_000
"""The most characters of hidden fields: a part of a form that is no file has at most 1 MiB."""
_SECRET = {"Cache-Control": "no-store"}
"""The header of pages with keys or boards: no cache keeps a copy."""
_NO_DELAY = Problem(
    message="write down something that nobody knows yet, or choose 'without such a value'",
    field="delayed",
)


@dataclass(frozen=True)
class _Form:
    """A form that was sent: its texts, and its files or those that travelled in the page."""

    fields: Mapping[str, Any]
    files: tuple[dict[str, Any], ...]

    @property
    def question(self) -> dict[str, Any]:
        """The fields of a question of the tournament's tasks."""
        return {**self.fields, "file": self.files} if self.files else dict(self.fields)

    @property
    def kept(self) -> list[dict[str, str]]:
        """The files for the next form: the name of each, and the text of its hidden field.

        Large files do not travel; somebody has to choose them again.
        """
        found = [_kept(file["name"], str(file.get("content", ""))) for file in self.files]
        is_small = sum(len(file["text"]) for file in found) < _MOST_KEPT
        return found if is_small else []


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
        form = await _form_of(request)
    except PavError as error:
        return _made(request, Outcome({}, problem=problem_of(error), status=422))
    fields = dict(form.fields)
    without = fields.pop("without", "")
    if without:
        fields.pop("delayed", None)
    elif not str(fields.get("delayed", "")).strip() and str(fields.get("title", "")).strip():
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
    kept = form.kept
    if outcome.answer is not None:
        kept = [_kept(one.name, one.content) for one in outcome.answer.files]
    return _secret(render(request, "tournament_deal.html", outcome, kept=kept))


@router.post("/deal/file")
async def deal_file(request: Request) -> Response:
    """Return a file of a set, or the page of the set with the problem."""
    form = _Form({}, ())
    try:
        form = await _form_of(request)
        question = DEAL_FILE.question.model_validate(
            {name: text for name, text in form.question.items() if text != ""}
        )
        stream = await workers_of(request).download(DEAL_FILE, question, client_of(request))
    except (PavError, ValidationError) as error:
        failed: Outcome[Any] = Outcome(form.fields, problem=problem_of(error), status=422)
    except Refusal as refusal:
        problem = Problem(message=refusal.message)
        failed = Outcome(form.fields, None, problem, refusal.status, refusal.retry)
    else:
        headers = attachment(stream.name) | _SECRET
        return StreamingResponse(stream.chunks, headers=headers, media_type=stream.media_type)
    return _secret(render(request, "tournament_deal.html", failed, kept=form.kept))


@router.get("/verify")
async def verify_form(request: Request) -> HTMLResponse:
    """Return the form for the files of a set and the boards that were played."""
    return render(request, "tournament_verify.html", Outcome({}), kept=[])


@router.post("/verify")
async def verify_set(request: Request) -> HTMLResponse:
    """Return the page with the result of the comparison."""
    form, outcome = await _asked(request, VERIFY)
    return _secret(render(request, "tournament_verify.html", outcome, kept=form.kept))


async def _asked(request: Request, task: Task[Any, Any]) -> tuple[_Form, Outcome[Any]]:
    """Return the form of a request, and the answer of a task to it, or the problem."""
    try:
        form = await _form_of(request)
    except PavError as error:
        return _Form({}, ()), Outcome({}, problem=problem_of(error), status=422)
    return form, await ask(request, task, form.question)


def _made(request: Request, outcome: Outcome[Any]) -> HTMLResponse:
    """Return the page of a new set."""
    whole = None
    if outcome.answer is not None:
        answer: MakeAnswer = outcome.answer
        files = {one.name: b64decode(one.content) for one in answer.files}
        whole = file_view(f"{answer.folder}.zip", zipped(files), "keep")
    page = render(request, "tournament_make.html", outcome, whole=whole, days=_days(), href=_href)
    return _secret(page)


def _kept(name: str, content: str) -> dict[str, str]:
    """Return the name of a file, and the text of the hidden field that carries it."""
    return {"name": name, "text": json.dumps({"name": name, "content": content})}


def _secret(page: HTMLResponse) -> HTMLResponse:
    page.headers.update(_SECRET)
    return page


def _href(file: TournamentFile) -> str:
    """Return a link that holds the bytes of a file."""
    return f"data:{file.media_type};base64,{file.content}"


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


async def _form_of(request: Request) -> _Form:
    """Return the form of a request; new files replace those that travelled in the page.

    Raise `PavError` for a form that is damaged or too large.
    """
    fields: dict[str, Any] = {}
    sent: list[dict[str, Any]] = []
    kept: list[dict[str, Any]] = []
    try:
        form = await request.form(max_files=_MOST_FILES)
    except HTTPException:
        raise PavError(
            f"the form was damaged or too large: send at most {_MOST_FILES} files"
        ) from None
    try:
        for name, value in form.multi_items():
            if isinstance(value, UploadFile):
                if value.filename:
                    data = b64encode(await value.read()).decode()
                    sent.append({"name": value.filename.rpartition("/")[2], "content": data})
            elif name == "kept":
                kept += _file_in(value)
            elif value.strip():
                fields[name] = value
    finally:
        await form.close()
    return _Form(fields, tuple(sent or kept))


def _file_in(text: str) -> list[dict[str, Any]]:
    """Return the file of a hidden field; none for a text that no page of ours has."""
    try:
        found = json.loads(text)
    except ValueError:
        return []
    return [found] if isinstance(found, dict) and isinstance(found.get("name"), str) else []
