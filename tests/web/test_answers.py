"""What pages show of answers and of refusals, line by line and cell by cell, as it is kept."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import quote, urlencode

import pytest
from pages import Page, Problem

if TYPE_CHECKING:
    from fastapi.testclient import TestClient

NINE = "spades(north) + spades(south) == 9"
HAND = "AKQ2.K85.AJ4.T63"
DEAL = "N:9642.95.AKQT4.K7 KJ3.K3.98.T98654 AQT85.Q862..AQJ2 7.AJT74.J76532.3"
STRONG = "hcp(south) >= 20"
LEGAL = "N:AT.A.A. K.K.K.K Q.Q.Q.Q J.J.J.J"
ILLEGAL = "N:A.A.A.A K.K.K.K Q.Q.Q.Q J.J.J.J"
BY_TRUMPS = "N:Q94.KQ9542.82. 86532..A53.653 ..KQ9.AKQJT942 AKT7.JT863.J7."
IN_TRICK = "N:A..2. K... Q... J..4."
SEED = "000102030405060708090a0b0c0d0e0f10111213"
SET = {"situation": "two-clubs", "n": 3, "seed": 7}
ASKED: list[tuple[str, dict[str, object]]] = [
    ("/odds", {"event": "spades(east) == 2", "given": NINE}),
    ("/odds", {"event": "spades(west)", "given": NINE}),
    ("/odds", {"event": "spades(east)", "given": f"{NINE} && hearts(west) == 6"}),
    ("/odds", {"event": "spades(north)", "given": "spades(east) + spades(west) == 8"}),
    ("/odds", {"event": "hcp(north)", "given": "hcp(south) >= 34"}),
    ("/odds", {"event": "spades(west)", "given": "spades(north) == 9"}),
    ("/odds", {"event": "aces(north)", "second": "kings(north)", "given": "hcp(north) == 12"}),
    ("/odds", {"event": "aces(north) == 1", "simulate": 100, "seed": 7}),
    ("/odds", {"event": "aces(north)", "simulate": 100}),
    ("/odds", {"event": "spades(east) == 2", "south": "SAKQ2", "played": "W S9"}),
    ("/odds", {"event": "spades(east)", "south": HAND, "shown_out": "W S"}),
    ("/odds/breaks", {"suit": "hearts", "missing": 5, "other": "spades", "west": 6, "east": 2}),
    ("/odds/partner", {"hand": HAND, "what": "majors", "shown": "hcp(north) >= 20"}),
    ("/number", {"text": DEAL}),
    ("/number", {"number": 5}),
    ("/number", {"number": 53644737765488792839237439999}),
    ("/number", {"number": 5, "numbering": "andrews"}),
    ("/number", {"text": "1", "numbering": "andrews", "one_based": 1}),
    ("/number", {"text": "0", "numbering": "andrews", "one_based": "false"}),
    ("/number", {"text": f"{12345678901234567890123456789:,}"}),
    ("/number", {"text": "gjacljgkbedpjpaadglmfnnhmk007"}),
    ("/number", {"text": f'[Board "7"]\n[Deal "{DEAL}"]\n\n[Board "8"]\n[Deal "N:AK"]\n'}),
    ("/number", {"south": "AKQJT98765432..."}),
    ("/number", {"text": LEGAL}),
    ("/ending", {"text": LEGAL}),
    ("/ending", {"text": ILLEGAL}),
    ("/ending", {"text": BY_TRUMPS}),
    ("/ending", {"text": BY_TRUMPS, "denomination": "NT"}),
    ("/ending", {"text": IN_TRICK, "table": "H3,H2"}),
    ("/ending", {"text": IN_TRICK}),
    ("/ending", {"number": 5, "text": "hello"}),
    ("/ending", {"north": "A...", "east": "K...", "south": "Q...", "west": "J..."}),
    ("/deal", {"condition": STRONG, "seed": 7, "n": 2}),
    ("/deal", {"seed": 7, "n": 2}),
    ("/deal", {"condition": STRONG, "north": "SAKQ", "seed": 7, "n": 1, "start": 3}),
    ("/deal", {"condition": f"{STRONG} weight 2", "seed": 7, "n": 1}),
    ("/deal", {"type": [STRONG, "hcp(south) == 5"], "weight": [30, 70], "seed": 7, "n": 3}),
    ("/practice", {**SET, "seat": "N", "board": 2}),
    ("/practice", {**SET, "seat": "S", "board": 2}),
    ("/practice", {"situation": [STRONG, "stayman(south=12-14)=2"], "n": 2, "seed": 7}),
    ("/tournament/bigdeal", {"owner": "me", "boards": "2", "seed": SEED}),
    ("/tournament/bigdeal", {"owner": "me", "boards": "2", "seed": SEED, "show": 1}),
]
KEPT_IN = Path(__file__).with_name("answers.txt")


def shown(client: TestClient, address: str, fields: dict[str, object]) -> list[str]:
    """Return the address of a page, and the lines of its answer."""
    answer = client.get(address, params=urlencode(fields, doseq=True))
    assert answer.status_code == 200
    asked = urlencode(fields, doseq=True, quote_via=quote, safe="()<>=&+: '\"[],.")
    return [f"$ {address}?{asked}", *Page(answer.text).answer]


@pytest.mark.skipif("PAVCODEC_KEEP" not in os.environ, reason="writes the answers that are kept")
def test_answers_are_kept(client: TestClient) -> None:
    blocks = ["\n".join(shown(client, *each)) for each in ASKED]
    KEPT_IN.write_text("\n\n".join(blocks) + "\n", "utf-8")


KEPT = KEPT_IN.read_text("utf-8").removesuffix("\n").split("\n\n") if KEPT_IN.exists() else []


@pytest.mark.slow
@pytest.mark.parametrize("place", range(len(ASKED)), ids=lambda place: f"{ASKED[place]}"[:60])
def test_a_page_shows_its_answer(client: TestClient, place: int) -> None:
    assert shown(client, *ASKED[place]) == KEPT[place].split("\n")


TABLE = Path(__file__).with_name("refused.txt").read_text(encoding="utf-8")
ROWS = [row for row in TABLE.splitlines() if row and not row.startswith("#")]


def refused(client: TestClient, question: str) -> Problem:
    """Return the problem of a page, or that of the interface."""
    if question.startswith("/"):
        path, _, query = question.partition("?")
        fields = [each.partition("=")[::2] for each in re.split(r"(?<!&)&(?!&)", query)]
        answer = client.get(f"{path}?{urlencode(fields)}")
        assert all(value not in answer.text for _, value in fields if "<" in value)
        [problem] = Page(answer.text).problems
    else:
        name, _, text = question.partition(" ")
        answer = client.post(f"/api/v1/{name}", json=json.loads(text))
        found = answer.json()["problem"]
        marked = slice(found["start"], found["end"]) if found["start"] is not None else slice(0)
        problem = Problem(found["field"] or "", found["message"], (found["source"] or "")[marked])
    assert answer.status_code == 422
    return problem


@pytest.mark.parametrize("row", ROWS)
def test_a_problem_stands_in_its_place(client: TestClient, row: str) -> None:
    question, _, told = row.partition(" ⇒ ")
    place, _, rest = told.partition(": ")
    message, _, marked = rest.removesuffix("]").partition(" [")
    found = refused(client, question)
    assert (found.place, found.marked) == (place, marked)
    assert found.message.startswith(message.removesuffix("…"))
    assert message.endswith("…") or found.message == message
