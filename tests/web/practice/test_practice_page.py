"""The page Practice: the set is the address, a seat shows one hand, links lead on."""

from __future__ import annotations

import re
from html import unescape
from inspect import signature
from typing import TYPE_CHECKING
from urllib.parse import parse_qs, urlsplit

import pytest

import pavcodec as pav
from pavcodec.practice import situation

if TYPE_CHECKING:
    from fastapi.testclient import TestClient

SET = "situation=two-clubs&n=3&seed=7"


def test_the_library_is_on_the_page(client: TestClient) -> None:
    page = client.get("/practice")
    assert page.status_code == 200
    assert 'name="w-two-clubs"' in page.text
    assert "South has 22 points or more, of any shape" in page.text


def test_a_new_set_gets_a_seed_and_a_short_address(client: TestClient) -> None:
    asked = {"w-two-clubs": "2", "w-stayman": "1", "w-preempt": "0", "n": "4", "seed": ""}
    answer = client.get("/practice", params=asked, follow_redirects=False)
    assert answer.status_code == 303
    found = parse_qs(urlsplit(answer.headers["location"]).query)
    assert found["situation"] == ["two-clubs=2", "stayman"]
    assert found["n"] == ["4"]
    assert found["seed"][0].isdecimal()
    equal = client.get(
        "/practice", params={"w-two-clubs": "3", "w-stayman": "3"}, follow_redirects=False
    )
    assert parse_qs(urlsplit(equal.headers["location"]).query)["situation"] == [
        "two-clubs",
        "stayman",
    ]


def test_a_set_has_as_many_boards_as_that_of_the_command(client: TestClient) -> None:
    usual = signature(pav.practice_set).parameters["n"].default
    field = re.search(r'<input[^>]* name="n"[^>]*>', client.get("/practice").text)
    assert field is not None
    assert f'value="{usual}"' in field[0]
    page = client.get("/practice?situation=two-clubs&seed=7").text
    assert f"Board 1 of {usual}" in page
    assert f"-n {usual} " in page


def test_a_set_of_ones_own_condition(client: TestClient) -> None:
    asked = {"condition": "hcp(south) >= 20", "w-stayman": "1", "n": "2", "seed": "7"}
    answer = client.get("/practice", params=asked, follow_redirects=False)
    found = parse_qs(urlsplit(answer.headers["location"]).query)
    assert found["situation"] == ["stayman", "hcp(south) >= 20"]
    del asked["w-stayman"]
    page = client.get("/practice", params=asked)
    assert page.status_code == 200
    assert "Board 1 of 2" in page.text
    assert "Condition: hcp(south) &gt;= 20" in page.text
    field = re.search(r'<textarea id="condition"[^>]*>\n([^<]*)</textarea>', page.text)
    assert field is not None
    assert unescape(field[1]) == "hcp(south) >= 20"
    wrong = client.get("/practice?situation=hpc(south)&seed=7")
    assert wrong.status_code == 422
    assert "did you mean" in wrong.text


def test_situations_are_found_and_have_the_points_of_a_teacher(client: TestClient) -> None:
    page = client.get("/practice", params={"show": "1", "find": "raise", "w-two-clubs": "1"})
    assert re.findall(r'name="w-([a-z-]+)"', page.text) == [
        *("two-clubs", "single-raise", "limit-raise", "splinter")
    ]
    assert re.findall(r"<h2>([^<]*)</h2>", page.text) == ["Openings", "Raises"]
    nothing = client.get("/practice", params={"find": "bridge whist"})
    assert nothing.status_code == 422
    assert "no situation has" in nothing.text
    asked = {"w-stayman": "1", "p-stayman-south": "12-14", "p-stayman-north": " ", "n": "1"}
    answer = client.get("/practice", params=asked, follow_redirects=False)
    found = parse_qs(urlsplit(answer.headers["location"]).query)
    assert found["situation"] == ["stayman(south=12-14)"]
    shown = client.get(answer.headers["location"]).text
    assert "South is balanced with 12 to 14 points" in shown
    assert 'name="p-stayman-south" value="12-14" placeholder="15-17"' in shown


def test_the_button_without_a_choice_has_a_word(client: TestClient) -> None:
    page = client.get("/practice", params={"n": "8", "hands": "NS", "seed": ""})
    assert page.status_code == 422
    assert "choose a situation" in page.text


@pytest.mark.slow
def test_partners_have_different_hands_of_the_same_board(client: TestClient) -> None:
    deal = situation("two-clubs").deals().sample(3, seed=7)[1]
    pages = {seat: client.get(f"/practice?{SET}&seat={seat}&board=2").text for seat in ("N", "S")}
    own = {
        seat: re.search(r'class="card own">(.*?)</details>', text, re.DOTALL)
        for seat, text in pages.items()
    }
    for seat, found in own.items():
        assert found is not None
        first = re.findall(r'class="ranks">([^<]*)<', found[1])[:4]
        assert first == [suit or "–" for suit in str(deal[seat]).split(".")]
    assert "Board 2 of 3" in pages["N"]
    links = re.findall(r'rel="next" href="([^"]+)"', pages["N"])
    assert [unescape(link) for link in links] == [f"/practice?{SET}&seat=N&board=3#board"]
    files = re.findall(r'href="(/practice/file[^"]+to=pbn)"', pages["N"])
    saved = client.get(unescape(files[0]))
    assert saved.headers["content-disposition"] == 'attachment; filename="practice-7.pbn"'
    assert saved.text.count("[Board ") == 3


@pytest.mark.parametrize(
    ("asked", "reason"),
    [
        ("situation=two-club&seed=7", "did you mean"),
        ("situation=two-clubs&seed=7&n=99", "36"),
        (f"situation=two-clubs&seed=7&n={'9' * 5000}", "36"),
        ("situation=two-clubs&seed=7&n=3&board=4", "no board 4"),
        ("situation=two-clubs&seed=7&hands=<b>", "hands"),
        ("situation=<script>&seed=7", "&lt;script&gt;"),
    ],
)
def test_wrong_addresses_are_problems(client: TestClient, asked: str, reason: str) -> None:
    page = client.get(f"/practice?{asked}")
    assert page.status_code == 422
    assert reason in page.text
    assert "<script>" not in page.text
    assert "<b>" not in page.text
    assert client.get(f"/practice/file?{asked}&to=pbn&seat=Q").status_code in (200, 422)
