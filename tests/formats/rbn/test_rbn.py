"""Richard's Bridge Notation, RBN and RBX."""

from __future__ import annotations

from formats_support import DEAL, Reading, read_format, write_format
from table_support import FIXTURES, board_of

from pavcodec import Board, Deal, Layout, Seat
from pavcodec.boards.board import Tag
from pavcodec.boards.play import Auction, Call, auction_of, auction_tags

ARTICLE = (FIXTURES / "article.rbn").read_bytes()
INLINE = (FIXTURES / "inline.rbx").read_bytes()
HANDS = "W:KT85.2.JT9.QJ853:A.KJ93.Q765.T962:972.A8764.A82.AK:"


def rbn(text: str) -> Reading:
    return read_format("rbn", text.encode())


def test_a_file_with_everything() -> None:
    reading = read_format("rbn", ARTICLE)
    assert reading.problems == []
    first, second, ending, suit, hand, hidden = reading.boards
    assert [str(board.layout) for board in (first, second)] == [DEAL, DEAL]
    assert str(ending.layout) == "N:3.A3.Q.4 Q82..J.A A7.7.K8. K9.K9.9."
    assert str(suit.layout) == "N:43... KJ2... Q976... AT85..."
    assert str(hand.layout) == "N:- T4.8642.AKT8.K65 - -"
    assert isinstance(hidden.layout, Deal)
    assert hidden.tags["Hidden"] == "EW"
    assert {name: first.tags[name] for name in ("Date", "Site", "Event", "Scoring", "Stage")} == {
        "Date": "1998.01.31", "Site": "A town:A hotel", "Event": "Club match",
        "Scoring": "IMP;1952", "Stage": "R32:1",
    }  # fmt: skip
    assert (first.tags["Contract"], first.tags["Declarer"], first.tags["Result"]) == (
        "2H",
        "E",
        "8",
    )
    assert first.sections["Auction"] == ("Pass Pass Pass 1H =1=", "X 2H Pass Pass", "Pass")
    assert first.sections["Play"] == ("S4 S5 SA S2", "- - H3 -")
    assert first.entries[0] == Tag("", "", ("{Free text may", "have several lines}"))
    assert [first.tags[f"Rbn{label}"] for label in ("T", "B", "P1")] == [
        "A title: with colons:An author", "7:X", "a spade was natural",
    ]  # fmt: skip
    assert second.tags["Room"] == "Closed"
    assert second.tags["Contract"] == "Pass"
    assert [board.line for board in reading.boards] == [14, 22, 27, 30, 33, 36]


def test_a_file_is_written_as_it_was_read() -> None:
    written = write_format("rbn", read_format("rbn", ARTICLE).boards)
    assert written.problems == []
    kept = [line for line in ARTICLE.decode().split("\n") if not line.startswith("%")]
    lines = written.data.decode().split("\n")[1:]
    assert [line for line in lines if line[:1] not in "HC"] == [
        line for line in kept if line[:1] not in "HC"
    ]
    assert read_format("rbn", written.data).boards == read_format("rbn", ARTICLE).boards


def test_inline_records() -> None:
    reading = read_format("rbx", INLINE)
    assert reading.problems == []
    assert reading.layouts == [DEAL, DEAL]
    assert [board.tags["Date"] for board in reading.boards] == ["1998.01.??"] * 2
    assert [board.tags["South"] for board in reading.boards] == ["Sue", "Stan"]
    written = write_format("rbx", reading.boards)
    assert read_format("rbx", written.data).boards == reading.boards
    assert written.data.decode().split("\n")[1].startswith("{Free text}D{199801}E{Club match}")


STYLES = [
    (HANDS, DEAL),
    (HANDS.lower(), DEAL),
    (HANDS + "QJ643.QT5.K43.74", DEAL),
    (HANDS.rstrip(":"), DEAL.replace("QJ643.QT5.K43.74", "-")),
    ("N:AKQ72..AKQ72.753::.AKQ72.653.AKQJT", "N:AKQ72..AKQ72.753 - .AKQ72.653.AKQJT -"),
    ("N:AKQJT98765432...:.AKQJT98765432..:..AKQJT98765432.:",
     "N:AKQJT98765432... .AKQJT98765432.. ..AKQJT98765432. ...AKQJT98765432"),
    ("W::AKQJT98765432...:.AKQJT98765432..:..AKQJT98765432.",
     "N:AKQJT98765432... .AKQJT98765432.. ..AKQJT98765432. -"),
    ("E:A10", "N:- AT... - -"),
    ("S;A;K;Q;J", "N:Q... J... A... K..."),
]  # fmt: skip


def test_hands() -> None:
    for hands, layout in STYLES:
        board = rbn(f"H {hands}\n").board
        assert str(board.layout) == layout
        assert read_format("rbn", write_format("rbn", [board]).data).board == board


AUCTIONS: list[tuple[str, tuple[str | None, str | None], tuple[str, ...]]] = [
    ("SZ:1SP2SP:4SA", ("S", "None"), ("1S Pass 2S Pass", "4S Pass Pass Pass")),
    ("WE:A", ("W", "EW"), ("Pass Pass Pass Pass",)),
    ("NZ:PPA", ("N", "None"), ("Pass Pass Pass Pass",)),
    ("S?:1SP2CP:2D", ("S", None), ("1S Pass 2C Pass", "2D *")),
    ("NB:1SXY", ("N", "All"), ("1S X *",)),
    ("EB:3C*P3N?P:P??X!RA", ("E", "All"),
     ("3C =1= Pass 3NT $2 Pass", "Pass $4 X $1 XX Pass", "Pass Pass")),
    ("1NA", (None, None), ("1NT Pass Pass Pass",)),
    ("NN:", ("N", "NS"), ()),
]  # fmt: skip


def test_auctions() -> None:
    for auction, tags, lines in AUCTIONS:
        board = rbn(f"H {HANDS}\nA {auction}\n").board
        assert (board.tags.get("Dealer"), board.tags.get("Vulnerable")) == tags
        assert board.sections.get("Auction", ()) == lines
        written = write_format("rbn", [board]).data
        assert f"A {auction}\n".encode() in written
        assert read_format("rbn", written).board == board


def test_what_carries_over_and_what_ends_it() -> None:
    reading = rbn(f"E One\nB 1\nH {HANDS}\nR 9\n\nB 2\n\nE\nB 3\n\n\nB 4\nE Two\n")
    assert reading.problems == []
    assert [board.tags.get("Event") for board in reading.boards] == ["One", "One", None, "Two"]
    assert [board.tags.get("Result") for board in reading.boards] == ["9", None, None, None]
    assert reading.layouts == [DEAL] * 4
    written = write_format("rbn", reading.boards).data.decode()
    assert written.count("H ") == 1
    assert "\nE \n" in written
    assert rbn(written).boards == reading.boards


SCORINGS = {"I": "IMP", "M": "MP", "B": "BAM", "R": "Rubber", "C": "Chicago", "A": "Cavendish"}
LABELS: dict[str, dict[str, str]] = {
    "D 19980131": {"Date": "1998.01.31"},
    "D 199709": {"Date": "1997.09.??"},
    "D 1955": {"Date": "1955.??.??"},
    "L Toronto ON:Royal York": {"Site": "Toronto ON:Royal York"},
    "E 1999 Teams": {"Event": "1999 Teams"},
    **{f"F {letter}": {"Scoring": word} for letter, word in {**SCORINGS, "N": "Instant"}.items()},
    "F X:Butler": {"Scoring": "X;Butler"},
    "F M:old": {"Scoring": "MP;old"},
    "S S:3": {"Stage": "S:3"},
    "K Nickell:Schwartz": {"HomeTeam": "Nickell", "VisitTeam": "Schwartz"},
    "N Wolff+Bob:Ann+Joe": {"North": "Wolff", "South": "Bob", "West": "Ann", "East": "Joe"},
    "N Soloway": {"North": "Soloway"},
    "N :Jan+Joe:O": {"West": "Jan", "East": "Joe", "Room": "Open"},
    "N :+Norman Kay:6": {"East": "Norman Kay", "Table": "6"},
    "N +Roth:GIB 4.0": {"South": "Roth", "West": "GIB 4.0"},
    "B 7": {"Board": "7"},
    "B xy": {"Board": "xy"},
    "C 4SX:W": {"Contract": "4SX", "Declarer": "W"},
    "C 3N:N": {"Contract": "3NT", "Declarer": "N"},
    "C 1CR:E": {"Contract": "1CXX", "Declarer": "E"},
    "R 10": {"Result": "10"},
    # what PBN cannot say is kept as it stood
    **{f"D {date}": {"RbnD": date} for date in ("1986120911", "1955C", "20010704:1930")},
    "K Italy:USA:99:22": {"HomeTeam": "Italy", "VisitTeam": "USA", "RbnK": "Italy:USA:99:22"},
    "B 15:C": {"Board": "15", "RbnB": "15:C"},
    "R 10:420": {"Result": "10", "RbnR": "10:420"},
    "C 4S:W:N": {"Contract": "4S", "Declarer": "W", "RbnC": "4S:W:N"},
    "C pass": {"Contract": "Pass", "Declarer": "", "RbnC": "pass"},
    **{f"{label} whatever": {f"Rbn{label}": "whatever"} for label in "MIT"},
}


def test_each_label_is_read_and_written() -> None:
    for line, tags in LABELS.items():
        board = rbn(f"{line}\nH W:A\n").board
        assert dict(board.tags) == tags, line
        assert f"\n{line}\n" in write_format("rbn", [board]).data.decode()
        changed = Board(board.layout, (Tag("Board", "99"), *board.entries))
        assert rbn(write_format("rbn", [changed]).data.decode()).board.tags["Board"] == "99"


def test_contracts_without_an_auction_are_written() -> None:
    for contract, declarer, label, read in (
        ("5Cx", "W", "5CX:W", "5CX"),
        ("3ntXX", "s", "3NR:S", "3NTXX"),
        ("2N", "E", "2N:E", "2NT"),
        ("Pass", "", "P", "Pass"),
        ("PASS", "?", "P", "Pass"),
    ):
        board = board_of({"Board": "1", "Contract": contract, "Declarer": declarer}, [])
        data, problems = write_format("rbn", [board])
        assert problems == []
        assert f"\nC {label}\n".encode() in data
        assert rbn(data.decode()).board.tags["Contract"] == read
    for contract, declarer in (("4S", "?"), ("8C", "N"), ("Game", "N")):
        board = board_of({"Board": "1", "Contract": contract, "Declarer": declarer}, [])
        data, (problem,) = write_format("rbn", [board])
        assert b"\nC " not in data
        reason = f"RBN has one such as 4SX by N, not {contract!r} by {declarer!r}"
        assert problem.reason == f"the contract is left out: {reason}"


def test_a_contract_that_the_auction_tells_needs_no_label() -> None:
    told = Auction(Seat.NORTH, tuple(map(Call, ["1C", "Pass", "Pass", "Pass"])))
    passed = Auction(Seat.NORTH, tuple(map(Call, ["Pass"] * 4)))
    for auction, contract in ((told, "Game"), (passed, "Pass")):
        tags = {"Dealer": "N", "Contract": contract}
        written = write_format("rbn", [board_of(tags, auction_tags(auction))])
        assert written.problems == []
        assert b"\nC " not in written.data


def test_hands_that_cannot_be_read_are_not_carried_over() -> None:
    reading = rbn(f"H {HANDS}\nR 1\n\nH W:A:A\nR 2\n\nR 3\n")
    assert reading.layouts == [DEAL, None, None]
    assert reading.boards[1].tags["RbnH"] == "W:A:A"


def test_what_rbn_cannot_hold_is_told_and_left_out() -> None:
    words = [f"{n // 4 + 1}{'CDHS'[n % 4]} ={n + 1}=" for n in range(11)]
    notes = [Tag("Note", f"{n + 1}:{n}") for n in range(11)]
    board = board_of({}, [Tag("Auction", "S", (" ".join(words),)), *notes])
    data, (problem,) = write_format("rbn", [board])
    assert problem.reason == "the auction has 11 notes; RBN has 10: the others are left out"
    kept = auction_of(read_format("rbn", data).board)
    assert kept is not None
    assert [call.note for call in kept.calls] == [*map(str, range(10)), ""]
    for name, board, reason in (
        ("rbn", board_of({}, [Tag("Play", "S", ("S4 x",))]),
         "the play is left out: 'x' in the play is no card"),
        ("rbn", board_of({"Dealer": "N"}, [Tag("Auction", "S", ("1C AP",))]),
         "the auction is left out: it begins with S, who is not the dealer"),
        ("rbn", Board(Layout.from_pbn("N:AKQJT98765432.A.. - - -")),
         "in RBN a hand has at most 13 cards"),
        ("rbx", board_of({"Event": "a{b"}, []),
         "the label E is left out: RBX has no braces in it: 'a{b'"),
    ):  # fmt: skip
        (problem,) = write_format(name, [board]).problems
        assert problem.reason.startswith(reason)


def test_the_dealer_need_not_be_told() -> None:
    board = Board.make(Deal.from_pbn(DEAL), number=3)
    data = write_format("rbn", [board]).data
    assert b"\nA " not in data
    assert read_format("rbn", data).board.dealer is Seat.SOUTH
