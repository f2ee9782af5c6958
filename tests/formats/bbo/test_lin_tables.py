"""What LIN says of a match and of the table: rooms, totals, comments, calls that cannot be read."""

from __future__ import annotations

from formats_support import DEAL, Dribble, corpus_folder, read_format, write_format
from table_support import board_of, facts

from pavcodec import Board
from pavcodec.boards.board import Tag

HANDS = "SQJ643HQT5DK43C74,SKT85H2DJT9CQJ853,SAHKJ93DQ765CT962,S972HA8764DA82CAK"
TOTALS = "vg|Cup,Final,I,1,2,USA 1,65,USA 2,88|rs|4SN=,4SN+1,3NS-1,|pg||\n"
PASSED = "mb|p|mb|p|mb|p|mb|p|"
NO_CALL = "expected a call as in 'mb|1C|' or 'mb|p|'"
NOTHING = "'an|x|' explains no call, as none stands before it"
NO_DEALER = "the auction has no dealer, as in 'md|1…|'"
REST = "this and what follows it is in the tag LinAuction"


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
    table = f"qx|%s1|pn|a,b,c,d|st||md|3{HANDS}|sv|o|{PASSED}pg||\n"
    data = (TOTALS + table % "o" + table % "c").encode()
    boards = read_format("lin", data).boards
    header = "vg|Cup,Final,I,1,2,USA 1,65,USA 2,88|rs|4SN=,4SN+1,3NS-1,"
    assert [board.tags["LinHeader"] for board in boards] == [header, header]
    assert again(boards).startswith(TOTALS)
    changed = Board(boards[0].layout, (Tag("Event", "Club"), *boards[0].entries[1:]))
    assert again_text(changed).startswith(TOTALS.replace("Cup", "Club"))


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
        assert "nt|" not in again_text(board_of({"LinComments": wrong}, []))


def again_text(board: Board) -> str:
    return write_format("lin", [board]).data.decode()


def test_alerts_and_all_pass_of_every_style() -> None:
    for mark in ("!", "*", "! ", "*!"):
        text = f"md|1{HANDS}|mb|4C{mark}|an|keycard|mb|p|mb|ap|"
        board = read_format("lin", text.encode()).board
        assert board.sections["Auction"] == ("4C =1= Pass Pass Pass",), mark
        assert (board.tags["Note"], board.tags["Contract"]) == ("1:Alert: keycard", "4C")
    for words in ("mb|AP|", "mb|All Pass|", "mb|allpass|", "mb|p|mb|p|mb|p|"):
        board = read_format("lin", f"md|1{HANDS}|mb|1H|{words}".encode()).board
        assert board.sections["Auction"] == ("1H Pass Pass Pass",), words


AUCTIONS = [
    (f"md|1{HANDS}|\nmb|1N|\nmb|oops|mb|p|", ("1NT *",), 3, f"{NO_CALL}: 'mb|oops|'; {REST}"),
    (f"md|1{HANDS}|mb|1N|mb||mb|p|", ("1NT *",), 1, f"{NO_CALL}: 'mb||'; {REST}"),
    (f"md|1{HANDS}|an|x|\nmb|1N|", ("1NT *",), 1, f"{NOTHING}; it is in the tag LinAuction"),
    (f"md|{HANDS}|mb|1N|", (), 1, f"{NO_DEALER}; it is in the tag LinAuction"),
]


def test_what_can_be_read_of_an_auction_is_kept_and_the_rest_told() -> None:
    for text, auction, line, reason in AUCTIONS:
        reading = read_format("lin", f"ah|Board 5|sv|b|{text}mc|9|".encode())
        (board,), problem = reading.boards, reading.problem
        assert str(board.layout) == DEAL
        kept = [board.tags[name] for name in ("Vulnerable", "Board", "Result")]
        assert kept == ["All", "5", "9"]
        assert board.sections.get("Auction", ()) == auction
        assert (problem.line, problem.board, problem.reason) == (line, "5", reason)
        raw = text.split("|", 2)[2].replace("\n", "").rstrip("|")
        assert board.tags["LinAuction"] == raw + ("" if raw.count("|") % 2 else "|")
        assert f"{board.tags['LinAuction']}|" in again_text(board)


def test_an_auction_that_was_put_right_is_written_for_what_it_was() -> None:
    (odd,) = read_format("lin", f"md|1{HANDS}|mb|1N|mb|oops|".encode()).boards
    right = [tag for tag in odd.entries if tag.name != "Auction"]
    board = Board(odd.layout, (*right, Tag("Auction", "S", ("1NT Pass 3NT AP",))))
    assert "mb|1N|mb|p|mb|3N|mb|p|mb|p|mb|p|pg|" in again_text(board)


PLAYS = [
    ("s4 s5 sA s2 oops", ("S4 S5 SA S2",), "expected a card as in 'pc|SA|': 'pc|oops|'; "),
    ("s4 s5 sA s2 h9 h6", ("S4 S5 SA S2", "- - H9 H6"), ""),
    ("s4 s5 sA s2 s3", ("S4 S5 SA S2",), "the play cannot be S3 after 4 cards; "),
    ("s4 s5 s4", ("S4 S5 - -",), "the play cannot be S4 after 2 cards; "),
    ("s4 hA", ("S4 - - -",), "the play cannot be HA after 1 card; "),
]


def test_what_can_be_read_of_a_play_is_kept_and_the_rest_told() -> None:
    for cards, play, reason in PLAYS:
        text = "".join(f"pc|{card}|" for card in cards.split())
        (board,), problems = read_format("lin", f"md|1{HANDS}|sv|b|{text}".encode())
        assert board.sections["Play"] == play
        assert board.tags.get("LinPlay") == (cards if reason else None)
        expected = [f"{reason}this and what follows it is in the tag LinPlay"] if reason else []
        assert [problem.reason for problem in problems] == expected
        assert text.upper() in again_text(board).upper()


def test_what_can_be_read_of_the_sections_of_pbn_is_written_and_the_rest_told() -> None:
    for auction, play, reasons, text in (
        (
            ("1C {no ^I} Pass ^I Pass",),
            ("S4 S5 SA S2", "SX"),
            ["2 calls: '^I' in the auction is no call", "4 cards: 'SX' in the play is no card"],
            "mb|1C|nt|no ^I|pg||mb|p|pc|S4|pc|S5|pc|SA|pc|S2|pg|",
        ),
        (
            ("1C ^I Pass",),
            ("S4 - SA S2",),
            [
                "1 call: '^I' in the auction is no call",
                "1 card: trick 1 lacks a card between two others",
            ],
            "mb|1C|pc|S4|pg|",
        ),
    ):
        odd = [Tag("Auction", "S", auction), Tag("Play", "S", play)]
        data, problems = write_format("lin", [board_of({"Board": "7", "Dealer": "S"}, odd)])
        assert [str(problem) for problem in problems] == [
            f"in.pbn: board 7: the auction is left out after {reasons[0]}",
            f"in.pbn: board 7: the play is left out after {reasons[1]}",
        ]
        assert text in data.decode()


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


def test_a_comma_is_replaced_and_told_once() -> None:
    for name in ("Event", "Stage", "HomeTeam", "West"):
        boards = [board_of({name: "Smith, J,B", "Board": str(n)}, []) for n in (1, 2, 3)]
        notes: list[str] = []
        written = write_format("lin", boards, notes)
        assert written.problems == []
        what = "a name" if name == "West" else f"the tag {name}"
        assert notes == [f"LIN has no comma in {what}: each is written as a semicolon"]
        found = read_format("lin", written.data).boards
        assert [board.tags[name] for board in found] == ["Smith; J;B"] * 3


def test_a_match_of_the_corpus_comes_back_with_totals_and_commentary() -> None:
    (path,) = (corpus_folder() / "lin").glob("*usbf*")
    data = path.read_text(encoding="utf-8")
    text = again(read_format("lin", data.encode()).boards)
    assert text.split("pn|")[0] == data.split("pn|")[0].replace("\n", "") + "pg||\nqx|o46|"
    for tag in ("nt|", "mb|", "pc|", "an|"):
        assert text.count(tag) == data.count(tag)


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
