"""The page Ending: the verdict, the play as a table and a file, the reason, and problems."""

from __future__ import annotations

import html
import io
import re
from typing import TYPE_CHECKING

import pytest

import pavcodec as pav

if TYPE_CHECKING:
    from fastapi.testclient import TestClient

LEGAL = "N:AT.A.A. K.K.K.K Q.Q.Q.Q J.J.J.J"
ILLEGAL = "N:A.A.A.A K.K.K.K Q.Q.Q.Q J.J.J.J"
BY_TRUMPS = "N:Q94.KQ9542.82. 86532..A53.653 ..KQ9.AKQJT942 AKT7.JT863.J7."
IN_TRICK = "N:A..2. K... Q... J..4."


def page(client: TestClient, status: int = 200, **fields: object) -> str:
    answer = client.get("/ending", params={name: str(value) for name, value in fields.items()})
    assert answer.status_code == status
    return html.unescape(answer.text)


def rows(text: str) -> list[tuple[str, list[str], str]]:
    """Return the leader, the cards and the winner of each row of the table of tricks."""
    found = re.findall(r'<tr data-leader="(.)" data-cards="([^"]*)" data-winner="(.?)"', text)
    return [(leader, cards.split(), winner) for leader, cards, winner in found]


@pytest.mark.slow
def test_the_examples_work(client: TestClient) -> None:
    links = re.findall(r'<li><a href="(/ending\?[^"]*)"', client.get("/ending").text)
    assert len(links) >= 6
    texts = [client.get(html.unescape(link)) for link in links]
    assert all(answer.status_code == 200 for answer in texts)
    verdicts = ["Not legal: no play can reach it" in answer.text for answer in texts]
    assert verdicts.count(True) == 3


@pytest.mark.slow
def test_a_legal_ending_has_a_line_of_play(client: TestClient) -> None:
    text = page(client, text=LEGAL)
    ending = pav.Layout.from_pbn(LEGAL)
    line = pav.legality(ending).line
    assert line is not None
    assert "Legal: play can reach it" in text
    assert f'data-deal="{line.deal}"' in text
    assert rows(text) == [
        (
            trick.leader.letter,
            [str(card) for card in trick.cards],
            "" if trick.winner is None else trick.winner.letter,
        )
        for trick in (*line.tricks, *pav.best_play(ending, "NT", "N"))
    ]
    assert "653,447,424,897,294,885,000" in text
    assert "all but 1 in 7,537" in text
    number = pav.numbering("legal").rank(pav.Layout.from_pbn(LEGAL))
    assert f"<code>{number}</code>" in text
    assert f"pavcodec ending '{LEGAL}'" in text


def test_an_illegal_ending_has_a_reason(client: TestClient) -> None:
    text = page(client, text=ILLEGAL)
    assert "Not legal: no play can reach it" in text
    assert "9 tricks are over, but at most 8 can have been led" in text
    assert "/ending/file" not in text


@pytest.mark.slow
def test_the_denomination_restricts_the_play(client: TestClient) -> None:
    text = page(client, text=BY_TRUMPS)
    assert "A deal and a line of play in spades" in text
    assert "Not legal" in page(client, text=BY_TRUMPS, denomination="NT")
    assert "in diamonds" in page(client, text=BY_TRUMPS, denomination="D")


@pytest.mark.slow
def test_the_middle_of_a_trick(client: TestClient) -> None:
    text = page(client, text=IN_TRICK, table="H3,H2")
    assert rows(text)[-2] == ("E", ["H3", "H2", "D4", "D2"], "E")
    assert text.count("<strong>1</strong> by") == 5
    assert "On the table, led by East" in text
    assert "these cards are possible" not in text
    assert "these cards are possible" in page(client, text=IN_TRICK)


def test_a_deal_is_an_ending_without_tricks(client: TestClient) -> None:
    text = page(client, text=str(pav.numbering("deal")[5]))
    assert "Nobody has played a card" in text


def test_hands_in_fields_come_back_as_text(client: TestClient) -> None:
    text = page(client, north="A.A.A.A", east="K.K.K.K", south="Q.Q.Q.Q", west="J.J.J.J")
    assert "Not legal" in text
    assert ILLEGAL in re.findall(r"<textarea[^>]*>\s*([^<]*)</textarea>", text)[0]


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"text": "N:AK... - - -"}, "an ending has equally many cards in every hand"),
        ({"text": ILLEGAL, "denomination": "X"}, "NT"),
        ({"text": ILLEGAL, "table": "S1"}, "S1"),
        ({"text": "hello-world"}, "fits no numbering and no code"),
        ({"north": "A?"}, "'?' is no card"),
        ({"on_lead": "N"}, "expected a number, a code or a deal"),
    ],
)
@pytest.mark.parametrize("address", ["/ending", "/ending/file"])
def test_problems(client: TestClient, address: str, fields: dict[str, str], message: str) -> None:
    answer = client.get(address, params=fields)
    assert answer.status_code == 422
    text = html.unescape(answer.text)
    assert 'role="alert"' in text
    assert message in text


def test_the_file_has_the_deal_and_the_play(client: TestClient) -> None:
    answer = client.get("/ending/file", params={"text": LEGAL, "denomination": "C"})
    assert answer.status_code == 200
    assert 'filename="ending.pbn"' in answer.headers["content-disposition"]
    (board,) = pav.read(io.BytesIO(answer.content), format="pbn", strict=True)
    line = pav.legality(pav.Layout.from_pbn(LEGAL), denomination="C").line
    assert line is not None
    assert board.layout == line.deal
    assert board.tags["Contract"] == "1C"
    refused = client.get("/ending/file", params={"text": ILLEGAL})
    assert refused.status_code == 422
    assert "no play reaches this ending" in refused.text


def test_a_word_that_is_a_code_is_shown_as_one(client: TestClient) -> None:
    assert "it was read as a number or a code" in page(client, text="hello")
    assert "it was read as a number or a code" not in page(client, text=ILLEGAL)


def test_an_unreadable_text_is_marked_in_its_field(client: TestClient) -> None:
    assert 'id="text-problem"' in page(client, 422, text="N:AT.A.A. K.K.K.K Q.Q.Q.Q J.J.J")
