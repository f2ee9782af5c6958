"""The page Practice: the set is the address, and links lead on; `answers.txt` has what it shows."""

from __future__ import annotations

from inspect import signature
from typing import TYPE_CHECKING
from urllib.parse import parse_qs, urlsplit

import pytest
from pages import Page

import pavcodec as pav

if TYPE_CHECKING:
    from fastapi.testclient import TestClient

SET = "situation=two-clubs&n=3&seed=7"
OWN = "hcp(south) >= 20"


@pytest.mark.parametrize(
    ("asked", "topics"),
    [
        ({"w-two-clubs": "2", "w-stayman": "1", "w-preempt": "0"}, ["two-clubs=2", "stayman"]),
        ({"w-two-clubs": "3", "w-stayman": "3"}, ["two-clubs", "stayman"]),
        ({"condition": OWN, "w-stayman": "1"}, ["stayman", OWN]),
        (
            {"w-stayman": "1", "p-stayman-south": "12-14", "p-stayman-north": " "},
            ["stayman(south=12-14)"],
        ),
    ],
)
def test_a_new_set_gets_a_seed_and_a_short_address(
    client: TestClient, asked: dict[str, str], topics: list[str]
) -> None:
    fields = {**asked, "n": "4", "seed": ""}
    answer = client.get("/practice", params=fields, follow_redirects=False)
    assert answer.status_code == 303
    found = parse_qs(urlsplit(answer.headers["location"]).query)
    assert found["seed"].pop().isdecimal()
    assert (found["situation"], found["n"]) == (topics, ["4"])


@pytest.mark.slow
def test_a_set_has_as_many_boards_as_that_of_the_command(client: TestClient) -> None:
    usual = signature(pav.practice_set).parameters["n"].default
    assert Page(client.get("/practice").text).fields["n"] == str(usual)
    page = Page(client.get("/practice?situation=two-clubs&seed=7").text)
    assert page.texts("h2")[0] == f"Board 1 of {usual}"


def test_a_set_of_ones_own_condition_stays_in_the_form(client: TestClient) -> None:
    page = Page(client.get("/practice", params={"condition": OWN, "n": "2", "seed": "7"}).text)
    assert page.texts("h2")[0] == "Board 1 of 2"
    assert page.fields["condition"] == OWN


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


@pytest.mark.slow
def test_a_file_has_the_whole_set(client: TestClient) -> None:
    page = Page(client.get(f"/practice?{SET}&seat=N&board=2").text)
    [link] = page.links("PBN")
    saved = client.get(link)
    assert saved.headers["content-disposition"] == 'attachment; filename="practice-7.pbn"'
    assert saved.text.count("[Board ") == 3
    assert client.get(f"/practice/file?{SET}&to=pbn&seat=Q").status_code in (200, 422)


@pytest.mark.parametrize("name", ["n", "hands", "difficulty", "turn", "solve"])
def test_a_wrong_choice_is_escaped_and_told_once(client: TestClient, name: str) -> None:
    answer = client.get(f"/practice?situation=two-clubs&seed=7&{name}=<b>")
    assert answer.status_code == 422
    assert [problem.marked for problem in Page(answer.text).problems] == ["<b>"]
