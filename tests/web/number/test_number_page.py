"""The page Number: what it shows for numbers, codes, deals, hands, and for what it cannot read."""

from __future__ import annotations

import html
import re
from typing import TYPE_CHECKING
from urllib.parse import quote_plus

import numpy as np
import pytest

import pavcodec as pav
from pavcodec.chances.figures import chances, plain_percent

if TYPE_CHECKING:
    from fastapi.testclient import TestClient

DEAL = "N:9642.95.AKQT4.K7 KJ3.K3.98.T98654 AQT85.Q862..AQJ2 7.AJT74.J76532.3"
CODE = "gjacljgkbedpjpaadglmfnnhmk007"
NUMBER = 12345678901234567890123456789


def page(client: TestClient, status: int = 200, **fields: object) -> str:
    answer = client.get("/number", params={name: str(value) for name, value in fields.items()})
    assert answer.status_code == status
    return html.unescape(answer.text)


@pytest.mark.slow
def test_the_empty_page_has_examples_that_work(client: TestClient) -> None:
    text = client.get("/number").text
    links = re.findall(r'<li><a href="(/number\?text=[^"]*)"', text)
    assert len(links) >= 6
    for link in links:
        assert client.get(html.unescape(link)).status_code == 200


def test_a_deal_has_all_its_numbers_codes_classes_and_facts(client: TestClient) -> None:
    text = page(client, text=DEAL)
    deal = pav.Deal.from_pbn(DEAL)
    for one in pav.encode_all(deal):
        assert f"<code>{one.text}</code>" in text
        if one.number is not None and not one.scheme.startswith("deal-suits"):
            assert f"number={one.number - 1}&numbering={one.scheme}" in text
            assert f"number={one.number + 1}&numbering={one.scheme}" in text
    assert "96 deals" in text
    share = pav.probability("hcp(south) == 15")
    assert f"1 in {float(1 / share):.4g}" in text
    assert f"/number?number={pav.numbering('deal').rank(deal)}" in text


def test_a_link_with_a_number_alone_is_of_deal(client: TestClient) -> None:
    text = page(client, number=5)
    assert str(pav.numbering("deal")[5]) in text
    assert str(pav.numbering("andrews")[5]) in page(client, number=5, numbering="andrews")


def test_numbers_from_one(client: TestClient) -> None:
    text = page(client, text="1", numbering="andrews", one_based=1)
    assert str(pav.numbering("andrews")[0]) in text
    assert "number=2&numbering=andrews&one_based=1" in text
    assert "number=0&" not in text
    assert "--one-based --all" in text
    assert "number=-1" not in page(client, text="0", numbering="andrews", one_based="false")


def test_all_meanings_of_a_number(client: TestClient) -> None:
    text = page(client, text=f"{NUMBER:,}")
    assert "11 meanings" in text
    for name in pav.numbering_names():
        assert str(pav.numbering(name)[NUMBER]) in text
    assert 'aria-current="true"' in text


def test_a_code_with_its_board(client: TestClient) -> None:
    text = page(client, text=CODE)
    assert "Board 1" in text
    assert "Dealer North" in text
    assert f"<code>{CODE}</code>" in text


def test_boards_of_a_text_can_be_chosen(client: TestClient) -> None:
    text = f'[Board "7"]\n[Deal "{DEAL}"]\n\n[Board "8"]\n[Deal "N:AK... - - -"]\n'
    first = page(client, text=text)
    assert "The text has several boards" in first
    assert "Board 7" in first
    second = page(client, text=text, board=8, numbering="pbn")
    assert "In no hand" in second


def test_a_part_of_a_deal_says_what_is_missing(client: TestClient) -> None:
    text = page(client, south="AKQJT98765432...")
    assert "In no hand" in text
    assert "South has 13 cards" in text
    assert "A deal has 13 cards in each hand" in text


def test_an_ending_links_to_its_page(client: TestClient) -> None:
    ending = "N:AT.A.A. K.K.K.K Q.Q.Q.Q J.J.J.J"
    text = page(client, text=ending)
    assert "Already played" in text
    assert f"/ending?text={quote_plus(ending)}" in text


def test_three_hands_and_the_fourth(client: TestClient) -> None:
    deal = pav.Deal.from_pbn(DEAL)
    text = page(client, north=deal.north, east=deal.east, west=deal.west)
    assert str(deal.south) in text
    assert str(pav.numbering("deal").rank(deal)) in text


@pytest.mark.parametrize(
    ("fields", "message", "marked"),
    [
        ({"text": "hello-world"}, "'hello-world' fits no numbering and no code", None),
        ({"text": "♠AKx ♥432"}, "'x' is no card", "x"),
        ({"north": "AKx.Q.."}, "'x' is no card", "x"),
        ({"number": "-1"}, "has numbers 0 to 53644737765488792839237439999, not -1", None),
        ({"text": "5", "numbering": "andrew"}, "did you mean 'andrews'", None),
        ({"text": "9" * 25_000}, "", None),
        ({"text": "<script>alert(1)</script>"}, "fits no numbering", None),
    ],
)
def test_problems(
    client: TestClient, fields: dict[str, str], message: str, marked: str | None
) -> None:
    answer = client.get("/number", params=fields)
    assert answer.status_code == 422
    text = html.unescape(answer.text)
    assert 'role="alert"' in text
    assert message in text
    if marked is not None:
        assert f"<mark>{marked}</mark>" in text
    assert "<script>alert" not in answer.text


def test_parts_that_cannot_be_read_are_named(client: TestClient) -> None:
    text = page(client, text=f'[Deal "{DEAL}"]\n\n[Board "8"]\n[Deal "N:AK"]\n')
    assert "Not read:" in text
    assert "a deal has 4 hands" in text


def cells(text: str, section: str) -> list[list[str]]:
    """Return the cells of the rows of a table in a section of the page."""
    part = text[text.index(f'aria-labelledby="{section}"') :].partition("</section>")[0]
    rows = re.findall(r"<tr>(.*?)</tr>", part.partition("<tbody>")[2], re.DOTALL)
    texts = [re.findall(r"<t[hd][^>]*>(.*?)</t[hd]>", row, re.DOTALL) for row in rows]
    unseen = r'<span class="unseen">[^<]*</span>|<[^>]*>'
    return [[re.sub(unseen, "", cell).strip() for cell in row] for row in texts]


def test_facts_come_first_and_numberings_are_folded(client: TestClient) -> None:
    text = page(client, text=DEAL)
    places = [text.index(f'id="{name}"') for name in ("what", "facts", "tricks", "numbers")]
    assert places == sorted(places)
    before, folded = text.split('<details class="all-numbers">')
    assert "<h3>deal</h3>" in before
    assert "<h3>andrews</h3>" not in before
    assert "<h3>andrews</h3>" in folded
    for who, what, often, chance in cells(text, "facts")[:4]:
        points = int(what.split()[0])
        share = pav.probability(f"hcp({who.lower()}) == {points}")
        assert often == plain_percent(share)
        assert chance.replace("\N{NO-BREAK SPACE}", " ") == chances(share)


@pytest.mark.slow
def test_the_tricks_are_computed_if_asked(client: TestClient) -> None:
    assert "&tricks=1#tricks" in page(client, text=DEAL)
    rows = cells(page(client, text=DEAL, tricks=1), "tricks")
    deal = pav.Deal.from_pbn(DEAL)
    table = pav.TrickTable(bytes(pav.solve_many(np.array([list(deal.owners)], np.uint8))[0]))
    assert [row[0] for row in rows] == ["North", "South", "East", "West"]
    for name, *found in rows:
        seat = pav.Seat.parse(name)
        strains = [pav.Strain.parse(each) for each in ("NT", "S", "H", "D", "C")]
        assert list(map(int, found)) == [table[seat, strain] for strain in strains]


def test_each_answer_names_its_command(client: TestClient) -> None:
    text = page(client, text=DEAL)
    assert f"pavcodec identify '{DEAL}'" in text
    assert f"pavcodec encode '{DEAL}' --all" in text
    assert f"pavcodec rare '{DEAL}' --all" in text
    assert "/odds?event=hcp%28south%29+%3D%3D+15" in text
