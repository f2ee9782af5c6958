"""The pages Number and Ending.

Number shows what a number, a code or a deal is, with all its numbers; Ending, whether play can
reach an ending, and the play, to step through.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse, Response
from starlette.datastructures import QueryParams

from pavcodec.cards import Seat
from pavcodec.errors import PavError, suggest
from pavcodec.formats.pasted import parse_hands
from pavcodec.web.pages.page import Outcome, ask, render, save
from pavcodec.web.tasks.number import (
    ENCODE,
    ENDING,
    ENDING_FILE,
    FACTS,
    IDENTIFY,
    TRICKS,
    ReadingView,
)
from pavcodec.web.tasks.problem import in_field, problem_of
from pavcodec.web.tasks.task import PAGE_BOARDS

router = APIRouter(default_response_class=HTMLResponse, include_in_schema=False)

_DEAL = "N:9642.95.AKQT4.K7 KJ3.K3.98.T98654 AQT85.Q862..AQJ2 7.AJT74.J76532.3"
_VIEWER = (
    "https://www.bridgebase.com/tools/handviewer.html"
    "?n=s9642h95dakqt4ck7&e=skj3hk3d98ct98654&s=saqt85hq862dcaqj2"
)
_EXAMPLES: tuple[tuple[str, str], ...] = (
    ("A number", "12,345,678,901,234,567,890,123,456,789"),
    ("A code of a dealing machine", "gjacljgkbedpjpaadglmfnnhmk007"),
    ("A code that fits several schemes", "6976424A64820BB4FF80D8A08EB9"),
    ("A deal in PBN", _DEAL),
    ("A link of BBO’s hand viewer", _VIEWER),
    ("A hand as people type it", "South: ♠AQ1085 ♥Q862 ♦- ♣AQJ2"),
    ("An ending", "N:AT.A.A. K.K.K.K Q.Q.Q.Q J.J.J.J"),
)
"""Names and texts to try."""

_ENDINGS: tuple[tuple[str, dict[str, str]], ...] = (
    (
        "Four cards, one of each suit: no play leads there",
        {"text": "N:A.A.A.A K.K.K.K Q.Q.Q.Q J.J.J.J"},
    ),
    (
        "The same with a spade for a club: a line of play",
        {"text": "N:AT.A.A. K.K.K.K Q.Q.Q.Q J.J.J.J"},
    ),
    (
        "Only with spades or diamonds as trumps",
        {"text": "N:Q94.KQ9542.82. 86532..A53.653 ..KQ9.AKQJT942 AKT7.JT863.J7."},
    ),
    (
        "The same in notrump: no play",
        {
            "text": "N:Q94.KQ9542.82. 86532..A53.653 ..KQ9.AKQJT942 AKT7.JT863.J7.",
            "denomination": "NT",
        },
    ),
    (
        "A published puzzle that cannot arise",
        {"text": "N:A.2.AQT.Q53 7.QT5.65.T6 5.KJ93.4.K7 8.4.KJ9.J42"},
    ),
    ("A triple squeeze", {"text": "N:A9.62..QT 86.54..95 72.AJ.5.A JT.KQ..K7"}),
    (
        "In the middle of a trick, with two cards on the table",
        {"text": "N:A..2. K... Q... J..4.", "table": "H3,H2"},
    ),
)
"""Names and questions of endings to try."""


def fields_of(values: QueryParams) -> dict[str, str]:
    """Return the fields of a question from an address, in which links may write `number=` alone.

    A `number` without a numbering is one of `deal`, as in the links below boards.
    """
    fields = {name: value for name, value in values.items() if value.strip()}
    for name in ("number", "hands"):
        if name in fields and "text" not in fields:
            fields["text"] = fields[name]
            if name == "number":
                fields.setdefault("numbering", "deal")
    return fields


def text_of(fields: Mapping[str, str]) -> str:
    """Return the text in the fields of a page: its own, or its hands behind their seats.

    >>> text_of({"south": "AK.Q.."})
    'South: AK.Q..'
    """
    if "text" in fields:
        return fields["text"].strip()
    return " ".join(
        f"{seat.name.title()}: {' '.join(fields[seat.name.lower()].split())}"
        for seat in Seat
        if seat.name.lower() in fields
    )


def _check_hands(fields: Mapping[str, str]) -> None:
    """Raise `PavError` with its field for a text of one hand that is none."""
    for name in (seat.name.lower() for seat in Seat):
        text = fields.get(name, "")
        with in_field(name):
            if text.strip(" -.") and sum(map(bool, parse_hands(text).sizes)) > 1:
                raise PavError("expected one hand here")


def chosen(
    readings: Sequence[ReadingView], fields: Mapping[str, str], forms: Sequence[str] = ()
) -> ReadingView:
    """Return the reading of the scheme and the board in the fields, else the first.

    If no scheme is chosen, readings of the first of the `forms` come first.
    """
    scheme, board = fields.get("numbering"), fields.get("board")
    names = list(dict.fromkeys(each.scheme for each in readings))
    if scheme and scheme not in names:
        raise suggest("scheme of this text", scheme, names)
    fits = [each for each in readings if each.scheme == (scheme or each.scheme)]
    boards = [each for each in fits if board is None or str(each.board) == board]
    if not boards:
        raise PavError(f"the text has no board {board}")
    return boards[0] if scheme or not forms else min(boards, key=lambda it: forms.index(it.form))


async def _read(
    request: Request, fields: Mapping[str, str], forms: Sequence[str] = ()
) -> tuple[Outcome[Any], ReadingView | None]:
    """Return the meanings of the text or of the hands in the fields, and the chosen one."""
    try:
        if "text" not in fields:
            _check_hands(fields)
        text = text_of(fields)
        outcome = await ask(request, IDENTIFY, {**fields, "text": text})
        reading = chosen(outcome.answer.view, fields, forms) if outcome.answer else None
    except PavError as error:
        return Outcome(fields, problem=problem_of(error), status=422), None
    return _shown(outcome, fields), reading


def _shown(outcome: Outcome[Any], fields: Mapping[str, str]) -> Outcome[Any]:
    """Return an outcome with the fields of the page; those of the question mean its text."""
    problem = outcome.problem
    if problem is not None and problem.field in {"text", "deal", "layout"}:
        problem = problem.model_copy(update={"field": "text" if "text" in fields else None})
    return replace(outcome, fields=fields, problem=problem)


def _groups(readings: Sequence[ReadingView]) -> Iterator[list[ReadingView]]:
    """Yield the meanings that a page shows, those with the same cards together."""
    groups: dict[tuple[str, int | None], list[ReadingView]] = {}
    for each in readings[:PAGE_BOARDS]:
        groups.setdefault((each.pbn, each.board), []).append(each)
    yield from groups.values()


@router.get("/number")
async def number_page(request: Request) -> HTMLResponse:
    """Return the page: empty, or with the meanings and the numbers of the text in the address."""
    fields = fields_of(request.query_params)
    if not fields:
        return _page(request, Outcome({}))
    identified, reading = await _read(request, fields)
    if reading is None:
        return _page(request, identified)
    asked = {"deal": reading.pbn, "all": True, "board": reading.board}
    asked["one_based"] = fields.get("one_based")
    encoded = await ask(request, ENCODE, asked)
    facts = tricks = None
    if reading.form == "deal":
        facts = await ask(request, FACTS, {"deal": reading.pbn})
        tricks = await ask(request, TRICKS, {"deal": reading.pbn}) if "tricks" in fields else None
    return _page(
        request,
        _shown(encoded, fields),
        identified.answer,
        reading=reading,
        facts=facts,
        tricks=tricks,
    )


def _page(
    request: Request,
    outcome: Outcome[Any],
    identified: Any = None,  # noqa: ANN401 (an answer)
    **found: object,
) -> HTMLResponse:
    """Return the page; `found` is the chosen reading, and what was found of it."""
    readings = [] if identified is None else identified.view
    values = {
        "identified": identified,
        "readings": readings,
        "groups": list(_groups(readings)),
        "more": max(0, len(readings) - PAGE_BOARDS),
        "EXAMPLES": _EXAMPLES,
        "reading": None,
        "facts": None,
        "tricks": None,
        **found,
    }
    return render(request, "number.html", outcome, **values)


_FORMS = ("ending", "deal", "trick", "part")
"""What the page Ending takes a text for, if it may be several."""


async def _ending_of(
    request: Request, fields: Mapping[str, str]
) -> tuple[Outcome[Any], ReadingView | None, Mapping[str, Any]]:
    """Return the meanings of the text, the chosen one, and the question about it."""
    identified, reading = await _read(request, fields, _FORMS)
    if reading is None:
        return identified, None, {}
    return identified, reading, {**fields, "layout": reading.pbn}


@router.get("/ending")
async def ending_page(request: Request) -> HTMLResponse:
    """Return the page: empty, or with the play to the ending in the address."""
    fields = fields_of(request.query_params)
    if not fields:
        return _ending(request, Outcome({}))
    outcome, reading, asked = await _ending_of(request, fields)
    if reading is not None:
        outcome = _shown(await ask(request, ENDING, asked), fields)
    return _ending(request, outcome, reading)


@router.get("/ending/file")
async def ending_file(request: Request) -> Response:
    """Return the deal and the play as a file of PBN, or the page with the problem."""
    fields = fields_of(request.query_params)
    outcome, reading, asked = await _ending_of(request, fields)
    if reading is not None:
        saved = await save(request, ENDING_FILE, asked)
        if isinstance(saved, Response):
            return saved
        outcome = _shown(saved, fields)
    return _ending(request, outcome, reading)


def _ending(
    request: Request, outcome: Outcome[Any], reading: ReadingView | None = None
) -> HTMLResponse:
    return render(request, "ending.html", outcome, reading=reading, EXAMPLES=_ENDINGS)
