"""The page Odds: how likely an event is, and how a number or a pair is distributed."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from fractions import Fraction
from typing import Any, TypeVar
from urllib.parse import urlencode

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse, Response
from markupsafe import Markup
from pydantic import ValidationError
from starlette.datastructures import QueryParams

from pavcodec.cards import Seat
from pavcodec.chances.figures import digits
from pavcodec.web.pages.page import Outcome, ask, redirect, render, save
from pavcodec.web.tasks.exact import Chance, Estimate, percent
from pavcodec.web.tasks.odds import (
    EXAMPLES,
    ODDS,
    ODDS_FILE,
    WHAT,
    Breaks,
    OddsView,
    Partner,
    heat_map,
    missing_of,
    question_of_breaks,
    question_of_partner,
    share_of,
)
from pavcodec.web.tasks.problem import problem_of
from pavcodec.web.tasks.task import Question

router = APIRouter(prefix="/odds", default_response_class=HTMLResponse, include_in_schema=False)

_SEATS = tuple(seat.name.lower() for seat in Seat)
_LISTS = ("played", "shown_out", "weights")
_PLAIN = ("event", "second", "given", "simulate", "seed")

Asked = TypeVar("Asked", bound=Question)


@router.get("")
async def odds_page(request: Request) -> HTMLResponse:
    """Return the page: empty, or with the answer to the question in the address."""
    fields = _typed(request.query_params)
    if not any(name in fields for name in ("event", "second", "given", *_SEATS)):
        return _page(request, Outcome(fields))
    question = _question_of(request.query_params)
    outcome = await ask(request, ODDS, question)
    return _page(request, replace(outcome, fields=fields), question)


@router.get("/file")
async def odds_file(request: Request) -> Response:
    """Return the distribution as a file, or the page with the problem."""
    asked = request.query_params
    question = _question_of(asked)
    to = [("to", text) for text in asked.getlist("to")[:1]]
    saved = await save(request, ODDS_FILE, QueryParams([*question.multi_items(), *to]))
    if isinstance(saved, Response):
        return saved
    return _page(request, replace(saved, fields=_typed(asked)), question)


@router.get("/breaks")
async def breaks(request: Request) -> Response:
    """Send the browser to the question how the missing cards of a suit break."""
    return _quick(request, Breaks, question_of_breaks, "breaks", "missing")


@router.get("/partner")
async def partner(request: Request) -> Response:
    """Send the browser to the question what partner holds."""
    return _quick(request, Partner, question_of_partner, "partner", "hand")


def _quick(
    request: Request,
    asked: type[Asked],
    question_of: Callable[[Asked], Any],
    form: str,
    first: str,
) -> Response:
    """Return the address of a whole question, or the page with the problem of the short form."""
    fields = _typed(request.query_params)
    try:
        question = question_of(asked.model_validate(fields))
    except ValidationError as error:
        problem = problem_of(error)
        field = problem.field or first
        problem = problem.model_copy(update={"field": field})
        return _page(request, Outcome(fields, problem=problem, status=422), quick=form)
    return redirect(_address(question))


def _typed(asked: QueryParams) -> dict[str, str]:
    """Return the fields of an address that are not blank."""
    return {name: text for name, text in asked.items() if text.strip()}


def _fields_of(question: Any) -> dict[str, str]:  # noqa: ANN401 (a model)
    """Return the fields of the page for a question."""
    values = {name: str(getattr(question, name)) for name in _PLAIN if getattr(question, name)}
    values |= {name: "; ".join(getattr(question, name)) for name in _LISTS}
    for text in question.hands:
        seat, _, cards = text.partition(" ")
        values[next(each for each in _SEATS if each.startswith(seat.lower()))] = cards
    return {name: text for name, text in values.items() if text}


def _question_of(given: QueryParams) -> QueryParams:
    """Return the fields of the question from those of the page, which has one for each hand."""
    pairs = [(name, given[name]) for name in _PLAIN if given.get(name, "").strip()]
    pairs += [
        ("hands", f"{seat[0].upper()} {given[seat].strip()}")
        for seat in _SEATS
        if given.get(seat, "").strip()
    ]
    pairs += [("hands", text) for text in given.getlist("hands") if text.strip()]
    for name in _LISTS:
        texts = (text.strip() for each in given.getlist(name) for text in each.split(";"))
        pairs += [(name, text) for text in texts if text]
    return QueryParams(pairs)


def _page(
    request: Request,
    outcome: Outcome[Any],
    question: QueryParams | None = None,
    quick: str = "",
) -> HTMLResponse:
    answer: OddsView | None = outcome.answer and outcome.answer.view
    values: dict[str, Any] = {}
    if answer is not None and question is not None:
        formats = ("csv", "json") if answer.kind == "event" else ("csv", "json", "svg")
        link = f"/odds/file?{urlencode(question.multi_items())}&to="
        links = [{"href": link + each, "label": each.upper()} for each in formats]
        values = {"links": links, **_figures(answer, outcome.fields)}
    return render(
        request, "odds.html", outcome, quick=quick, what=WHAT, examples=_EXAMPLES, **values
    )


def _figures(answer: OddsView, fields: Mapping[str, Any]) -> dict[str, Any]:
    """Return what the page draws of an answer."""
    if answer.kind == "event":
        return {}
    if answer.kind == "pair":
        return {"map": Markup(heat_map(answer)), "pairs": _two_way(answer)}  # noqa: S704 (escaped)
    average = answer.average
    assert average is not None
    texts = {"average": average.mean_decimal, "deviation": average.deviation}
    texts["error"] = average.error or ""
    return {
        "means": {name: digits(Fraction(text), 6) if text else "" for name, text in texts.items()},
        "bars": [_bar(str(each.value[0]), each.chance) for each in answer.values],
        "rows": list(_rows(answer)),
        "breaks": _breaks(answer, fields),
    }


def _bar(label: str, chance: Chance | Estimate) -> dict[str, Any]:
    note = f"{chance.low} to {chance.high}" if isinstance(chance, Estimate) else ""
    return {"label": label, "share": float(share_of(chance)), "text": chance.percent, "note": note}


def _rows(answer: OddsView) -> Iterator[list[str]]:
    """Yield for each value its probability, that of more and that of less, and the deals."""
    below = Fraction(0)
    for each in answer.values:
        share = share_of(each.chance)
        exact = str(each.chance.exact) if isinstance(each.chance, Chance) else each.chance.percent
        deals = "–" if each.deals is None else f"{each.deals:,}"
        below += share
        yield [
            str(each.value[0]),
            each.chance.percent,
            percent(1 - below + share),
            percent(below),
            exact,
            deals,
        ]


def _two_way(answer: OddsView) -> dict[str, Any]:
    """Return the table of a pair: a row for each value of the first number, and the sums."""
    shares = {each.value: share_of(each.chance) for each in answer.values}
    downs, acrosses = (sorted({value[which] for value in shares}) for which in (0, 1))
    rows = []
    for down in downs:
        row = [shares.get((down, across), Fraction(0)) for across in acrosses]
        rows.append([str(down), *map(_cell, row), _cell(sum(row, Fraction(0)))])
    sums = [
        sum((shares.get((d, across), Fraction(0)) for d in downs), Fraction(0))
        for across in acrosses
    ]
    rows.append(["all", *map(_cell, sums), "100"])
    head = ["", *map(str, acrosses), "all"]
    return {"head": head, "rows": rows, "numbers": list(range(len(head)))}


def _cell(share: Fraction) -> str:
    return percent(share).removesuffix(" %") if share else "–"


def _address(question: Any) -> str:  # noqa: ANN401 (a model)
    """Return the address of a question on this page."""
    return f"/odds?{urlencode(_fields_of(question))}"


_EXAMPLES = [(each.words, _address(each.question)) for each in EXAMPLES]


def _breaks(answer: OddsView, fields: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return the breaks of the missing cards of a suit, if the question is one of those."""
    missing = missing_of(fields.get("event", ""), fields.get("given", ""))
    if missing is None or not answer.exact:
        return []
    together: dict[tuple[int, int], Fraction] = {}
    for each in answer.values:
        held = each.value[0]
        sides = (max(held, missing - held), min(held, missing - held))
        together[sides] = together.get(sides, Fraction(0)) + share_of(each.chance)
    return [
        {
            "label": f"{more}–{fewer}",
            "share": float(share),
            "text": percent(share),
            "note": str(share),
        }
        for (more, fewer), share in sorted(together.items())
    ]
