"""LIN, the files of Bridge Base Online."""

from __future__ import annotations

import pytest
from formats_support import DEAL, ENDING, OTHER, Dribble, corpus_folder, read_format, write_format
from table_support import FIXTURES, board_of, facts, play

from pavcodec import Board, Deal, Layout, Seat, read
from pavcodec.boards.board import Tag
from pavcodec.formats.bbo.lin import format_hands

HANDS = "SQJ643HQT5DK43C74,SKT85H2DJT9CQJ853,SAHKJ93DQ765CT962,S972HA8764DA82CAK"
MATCH = (FIXTURES / "match.lin").read_bytes()


def lin(text: str) -> Board:
    """The only board of a text without problems."""
    return read_format("lin", text.encode()).board


def tags(text: str) -> dict[str, str]:
    return dict(lin(text).tags)


def test_a_match_in_two_rooms() -> None:
    reading = read_format("lin", MATCH)
    assert reading.problems == []
    opened, closed, last = reading.boards
    assert [str(board.layout) for board in (opened, closed)] == [DEAL, DEAL]
    assert dict(opened.tags) == {
        "Event": "Club match", "Stage": "Segment 1", "Scoring": "IMP", "HomeTeam": "Reds",
        "VisitTeam": "Blues", "Board": "7", "Room": "Open", "West": "Will", "North": "Nora",
        "East": "Ed", "South": "Sue", "Dealer": "S", "Vulnerable": "All", "Declarer": "E",
        "Contract": "2H", "Result": "8", "Auction": "S", "Note": "1:Alert: 5+ hearts", "Play": "S",
        "LinHeader": "vg|Club match,Segment 1,I,7,8,Reds,0,Blues,0|rs|4SN=,3NS+1,,",
        "LinComments": "5|kibitzer: hello",
    }  # fmt: skip
    assert opened.sections["Auction"] == ("Pass Pass Pass 1H =1=", "X 2H Pass Pass", "Pass")
    assert opened.sections["Play"] == ("S4 S5 SA S2", "*")
    assert closed.tags["Room"] == "Closed"
    assert [closed.tags[seat] for seat in ("South", "West", "North", "East")] == [
        "Stan", "Wanda", "Nick", "Eve",
    ]  # fmt: skip
    assert (closed.tags["Contract"], closed.tags["Declarer"]) == ("Pass", "")
    assert "Result" not in closed.tags
    assert (last.tags["Contract"], last.tags["South"]) == ("3H", "Sue")
    assert [board.line for board in reading.boards] == [4, 7, 8]


STYLES = {
    HANDS: DEAL,
    HANDS.rsplit(",", 1)[0]: DEAL,
    HANDS.rsplit(",", 1)[0] + ",": DEAL,
    HANDS.lower(): DEAL,
    HANDS.replace("T", "10"): DEAL,
    "H5TQSQJ643C74DK43,SKT85H2DJT9CQJ853,SAHKJ93DQ765CT962": DEAL,
    "H32D4,,SAKHQ,": ENDING,
    "SAH2,,,": "N:- - A.2.. -",
    "SAH2": "N:- - A.2.. -",
    ",,,": "N:- - - -",
    "SAHDC,SKHDC,SQHDC,SJHDC": "N:Q... J... A... K...",
    f" {HANDS[:30]}\n{HANDS[30:]} ": DEAL,
}


def test_hands_of_any_style() -> None:
    for hands, layout in STYLES.items():
        board = lin(f"md|3{hands}|")
        assert (str(board.layout), board.dealer) == (layout, Seat.NORTH), hands
    for text in ("md||", "md|4|", "qx|o3|md||"):
        assert lin(text).layout is None


TAGS = [
    ("ah|Board 12|", {"Board": "12"}),
    ("ah|BOARD  1-1 |", {"Board": "1-1"}),
    ("qx|o3|", {"Board": "3", "Room": "Open"}),
    ("qx|c3|ah|Board 5|", {"Board": "5", "Room": "Closed"}),
    ("qx|o3,BOARD 3|", {"Board": "3"}),
    ("qx|x|ah|a title|", {}),
    ("sv|o|", {"Vulnerable": "None"}),
    ("sv|0|", {"Vulnerable": "None"}),
    ("sv|N|", {"Vulnerable": "NS"}),
    ("sv|e|", {"Vulnerable": "EW"}),
    ("sv|b|", {"Vulnerable": "All"}),
    ("sv||", {}),
    ("pn|a,,~~M1 , d e\n|", {"North": "~~M1", "East": "d e", "South": "a"}),
    ("pn|,,,|", {}),
    ("pn|a,b,c,d,e,f,g,h|qx|c1|", {"Board": "1", "Room": "Closed", "West": "f", "North": "g",
                                   "East": "h", "South": "e"}),
    ("vg|One,Two,P,1,2,,,Three,|pg||", {"Event": "One", "Stage": "Two", "Scoring": "MP",
                                        "VisitTeam": "Three"}),
]  # fmt: skip


def test_tags() -> None:
    for text, expected in TAGS:
        for order in (f"{text}md|{HANDS}|", f"{text}\nmd|{HANDS}|\npg||\n"):
            assert tags(order) == expected, order
        if not text.startswith(("qx", "vg", "pn|a,b")):
            assert tags(f"md|{HANDS}|{text}") == expected, text
    for result, expected in (("x", {}), ("14", {}), ("9", {"Result": "9"})):
        assert tags(f"md|{HANDS}|mc|{result}|") == expected


def test_one_tag_a_line_and_all_boards_in_one_line() -> None:
    one = f"qx|o1|\npn|a,b,c,d|\nst||\nmd|1{HANDS}|\nsv|o|\nmb|p|\npg||\n"
    two = one.replace("o1", "c2")
    for end in ("\n", "", "\r\n"):
        data = (one + two).replace("\n", end).encode()
        for source in (data, Dribble(data, 3)):
            reading = read_format("lin", source)
            assert reading.problems == []
            assert [dict(board.tags)["Board"] for board in reading.boards] == ["1", "2"]
            assert [board.tags["South"] for board in reading.boards] == ["a", "a"]
            assert reading.layouts == [DEAL, DEAL]


def test_boards_without_auctions_part_where_the_next_hands_announce_themselves() -> None:
    for between in ("", "pg||", "sv|n|", "sv|n|pg||\n"):
        text = f"ah|Board 1|md|1{HANDS}|{between}ah|Board 2|md|2{HANDS}|{between}"
        reading = read_format("lin", text.encode())
        assert [board.number for board in reading.boards] == [1, 2]
        assert [board.dealer for board in reading.boards] == [Seat.SOUTH, Seat.WEST]


def test_calls_of_any_style_and_what_is_none() -> None:
    board = lin(f"md|1{HANDS}|mb|1NPP|mb|dbl|mb|R!|an|one |an| two|mb|2nt|mb|p|mb|p|mb|P|")
    assert board.sections["Auction"] == ("1NT Pass Pass X", "XX =1= 2NT Pass Pass", "Pass")
    assert board.tags["Note"] == "1:Alert: one two"
    assert (board.tags["Contract"], board.tags["Declarer"]) == ("2NT", "W")
    assert "Contract" not in tags(f"md|1{HANDS}|mb|2C|mb|1N|mb|p|mb|p|mb|p|")
    reading = read_format("lin", f"md|1{HANDS}|mb|1N|mb|oops|an|what|pc|s4|pc|S7|".encode())
    assert len(reading.problems) == 2
    (odd,) = reading.boards
    assert odd.tags["LinAuction"] == "mb|1N|mb|oops|an|what"
    assert odd.tags["LinPlay"] == "s4 S7"  # South's, then East's
    (other,) = read_format("lin", f"md|{HANDS}|mb|1C|an|a|pc|DQ|pc|XX|".encode()).boards
    for board in (odd, other):
        (again,) = read_format("lin", write_format("lin", [board]).data).boards
        assert facts(again) == facts(board)


def test_the_result_of_a_play_to_the_end() -> None:
    cards = "pc|".join(f"{card}|" for card in play(Deal.from_pbn(DEAL), Seat.WEST, "H", 52))
    text = f"md|1{HANDS}|mb|1h|mb|p|mb|p|mb|p|pc|{cards}"
    board = lin(text)
    assert board.tags["Contract"] == "1H"
    assert board.tags["Result"] == lin(text + f"mc|{board.tags['Result']}|").tags["Result"]
    assert lin(text + "mc|2|").tags["Result"] == "2"
    assert "mc|" not in write_format("lin", [board]).data.decode()


def test_what_is_not_utf_8_is_windows_1252() -> None:
    data = f"pn|Zoë,Łucja,,|md|1{HANDS}|pg||".encode() + b"pn|Zo\xeb,,,|md|1SA|"
    reading = read_format("lin", data)
    assert [board.tags["South"] for board in reading.boards] == ["Zoë", "Zoë"]
    assert reading.boards[0].tags["West"] == "Łucja"


def test_the_boards_around_a_damage_are_kept() -> None:
    good = f"qx|o1|st||md|1{HANDS}|rh||ah|Board 1|sv|o|mb|p|mb|p|mb|p|mb|p|pg||\n"
    for bad in ("qx|o2|md|1SAA|pg||\n", "qx|o2 md|1SA|\n", "what is this\n", "qx|o2|mb|1C\n"):
        reading = read_format("lin", (good + bad + good).encode())
        assert reading.problems
        whole = [board for board in reading.boards if board.layout and board.layout.is_deal]
        assert [board.number for board in whole] == [1, 1]

    reading = read_format("lin", b"md|1SA|\0\1\2")
    reason = "byte 0x00: this is no text, expected tags as in 'pn|'"
    assert (reading.boards, str(reading.problem)) == ([], f"in.lin:1: {reason}")


@pytest.mark.slow
def test_a_very_long_file_without_boards_is_not_held() -> None:
    data = b"nt|" + b"x" * 100 + b"|\n"
    reading = read_format("lin", data * 60_000 + f"md|1{HANDS}|".encode())
    assert reading.layouts == [DEAL]
    assert reading.boards[0].line == 60_001


def test_what_is_written() -> None:
    board = read_format("lin", MATCH).boards[0]
    plain = Board.make(Deal.from_pbn(OTHER), number=2)
    assert write_format("lin", [board, plain]).data.decode().split("\n") == [
        "vg|Club match,Segment 1,I,7,8,Reds,0,Blues,0|rs|4SN=,3NS+1,,|pg||",
        (
            f"qx|o7|pn|Sue,Will,Nora,Ed|st||md|1{HANDS}|rh||ah|Board 7|sv|b|"
            "mb|p|mb|p|mb|p|mb|1H!|an|5+ hearts|mb|d|nt|kibitzer: hello|pg||mb|2H|mb|p|mb|p|mb|p|"
            "pc|S4|pc|S5|pc|SA|pc|S2|mc|8|pg||"
        ),
        "vg|,,,2,2,,,,|pg||",
        (
            "qx|o2,BOARD 2|pn|,,,|st||md|4SAQT85HQ862DCAQJ2,S7HAJT74DJ76532C3,S9642H95DAKQT4CK7,"
            "SKJ3HK3D98CT98654|rh||ah|Board 2|sv|n|pg||"
        ),
        "",
    ]


def test_the_letter_of_a_void_is_written_and_the_names_field_always() -> None:
    layout = Layout.from_pbn("N:AK.Q.. - .32.4. -")
    assert format_hands(layout) == "SH32D4C,,SAKHQDC,"
    data = write_format("lin", [Board(layout)]).data.decode()
    assert data == "pn|,,,|st||md|SH32D4C,,SAKHQDC,|pg||\n"
    assert "lin=pn%7C%2C%2C%2C%7Cst" in write_format("handviewer", [Board(layout)]).data.decode()


def test_what_lin_cannot_hold_is_told_and_left_out() -> None:
    for name, value, what in (
        ("West", "Smith| J", "the name of West"),
        ("Event", "a|b", "the tag Event"),
        ("Board", "7|", "the tag Board"),
    ):
        written = write_format("lin", [board_of({"Dealer": "S", name: value}, [])])
        (problem,) = written.problems
        assert problem.reason == f"{what} is left out: LIN has no '|' in it: {value!r}"
        assert dict(read_format("lin", written.data).board.tags) == {"Dealer": "S"}
    note = [Tag("Auction", "S", ("1C =1=",)), Tag("Note", "1:a|b")]
    (problem,) = write_format("lin", [board_of({}, note)]).problems
    assert problem.reason == "the note of a call is left out: LIN has no '|' in it: 'a|b'"
    fouled = Board(Layout.from_pbn("N:AKQJT98765432.A.. - - -"))
    for format_ in ("lin", "handviewer"):
        data, (problem,) = write_format(format_, [Board(None), fouled])
        assert data == b""
        assert problem.reason.startswith("in LIN a hand has at most 13 cards; here N holds 14")


@pytest.mark.slow
def test_the_corpus_comes_back() -> None:
    count = 0
    for path in sorted((corpus_folder() / "lin").iterdir()):
        data = path.read_bytes()
        reading = read_format("lin", data)
        assert reading.problems == []
        assert len(reading.boards) == data.count(b"md|")
        again = read_format("lin", write_format("lin", reading.boards).data)
        assert again.boards == reading.boards
        assert all(board.vulnerable is not None for board in reading.boards)
        count += len(reading.boards)
    assert count == 109


def test_the_same_deals_as_in_other_formats() -> None:
    folder = corpus_folder() / "generated"
    pbn = list(read(folder / "bdset36.pbn"))
    boards = list(read(FIXTURES / "bdset36.lin"))
    assert [board.layout for board in boards] == [board.layout for board in pbn]
    for name in ("number", "dealer", "vulnerable"):
        assert [getattr(b, name) for b in boards] == [getattr(b, name) for b in pbn]
