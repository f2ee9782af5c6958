"""The page Practice: a set in the address, one hand at a time."""

from __future__ import annotations

import re
from dataclasses import replace
from secrets import randbelow
from typing import Any
from urllib.parse import urlencode

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse, Response
from starlette.datastructures import QueryParams

from pavcodec.chances.figures import chances
from pavcodec.practice import LEVELS, Situation, situation, situation_names
from pavcodec.practice.exercises import NAME
from pavcodec.practice.making import USUAL_BOARDS
from pavcodec.web.pages.page import Outcome, ask, redirect, render, save
from pavcodec.web.tasks.exact import percent
from pavcodec.web.tasks.practice import PRACTICE, PRACTICE_FILE
from pavcodec.web.tasks.problem import Problem

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


@router.get("")
async def practice_page(request: Request) -> Response:
    """Return the library, or a board of the set in the address."""
    asked = request.query_params
    words = _words(asked)
    if not words:
        outcome = Outcome[Any](dict(asked))
        if any(asked.get(name) for name in (*_OPTIONS, "seed")):  # the button was pressed
            message = "choose a situation: move its slider to the right, or press “Only this”"
            problem = Problem(message=message, field="situation")
            outcome = replace(outcome, problem=problem, status=422)
        return _page(request, outcome, {})
    if not asked.get("seed", "").strip() or not asked.getlist("situation"):
        return redirect(f"/practice?{urlencode(_set_of(asked, words))}#board")
    question = dict(_fields(asked, words)) | {"board": asked.get("board") or "1"}
    outcome = await ask(request, PRACTICE, question)
    fields = dict(outcome.fields) | {"condition": _condition(words)}
    return _page(request, replace(outcome, fields=fields), _weights(words), _set_of(asked, words))


@router.get("/file")
async def practice_set_file(request: Request) -> Response:
    """Return a file of the set in the address, or the page with the problem."""
    asked = request.query_params
    words = _words(asked)
    fields = dict(_fields(asked, words)) | {"to": asked.get("to"), "paper": asked.get("paper")}
    saved = await save(request, PRACTICE_FILE, fields)
    return saved if isinstance(saved, Response) else _page(request, saved, _weights(words))


def _words(asked: QueryParams) -> list[str]:
    """Return the words of situations, from a link or from the weights of the form.

    The form has a condition besides.
    """
    given = [word for word in asked.getlist("situation") if word.strip()]
    if given:
        return given
    own = [asked.get("condition", "").strip()]
    return [*_of_sliders(asked), *filter(None, own)]


def _of_sliders(asked: QueryParams) -> list[str]:
    """Return the situations whose sliders are not at 0, each with its weight if these differ."""
    weights = {name: asked.get(f"w-{name}", "").strip() for name in situation_names()}
    chosen = {name: text for name, text in weights.items() if text not in ("", "0")}
    if len(set(chosen.values())) <= 1:
        return list(chosen)
    return [name if text == "1" else f"{name}={text}" for name, text in chosen.items()]


def _weights(words: list[str]) -> dict[str, str]:
    """Return the weights of words of situations."""
    pairs = (word.partition("=") for word in words)
    return {
        name.strip(): weight.strip() or "1"
        for name, _, weight in pairs
        if NAME.fullmatch(name.strip())
    }


def _condition(words: list[str]) -> str:
    """Return the condition among the words of a set, for its field."""
    own = [word for word in words if not NAME.fullmatch(word.partition("=")[0].strip())]
    return own[0] if own else ""


def _fields(asked: QueryParams, words: list[str]) -> list[tuple[str, Any]]:
    return [
        ("situations", words),
        ("seed", asked.get("seed", "")),
        *((name, asked.get(name, "")) for name in _OPTIONS if name != "hands"),
        ("hands", asked.get("hands") or "NS"),
    ]


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
    weights: dict[str, str],
    the_set: list[tuple[str, str]] | None = None,
) -> HTMLResponse:
    """Return the page; the links to boards, seats and files have the whole set."""
    asked = request.query_params
    hands = asked.get("hands") or "NS"
    players = _PLAYERS.get(hands, "SN")
    seat = asked.get("seat", "")
    seat = seat if seat and seat in players else players[0]
    base = urlencode(the_set or [])
    # whatever the address has
    texts = (asked.get("board") or "1", asked.get("n") or str(USUAL_BOARDS))
    position, count = (int(text) if re.fullmatch("[0-9]{1,9}", text) else 1 for text in texts)
    return render(
        request,
        "practice.html",
        outcome,
        weights=weights,
        library=[_row(situation(name)) for name in situation_names()],
        levels=[("", "all boards"), *((level, level) for level in LEVELS)],
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


def _row(situation: Situation) -> dict[str, str]:
    return {
        "name": situation.name,
        "title": situation.title,
        "summary": situation.summary,
        "chances": chances(situation.probability),
        "percent": percent(situation.probability),
    }
