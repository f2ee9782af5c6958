"""The page Deal: its form and its routes."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any
from urllib.parse import urlencode

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse, Response
from starlette.datastructures import QueryParams

from pavcodec.formats.format import LABEL_GROUPS
from pavcodec.formats.registry import labels
from pavcodec.numberings import numbering
from pavcodec.practice.situations import find_situations
from pavcodec.sampling import fresh_seed
from pavcodec.web.pages.page import Outcome, ask, redirect, render, save
from pavcodec.web.tasks.conditions import BUILD
from pavcodec.web.tasks.deal import (
    COUNT,
    DEAL,
    DEAL_FILE,
    writable,
)

# The form of the page Deal: its fields in an address, the question that they make, and links.


SEATS = ("north", "east", "south", "west")
_TEXTS = ("condition", *SEATS, "n", "seed", "start", "dealer", "vulnerable")
_CHECKS = ("interleave", "rotate")
_BLANK_ROWS = 3
"""The rows for types, some of them empty, that the page has at least."""

_PLAYERS = (
    ("pdf", "", "PDF", "hand records"),
    ("pdf", "players", "PDF", "each player’s hands"),
    ("pdf", "curtain", "PDF", "curtain cards"),
    ("pdf", "slips", "PDF", "slips to cut out"),
    ("html", "", "Web page", "to print or to send"),
    ("diagram", "", "Text", "diagrams"),
)


@dataclass(frozen=True)
class TypeRow:
    """A type of deals in the form."""

    name: str = ""
    condition: str = ""
    weight: str = ""


@dataclass(frozen=True)
class DealForm:
    """The fields of the page as somebody typed them."""

    texts: Mapping[str, str]
    types: tuple[TypeRow, ...]

    @classmethod
    def of(cls, values: QueryParams) -> DealForm:
        """Return the fields of an address; `hands` such as 'S AKQ…' go to the boxes of seats."""
        texts = {name: values[name] for name in (*_TEXTS, *_CHECKS) if values.get(name, "").strip()}
        for text in values.getlist("hands"):
            seat = next((each for each in SEATS if text.strip()[:1].lower() == each[0]), None)
            if seat is not None:
                texts.setdefault(seat, text.strip().partition(" ")[2].strip())
        columns = [values.getlist(name) for name in ("name", "type", "weight")]
        count = len(columns[1])
        name, kind, weight = ([*column, *[""] * count][:count] for column in columns)
        rows = (TypeRow(*map(str.strip, row)) for row in zip(name, kind, weight, strict=True))
        return cls(texts, tuple(row for row in rows if row.condition))

    @property
    def is_empty(self) -> bool:
        """Whether nothing is asked."""
        return not self.texts and not self.types

    @property
    def rows(self) -> list[TypeRow]:
        """The rows of the form: all types, and empty ones."""
        blank = max(1, _BLANK_ROWS - len(self.types))
        return [*self.types, *[TypeRow()] * blank]

    @property
    def condition_fields(self) -> dict[str, Any]:
        """The fields of a question about the number of deals."""
        texts = self.texts
        hands = [f"{seat[0].upper()} {texts[seat]}" for seat in SEATS if seat in texts]
        mix = [f"{row.condition} : {row.weight}" if row.weight else row.condition
               for row in self.types]  # fmt: skip
        fields: dict[str, Any] = {"condition": texts.get("condition", "").replace("\r\n", "\n")}
        fields |= {"hands": hands, "mix": mix}
        return fields | ({"interleave": True} if "interleave" in texts else {})

    @property
    def asked_number(self) -> dict[str, Any]:
        """The fields of a question about the number of deals; all deals satisfy 1."""
        fields = self.condition_fields
        is_any = any(fields[name] for name in ("condition", "hands", "mix"))
        return fields if is_any else fields | {"condition": "1"}

    def name_of(self, kind: int | str) -> str:
        """Return the name of a type: that of the form, or its number counted from 1."""
        if not isinstance(kind, int):
            return kind
        name = self.types[kind - 1].name if kind <= len(self.types) else ""
        return name or f"type {kind}"

    @property
    def question(self) -> dict[str, Any]:
        """The fields of a question about boards."""
        given = ("n", "seed", "start", "dealer", "vulnerable")
        chosen = {name: self.texts[name] for name in given if name in self.texts}
        return self.condition_fields | chosen | {"rotate": "rotate" in self.texts}

    def address(self, path: str = "/deal", **changes: object) -> str:
        """Return the address of the fields, with changes; None leaves a field out."""
        pairs = self.pairs(**changes)
        return f"{path}?{urlencode(pairs)}" if pairs else path

    def absolute(self, base: object, seed: str) -> str:
        """Return the whole address of a set; `base` is that of the site."""
        return f"{str(base).rstrip('/')}{self.address(seed=seed)}"

    def pairs(self, **changes: object) -> list[tuple[str, str]]:
        """Return the fields of an address, with changes; None leaves a field out."""
        texts = {name: str(self.texts[name]) for name in (*_TEXTS, *_CHECKS) if name in self.texts}
        for name, value in changes.items():
            texts.pop(name, None)
            if value is not None:
                texts[name] = str(value)
        pairs = list(texts.items())
        for row in self.types:
            pairs += [("name", row.name), ("type", row.condition), ("weight", row.weight)]
        return pairs

    def field_of(self, field: str | None) -> str | None:
        """Return the field of the form for the field of a question in a problem."""
        if field is not None and field.startswith("mix."):
            return f"type-{field.removeprefix('mix.')}"
        return field


def groups(form: DealForm, seed: str) -> Iterator[tuple[str, list[dict[str, str]]]]:
    """Yield the downloads of a set: the heading of each group, and its links."""

    def link(to: str, label: str, note: str, layout: str = "") -> dict[str, str]:
        more = {"layout": layout} if layout else {}
        return {
            "href": form.address("/deal/file", seed=seed, to=to, **more),
            "label": label,
            "note": note,
        }

    yield "For players", [link(to, label, note, how) for to, how, label, note in _PLAYERS]
    for group in LABEL_GROUPS:
        of_group = ((name, label) for name, label in labels() if label.group == group)
        yield group, [link(name, label.name, label.note) for name, label in of_group]


# The page Deal: conditions, their numbers and odds, and their boards; the address has all.


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
    outcome: Outcome[Any] = await ask(request, DEAL, form.question)
    if not is_chosen and outcome.answer is not None:  # the seed of the script, or a fresh one
        return redirect(form.address(seed=outcome.answer.seed))
    number = await ask(request, COUNT, form.asked_number) if outcome.answer else None
    return _page(request, form, outcome, number=number and number.answer)


@router.get("/count")
async def number_of_deals(request: Request) -> HTMLResponse:
    """Return the part of the page with the number of deals, for the script of the page."""
    form = DealForm.of(request.query_params)
    outcome: Outcome[Any] = await ask(request, COUNT, form.asked_number)
    return render(request, "deal_count.html", outcome, form=form)


@router.get("/file")
async def deal_file(request: Request) -> Response:
    """Return a file of the boards of the address, or the page with the problem."""
    values = request.query_params
    form = DealForm.of(values)
    chosen = {name: values[name] for name in ("to", "layout") if values.get(name)}
    saved = await save(request, DEAL_FILE, form.question | chosen)
    return saved if isinstance(saved, Response) else _page(request, form, saved)


async def _with_part(request: Request, form: DealForm) -> Response:
    """Return the page with a part added to the condition; nothing is dealt."""
    values = request.query_params
    fields = {name: values[name] for name in BUILD.question.model_fields if values.get(name)}
    outcome: Outcome[Any] = await ask(request, BUILD, fields)
    built = replace(outcome, answer=None)
    if outcome.answer is not None:
        form = replace(form, texts={**form.texts, "condition": outcome.answer.condition})
        fields = {}
    return _page(request, form, built, part=fields)


def _page(
    request: Request,
    form: DealForm,
    outcome: Outcome[Any],
    *,
    part: dict[str, str] | None = None,
    number: Any = None,
) -> HTMLResponse:
    problem = outcome.problem
    if problem is not None:
        problem = problem.model_copy(update={"field": form.field_of(problem.field)})
    answer = outcome.answer
    fields = {**form.texts, **(part or {})}
    if answer is not None:  # the form is for the next set
        fields = {name: text for name, text in fields.items() if name not in {"seed", "start"}}
    return render(
        request,
        "deal.html",
        replace(outcome, fields=fields, problem=problem),
        form=form,
        seats=SEATS,
        library=find_situations(),
        formats=[(each.name, f"{each.name}: {each.summary}") for each in writable()],
        building=part is not None,
        number_of_deals=number,
        view=answer and answer.view,
        practise=urlencode([("situation", each) for each in answer.view["practise"]])
        if answer
        else "",
        all_deals=numbering("deal").cardinality,
        groups=list(groups(form, answer.seed)) if answer is not None else [],
    )
