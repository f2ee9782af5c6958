"""The page Odds: its short forms, its files, its examples; what it shows is in `answers.txt`."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import parse_qs, urlsplit

import pytest
from pages import Page

if TYPE_CHECKING:
    from fastapi.testclient import TestClient


@pytest.mark.slow
def test_the_form_keeps_the_question(client: TestClient) -> None:
    fields = {"event": "spades(east) == 2", "south": "SAKQ2", "played": "W S9", "shown_out": "W S"}
    page = Page(client.get("/odds", params=fields).text)
    assert fields.items() <= page.fields.items()
    command = "pavcodec odds 'spades(east) == 2' --hand 'S SAKQ2' --played 'W S9' --shown-out 'W S'"
    assert command in page.codes


@pytest.mark.slow
def test_downloads_have_the_same_question(client: TestClient) -> None:
    page = Page(client.get("/odds?event=hcp(north)&south=AKQ2.K85.AJ4.T63").text)
    links = [link for link in page.links() if link.startswith("/odds/file")]
    assert [parse_qs(urlsplit(link).query)["to"] for link in links] == [["csv"], ["json"], ["svg"]]
    files = [client.get(link) for link in links]
    assert {file.status_code for file in files} == {200}
    assert {file.headers["content-disposition"].partition(";")[0] for file in files} == {
        "attachment"
    }
    assert files[0].text.startswith("hcp(north),deals,probability,decimal\n")


@pytest.mark.parametrize(
    ("address", "asked"),
    [
        (
            "/odds/breaks?suit=hearts&missing=5&other=spades&west=6",
            {
                "event": "hearts(west)",
                "given": "hearts(north) + hearts(south) == 8 && spades(west) == 6",
            },
        ),
        (
            "/odds/partner?hand=AKQ2.K85.AJ4.T63&what=majors&shown=hcp(north) >= 12",
            {
                "event": "spades(north)",
                "second": "hearts(north)",
                "given": "hcp(north) >= 12",
                "south": "AKQ2.K85.AJ4.T63",
            },
        ),
    ],
)
def test_short_forms_become_questions(
    client: TestClient, address: str, asked: dict[str, str]
) -> None:
    response = client.get(address, follow_redirects=False)
    assert response.status_code == 303
    found = parse_qs(urlsplit(response.headers["location"]).query)
    assert found == {name: [text] for name, text in asked.items()}


@pytest.mark.slow
def test_all_examples_have_exact_answers(client: TestClient) -> None:
    page = Page(client.get("/odds").text)
    examples = [each.get("href", "") for each in page.all("li/a") if "?" in each.get("href", "")]
    assert len(examples) == 9
    for address in examples:
        response = client.get(address)
        assert response.status_code == 200
        assert any(line.startswith("Counted, not sim") for line in Page(response.text).answer)
