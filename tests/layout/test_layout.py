"""Layouts, deals and hands as values."""

from __future__ import annotations

import copy
import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import deals, layouts, sparse_layouts

import pavcodec as pav
from pavcodec import Card, Deal, Hand, Layout, Rank, Seat, Suit

SLAM = "N:9642.95.AKQT4.K7 KJ3.K3.98.T98654 AQT85.Q862..AQJ2 7.AJT74.J76532.3"
any_layout = layouts() | sparse_layouts() | deals()


@given(layout=any_layout)
def test_a_layout_survives_text_repr_and_pickle(layout: Layout) -> None:
    assert Layout.from_pbn(str(layout)) == layout
    assert eval(repr(layout), vars(pav)) == layout  # noqa: S307 (our own repr)
    assert type(eval(repr(layout), vars(pav))) is type(layout)  # noqa: S307
    for twin in (pickle.loads(pickle.dumps(layout)), copy.deepcopy(layout)):
        assert twin == layout
        assert hash(twin) == hash(layout)
        assert type(twin) is type(layout)


@given(layout=any_layout, first=st.sampled_from(Seat))
def test_any_first_seat_is_the_same_layout(layout: Layout, first: Seat) -> None:
    text = layout.to_pbn(first=first)
    assert text.startswith(f"{first.letter}:")
    assert Layout.from_pbn(text) == layout
    assert layout.to_pbn(first=first.letter) == layout.to_pbn(first=int(first)) == text


@pytest.mark.slow
@given(layout=any_layout)
def test_hands_and_unused_cards_are_the_whole_deck(layout: Layout) -> None:
    hands = [*layout.hands, layout.unused]
    assert sorted(card for hand in hands for card in hand) == list(range(52))
    assert layout.sizes == tuple(len(hand) for hand in layout)
    assert list(layout) == list(layout.hands)
    for seat in Seat:
        assert layout[seat] == layout[seat.letter] == layout[seat.name] == layout.hands[seat]
        assert Hand.from_pbn(str(layout[seat])) == layout[seat]
        assert [layout[seat].suit(suit) for suit in Suit] == [
            getattr(getattr(layout, seat.name.lower()), suit.name.lower()) for suit in Suit
        ]
    assert layout.is_deal == (layout.sizes == (13, 13, 13, 13))


def test_a_deal() -> None:
    deal = Deal.from_pbn(SLAM)
    assert str(deal) == deal.to_pbn() == SLAM
    assert deal.owners[:13] == bytes([2, 1, 2, 1, 2, 0, 2, 3, 0, 2, 0, 1, 0])
    assert (deal["N"].hcp, deal["E"].hcp, deal["S"].hcp, deal["W"].hcp) == (12, 7, 15, 6)
    assert deal["N"].shape == (4, 2, 5, 2)
    assert deal == Layout.from_pbn(SLAM)
    assert len({deal, Layout(deal.owners)}) == 1
    assert Layout.from_pbn("S:... ... ... ...") == Layout.from_pbn("N:- - - -")
    with pytest.raises(pav.LayoutError, match="owners are 52 bytes of 0 to 4"):
        Layout(bytes([5]) + bytes(51))


@pytest.mark.parametrize(
    ("text", "sizes"),
    [
        ("N:AK.Q.. - .32.4. -", "N holds 3, E 0, S 3, W 0"),
        (
            "N:AKQJT98765432.A.. .KQJT98765432.. ..AKQJT98765432. ...AKQJT98765432",
            "N holds 14, E 12, S 13, W 13",
        ),
    ],
)
def test_deals_have_thirteen_cards_each(text: str, sizes: str) -> None:
    with pytest.raises(pav.LayoutError, match=f"13 cards in each hand; here {sizes}"):
        Deal.from_pbn(text)
    layout = Layout.from_pbn(text)
    with pytest.raises(pav.LayoutError, match=sizes):
        Deal(layout.owners)


def test_values_cannot_be_changed() -> None:
    deal = Deal.from_pbn(SLAM)
    suit = pav.SuitLayout.of(deal, "S")
    for value, name in [(deal, "owners"), (deal["N"], "mask"), (suit, "owners")]:
        with pytest.raises(AttributeError, match="cannot be changed"):
            setattr(value, name, 0)
        with pytest.raises(AttributeError, match="cannot be changed"):
            delattr(value, name)
    with pytest.raises(AttributeError):
        deal.colour = 1


def test_a_hand() -> None:
    hand = Hand.from_pbn("AQT85.Q862..AQJ2")
    assert len(hand) == 13
    assert hand.cards[:3] == (Card.parse("SA"), Card.parse("SQ"), Card.parse("ST"))
    assert (hand.hcp, hand.controls, hand.losers) == (15, 4, 4)
    assert (hand.shape, hand.pattern) == ((5, 4, 0, 4), (5, 4, 4, 0))
    assert hand.suit(Suit.HEARTS) == "Q862"
    assert hand.suit(Suit.DIAMONDS) == ""
    assert Card.parse("S2") not in hand
    assert [card in hand for card in ("SA", "s2", 52, np.uint8(0))] == [True, False, False, True]
    with pytest.raises(TypeError, match="a card is an index"):
        assert Suit.SPADES in hand
    assert Hand(["SA", "hk"]) == Hand.from_pbn("A.K..")
    assert repr(hand) == "Hand.from_pbn('AQT85.Q862..AQJ2')"
    assert Hand(hand.cards) == hand == Hand.from_mask(hand.mask)
    with pytest.raises(ValueError, match="a mask has 52 bits"):
        Hand.from_mask(1 << 52)
    deck = Hand(range(52))
    assert (deck.hcp, deck.controls, deck.losers, deck.shape) == (40, 12, 0, (13, 13, 13, 13))
    assert pickle.loads(pickle.dumps(hand)) == hand
    assert len({hand, Hand(hand.cards), Hand()}) == 2


@pytest.mark.parametrize(
    ("text", "losers"),
    [
        ("-", 0), ("A...", 0), ("2...", 1), ("K...", 1), ("AK...", 0), ("KQ...", 1), ("A2...", 1),
        ("AKQ2...", 0), ("KJT9...", 2), ("QJT.QJT.QJT.QJT9", 8), ("5432.432.432.432", 12),
    ],
)  # fmt: skip
def test_losers_count_the_three_top_ranks(text: str, losers: int) -> None:
    assert Hand.from_pbn(text).losers == losers


def test_cards_seats_suits_ranks() -> None:
    assert [str(Card(i)) for i in (0, 12, 13, 51)] == ["SA", "S2", "HA", "C2"]
    assert (Card(17).suit, Card(17).rank) == (Suit.HEARTS, Rank.TEN)
    assert eval(repr(Card(17)), vars(pav)) == Card(17)  # noqa: S307 (our own repr)
    assert Seat.NORTH.partner is Seat.SOUTH
    assert Seat.WEST.next is Seat.NORTH
    assert "".join(suit.symbol for suit in Suit) == "♠♥♦♣"
    for index in (-1, 52):
        with pytest.raises(IndexError, match="0 to 51"):
            Card(index)
