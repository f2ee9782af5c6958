"""The page Odds: how likely an event is, and how a number or a pair is distributed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any
from urllib.parse import urlencode

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse, Response
from markupsafe import Markup
from starlette.datastructures import QueryParams

from pavcodec.cards import Rank, Seat
from pavcodec.web.pages.page import Outcome, ask, redirect, render, save
from pavcodec.web.tasks.odds import ODDS, ODDS_FILE
from pavcodec.web.tasks.problem import Problem

router = APIRouter(prefix="/odds", default_response_class=HTMLResponse, include_in_schema=False)

_SEATS = tuple(seat.name.lower() for seat in Seat)
_LISTS = ("played", "shown_out", "weights")
_PLAIN = ("event", "second", "given", "simulate", "seed")

_WHAT = {
    "hcp": "points",
    "spades": "spades",
    "hearts": "hearts",
    "diamonds": "diamonds",
    "clubs": "clubs",
    "aces": "aces",
    "controls": "controls (ace 2, king 1)",
    "losers": "losers",
    "majors": "spades and hearts together",
}
"""What one may want to know of partner's hand."""

_FOUR_WITH_QUEEN = (
    "spades(north) + spades(south) == 9 && !hascard(north, SQ) && !hascard(south, SQ)"
)
_DROPS = "(hascard(east, SQ) && spades(east) <= 2) || (hascard(west, SQ) && spades(west) <= 2)"
_NOTRUMP = "shape(north, any 4333 + any 4432 + any 5332) && hcp(north) >= 15 && hcp(north) <= 17"
_MAJORS = "KQ974.AJ86.52.83"
_LONG = " || ".join(
    f"{suit}({seat}) >= 7" for seat in _SEATS for suit in ("spades", "hearts", "diamonds", "clubs")
)
_EXAMPLES: dict[str, dict[str, str]] = {
    "Five trumps are missing: how do they break?": {
        "event": "spades(west)",
        "given": "spades(north) + spades(south) == 8",
    },
    "West opened a weak two with six hearts, East has two: how do four spades break?": {
        "event": "spades(west)",
        "given": "spades(north) + spades(south) == 9 && hearts(west) == 6 && hearts(east) == 2",
    },
    "Nine trumps without the queen: does she fall in two rounds?": {
        "event": _DROPS,
        "given": _FOUR_WITH_QUEEN,
    },
    "I hold 17 points: how many has partner?": {
        "event": "hcp(north)",
        "south": "AKQ2.K85.AJ4.T63",
    },
    "I have five spades and four hearts, partner opens 1NT: have we a fit of eight?": {
        "event": "spades(north) >= 3 || hearts(north) >= 4",
        "given": _NOTRUMP,
        "south": _MAJORS,
    },
    "The lengths of partner's majors after 1NT, opposite that hand": {
        "event": "spades(north)",
        "second": "hearts(north)",
        "given": _NOTRUMP,
        "south": _MAJORS,
    },
    "I have six spades: how often has partner two or more?": {
        "event": "spades(north) >= 2",
        "given": "spades(south) == 6",
    },
    "We have 25 points together: how are the other 15 divided?": {
        "event": "hcp(west)",
        "given": "hcp(north) + hcp(south) == 25",
    },
    "How often does somebody hold a seven-card suit?": {"event": _LONG},
}
"""Questions in the words of players, and the fields of each."""


@router.get("")
async def odds_page(request: Request) -> HTMLResponse:
    """Return the page: empty, or with the answer to the question in the address."""
    asked = request.query_params
    if not any(asked.get(name, "").strip() for name in ("event", "second", "given", *_SEATS)):
        return _page(request, Outcome(_typed(asked)))
    return _page(request, await ask(request, ODDS, _question_of(asked)))


@router.get("/file")
async def odds_file(request: Request) -> Response:
    """Return the distribution as a file, or the page with the problem."""
    question = [*_question_of(request.query_params).multi_items()]
    to = [("to", text) for text in request.query_params.getlist("to")[:1]]
    saved = await save(request, ODDS_FILE, QueryParams([*question, *to]))
    return saved if isinstance(saved, Response) else _page(request, saved)


@router.get("/breaks")
async def breaks(request: Request) -> Response:
    """Send the browser to the question how the missing cards of a suit break."""
    asked = _typed(request.query_params)
    suit, text = asked.get("suit", "spades"), asked.get("missing", "4")
    missing = int(text) if text.isdecimal() and len(text) < 3 else 0
    if not 1 <= missing <= len(Rank):
        return _wrong(request, "breaks", "missing", "a suit misses 1 to 13 cards")
    parts = [f"{suit}(north) + {suit}(south) == {len(Rank) - missing}"]
    if "other" in asked:
        parts += [
            f"{asked['other']}({seat}) == {asked[seat]}"
            for seat in ("west", "east")
            if seat in asked
        ]
    return redirect(_address({"event": f"{suit}(west)", "given": " && ".join(parts)}))


@router.get("/partner")
async def partner(request: Request) -> Response:
    """Send the browser to the question what North holds opposite South's hand."""
    asked = _typed(request.query_params)
    if "hand" not in asked:
        return _wrong(request, "partner", "hand", "give your hand, as in AKQ2.K85.AJ4.T63")
    what = asked.get("what", "hcp")
    question = {"event": f"{what}(north)"}
    if what == "majors":
        question = {"event": "spades(north)", "second": "hearts(north)"}
    question |= {"given": asked["shown"]} if "shown" in asked else {}
    return redirect(_address(question | {"south": asked["hand"]}))


def _wrong(request: Request, form: str, field: str, message: str) -> HTMLResponse:
    """Return the page with the problem of a short form."""
    problem = Problem(message=message, field=field)
    outcome = Outcome[Any](_typed(request.query_params), problem=problem, status=422)
    return _page(request, outcome, quick=form)


def _address(fields: dict[str, str]) -> str:
    return f"/odds?{urlencode(fields)}"


def _typed(asked: QueryParams) -> dict[str, str]:
    """Return the fields of an address that are not blank."""
    return {name: text.strip() for name, text in asked.items() if text.strip()}


def _question_of(given: QueryParams) -> QueryParams:
    """Return the fields of the question from those of the page, which has one for each hand."""

    def fields() -> Iterator[tuple[str, str]]:
        typed = _typed(given)
        yield from ((name, typed[name]) for name in _PLAIN if name in typed)
        for seat in _SEATS:
            if seat in typed:
                yield "hands", f"{seat[0].upper()} {typed[seat]}"
        yield from (("hands", text) for text in given.getlist("hands") if text.strip())
        for name in _LISTS:
            texts = (text.strip() for each in given.getlist(name) for text in each.split(";"))
            yield from ((name, text) for text in texts if text)

    return QueryParams([*fields()])


def _page(request: Request, outcome: Outcome[Any], quick: str = "") -> HTMLResponse:
    asked = request.query_params
    view, links = None, []
    if outcome.answer is not None:
        view = outcome.answer.view
        if "map" in view:
            view["map"] = Markup(view["map"])  # noqa: S704 (escaped)
        formats = ("csv", "json") if view["kind"] == "event" else ("csv", "json", "svg")
        question = urlencode(_question_of(asked).multi_items())
        links = [
            {"href": f"/odds/file?{question}&to={each}", "label": each.upper()} for each in formats
        ]
    return render(
        request,
        "odds.html",
        replace(outcome, fields=_typed(asked)),
        view=view,
        links=links,
        quick=quick,
        what=_WHAT,
        examples=[(words, _address(fields)) for words, fields in _EXAMPLES.items()],
    )
