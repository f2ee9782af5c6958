"""Boards, vulnerabilities and problems as values."""

from __future__ import annotations

import pickle

import pytest
from formats_support import DEAL, ENDING

from pavcodec import Board, Deal, Layout, Problem, ReadError, Seat, Tag, Vulnerability
from pavcodec.boards import Context

CYCLE = [
    "None",
    "NS",
    "EW",
    "All",
    "NS",
    "EW",
    "All",
    "None",
    "EW",
    "All",
    "None",
    "NS",
    "All",
    "None",
    "NS",
    "EW",
]


def test_tournaments_go_round_in_sixteen_boards() -> None:
    for number in range(1, 100):
        board = Board.make(None, number=number)
        assert board.vulnerable is Vulnerability.of_board(number)
        assert board.vulnerable.value == CYCLE[(number - 1) % 16]
        assert board.dealer is not None
        assert board.dealer.letter == "NESW"[(number - 1) % 4]


def test_the_words_for_a_vulnerability() -> None:
    words = {"None": "NONE", "Love": "NONE", "-": "NONE", "NS": "NS", "EW": "EW", "All": "ALL"}
    for word, name in (words | {"Both": "ALL"}).items():
        assert Vulnerability.parse(word) is Vulnerability[name]
    for word in ("", "?", "none", "E", "N", " NS", "NONE"):
        assert Vulnerability.parse(word) is None


def test_a_board_is_made_of_its_parts() -> None:
    deal = Deal.from_pbn(DEAL)
    board = Board.make(
        deal,
        number=5,
        dealer=Seat.WEST,
        vulnerable=Vulnerability.NONE,
        tags={"Event": "Club", "Dealer": "E"},
    )
    assert (board.layout, board.number, board.line) == (deal, 5, None)
    assert (board.dealer, board.vulnerable) == (Seat.EAST, Vulnerability.NONE)
    names = ["Board", "Dealer", "Vulnerable", "Event"]
    assert [tag.name for tag in board.entries] == names
    assert Board.make(deal).entries == ()


def test_what_is_not_known_is_none() -> None:
    board = Board(Layout.from_pbn(ENDING))
    assert (board.number, board.dealer, board.vulnerable) == (None, None, None)
    assert (dict(board.tags), dict(board.sections), board.entries) == ({}, {}, ())


@pytest.mark.parametrize(
    ("text", "number"), [("7", 7), ("007", 7), ("0", None), ("-1", None), ("1A", None), ("٣", None)]
)
def test_the_number_is_a_positive_integer_or_nothing(text: str, number: int | None) -> None:
    assert Board.make(None, tags={"Board": text}).number == number


def test_the_first_of_two_tags_counts() -> None:
    board = Board(None, (Tag("Site", "a", ("x",)), Tag("Site", "b", ("y",)), Tag("Room", "")))
    assert board.tags["Site"] == "a"
    assert board.sections == {"Site": ("x",)}


def test_a_board_cannot_be_changed() -> None:
    board = Board.make(None, number=1)
    for name in ("layout", "line", "entries", "number", "anything"):
        with pytest.raises(AttributeError):
            setattr(board, name, None)
    with pytest.raises(TypeError):
        board.tags["Board"] = "2"  # type: ignore[index]


def test_boards_are_values() -> None:
    one = Board.make(Deal.from_pbn(DEAL), number=1, tags={"Event": "x"})
    same = Board(Deal.from_pbn(DEAL), (Tag("Board", "1"), Tag("Event", "x")), line=9)
    other = Board.make(Deal.from_pbn(DEAL), number=2)
    assert one == same
    assert hash(one) == hash(same)
    assert one not in (other, "board", None)
    assert len({one, same, other}) == 2
    assert "Event" in repr(one)


def test_a_board_survives_pickling() -> None:
    board = Board(Deal.from_pbn(DEAL), parse=lambda: (Tag("Event", "x"),))
    again = pickle.loads(pickle.dumps(board))
    assert again == board
    assert type(again.layout) is Deal
    read = Board(None, (Tag("Event", "Łódź"),), line=7)
    read.is_utf8 = True
    again = pickle.loads(pickle.dumps(read))
    assert (again, again.line, again.is_utf8) == (read, 7, True)


def test_tags_are_made_once_and_only_when_asked_for() -> None:
    calls: list[int] = []

    def parse() -> tuple[Tag, ...]:
        calls.append(1)
        return (Tag("Board", "3"),)

    board = Board(None, parse=parse)
    assert (board.layout, board.line, calls) == (None, None, [])
    assert (board.number, board.tags["Board"], board.entries) == (3, "3", (Tag("Board", "3"),))
    assert calls == [1]


def test_a_problem_says_where_and_why() -> None:
    assert str(Problem("a.pbn", 3, "why", "7")) == "a.pbn:3: board 7: why"
    assert str(Problem("a.pbn", None, "why")) == "a.pbn: why"


def test_a_context_reports_or_raises() -> None:
    kept: list[Problem] = []
    Context("a.pbn", kept.append).problem(3, "why", "7")
    assert kept == [Problem("a.pbn", 3, "why", "7")]
    with pytest.raises(ReadError, match=r"^a\.pbn:3: why$"):
        Context("a.pbn").problem(3, "why")
