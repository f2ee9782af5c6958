"""The pages: the texts of a small set, HTML that is well formed, and nothing that scripts."""

from __future__ import annotations

import re

import pytest
from pages import Page, words

import pavcodec as pav
from pavcodec.cards import Seat
from pavcodec.practice import PracticeSet, Seating, practice_document, text_pages
from pavcodec.printing.document import Paper
from pavcodec.printing.html import html_document
from pavcodec.printing.pages import pdf_document

HANDS = "N:A.KJ93.Q765.T962 972.A8764.A82.AK QJ643.QT5.K43.74 KT85.2.JT9.QJ853"
SLAM = "N:AKQJT98765432... .AKQJT98765432.. ..AKQJT98765432. ...AKQJT98765432"
TABLE = """\
board  dealer  vulnerable  ♠              ♥     ♦     ♣
    3  South   EW          A              KJ93  Q765  T962
    4  West    All         AKQJT98765432  -     -     -
\f"""


def small(title: str = "Two clubs & more") -> PracticeSet:
    """Two boards for two players."""
    players = (Seat.NORTH, Seat.SOUTH)
    seating = Seating(players=players)
    boards = [seating.board(3 + i, pav.Deal.from_pbn(text)) for i, text in enumerate((HANDS, SLAM))]
    return PracticeSet(title, tuple(boards), players, ("Condition: hcp(north) <= 10",))


def test_the_columns_of_a_text_are_as_wide_as_the_longest_suit() -> None:
    """The rest of such texts is among the answers that `tests/questions` keeps."""
    assert f"Two clubs & more\nNorth, boards 3 to 4\n\n{TABLE}" in text_pages(small())
    one = PracticeSet("One", small().boards[:1])
    assert one.span == "board 3"
    assert text_pages(one).count("\f") == 4


def test_the_html_of_a_small_set() -> None:
    text = html_document(practice_document(small()))
    page = Page(text)
    assert text.startswith('<!DOCTYPE html>\n<html lang="en">')
    heads = ["Two clubs & more", "Boards 3 to 4", "Solution, boards 3 to 4"]
    assert page.texts("h1") + page.texts("h2")[:2] == heads
    cells = [[words(cell) for cell in row] for row in page.all("tr")]
    assert cells[:3] == [
        ["Board", "Dealer", "Vul", "♠", "♥", "♦", "♣", "Bidding"],
        ["3", "S", "EW", "A", "KJ93", "Q765", "T962", ""],
        ["4", "W", "All", "AKQJT98765432", "–", "–", "–", ""],
    ]
    assert cells[4] == ["3", "S", "EW", "QJ643", "QT5", "K43", "74", ""]
    assert "Dealer S<br>Vul EW" in text
    assert "deal 12345678901234567890123456789" in page.texts("p")


def a_set(count: int, players: str) -> PracticeSet:
    """A set for some players, with notes as long as those of most situations."""
    seating = Seating(players=tuple(map(Seat.parse, players)))
    deals = pav.numbering("deal").sample(count, seed=7)
    boards = tuple(seating.board(number, deal) for number, deal in enumerate(deals, 1))
    line = "South is balanced with 15 to 17 points; North has five cards or more in a major."
    return PracticeSet("Notrump", boards, seating.players, (line,) * 3, ((line,) * 3,) * count)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("count", "players", "sheets", "paper"),
    [(8, "NS", 2, "letter"), (8, "NESW", 3, "a4"), (9, "NS", 3, "a4")],
)
def test_the_sheets_of_a_set(count: int, players: str, sheets: int, paper: Paper) -> None:
    data = pdf_document(practice_document(a_set(count, players), paper))
    found = re.search(rb"/Type\s*/Pages\b.*?/Count\s+(\d+)", data, re.DOTALL)
    assert found is not None
    assert int(found[1]) == sheets


def test_what_people_write_is_escaped() -> None:
    evil = "</title><script>alert('1 & \"2\"')</script>"
    text = html_document(practice_document(small(evil)))
    page = Page(text)
    tags = [each.tag for each in page.root.iter()]
    assert not {"script", "link", "img", "iframe", "object"} & set(tags)
    assert page.texts("h1") == [evil]
    assert "Condition: hcp(north) <= 10" in page.texts("p")
