"""The facts of a board on a page."""

from __future__ import annotations

import pytest
from printing_support import odd_boards, some_boards

import pavcodec as pav
from pavcodec import Board, TrickTable
from pavcodec.printing.document import facts_of

DEAL = some_boards(1)[0].layout
NINES = TrickTable(bytes([7, 5, 8, 5] + [10, 3, 10, 3] + [5, 8, 5, 8] * 3))


def test_makeable_contracts_and_tricks() -> None:
    facts = facts_of(Board.make(DEAL, number=1, tricks=NINES))
    assert facts.makeable == (("NS", ("4♠", "1/2NT")), ("EW", ("2♣", "2♦", "2♥")))
    assert facts.tricks[0] == ("N", (7, 10, 5, 5, 5))
    assert [seat for seat, _ in facts.tricks] == ["N", "S", "E", "W"]
    one = facts_of(Board.make(DEAL, number=1, tricks=TrickTable(bytes([7, 6, 6, 6] + [6] * 16))))
    assert one.makeable == (("NS", ("1/–NT",)), ("EW", ()))


def test_hands_have_points_and_a_dash_for_a_void() -> None:
    board = Board(pav.Layout.from_pbn("N:AK.Q.. - .32.4. -"))
    north, east, _, _ = facts_of(board).hands
    assert (north.suits, north.hcp, east.suits) == (("AK", "Q", "–", "–"), 9, ("–",) * 4)


@pytest.mark.parametrize(
    ("tags", "par"),
    [
        ({}, "NS +420: 4♠ NS ="),
        ({"OptimumScore": "EW 500"}, "EW +500"),
        ({"OptimumScore": "EW -100", "ParContract": "EW 4SX-1"}, "NS +100: 4♠X EW −1"),
        ({"OptimumScore": "NS 0"}, "0"),
        ({"OptimumScore": "NS +400", "ParContract": "N 3N=; x; EW 5HXX+1"},
         "NS +400: 3NT N =, 5♥XX EW +1"),
        ({"OptimumScore": "NS 420"}, "NS +420: 4♠ NS ="),
        ({"OptimumScore": "rubbish"}, "NS +420: 4♠ NS ="),
    ],
)  # fmt: skip
def test_par_is_that_of_the_file_or_of_the_tricks(tags: dict[str, str], par: str) -> None:
    assert facts_of(Board.make(DEAL, number=1, tags=tags, tricks=NINES)).par == par


def test_a_board_that_all_pass_and_boards_without_par() -> None:
    flat = TrickTable(bytes([6] * 20))
    assert facts_of(Board.make(DEAL, number=1, tricks=flat)).par == "0: all pass"
    assert facts_of(Board.make(DEAL, tricks=NINES)).par == ""
    ending = pav.Layout.from_pbn("N:AK.Q.. T9.J.. .32.4. .T..A")
    few = facts_of(Board.make(ending, number=1, tricks=TrickTable(bytes([3] * 20))))
    assert (few.par, few.makeable, len(few.tricks)) == ("", (), 4)


def test_odd_boards_have_facts() -> None:
    found = [facts_of(board) for board in odd_boards()]
    assert [each.title for each in found][:4] == ["Board 1", "Board 2", "Board 3", "Board"]
    assert found[2].hands == ()
    assert found[3].dealer == found[3].vulnerable == ""
