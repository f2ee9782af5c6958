"""The page Practice: a set in the address, one hand at a time."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import groupby
from secrets import randbelow
from typing import Any
from urllib.parse import urlencode

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse, Response
from starlette.datastructures import QueryParams

from pavcodec.errors import PavError
from pavcodec.practice import Situation
from pavcodec.practice.sets import USUAL_BOARDS
from pavcodec.practice.situations import NAMED, find_situations, points_text
from pavcodec.questions.practice import Practice
from pavcodec.web.pages.page import Outcome, ask, controls, redirect, render, save
from pavcodec.web.tasks.practice import PRACTICE, PRACTICE_FILE
from pavcodec.web.tasks.problem import Problem, problem_of

router = APIRouter(prefix="/practice", default_response_class=HTMLResponse, include_in_schema=False)

_SEEDS = 10**9
_PLAYERS = {"NS": "SN", "EW": "WE", "all": "SNWE"}
_OPTIONS = ("n", "start", "hands", "turn", "difficulty", "solve")
_FILES = {
    "For players": (
        ("pdf", "PDF", "each player’s hands, solutions apart"),
        ("html", "Web page", "to print or to send"),
    ),
    "For programs": (
        ("pbn", "PBN", "with the solutions as comments"),
        ("lin", "LIN", "BBO"),
    ),
    "For dealing machines": (("dlm", "DLM", "Duplimate"),),
}
"""The formats of the files, their labels and notes, in the groups of the page Deal."""
_CHOSEN = re.compile(rf"({NAMED.pattern})(?:\s*=\s*(.*))?")
"""A situation with its weight."""
_CHOOSE = "choose a situation: move its slider to the right, or press “Only this”"


@router.get("")
async def practice_page(request: Request) -> Response:
    """Return the library, or a board of the set in the address."""
    asked = request.query_params
    words = _words(asked)
    is_search = bool(asked.get("show") or (asked.get("find") and not words))
    if is_search or not words:
        outcome = Outcome[Any](dict(asked))
        if not is_search and any(asked.get(name) for name in (*_OPTIONS, "seed")):
            problem = Problem(message=_CHOOSE, field="situation")  # the button was pressed
            outcome = replace(outcome, problem=problem, status=422)
        return _page(request, outcome, words)
    if not asked.get("seed", "").strip() or not asked.getlist("situation"):
        return redirect(f"/practice?{urlencode(_set_of(asked, words))}#board")
    question = _fields(asked, words) | {"board": asked.get("board") or "1"}
    outcome = await ask(request, PRACTICE, question)
    own = [word for word in words if not _CHOSEN.fullmatch(word)]
    fields = dict(outcome.fields) | {"condition": "".join(own[:1])}
    return _page(request, replace(outcome, fields=fields), words, _set_of(asked, words))


@router.get("/file")
async def practice_set_file(request: Request) -> Response:
    """Return a file of the set in the address, or the page with the problem."""
    asked = request.query_params
    words = _words(asked)
    fields = _fields(asked, words) | {"to": asked.get("to"), "paper": asked.get("paper")}
    saved = await save(request, PRACTICE_FILE, fields)
    return saved if isinstance(saved, Response) else _page(request, saved, words)


def _words(asked: QueryParams) -> list[str]:
    """Return the words of situations, from a link or from the weights of the form.

    The form has a condition besides.
    """
    given = [word for word in asked.getlist("situation") if word.strip()]
    if given:
        return given
    weights = {one: asked.get(f"w-{one.name}", "").strip() for one in find_situations()}
    chosen = {one: text for one, text in weights.items() if text not in ("", "0")}
    is_equal = len(set(chosen.values())) <= 1
    words = []
    for one, weight in chosen.items():
        points = ((seat, asked.get(f"p-{one.name}-{seat}", "").strip()) for seat, *_ in one.points)
        other = ", ".join(f"{seat}={text}" for seat, text in points if text)
        words += [
            one.name
            + (f"({other})" if other else "")
            + ("" if is_equal or weight == "1" else f"={weight}")
        ]
    return [*words, *filter(None, [asked.get("condition", "").strip()])]


def _fields(asked: QueryParams, words: list[str]) -> dict[str, Any]:
    """Return the fields of the question; two partners play, if nothing else is said."""
    options = {name: asked.get(name, "") for name in (*_OPTIONS, "seed")}
    return {"situations": words} | options | {"hands": options["hands"] or "NS"}


def _set_of(asked: QueryParams, words: list[str]) -> list[tuple[str, str]]:
    """Return the address of a set, always in the same order, with a seed."""
    options = [(name, asked.get(name, "")) for name in _OPTIONS]
    seed = asked.get("seed", "").strip() or str(randbelow(_SEEDS))
    return [
        *(("situation", word) for word in words),
        *((name, value) for name, value in options if value),
        ("seed", seed),
    ]


def _page(
    request: Request,
    outcome: Outcome[Any],
    words: list[str],
    the_set: Sequence[tuple[str, str]] = (),
) -> HTMLResponse:
    """Return the page; the links to boards, seats and files have the whole set."""
    asked = request.query_params
    players = _PLAYERS.get(asked.get("hands") or "NS", "SN")
    seat = asked.get("seat", "")
    seat = seat if seat and seat in players else players[0]
    # whatever the address has
    texts = (asked.get("board") or "1", asked.get("n") or str(USUAL_BOARDS))
    position, count = (int(text) if re.fullmatch("[0-9]{1,9}", text) else 1 for text in texts)
    chosen = {match[2]: match for match in map(_CHOSEN.fullmatch, words) if match}
    try:
        found = find_situations([asked.get("find", "")])
    except PavError as error:
        found, outcome = [], replace(outcome, problem=problem_of(error), status=422)
    shown = [one for one in find_situations() if one in found or one.name in chosen]
    base = urlencode(the_set)
    return render(
        request,
        "practice.html",
        outcome,
        controls=controls(Practice),
        library=[
            (subject, [_row(one, chosen.get(one.name)) for one in some])
            for subject, some in groupby(shown, lambda one: one.subject)
        ],
        base=base,
        seat=seat,
        partner={"N": "S", "S": "N", "E": "W", "W": "E"}[seat],
        players=players,
        place=position,
        count=count,
        groups=[
            (
                heading,
                [
                    {"href": f"/practice/file?{base}&to={to}", "label": label, "note": note}
                    for to, label, note in files
                ],
            )
            for heading, files in _FILES.items()
        ],
    )


def _row(one: Situation, chosen: re.Match[str] | None) -> dict[str, Any]:
    """Return a situation of the library, with the weight and the points that are chosen."""
    weight, points = "0", dict[str, str]()
    if chosen:
        weight = chosen[4] or "1"
        points = dict(re.findall(r"([a-z]+) *= *([^, )]+)", chosen[3] or ""))
    return {
        "situation": one,
        "weight": weight,
        "points": [
            (seat, points_text(low, high), points.get(seat, "")) for seat, low, high in one.points
        ],
    }
