"""Boards, vulnerabilities and problems as values."""

from __future__ import annotations

import pickle

import pytest
from formats_support import DEAL, ENDING

from pavcodec import Board, Deal, Layout, Problem, ReadError, Seat, Tag, Vulnerability
from pavcodec.boards import Context

WORDS = {"None": "NONE", "Love": "NONE", "-": "NONE", "NS": "NS", "N-S": "NS", "EW": "EW"}


def test_tournaments_go_round_in_sixteen_boards() -> None:
    none, ns, ew, both = Vulnerability
    cycle = [none, ns, ew, both, ns, ew, both, none, ew, both, none, ns, both, none, ns, ew]
    for number in range(1, 100):
        board = Board.make(None, number=number)
        assert board.vulnerable is Vulnerability.of_board(number)
        assert board.vulnerable is cycle[(number - 1) % 16]
        assert board.dealer is Seat.parse("NESW"[(number - 1) % 4])


def test_the_words_for_a_vulnerability() -> None:
    for word, name in {**WORDS, "E-W": "EW", "All": "ALL", "Both": "ALL"}.items():
        assert Vulnerability.parse(word) is Vulnerability[name]
    for word in ("", "?", "none", "E", "N", " NS", "NONE"):
        assert Vulnerability.parse(word) is None


def test_a_board_is_made_of_its_parts() -> None:
    deal = Deal.from_pbn(DEAL)
    none, tags = Vulnerability.NONE, {"Event": "Club", "Dealer": "E"}
    board = Board.make(deal, number=5, dealer=Seat.WEST, vulnerable=none, tags=tags)
    assert (board.layout, board.number, board.line) == (deal, 5, None)
    assert (board.dealer, board.vulnerable) == (Seat.EAST, Vulnerability.NONE)
    names = ["Board", "Dealer", "Vulnerable", "Event"]
    assert [tag.name for tag in board.entries] == names
    assert Board.make(deal).entries == ()
    board = Board(Layout.from_pbn(ENDING))
    assert (board.number, board.dealer, board.vulnerable) == (None, None, None)
    assert (dict(board.tags), dict(board.sections), board.entries) == ({}, {}, ())
    board = Board(None, (Tag("Site", "a", ("x",)), Tag("Site", "b", ("y",)), Tag("Room", "")))
    assert (board.tags["Site"], board.sections) == ("a", {"Site": ("x",)})


def test_the_number_is_a_positive_integer_or_nothing() -> None:
    numbers = {"7": 7, "007": 7, "0": None, "-1": None, "1A": None, "1-1": None, "٣": None}
    for text, number in numbers.items():
        board = Board.make(None, tags={"Board": text})
        assert (board.number, board.dealer is None) == (number, number is None)
    long = Board.make(None, tags={"Board": "1" * 5000})  # int() refuses more than 4300 digits
    assert (long.number, long.dealer, long.vulnerable) == (None, None, None)


def test_boards_are_values() -> None:
    one = Board.make(Deal.from_pbn(DEAL), number=1, tags={"Event": "x"})
    same = Board(Deal.from_pbn(DEAL), (Tag("Board", "1"), Tag("Event", "x")), line=9)
    other = Board.make(Deal.from_pbn(DEAL), number=2)
    assert one == same
    assert hash(one) == hash(same)
    assert one not in (other, "board", None)
    assert len({one, same, other}) == 2
    assert "Event" in repr(one)
    for name in ("layout", "line", "entries", "number", "anything"):
        with pytest.raises(AttributeError):
            setattr(one, name, None)
    with pytest.raises(TypeError):
        one.tags["Board"] = "2"  # type: ignore[index]


def test_a_board_survives_pickling() -> None:
    board = Board(Deal.from_pbn(DEAL), parse=lambda: (Tag("Event", "x"),))
    again = pickle.loads(pickle.dumps(board))
    assert again == board
    assert type(again.layout) is Deal
    read = Board(None, (Tag("Event", "Łódź"),), line=7)
    read.is_utf8 = True
    again = pickle.loads(pickle.dumps(read))
    assert (again, again.line, again.is_utf8) == (read, 7, True)


def test_a_context_reports_or_raises_where_and_why() -> None:
    kept: list[Problem] = []
    Context("a.pbn", kept.append).problem(3, "why", "7")
    assert kept == [Problem("a.pbn", 3, "why", "7")]
    assert str(kept[0]) == "a.pbn:3: board 7: why"
    assert str(Problem("a.pbn", None, "why")) == "a.pbn: why"
    with pytest.raises(ReadError, match=r"^a\.pbn:3: why$"):
        Context("a.pbn").problem(3, "why")
