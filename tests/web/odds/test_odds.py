"""The page Odds: its limits, files, drawings, short forms; `answers.txt` has what it shows."""

from __future__ import annotations

import csv
import io
import json
from fractions import Fraction
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qs, urlsplit
from xml.etree import ElementTree

import pytest
from pages import Page
from web_commands import run_command
from web_tasks import content_of

import pavcodec as pav
from pavcodec.errors import PavError
from pavcodec.web.tasks import odds as answering
from pavcodec.web.tasks.odds import ODDS, OddsFile, make_odds_file

if TYPE_CHECKING:
    from fastapi.testclient import TestClient

NINE = "spades(north) + spades(south) == 9"
TOO_LARGE = (
    "shape(north, any 4333) + shape(south, any 4432) + shape(east, any 5332) >= 1 "
    "&& hcp(north) > hcp(south) + controls(west) && losers(east) + losers(west) == 12"
)
PAIR = {"event": "aces(north)", "second": "kings(north)", "given": "hcp(north) == 12"}


def asked(**fields: Any) -> Any:
    return ODDS.work(ODDS.question(**fields))


@pytest.mark.slow
def test_what_is_too_large_is_an_estimate_that_says_why_or_refused(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    large = asked(event="hcp(east) >= 10", given=TOO_LARGE)
    assert not large.view["exact"]
    assert large.estimate["tried"] == 10_000
    assert "so this is an estimate from 10,000 random deals" in large.notes[-1]
    values = len(pav.distribution("aces(north)", "kings(north)", given=PAIR["given"]))
    monkeypatch.setattr(answering, "MOST_VALUES", values)
    assert asked(**PAIR).view["kind"] == "pair"
    monkeypatch.setattr(answering, "MOST_VALUES", values - 1)
    with pytest.raises(PavError, match=f"there are {values} pairs of values, and"):
        asked(**PAIR)


def file_of(**fields: Any) -> str:
    download = make_odds_file(OddsFile(**fields))
    assert download.name == f"odds.{fields['to']}"
    return content_of(download).decode()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("fields", "heads"),
    [
        ({"event": "spades(east) == 2", "given": NINE}, "event probability decimal"),
        (PAIR, "aces(north) kings(north) deals probability decimal"),
        (
            {"event": "aces(north)", "weights": ("N: hcp {37: 1}",)},
            "aces(north) weight probability decimal",
        ),
        (
            {"event": "aces(north)", "simulate": 20, "seed": "7"},
            "aces(north) deals estimate from to",
        ),
    ],
)
def test_files_are_those_of_the_command(fields: dict[str, Any], heads: str) -> None:
    command = asked(**fields).command
    assert file_of(**fields, to="json") == run_command(command, "--json").decode()
    table = file_of(**fields, to="csv")
    assert table == run_command(command, "--csv").decode()
    first, *rows = csv.reader(io.StringIO(table))
    assert first == heads.split()
    if "probability" in first and len(rows) > 1:
        assert sum(Fraction(row[first.index("probability")]) for row in rows) == 1
        assert len(json.loads(file_of(**fields, to="json"))["values"]) == len(rows)


def marks(tag: str, **fields: Any) -> list[ElementTree.Element]:
    """Return the marks of a drawing."""
    root = ElementTree.fromstring(file_of(**fields, to="svg"))  # noqa: S314 (our own drawing)
    return [*root.iter(f"{{http://www.w3.org/2000/svg}}{tag}")]


@pytest.mark.slow
def test_drawings_have_a_bar_for_each_value_and_a_cell_for_each_pair() -> None:
    bars = marks("rect", event="spades(east)", given=NINE)
    widths = [float(each.get("width", "")) for each in bars]
    shares = pav.distribution("spades(east)", given=NINE).values()
    assert [round(each / max(widths), 3) for each in widths] == [
        round(float(each / max(shares)), 3) for each in shares
    ]
    heats = [each.get("class") for each in marks("rect", **PAIR)]
    assert len(heats) == len(pav.distribution("aces(north)", "kings(north)", given=PAIR["given"]))
    assert "heat-9" in heats
    assert asked(**PAIR).view["map"].count("<rect") == len(heats)
    [title] = marks("title", event="spades(east)", given="hcp(north) < 5 && hcp(south) < 9")
    assert title.text == "spades(east) with hcp(north) < 5 && hcp(south) < 9"


SHORT = {
    "/odds/breaks?suit=hearts&missing=5&other=spades&west=6": {
        "event": "hearts(west)",
        "given": "hearts(north) + hearts(south) == 8 && spades(west) == 6",
    },
    "/odds/partner?hand=AKQ2.K85.AJ4.T63&what=majors&shown=hcp(north) >= 12": {
        "event": "spades(north)",
        "second": "hearts(north)",
        "given": "hcp(north) >= 12",
        "south": "AKQ2.K85.AJ4.T63",
    },
}


@pytest.mark.slow
def test_the_page_keeps_the_question_and_shows_examples(client: TestClient) -> None:
    fields = {"event": "spades(east) == 2", "south": "SAKQ2", "played": "W S9", "shown_out": "W S"}
    page = Page(client.get("/odds", params=fields).text)
    assert fields.items() <= page.fields.items()
    empty = Page(client.get("/odds").text)
    examples = [each.get("href", "") for each in empty.all("li/a") if "?" in each.get("href", "")]
    assert len(examples) == 9
    for address in examples:
        answer = Page(client.get(address).text).answer
        assert any(line.startswith("Counted, not sim") for line in answer)


def test_short_forms_become_questions(client: TestClient) -> None:
    for address, fields in SHORT.items():
        response = client.get(address, follow_redirects=False)
        assert response.status_code == 303
        found = parse_qs(urlsplit(response.headers["location"]).query)
        assert found == {name: [text] for name, text in fields.items()}
