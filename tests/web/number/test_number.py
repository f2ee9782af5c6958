"""The pages Number and Ending: links, fields, files; `answers.txt` has what they show."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING

import numpy as np
import pytest
from pages import Page
from web_commands import run_command

import pavcodec as pav
from pavcodec import Seat
from pavcodec.questions.identify import layout_form
from pavcodec.web.pages.number import CLASSES, class_of

if TYPE_CHECKING:
    from pathlib import Path

    from fastapi.testclient import TestClient

DEAL = "N:9642.95.AKQT4.K7 KJ3.K3.98.T98654 AQT85.Q862..AQJ2 7.AJT74.J76532.3"
LEGAL = "N:AT.A.A. K.K.K.K Q.Q.Q.Q J.J.J.J"
NOT_LEGAL = "Not legal: no play can reach it"


def page(client: TestClient, address: str, status: int = 200, **fields: object) -> Page:
    texts = {name: str(value) for name, value in fields.items()}
    answer = client.get(address, params=texts or None)
    assert answer.status_code == status
    return Page(answer.text)


@pytest.mark.slow
def test_the_examples_work(client: TestClient) -> None:
    for address in ("/number", "/ending"):
        links = [each.get("href", "") for each in page(client, address).all("li/a")]
        examples = [link for link in links if link.startswith(f"{address}?text=")]
        assert len(examples) >= 6
        answers = [page(client, link).answer for link in examples]
        if address == "/ending":
            assert [answer[0] for answer in answers].count(NOT_LEGAL) == 3


@pytest.mark.slow
def test_boards_of_a_text_can_be_chosen_and_solved(client: TestClient) -> None:
    text = f'[Board "7"]\n[Deal "{DEAL}"]\n\n[Board "8"]\n[Deal "N:AK... - - -"]\n'
    first = page(client, "/number", text=text)
    [second] = [link for link in first.links() if "board=8" in link]
    assert first.boards == [DEAL]
    assert page(client, second).boards == ["N:AK... - - -"]
    [link] = [each for each in first.links() if each.endswith("&tricks=1#tricks")]
    [rows] = [rows for name, rows in page(client, link).tables.items() if "tricks" in name]
    tricks = pav.solve_many(np.array([list(pav.Deal.from_pbn(DEAL).owners)], np.uint8))[0]
    assert [row[1:] for row in rows[1:]] == [
        [str(tricks[4 * strain + seat]) for strain in range(5)] for seat in (0, 2, 1, 3)
    ]


def test_hands_of_fields_are_a_deal_or_an_ending(client: TestClient) -> None:
    deal = pav.Deal.from_pbn(DEAL)
    found = page(client, "/number", north=deal.north, east=deal.east, west=deal.west)
    assert found.boards == [DEAL]
    assert str(pav.numbering("deal").rank(deal)) in found.codes
    found = page(client, "/ending", north="A...", east="K...", south="Q...", west="J...")
    assert found.fields["text"] == "N:A... K... Q... J..."
    whole = page(client, "/ending", text=pav.numbering("deal")[5])
    assert any(line.startswith("Nobody has played a card") for line in whole.answer)
    assert len(page(client, "/number", 422, text="9" * 25_000).problems) == 1


def test_a_deal_has_classes() -> None:
    for text, sizes in (str(pav.numbering("deal")[0]), [24, 24]), (DEAL, [24, 96]):
        deal = pav.Deal.from_pbn(text)
        for one_based in (False, True):
            found = [class_of(name, deal, one_based=one_based) for name in CLASSES]
            assert [one["size"] for one in found] == sizes
            for one, symmetry in zip(found, CLASSES.values(), strict=True):
                assert one["canonical"] == str(deal.canonical(symmetry)[0])
                ranks = pav.numbering(one["numbering"], one_based=one_based)
                assert one["number"] == ranks.rank(deal)


FORMS = {
    DEAL: "deal",
    LEGAL: "ending",
    "N:A..2. K... Q... J..4.": "trick",
    "N:A..2. K... Q... -": "part",
    "N:A... K... Q... -": "trick",
    "N:A... - Q... -": "part",
    "N:A... - K... QJ...": "part",
    "N:- - - -": "part",
}


def test_forms_of_layouts() -> None:
    assert {text: layout_form(pav.Layout.from_pbn(text)) for text in FORMS} == FORMS


def test_the_file_of_an_ending_is_that_of_the_command(client: TestClient, tmp_path: Path) -> None:
    path = tmp_path / "ending.pbn"
    run_command(f"pavcodec ending --denomination C '{LEGAL}' -o {path}")
    answer = client.get("/ending/file", params={"text": LEGAL, "denomination": "C"})
    assert answer.headers["content-disposition"] == 'attachment; filename="ending.pbn"'
    assert answer.content == path.read_bytes()
    (board,) = pav.read(io.BytesIO(answer.content), format="pbn", strict=True)
    line = pav.legality(pav.Layout.from_pbn(LEGAL), denomination="C").line
    assert line is not None
    assert (board.layout, board.tags["Contract"]) == (line.deal, "1C")
    assert Seat.parse(board.tags["Declarer"]).next == line.tricks[0].leader
