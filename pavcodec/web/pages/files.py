"""The page Files, and files in the forms of pages."""

from __future__ import annotations

import asyncio
import zlib
from base64 import b64encode
from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse, Response
from starlette.datastructures import FormData, UploadFile
from starlette.exceptions import HTTPException

from pavcodec.chances.figures import plain_percent
from pavcodec.errors import ReadError
from pavcodec.formats.registry import FORMATS, labels
from pavcodec.printing.pages import LAYOUTS
from pavcodec.web.pages.page import Outcome, ask, render, save
from pavcodec.web.tasks.files.converting import CONVERT
from pavcodec.web.tasks.files.reading import PRINT, READ
from pavcodec.web.tasks.problem import problem_of
from pavcodec.web.tasks.task import FIELDS, FILE_BOARDS, FILES, PAGE_BOARDS, UPLOAD

# Files in forms: those that somebody sends, and those that travel in the page.
#
# The server keeps nothing. So that a later step needs no second choice of the files, the page
# carries them in hidden fields, compressed; the workers decompress and read them.


_TRAVELS = UPLOAD * 3 // 4
"""The most bytes of files in a page; in base64 they are the most bytes of a form."""
_LEVEL = 6


@dataclass(frozen=True)
class Kept:
    """A file in the hidden fields of a page: its name, and its compressed bytes in base64."""

    name: str
    content: str


@dataclass(frozen=True)
class Sent:
    """A form with files: its texts, and the files as a question has them."""

    fields: Mapping[str, str]
    files: tuple[Mapping[str, Any], ...] = ()

    def question(self, **more: object) -> dict[str, Any]:
        """Return the fields of a question."""
        return {**self.fields, **({"file": self.files} if self.files else {}), **more}

    async def kept(self) -> list[Kept]:
        """Return the files for the hidden fields of a page; none if they are too large for it."""
        kept = await asyncio.to_thread(lambda: [_kept(each) for each in self.files])
        return kept if sum(len(each.content) for each in kept) <= _TRAVELS * 4 // 3 else []


def _kept(file: Mapping[str, Any]) -> Kept:
    content = file["content"]
    if isinstance(content, bytes):
        content = b64encode(zlib.compress(content, _LEVEL)).decode()
    return Kept(file["name"], content)


async def sent(request: Request) -> Sent:
    """Return a form that was sent; new files replace those of the hidden fields.

    Raises `ReadError` for a form that is too large or no form.
    """
    try:
        async with request.form(
            max_files=FILES, max_fields=FIELDS, max_part_size=_TRAVELS * 4 // 3 + 1
        ) as form:
            return await _sent(form)
    except HTTPException as error:
        raise ReadError(f"the form cannot be read: {error.detail}") from None


async def _sent(form: FormData) -> Sent:
    new = [each for each in form.getlist("file") if isinstance(each, UploadFile) and each.filename]
    files = tuple([{"name": each.filename, "content": await each.read()} for each in new])
    names, contents = form.getlist("kept_name"), form.getlist("kept_content")
    kept = tuple(
        {"name": name, "content": content, "packed": True}
        for name, content in zip(names, contents, strict=False)
        if isinstance(name, str) and isinstance(content, str)
    )
    texts = {name: text for name, text in form.items() if isinstance(text, str)}
    return Sent(texts, files or kept)


# The page Files.


router = APIRouter(prefix="/files", default_response_class=HTMLResponse, include_in_schema=False)

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
    if isinstance(form, HTMLResponse):
        return form
    return await _read(request, form)


@router.post("/convert")
async def convert_file(request: Request) -> Response:
    """Return the boards in another format, or the page with the problem."""
    form = await _form(request)
    if isinstance(form, HTMLResponse):
        return form
    saved = await save(request, CONVERT, form.question())
    return saved if isinstance(saved, Response) else await _read(request, form, saved)


@router.post("/print")
async def print_file(request: Request) -> Response:
    """Return the pages to print, or the page with the problem."""
    form = await _form(request)
    if isinstance(form, HTMLResponse):
        return form
    kind = form.fields.get("kind", "pdf")
    solutions = form.fields.get("solutions", "")  # a box that is not checked sends nothing
    saved = await save(request, PRINT, form.question(to=kind, solutions=solutions or "0"))
    return saved if isinstance(saved, Response) else await _read(request, form, saved)


async def _form(request: Request) -> Sent | HTMLResponse:
    """Return the form that was sent, or the page with its problem."""
    try:
        return await sent(request)
    except ReadError as error:
        return _page(request, Outcome({}, problem=problem_of(error), status=422), [])


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
        shares = {
            name: plain_percent(Fraction(getattr(figures, name))) for name in ("balanced", "short")
        }
    every = {each.name: f"{each.name}: {each.summary}" for each in FORMATS.values()}
    return render(
        request,
        "files.html",
        outcome,
        kept=kept,
        is_too_large=has_files and not kept,
        shares=shares,
        formats=[*((name, every.pop(name)) for name, _ in labels()), *every.items()],
        layouts=[(name, f"{name}: {text}") for name, text in LAYOUTS.items()],
        turns=TURNS,
        limits={"bytes": UPLOAD >> 20, "boards": FILE_BOARDS, "shown": PAGE_BOARDS},
    )
