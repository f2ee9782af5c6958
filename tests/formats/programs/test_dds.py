"""Lists of deals for the tests of DDS."""

from __future__ import annotations

from pathlib import Path

import pytest
from formats_support import (
    DEAL,
    ENDING,
    OTHER,
    corpus_folder,
    read_format,
    read_text,
    write_bytes,
    write_format,
)
from hypothesis import given, settings
from hypothesis import strategies as st
from records_support import trick_tables
from strategies import deals, sparse_layouts

from pavcodec import Board, Layout, Seat, TrickTable, Vulnerability
from pavcodec.boards import Tag

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
    assert (second.dealer, second.vulnerable, second.tricks) == (
        Seat.NORTH,
        Vulnerability.NONE,
        None,
    )
    tricks = first.tricks
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


@pytest.mark.parametrize("number", range(4))
def test_the_rules_are_numbers(number: int) -> None:
    text = (
        f'NUMBER 1 \nPBN {number} {number} {number} 0 "{Layout.from_pbn(DEAL).to_pbn(number)}" \n'
    )
    board = read_format("dds", text.encode()).board
    assert board.dealer == Seat(number)
    assert board.vulnerable is not None
    assert board.vulnerable.value == ("None", "All", "NS", "EW")[number]
    assert write_format("dds", [board]).data == text.encode()


@pytest.mark.slow
@settings(max_examples=40, deadline=None)
@given(
    found=st.lists(
        st.tuples(
            deals() | sparse_layouts(),
            st.sampled_from(Seat),
            st.sampled_from(Vulnerability),
            st.none() | trick_tables(),
        ),
        max_size=4,
    )
)
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


def test_the_files_of_the_corpus_are_written_byte_for_byte() -> None:
    folder = corpus_folder() / "dds"
    counts = {}
    for path in sorted(folder.iterdir()):
        data = path.read_bytes()
        reading = read_format("dds", data)
        assert reading.problems == []
        assert write_format("dds", reading.boards).data == data
        counts[Path(path).stem.rpartition("__")[2]] = len(reading.boards)
        assert all(board.tricks is not None for board in reading.boards)
    assert counts == {
        "largest": 21, "list1": 1, "list10": 10, "list100": 100, "list2": 2,
        "thomas1": 1, "thomas2": 1,
    }  # fmt: skip


@pytest.mark.parametrize(
    ("old", "new", "line", "reason"),
    [
        ("PBN 2 1 4 3", "PBN 4 1 4 3", 2, "expected PBN, dealer, vulnerability, trump and first"),
        ("PBN 2 1 4 3", "PBN 2 1 4", 2, "expected PBN, dealer, vulnerability, trump and first"),
        ("PBN 2 1", "PBM 2 1", 2, "expected one of NUMBER, PBN, FUT"),
        ("QJ643", "QJA43", 2, "card SA is in two hands"),
        ("QJ643", "QJ6x3", 2, "x"),
    ],
)
def test_a_deal_that_is_none_is_one_problem(old: str, new: str, line: int, reason: str) -> None:
    text = (
        TEXT.replace(old, new) if "PBM" not in new else TEXT.replace(old, new).replace("R 2", "R 1")
    )
    reading = read_format("dds", text.encode())
    assert reading.layouts == [OTHER]
    assert (reading.problem.line, reason in reading.problem.reason) == (line, True)
    assert new[:10] in reading.problem.reason or "QJ" in new


@pytest.mark.parametrize("old", ["TABLE 5", "4 3 2 \n", "TABLE 5 8"])
def test_a_table_that_is_wrong_is_one_problem_and_the_deal_is_kept(old: str) -> None:
    new = {"TABLE 5": "TABLE 14", "4 3 2 \n": "4 3 \n", "TABLE 5 8": "TABLE x 8"}[old]
    reading = read_format("dds", TEXT.replace(old, new).encode())
    assert reading.layouts == [DEAL, OTHER]
    assert (reading.problem.line, reading.boards[0].tricks) == (4, None)
    assert reading.problem.reason.startswith("expected 20 numbers from 0 to 13: ")
    assert reading.boards[0].tags["DdsPar2"] == '"-110" "2S-EW"'


def test_a_list_that_is_cut_off_is_known_by_its_number() -> None:
    reading = read_format("dds", TEXT[: TEXT.rindex("PBN")].encode())
    assert reading.layouts == [DEAL]
    assert reading.problem.reason == "NUMBER is 2, and there are 1 deals"
    assert read_format("dds", TEXT.replace("NUMBER 2 \n", "").encode()).problems == []
    assert read_format("dds", b"NUMBER 0\n") == ([], [])


def test_what_the_list_cannot_hold_is_refused() -> None:
    rules = {"dealer": Seat.WEST, "vulnerable": Vulnerability.NS}
    good = Board.make(Layout.from_pbn(ENDING), number=3)
    for bad, reason in (
        (Board(Layout.from_pbn(DEAL)), "the list needs a dealer and a vulnerability"),
        (Board.make(good.layout, number=1, tags={"DdsTrump": "5"}), "DdsTrump is 0 to 4"),
        (Board.make(good.layout, number=1, tags={"DdsFirst": "N"}), "not '0' and 'N'"),
        (
            Board(good.layout, (*good.entries, Tag("DdsPlay", "1\n2"))),
            "the tag DdsPlay is more than a line",
        ),
    ):
        data, (problem,) = write_format("dds", [good, bad, Board(None)])
        assert data.startswith(b"NUMBER 1 \n")
        assert data.count(b"PBN") == 1
        assert reason in problem.reason
    assert write_format("dds", [Board(None)]) == (b"", [])
    assert write_format("dds", [Board.make(good.layout, **rules)]).problems == []  # type: ignore[arg-type]
