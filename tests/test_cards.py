"""Seats, suits, strains, ranks and cards as texts: all public functions convert them here."""

from __future__ import annotations

import pickle
from collections.abc import Iterator
from itertools import product
from typing import Any

import numpy as np
import pytest

import pavcodec as pav
from pavcodec.cards import RANK_LETTERS, SEAT_LETTERS, STRAIN_NAMES, SUIT_LETTERS
from pavcodec.constraints.expressions import hascard, hcp, holding

KINDS: list[Any] = [pav.Seat, pav.Suit, pav.Strain, pav.Rank]
LETTERS: dict[Any, Any] = {
    pav.Seat: SEAT_LETTERS,
    pav.Suit: SUIT_LETTERS,
    pav.Strain: STRAIN_NAMES,
    pav.Rank: RANK_LETTERS,
}
SYMBOLS = ("♠", "♥", "♦", "♣"), ("♤", "♡", "♢", "♧")


def spellings(text: str) -> set[str]:
    return {text, text.lower(), text.title(), f" {text} "}


@pytest.mark.parametrize("kind", KINDS)
def test_members_by_letter_name_and_number(kind: Any) -> None:
    for member, letters in zip(kind, LETTERS[kind], strict=True):
        for text in spellings(letters) | spellings(member.name):
            assert kind(text) is kind.of(text) is kind.parse(text) is member
        for number in (int(member), member, np.uint8(member)):
            assert kind(number) is kind.of(number) is member
        assert pickle.loads(pickle.dumps(member)) is member


def test_suits_and_strains_by_symbol_and_in_the_singular() -> None:
    for suit, *symbols in zip(pav.Suit, *SYMBOLS, strict=True):
        emoji = [f"{symbol}\N{VARIATION SELECTOR-16}" for symbol in symbols]
        for text in (*symbols, *emoji, *spellings(suit.name[:-1])):
            assert pav.Suit(text) is suit
            assert pav.Strain(text) == pav.Strain(suit.name) == suit + 1
    for text in ("N", "n", "nt", "no trump", "no trumps", "Notrump", "notrumps"):
        assert pav.Strain(text) is pav.Strain.NOTRUMP
    assert pav.Rank("10") is pav.Rank.TEN


def card_texts() -> Iterator[tuple[int, str]]:
    """Yield each card with all its texts."""
    for index, (suit, rank) in enumerate(product(range(4), RANK_LETTERS)):
        suits = [SUIT_LETTERS[suit], *(symbols[suit] for symbols in SYMBOLS)]
        for text, number in product(suits, {rank, "10"} if rank == "T" else {rank}):
            yield index, text + number
            yield index, number + text


def test_cards_by_suit_and_rank_in_either_order() -> None:
    hand = pav.Hand.from_mask(1 << 17)
    texts = [(index, each) for index, text in card_texts() for each in spellings(text)]
    for index, text in texts:
        card = pav.Card(text)
        assert type(card) is pav.Card
        assert card == pav.Card.parse(text) == pav.Card(index) == pav.Card(card) == index
        assert (text in hand) == (index == 17)
        assert pav.Hand([text]).mask == 1 << index
    assert {index for index, _ in texts} == set(range(52))


@pytest.mark.parametrize("text", ["", "A", "S", "AA", "SS", "S1", "1S", "SA2", "0S", "N", "SAS"])
def test_what_is_no_card(text: str) -> None:
    for function in (pav.Card, pav.Card.parse, pav.Hand().__contains__):
        with pytest.raises(pav.UnknownNameError, match=f"no card is called {text!r}; expected"):
            function(text)


@pytest.mark.parametrize("kind", KINDS)
def test_what_is_no_member(kind: Any) -> None:
    word = kind.__name__.lower()
    for text in ("", "zz", "-1", "11"):
        for function in (kind, kind.of, kind.parse):
            with pytest.raises(pav.UnknownNameError, match=f"no {word} is called {text!r}"):
                function(text)
    for number in (-1, len(kind), 10**400):
        for function in (kind, kind.of):
            with pytest.raises(pav.UnknownNameError, match=f"no {word} has the number"):
                function(number)
    others = [other(1) for other in KINDS if other is not kind]
    for value in (*others, pav.Card(1), 1.0, None, ["N"]):
        with pytest.raises(TypeError, match=f"a {word} is .* or a {kind.__name__}, not "):
            kind.of(value)


def test_texts_work_where_members_do() -> None:
    deal = pav.numbering("deal")[12345678901234567890]
    for seat, suit in product(pav.Seat, pav.Suit):
        for name in (seat.letter, seat.name, seat.name.lower()):
            assert deal[name] == deal[seat]
            assert str(hcp(name, suit.symbol)) == str(hcp(seat, suit))
            assert pav.Board.make(deal, dealer=name).dealer is seat
            assert deal.to_pbn(first=name) == deal.to_pbn(first=seat)
        for name in (suit.letter, suit.name.lower(), suit.symbol):
            assert deal[seat].suit(name) == deal[seat].suit(suit)
            assert pav.SuitLayout.of(deal, name)[seat.letter] == deal[seat].suit(suit)
            assert str(holding(seat, name, "KJx")) == str(holding(seat, suit, "KJx"))
    table = pav.TrickTable(bytes(range(13)) + bytes(7))
    for seat, strain in product(pav.Seat, pav.Strain):
        assert table[seat.name, strain.letters] == table[seat, strain]
    assert str(hascard("N", "A♠")) == str(hascard("north", "SA")) == "hascard(north, AS)"
    for word in ("ns", "NS", "n-s", pav.Vulnerability.NS):
        assert pav.Board.make(deal, vulnerable=word).vulnerable is pav.Vulnerability("NS")
    turn = pav.Permutation((1, 0, 2, 3), (1, 2, 3, 0))
    assert pav.Permutation("HSDC", ["E", "south", "W", "N"]) == turn
