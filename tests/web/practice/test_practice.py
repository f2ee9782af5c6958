"""The page Practice: sets and their addresses, boards, files; `answers.txt` has what it shows."""

from __future__ import annotations

import shlex
from inspect import signature
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qs, urlsplit

import pytest
from pages import Page
from web_commands import run_command, run_python
from web_tasks import content_of

import pavcodec as pav
from pavcodec.errors import PavError
from pavcodec.web.tasks.practice import PRACTICE, PRACTICE_FILE

if TYPE_CHECKING:
    from pathlib import Path

    from fastapi.testclient import TestClient

SET = "situation=two-clubs&n=3&seed=7"
OWN = "hcp(south) >= 20"
SETS: list[tuple[str, dict[str, Any]]] = [
    ("pbn", {"situations": ("stayman(north=8-9)=2", f"{OWN} : 1"), "n": 3, "seed": "7"}),
    (
        "html",
        {
            "situations": ("two-clubs=2", "gambling-notrump=1/2"), "n": 3, "seed": "Club 'x'",
            "hands": "EW", "turn": True, "start": 5, "solve": True,
        },
    ),
    ("text", {"situations": ("weak-two-hearts",), "n": 1, "seed": "0012", "turn": True}),
]  # fmt: skip


def practice(**fields: Any) -> Any:
    """Return the answer of the task; its keys are those of the command."""
    return PRACTICE.work(PRACTICE.question(**fields))


def saved(**fields: Any) -> Any:
    """Return the file of a set."""
    return PRACTICE_FILE.work(PRACTICE_FILE.question(**fields))


@pytest.mark.slow
@pytest.mark.parametrize(("to", "given"), SETS)
def test_a_file_is_that_of_the_command(tmp_path: Path, to: str, given: dict[str, Any]) -> None:
    file, answer = saved(**given, to=to, paper="letter"), practice(**given)
    path = tmp_path / file.name
    run_command(f"{answer.command} -o {shlex.quote(str(path))} --paper letter")
    assert path.read_bytes() == content_of(file)
    _, names = run_python(answer.python)
    assert names["answer"].to_dict()["boards"] == answer.model_dump()["boards"]
    assert bool(answer.view["boards"][0]["board"]["tricks"]) == ("solve" in given)


@pytest.mark.slow
def test_a_board_of_a_set_is_that_of_the_whole_set() -> None:
    given: dict[str, Any] = {"situations": ("two-clubs", "preempt=2"), "n": 3, "seed": "7"}
    whole = practice(**given, turn=True)
    for number in (1, 2, 3):
        one = practice(**given, turn=True, board=number)
        assert one.view["boards"] == whole.view["boards"][number - 1 : number]
        assert one.view["whole"] == whole.view["whole"]
        assert one.boards == whole.boards[number - 1 : number]
    with pytest.raises(PavError, match="no board 4"):
        practice(**given, board=4)


def test_a_new_set_gets_a_seed_and_a_short_address(client: TestClient) -> None:
    points = {"p-stayman-south": "12-14", "p-stayman-north": " "}
    cases: list[tuple[list[str], dict[str, str]]] = [
        (["two-clubs=2", "stayman"], {"w-two-clubs": "2", "w-stayman": "1", "w-preempt": "0"}),
        (["two-clubs", "stayman"], {"w-two-clubs": "3", "w-stayman": "3"}),
        (["stayman", OWN], {"condition": OWN, "w-stayman": "1"}),
        (["stayman(south=12-14)"], {"w-stayman": "1", **points}),
    ]
    for topics, asked in cases:
        fields = {**asked, "n": "4", "seed": ""}
        answer = client.get("/practice", params=fields, follow_redirects=False)
        assert answer.status_code == 303
        found = parse_qs(urlsplit(answer.headers["location"]).query)
        assert found["seed"].pop().isdecimal()
        assert (found["situation"], found["n"]) == (topics, ["4"])


@pytest.mark.slow
def test_a_page_has_the_usual_number_of_boards_and_its_file_the_whole_set(
    client: TestClient,
) -> None:
    usual = signature(pav.practice_set).parameters["n"].default
    assert Page(client.get("/practice").text).fields["n"] == str(usual)
    page = Page(client.get("/practice", params={"condition": OWN, "seed": "7"}).text)
    assert page.texts("h2")[0] == f"Board 1 of {usual}"
    [link] = Page(client.get(f"/practice?{SET}&seat=N&board=2").text).links("PBN")
    saved = client.get(link)
    assert saved.headers["content-disposition"] == 'attachment; filename="practice-7.pbn"'
    assert saved.text.count("[Board ") == 3
    for name in ("n", "hands", "difficulty", "turn", "solve"):
        answer = client.get(f"/practice?situation=two-clubs&seed=7&{name}=<b>")
        assert [problem.marked for problem in Page(answer.text).problems] == ["<b>"]


@pytest.mark.slow
def test_situations_are_found_and_have_the_points_of_a_teacher(client: TestClient) -> None:
    every = Page(client.get("/practice").text)
    assert {f"w-{name}" for name in pav.situation_names()} <= set(every.fields)
    page = Page(client.get("/practice?show=1&find=raise&w-two-clubs=1").text)
    assert [name for name in page.fields if name.startswith("w-")] == [
        *("w-two-clubs", "w-single-raise", "w-limit-raise", "w-splinter")
    ]
    assert page.texts("h2") == ["Openings", "Raises"]
    page = Page(client.get("/practice?situation=stayman(south=12-14)&n=1&seed=7").text)
    [points] = page.all("input[@name='p-stayman-south']")
    assert (points.get("value"), points.get("placeholder")) == ("12-14", "15-17")
