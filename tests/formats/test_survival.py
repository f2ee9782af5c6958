"""What survives in each format: measured, and compared with what the formats declare.

And the losses of many boards, equal to those of all boards, examined one by one.
"""

from __future__ import annotations

import io

import pytest
from formats_support import DEAL
from hypothesis import given
from hypothesis import strategies as st
from records_support import trick_tables
from survival_table import PAGE, table
from table_support import table_boards

import pavcodec as pav
from pavcodec.boards import Board, Context, Tag
from pavcodec.formats import format_names, format_of
from pavcodec.formats.format import Format, comments_of, parts_of
from pavcodec.formats.losing import LostParts, sample_boards, survival_of
from pavcodec.layout import TrickTable

READ = [name for name in format_names() if format_of(name).is_read]

GROUPS = ["number", "dealer", "vulnerability", "names", "auction", "play", "tricks", "comments"]
"""The groups, whose words are in `keeps`."""


@pytest.mark.parametrize("name", READ)
def test_declarations_and_texts_are_what_is_measured(name: str) -> None:
    target, (odd, regular) = format_of(name), sample_boards()
    survival = survival_of(target)
    board = regular if name == "bba" else odd  # which refuses others
    lost = set(survival.lost) - set(survival.implied if name == "bba" else ())
    assert set(target.lost_parts(board)) == lost
    assert set(survival.kept) | set(survival.lost) == set(parts_of(odd))
    assert target.keeps_cards == ("cards" in survival.kept)
    for tag in ("Event", "Site", "Date", "Session", "Score", "Annotator", "West"):
        assert target.keeps_tag(tag) == (tag in survival.kept), tag
    text = target.keeps.replace("no number", "").replace("calls", "auction")
    for group in GROUPS:
        word = "comment" if group == "comments" else group
        named = word in text or "every tag, section and comment" in text
        if name == "endplay-json":
            named = named or group in ("names", "tricks")  # of the other tags
        assert named == (survival.of(group) in ("yes", "part")), (group, text)


@pytest.mark.slow
def test_the_page_has_the_table() -> None:
    assert f"\n{table()}\n" in PAGE.read_text("utf-8")


def board(*entries: Tag, **tags: str) -> Board:
    """A board with some tags."""
    made = (Tag(name, value) for name, value in tags.items())
    return Board(pav.Deal.from_pbn(DEAL), (*made, *entries))


LOST = [
    ("lin", board(Board="7", Room="Third"), ["Room"]),
    ("lin", board(Room="Open"), ["Room"]),
    ("lin", board(Contract="4S", Declarer="N"), ["contract"]),
    ("lin", board(Result="NS 9"), ["result"]),
    ("lin", board(Tag("", "", ("{a | b}",))), ["comments"]),
    ("lin", board(Tag("Play", "E", ("S2 SA S3 S4",))), ["play"]),
    ("lin", board(Tag("Auction", "N", ("1C $1 AP",))), ["auction marks"]),
    ("rbn", board(Tag("Auction", "N", ("1C $1 AP",))), []),
    ("rbn", board(Room="Third"), ["Room"]),
    ("rbn", board(Room="Open", Table="3"), ["Table"]),
    ("rbn", board(Table="3"), []),
    ("rbn", board(Vulnerable="All"), ["vulnerability"]),
    ("rbn", board(Date="November"), ["Date"]),
    ("rbn", board(Tag("", "", ("; a } b",))), ["comments"]),
    ("endplay-json", board(Dealer="N", Result="9"), ["result"]),
    ("endplay-json", board(Dealer="N", Board="4-2"), []),
    ("endplay-json", board(Tag("Site", "Bled", ("{a}",)), Dealer="N"), ["comments"]),
    ("endplay-json", board(Tag("Table", "x", ("a b",)), Dealer="N"), ["Table"]),
    ("diagram", board(Board="4-2"), ["number"]),
    ("diagram", board(Contract="4S", Declarer="N", Result="NS 9"), ["contract", "result"]),
    ("diagram", board(Result="9"), ["result"]),
    ("dlm", board(Board="1", Event="Heat", Generator="me"), ["Generator"]),
    ("dlm", board(Board="1", Generator="me"), []),
    ("dlm", board(Board="1", Dealer="S"), ["dealer"]),
    ("lines", board(Board="1", Event="?"), ["number", "dealer", "vulnerability"]),
]


@pytest.mark.parametrize(("name", "one", "parts"), LOST)
def test_parts_that_some_boards_lose(name: str, one: Board, parts: list[str]) -> None:
    target = format_of(name)
    assert target.lost_parts(one) == parts
    assert lost_by_writing(name, one) == set(parts)


def lost_by_writing(name: str, one: Board) -> set[str] | None:
    """The parts that a board lacks when it is written and read; None if a part does not fit."""
    faults: list[object] = []
    ranks, stream = pav.numbering("deal"), io.BytesIO()
    context = Context("in", faults.append, numbering=ranks, note=faults.append)
    format_of(name).write([one], stream, context)
    if faults:
        return None
    stream.seek(0)
    (again,) = format_of(name).read(stream, Context("again", lambda _: None, numbering=ranks))
    parts, found = parts_of(one), parts_of(again)
    return {part for part, value in parts.items() if found.get(part) != value}


TRICKS = st.none() | trick_tables().map(lambda table: Board.make(None, tricks=table).entries)


@pytest.mark.slow
@given(table_boards(), TRICKS)
def test_boards_come_back_but_for_what_is_declared(one: Board, tricks: tuple[Tag] | None) -> None:
    one = Board(one.layout, (*one.entries, *(tricks or ())))
    for name in READ:
        lost = lost_by_writing(name, one)
        if lost is None:
            assert name in ("bba", "zrd", "zdd", "gib-library", "deal-ddline")
        else:
            assert set(format_of(name).lost_parts(one)) == lost, name


TARGETS = [format_of(name) for name in format_names() if not format_of(name).keeps_tags]
BOARDS = [
    Board(None, (Tag("Site", "?"), Tag("Site", "Rome"), Tag("Board", "3"))),
    Board(None, (Tag("Site", "Rome", ("{Quiet.}",)), Tag("Vulnerable", "-"))),
    Board(None, (Tag("Site", "?", ("list",)), Tag("DoubleDummyTricks", "?"))),
    Board(None, (Tag("Site", " Rome"), Tag("Result", "NS 9"), Tag("Room", "Blue"))),
    Board(None, (Tag("Site", "Oslo"), Tag("Auction", "N", ("1C", "AP")), Tag("Note", "1:x"))),
    Board(None, (Tag("Site", "Oslo"), Tag("Auction", "N", ("1C*", "AP")), Tag("Result", "?"))),
    Board(None, (Tag("Site", "Oslo"), Tag("Auction", "N", ("1C $1", "AP")))),
    Board(None, (Tag("Site", "Oslo"), Tag("Auction", "N", ("1C ^I",)), Tag("Contract", "1C"))),
    Board(None, (Tag("Site", "Oslo"), Tag("Play", "N", ("S2 ! S3",)), Tag("Contract", "1C"))),
    Board(None, (Tag("Site", "Oslo"), Tag("LinComments", "0|a|"), Tag("", "", ("{b}",)))),
    Board(None, (Tag("Site", "Oslo"), Tag("Dealer", "N"), Tag("LinComments", "0|a{b|"))),
    Board(pav.Deal.from_pbn(DEAL), (Tag("Site", "Oslo"), Tag("Dealer", "E"))),
]


def losses_are_those_of_all(target: Format, boards: list[Board]) -> None:
    """Count the losses of boards, and compare with those of each."""
    found = LostParts(target)
    names: dict[str, None] = {}
    count = 0
    for board in boards:
        found.count(board)
        lost = target.lost_parts(board)
        count += bool(lost)
        names |= dict.fromkeys(lost)
        assert (found.boards, list(found.names)) == (count, list(names)), (target.name, board)


@pytest.mark.parametrize("target", TARGETS, ids=lambda target: target.name)
def test_losses_are_those_of_all_boards(target: Format) -> None:
    boards = [*BOARDS, *sample_boards()]
    for order in (boards, boards[::-1], boards[3:] + boards[:3]):
        losses_are_those_of_all(target, order * 2)
    if target.more_losses is not None and target.may_lose:
        lost = {name for board in boards for name in target.lost_parts(board)}
        assert {name for name in lost if target.keeps_tag(name)} <= target.may_lose


def test_lin_keeps_what_it_wrote_itself() -> None:
    assert not format_of("lin").lost_parts(board(Room="Open", LinAuction="1C|p|", Board="3"))


def test_parts_of_a_board() -> None:
    (one,) = pav.read(
        io.BytesIO(
            b'{first}\n% a; b\n[Board "7"]\n[Site "?"]\n[Event "a  b"]\n[Contract "4hx"]\n'
            b'[Declarer "^N"]\n[Auction "N"]\n1C ; second\n=1= 2D* AP\n'
            b'[Note "1:Alert: third"]\n[Play "E"]\nS2 S3! *\n'
            b'[ScoreTable "Rank"]\n1 2\n'
        ),
        format="pbn",
    )
    parts = parts_of(one)
    assert parts == {
        "number": "7",
        "dealer": pav.Seat.SOUTH,
        "vulnerability": pav.Vulnerability.ALL,
        "Event": "a b",
        "ScoreTable": ("Rank", "1", "2"),
        "auction": (pav.Seat.NORTH, "1C", "2D", "Pass", "Pass", "Pass"),
        "alerts": (True, True, False, False, False),
        "auction notes": ("third", "", "", "", ""),
        "play": ("S2", "S3"),
        "play notes": ("!",),
        "contract": "4HX N",
        "comments": ("first", "second"),
    }
    assert comments_of(one) == ("first", "second")


def test_notes_of_an_auction_that_cannot_be_read_are_a_part() -> None:
    one = Board(None, (Tag("Auction", "N", ("1C =1= 8C",)), Tag("Note", "1:second")))
    assert parts_of(one) == {"auction": ("1C", "=1=", "8C"), "auction notes": ("second",)}


def test_tricks_are_one_part() -> None:
    table = TrickTable(bytes([7] * 20))
    assert parts_of(Board.make(None, tricks=table)) == {"tricks": table}
    odd = Board(
        None, (Tag("Auction", "N", ("1C ^I AP",)), Tag("Contract", "1C"), Tag("Note", "1:x"))
    )
    assert parts_of(odd) == {
        "auction": ("1C", "^I", "AP"), "auction notes": ("x",), "contract": "1C",
    }  # fmt: skip
    digits = Board(None, (Tag("DoubleDummyTricks", "7" * 20),))
    assert parts_of(digits) == {"tricks": table}
    partial = Board(None, (Tag("OptimumResultTable", "Declarer", ("N NT 7",)),))
    assert parts_of(partial) == {"OptimumResultTable": ("N", "NT", "7")}
