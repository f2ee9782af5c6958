"""The page Deal without its scripts: an address is a set, and has its number, boards and files."""

from __future__ import annotations

import json
import re
from fractions import Fraction
from html import unescape
from typing import TYPE_CHECKING
from urllib.parse import parse_qs, urlsplit

import pytest
from page_tables import tables_of
from web_commands import run_command

import pavcodec as pav
from pavcodec import situation, situation_names
from pavcodec.chances.figures import plain_percent

if TYPE_CHECKING:
    from fastapi.testclient import TestClient

STRONG = "hcp(south) >= 20"


def boards(page: str) -> list[str]:
    """Return the deals of a page."""
    return re.findall(r'data-pbn="([^"]*)"', page)


def links(page: str, text: str) -> list[str]:
    """Return the addresses of links with a text."""
    return [unescape(each) for each in re.findall(rf'href="([^"]*)"[^>]*>{text}', page)]


def test_without_a_seed_the_server_chooses_one(client: TestClient) -> None:
    answer = client.get("/deal", params={"condition": STRONG, "north": ""}, follow_redirects=False)
    assert answer.status_code == 303
    fields = parse_qs(urlsplit(answer.headers["location"]).query)
    assert fields["condition"] == [STRONG]
    assert "north" not in fields
    [seed] = fields["seed"]
    page = client.get(answer.headers["location"])
    assert page.status_code == 200
    assert boards(page.text) == boards(client.get(answer.headers["location"]).text)
    command = f"pavcodec deal '{STRONG}' -n 8 --seed {seed} --to lines"
    assert boards(page.text) == run_command(command).decode().splitlines()


def test_the_page_has_the_exact_number_and_the_odds(client: TestClient) -> None:
    page = client.get("/deal", params={"condition": STRONG, "seed": "7", "n": "2"}).text
    assert "1 in 69.2" in page
    number = run_command(f"pavcodec count '{STRONG}'").decode().splitlines()[0]
    assert number in page
    assert number in client.get("/deal/count", params={"condition": STRONG}).text


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
    found = links(client.get("/deal", params={"seed": "7", "n": "1", **fields}).text, "Practise")
    asked = [word for link in found for word in parse_qs(urlsplit(link).query)["situation"]]
    assert asked == words or (words is None and len(asked) == 1)
    for link in found:
        page = client.get(link)
        assert page.status_code == 200
        assert "Board 1" in page.text


def test_all_deals_are_dealt_without_a_condition(client: TestClient) -> None:
    page = client.get("/deal", params={"seed": "7", "n": "2"}).text
    assert len(boards(page)) == 2
    assert "Probability 1: all deals" in page


def test_the_seed_of_a_script_counts(client: TestClient) -> None:
    fields = {"condition": f"seed 5\nproduce 3\n{STRONG}"}
    answer = client.get("/deal", params=fields, follow_redirects=False)
    assert parse_qs(urlsplit(answer.headers["location"]).query)["seed"] == ["5"]
    assert len(boards(client.get(answer.headers["location"]).text)) == 3


def test_further_boards_continue_the_set(client: TestClient) -> None:
    first = client.get("/deal", params={"condition": STRONG, "seed": "7", "n": "3"}).text
    [following] = links(first, "Next boards")
    second = client.get(following).text
    whole = client.get("/deal", params={"condition": STRONG, "seed": "7", "n": "6"}).text
    assert boards(first) + boards(second) == boards(whole)
    [before] = links(second, "Boards before")
    assert boards(client.get(before).text) == boards(first)
    [again] = links(second, "Deal again")
    fields = parse_qs(urlsplit(again).query)
    assert fields == {"condition": [STRONG], "n": ["3"]}


def test_a_wrong_condition_is_marked(client: TestClient) -> None:
    page = client.get("/deal", params={"condition": "hcp(suoth) > 3 // <b>", "seed": "7"})
    assert page.status_code == 422
    assert "did you mean &#39;south&#39;?" in page.text
    assert "<mark>suoth</mark>) &gt; 3 // &lt;b&gt;" in page.text
    assert "<b>" not in page.text
    part = client.get("/deal/count", params={"condition": "hcp(suoth) > 3"})
    assert part.status_code == 422
    assert "did you mean" in part.text


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"n": "many"}, "whole number"),
        ({"n": "0"}, "n is at least 1"),
        ({"n": "200000"}, "100,000 at most"),
        ({"condition": "x" * 20_001}, "a text of at most 20,000 characters"),
        ({"condition": "hcp(south) >= 38"}, "is never true"),
        ({"north": "SX"}, "no card is called"),
        ({"rotate": "1", "dealer": "N"}, "rotate and dealer do not go together"),
        ({"type": "hcp(suoth) > 3"}, "did you mean"),
        ({"dealer": "X"}, "dealer: "),
    ],
)
def test_problems_are_shown(client: TestClient, fields: dict[str, str], message: str) -> None:
    page = client.get("/deal", params={"seed": "7", **fields})
    assert page.status_code == 422
    assert message in unescape(page.text)
    assert 'role="alert"' in page.text


def test_all_situations_are_links_that_deal(client: TestClient) -> None:
    page = client.get("/deal").text
    for name in situation_names():
        assert situation(name).title in page
    [link] = links(page, "Michaels cue bid")
    fields = parse_qs(urlsplit(link).query)
    assert fields == {"condition": [situation("michaels").where], "dealer": ["E"]}


def test_a_form_adds_a_part_and_deals_nothing(client: TestClient) -> None:
    fields = {"condition": "hcp(east) < 5", "add": "1", "whose": "north", "points_from": "12"}
    page = client.get("/deal", params={**fields, "spades_from": "", "balanced": "any"}).text
    assert "hcp(east) &lt; 5 &amp;&amp; hcp(north) &gt;= 12</textarea>" in page
    assert boards(page) == []
    wrong = client.get("/deal", params={"add": "1", "points_from": "12", "points_to": "3"})
    assert wrong.status_code == 422
    assert "is no range" in wrong.text
    assert 'name="points_to" min="0" max="40"' in wrong.text


def test_known_cards_come_from_boxes_and_from_links(client: TestClient) -> None:
    fields = {"condition": "hcp(south) > 12", "seed": "7", "n": "2"}
    page = client.get("/deal", params={**fields, "north": "SAKQ"}).text
    linked = client.get("/deal", params={**fields, "hands": "N SAKQ"}).text
    assert boards(page) == boards(linked)
    assert all(board.startswith("N:AKQ") for board in boards(page))
    assert "with what is dealt beforehand" in page


def test_types_have_names_weights_and_exact_shares(client: TestClient) -> None:
    fields = {
        "name": ["strong", ""],
        "type": [STRONG, "hcp(south) == 5", ""],
        "weight": ["30", "70"],
        "seed": "7",
        "n": "10",
        "interleave": "1",
    }
    page = client.get("/deal", params=fields).text
    command = f"pavcodec count --mix '{STRONG} : 30' --mix 'hcp(south) == 5 : 70' --json"
    strong, other = json.loads(run_command(command))["types"]
    assert "= 3/10" in page
    assert page.count("· strong") == 3
    assert page.count("· type 2") == 7
    rows = tables_of(page)["Types of deals"]
    assert rows[1:] == [
        [
            name,
            f"{plain_percent(Fraction(kind['share']))} = {kind['share']}",
            plain_percent(Fraction(kind["natural"])),
            f"{int(kind['cardinality']):,}",
        ]
        for name, kind in (("strong", strong), ("type 2", other))
    ]
    found = [kind["cardinality"] for kind in (strong, other)]
    assert found == [str(pav.deals(kind).cardinality) for kind in (STRONG, "hcp(south) == 5")]
    assert Fraction(strong["natural"]) == Fraction(int(found[0]), sum(map(int, found)))
    [practise] = links(page, "Practise these")
    assert parse_qs(urlsplit(practise).query)["situation"] == [
        f"{STRONG} : 30",
        "hcp(south) == 5 : 70",
    ]
    assert "Board 1" in client.get(practise).text
    [again] = links(page, "Deal again")
    assert parse_qs(urlsplit(again).query)["type"] == [STRONG, "hcp(south) == 5"]


def test_a_file_has_the_boards_of_its_page(client: TestClient) -> None:
    fields = {"condition": STRONG, "seed": "7", "n": "3"}
    page = client.get("/deal", params=fields).text
    [pbn] = links(page, "PBN")
    answer = client.get(pbn)
    assert answer.headers["content-disposition"] == 'attachment; filename="deals-7.pbn"'
    command = f"pavcodec deal '{STRONG}' -n 3 --seed 7 --to pbn"
    assert answer.content == run_command(command)


@pytest.mark.slow
def test_every_file_of_the_page_is_made(client: TestClient) -> None:
    page = client.get("/deal", params={"condition": STRONG, "seed": "7", "n": "1"}).text
    found = [unescape(each) for each in re.findall(r'href="(/deal/file[^"]*)"', page)]
    assert len(found) > 20
    for link in found:
        if "parquet" not in link and "to=pdf" not in link:  # slow to load
            answer = client.get(link)
            assert answer.status_code == 200, link
            assert answer.content


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"to": "zrd"}, "tricks of each deal"),
        ({"to": "nothing"}, "no format is called"),
        ({"condition": "hcp(suoth)", "to": "pbn"}, "did you mean"),
        ({"to": "pbn", "layout": "slips"}, "layouts are for pdf and html"),
    ],
)
def test_a_file_that_is_not_made_is_a_page(
    client: TestClient, fields: dict[str, str], message: str
) -> None:
    answer = client.get("/deal/file", params={"seed": "7", **fields})
    assert answer.status_code == 422
    assert answer.headers["content-type"].startswith("text/html")
    assert message in unescape(answer.text)


def test_known_cards_may_have_the_signs_of_the_suits(client: TestClient) -> None:
    pages = [
        client.get("/deal", params={"south": south, "n": "2", "seed": "7"})
        for south in ("AKQ2.K85.AJ4.T63", "♠AKQ2 ♥K85 ♦AJ4 ♣1063")
    ]
    boards = [re.findall(r'data-pbn="([^"]*)"', page.text) for page in pages]
    assert len(boards[0]) == 2
    assert boards[0] == boards[1]
