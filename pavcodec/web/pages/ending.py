"""The page Ending: whether play can reach an ending, and the play, to step through."""

from __future__ import annotations

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse, Response

from pavcodec.codes import code_names
from pavcodec.numberings import numbering_names
from pavcodec.web.pages.number import fields_of
from pavcodec.web.pages.page import Outcome, ask, render, save
from pavcodec.web.tasks.number import ENDING, ENDING_FILE

router = APIRouter(default_response_class=HTMLResponse, include_in_schema=False)

EXAMPLES: tuple[tuple[str, dict[str, str]], ...] = (
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
"""Names and questions to try."""

_GIVEN = {
    "EXAMPLES": EXAMPLES,
    "WITHOUT_HANDS": {*numbering_names(partial=True), *code_names(rare=True)},
}


@router.get("/ending")
async def ending_page(request: Request) -> HTMLResponse:
    """Return the page: empty, or with the play to the ending in the address."""
    asked = fields_of(request.query_params)
    outcome = await ask(request, ENDING, asked) if asked else Outcome({})
    return render(request, "ending.html", outcome, **_GIVEN)


@router.get("/ending/file")
async def ending_file(request: Request) -> Response:
    """Return the deal and the play as a file of PBN, or the page with the problem."""
    saved = await save(request, ENDING_FILE, fields_of(request.query_params))
    if isinstance(saved, Outcome):
        return render(request, "ending.html", saved, **_GIVEN)
    return saved
