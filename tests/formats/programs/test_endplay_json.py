"""JSON as the library endplay writes and reads it."""

from __future__ import annotations

import json

import pytest
from formats_support import DEAL, read_format, read_text, write_format
from hypothesis import given, settings
from table_support import facts, table_boards

from pavcodec import Board, Layout, TrickTable
from pavcodec.boards.tricks import format_trick_digits

PBN = f"""[Event "Østland"]
[North "A"]
[Board "1"]
[Dealer "N"]
[Vulnerable "All"]
[Deal "{DEAL}"]
[Declarer "N"]
[Contract "1CX"]
[Result "6"]
[Auction "N"]
1C =1= X XX Pass
Pass X Pass Pass
Pass
[Note "1:Alert: strong"]
[Play "E"]
CA C4 C3 C2
"""


def written() -> bytes:
    return write_format("endplay-json", read_text(PBN).boards).data


def test_a_board_comes_back() -> None:
    reading = read_format("json", written())
    assert reading.problems == []
    assert facts(reading.board) | {"Deal": DEAL} == facts(read_text(PBN).board)


@pytest.mark.slow
@settings(deadline=None, max_examples=50)
@given(table_boards())
def test_boards_come_back(board: Board) -> None:
    out = write_format("endplay-json", [board])
    assert out.problems == []
    again = read_format("endplay-json", out.data).board
    assert again.layout == board.layout
    assert again.sections == board.sections
    assert dict(again.tags) | {"Deal": "", "Result": ""} == dict(board.tags) | {
        "Deal": "", "Result": "",
    }  # fmt: skip


def test_endplay_reads_what_is_written_and_is_read() -> None:
    parser = pytest.importorskip("endplay.parsers.json")
    (board,) = parser.loads(written().decode())
    assert board.deal.to_pbn() == DEAL
    assert (board.board_num, board.dealer.name, board.vul.name) == (1, "north", "both")
    assert (str(board.contract), board.info.Event) == ("1♣Nx-1", "Østland")
    assert [len(board.auction), len(board.play)] == [9, 4]
    again = read_format("json", parser.dumps([board]).encode())
    assert again.problems == []
    assert facts(again.board) | {"Deal": DEAL} == facts(read_text(PBN).board)


@pytest.mark.parametrize(
    ("key", "value", "reason"),
    [
        ("auction", [{"level": 8}], "this is no board of endplay"),
        ("auction", "1C", "expected a list"),
        ("play", [{"suit": "spades", "rank": "1"}], "a card has a suit and a rank"),
        ("contract", {"level": "x"}, "this is no board of endplay"),
        ("deal", {"north": [{"suit": "x"}]}, "a card has a suit and a rank"),
    ],
)
def test_what_is_wrong_is_told(key: str, value: object, reason: str) -> None:
    (found,) = json.loads(written())
    found[key] = value
    reading = read_format("json", json.dumps([found]).encode())
    assert any(reason in problem.reason for problem in reading.problems)
    assert len(reading.boards) == (0 if key == "deal" else 1)


def test_tricks_and_an_unknown_result_come_back() -> None:
    tricks = TrickTable(bytes(range(10)) * 2)
    tags = {"Board": "4-2", "Dealer": "N", "Contract": "4S", "Declarer": "N", "Result": "?"}
    board = Board.make(Layout.from_pbn(DEAL), tags=tags, tricks=tricks)
    (row,) = json.loads(write_format("endplay-json", [board]).data)
    assert row["info"]["Result"] == "?"
    assert row["info"]["DoubleDummyTricks"] == format_trick_digits(tricks)
    again = read_format("json", json.dumps([row]).encode()).board
    assert again.tricks == tricks
    assert again.tags["Board"] == "4-2"
    assert (again.tags["Contract"], again.tags["Declarer"]) == ("4S", "N")
    assert "Result" not in again.tags


def test_a_tag_with_a_comment_comes_back() -> None:
    pbn = f'[Site "Bled"]\n{{by the lake}}\n[Dealer "N"]\n[Deal "{DEAL}"]\n'
    again = read_format("json", write_format("endplay-json", [read_text(pbn).board]).data).board
    assert again.tags["Site"] == "Bled"
