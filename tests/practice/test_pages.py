"""The pages: a small set to the letter, HTML that is well formed, and nothing that scripts."""

from __future__ import annotations

from html.parser import HTMLParser

import pavcodec as pav
from pavcodec.cards import Seat
from pavcodec.practice import PracticeSet, Seating, html_pages, text_pages

HANDS = "N:A.KJ93.Q765.T962 972.A8764.A82.AK QJ643.QT5.K43.74 KT85.2.JT9.QJ853"
SLAM = "N:AKQJT98765432... .AKQJT98765432.. ..AKQJT98765432. ...AKQJT98765432"
VOID = {"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "wbr"}
TEXT = """\
Two clubs & more
North, boards 3 to 4

board  dealer  vulnerable  ♠              ♥     ♦     ♣
    3  South   EW          A              KJ93  Q765  T962
    4  West    All         AKQJT98765432  -     -     -
\fTwo clubs & more
South, boards 3 to 4

board  dealer  vulnerable  ♠      ♥    ♦              ♣
    3  South   EW          QJ643  QT5  K43            74
    4  West    All         -      -    AKQJT98765432  -
\fTwo clubs & more
Solution, boards 3 to 4

Condition: hcp(north) <= 10

Board 3: dealer South, vulnerable EW
                ♠ A
                ♥ KJ93
                ♦ Q765
                ♣ T962
♠ KT85                          ♠ 972
♥ 2                             ♥ A8764
♦ JT9                           ♦ A82
♣ QJ853                         ♣ AK
                ♠ QJ643
                ♥ QT5
                ♦ K43
                ♣ 74
HCP  N 10  E 15  S 8  W 7
deal 12345678901234567890123456789

Board 4: dealer West, vulnerable All
                ♠ AKQJT98765432
                ♥ -
                ♦ -
                ♣ -
♠ -                             ♠ -
♥ -                             ♥ AKQJT98765432
♦ -                             ♦ -
♣ AKQJT98765432                 ♣ -
                ♠ -
                ♥ -
                ♦ AKQJT98765432
                ♣ -
HCP  N 10  E 10  S 10  W 10
deal 0
"""


class Page(HTMLParser):
    """Checks that tags are closed in order, and collects tags, attributes and cells."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: list[str] = []
        self.attributes: set[str] = set()
        self.cells: list[list[str]] = []
        self.headings: list[str] = []
        self.words: list[str] = []
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes |= {name for name, _ in attrs}
        if tag not in VOID:
            self.open.append(tag)
        if tag == "tr":
            self.cells.append([])
        if tag in {"td", "th"}:
            self.cells[-1].append("")
        if tag in {"h1", "h2"}:
            self.headings.append("")

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.words.append(data)
        if {"td", "th"} & set(self.open):
            self.cells[-1][-1] += data
        if self.open and self.open[-1] in {"h1", "h2"}:
            self.headings[-1] += data


def small(title: str = "Two clubs & more") -> PracticeSet:
    """Two boards for two players."""
    players = (Seat.NORTH, Seat.SOUTH)
    seating = Seating(players=players)
    boards = [seating.board(3 + i, pav.Deal.from_pbn(text)) for i, text in enumerate((HANDS, SLAM))]
    return PracticeSet(title, tuple(boards), players, ("Condition: hcp(north) <= 10",))


def test_the_text_of_a_small_set() -> None:
    assert text_pages(small()) == TEXT


def test_the_html_of_a_small_set() -> None:
    text = html_pages(small())
    page = Page(text)
    assert text.startswith('<!DOCTYPE html>\n<html lang="en">')
    assert page.tags.count("section") == 3
    assert page.headings == [
        word
        for whose in ("North", "South", "Solution")
        for word in ("Two clubs & more", f"{whose}, boards 3 to 4")
    ]
    heads = ["Board", "Dealer", "Vulnerable", "♠", "♥", "♦", "♣", "Bidding"]
    assert page.cells[:3] == [
        heads,
        ["3", "South", "EW", "A", "KJ93", "Q765", "T962", ""],
        ["4", "West", "All", "AKQJT98765432", "-", "-", "-", ""],
    ]
    assert page.cells[4] == ["3", "South", "EW", "QJ643", "QT5", "K43", "74", ""]
    for word in ("Board 3", "KT85", "South deals, EW vulnerable", "HCP  N 10  E 15  S 8  W 7"):
        assert word in text
    assert "deal 12345678901234567890123456789" in page.words


def test_html_is_self_contained_and_printable() -> None:
    text = html_pages(small())
    page = Page(text)
    assert not {"script", "link", "img", "iframe", "object"} & set(page.tags)
    assert not {name for name in page.attributes if name.startswith("on") or name == "src"}
    for word in ("http", "url(", "@import"):
        assert word not in text
    assert "break-after: page" in text
    assert "prefers-color-scheme: dark" in text


def test_what_people_write_is_escaped() -> None:
    evil = "</title><script>alert('1 & \"2\"')</script>"
    text = html_pages(small(evil))
    page = Page(text)
    assert "script" not in page.tags
    assert page.headings[0] == evil
    assert "<=" not in text.split("</style>")[1]
    assert "Condition: hcp(north) <= 10" in page.words


def test_one_board_is_a_set_too() -> None:
    one = PracticeSet("One", small().boards[:1])
    assert one.span == "board 3"
    assert text_pages(one).count("\f") == 4
