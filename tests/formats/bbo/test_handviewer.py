"""Addresses of Bridge Base's hand viewer."""

from __future__ import annotations

from urllib.parse import quote

from formats_support import DEAL, read_format, write_format
from table_support import FIXTURES, board_of, facts

from pavcodec import Board
from pavcodec.boards.board import Tag

VIEWER = "https://www.bridgebase.com/tools/handviewer.html"
SEATS = "s=sqj643hqt5dk43c74&w=skt85h2djt9cqj853&n=sahkj93dq765ct962&e=s972ha8764da82cak"


def one(query: str) -> Board:
    """The only board of an address without problems."""
    return read_format("handviewer", f"{VIEWER}?{query}\n".encode()).board


def test_addresses_of_all_styles() -> None:
    reading = read_format("handviewer", (FIXTURES / "styles.urls").read_bytes())
    assert reading.problems == []
    assert reading.layouts == [DEAL, "N:A.T5.3. - K2.7.4. -", DEAL]
    lin, pair, seats = reading.boards
    assert lin.tags["Contract"] == "Pass"
    assert dict(pair.tags) == {
        "Board": "7", "North": "Nora+B", "South": "Dov", "Dealer": "S", "Vulnerable": "None",
    }  # fmt: skip
    assert seats.tags["Contract"] == "2H"
    assert seats.sections["Play"] == ("S4 S5 SA S2",)
    assert seats.tags["Note"] == "1:Alert: 5+ hearts"
    assert [board.line for board in reading.boards] == [1, 2, 3]


QUERIES = [
    ("d=n", {"Dealer": "N"}),
    ("d=W&v=b", {"Dealer": "W", "Vulnerable": "All"}),
    ("v=o", {"Vulnerable": "None"}),
    ("b=12&nn=A%20B", {"Board": "12", "North": "A B"}),
    ("b=12&amp;en=E", {"Board": "12", "East": "E"}),
    ("bbo=y&tbt=y&S=&kibitz=x#top", {}),
    ("p=s4s7", {"LinPlay": "S4 S7"}),
    ("d=s&a=-3ns", {"Dealer": "S"}),
    ("d=s&a=1n,%20d{remark}r", {"Dealer": "S", "Auction": "S"}),
]


def test_parameters() -> None:
    for query, expected in QUERIES:
        assert dict(one(f"{SEATS}&{query}").tags) == expected, query


def test_lin_may_stand_as_it_is() -> None:
    board = one("lin=md|1S,H,D,CA|rh||ah|Board%207|sv|e|mb|1C!|an|2+ clubs|")
    assert str(board.layout) == "N:- ...A - -"
    assert board.tags["Note"] == "1:Alert: 2+ clubs"


def test_what_is_written_is_one_word() -> None:
    tags = [Tag("Auction", "S", ("1C =1= *",)), Tag("Note", "1:5+ & more=?#%")]
    board = board_of({"Board": "7", "Dealer": "S", "South": "Zoë B", "Vulnerable": "All"}, tags)
    line = write_format("handviewer", [board]).data.decode().rstrip("\n")
    assert line.isascii()
    assert " " not in line
    assert quote("an|5+ & more=?#%|", safe="") in line
    assert facts(read_format("handviewer", line.encode()).board) == facts(board)
