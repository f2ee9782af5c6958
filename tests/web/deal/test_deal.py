"""The page Deal: sets and links, and boards and files that are those of the command."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qs, parse_qsl, urlsplit

import pytest
from pages import Page
from web_commands import run_command, run_python
from web_tasks import content_of

from pavcodec import situation, situation_names
from pavcodec.constraints.language.parser import parse_expression
from pavcodec.constraints.mixes.mixes import joined
from pavcodec.web.tasks.conditions import (
    BuildQuestion,
    CheckQuestion,
    CompleteQuestion,
    build,
    check,
    complete,
)
from pavcodec.web.tasks.deal import (
    COUNT,
    DEAL,
    DealFileQuestion,
    deal_file,
)

if TYPE_CHECKING:
    from pathlib import Path

    from fastapi.testclient import TestClient

STRONG = "hcp(south) >= 20"


def page(client: TestClient, **fields: str) -> Page:
    answer = client.get("/deal", params=fields)
    assert answer.status_code == 200
    return Page(answer.text)


def asked(link: str) -> dict[str, list[str]]:
    """Return the fields of an address."""
    return parse_qs(urlsplit(link).query)


@pytest.mark.slow
def test_without_a_seed_the_server_chooses_one(client: TestClient) -> None:
    answer = client.get("/deal", params={"condition": STRONG, "north": ""}, follow_redirects=False)
    assert answer.status_code == 303
    fields = asked(answer.headers["location"])
    [seed] = fields.pop("seed")
    assert fields == {"condition": [STRONG]}
    found = Page(client.get(answer.headers["location"]).text).boards
    command = f"pavcodec deal '{STRONG}' -n 8 --seed {seed} --to lines"
    assert found == run_command(command).decode().splitlines()
    again = client.get("/deal", params={"condition": STRONG}, follow_redirects=False)
    assert asked(again.headers["location"])["seed"] != [seed]
    script = {"condition": f"seed 5\nproduce 3\n{STRONG}"}
    answer = client.get("/deal", params=script, follow_redirects=False)
    assert asked(answer.headers["location"])["seed"] == ["5"]
    assert len(Page(client.get(answer.headers["location"]).text).boards) == 3


@pytest.mark.slow
def test_boards_are_practised_with_their_condition(client: TestClient) -> None:
    cases: list[tuple[dict[str, str], list[str]]] = [
        ({"condition": STRONG}, [STRONG]),
        ({"condition": "produce 3\nx = hcp(south)\ncondition x >= 20"}, [STRONG]),
        ({"condition": f"{STRONG} weight 2"}, []),
        ({}, []),
    ]
    for fields, topics in cases:
        links = page(client, seed="7", n="1", **fields).links("Practise")
        assert [word for link in links for word in asked(link)["situation"]] == topics
        for link in links:
            assert Page(client.get(link).text).texts("h2")[0].startswith("Board 1 of ")


@pytest.mark.slow
def test_further_boards_continue_the_set(client: TestClient) -> None:
    first = page(client, condition=STRONG, seed="7", n="3")
    [following] = first.links("Next boards")
    second = Page(client.get(following).text)
    assert first.boards + second.boards == page(client, condition=STRONG, seed="7", n="6").boards
    [before] = second.links("Boards before")
    assert Page(client.get(before).text).boards == first.boards
    [again] = second.links("Deal again")
    assert asked(again) == {"condition": [STRONG], "n": ["3"]}


def test_all_situations_are_links_that_deal(client: TestClient) -> None:
    empty = page(client)
    for name in situation_names():
        conditions = [asked(link)["condition"] for link in empty.links(situation(name).title)]
        assert [situation(name).where] in conditions
    [link] = empty.links("Michaels cue bid")
    assert asked(link)["dealer"] == ["E"]


def test_a_form_adds_a_part_and_deals_nothing(client: TestClient) -> None:
    fields = {"condition": "hcp(east) < 5", "add": "1", "whose": "north", "points_from": "12"}
    added = page(client, **fields, spades_from="", balanced="any")
    assert added.fields["condition"] == "hcp(east) < 5 && hcp(north) >= 12"
    assert added.boards == []
    wrong = Page(client.get("/deal?add=1&points_from=12&points_to=3").text)
    [most] = wrong.all("input[@name='points_to']")
    assert (most.get("min"), most.get("max")) == ("0", "40")


@pytest.mark.slow
def test_every_file_of_the_page_is_made(client: TestClient) -> None:
    shown = page(client, seed="7", n="1", south="AKQ2.K85.AJ4.T63")
    assert shown.boards == page(client, hands="S AKQ2.K85.AJ4.T63", seed="7", n="1").boards
    files = [link for link in shown.links() if link.startswith("/deal/file")]
    assert len(files) > 20
    for link in files:
        if "parquet" not in link and "to=pdf" not in link:  # slow to load
            answer = client.get(link)
            assert answer.status_code == 200, link
            assert answer.content
    [pbn] = shown.links("PBN")
    answer = client.get(pbn)
    assert answer.headers["content-disposition"] == 'attachment; filename="deals-7.pbn"'
    assert re.findall(rb'\[Deal "(.*)"', answer.content) == [shown.boards[0].encode()]


SCRIPT = """\
# a fit, with "text" and 'quotes'
produce 3
dealer west
vulnerable EW
predeal north SAK
fit = spades(north) + spades(south)
condition fit >= 8 && hcp(south) >= 15
action printall, average "points" hcp(north)
"""
MIX = "mix hcp(south) >= 20 : 1, hcp(south) >= 17 : 2.5\nproduce 5\ncondition spades(south) >= 5"

MIXED = ["hcp(south) >= 20 : 1", "hcp(south) == 5 : 1"]

QUESTIONS = [
    {"condition": "hcp(south) >= 20", "n": 3, "start": 5, "dealer": "E", "vulnerable": "All"},
    {"condition": SCRIPT, "rotate": True, "n": 2},
    {"condition": MIX},
    {"condition": "seed 12 generate 3 hcp(south) >= 20 && rnd(3) == 0"},
    {"mix": MIXED, "condition": "spades(south) >= 6", "hands": ["W SA"], "interleave": True},
]


def deal(**fields: Any) -> Any:
    return DEAL.work(DEAL.question(**fields))


@pytest.mark.parametrize("fields", QUESTIONS)
def test_boards_are_those_of_the_command_and_of_python(fields: dict[str, Any]) -> None:
    fields = {"seed": "7", **fields}
    answer = deal(**fields)
    printed = run_command(answer.command.replace("pavcodec deal", "pavcodec deal --to pbn", 1))
    file = deal_file(DealFileQuestion(**fields, to="pbn"))
    assert content_of(file) == printed
    assert printed.count(b"[Deal ") == len(answer.boards)
    assert len(answer.boards) in {answer.view["n"], 1}  # 1: 'generate'
    if len(answer.boards) == answer.view["n"]:
        text, _ = run_python(answer.python)
        assert text.splitlines() == [board["deal"] for board in answer.boards]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("options", "fields"),
    [
        ("-n 5000", {"to": "lines", "n": 5000}),
        ("-n 5000", {"to": "pav", "n": 5000}),
        (f"-n 50 --mix '{MIXED[0]}' --mix '{MIXED[1]}'", {"to": "csv", "n": 50, "mix": MIXED}),
        ("-n 2", {"to": "parquet", "n": 2}),
        ("-n 2", {"to": "svg", "n": 2}),
    ],
)
def test_a_file_has_the_bytes_of_the_command(
    options: str, fields: dict[str, Any], tmp_path: Path
) -> None:
    condition = "spades(south) >= 5"
    file = deal_file(DealFileQuestion(condition=condition, seed="7", **fields))
    path = tmp_path / file.name
    run_command(f"pavcodec deal '{condition}' {options} --seed 7 --to {fields['to']} -o {path}")
    assert file.name.startswith("deals-7.")
    assert content_of(file) == path.read_bytes()


@pytest.mark.slow
def test_a_page_shows_the_first_boards_of_a_large_set() -> None:
    answer = deal(mix=MIXED, n=1500, seed="7", interleave=True)
    lines = run_command(f"{answer.command} --to lines").decode().splitlines()
    assert [board["deal"] for board in answer.boards] == lines[:1000]
    assert [board["deal"] for board in answer.view["boards"]] == lines[:36]
    assert answer.view["n"] == len(lines) == 1500
    types = [board["type"] for board in answer.boards]
    assert types.count(1) == types.count(2) == 500


@pytest.mark.slow
def test_what_cannot_be_counted_is_estimated_with_few_deals() -> None:
    four = " && ".join(f"hcp({seat}) + spades({seat}) * hearts({seat}) > 11"
                       for seat in ("north", "east", "south", "west"))  # fmt: skip
    view = COUNT.work(COUNT.question(condition=four)).view
    assert view["lines"][0].startswith("estimated: about ")
    assert view["plan"][0].startswith("plan: what the condition says of ")
    solved = "hcp(south) >= 25 && tricks(south, spades) > 9"
    for fields in ({"condition": solved}, {"mix": [f"{solved} : 1", "hcp(south) < 3 : 1"]}):
        assert "--tries 50" in COUNT.work(COUNT.question(**fields)).command


@pytest.mark.parametrize(
    ("text", "kind", "warnings", "tested"),
    [
        ("", "nothing", 0, 0),
        ("hcp(south) >= 15", "condition", 0, 0),
        ("hcp(south) == 15 or 16", "condition", 1, 0),
        ("hcp(south) >= 15 && rnd(2) && tricks(south, spades) > 9", "condition", 0, 2),
        (SCRIPT, "script", 0, 0),
        ("x = 4\nhcp(south) >= 15", "condition", 0, 0),
    ],
)
def test_a_diagnosis_says_what_is_counted(text: str, kind: str, warnings: int, tested: int) -> None:
    answer = check(CheckQuestion(condition=text))
    assert answer.problem is None
    assert (answer.kind, len(answer.warnings), len(answer.tested)) == (kind, warnings, tested)
    told, _ = run_python(answer.python)
    findings = json.loads(run_command(answer.command, "--json")) if text else []
    assert len(told.splitlines()) == len(findings)
    others = [each for each in findings if each["kind"] in {"refused", "differs"}]
    assert answer.others == [{key: each[key] for key in each if key != "file"} for each in others]


def test_texts_are_diagnosed_and_completed_at_their_place() -> None:
    answer = check(CheckQuestion(condition="hcp(south) >= 15 && hcp(suoth) <= 17"))
    assert answer.problem is not None
    assert (answer.problem.start, answer.problem.end) == (24, 29)
    findings = json.loads(run_command(answer.command, "--json"))
    assert [each["column"] for each in findings] == [25]
    where = situation("stayman").where
    for before, text in (("", where), ("hcp(east) > 3 && ", f"({where})")):
        typed = f"{before}stay"
        [item] = complete(CompleteQuestion(condition=typed, caret=len(typed))).items
        assert (item["kind"], item["label"], item["text"]) == ("situation", "Stayman", text)
    words = complete(CompleteQuestion(condition="hcp(so", caret=6))
    told, _ = run_python(words.python)
    assert all(repr(each["text"]) in told for each in words.items)


BUILT = {
    "hcp(south) >= 12": "points_from=12",
    "hcp(west) <= 7 && spades(west) >= 5": "whose=west&points_to=7&spades_from=5",
    "clubs(south) >= 0 && clubs(south) <= 2": "clubs_from=0&clubs_to=2",
    "hcp(north) + hcp(south) == 25": "whose=north and south&points_from=25&points_to=25",
    "!shape(south, any 4333 + any 4432 + any 5332)": "balanced=unbalanced",
    "hcp(east) < 5 && hcp(south) >= 9": "condition= hcp(east) < 5 &points_from=9",
    "(aces(east) || 0) && hcp(south) >= 9": "condition=aces(east) || 0&points_from=9",
    "(aces(east) ? 1 : 0) && hcp(south) >= 9": "condition=aces(east) ? 1 : 0&points_from=9",
}


@pytest.mark.parametrize("condition", BUILT)
def test_a_form_builds_a_condition(condition: str) -> None:
    question = BuildQuestion.model_validate(dict(parse_qsl(BUILT[condition])))
    answer = build(question)
    assert answer.condition == condition
    built = parse_expression(answer.added)
    whole = [parse_expression(question.condition), built] if question.condition else [built]
    assert joined(*whole) == parse_expression(condition)
