"""The tasks of the page Deal give what the command line and Python give."""

from __future__ import annotations

import json
import pickle
from typing import TYPE_CHECKING, Any

import pytest
from web_commands import run_command, run_python
from web_tasks import content_of

from pavcodec import numbering, situation
from pavcodec.constraints.language.parser import parse_expression
from pavcodec.constraints.mixes.mixes import joined
from pavcodec.formats import format_of
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
    writable,
)

if TYPE_CHECKING:
    from pathlib import Path

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

THREE_HANDS = (
    "hearts(west) == 6 && hcp(west) >= 5 && hcp(west) <= 10 && spades(north) >= 4 && "
    "hcp(north) >= 13 && hcp(south) >= 8"
)
LONG = " || ".join(f"hcp(south) == {points}" for points in range(10, 30))

QUESTIONS = [
    {},
    {"condition": "hcp(south) >= 20"},
    {"condition": "hcp(south) >= 20", "n": 3, "start": 5, "dealer": "E", "vulnerable": "All"},
    {"condition": "-hcp(south) < -25"},
    {"condition": "spades(west) == 9", "seed": "Lisbon, session 3"},
    {"condition": "hcp(south) >= 15", "hands": ["S AKQ2.K85.AJ4.T63", "north: SJ4, HA"]},
    {"condition": "fit = spades(north) + spades(south)\r\nfit >= 10"},
    {"condition": "hcp(south) >= 20 && rnd(2) == 0"},
    {"condition": SCRIPT},
    {"condition": SCRIPT, "rotate": True, "n": 2},
    {"condition": SCRIPT, "dealer": "N", "hands": ["S HAK"]},
    {"condition": "produce 4 dealer east"},
    {"condition": LONG, "n": 2},
    {"condition": THREE_HANDS, "n": 2},
    {"condition": f"condition {LONG}", "n": 2},
    {"condition": MIX},
    {"condition": "seed 12 generate 3 hcp(south) >= 12 && rnd(3) == 0"},
    {"condition": "hcp(south) >= 12 weight S: hcp {12-14: 1, 15+: 3}"},
    {"mix": ["hcp(south) >= 20 : 1", "hcp(south) >= 17 : 2.5"]},
    {"condition": "hcp(south) >= 20", "n": 3, "sorted": True},
    {"condition": "hcp(south) >= 20", "n": 3, "permuted": True, "start": 2},
    {"condition": "spades(south) >= 5", "weights": ["S: hcp {12-14: 1, 15+: 3}"], "n": 2},
    {"mix": ["hcp(south) >= 20", "hcp(north) >= 20"], "condition": "spades(south) >= 6"},
    {
        "mix": ["hcp(south) >= 20 : 1", "aces(south) == 3 : 1"],
        "interleave": True,
        "hands": ["W SA"],
    },
    {"mix": ["hcp(south) >= 20 && rnd(2) : 1", "hcp(south) == 19 : 1"]},
]


def deal(**fields: Any) -> Any:
    return DEAL.work(DEAL.question(**fields))


def is_slow(fields: object) -> bool:
    return "rnd(" in str(fields) or THREE_HANDS in str(fields)


PARAMETERS = [
    pytest.param(fields, id=str(place), marks=[pytest.mark.slow] if is_slow(fields) else [])
    for place, fields in enumerate(QUESTIONS)
]


@pytest.mark.parametrize("fields", PARAMETERS)
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


@pytest.mark.parametrize(
    "target",
    [
        pytest.param(each.name, marks=[pytest.mark.slow] if each.name == "parquet" else [])
        for each in writable()
    ],
)
def test_a_file_of_any_format_has_the_bytes_of_the_command(target: str, tmp_path: Path) -> None:
    """Archives, tables and pictures as well: the command writes them into a file."""
    question = DealFileQuestion(condition="hcp(south) >= 20", n=2, seed="7", to=target)
    file = deal_file(question)
    path = tmp_path / file.name
    run_command(f"pavcodec deal 'hcp(south) >= 20' -n 2 --seed 7 --to {target} -o {path}")
    assert content_of(file) == path.read_bytes()
    assert file.name.isascii()
    assert file.name.startswith("deals-7.")


@pytest.mark.slow
@pytest.mark.parametrize("target", ["pbn", "lines", "lin", "parquet", "pav", "csv"])
@pytest.mark.parametrize("mix", [[], ["hcp(south) >= 20 : 1", "hcp(south) >= 17 : 2.5"]])
def test_a_large_file_has_the_bytes_of_the_command(
    target: str, mix: list[str], tmp_path: Path
) -> None:
    question = DealFileQuestion(
        condition="spades(south) >= 5", n=5000, seed="7", to=target, mix=mix
    )
    path = tmp_path / "deals"
    types = " ".join(f"--mix '{text}'" for text in mix)
    command = f"pavcodec deal 'spades(south) >= 5' {types} -n 5000 --seed 7 --to {target} -o {path}"
    run_command(command)
    assert content_of(deal_file(question)) == path.read_bytes()


@pytest.mark.parametrize("layout", ["slips", "players"])
def test_pages_of_a_layout_are_those_of_the_commands(layout: str, tmp_path: Path) -> None:
    fields = {"condition": "hcp(south) >= 20", "n": 4, "seed": "7", "to": "html"}
    file = deal_file(DealFileQuestion(**fields, layout=layout))
    run_command(f"pavcodec deal 'hcp(south) >= 20' -n 4 --seed 7 -o {tmp_path}/deals.pbn")
    path = tmp_path / file.name
    run_command(f"pavcodec print {tmp_path}/deals.pbn --layout {layout} -o {path}")
    assert content_of(file) == path.read_bytes()


@pytest.mark.slow
def test_boards_of_a_page_are_the_first_of_a_large_set() -> None:
    answer = deal(condition="hcp(south) >= 20", n=1500, seed="7")
    lines = run_command(f"{answer.command} --to lines").decode().splitlines()
    assert [board["deal"] for board in answer.boards] == lines[:1000]
    assert [board["deal"] for board in answer.view["boards"]] == lines[:36]
    assert answer.view["n"] == len(lines) == 1500


def test_a_seed_is_chosen_where_there_is_none() -> None:
    first, second = (deal(condition="hcp(south) >= 20", n=1) for _ in range(2))
    assert first.seed != second.seed
    again = deal(condition="hcp(south) >= 20", n=1, seed=first.seed)
    assert again.boards == first.boards


def test_boards_have_their_types_in_an_even_order() -> None:
    mix = ["hcp(south) >= 20 : 1", "hcp(south) == 5 : 1"]
    answer = deal(mix=mix, n=10, seed="7", interleave=True)
    assert sorted(board["type"] for board in answer.boards) == [1] * 5 + [2] * 5
    for board, view in zip(answer.boards, answer.view["boards"], strict=True):
        assert view["deal"] == board["deal"]
        assert (view["hands"]["S"]["points"] >= 20) == (board["type"] == 1)


@pytest.mark.slow
def test_a_condition_that_is_too_large_has_a_plan_in_words() -> None:
    four = " && ".join(f"hcp({seat}) + spades({seat}) * hearts({seat}) > 11"
                       for seat in ("north", "east", "south", "west"))  # fmt: skip
    view = COUNT.work(COUNT.question(condition=four)).view
    assert view["lines"][0].startswith("estimated: about ")
    assert view["plan"][0].startswith("plan: what the condition says of ")


@pytest.mark.slow
def test_few_deals_are_solved_for_an_estimate() -> None:
    for fields in (
        {"condition": "hcp(south) >= 25 && tricks(south, spades) > 9"},
        {"mix": ["hcp(south) >= 25 && tricks(south, spades) > 9 : 1", "hcp(south) < 3 : 1"]},
    ):
        answer = COUNT.work(COUNT.question(**fields))
        assert "--tries 50" in answer.command


def test_a_text_is_diagnosed_at_its_place() -> None:
    answer = check(CheckQuestion(condition="hcp(south) >= 15 && hcp(suoth) <= 17"))
    assert answer.problem is not None
    assert (answer.problem.start, answer.problem.end) == (24, 29)
    assert "did you mean 'south'" in answer.problem.message
    findings = json.loads(run_command(answer.command, "--json"))
    assert [each["column"] for each in findings] == [25]


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


def test_situations_complete_a_typed_word() -> None:
    items = complete(CompleteQuestion(condition="stay", caret=4)).items
    assert [(each["kind"], each["label"]) for each in items] == [("situation", "Stayman")]
    assert items[0]["text"] == situation("stayman").where
    text = "hcp(east) > 3 && stay"
    [item] = complete(CompleteQuestion(condition=text, caret=len(text))).items
    assert item["text"] == f"({situation('stayman').where})"


def test_completion_in_python_has_the_same_words() -> None:
    answer = complete(CompleteQuestion(condition="hcp(so", caret=6))
    told, _ = run_python(answer.python)
    assert all(repr(each["text"]) in told for each in answer.items)


def test_questions_and_answers_travel_to_workers() -> None:
    question = DEAL.question(condition=SCRIPT, seed="7")
    answer = DEAL.work(pickle.loads(pickle.dumps(question)))
    assert pickle.loads(pickle.dumps(answer)) == answer
    counted = COUNT.question(condition=SCRIPT)
    assert pickle.loads(pickle.dumps(counted)) == counted
    first = answer.boards[0]
    assert numbering("deal").unrank(int(first["number"])).to_pbn() == first["deal"]


def test_every_format_that_is_written_without_tricks_is_offered() -> None:
    names = [each.name for each in writable()]
    assert {"pbn", "lin", "dup", "dlm", "bri", "dge", "csv", "json", "parquet", "npy"} <= set(names)
    assert not any(format_of(name).needs_tricks for name in names)


BUILT = [
    ({"points_from": 12}, "hcp(south) >= 12"),
    ({"whose": "west", "points_to": 7, "spades_from": 5}, "hcp(west) <= 7 && spades(west) >= 5"),
    ({"hearts_from": 4, "hearts_to": 4}, "hearts(south) == 4"),
    ({"clubs_from": 0, "clubs_to": 2}, "clubs(south) >= 0 && clubs(south) <= 2"),
    (
        {"whose": "north and south", "points_from": 25, "points_to": 27},
        "hcp(north) + hcp(south) >= 25 && hcp(north) + hcp(south) <= 27",
    ),
    (
        {"balanced": "unbalanced", "points_from": 16},
        "hcp(south) >= 16 && !shape(south, any 4333 + any 4432 + any 5332)",
    ),
    ({"condition": " hcp(east) < 5 ", "points_from": 9}, "hcp(east) < 5 && hcp(south) >= 9"),
    (
        {"condition": "aces(east) || kings(east)", "points_from": 9},
        "(aces(east) || kings(east)) && hcp(south) >= 9",
    ),
    (
        {"condition": "aces(east) ? 1 : 0", "points_from": 9},
        "(aces(east) ? 1 : 0) && hcp(south) >= 9",
    ),
]


@pytest.mark.parametrize(("fields", "condition"), BUILT)
def test_a_form_builds_a_condition(fields: dict[str, object], condition: str) -> None:
    question = BuildQuestion.model_validate(fields)
    answer = build(question)
    assert answer.condition == condition
    built = parse_expression(answer.added)
    whole = [parse_expression(question.condition), built] if question.condition else [built]
    assert joined(*whole) == parse_expression(condition)
