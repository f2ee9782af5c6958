"""The page Deal without its scripts: an address is a set, and links lead on."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING
from urllib.parse import parse_qs, urlsplit

import pytest
from pages import Page
from web_commands import run_command

from pavcodec import situation, situation_names

if TYPE_CHECKING:
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
@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"condition": STRONG}, [STRONG]),
        ({"condition": "produce 3\nx = hcp(south)\ncondition x >= 20"}, [STRONG]),
        ({"condition": STRONG, "north": "SA"}, None),
        ({"condition": f"{STRONG} weight 2"}, []),
        ({}, []),
    ],
)
def test_boards_are_practised_with_their_condition(
    client: TestClient, fields: dict[str, str], words: list[str] | None
) -> None:
    found = page(client, seed="7", n="1", **fields).links("Practise")
    topics = [word for link in found for word in asked(link)["situation"]]
    assert topics == words or (words is None and len(topics) == 1)
    for link in found:
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
