"""Odds for a server: what a page draws of an answer, its problems, and its files."""

from __future__ import annotations

import csv
import io
import json
from fractions import Fraction
from typing import Any
from xml.etree import ElementTree

import pytest
from same_support import printed_by

from pavcodec.errors import PavError
from pavcodec.web.tasks import odds as answering
from pavcodec.web.tasks.exact import Chance, Estimate
from pavcodec.web.tasks.odds import (
    ODDS,
    OddsFile,
    OddsQuestion,
    OddsView,
    heat_map,
    make_odds_file,
)
from pavcodec.web.tasks.problem import problem_of

HAND = "S AKQ2.K85.AJ4.T63"
NINE = "spades(north) + spades(south) == 9"
TOO_LARGE = (
    "shape(north, any 4333) + shape(south, any 4432) + shape(east, any 5332) >= 1 "
    "&& hcp(north) > hcp(south) + controls(west) && losers(east) + losers(west) == 12"
)
QUESTIONS: dict[str, dict[str, Any]] = {
    "event": {"event": "spades(east) == 2", "given": NINE},
    "never": {"event": "spades(east) == 5", "given": NINE},
    "number": {"event": "spades(east)", "given": NINE},
    "hand": {"event": "hcp(north)", "hands": (HAND,)},
    "played": {"event": "spades(east)", "hands": (HAND,), "played": ("E S93",)},
    "out": {"event": "spades(east)", "hands": (HAND,), "shown_out": ("W: spades",)},
    "pair": {"event": "aces(north)", "second": "kings(north)", "given": "hcp(north) == 12"},
    "weights": {
        "event": "spades(north) == 5",
        "given": "spades(north) >= 5",
        "weights": ("N: hcp {11: 1, 12-15: 3}",),
    },
    "weights of all": {"event": "aces(north)", "weights": ("N: hcp {37: 1}", "2")},
    "estimate": {"event": "aces(north)", "simulate": 50, "seed": "7"},
    "estimate of a pair": {
        "event": "aces(north)",
        "second": "kings(south)",
        "simulate": 50,
        "seed": "Lisbon",
    },
    "quotes": {"event": "spades(east) == 2 // isn't it\n", "given": NINE},
}


def answer_odds(**fields: Any) -> OddsView:
    view: OddsView = ODDS.work(OddsQuestion(**fields)).view
    return view


def test_an_event_has_its_fraction_and_its_odds() -> None:
    answer = answer_odds(event="spades(east) == 2", given=NINE)
    assert answer.model_dump(mode="json")["chance"] == {
        "exact": "234/575",
        "decimal": "0.406956521739",
        "percent": "40.7 %",
        "chances": "1 in 2.457",
    }
    assert answer.odds == "1.457 to 1 against"
    never = answer_odds(event="spades(east) == 5", given=NINE)
    assert isinstance(never.chance, Chance)
    assert str(never.chance.exact) == "0"
    assert never.chance.chances == "never"
    assert never.odds is None


def test_a_number_has_all_values_with_chances_that_add_up() -> None:
    answer = answer_odds(event="spades(east)", given=NINE)
    assert [each.value for each in answer.values] == [(0,), (1,), (2,), (3,), (4,)]
    chances = [each.chance for each in answer.values]
    assert sum(each.exact for each in chances if isinstance(each, Chance)) == 1
    assert answer.total == sum(each.deals or 0 for each in answer.values)
    assert answer.average is not None
    assert answer.average.mean == Fraction(2)
    assert isinstance(answer.total, int)


@pytest.mark.slow
def test_what_cannot_be_counted_is_an_estimate_that_says_why() -> None:
    drawn = ODDS.work(OddsQuestion(event="rnd(6) == 5"))
    assert not drawn.view.exact
    assert isinstance(drawn.view.chance, Estimate)
    assert "rnd is tested deal by deal" in drawn.notes[0]
    large = ODDS.work(OddsQuestion(event="hcp(east) >= 10", given=TOO_LARGE))
    assert isinstance(large.view.chance, Estimate)
    assert large.view.chance.tried == 10_000
    assert "so this is an estimate from 10,000 random deals" in large.notes[-1]


def test_warnings_come_with_the_answer() -> None:
    answer = ODDS.work(OddsQuestion(event="hcp(north) == 15 or 16"))
    assert answer.notes == ("warning: '16' is always true, whatever the deal",)


PROBLEMS: list[tuple[dict[str, Any], str, str]] = [
    ({"event": "hcp(nroth)"}, "event", "did you mean 'north'?"),
    ({"event": "hcp(north)", "second": "hcp("}, "second", "expected"),
    ({"event": "hcp(north)", "given": "hpc(south) > 3"}, "given", "did you mean 'hcp'?"),
    ({"event": "hcp(north)", "given": "hcp(north) > 40"}, "given", "is never true"),
    ({"event": "hcp(north)", "hands": ("AKQ",)}, "hands", "expected a seat"),
    ({"event": "hcp(north)", "hands": ("S SA", "E SA")}, "hands", "SA is in two hands"),
    ({"event": "hcp(north)", "hands": ("S SA", "S SK")}, "hands", "S occurs twice"),
    ({"event": "hcp(north)", "played": ("X SA",)}, "played", "'X'"),
    ({"event": "hcp(north)", "hands": ("S SA",), "played": ("E SA",)}, "hands", "East plays SA"),
    ({"event": "hcp(north)", "shown_out": ("E rubies",)}, "shown_out", "rubies"),
    ({"event": "hcp(north)", "weights": ("N: hpc {3: 1}",)}, "weights", "hpc"),
    ({"event": "hcp(north)", "simulate": 5, "seed": "9" * 40}, "seed", "seed"),
]


@pytest.mark.parametrize(("fields", "field", "words"), PROBLEMS)
def test_problems_name_their_field(fields: dict[str, Any], field: str, words: str) -> None:
    with pytest.raises(PavError) as caught:
        answer_odds(**fields)
    problem = problem_of(caught.value)
    assert problem.field == field
    assert words in problem.message


def file_of(question: OddsFile) -> str:
    download = make_odds_file(question)
    assert download.name == f"odds.{question.to}"
    return b"".join(download.chunks).decode()


@pytest.mark.parametrize("name", QUESTIONS)
def test_the_json_file_is_that_of_the_command(name: str) -> None:
    answer = ODDS.work(OddsQuestion(**QUESTIONS[name]))
    row = json.loads(printed_by(answer.command, "--json"))
    assert json.loads(file_of(OddsFile(**QUESTIONS[name], to="json"))) == row


def test_the_table_has_a_row_for_each_value() -> None:
    rows = list(csv.reader(io.StringIO(file_of(OddsFile(event="spades(east)", given=NINE)))))
    assert rows[0] == ["spades(east)", "deals", "probability", "decimal"]
    assert [row[0] for row in rows[1:]] == ["0", "1", "2", "3", "4"]
    assert sum(Fraction(row[2]) for row in rows[1:]) == 1
    pair = list(csv.reader(io.StringIO(file_of(OddsFile(**QUESTIONS["pair"])))))
    assert pair[0][:2] == ["aces(north)", "kings(north)"]
    event = list(csv.reader(io.StringIO(file_of(OddsFile(**QUESTIONS["event"])))))
    assert event[1] == ["spades(east) == 2", "234/575", "0.406956521739"]
    estimate = list(csv.reader(io.StringIO(file_of(OddsFile(**QUESTIONS["estimate"])))))
    assert estimate[0] == ["aces(north)", "deals", "estimate", "from", "to"]


def parsed(text: str) -> ElementTree.Element:
    return ElementTree.fromstring(text)  # noqa: S314 (our own drawing)


SVG = "{http://www.w3.org/2000/svg}"


def test_the_drawing_has_a_bar_for_each_value_in_proportion() -> None:
    root = parsed(file_of(OddsFile(event="spades(east)", given=NINE, to="svg")))
    widths = [float(each.get("width", "")) for each in root.iter(f"{SVG}rect")]
    chances = answer_odds(event="spades(east)", given=NINE).values
    shares = [each.chance.exact for each in chances if isinstance(each.chance, Chance)]
    assert [round(each / max(widths), 3) for each in widths] == [
        round(float(each / max(shares)), 3) for each in shares
    ]


def test_the_heat_map_has_a_cell_for_each_pair() -> None:
    answer = answer_odds(**QUESTIONS["pair"])
    root = parsed(file_of(OddsFile(**QUESTIONS["pair"], to="svg")))
    heats = [each.get("class") for each in root.iter(f"{SVG}rect")]
    assert len(heats) == len(answer.values)
    assert "heat-9" in heats
    inline = parsed(heat_map(answer))
    assert [each.get("class") for each in inline.iter("rect")] == heats


def test_a_drawing_escapes_what_the_user_wrote() -> None:
    answer = answer_odds(event="spades(east)", given=NINE)
    hostile = answer.model_copy(update={"titles": ("<script>alert(1)</script>",)})
    from pavcodec.web.tasks.odds import draw

    assert "<script" not in draw(hostile.model_copy(update={"given": "a < b & c"}))


def test_an_event_has_no_drawing() -> None:
    with pytest.raises(PavError, match="no drawing"):
        make_odds_file(OddsFile(**QUESTIONS["event"], to="svg"))


def test_an_answer_has_a_limit_of_values(monkeypatch: pytest.MonkeyPatch) -> None:
    values = len(answer_odds(**QUESTIONS["pair"]).values)
    monkeypatch.setattr(answering, "MOST_VALUES", values)
    assert len(answer_odds(**QUESTIONS["pair"]).values) == values
    monkeypatch.setattr(answering, "MOST_VALUES", values - 1)
    with pytest.raises(PavError, match=f"there are {values} pairs of values, and"):
        answer_odds(**QUESTIONS["pair"])
