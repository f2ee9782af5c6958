"""The page Number: examples, boards of a text, hands; `answers.txt` has what it shows."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest
from pages import Page

import pavcodec as pav

if TYPE_CHECKING:
    from fastapi.testclient import TestClient

DEAL = "N:9642.95.AKQT4.K7 KJ3.K3.98.T98654 AQT85.Q862..AQJ2 7.AJT74.J76532.3"
ENDING = "N:AK... - - -"


def page(client: TestClient, status: int = 200, **fields: object) -> Page:
    answer = client.get("/number", params={name: str(value) for name, value in fields.items()})
    assert answer.status_code == status
    return Page(answer.text)


@pytest.mark.slow
@pytest.mark.parametrize(("address", "least"), [("/number", 6), ("/ending", 6)])
def test_the_examples_work(client: TestClient, address: str, least: int) -> None:
    links = [each.get("href", "") for each in Page(client.get(address).text).all("li/a")]
    examples = [link for link in links if link.startswith(f"{address}?text=")]
    assert len(examples) >= least
    answers = [client.get(link) for link in examples]
    assert {answer.status_code for answer in answers} == {200}
    if address == "/ending":
        heads = [Page(answer.text).answer[0] for answer in answers]
        assert heads.count("Not legal: no play can reach it") == 3


def test_boards_of_a_text_can_be_chosen(client: TestClient) -> None:
    text = f'[Board "7"]\n[Deal "{DEAL}"]\n\n[Board "8"]\n[Deal "{ENDING}"]\n'
    first = page(client, text=text)
    [second] = [link for link in first.links() if "board=8" in link]
    assert first.boards == [DEAL]
    assert Page(client.get(second).text).boards == [ENDING]


def test_three_hands_and_the_fourth(client: TestClient) -> None:
    deal = pav.Deal.from_pbn(DEAL)
    found = page(client, north=deal.north, east=deal.east, west=deal.west)
    assert found.boards == [DEAL]
    assert str(pav.numbering("deal").rank(deal)) in found.codes


def test_a_number_of_many_digits_is_a_problem(client: TestClient) -> None:
    assert len(page(client, 422, text="9" * 25_000).problems) == 1


@pytest.mark.slow
def test_the_tricks_are_computed_if_asked(client: TestClient) -> None:
    [link] = [each for each in page(client, text=DEAL).links() if each.endswith("&tricks=1#tricks")]
    tables = Page(client.get(link).text).tables
    [rows] = [rows for name, rows in tables.items() if "tricks" in name]
    deal = pav.Deal.from_pbn(DEAL)
    table = pav.TrickTable(bytes(pav.solve_many(np.array([list(deal.owners)], np.uint8))[0]))
    assert [row[0] for row in rows[1:]] == ["North", "South", "East", "West"]
    for name, *found in rows[1:]:
        seat = pav.Seat.parse(name)
        strains = [pav.Strain.parse(each) for each in ("NT", "S", "H", "D", "C")]
        assert list(map(int, found)) == [table[seat, strain] for strain in strains]
