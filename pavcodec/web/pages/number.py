"""The pages Number and Ending.

Number shows what a number, a code or a deal is, with all its numbers; Ending, whether play can
reach an ending, and the play, to step through.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse, Response
from starlette.datastructures import QueryParams

from pavcodec.codes import code_names
from pavcodec.numberings import numbering_names
from pavcodec.web.pages.page import Outcome, ask, render, save
from pavcodec.web.tasks.number import (
    ENCODE,
    ENDING,
    ENDING_FILE,
    FACTS,
    IDENTIFY,
    EncodeAnswer,
    IdentifyAnswer,
    ReadingView,
)

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

_OF_ENDINGS = {
    "EXAMPLES": _ENDINGS,
    "WITHOUT_HANDS": {*numbering_names(partial=True), *code_names(rare=True)},
}


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


def groups_of(answer: IdentifyAnswer) -> list[list[ReadingView]]:
    """Return the meanings of a text, those with the same cards together."""
    groups: dict[tuple[str, int | None], list[ReadingView]] = {}
    for reading in answer.readings:
        groups.setdefault((reading.board.pbn, reading.board.number), []).append(reading)
    return list(groups.values())


@router.get("/number")
async def number_page(request: Request) -> HTMLResponse:
    """Return the page: empty, or with the meanings and the numbers of the text in the address."""
    asked = fields_of(request.query_params)
    if not asked:
        return _page(request, Outcome({}))
    identifying = await ask(request, IDENTIFY, asked)
    identified = identifying.answer
    if not isinstance(identified, IdentifyAnswer):
        return _page(request, identifying)
    encoded = await ask(request, ENCODE, asked)
    answer = encoded.answer
    if not isinstance(answer, EncodeAnswer):
        return _page(request, replace(encoded, fields=identifying.fields), identified)
    facts = await ask(request, FACTS, asked) if answer.kind == "deal" else None
    return _page(request, encoded, identified, facts)


def _page(
    request: Request,
    outcome: Outcome[Any],
    identified: IdentifyAnswer | None = None,
    facts: Outcome[Any] | None = None,
) -> HTMLResponse:
    groups = groups_of(identified) if identified else []
    values: Mapping[str, object] = {"groups": groups, "identified": identified}
    return render(request, "number.html", outcome, **values, facts=facts, EXAMPLES=_EXAMPLES)


@router.get("/ending")
async def ending_page(request: Request) -> HTMLResponse:
    """Return the page: empty, or with the play to the ending in the address."""
    asked = fields_of(request.query_params)
    outcome = await ask(request, ENDING, asked) if asked else Outcome({})
    return render(request, "ending.html", outcome, **_OF_ENDINGS)


@router.get("/ending/file")
async def ending_file(request: Request) -> Response:
    """Return the deal and the play as a file of PBN, or the page with the problem."""
    saved = await save(request, ENDING_FILE, fields_of(request.query_params))
    if isinstance(saved, Outcome):
        return render(request, "ending.html", saved, **_OF_ENDINGS)
    return saved
