"""The page Ending: hands in its fields, and its file; `answers.txt` has what it shows."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING

import pytest
from pages import Page

import pavcodec as pav

if TYPE_CHECKING:
    from fastapi.testclient import TestClient

LEGAL = "N:AT.A.A. K.K.K.K Q.Q.Q.Q J.J.J.J"


@pytest.mark.slow
def test_hands_in_fields_come_back_as_text(client: TestClient) -> None:
    hands = {"north": "A.A.A.A", "east": "K.K.K.K", "south": "Q.Q.Q.Q", "west": "J.J.J.J"}
    page = Page(client.get("/ending", params=hands).text)
    assert page.fields["text"] == "N:A.A.A.A K.K.K.K Q.Q.Q.Q J.J.J.J"
    assert page.answer[0] == "Not legal: no play can reach it"


def test_a_deal_is_an_ending_without_tricks(client: TestClient) -> None:
    page = Page(client.get("/ending", params={"text": str(pav.numbering("deal")[5])}).text)
    assert any(line.startswith("Nobody has played a card") for line in page.answer)


def test_the_file_has_the_deal_and_the_play(client: TestClient) -> None:
    answer = client.get("/ending/file", params={"text": LEGAL, "denomination": "C"})
    assert answer.headers["content-disposition"] == 'attachment; filename="ending.pbn"'
    (board,) = pav.read(io.BytesIO(answer.content), format="pbn", strict=True)
    line = pav.legality(pav.Layout.from_pbn(LEGAL), denomination="C").line
    assert line is not None
    assert (board.layout, board.tags["Contract"]) == (line.deal, "1C")
