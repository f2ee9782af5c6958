"""What public functions say of arguments that are none: what was expected, and what came."""

from __future__ import annotations

import io
from collections.abc import Callable
from typing import Any

import pytest

import pavcodec as pav

NUMBERS = pav.numbering("deal")
DEAL: Any = NUMBERS[0]
BOARD: Any = pav.Board.make(DEAL, number=1)
TRICKS: Any = pav.TrickTable(bytes(20))
SUIT: Any = DEAL["N"].suit
SEAT: Any = DEAL.__getitem__
DEALER_NAMES = ("N", "north", 0, pav.Seat.NORTH)


def written(boards: Any, target: Any = None) -> int:
    return pav.write(boards, io.BytesIO() if target is None else target, format="pbn")


WRONG: dict[type[Exception], dict[str, tuple[Callable[[Any], object], Any]]] = {
    pav.UnknownNameError: {
        "no suit is called 'Q'; expected S, H, D or C": (SUIT, "Q"),
        "no suit has the number 9; expected S, H, D or C, or 0": (DEAL["N"].suit, 9),
        "no seat has the number 7; expected N, E, S or W, or 0": (DEAL.__getitem__, 7),
        "no card is called 'SAA'; expected suit and rank, such as SA or AS": (pav.Card, "SAA"),
        "no suit is called 'spaeds'; did you mean 'spades'? Expected S, H, D or C": (
            SUIT,
            "spaeds",
        ),
        "no strain has the number 9": (TRICKS.__getitem__, ("N", 9)),
        "no seat is called 'Q'": (lambda x: pav.Board.make(DEAL, dealer=x), "Q"),
        "no vulnerability is called 'xx'; expected None, NS, EW or All": (
            lambda x: pav.Board.make(DEAL, vulnerable=x),
            "xx",
        ),
    },
    TypeError: {
        "a suit is S, H, D or C or a Suit, not 'NoneType'": (SUIT, None),
        "a seat is N, E, S or W or a Seat, not 'NoneType'": (SEAT, None),
        "owners are bytes, not 'str'; Deal.from_pbn reads texts": (pav.Deal, "N:AK - - -"),
        "a deal is given as text, not 'int'": (pav.Layout.from_pbn, 5),
        "a hand is given as text, not 'int'": (pav.Hand.from_pbn, 5),
        "put one into a list": (pav.Hand, 5),
        "a mask is an integer, not 'str'": (pav.Hand.from_mask, "x"),
        "a seat to parse is given as text": (pav.Seat.parse, 5),
        "a suit to parse is given as text": (pav.Suit.parse, None),
        "a strain to parse is given as text": (pav.Strain.parse, 5),
        "a card to parse is given as text": (pav.Card.parse, 5),
        "a seat is N, E, S or W or a Seat, not Suit.HEARTS": (SEAT, pav.Suit.HEARTS),
        "a suit is S, H, D or C or a Suit, not Rank.ACE": (SUIT, pav.Rank.ACE),
        "a Hand takes several cards, as in ['SA', 'HK'], not 'AK.Q..'; Hand.from_pbn": (
            pav.Hand,
            "AK.Q..",
        ),
        "a contract is a seat and a strain": (TRICKS.__getitem__, "N"),
        "a suit layout is given as text": (pav.SuitLayout.from_text, 5),
        "a board number is an integer, not 'float'": (
            lambda x: pav.Board.make(DEAL, number=x),
            1.5,
        ),
        "a vulnerability is given as text": (lambda x: pav.Board.make(DEAL, vulnerable=x), 7),
        "tags are a mapping": (lambda x: pav.Board.make(DEAL, tags=x), [1]),
        "tags are texts by name, not 5 by 'Event'": (
            lambda x: pav.Board.make(DEAL, tags=x),
            {"Event": 5},
        ),
        "tricks are a TrickTable, not 'int'": (lambda x: pav.Board.solved(DEAL, x), 5),
        "a board has a Layout, not 'str'": (pav.Board, "N:AK - - -"),
        "entries of a board are a tuple": (lambda x: pav.Board(DEAL, x), ("Event",)),
        "written one after another, as in [board], not 'Deal'": (written, DEAL),
        "written one after another, as in [board], not 'Board'": (written, BOARD),
        "boards and layouts are written, not 'int'": (written, [5]),
        "to a path or a stream of bytes, not 'int'": (lambda x: written([DEAL], x), 5),
        "to a path or a stream of bytes, not 'StringIO'": (
            lambda x: written([DEAL], x),
            io.StringIO(),
        ),
        "the name of a format is given as text": (lambda x: pav.read("x", format=x), 5),
        "the name of a code is given as text": (pav.code, 5),
        "the name of a situation is given as text": (pav.situation, 5),
        "the name of a method is given as text": (lambda x: pav.deals("1", method=x), 5),
        "a number, a code or a deal is given as text": (pav.identify, 5),
        "shapes are a text, a function or": (pav.shape_class, 5),
        "a function of four lengths": (pav.ShapeFunction, 5),
        "a text is expected, not 'int'": (pav.shape_function, 5),
        "weights are four numbers by seat": (lambda x: pav.deals_as_in_1999("1", weights=x), 5),
        "open each source with open_archive": (
            lambda x: pav.merge_archives(x, io.BytesIO()),
            ["x.pav"],
        ),
    },
    pav.NumberError: {
        "a mask has 52 bits, not -1": (pav.Hand.from_mask, -1),
        "a board number is 1 or more, not -5": (lambda x: pav.Board.make(DEAL, number=x), -5),
        "a board number is 1 or more, not -3": (pav.Vulnerability.of_board, -3),
    },
}
"""What is wrong with an argument, and the function that says so of it."""


@pytest.mark.parametrize(
    ("kind", "message"), [(kind, message) for kind, rows in WRONG.items() for message in rows]
)
def test_wrong_arguments(kind: type[Exception], message: str) -> None:
    function, argument = WRONG[kind][message]
    with pytest.raises(kind) as caught:
        function(argument)
    assert message in str(caught.value)


def test_seats_suits_and_vulnerabilities_by_name() -> None:
    for dealer in DEALER_NAMES:
        assert pav.Board.make(DEAL, dealer=dealer).dealer is pav.Seat.NORTH
    for word in ("NS", pav.Vulnerability.NS):
        assert pav.Board.make(DEAL, vulnerable=word).vulnerable is pav.Vulnerability.NS
    hand = pav.Hand.from_pbn("AQT85.Q862..AQJ2")
    for suit in ("S", "spades", "Spade", 0, pav.Suit.SPADES):
        assert hand.suit(suit) == "AQT85"
