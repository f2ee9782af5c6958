"""Questions: the command, the JSON interface and Python give the same answer to each."""

from __future__ import annotations

import ast
import json
import os
import re
from html import unescape
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from web_commands import run_command, run_python

import pavcodec.questions
from pavcodec.questions import QUESTIONS, question_named
from pavcodec.questions.asking import (
    Answer,
    Asker,
    QuestionError,
    asking,
    asks,
    call_of,
    command_of,
    note,
    when_done,
)
from pavcodec.questions.count import Count
from pavcodec.questions.odds import Odds
from pavcodec.web.tasks.simple import SIMPLE, text_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fastapi.testclient import TestClient

    from pavcodec.questions.asking import Question

NINE = "spades(north) + spades(south) == 9"
DEAL = "N:9642.95.AKQT4.K7 KJ3.K3.98.T98654 AQT85.Q862..AQJ2 7.AJT74.J76532.3"
ENDING = "N:AT.A.A. K.K.K.K Q.Q.Q.Q J.J.J.J"
CROSSING = "N:Q94.KQ9542.82. 86532..A53.653 ..KQ9.AKQJT942 AKT7.JT863.J7."
LAST_TRICK = "N:.KJ8732..97654 K7..AQT976432. 2.T6.KJ8.KJT82 A943.A94.5.AQ3"
RUFFS = "N:KQ76.9876542.. T85..AKQ86.KQ5 A42.A.972.T987 J93.KQ3.T5.AJ3"
HAND = "S AKQ2.K85.AJ4.T63"
HANDS = (HAND, "north: J754.A2.KQ3.A982")
PLAY = "W DT D3 D2 DJ, SA S9 S4 S3, SK S8 S5 H3, SQ"
FIVE, WEIGHT = "spades(north) >= 5", "north: hcp {11: 1, 12-15: 3}"
BALANCED = "shape(south, any 4333 + any 4432 + any 5332)"
BIG = "hcp(south) >= 20"
LEVELLED = "HandType_a = hcp(south) > 20\nHandType_b = 1\n1"
SIDES = "spades(west) == 9 && shape(east, xx66)"

ASKED: dict[str, list[dict[str, Any]]] = {
    "odds": [
        {"event": "spades(east) == 2", "given": NINE},
        {"event": "spades(east)", "given": NINE},
        {"event": "hcp(north)", "hands": (HAND,)},
        {"event": "spades(east)", "hands": ("S 12345678901234567890123456789",)},
        {"event": "spades(east)", "hands": (HAND,), "played": ("E S93",)},
        {"event": "spades(east)", "hands": (HAND,), "shown_out": ("W: spades",)},
        {"event": "hcp(east) >= 8", "play": "W DT D3 D2 DJ SA"},
        {"event": "hcp(east)", "cards": 2, "unused": "SA HA"},
        {"event": "hascard(east, SA)", "cards": 3, "legal": True},
        {"event": "aces(north)", "second": "kings(north)", "given": "hcp(north) == 12"},
        {"event": "aces(north)", "weights": ("N: hcp {37: 1}", "2")},
        {"event": "aces(north)", "simulate": 50, "seed": "7"},
        {"event": "aces(north)", "second": "kings(south)", "simulate": 50, "seed": "Lisbon"},
        {"event": "spades(east) == 2 // isn't it\n", "given": NINE},
        {"event": "-hcp(north) > -9", "predeal": ("north SA",)},
        {"event": "rnd(6) == 5"},
        {"event": "spades(east) < 4", "given": NINE},
        {"event": "hcp(north) > 40"},
        {"event": "hcp(north) < 40"},
        {"event": "hascard(west, SA) || hascard(south, SA)"},
        {"event": "spades(west) == 13"},
        {"event": "spades(west) < 13"},
        {"event": "hcp(north) * 0"},
        {"event": "hcp(north)"},
        {"event": "hcp(north)", "simulate": 1},
        {"event": "hearts(west)", "hands": (HAND, "N J3.AQ74.KQ2.AK54")},
        {"event": "hcp(west) >= 6", "hands": HANDS, "played": ("E S93",), "shown_out": ("E S",)},
        {"event": "hcp(north) == 11", "given": FIVE, "weights": (WEIGHT,)},
        {"event": "hcp(north)", "given": FIVE, "weights": (WEIGHT,)},
        {"event": "hcp(north)", "given": FIVE, "weights": (WEIGHT,), "simulate": 50},
        {"event": "aces(north) == 2", "cards": 2},
    ],
    "bigdeal": [
        {"owner": "Golden Test Owner", "seed": "0001020304050607" * 2 + "08090a0b"},
        {"owner": "-x 'é'", "entropy": ("q", "-r"), "boards": "17-19", "numbering": "deal"},
    ],
    "practice": [
        {"situations": ("two-clubs",), "n": 2, "seed": "7", "difficulty": "hard"},
        {"situations": ("hcp(south) >= 20",), "n": 2, "seed": "7", "dealer": "S"},
        {"situations": ("-hcp(north) < -9 : 2", "stayman"), "n": 3, "seed": "-x", "hands": "NS"},
        {"predeal": ("north SA",), "n": 2, "seed": "7", "turn": True, "start": 3},
        {
            "situations": ("transfer(south=12-14, north=8+)=2", "stayman"),
            "n": 3,
            "board": 2,
            "seed": "7",
        },
        {"situations": ("preempt",), "n": 1, "seed": "7", "title": "Club 'x'", "odds": "set"},
    ],
    "count": [
        {"condition": "hcp(south) >= 20"},
        {"condition": "-hcp(south) <= -20"},
        {"condition": "hearts(north) >= 5", "predeal": ("south SAKQ,HA",)},
        {"condition": "hcp(south) > 40"},
        {"condition": "hcp(south) >= 30", "cards": 5},
        {"condition": "hcp(south) >= 8", "cards": 3, "legal": True},
        {"condition": "rnd(3) == 1 && hcp(south) > 20", "tries": 100},
        {"condition": "hcp(south) > 20", "method": "test", "tries": 50},
        {"condition": "spades(north) == 4", "mix": ("hcp(south) >= 20 : 35", "1 : 65")},
        {"mix": ("hcp(south) >= 20 : 1", "hcp(north) >= 20 : 2"), "interleave": True},
        {"condition": "spades(south) >= 5", "weights": ("S: hcp {12-14: 1, 15+: 3}",)},
        {"condition": "produce 3\npredeal north SAK\nfit = spades(south)\ncondition fit >= 8"},
        {"condition": LEVELLED, "level": ("",)},
        {"hands": (HAND,), "template": "N:9... - - -"},
        {"condition": f"{BALANCED} && hcp(south) >= 15 && hcp(south) <= 17"},
        {"condition": "spades(west) < 12"},
        {"condition": "hcp(west) < 38"},
        {"predeal": ("north SAKQ, HA", "spades(south) == 5")},
        {"condition": "hcp(north) > 30 && spades(east) == 5 && hcp(south) > 30"},
        {"condition": "hcp(north) > 30 && hcp(south) > 30", "conflict": True},
        {"condition": "hcp(north) > 30", "conflict": True},
        {"condition": "hcp(south) >= 38 && rnd(2) == 1"},
        {"condition": "rnd(2) == 5 && hcp(north) > 3"},
        {"condition": "hearts(north) >= 5 && rnd(2) == 1", "predeal": ("south SA",), "tries": 100},
        {"condition": "5 <= hcp(north) <= 7"},
        {"condition": "15"},
        {"condition": "spades(east) == 2", "hands": HANDS},
        {"hands": HANDS, "play": PLAY, "strain": "NT"},
        {"cards": 1},
        {"cards": 4, "legal": True},
        {"condition": "hascard(north, SK)", "cards": 4, "legal": True, "predeal": ("north SA",)},
        {"cards": 2, "hands": ("S SAK",), "unused": "SQ HA"},
        {"template": "N:AK... .Q.. - -"},
        {"mix": ("spades(south) ? hcp(south) >= 12 : 0 : 1/3", "1:2")},
        {"mix": ("hcp(south) >= 20 && rnd(2) == 0 : 1", "spades(south) >= 6:1"), "tries": 50},
        {"weights": ("S: hcp {12: 1, 13-15: 3}",)},
        {"condition": "weight 2 mix hcp(south) > 20 : 1, 1 : 1"},
    ],
    "encode": [
        {"deal": DEAL},
        {"deal": DEAL, "numbering": "andrews", "hex": True},
        {"deal": DEAL, "numbering": "bba", "board": 7},
        {"deal": DEAL, "numbering": "zbs"},
        {"deal": DEAL, "where": "spades(south) == 5", "one_based": True},
        {"deal": DEAL, "all": True, "one_based": True},
        {"deal": "12", "numbering": "andrews"},
        {"deal": ENDING, "numbering": "legal"},
        {"deal": "South: ♠AK ♥Q10", "all": True},
        {"deal": "gjacljgkbedpjpaadglmfnnhmk007", "all": True},
    ],
    "decode": [
        {"number": 12345678901234567890123456789},
        {"number": "0xff", "numbering": "andrews", "one_based": True},
        {"number": "ff", "hex": True},
        {"number": 3, "where": "hcp(north) > 30"},
        {"number": "gjacljgkbedpjpaadglmfnnhmk007", "numbering": "dlm"},
    ],
    "identify": [
        {"text": "12,345,678,901"},
        {"text": "1", "one_based": True},
        {"text": "27E41B3246BEC9B16E398115"},
        {"text": f'[Board "7"]\n[Deal "{DEAL}"]\n\n[Board "8"]\n[Deal "{ENDING}"]\n'},
        {"text": "South: ♠AK ♥Q10 ♦- ♣2"},
        {"text": "6976424A64820BB4FF80D8A08EB9"},
    ],
    "ending": [
        {"layout": ENDING},
        {"layout": ENDING, "denomination": "S", "first_leader": "E", "on_lead": "W"},
        {"layout": "N:A..2. K... Q... J..4.", "table": "H3,H2"},
        {"layout": "N: A... K... Q... J..."},
        {"layout": "5", "denomination": "C"},
        {"layout": "N:AK.A.A.A QJ.K.K.K T9.Q.Q.Q 87.J.J.J"},
        {"layout": "N:A..2. K... Q... J..4.", "table": "S3,H2"},
        {"layout": "N:.T.KQT5432.A8 A9653.85.A.Q7 QJ8742.A.J.93 T.K.9876.K652"},
        {"layout": CROSSING, "denomination": "H"},
        {"layout": LAST_TRICK, "denomination": "H"},
        {"layout": RUFFS, "denomination": "H"},
        {"layout": "N:AKQJT9876... .AKQJT987.A. .6543.KQJT9. .2.8765.AKQJ", "denomination": "nt"},
    ],
    "numberings": [
        {},
        {"numbering": "balanced"},
        {"table": True},
    ],
    "cases": [
        {"condition": "spades(west) == 9", "n": 4},
        {"condition": "hcp(north) == 2 && hcp(south) <= 1", "select": 5},
        {"condition": "spades(west) == 9"},
        {"condition": SIDES, "n": 1},
        {"condition": SIDES, "select": 277777777777777},
        {"condition": "shape(east, any 5332) && hcp(east) == 34", "n": 1},
        {"condition": "hcp(north) == 3", "select": 8673163632},
        {"condition": "hcp(north) > 37"},
    ],
    "duplicates": [{"files": ("0", "5", "0")}, {"files": ("0", "5"), "up_to": "suits,turns"}],
    "info": [{"files": ("0", "N:AK... - - -")}],
    "rare": [
        {"files": ("12345678901234567890123456789",)},
        {"files": ("0", "N:AKQJ... - - -", '[Board "3"]\n[Deal "' + DEAL + '"]'), "all": True},
        {"files": (DEAL, f'[Board "3"]\n[Deal "{DEAL}"]'), "boards": "3"},
    ],
    "show": [
        {"files": ("0", ENDING)},
        {
            "files": (f'[Board "3"]\n[Deal "{DEAL}"]\n[Contract "4S"]\n[Declarer "N"]',),
            "boards": "3",
        },
    ],
    "solve": [{"files": (ENDING,)}, {"files": (f'[Board "3"]\n[Deal "{ENDING}"]',), "par": True}],
    "deal": [
        {"seed": "7", **each}
        for each in (
            {"n": 3},
            {"condition": BIG, "n": 3, "start": 5, "dealer": "E", "vulnerable": "All"},
            {"condition": BIG, "n": 3, "permuted": True},
            {"condition": BIG, "n": 3, "sorted": True},
            {"condition": "spades(south) >= 5", "n": 3, "weights": ("S: hcp {12-14: 1, 15+: 3}",)},
            {"hands": (HAND,), "play": "W DT D3 D2 DJ SA", "n": 2},
            {"condition": "produce 3\ndealer west\npredeal north SAK\nhcp(south) >= 15"},
            {"condition": "hcp(south) >= 8", "cards": 3, "legal": True, "n": 2},
            {"mix": (f"{BIG} : 1", "hcp(south) == 5 : 1"), "interleave": True, "n": 4},
            {"condition": LEVELLED, "level": ("",), "n": 4},
            {"condition": f"{BIG} && rnd(2)", "n": 2},
            {"condition": "hcp(south) >= 37", "n": 4, "distinct": True},
        )
    ],
    "stats": [{"files": (DEAL, "5")}, {"files": (DEAL,), "given": "spades(north) == 4"}],
    "formats": [{}, {"formats": ("lin", "csv")}, {"formats": ("csv", "dlm"), "survives": True}],
    "situations": [{}, {"words": ("raises", "spade")}, {"words": ("stayman(north=8-9)",)}],
    "shapes": [
        {},
        {"patterns": True},
        {"shapes": "any 4333 + 5xxx", "sort": "probability"},
        {"shapes": "s >= 5 && h >= 5", "patterns": True},
        {"shapes": "s > 13"},
    ],
}


@pytest.fixture(scope="module")
def client() -> Iterator[TestClient]:
    """A client of one application, whose workers are threads; it keeps nothing between requests."""
    from fastapi.testclient import TestClient
    from thread_workers import threaded_application

    from pavcodec.web.settings import Settings

    with TestClient(threaded_application(Settings(rate=0)), base_url="http://localhost") as client:
        yield client


def as_json(value: Any) -> Any:
    return json.loads(json.dumps(value))


ADDRESSES = {"bigdeal": "tournament/bigdeal"}
"""Addresses in the JSON interface that are not the name of the question."""


def by_interface(client: TestClient, name: str, fields: dict[str, Any]) -> Any:
    response = client.post(f"/api/v1/{ADDRESSES.get(name, name)}", json=fields)
    assert response.status_code == 200, response.text
    row = response.json()
    keys = (
        question_named(name).keys if name == "deal" else row.keys() - {"command", "python", "notes"}
    )
    return {key: row[key] for key in keys}


def printed_as_json(question: Question, answer: Answer) -> list[Any]:
    """Return the objects that the command of a question prints."""
    text = run_command(command_of(question), "--json", code=int(answer.is_fault)).decode()
    if question.indent is not None:
        return [json.loads(text)]
    return list(map(json.loads, text.splitlines()))


SERVED = {*SIMPLE, "count", "deal", "odds", "encode", "decode", "identify", "ending", "solve"}
SERVED |= {"bigdeal", "practice"}
"""The questions whose answers the interface has."""


PRINTS_BOARDS = {"practice", "solve"}
"""The questions whose commands print pages and files, and not the lines of a notebook."""


def without_end(text: str, most: int) -> str:
    """Return a text, or its beginning and … for the rest."""
    return text if len(text) <= most else f"{text[:most].rstrip()}…"


def kept_lines(question: Question, answer: Answer) -> list[str]:
    """Return the command of a question, its lines, its notes and its objects, as they are kept."""
    lines = [line.rstrip() for line in answer.lines()]
    lines = [*lines[:MOST_LINES], "…"] if len(lines) > MOST_LINES else lines
    objects = [json.dumps(row, ensure_ascii=False) for row in answer.documents()]
    return [
        "$ " + command_of(question).replace("\n", "⏎"),
        *lines,
        *(f"! {re.sub(r'[0-9.]+ a second', '… a second', note)}" for note in answer.notes),
        *(without_end(text, MOST_LETTERS) for text in objects),
    ]


MOST_LINES, MOST_LETTERS = 60, 4000
FOLDER = Path(__file__).with_name("answers")
KEPT = {
    text.partition("\n")[0]: text
    for path in FOLDER.iterdir()
    for text in re.split(r"\n\n(?=\$ )", path.read_text("utf-8").removesuffix("\n"))
}
"""The lines of answers by their commands, as `PAVCODEC_KEEP=1 pytest` of this file wrote them."""


@pytest.mark.skipif("PAVCODEC_KEEP" not in os.environ, reason="writes the answers that are kept")
def test_answers_are_kept() -> None:
    for name, rows in ASKED.items():
        questions = [question_named(name)(**fields) for fields in rows]
        blocks = ["\n".join(kept_lines(one, one.answer())) for one in questions]
        (FOLDER / f"{name}.txt").write_text("\n\n".join(blocks) + "\n", "utf-8")


HAS_MORE_KEYS = {"info", "formats"}
"""The questions whose keys depend on what a file or a format has."""
TAKE_LONG = {"count", "deal", "ending", "odds", "practice", "rare"}
"""The questions of which only the first row is no slow test."""


def is_slow(name: str, place: int) -> bool:
    is_later = name in TAKE_LONG and place > 0
    return is_later or name in {"stats", "shapes"} or "all" in ASKED[name][place]


@pytest.mark.parametrize(
    ("name", "place"),
    [
        pytest.param(name, place, marks=[pytest.mark.slow] * is_slow(name, place))
        for name, rows in ASKED.items()
        for place in range(len(rows))
    ],
)
def test_every_face_gives_the_answer(client: TestClient, name: str, place: int) -> None:
    """The text, the JSON, Python, the interface and the page, and all of them are what is kept."""
    fields = ASKED[name][place]
    question = question_named(name)(**fields)
    answer = question.answer()
    row, kept = answer.to_dict(), kept_lines(question, answer)
    assert kept == KEPT[kept[0]].split("\n")
    if name not in PRINTS_BOARDS and place < 2:
        printed = run_command(command_of(question), code=int(answer.is_fault)).decode()
        assert printed.split("\n")[:-1] == [*answer.lines()]
    assert printed_as_json(question, answer) == as_json([*answer.documents()])
    assert run_python(call_of(question))[1]["answer"].to_dict() == row
    if name not in HAS_MORE_KEYS:
        rows = row if isinstance(row, list) else [row]
        assert {key for each in rows for key in each} <= question.keys.keys()
    if name in SERVED:
        assert by_interface(client, name, fields) == as_json(row)
    if name in SIMPLE and place < 2:
        page = client.get(f"/ask/{name}", params=fields).text
        shown = unescape(page.partition("<pre")[2].partition(">")[2].partition("</pre>")[0])
        assert shown == (text_of(answer) if fields else "")


@pytest.mark.parametrize("name", ["rare", "show", "stats", "duplicates"])
def test_a_server_opens_nothing(client: TestClient, name: str) -> None:
    for text in ("/etc/passwd", "-", "nothing.pbn", "https://example.com/a.pbn", "."):
        response = client.post(f"/api/v1/{name}", json={"files": [text]})
        assert (response.status_code, text) == (422, text)
        assert response.json()["problem"]["field"] == "files"
    assert client.post(f"/api/v1/{name}", json={}).status_code == 422
    assert client.post(f"/api/v1/{name}", json={"files": ["0"], "workers": 1}).status_code == 422


def test_each_field_is_described() -> None:
    fields = [(name, one) for name in QUESTIONS for one in asks(question_named(name))]
    assert [f"{name}: {each.name}" for name, (each, one) in fields if not one.help] == []


def test_errors_name_fields_that_a_question_has() -> None:
    """A page marks the field, and each face spells the names in braces as it calls them."""
    fields = {one.name for name in QUESTIONS for one, _ in asks(question_named(name))}
    named: set[str] = set()
    for path in Path(pavcodec.questions.__file__).parent.glob("*.py"):
        for call in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(call, ast.Call) and ast.unparse(call.func) == "QuestionError":
                message, *field = call.args
                said = [each.value for each in ast.walk(message) if isinstance(each, ast.Constant)]
                names = [name for text in said for name in re.findall(r"\{(\w+)\}", str(text))]
                names += [each.value for each in field if isinstance(each, ast.Constant)]
                named |= {*names} - {each.arg for each in call.keywords}
    assert len(named) > 60
    assert named <= fields


def test_the_fields_of_encode_that_do_not_go_together() -> None:
    for wrong, field in (({"all": True, "hex": True}, "all"), ({"board": 0}, "board")):
        with pytest.raises(QuestionError) as caught:
            pavcodec.encode(DEAL, **wrong)
        assert caught.value.field == field


class Listener(Asker):
    """Keeps the notes that it hears."""

    def __init__(self) -> None:
        self.heard: list[str] = []

    def note(self, text: str) -> None:
        self.heard.append(text)


def test_who_asks_hears_the_notes_at_once_and_what_waits_at_the_end() -> None:
    with asking(listener := Listener()):
        answer = Odds(event="hcp(north) == 15 or 16").answer()
        assert listener.heard == [*answer.notes] != []
        when_done(lambda: note("last"))
        note("first")
        assert listener.heard == [*answer.notes, "first"]
    assert listener.heard == [*answer.notes, "first", "last"]
    when_done(lambda: note("nobody waits"))
    told = "'16' is always true, whatever the deal; another value is written hcp(north) == 16"
    assert [*answer.notes] == [f"warning: {told}"]


def test_a_notebook_shows_the_lines() -> None:
    answer = Count(condition="hcp(south) > 37").answer()
    assert answer._repr_html_().startswith("<pre>0 deals\n&#x27;hcp(south) &gt; 37")


def test_json_of_lists_is_indented_for_people() -> None:
    for words in ("numberings", "numberings deal", "identify --list", "formats", "shapes"):
        lines = run_command(f"pavcodec {words}", "--json").decode().splitlines()
        assert lines[1].startswith("  "), words


@pytest.mark.parametrize("lines", [1999, 2000, 2001, 2002])
def test_a_page_says_where_it_leaves_lines_out(lines: int) -> None:
    class Long(Answer):
        def lines(self) -> Iterator[str]:
            return map(str, range(lines))

    shown = text_of(Long()).splitlines()
    assert shown[:2000] == list(map(str, range(min(lines, 2000))))
    assert shown[2000:] == ["…"] * (lines > 2000)
