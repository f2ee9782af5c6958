"""Hands as people type them, and any text that may be a deal."""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import deals

import pavcodec as pav
from pavcodec.cards import Seat, Suit
from pavcodec.formats.pasted import parse_hands
from pavcodec.layout.drawings import diagram

HANDS = "N:9642.95.AKQT4.K7 KJ3.K3.98.T98654 AQT85.Q862..AQJ2 7.AJT74.J76532.3"
TENS = HANDS.replace("T", "10")
VIEWER = "https://www.bridgebase.com/tools/handviewer.html?"


def suited(hand: pav.Hand, signs: str = "♠♥♦♣", between: str = " ", void: str = "-") -> str:
    """Return a hand with a sign before each suit."""
    return between.join(
        f"{sign}{hand.suit(suit) or void}" for sign, suit in zip(signs, Suit, strict=True)
    )


def spaced(text: str) -> str:
    """Return a diagram with blanks between the ranks, as newspapers print it."""
    rows = (re.sub(r"(?<=[AKQJT2-9])(?=[AKQJT2-9])", " ", line) for line in text.split("\n"))
    return "Dealer: South\n" + "\n".join(rows).replace("T", "10") + "\nContract: three notrump"


def named(deal: pav.Layout, between: str = ": ", void: str = "-") -> list[str]:
    """Return each hand after the name of its seat."""
    return [f"{seat.name.title()}{between}{suited(deal[seat], void=void)}" for seat in Seat]


SIGNED = {ord(sign): f"{sign}\ufe0f " for sign in "♠♥♦♣"}
THREE: list[Callable[[pav.Layout], str]] = [  # three hands give the fourth
    lambda deal: "\n".join(hand.to_pbn() for hand in deal),
    lambda deal: " ".join(f"{seat.letter}: {deal[seat].to_pbn()}" for seat in Seat),
    lambda deal: "\n".join(named(deal)),
]
DRESSES: list[Callable[[pav.Layout], str]] = [
    *THREE,
    lambda deal: "\n".join(named(deal, " - ", "—")[-1:] + named(deal, " - ", "—")[:-1]).lower(),
    lambda deal: "\n".join(named(deal)).translate(SIGNED),
    lambda deal: " ".join(suited(hand, between="", void="") for hand in deal),
    lambda deal: " ".join(suited(hand, between="", void="") for hand in deal).replace("T", "10"),
    lambda deal: ", ".join(suited(hand, signs="SHDC") for hand in deal),
    lambda deal: "\n".join(suited(hand, between="\n") for hand in deal),
    lambda deal: " | ".join(hand.to_pbn().replace(".", ",") for hand in deal),
]


@pytest.mark.slow
@given(st.sampled_from(DRESSES), deals())
def test_hands_in_any_dress(write: Callable[[pav.Layout], str], deal: pav.Deal) -> None:
    assert parse_hands(write(deal)) == deal
    if write in THREE:
        owners = bytes(4 if owner == Seat.WEST else owner for owner in deal.owners)
        assert parse_hands(write(pav.Layout(owners))) == deal


FROM_WEST = DRESSES[3](pav.Deal.from_pbn(HANDS))
DRAWN = "\n".join(diagram(pav.Deal.from_pbn(HANDS)))
NOTATIONS = [
    HANDS,
    HANDS.lower(),
    TENS,
    HANDS[2:],
    TENS[2:],
    HANDS[2:].replace(" ", "\n"),
    HANDS.replace(" ", "\n"),
    f'[Deal "{HANDS}"]',
    f'[Event "x"]\n[Board "1"]\n[Deal "{TENS}"]\n',
    "md|1SAQT85HQ862DCAQJ2,S7HAJT74DJ76532C3,S9642H95DAKQT4CK7,|sv|o|ah|Board 1|",
    f"{VIEWER}n=s9642h95dakqt4ck7&e=skj3hk3d98ct98654&s=saqt85hq862dcaqj2",
    f"{VIEWER}lin=md%7C1SAQT85HQ862DCAQJ2%2CS7HAJT74DJ76532C3%2CS9642H95DAKQT4CK7%2C%7C",
    "?n=s9642h95dakqt4ck7&e=skj3hk3d98ct98654&s=saqt85hq862dcaqj2",
    "lin=md%7C1SAQT85HQ862DCAQJ2%2CS7HAJT74DJ76532C3%2CS9642H95DAKQT4CK7%2C%7C",
    "3SAQT85HQ862DCAQJ2,S7HAJT74DJ76532C3,S9642H95DAKQT4CK7,",
    DRAWN,
    f"Dealer: S\nVul: All\n{FROM_WEST}",
    "north 9642 95 AKQT4 K7\neast KJ3 K3 98 T98654\nsouth AQT85 Q862 - AQJ2",
    spaced(DRAWN),
    spaced(DRAWN).translate(str.maketrans("♠♥♦♣", "SHDC")),
    FROM_WEST,
]


def test_deals_in_any_notation() -> None:
    for text in NOTATIONS:
        (reading,) = pav.identify(text)
        assert (reading.layout, reading.number) == (pav.Deal.from_pbn(HANDS), None), text


ERRORS = [
    (f"{HANDS[:-1]}X", "'X' in '7.AJT74.J76532.X' is no rank", "X"),
    ("South: AKx", "'x' is no card", "x"),
    ("♠AKx ♥432", "'x' is no card", "x"),
    ("North: ♠AK\nEast: ♠A", "SA comes twice", "A"),
    ("AK.32.4", "here are 3", "AK.32.4"),
    ("North: ♠AK ♥Q ♠J", "one hand has spades twice", "♠"),
    ("North: ♠AK North: ♠Q", "North has two hands", "♠Q"),
    ("♠AK North: ♠Q", "expected a seat before the first hand", "♠AK"),
    ("A.K.. A.Q.. A.J.. A.T.. A.9..", "expected at most four hands, not 5", "A.9.."),
    ("...\n...", "expected the cards", "...\n..."),
    ("North: AK ♥3", "expected a suit before 'A'", "A"),
]


def test_errors_mark_the_place() -> None:
    for text, message, wrong in ERRORS:
        with pytest.raises(pav.TextError) as caught:
            pav.identify(text)
        assert message in caught.value.message
        start, end = caught.value.span
        assert caught.value.source[start:end] == wrong


OTHER_ERRORS = [
    ('[Deal "N:AK.AK"]', "not 1"),
    (f"{VIEWER}id=5", "this address does not hold the cards"),
    ("https://tinyurl.com/abc", "pavcodec opens no addresses"),
    ("♠AKQJT98765432 ♥A", "at most 13 cards"),
    ("♠" * 3000, "fits no numbering and no code"),
    ("N:\ud800 ♠AK", "a deal has 4 hands"),
    ('[Deal "\ud800"]', "fits no numbering and no code"),
    ("[]", "fits no numbering and no code"),
]


def test_other_errors_say_what_was_expected() -> None:
    for text, message in OTHER_ERRORS:
        with pytest.raises(pav.PavError) as caught:
            pav.identify(text)
        assert message in str(caught.value), text


@pytest.mark.slow
def test_every_text_ends() -> None:
    for parts in ("S{} H{} !", "SA{}HK{}DQ{}CJ{}!", "N{}:{}E{}!", "♠{}♥{}!", "A{},{}/{}!"):
        for filler in (" ", "A", "10", "-", ". ", "A ", "S ", "\n"):
            text = parts.replace("{}", filler * (1800 // len(filler) // parts.count("{}")))
            with pytest.raises(pav.PavError):
                pav.identify(text)  # patterns that go back would not end within hours


@given(st.text("NESW:.,;|/-0123456789AKQJTSHDCx♠♥♦♣ \n[]=%", max_size=90))
def test_any_text_is_read_or_refused(text: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            readings = pav.identify(text)
        except pav.PavError as error:
            assert str(error)  # noqa: PT017 (it may have readings as well)
            return
    assert readings
