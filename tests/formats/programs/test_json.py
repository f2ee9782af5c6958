"""JSON and JSON Lines."""

from __future__ import annotations

import io
import json

import pytest
from formats_support import DEAL, ENDING, Reading, pbn_texts, read_format, read_text, write_format
from hypothesis import given, settings
from hypothesis import strategies as st
from table_support import FIXTURES, board_of, table_boards

from pavcodec import Board, Deal, Layout, ReadError, Seat, Vulnerability, read
from pavcodec.boards.board import Tag

FORMATS = ["json", "jsonl"]
every_format = pytest.mark.parametrize("name", FORMATS)


def boards_of(value: object) -> Reading:
    return read_format("json", json.dumps(value).encode())


def test_what_is_written() -> None:
    board = Board.make(Deal.from_pbn(DEAL), number=7, tags={"Event": "é"})
    auction = Tag("Auction", "S", ("Pass Pass", "Pass Pass"))
    data = write_format("json", [Board(board.layout, (*board.entries, auction))]).data
    assert json.loads(data) == [
        {
            "deal": DEAL,
            "board": 7,
            "dealer": "S",
            "vulnerable": "All",
            "tags": {"Board": "7", "Event": "é", "Auction": "S"},
            "sections": {"Auction": ["Pass Pass", "Pass Pass"]},
        }
    ]
    assert "é".encode() in data
    assert write_format("json", []).data == b"[]\n"
    assert write_format("jsonl", []).data == b""
    two = write_format("jsonl", [board, Board(None)]).data.decode().splitlines()
    assert [json.loads(line).get("deal") for line in two] == [DEAL, None]


def test_what_comes_twice_needs_entries() -> None:
    entries = (Tag("", "", ("{a}",)), Tag("Note", "1:one"), Tag("Note", "2:two", ("x",)))
    (row,) = json.loads(write_format("json", [Board(None, entries)]).data)
    assert row["tags"] == {"Note": "1:one"}
    assert row["entries"] == [["", "", ["{a}"]], ["Note", "1:one"], ["Note", "2:two", ["x"]]]


def test_hands_of_other_programs() -> None:
    reading = read_format("json", (FIXTURES / "loose.json").read_bytes())
    assert reading.problems == []
    assert reading.layouts == [DEAL, "N:AK..32.T - - -", "N:- - - KT85.2.JT9.QJ853", DEAL]
    assert [board.line for board in reading.boards] == [2, 4, 5, 6]
    first, ending, one, _ = reading.boards
    assert (first.number, first.dealer, first.vulnerable) == (7, Seat.SOUTH, Vulnerability.ALL)
    assert ending.tags["Event"] == "Ending"
    assert one.number == 3


@pytest.mark.parametrize(
    ("value", "layout"),
    [
        ({"deal": DEAL}, DEAL),
        ({"deal": DEAL.lower()}, DEAL),
        ({"Deal": ENDING}, ENDING),
        ({"hands": {"N": "AK.Q..", "S": ".32.4."}}, ENDING),
        ({"n": "sakhq", "s": "h32d4"}, ENDING),
        ({"North": "AK.Q.-.-", "South": "-.32.4.-", "east": "-", "w": ""}, ENDING),
        ({"hands": {"north": ["SA", "SK", "HQ"], "south": ["h3", "h2", "d4"]}}, ENDING),
        ({"hands": {"N": {"S": "AK", "h": ["Q"]}, "S": {"hearts": "32", "Diamonds": "4"}}}, ENDING),
        ({"deal": {"N": "S10"}}, "N:T... - - -"),
        ({"north": "Nora Bell", "deal": ENDING}, ENDING),
        ({"north": "Nora Bell", "board": 3}, None),
        ({"deal": "", "board": 3}, None),
    ],
)
def test_cards(value: dict[str, object], layout: str | None) -> None:
    assert boards_of([value]).layouts == [layout]


@pytest.mark.parametrize(
    ("value", "number", "dealer", "vulnerable"),
    [
        ({"board": 7}, 7, "S", "All"),
        ({"board": "7", "dealer": "S", "vul": "b"}, 7, "S", "All"),
        ({"number": 7, "dealer": "north", "vulnerability": "None"}, 7, "N", "None"),
        ({"board": 8, "tags": {"Board": "7", "Dealer": "E"}, "dealer": "N"}, 7, "E", "All"),
    ],
)
def test_what_stands_beside_the_tags(
    value: dict[str, object], number: int, dealer: str, vulnerable: str
) -> None:
    (board,) = boards_of([value]).boards
    assert board.number == number
    assert (board.dealer, board.vulnerable) == (Seat.parse(dealer), Vulnerability(vulnerable))


@pytest.mark.parametrize(
    ("text", "line", "reason", "boards"),
    [
        ('[{"deal": "N:A"}]', 1, "a deal has 4 hands", 0),
        ('[\n{"board": 3, "deal": "N:A... A... - -"}]', 2, "card SA is in two hands", 1),
        ("[1]", 1, "expected an object with a board, not '\"1\"'", 0),
        ("[{}]", 1, "this object holds no board: '{}'", 0),
        ('{"board": 1}\nwhat\n{"board": 2}', 2, "this is no JSON (Expecting value): 'what'", 2),
        ('{"board": 1}\n{"board": \n{"board": 2}', 2, "this is no JSON (Expecting", 2),
        ('{"board": 1, "tags": []}', 1, "tags and sections are objects", 1),
        ('{"board": 1, "tags": {"A": [1]}}', 1, "the tag 'A' has a text, not", 1),
        ('{"board": 1, "sections": {"A": [1, []]}}', 1, "the lines of a section are texts", 1),
        ('{"board": 1, "sections": {"A": {}}}', 1, "the lines of a section are a list", 1),
        ('{"board": 1, "entries": [["a"]]}', 1, "an entry is [name, value] or", 1),
        ('{"board": 1, "entries": {}}', 1, "entries are a list, not '{}'", 1),
        ('{"board": 1, "dealer": "x"}', 1, "no seat is called 'x'", 1),
        ('{"board": 1, "vul": "x"}', 1, "vulnerability 'x' is not one of None NS EW All", 1),
        ('{"hands": {"N": {"x": "A"}}}', 1, "'x' is no suit; expected S H D C", 0),
        ('{"hands": {"N": ["A"]}}', 1, "a hand is a list of cards such as SA", 0),
        ('{"hands": {"N": true}}', 1, "a hand is a text such as AK.Q.32.T9, not 'true'", 0),
        ("[" * 9000 + "{}", 1, "this object holds no board", 0),
        ('{"a":' * 90_000, 1, "this is no JSON (too deep)", 0),
        ("\0", 1, "this is no text: expected JSON", 0),
    ],
)
def test_each_damage_is_one_problem_with_its_place(
    text: str, line: int, reason: str, boards: int
) -> None:
    reading = read_format("json", text.encode())
    assert reading.problem.line == line
    assert reading.problem.reason.startswith(reason)
    assert len(reading.boards) == boards
    with pytest.raises(ReadError):
        list(read(io.BytesIO(text.encode()), format="json", strict=True))


@pytest.mark.slow
@every_format
@settings(max_examples=40, deadline=None)
@given(boards=st.lists(table_boards(), max_size=3))
def test_boards_come_back_as_they_went(name: str, boards: list[Board]) -> None:
    again = read_format(name, write_format(name, boards).data)
    assert again.problems == []
    assert again.boards == boards


@pytest.mark.slow
@settings(max_examples=30, deadline=None)
@given(pbn_texts())
def test_any_pbn_comes_back(text: str) -> None:
    boards = [board for board in read_text(text).boards if board.layout or board.entries]
    again = read_format("json", write_format("json", boards).data)
    assert again.boards == boards


def test_all_of_a_list_and_lines_alike() -> None:
    boards = [board_of({"Board": "7"}, []), Board(Layout.from_pbn(ENDING))]
    for name in FORMATS:
        assert read_format("json", write_format(name, boards).data).boards == boards
    fixture = read_format("jsonl", (FIXTURES / "lines.jsonl").read_bytes())
    assert fixture.problems == []
    assert [tag.value for tag in fixture.boards[1].entries] == ["", "1:one", "2:two"]
