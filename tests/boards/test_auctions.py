"""Auctions and plays between PBN's sections and lists of calls and cards."""

from __future__ import annotations

import re

import pytest
from formats_support import DEAL, read_text
from hypothesis import given
from hypothesis import strategies as st
from table_support import AUCTION, auctions, board_of, calls_of, play

from pavcodec import Deal, PavError, Seat
from pavcodec.boards.board import Tag
from pavcodec.boards.play import (
    CARDS,
    Auction,
    Call,
    Contract,
    auction_of,
    auction_of_dealer,
    auction_tags,
    card_names,
    contract_of,
    declarer_tricks,
    play_tag,
    played_cards,
)

LAYOUT = Deal.from_pbn(DEAL)


def section(*lines: str, dealer: str = "N", notes: tuple[str, ...] = ()) -> Auction | None:
    tags = [Tag("Auction", dealer, lines), *(Tag("Note", note) for note in notes)]
    return auction_of(board_of({}, tags))


@pytest.mark.slow
@given(auctions())
def test_an_auction_comes_back_from_its_section(auction: Auction) -> None:
    assert auction_of(board_of({}, auction_tags(auction))) == auction


def test_the_section_is_written_four_calls_a_line() -> None:
    calls = (Call("1NT", note="15-17"), Call("Pass"), Call("2C", alert=True), Call("Pass"))
    more = (Call("2D", alert=True, note="none"), Call("X", mark="?"))
    assert auction_tags(Auction(Seat.WEST, (*calls, *more))) == [
        Tag("Auction", "W", ("1NT =1= Pass 2C =2= Pass", "2D =3= X $2 *")),
        Tag("Note", "1:15-17"),
        Tag("Note", "2:Alert"),
        Tag("Note", "3:Alert: none"),
    ]


GO, STAR = ("Pass",) * 3, Call("2S", alert=True)
WRITTEN: dict[tuple[str, ...], list[str | Call]] = {
    ("1c  P {a remark} dbl! 1N =1= ; rest", "p AP"): [
        "1C", "Pass", Call("X", mark="!"), Call("1NT", note="weak"), "Pass", "Pass", "Pass"
    ],
    ("- - 1C AP",): ["1C", *GO],
    ("AP",): ["Pass", *GO],
    ("1C +",): ["1C"],
    ("1C * $1",): ["1C"],
    ("1C AP *",): ["1C", *GO],
    ("1S Pass 2S* Pass 4S", "Pass Pass Pass"): ["1S", "Pass", STAR, "Pass", "4S", *GO],
    ("1S Pass 2S * Pass 4S", "Pass Pass Pass"): ["1S", "Pass", STAR, "Pass", "4S", *GO],
    ("1C* =1= 1D!* *",): [Call("1C", alert=True, note="weak"), Call("1D", alert=True, mark="!")],
    **{(f"1C {words}",): ["1C", *GO] for words in ("All Pass", "ALL PASS", "all-pass", "Allpass")},
    ("1C All", "Pass"): ["1C", *GO],
}  # fmt: skip


def test_what_people_write_in_auctions() -> None:
    for lines, words in WRITTEN.items():
        calls = tuple(Call(word) if isinstance(word, str) else word for word in words)
        assert section(*lines, notes=("1: weak",)) == Auction(Seat.NORTH, calls), lines
    assert section("*") is None
    assert auction_of(board_of({}, [Tag("Auction", "N")])) is None


def test_notes_of_the_play_are_not_those_of_the_auction() -> None:
    tags = [Tag("Play", "N", ("SA",)), Tag("Note", "1:play"), Tag("Auction", "N", ("1C =1=",))]
    auction = auction_of(board_of({}, tags))
    assert auction is not None
    assert auction.calls == (Call("1C"),)


def test_what_is_no_list_of_calls_is_refused() -> None:
    for lines, dealer, reason in (
        (("1C ^I",), "N", "'^I' in the auction is no call"),
        (("8C",), "N", "'8C' in the auction is no call"),
        (("=1= 1C",), "N", "'=1=' before any call"),
        (("1C AP", "1D"), "N", "the auction goes on with '1D' after 'AP', which ends it"),
        (("1C + 1D",), "N", "the auction goes on with '1D' after '+', which ends it"),
        (("1C All 1D",), "N", "'All' in the auction is no call"),
        (("1C",), "", "begins with N, E, S or W, not ''"),
    ):
        with pytest.raises(PavError, match=re.escape(reason)):
            section(*lines, dealer=dealer)
    board = board_of({"Dealer": "S"}, [Tag("Auction", "N", ("1C",))])
    with pytest.raises(PavError, match="begins with N, who is not the dealer"):
        auction_of_dealer(board)


NOT_ALLOWED = [
    *("X", "XX", "Pass X", "Pass Pass XX", "1H XX", "1H Pass X", "1H X X", "1H X Pass X"),
    *("1H Pass XX", "1H X Pass XX", "1H X XX X", "1H X XX XX", "1H X XX Pass XX", "1H X 1S XX"),
    *("1H Pass Pass XX", "1H 1H", "1H 1D", "2C 1NT", "1NT 1S", "1NT Pass 1C", "7NT X 7NT"),
]
"""Doubles and redoubles of nothing or of the own side, and bids that are no higher."""


def test_the_contract_is_that_of_its_first_bidder() -> None:
    for text, contract in (
        (" ".join(AUCTION), Contract("2H", Seat.WEST)),
        ("Pass Pass Pass Pass", Contract("Pass", None)),
        ("1H Pass 2H X XX Pass Pass Pass", Contract("2HXX", Seat.NORTH)),
        ("1NT X Pass Pass Pass", Contract("1NTX", Seat.NORTH)),
        ("1S Pass Pass X Pass Pass Pass", Contract("1SX", Seat.NORTH)),
        ("Pass Pass Pass 1C Pass Pass Pass", Contract("1C", Seat.WEST)),
        ("1H Pass Pass X Pass Pass XX 2H Pass Pass Pass", Contract("2H", Seat.WEST)),
        ("1H Pass Pass X Pass Pass XX Pass Pass Pass", Contract("1HXX", Seat.NORTH)),
        ("1H X XX 1S Pass Pass Pass", Contract("1S", Seat.WEST)),
        ("1H X Pass 2H X Pass Pass Pass", Contract("2HX", Seat.WEST)),
        ("1H Pass Pass Pass 2H Pass Pass Pass", None),
        ("1H X Pass Pass Pass Pass", None),
        ("Pass Pass Pass", None),
        ("Pass Pass Pass Pass Pass", None),
        ("Pass Pass Pass Pass 1C Pass Pass Pass", None),
        ("1H Pass Pass", None),
        *((f"{words} Pass Pass Pass", None) for words in NOT_ALLOWED),
    ):
        assert contract_of(Auction(Seat.NORTH, calls_of(text.split()))) == contract, text


@pytest.mark.slow
@given(st.sampled_from(list(Seat)), st.sampled_from("CDHSN"), st.integers(0, 52))
def test_a_play_comes_back_from_its_section(leader: Seat, strain: str, count: int) -> None:
    cards = play(LAYOUT, leader, strain, count)
    tag = play_tag(LAYOUT, cards, strain, is_over=True)
    assert (tag is None) == (not cards)
    tags = [tag] if tag else []
    assert played_cards(board_of({}, tags), strain) == cards


def test_each_player_has_a_column_and_declarer_counts() -> None:
    cards = ["S4", "S5", "SA", "S2", "H3", "H4", "H5", "H2"]
    tag = play_tag(LAYOUT, cards, "H", is_over=True)
    assert tag == Tag("Play", "S", ("S4 S5 SA S2", "H5 H2 H3 H4", "*"))
    assert declarer_tricks(LAYOUT, cards, Seat.EAST, "H") is None
    whole = play(LAYOUT, Seat.SOUTH, "H", 52)
    north = declarer_tricks(LAYOUT, whole, Seat.NORTH, "H")
    east = declarer_tricks(LAYOUT, whole, Seat.EAST, "H")
    assert north is not None
    assert east is not None
    assert north + east == 13


def test_cards_that_do_not_fit_make_no_section() -> None:
    for strain, cards, fault in (
        ("H", "S4 S4", "twice"),
        ("H", "S4 SA", "out of turn"),
        ("H", "S4 S5 SA S2 S3", "the winner did not lead"),
        ("", "S4 S5 SA C5 H3", "a discard, and no strain is known"),
    ):
        assert play_tag(LAYOUT, cards.split(), strain) is None, fault
    assert play_tag(None, ["SA"], "H") is None


def test_a_section_that_does_not_tell_the_order_is_refused() -> None:
    for leader, lines, reason in (
        ("S", ("S4 S5 - S2",), "trick 1 lacks a card"),
        ("S", ("S4 S5 - -", "S6 S7 S8 S9"), "trick 1 is not complete"),
        ("S", ("S4 S5 SA S1",), "'S1' in the play is no card"),
        ("S", ("S4 S5 SA C5", "H3 - - -"), "who won a trick is not known"),
        ("S", ("S4 S5 SA S4",), "a card is played twice"),
        ("S", ("S4 S5 SA S2 *", "S6 - - -"), "the play goes on with 'S6' after '*', which ends it"),
        ("x", ("S4",), "the play begins with"),
    ):
        with pytest.raises(PavError, match=re.escape(reason)):
            played_cards(board_of({}, [Tag("Play", leader, lines)]), "")


def test_what_people_write_in_plays() -> None:
    (board,) = read_text('[Play "S"]\ns4 =1= S5 $7 SA! S2\n{x} - - h3 ; y\n- - - - +\n').boards
    assert played_cards(board, "H") == ["S4", "S5", "SA", "S2", "H3"]
    (board,) = read_text('[Play "S"]\nS4 S5 SA S2\n + - H3 -\n').boards
    assert played_cards(board, "H") == ["S4", "S5", "SA", "S2", "H3"]
    assert played_cards(board_of({}, []), "H") == []


def test_cards_go_by_either_case_and_10() -> None:
    names = card_names()
    assert {names[name] for name in ("sT", "St", "ST", "s10", "S10", "st")} == {"ST"}
    assert set(names.values()) == set(CARDS)
