"""The pages Number and Ending.

Number shows what a number, a code or a deal is, with all its numbers; Ending, whether play can
reach an ending, and the play, to step through.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any, TypeAlias

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse, Response
from starlette.datastructures import QueryParams

from pavcodec.boards import Board
from pavcodec.cards import Seat
from pavcodec.codes import code, encode_all
from pavcodec.errors import PavError, suggest
from pavcodec.formats.pasted import parse_hands
from pavcodec.layout import Layout
from pavcodec.legal import LEGAL_ENDINGS
from pavcodec.numberings import numbering, numbering_names
from pavcodec.numberings.rankings import EqualHands
from pavcodec.questions.showing import hands_facts
from pavcodec.symmetry import symmetry_of
from pavcodec.web.pages.page import Outcome, ask, render, save
from pavcodec.web.tasks.number import ENCODE, ENDING, ENDING_FILE, IDENTIFY, SOLVE
from pavcodec.web.tasks.problem import in_field, problem_of
from pavcodec.web.tasks.simple import SIMPLE
from pavcodec.web.tasks.task import PAGE_BOARDS

Row: TypeAlias = dict[str, Any]

router = APIRouter(default_response_class=HTMLResponse, include_in_schema=False)

_DEAL = "N:9642.95.AKQT4.K7 KJ3.K3.98.T98654 AQT85.Q862..AQJ2 7.AJT74.J76532.3"
_VIEWER = (
    "https://www.bridgebase.com/tools/handviewer.html"
    "?n=s9642h95dakqt4ck7&e=skj3hk3d98ct98654&s=saqt85hq862dcaqj2"
)
_SUITS = ("spades", "hearts", "diamonds", "clubs")
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


def chosen(readings: Sequence[Row], fields: Mapping[str, str], forms: Sequence[str] = ()) -> Row:
    """Return the reading of the scheme and the board in the fields, else the first.

    If no scheme is chosen, readings of the first of the `forms` come first.
    """
    scheme, board = fields.get("numbering"), fields.get("board")
    names = list(dict.fromkeys(each["scheme"] for each in readings))
    if scheme and scheme not in names:
        raise suggest("scheme of this text", scheme, names)
    fits = [each for each in readings if each["scheme"] == (scheme or each["scheme"])]
    boards = [each for each in fits if board is None or str(each.get("board")) == board]
    if not boards:
        raise PavError(f"the text has no board {board}")
    if scheme or not forms:
        return boards[0]
    return min(boards, key=lambda each: forms.index(each["form"]))


async def _read(
    request: Request, fields: Mapping[str, str], forms: Sequence[str] = ()
) -> tuple[Outcome[Any], Row | None]:
    """Return the meanings of the text or of the hands in the fields, and the chosen one."""
    try:
        if "text" not in fields:
            _check_hands(fields)
        text = text_of(fields)
        outcome: Outcome[Any] = await ask(request, IDENTIFY, {**fields, "text": text})
        reading = chosen(outcome.answer.schemes, fields, forms) if outcome.answer else None
    except PavError as error:
        return Outcome(fields, problem=problem_of(error), status=422), None
    return _shown(outcome, fields), reading


def _shown(outcome: Outcome[Any], fields: Mapping[str, str]) -> Outcome[Any]:
    """Return an outcome with the fields of the page; those of the question mean its text."""
    problem = outcome.problem
    if problem is not None and problem.field in {"text", "deal", "layout"}:
        problem = problem.model_copy(update={"field": "text" if "text" in fields else None})
    return replace(outcome, fields=fields, problem=problem)


def _groups(readings: Sequence[Row]) -> list[list[Row]]:
    """Return the meanings that a page shows, those with the same cards together."""
    groups: dict[tuple[str, int | None], list[Row]] = {}
    for each in readings[:PAGE_BOARDS]:
        groups.setdefault((each["deal"], each.get("board")), []).append(each)
    return list(groups.values())


@router.get("/number")
async def number_page(request: Request) -> HTMLResponse:
    """Return the page: empty, or with the meanings and the numbers of the text in the address."""
    fields = fields_of(request.query_params)
    if not fields:
        return _page(request, Outcome({}))
    identified, reading = await _read(request, fields)
    if reading is None:
        return _page(request, identified)
    deal, one_based = reading["deal"], fields.get("one_based")
    asked = {"deal": deal, "all": True, "board": reading.get("board"), "one_based": one_based}
    encoded: Outcome[Any] = await ask(request, ENCODE, asked)
    rare = tricks = None
    if reading["form"] == "deal":
        rare = await ask(request, SIMPLE["rare"], {"files": [deal], "all": True})
        tricks = await ask(request, SOLVE, {"files": [deal]}) if "tricks" in fields else None
    found: Row = {"reading": reading, "rare": rare, "tricks": tricks}
    if encoded.answer is not None:
        layout = Layout.from_pbn(deal)
        is_one_based = _is_one_based(fields)
        found |= {
            "board": hands_facts(Board.make(layout, number=reading.get("board"))),
            "sizes": dict(zip("NESW", layout.sizes, strict=True)),
            "missing": {suit: getattr(layout.unused, suit) for suit in _SUITS},
            "rows": [scheme_of(each, one_based=is_one_based) for each in encoded.answer.schemes],
            "classes": [
                class_of(name, layout, one_based=is_one_based) for name in CLASSES if layout.is_deal
            ],
        }
    return _page(request, _shown(encoded, fields), identified.answer, **found)


def _is_one_based(fields: Mapping[str, Any]) -> bool:
    return str(fields.get("one_based", "")).lower() not in {"", "0", "false", "no", "off"}


def _page(
    request: Request,
    outcome: Outcome[Any],
    identified: Any = None,
    **found: object,
) -> HTMLResponse:
    """Return the page; `found` is the chosen reading, and what was found of it."""
    readings = [] if identified is None else identified.schemes
    values = {
        "identified": identified,
        "readings": readings,
        "groups": _groups(readings),
        "more": max(0, len(readings) - PAGE_BOARDS),
        "EXAMPLES": _EXAMPLES,
        "one_based": _is_one_based(outcome.fields),
        **dict.fromkeys(("reading", "rare", "tricks", "board")),
        **found,
    }
    return render(request, "number.html", outcome, **values)


# The schemes of a layout, with their places, and its classes up to symmetry.


CLASSES = {"deal-suits": "suits", "deal-suits-turns": "suits,turns"}
_SAME = {
    "deal-suits": "the same deal if the suits change their names",
    "deal-suits-turns": "the same deal if the suits change their names and the table turns",
}
assert set(CLASSES) == {*numbering_names(classes=True)} - {*numbering_names()}


def scheme_of(row: Row, *, one_based: bool = False) -> Row:
    """Return a number or a code with what its scheme is; a number has its place and neighbours."""
    scheme = row["scheme"]
    if row["kind"] == "code":
        return {**row, "text": row["code"], "summary": code(scheme).summary}
    ranks, number = numbering(scheme, one_based=one_based), int(row["number"])
    digits = -(-ranks.last.bit_length() // 4)
    return {
        "scheme": scheme,
        "kind": "class" if scheme in CLASSES else "numbering",
        "summary": ranks.summary,
        "text": row["number"],
        "hexadecimal": f"0x{number:0{digits}x}",
        "cardinality": ranks.cardinality,
        "bits": ranks.bits,
        "previous": number - 1 if number > ranks.first else None,
        "following": number + 1 if number < ranks.last else None,
    }


def class_of(name: str, layout: Layout, *, one_based: bool) -> Row:
    """Return the deals that equal a deal up to a symmetry."""
    symmetry, ranks = symmetry_of(CLASSES[name]), numbering(name, one_based=one_based)
    number = ranks.rank(layout)
    return {
        "numbering": name,
        "same": _SAME[name],
        "number": number,
        "classes": ranks.cardinality,
        "size": len({permutation.word(layout.owners) for permutation in symmetry.permutations}),
        "canonical": str(ranks.unrank(number)),
    }


# The page Ending.


_FORMS = ("ending", "deal", "trick", "part")
"""What the page Ending takes a text for, if it may be several."""


async def _ending_of(
    request: Request, fields: Mapping[str, str]
) -> tuple[Outcome[Any], Row | None, Mapping[str, Any]]:
    """Return the meanings of the text, the chosen one, and the question about it."""
    identified, reading = await _read(request, fields, _FORMS)
    if reading is None:
        return identified, None, {}
    return identified, reading, {**fields, "layout": reading["deal"]}


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


def _ending(request: Request, outcome: Outcome[Any], reading: Row | None = None) -> HTMLResponse:
    found: Row = {}
    if outcome.answer is not None:
        layout = Layout.from_pbn(outcome.answer.ending)
        encoded = encode_all(layout)
        found = {
            "ending": hands_facts(Board.make(layout)),
            "count": _count(layout.sizes),
            "rows": [
                scheme_of({"scheme": each.scheme, "kind": "numbering", "number": each.text})
                for each in encoded
                if each.number is not None
            ],
        }
        if outcome.answer.legal:
            deal = Layout.from_pbn(outcome.answer.deal)
            found["deal"] = hands_facts(Board.make(deal))
    return render(request, "ending.html", outcome, reading=reading, EXAMPLES=_ENDINGS, **found)


def _count(sizes: tuple[int, int, int, int]) -> Row | None:
    """Return how many endings have this number of cards in each hand, and how many are legal."""
    if len(set(sizes)) > 1:
        return None
    ranking = numbering("balanced").ranking
    assert isinstance(ranking, EqualHands)
    total, legal = ranking.counts[sizes[0]], LEGAL_ENDINGS[sizes[0]]
    return {"cards": sizes[0], "endings": total, "legal": legal, "share": Fraction(legal, total)}
