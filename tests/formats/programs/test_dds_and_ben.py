"""Lists of deals for the tests of DDS, and the boards of BEN and Bridge Bidding Analyser."""

from __future__ import annotations

import pytest
from formats_support import (
    DEAL,
    ENDING,
    OTHER,
    format_seen,
    read_format,
    read_text,
    write_bytes,
    write_format,
)
from hypothesis import given
from hypothesis import strategies as st
from records_support import trick_tables
from strategies import deals, sparse_layouts
from table_support import table_boards

from pavcodec import Board, Layout, Seat, TrickTable, Vulnerability
from pavcodec.boards import Tag
from pavcodec.boards.play import auction_of

FUT = "2 2 2 8 5 0 0 5 5"
TEXT = f"""\
NUMBER 2 \n\
PBN 2 1 4 3 "{Layout.from_pbn(DEAL).to_pbn("S")}" \n\
FUT {FUT} \n\
TABLE 5 8 5 8 6 6 6 6 5 7 5 7 7 5 7 5 6 4 3 2 \n\
PAR "NS -110" "EW 110" "NS:EW 2S" "EW:EW 2S" \n\
PAR2 "-110" "2S-EW" \n\
PLAY 4 "CTC4CACJ" \n\
TRACE 5 8 8 8 8 8 \n\
PBN 0 0 0 0 "{OTHER}" \n\
"""


def test_a_list_is_read_to_the_last_word() -> None:
    reading = read_format("dds", TEXT.encode())
    assert (reading.layouts, reading.problems) == ([DEAL, OTHER], [])
    first, second = reading.boards
    assert (first.dealer, first.vulnerable) == (Seat.SOUTH, Vulnerability.ALL)
    assert (second.dealer, second.vulnerable) == (Seat.NORTH, Vulnerability.NONE)
    tricks = first.tricks
    assert second.tricks is None
    assert tricks is not None
    assert [tricks[seat, "S"] for seat in "NESW"] == [5, 8, 5, 8]
    assert [tricks[seat, "NT"] for seat in "NESW"] == [6, 4, 3, 2]
    assert (first.tags["DdsTrump"], first.tags["DdsFirst"]) == ("4", "3")
    assert first.tags["DdsFut"] == FUT
    assert first.tags["DdsPar"] == '"NS -110" "EW 110" "NS:EW 2S" "EW:EW 2S"'
    assert first.tags["DdsTrace"] == "5 8 8 8 8 8"
    assert [board.line for board in reading.boards] == [2, 9]


def test_a_list_is_written_byte_for_byte_and_pbn_keeps_all_of_it() -> None:
    boards = read_format("dds", TEXT.encode()).boards
    assert write_format("dds", boards) == (TEXT.encode(), [])
    kept = read_text(write_bytes(boards)).boards
    assert write_format("dds", kept) == (TEXT.encode(), [])


VULNERABLE = ["None", "All", "NS", "EW"]
FACTS = st.tuples(
    deals() | sparse_layouts(),
    st.sampled_from(Seat),
    st.sampled_from(Vulnerability),
    st.none() | trick_tables(),
)


@pytest.mark.slow
@given(found=st.lists(FACTS, max_size=4))
def test_what_is_written_is_read(
    found: list[tuple[Layout, Seat, Vulnerability, TrickTable | None]],
) -> None:
    boards = [
        Board.make(layout, dealer=dealer, vulnerable=vulnerable, tricks=tricks)
        for layout, dealer, vulnerable, tricks in found
    ]
    data, problems = write_format("dds", boards)
    again = read_format("dds", data)
    assert problems == again.problems == []
    assert [(b.layout, b.dealer, b.vulnerable, b.tricks) for b in again.boards] == found
    assert write_format("dds", again.boards).data == data
    lines = [line for line in data.decode().splitlines() if line.startswith("PBN")]
    for line, (layout, dealer, vulnerable, _) in zip(lines, found, strict=True):
        rules = f"{int(dealer)} {VULNERABLE.index(vulnerable.value)}"
        assert line == f'PBN {rules} 0 {int(dealer)} "{layout.to_pbn(dealer)}" '


PBN = "expected PBN, dealer, vulnerability, trump and first"
TRICKS = "expected 20 numbers from 0 to 13: "


@pytest.mark.parametrize(
    ("old", "new", "line", "reason"),
    [
        ("PBN 2 1 4 3", "PBN 4 1 4 3", 2, PBN),
        ("PBN 2 1 4 3", "PBN 2 1 4", 2, PBN),
        ("2 \nPBN 2 1", "1 \nPBM 2 1", 2, "expected one of NUMBER, PBN, FUT"),
        ("QJ643", "QJA43", 2, "card SA is in two hands"),
        ("QJ643", "QJ6x3", 2, "x"),
        ("TABLE 5", "TABLE 14", 4, TRICKS),
        ("4 3 2 \n", "4 3 \n", 4, TRICKS),
        ("TABLE 5 8", "TABLE x 8", 4, TRICKS),
    ],
)
def test_damage_is_one_problem(old: str, new: str, line: int, reason: str) -> None:
    reading = read_format("dds", TEXT.replace(old, new).encode())
    assert (reading.problem.line, reason in reading.problem.reason) == (line, True)
    assert reading.layouts == ([DEAL, OTHER] if reason == TRICKS else [OTHER])
    if reason == TRICKS:
        assert reading.boards[0].tricks is None
        assert reading.boards[0].tags["DdsPar2"] == '"-110" "2S-EW"'


def test_a_list_that_is_cut_off_is_known_by_its_number() -> None:
    reading = read_format("dds", TEXT[: TEXT.rindex("PBN")].encode())
    assert reading.layouts == [DEAL]
    assert reading.problem.reason == "NUMBER is 2, and there are 1 deals"
    assert read_format("dds", TEXT.replace("NUMBER 2 \n", "").encode()).problems == []
    assert read_format("dds", b"NUMBER 0\n") == ([], [])


def test_what_the_list_cannot_hold_is_refused() -> None:
    good = Board.make(Layout.from_pbn(ENDING), number=3)
    for bad, reason in (
        (Board(Layout.from_pbn(DEAL)), "the list needs a dealer and a vulnerability"),
        (Board.make(good.layout, number=1, tags={"DdsTrump": "5"}), "DdsTrump is 0 to 4"),
        (Board.make(good.layout, number=1, tags={"DdsFirst": "N"}), "not '0' and 'N'"),
        (
            Board(good.layout, (*good.entries, Tag("DdsPlay", "1\n2"))),
            "DdsPlay is more than a line",
        ),
    ):
        data, (problem,) = write_format("dds", [good, bad, Board(None)])
        assert data.startswith(b"NUMBER 1 \n")
        assert data.count(b"PBN") == 1
        assert reason in problem.reason
    assert write_format("dds", [Board(None)]) == (b"", [])


HANDS = DEAL.removeprefix("N:")
BEN = f"""\
# BEN
# Generated by Bridge Bidding Analyser v. 8128
{HANDS}
E E-W 1C 1H 2S* 3H 3N X P  P P
{OTHER.removeprefix("N:")}
W None
"""


def test_two_lines_are_a_board_of_ben() -> None:
    assert format_seen(BEN) in ("lines", "ben")  # the suffix tells
    reading = read_format("ben", BEN.encode())
    first, second = reading.boards
    assert (reading.layouts, reading.problems) == ([DEAL, OTHER], [])
    assert (first.dealer, first.vulnerable) == (Seat.EAST, Vulnerability.EW)
    auction = auction_of(first)
    assert auction is not None
    calls = " ".join(call.word for call in auction.calls)
    assert calls == "1C 1H 2S 3H 3NT X Pass Pass Pass"
    assert [call.alert for call in auction.calls].index(True) == 2
    assert (first.tags["Contract"], first.tags["Declarer"]) == ("3NTX", "E")
    assert (second.dealer, auction_of(second)) == (Seat.WEST, None)
    assert [board.line for board in reading.boards] == [3, 5]


def test_other_forms_and_faults_of_ben() -> None:
    for text in (f"S None {HANDS}", f"'{HANDS}','S None'", f'"{HANDS}" "S None"'):
        board = read_format("ben", f"{text}\n".encode()).board
        assert (str(board.layout), board.dealer) == (DEAL, Seat.SOUTH)
    text = f"{HANDS}\n{HANDS}\nN All\nE None 8C\n{HANDS}\nE None 8C\n{HANDS[:-1]}\nN None\n"
    reading = read_format("ben", text.encode())
    assert reading.layouts == [DEAL] * 3
    assert reading.problems[0].reason.startswith("there is no dealer behind the hands")
    assert [p.line for p in reading.problems] == [1, 2, 3, 4, 5, 7]


@pytest.mark.slow
@given(table_boards())
def test_what_ben_holds_comes_back(board: Board) -> None:
    written = write_format("ben", [board])
    again = read_format("ben", written.data).board
    assert written.problems == []
    assert (again.layout, again.dealer) == (board.layout, board.dealer)
    assert again.vulnerable == board.vulnerable
    before, after = auction_of(board), auction_of(again)
    assert before is not None
    assert after is not None
    assert [(c.word, c.alert) for c in after.calls] == [(c.word, c.alert) for c in before.calls]


def test_what_ben_cannot_hold_is_a_problem() -> None:
    boards = [Board(Layout.from_pbn(DEAL)), Board.make(Layout.from_pbn(OTHER), number=2)]
    written = write_format("ben", boards)
    assert [p.reason for p in written.problems] == [
        f"BEN needs a dealer and a vulnerability: '{DEAL}'"
    ]
    assert written.data.decode() == f"{OTHER.removeprefix('N:')}\nE N-S\n"
    ending = read_format("lines", f"{ENDING}\n".encode()).boards
    assert len(write_format("ben", ending).problems) == 1
