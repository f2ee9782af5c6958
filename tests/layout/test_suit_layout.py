"""One suit across the four hands: numbers, text, and a value like any other."""

from __future__ import annotations

import copy
import pickle

import pytest
from gmpy2 import mpz
from hypothesis import given
from hypothesis import strategies as st
from records_support import owners_by_hand, suits, word_by_hand
from strategies import layouts

import pavcodec as pav
from pavcodec import Layout, NumberError, Seat, Suit, SuitLayout, TextError

LAST = 5**13 - 1
EMPTY = SuitLayout(bytes([4] * 13))


@pytest.mark.parametrize(
    "numbers",
    [
        range(7000),
        range(5**10 - 3200, 5**10 + 3200),
        range(0, LAST, 123_457),
        range(LAST - 7000, LAST + 1),
    ],
    ids=["the first", "where the third look-up begins", "across all", "the last"],
)
def test_numbers_are_words_of_digits_in_base_5(numbers: range) -> None:
    for number in numbers:
        suit = SuitLayout.from_zbs(number)
        assert suit.owners == owners_by_hand(number)
        assert suit.to_zbs() == number


@given(suit=suits())
def test_any_suit_has_the_number_that_a_slow_loop_gives(suit: SuitLayout) -> None:
    assert suit.to_zbs() == word_by_hand(suit.owners)
    assert SuitLayout.from_zbs(suit.to_zbs()) == suit


TEXTS = [
    (0x00000000, "N:- - - -"),
    (0x12309CE5, "N:- - - AKQJT98765432"),
    (0x246139CA, "N:AKQJT98765432 - - -"),
    (0x3691D6AF, "N:- AKQJT98765432 - -"),
    (0x48C27394, "N:- - AKQJT98765432 -"),
    (0x48BAF0DA, "N:JT9 876 5432 AKQ"),
    (0x00000001, "N:- - - A"),
    (0x3A352944, "N:- - 2 -"),
    (2 + 3 * 5 + 4 * 25 + 125, "N:A K Q J"),
]


@pytest.mark.parametrize(("number", "text"), TEXTS)
def test_numbers_beside_texts(number: int, text: str) -> None:
    suit = SuitLayout.from_text(text)
    assert suit.to_zbs() == number
    assert SuitLayout.from_zbs(mpz(number)).to_text() == str(suit) == text


@pytest.mark.parametrize("number", [-1, LAST + 1, 1 << 20_000], ids=["-1", "last + 1", "long"])
def test_a_number_outside_is_refused(number: int) -> None:
    told = "one of 20001 bits" if number >> 9999 > 0 else number
    with pytest.raises(NumberError, match=f"^a suit has numbers 0 to {LAST}, not {told}$"):
        SuitLayout.from_zbs(number)


@given(suit=suits(), first=st.sampled_from(Seat))
def test_any_first_seat_is_the_same_suit(suit: SuitLayout, first: Seat) -> None:
    text = suit.to_text(first)
    assert text.startswith(f"{first.letter}:")
    assert suit.to_text(first.letter) == suit.to_text(int(first)) == text
    assert SuitLayout.from_text(text) == SuitLayout.from_text(text.lower()) == suit
    assert SuitLayout.from_text(f"\t{text.replace(' ', '  ')}\n") == suit
    holdings = text[2:].split(" ")
    assert holdings == [suit[(first + turn) % 4] or "-" for turn in range(4)]


@given(suit=suits())
def test_the_holdings_and_unused_cards_are_the_whole_suit(suit: SuitLayout) -> None:
    unused = suit.owners.count(4)
    held = "".join(suit[seat] for seat in Seat)
    assert len(held) == len(set(held)) == 13 - unused
    for seat in Seat:
        assert suit[seat] == suit[seat.letter] == suit[seat.name] == suit[int(seat)]
        for place, rank in enumerate("AKQJT98765432"):
            assert (rank in suit[seat]) == (suit.owners[place] == seat)


BAD_TEXTS = [
    ("", "a suit layout is a seat, a colon", ""),
    ("AKQ JT9 876 5432", "a suit layout is a seat, a colon", "AKQ JT9 876 5432"),
    ("N:A K Q", "four holdings", "N:A K Q"),
    ("NE:A K Q J", "a suit layout is a seat", "NE:A K Q J"),
    ("N:A-K - - -", "'-' is no rank", "-"),
    ("N:é - - -", "'é' is no rank", "é"),
]


@pytest.mark.parametrize(("text", "reason", "pointed"), BAD_TEXTS)
def test_a_bad_text_is_refused_and_pointed_at(text: str, reason: str, pointed: str) -> None:
    with pytest.raises(TextError) as caught:
        SuitLayout.from_text(text)
    error = caught.value
    assert reason in error.message
    assert error.source == text
    assert text[slice(*error.span)] == pointed
    carets = " " * (2 + error.span[0]) + "^" * max(1, len(pointed))
    assert str(error).split("\n")[1:] == [f"  {text}", carets]


@pytest.mark.parametrize(
    ("text", "reason", "place"),
    [
        ("N:AA - - -", "'A' is there twice", 3),
        ("N:A - - a", "'a' is there twice", 8),
        ("N:1 - - 1", "'1' is no rank", 2),
    ],
)
def test_the_caret_is_below_the_first_card_that_is_wrong(
    text: str, reason: str, place: int
) -> None:
    with pytest.raises(TextError) as caught:
        SuitLayout.from_text(text)
    assert (caught.value.message, caught.value.span) == (reason, (place, place + 1))


@pytest.mark.slow
@given(text=st.text(alphabet="NESWnesw:- AKQJT98765432x10ak\t") | st.text())
def test_any_text_is_a_suit_or_a_text_error(text: str) -> None:
    try:
        suit = SuitLayout.from_text(text)
    except TextError as error:
        start, stop = error.span
        within = 0 <= start <= stop <= len(text)
    else:
        within = SuitLayout.from_text(str(suit)) == suit
    assert within


@given(suit=suits(), where=st.sampled_from(Suit))
def test_a_suit_is_a_value_that_equals_no_layout(suit: SuitLayout, where: Suit) -> None:
    assert eval(repr(suit), vars(pav)) == suit  # noqa: S307 (our own repr)
    for twin in (pickle.loads(pickle.dumps(suit)), copy.deepcopy(suit)):
        assert (twin, hash(twin), type(twin)) == (suit, hash(suit), SuitLayout)
    layout = suit.as_suit(where)
    assert isinstance(layout, Layout)
    for other in (layout, str(suit), suit.owners, suit.to_zbs(), None):
        assert (suit == other) is False
        assert (other == suit) is False
        assert suit != other
    assert [SuitLayout.of(layout, other) for other in Suit if other is not where] == [EMPTY] * 3
    assert SuitLayout.of(layout, where) == suit


@given(layout=layouts())
def test_the_suits_of_a_layout_are_the_layout(layout: Layout) -> None:
    suits_of_it = [SuitLayout.of(layout, suit) for suit in Suit]
    assert b"".join(suit.owners for suit in suits_of_it) == layout.owners
    for where, suit in zip(Suit, suits_of_it, strict=True):
        assert suit == SuitLayout.of(layout, int(where))
        assert [suit[seat] for seat in Seat] == [layout[seat].suit(where) for seat in Seat]
