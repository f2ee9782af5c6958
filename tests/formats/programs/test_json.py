"""JSON and JSON Lines, and JSON as the library endplay writes and reads it."""

from __future__ import annotations

import io
import json

import pytest
from formats_support import DEAL, ENDING, pbn_texts, read_format, read_text, write_format
from hypothesis import given
from hypothesis import strategies as st
from table_support import FIXTURES, board_of, table_boards

from pavcodec import Board, Deal, Layout, ReadError, Seat, TrickTable, Vulnerability, read
from pavcodec.boards.board import Tag
from pavcodec.boards.tricks import format_trick_digits
from pavcodec.files.text import decode
from pavcodec.formats.format import parts_of


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
    assert (ending.tags["Event"], one.number) == ("Ending", 3)
    fixture = read_format("jsonl", (FIXTURES / "lines.jsonl").read_bytes())
    assert fixture.problems == []
    assert [tag.value for tag in fixture.boards[1].entries] == ["", "1:one", "2:two"]


CARDS: list[tuple[dict[str, object], str | None]] = [
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
]
BESIDE: list[tuple[dict[str, object], int, str, str]] = [
    ({"board": 7}, 7, "S", "All"),
    ({"board": "7", "dealer": "S", "vul": "b"}, 7, "S", "All"),
    ({"number": 7, "dealer": "north", "vulnerability": "None"}, 7, "N", "None"),
    ({"board": 8, "tags": {"Board": "7", "Dealer": "E"}, "dealer": "N"}, 7, "E", "All"),
]


def test_cards_and_what_stands_beside_the_tags() -> None:
    reading = read_format("json", json.dumps([value for value, _ in CARDS]).encode())
    assert reading.layouts == [layout for _, layout in CARDS]
    boards = read_format("json", json.dumps([row[0] for row in BESIDE]).encode()).boards
    assert [(b.number, b.dealer, b.vulnerable) for b in boards] == [
        (number, Seat.parse(dealer), Vulnerability(vulnerable))
        for _, number, dealer, vulnerable in BESIDE
    ]


NO_HANDS = "a deal has 4 hands between single blanks ('-' for none), not 1: 'N:A'"
NO_ENTRY = "an entry is [name, value] or [name, value, lines], not"
DAMAGES = [
    ('[{"deal": "N:A"}]', 1, NO_HANDS, 0),
    ('[\n{"board": 3, "deal": "N:A... A... - -"}]', 2, "card SA is in two hands", 1),
    ("[1]", 1, "expected an object with a board, not '\"1\"'", 0),
    ("[{}]", 1, "this object holds no board: '{}'", 0),
    ('{"board": 1}\nwhat\n{"board": 2}', 2, "this is no JSON (Expecting value): 'what'", 2),
    ('{"board": 1}\n{"board": \n{"board": 2}', 2, "this is no JSON (Expecting", 2),
    ('{"board": 1, "tags": []}', 1, "tags and sections are objects: names and what they have", 1),
    ('{"board": 1, "tags": {"A": [1]}}', 1, "the tag 'A' has a text, not", 1),
    ('{"board": 1, "sections": {"A": [1, []]}}', 1, "the lines of a section are texts, not", 1),
    ('{"board": 1, "sections": {"A": {}}}', 1, "the lines of a section are a list, not", 1),
    ('{"board": 1, "entries": [["a"]]}', 1, NO_ENTRY, 1),
    ('{"board": 1, "entries": {}}', 1, "entries are a list, not '{}'", 1),
    ('{"board": 1, "dealer": "x"}', 1, "no seat is called 'x'; expected N, E, S or W", 1),
    ('{"board": 1, "vul": "x"}', 1, "vulnerability 'x' is not one of None NS EW All", 1),
    ('{"hands": {"N": {"x": "A"}}}', 1, "'x' is no suit; expected S H D C or their names", 0),
    ('{"hands": {"N": ["A"]}}', 1, "a hand is a list of cards such as SA, not", 0),
    ('{"hands": {"N": true}}', 1, "a hand is a text such as AK.Q.32.T9, not 'true'", 0),
    ("[" * 9000 + "{}", 1, "this object holds no board", 0),
    ('{"a":' * 90_000, 1, "this is no JSON (too deep)", 0),
    ("\0", 1, "this is no text: expected JSON", 0),
]


def test_each_damage_is_one_problem_with_its_place() -> None:
    for text, line, reason, boards in DAMAGES:
        reading = read_format("json", text.encode())
        assert (reading.problem.line, len(reading.boards)) == (line, boards), reason
        assert reading.problem.reason.startswith(reason)
        with pytest.raises(ReadError):
            list(read(io.BytesIO(text.encode()), format="json", strict=True))


@pytest.mark.slow
@given(boards=st.lists(table_boards(), max_size=2), text=pbn_texts())
def test_boards_come_back_as_they_went(boards: list[Board], text: str) -> None:
    boards += [board for board in read_text(text).boards if board.layout or board.entries]
    for name in ("json", "jsonl"):
        again = read_format(name, write_format(name, boards).data)
        assert (again.boards, again.problems) == (boards, [])


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


def endplay_json(*boards: Board) -> bytes:
    written = write_format("endplay-json", boards)
    assert written.problems == []
    return written.data


@pytest.mark.slow
@pytest.mark.parametrize("name", ["endplay-json", "pbn", "lin"])
def test_endplay_reads_what_is_written_and_is_read(name: str) -> None:
    parser = pytest.importorskip(f"endplay.parsers.{name.removeprefix('endplay-')}")
    ours = read_text(PBN).board
    data = write_format(name, [ours]).data
    (board,) = parser.loads(decode(data))
    assert board.deal.to_pbn() == DEAL
    assert (board.board_num, board.dealer.name, board.vul.name) == (1, "north", "both")
    assert (str(board.contract), board.info.North) == ("1♣Nx-1", "A")
    assert [str(bid) for bid in board.auction] == ["1♣!*", "X", "XX", "P", "P", "X", "P", "P", "P"]
    assert board.auction[0].announcement.removeprefix("Alert: ") == "strong"
    assert [str(card) for card in board.play] == ["♣A", "♣4", "♣3", "♣2"]
    again = read_format(name, parser.dumps([board]).encode())
    assert again.problems == []
    for part in ("auction", "alerts", "auction notes", "play", "result", "dealer", "vulnerability"):
        assert parts_of(again.board).get(part) == parts_of(ours).get(part), part


NO_ENDPLAY: list[tuple[str, object, str]] = [
    ("auction", [{"level": 8}], "this is no board of endplay"),
    ("auction", "1C", "expected a list"),
    ("play", [{"suit": "spades", "rank": "1"}], "a card has a suit and a rank"),
    ("play", [{"suit": "spades", "rank": "A"}] * 2, "the play is left out: the cards do not fit"),
    ("contract", {"level": "x"}, "this is no board of endplay"),
    ("deal", {"north": [{"suit": "x"}]}, "a card has a suit and a rank"),
]


def test_what_is_wrong_in_the_json_of_endplay() -> None:
    for key, value, reason in NO_ENDPLAY:
        (found,) = json.loads(endplay_json(read_text(PBN).board))
        found[key] = value
        reading = read_format("json", json.dumps([found]).encode())
        assert any(reason in problem.reason for problem in reading.problems)
        assert len(reading.boards) == (0 if key == "deal" else 1)


def test_what_endplay_cannot_hold_is_told() -> None:
    odd = board_of({"Dealer": "N"}, [Tag("Auction", "S", ("1C AP",)), Tag("Play", "W", ("S2 XY",))])
    assert [
        problem.reason for problem in write_format("endplay-json", [odd, Board(None)]).problems
    ] == [
        "the auction is left out: it begins with S, who is not the dealer",
        "the play is left out: 'XY' in the play is no card",
    ]


def test_odd_tags_come_back_from_the_json_of_endplay() -> None:
    tricks = TrickTable(bytes(range(10)) * 2)
    tags = {"Board": "4-2", "Dealer": "N", "Contract": "4S", "Declarer": "N", "Result": "?"}
    commented = Tag("Site", "Bled", ("{by the lake}",))
    board = Board.make(Layout.from_pbn(DEAL), tags=tags, tricks=tricks)
    (row,) = json.loads(endplay_json(Board(board.layout, (commented, *board.entries))))
    assert row["info"]["Result"] == "?"
    assert row["info"]["DoubleDummyTricks"] == format_trick_digits(tricks)
    again = read_format("json", json.dumps([row]).encode()).board
    assert again.tricks == tricks
    kept = tags | {"Site": "Bled"}
    del kept["Result"]
    assert {name: again.tags.get(name) for name in (*kept, "Result")} == kept | {"Result": None}
