"""LIN, the files of Bridge Base Online, and the addresses of its hand viewer."""

from __future__ import annotations

from urllib.parse import quote

import pytest
from formats_support import DEAL, ENDING, OTHER, Dribble, corpus_folder, read_format, write_format
from table_support import FIXTURES, board_of, facts, play

from pavcodec import Board, Deal, Layout, Seat
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


TAGS: list[tuple[str, dict[str, str]]] = [
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
    assert tags(f"md|{HANDS}|mc|9|") == {"Result": "9"}
    assert tags(f"md|{HANDS}|mc|x|") == tags(f"md|{HANDS}|mc|14|") == {}


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


LAST = "mb|p|mb|p|mb|p|"
TOTALS = "vg|Cup,Final,I,1,2,USA 1,65,USA 2,88|rs|4SN=,4SN+1,3NS-1,|pg||\n"
NO_CALL = "expected a call as in 'mb|1C|' or 'mb|p|'"
NOTHING = "'an|x|' explains no call, as none stands before it"
NO_DEALER = "the auction has no dealer, as in 'md|1…|'"


def text_of(board: Board) -> str:
    return write_format("lin", [board]).data.decode()


def again(boards: list[Board]) -> str:
    """The LIN of boards, which are the same when it is read."""
    text = write_format("lin", boards).data
    assert list(map(facts, read_format("lin", text).boards)) == list(map(facts, boards))
    return text.decode()


def test_the_closed_room_is_known_where_a_title_follows_it() -> None:
    names = "pn|a,b,c,d,e,f,g,h|"
    data = "".join(f"qx|{room}1,BOARD 1|{names}md|3{HANDS}|sv|o|pg||\n" for room in "oc").encode()
    opened, closed = read_format("lin", data).boards
    assert "Room" not in opened.tags
    assert (closed.tags["Room"], closed.tags["South"], closed.tags["Board"]) == ("Closed", "e", "1")
    lines = again([opened, closed]).split("\n")
    assert lines[0].startswith("qx|o1,BOARD 1|pn|a,b,c,d|")
    assert lines[1].startswith("qx|c1|pn|e,f,g,h|")


def test_the_totals_and_results_of_a_match_stay() -> None:
    table = f"qx|%s1|pn|a,b,c,d|st||md|3{HANDS}|sv|o|mb|p|{LAST}pg||\n"
    data = (TOTALS + table % "o" + table % "c").encode()
    boards = read_format("lin", data).boards
    header = "vg|Cup,Final,I,1,2,USA 1,65,USA 2,88|rs|4SN=,4SN+1,3NS-1,"
    assert [board.tags["LinHeader"] for board in boards] == [header, header]
    assert again(boards).startswith(TOTALS)
    changed = Board(boards[0].layout, (Tag("Event", "Club"), *boards[0].entries[1:]))
    assert text_of(changed).startswith(TOTALS.replace("Cup", "Club"))


def test_a_header_that_says_no_more_than_its_event_is_not_kept() -> None:
    data = f"vg|Cup,,P,1,4,Team 1,,Team 2,|rs|,,,|pw|,,|pg||\nmn||qx|o1|md|3{HANDS}|sv|o|pg||\n"
    (board,) = read_format("lin", data.encode()).boards
    assert board.tags["Event"] == "Cup"
    assert "LinHeader" not in board.tags
    assert again([board]).startswith("vg|Cup,,P,1,1,Team 1,,Team 2,|pg||\n")


def test_a_header_holds_up_to_the_next_one() -> None:
    board = f"qx|o1|md|3{HANDS}|sv|o|pg||\n"
    data = f"{TOTALS}{board}{TOTALS.replace('Cup', 'Bowl')}{board}vg|Club,,,,,,,,|pg||\n{board}"
    boards = read_format("lin", data.encode()).boards
    told = [(each.tags["Event"], each.tags.get("LinHeader", "")[:7]) for each in boards]
    assert told == [("Cup", "vg|Cup,"), ("Bowl", "vg|Bowl"), ("Club", "")]
    again(boards)


def test_commentary_stays_where_it_was_said() -> None:
    text = (
        f"qx|o1|pn|,,,|st||md|3{HANDS}|rh||ah|Board 1|sv|o|nt|a: hi,  all|pg||"
        "mb|1C|mb|p|nt|b: !H|pg||"
        "nt|c: {x|pg||mb|p|mb|p|pc|S9|nt|d: S9?|pg||pc|S3|nt|e: over|pg||pg||\n"
    )
    board = read_format("lin", text.encode()).board
    said = "0|a: hi,  all|2|b: !H|2|c: {x|5|d: S9?|6|e: over"
    assert board.tags["LinComments"] == said
    assert again([board]) == text
    pbn = write_format("pbn", [board])
    assert read_format("pbn", pbn.data).board.tags["LinComments"] == said
    for wrong in ("0", "x|a", "0|a|1", "0|a\x01b"):
        assert "nt|" not in text_of(board_of({"LinComments": wrong}, []))


REST = "this and what follows it is in the tag LinAuction"
IT = "it is in the tag LinAuction"
CALLS: list[tuple[str, tuple[str, ...], list[str], str | None, str]] = [
    (f"1{HANDS}|mb|1NPP|mb|dbl|mb|R!|an|one |an| two|mb|2nt|{LAST}",
     ("1NT Pass Pass X", "XX =1= 2NT Pass Pass", "Pass"), ["1:Alert: one two"], None, ""),
    *[(f"1{HANDS}|mb|4C{mark}|an|ace|mb|p|mb|ap|", ("4C =1= Pass Pass Pass",), ["1:Alert: ace"],
       None, "") for mark in ("!", "*", "! ", "*!")],
    *[(f"1{HANDS}|mb|1H|{words}", ("1H Pass Pass Pass",), [], None, "")
      for words in ("mb|AP|", "mb|All Pass|", "mb|allpass|", LAST)],
    (f"1{HANDS}|mb|2C|mb|1N|{LAST}", ("2C 1NT Pass Pass", "Pass"), [], None, ""),
    (f"1{HANDS}|\nmb|1N|\nmb|oops|mb|p|", ("1NT *",), [], "mb|1N|mb|oops|mb|p",
     f"{NO_CALL}: 'mb|oops|'; {REST}"),
    (f"1{HANDS}|mb|1N|mb||mb|p|", ("1NT *",), [], "mb|1N|mb||mb|p", f"{NO_CALL}: 'mb||'; {REST}"),
    (f"1{HANDS}|an|x|\nmb|1N|", ("1NT *",), [], "an|x|mb|1N", f"{NOTHING}; {IT}"),
    (f"{HANDS}|mb|1N|an|a|", (), [], "mb|1N|an|a", f"{NO_DEALER}; {IT}"),
]  # fmt: skip
"""Calls, the section, its notes, the calls that cannot be read, and their problem."""


def test_what_can_be_read_of_an_auction_is_kept_and_the_rest_told() -> None:
    for text, auction, notes, raw, reason in CALLS:
        (board,), problems = read_format("lin", f"ah|Board 5|sv|b|md|{text}mc|9|".encode())
        assert str(board.layout) == DEAL
        kept = [board.tags[name] for name in ("Vulnerable", "Board", "Result")]
        assert kept == ["All", "5", "9"]
        assert board.sections.get("Auction", ()) == auction, text
        assert [tag.value for tag in board.entries if tag.name == "Note"] == notes
        assert [(each.board, each.reason) for each in problems] == [("5", reason)] * bool(reason)
        assert board.tags.get("LinAuction") == raw
        assert f"{raw or 'md'}|" in (again([board]) if auction else text_of(board))
    again(read_format("lin", f"md|{HANDS}|mb|1C|an|a|pc|DQ|pc|XX|".encode()).boards)
    board = lin(f"md|{CALLS[0][0]}")
    assert (board.tags["Contract"], board.tags["Declarer"]) == ("2NT", "W")
    assert "Contract" not in tags(f"md|1{HANDS}|mb|2C|mb|1N|{LAST}")


def test_an_auction_that_was_put_right_is_written_for_what_it_was() -> None:
    (odd,) = read_format("lin", f"md|1{HANDS}|mb|1N|mb|oops|".encode()).boards
    right = [tag for tag in odd.entries if tag.name != "Auction"]
    board = Board(odd.layout, (*right, Tag("Auction", "S", ("1NT Pass 3NT AP",))))
    assert "mb|1N|mb|p|mb|3N|mb|p|mb|p|mb|p|pg|" in text_of(board)


PLAYS = [
    ("s4 s5 sA s2 oops", ("S4 S5 SA S2",), "expected a card as in 'pc|SA|': 'pc|oops|'; "),
    ("s4 s5 sA s2 h9 h6", ("S4 S5 SA S2", "- - H9 H6"), ""),
    ("s4 s5 sA s2 s3", ("S4 S5 SA S2",), "the play cannot be S3 after 4 cards; "),
    ("s4 s5 s4", ("S4 S5 - -",), "the play cannot be S4 after 2 cards; "),
    ("s4 hA", ("S4 - - -",), "the play cannot be HA after 1 card; "),
]


def test_what_can_be_read_of_a_play_is_kept_and_the_rest_told() -> None:
    for cards, section, reason in PLAYS:
        text = "".join(f"pc|{card}|" for card in cards.split())
        (board,), problems = read_format("lin", f"md|1{HANDS}|sv|b|{text}".encode())
        assert board.sections["Play"] == section
        assert board.tags.get("LinPlay") == (cards if reason else None)
        rest = f"{reason}this and what follows it is in the tag LinPlay"
        assert [problem.reason for problem in problems] == [rest] * bool(reason)
        assert text.upper() in text_of(board).upper()


def test_what_can_be_read_of_the_sections_of_pbn_is_written_and_the_rest_told() -> None:
    for section, count, reason, text in (
        (("S4 S5 SA S2", "SX"), "4 cards", "'SX' in the play is no card", "S4|pc|S5|pc|SA|pc|S2"),
        (("S4 - SA S2",), "1 card", "trick 1 lacks a card between two others", "S4"),
    ):
        odd = [Tag("Auction", "S", ("1C {no ^I} ^I Pass",)), Tag("Play", "S", section)]
        data, problems = write_format("lin", [board_of({"Board": "7", "Dealer": "S"}, odd)])
        assert [str(problem) for problem in problems] == [
            "in.pbn: board 7: the auction is left out after 1 call: '^I' in the auction is no call",
            f"in.pbn: board 7: the play is left out after {count}: {reason}",
        ]
        assert f"mb|1C|nt|no ^I|pg||pc|{text}|pg|" in data.decode()


def test_tags_after_the_last_board_are_no_problem() -> None:
    for between in ("pg||\n", "", "pg||nt|bye|pg||\n"):
        data = f"md|1{HANDS}|sv|o|{between}pn|a,b,c,d|pg||\n".encode()
        for source in (data, Dribble(data, 7)):
            board = read_format("lin", source).board
            assert [board.tags[seat] for seat in ("South", "East")] == ["a", "d"]
    board = read_format("lin", f"pn|a,b,c,d|md|1{HANDS}|pg||pn|,,,|pg||".encode()).board
    assert board.tags["South"] == "a"
    reading = read_format("lin", f"md|1{HANDS}|pg||pn|a,b,c,d|oops".encode())
    assert reading.problem.reason.endswith(": 'oops'")


def test_comments_are_written_at_their_place() -> None:
    entries = [
        Tag("", "", ("{before} ; as well",)),
        Tag("Auction", "S", ("1C {after a call} AP {at the end}",)),
        Tag("Play", "W", ("S5 SA S2 {in a trick} S3", "- D5 {later} - -")),
    ]
    written = write_format("lin", [board_of({"Dealer": "S"}, entries)])
    said = read_format("lin", written.data).board.tags["LinComments"].split("|")
    assert said == [
        *("0", "before", "0", "as well", "1", "after a call", "4", "at the end"),
        *("4", "in a trick", "8", "later"),
    ]
    back = read_format("lin", written.data).board
    assert read_format("lin", write_format("lin", [back]).data).board.entries == back.entries
    written = write_format("lin", [board_of({}, [Tag("", "", ("{a | b} {c}",))])])
    assert written.problems == []
    assert read_format("lin", written.data).board.tags["LinComments"] == "0|c"


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


QUERIES: list[tuple[str, dict[str, str]]] = [
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
