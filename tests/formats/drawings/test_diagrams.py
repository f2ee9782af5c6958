"""Diagrams of plain text, read and written; and pages: boards with cards, and a title."""

from __future__ import annotations

import io

import oracles
import pytest
from formats_support import DEAL, ENDING, corpus_folder, read_format, write_format
from hypothesis import given, settings
from hypothesis import strategies as st
from packages import needs
from printing_support import odd_boards, some_boards
from records_support import trick_tables
from strategies import deals, sparse_layouts

from pavcodec import Board, Layout, ReadError, Seat, TrickTable, Vulnerability
from pavcodec.boards import Context
from pavcodec.formats import format_of
from pavcodec.formats.drawings.diagrams import drawing_of
from pavcodec.layout.drawings import diagram

FIXTURES = oracles.FIXTURES / "formats"
TABLE = TrickTable(bytes([9, 4, 8, 4, 6, 6, 6, 5, 8, 5, 7, 5, 3, 9, 3, 10, 11, 2, 11, 2]))
TEXT = """\
Board 7
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
South deals, all vulnerable
HCP  N 10  E 15  S 8  W 7

"""


def test_a_board_is_drawn_as_show_draws_it() -> None:
    board = Board.make(Layout.from_pbn(DEAL), number=7)
    assert write_format("diagram", [board, Board(None)]) == (TEXT.encode(), [])
    assert drawing_of(board) == [*TEXT.split("\n")[:-1]]
    found = read_format("diagram", TEXT.encode()).board
    assert (str(found.layout), found.number, found.line) == (DEAL, 7, 2)
    assert (found.dealer, found.vulnerable) == (Seat.SOUTH, Vulnerability.ALL)


def test_what_stands_below_a_diagram_comes_back() -> None:
    tags = {"Contract": "4SX", "Declarer": "E", "Result": "10"}
    for more in (tags, {"Contract": "Pass"}, {"Contract": "1NT"}, {}):
        board = Board.make(Layout.from_pbn(DEAL), number=12, tags=more, tricks=TABLE)
        found = read_format("diagram", write_format("diagram", [board]).data).board
        assert found.tricks == TABLE
        assert {name: value for name, value in found.tags.items() if name in tags} == more


OLDER = "N NT9 S6 H8 D3 C11  S NT8 S6 H7 D3 C11\nE NT4 S6 H5 D9 C2  W NT4 S5 H5 D10 C2\n"
OTHER_ORDER = """\
      C   D   H   S  NT
  N  11   3   8   6   9
  E   2   9   5   6   4
  S  11   3   7   6   8
  W   2  10   5   5   4
"""


def test_tricks_in_other_forms_are_read_unless_they_have_a_fault() -> None:
    for table in (OLDER, OTHER_ORDER):
        assert read_format("diagram", f"{TEXT}{table}".encode()).board.tricks == TABLE
    for old, new in (("11", "14"), ("  W   2", "  V   2"), (" NT\n", "\n"), (" S  NT", " C  NT")):
        text = f"{TEXT}{OTHER_ORDER.replace(old, new)}"
        assert read_format("diagram", text.encode()).board.tricks is None


any_boards = st.builds(
    Board.make,
    deals() | sparse_layouts(),
    number=st.none() | st.integers(1, 999),
    dealer=st.none() | st.sampled_from(Seat),
    vulnerable=st.none() | st.sampled_from(Vulnerability),
    tricks=st.none() | trick_tables(),
)


@pytest.mark.slow
@settings(max_examples=40, deadline=None)
@given(st.lists(any_boards, max_size=4))
def test_what_is_written_is_read(boards: list[Board]) -> None:
    data, problems = write_format("diagram", boards)
    again = read_format("diagram", data)
    assert problems == again.problems == []
    assert [(b.layout, b.number, b.dealer, b.vulnerable, b.tricks) for b in again.boards] == [
        (b.layout, b.number, b.dealer, b.vulnerable, b.tricks) for b in boards
    ]
    assert write_format("diagram", again.boards).data == data


def test_the_diagrams_of_other_programs_have_the_deals_of_their_lines() -> None:
    folder = corpus_folder() / "generated"
    for drawn, lines in (
        (FIXTURES / "drawn.diagram", FIXTURES / "spaced.txt"),
        (folder / "deal_default.txt", folder / "deal_l.txt"),
    ):
        expected = read_format("deal-lines", lines.read_bytes()).layouts
        reading = read_format("diagram", drawn.read_bytes())
        assert (reading.layouts, reading.problems) == (expected, [])
    practice = read_format("diagram", (folder / "deal_practice.txt").read_bytes())
    assert practice.problems == []
    assert [board.number for board in practice.boards] == list(range(1, 101))


STYLES = {
    "letters": {"♠": "S", "♥": "H", "♦": "D", "♣": "C"},
    "letters with colons": {"♠": "S:", "♥": "H:", "♦": "D:", "♣": "C:"},
    "white signs": {"♠": "♤", "♥": "♡", "♦": "♢", "♣": "♧"},
    "question marks": {"♠": "?", "♥": "?", "♦": "?", "♣": "?"},
    "tens of two signs": {"T": "10"},
    "carriage returns": {"\n": "\r\n"},
    "blanks at the ends": {"\n": "   \n"},
    "dealer by a letter": {"South deals, all vulnerable": "Dealer: S  Vul: Both"},
    "hyphens": {"Board 7": "Deal: 7"},
}


def test_other_styles_are_read() -> None:
    for name, style in STYLES.items():
        text = TEXT
        for old, new in style.items():
            text = text.replace(old, new)
        found = read_format("diagram", text.encode()).board
        assert (str(found.layout), found.number) == (DEAL, 7), name
        assert (found.dealer, found.vulnerable) == (Seat.SOUTH, Vulnerability.ALL), name


def test_hands_may_have_blank_lines_between_and_captions_above() -> None:
    rows = diagram(Layout.from_pbn(ENDING))
    text = "\n".join(["Board No. 3 (E-W vul)", *rows[:4], "", *rows[4:8], " ", *rows[8:], "---"])
    text += "\n".join(["", "a text in between", *rows, ""])
    reading = read_format("diagram", text.encode())
    assert (reading.layouts, reading.problems) == ([ENDING, ENDING], [])
    assert [board.number for board in reading.boards] == [3, None]
    assert reading.boards[0].vulnerable is Vulnerability.EW


def changed(row: int, new: str | None) -> str:
    rows = TEXT.split("\n")
    rows[row : row + 1] = [] if new is None else [new]
    return "\n".join(rows)


CUT = "\n".join(TEXT.split("\n")[:8])
DAMAGES = [
    (changed(3, "                ♦ Q76x"), "after 2 comes the line '        "),
    (changed(3, None), "a diagram has 12 lines; after 2 comes the line"),
    (changed(6, "♥ 2"), "a diagram has 12 lines; after 5 comes the line '♥ 2'"),
    (changed(5, ""), "after 4 comes the line '♥ 2"),
    (changed(12, ""), "after 11 comes the line ''"),
    (changed(12, "                ♣ A4"), "card CA is in two hands, East's and South's"),
    (f"{CUT}\n-----\n", "after 7 comes the line '-----'"),
    (f"{CUT}\n", "after 7 comes the line 'Board 7'"),
]


def test_damage_is_one_problem_and_the_other_diagrams_are_kept() -> None:
    for text, reason in DAMAGES:
        reading = read_format("diagram", f"{TEXT}{text}{TEXT}".encode())
        assert reading.layouts == [DEAL, DEAL], reading.problems
        assert reading.problem.line == 18
        assert reason in reading.problem.reason
        assert reading.problem.board in ("7", None)
    reading = read_format("diagram", f"{TEXT}{CUT}".encode())
    assert reading.layouts == [DEAL]
    assert reading.problem.reason == "a diagram has 12 lines; after 7 comes the end"
    reading = read_format("diagram", TEXT.encode() + b"\x00\n")
    assert reading.problem.reason == "this is not text: expected diagrams"


def test_long_lines_take_no_long_time() -> None:
    blanks = " " * 10**6
    for line in (f"♠{blanks}", f"Board{blanks}", f"{blanks}♠ A"):
        assert read_format("diagram", line.encode()).boards == []


# the formats `html`, `pdf` and `svg`


def written(name: str, boards: list[Board], title: str = "") -> bytes:
    stream = io.BytesIO()
    assert format_of(name).write(boards, stream, Context("x", title=title)) == len(boards)
    return stream.getvalue()


def test_pages_have_the_title_of_the_context() -> None:
    page = written("html", some_boards(3), "Our night").decode()
    assert "<h1>Our night</h1>" in page
    assert "<h1>Boards 1 to 3</h1>" in written("html", some_boards(3)).decode()


def test_boards_without_cards_are_left_out() -> None:
    boards = odd_boards()
    page = written("html", boards).decode()
    assert page.count("<article") == sum(board.layout is not None for board in boards) == 6
    assert written("svg", boards).decode().count("<title>") == 6
    assert "<article" not in written("html", [Board(None)]).decode()


@pytest.mark.slow
def test_pdf_is_the_same_document() -> None:
    needs("typst")
    pypdf = pytest.importorskip("pypdf")
    data = written("pdf", [*some_boards(3), Board(None)], "Our night")
    (page,) = pypdf.PdfReader(io.BytesIO(data)).pages
    assert "Our night" in page.extract_text()


@pytest.mark.parametrize("name", ["html", "pdf", "svg"])
def test_pages_are_not_read(name: str) -> None:
    with pytest.raises(ReadError, match="are written, and not read"):
        list(format_of(name).read(io.BytesIO(b"x"), Context("x")))
