"""Turning the table: hands, dealer and vulnerability move together, and can be moved back."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

import pavcodec as pav
from pavcodec.boards import Vulnerability
from pavcodec.boards.turning import Turn, turn_layout
from pavcodec.cards import Seat
from pavcodec.practice import Seating

DEALS = pav.numbering("deal")
PAIR = (Seat.NORTH, Seat.SOUTH)
numbers = st.integers(0, DEALS.cardinality - 1)
boards = st.integers(1, 100)


@given(numbers, st.integers(-8, 8))
def test_each_hand_goes_so_many_places_on(number: int, places: int) -> None:
    before = DEALS[number]
    after = turn_layout(before, Turn.of(places))
    for seat in Seat:
        assert after[(seat + places) % 4] == before[seat]
    assert turn_layout(after, Turn.of(-places)) == before


def test_without_turning_all_is_as_written() -> None:
    seating = Seating(dealer=Seat.EAST, vulnerable=Vulnerability.NS)
    for number in range(1, 9):
        board = seating.board(number, DEALS[5])
        assert (board.layout, board.dealer) == (DEALS[5], Seat.EAST)
        assert (board.number, board.vulnerable) == (number, Vulnerability.NS)
    assert seating.describe() == ""


@given(boards, st.sampled_from([None, *Seat]))
def test_four_players_turn_so_that_the_dealer_is_that_of_tournaments(
    number: int, dealer: Seat | None
) -> None:
    seating = Seating(dealer=dealer, turning=True)
    board = seating.board(number, DEALS[number])
    assert board.dealer == (number - 1) % 4
    assert board.vulnerable == Vulnerability.of_board(number)
    assert board.layout is not None
    assert board.layout[board.dealer or 0] == DEALS[number][dealer or 0]


@given(boards, st.sampled_from([None, *Seat]))
def test_two_players_change_places(number: int, dealer: Seat | None) -> None:
    seating = Seating(players=PAIR, dealer=dealer, turning=True)
    board = seating.board(number, DEALS[number])
    assert seating.places(number) == (0 if number % 2 else 2)
    assert board.layout == turn_layout(DEALS[number], Turn.of(seating.places(number)))
    expected = (number - 1) % 4 if dealer is None else (dealer + seating.places(number)) % 4
    assert board.dealer == expected


def test_across_brings_south_to_west() -> None:
    players = (Seat.EAST, Seat.WEST)
    seating = Seating(players=players, dealer=Seat.SOUTH, across=True)
    board = seating.board(2, DEALS[10**28])
    assert board.layout is not None
    assert board.layout["W"] == DEALS[10**28]["S"]
    assert board.layout["E"] == DEALS[10**28]["N"]
    assert board.dealer == Seat.WEST
    both = Seating(players=players, across=True, turning=True)
    assert [both.places(number) for number in (1, 2, 3)] == [1, 3, 1]


def test_given_vulnerability_turns_with_the_table() -> None:
    for given_word, odd in (("NONE", "NONE"), ("NS", "EW"), ("EW", "NS"), ("ALL", "ALL")):
        seating = Seating(vulnerable=Vulnerability[given_word], turning=True)
        found = [seating.board(number, DEALS[0]).vulnerable for number in (1, 2, 3, 4)]
        assert found == [Vulnerability[given_word], Vulnerability[odd]] * 2


def test_the_number_of_a_board_is_that_of_the_turned_deal() -> None:
    board = Seating(turning=True).board(2, DEALS[7])
    _, number = board.tags["DealId"].split(":")
    assert DEALS.unrank(int(number)) == board.layout == turn_layout(DEALS[7], Turn.of(1))


def test_turning_is_told() -> None:
    assert "on even boards" in Seating(players=PAIR, turning=True).describe()
    assert (
        "East of the condition is the dealer"
        in Seating(players=PAIR, dealer=Seat.EAST, turning=True).describe()
    )
    assert "North of the condition is the dealer" in Seating(turning=True).describe()
    assert "South of the condition is West" in Seating(across=True).describe()
