"""Diagrams as HTML and SVG: well formed, complete, and safe whatever is written beside them."""

from __future__ import annotations

import xml.etree.ElementTree as ET

import pytest
from hypothesis import given
from strategies import layouts

import pavcodec as pav
from pavcodec.boards.board import caption_of
from pavcodec.cards import Seat
from pavcodec.layout.drawings import Caption, diagram, html_diagram, notebook_diagram, svg_diagrams

EVIL = "</div><script>alert('1 & 2')</script>"
DEAL = pav.numbering("deal")[10**28]
CAPTION = Caption("Board 7", ("South deals", "♥ and ♦"), Seat.SOUTH, frozenset(Seat))
TRICKS = pav.TrickTable(bytes([9, 4, 8, 4, 6, 6, 6, 5, 8, 5, 7, 5, 3, 9, 3, 10, 11, 2, 11, 2]))


def words(root: ET.Element) -> list[str]:
    """The texts of an element, as a reader sees them."""
    return [text.strip() for text in root.itertext() if text.strip()]


@given(layouts())
def test_every_card_is_drawn(layout: pav.Layout) -> None:
    lines = " ".join(diagram(layout)).split()
    cards = sorted(word for word in lines if word not in {"♠", "♥", "♦", "♣", "-"})
    page = ET.fromstring(html_diagram(layout).replace("<br>", " "))  # noqa: S314
    hands = [each for each in page.iter("div") if each.get("class") == "pav-hand"]
    found = " ".join(word for hand in hands for word in words(hand)).split()
    assert sorted(word for word in found if word not in {"♠", "♥", "♦", "♣", "–"}) == cards
    picture = ET.fromstring(svg_diagrams([(layout, Caption())]))  # noqa: S314
    texts = [each for each in picture.iter() if each.tag.endswith("}text")]
    found = " ".join(word for text in texts for word in words(text)).split()
    assert sorted(word for word in found if word not in {*"♠♥♦♣–NESW"}) == cards


@pytest.mark.parametrize("text", [EVIL, '"', "a & b", "<b>"])
def test_what_people_write_is_escaped(text: str) -> None:
    caption = Caption(text, (text,))
    for drawn in (html_diagram(DEAL, caption).replace("<br>", ""), svg_diagrams([(DEAL, caption)])):
        assert words(ET.fromstring(drawn)).count(text) == 2  # noqa: S314


def test_dealers_and_vulnerable_sides_are_marked() -> None:
    page = ET.fromstring(html_diagram(DEAL, CAPTION).replace("<br>", ""))  # noqa: S314
    marked = {
        each.text: each.get("class") for each in page.iter("span") if each.text in set("NESW")
    }
    assert marked == dict.fromkeys("NWE", "pav-vulnerable") | {"S": "pav-vulnerable pav-dealer"}
    assert page[0].text == "Board 7"


def test_tricks_are_a_table_and_each_row_of_a_picture_is_below_the_one_before() -> None:
    caption = caption_of(pav.Board.make(DEAL, number=7, tricks=TRICKS))
    drawn = html_diagram(DEAL, caption).replace("<br>", "")
    assert [" ".join(words(row)) for row in ET.fromstring(drawn).iter("tr")] == [  # noqa: S314
        *("tricks NT ♠ ♥ ♦ ♣", "N 9 6 8 3 11", "S 8 6 7 3 11", "E 4 6 5 9 2", "W 4 5 5 10 2")
    ]
    for many in (0, 1, 5):
        picture = ET.fromstring(svg_diagrams([(DEAL, caption)] * many))  # noqa: S314
        assert len([each for each in picture.iter() if each.tag.endswith("}g")]) == many
    picture = ET.fromstring(svg_diagrams([(DEAL, caption)]))  # noqa: S314
    texts = [each for each in picture.iter() if each.tag.endswith("}text")]
    cells = [each for each in texts if each.get("class") == "table"]
    rows = [int(each.get("y", "")) for each in cells[::6]]
    assert len(rows) == 5
    assert rows == list(range(rows[0], rows[-1] + 1, rows[1] - rows[0]))
    assert rows[1] > rows[0]
    assert [int(e.get("y", "")) for e in texts if e.get("x") == "148"][:4] == [48, 66, 84, 102]
    east = [int(each.get("y", "")) for each in texts if each.get("x") == "284"]
    assert rows[0] > max(east)


def test_notebooks_draw_layouts_and_boards() -> None:
    assert DEAL._repr_html_() == notebook_diagram(DEAL)
    hand = pav.Hand.from_pbn("AQT85.Q862..AQJ2")._repr_html_().replace("<br>", " ")
    drawn = ET.fromstring(hand.partition("</style>")[2])  # noqa: S314
    assert " ".join("".join(drawn.itertext()).split()) == "♠ AQT85 ♥ Q862 ♦ – ♣ AQJ2"
    board = pav.Board.make(DEAL, number=7)
    assert "South deals, all vulnerable" in str(board._repr_html_())
    assert pav.Board(None)._repr_html_() is None
