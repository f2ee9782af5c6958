"""Deal notation: the quick reading equals the definition, and errors point at the place."""

from __future__ import annotations

import string

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import deals, layouts, sparse_layouts

from pavcodec import Hand, Layout, TextError
from pavcodec.layout.notation import format_owners, parse_hand, parse_owners, parse_slowly

GOOD = "N:AKQJT98765432... .AKQJT98765432.. ..AKQJT98765432. ...AKQJT98765432"


def outcome(text: str, *, lenient: bool, slowly: bool) -> bytes | str:
    """What a way of reading makes of a text: owners, or the whole error."""
    try:
        return (parse_slowly if slowly else parse_owners)(text, lenient=lenient)
    except TextError as error:
        return f"{error.span} {error}"


def slow_format(owners: bytes, first: int) -> str:
    """The deal text by its definition."""
    hands = []
    for seat in range(first, first + 4):
        suits = []
        for suit in range(4):
            held = [r for r in range(13) if owners[suit * 13 + r] == seat % 4]
            suits.append("".join("AKQJT98765432"[r] for r in held))
        hands.append(".".join(suits) if any(suits) else "-")
    return f"{'NESW'[first]}:{' '.join(hands)}"


@given(layout=layouts() | sparse_layouts() | deals(), first=st.integers(0, 3))
def test_quick_reading_and_writing_equal_the_definition(layout: Layout, first: int) -> None:
    text = format_owners(layout.owners, first)
    assert text == slow_format(layout.owners, first)
    assert parse_owners(text) == parse_slowly(text) == layout.owners


@given(
    text=st.text(alphabet="NESW:.- AKQJT98765432x10akS") | st.text(alphabet=string.printable),
    lenient=st.booleans(),
)
def test_any_text_is_read_alike_or_refused_alike(text: str, *, lenient: bool) -> None:
    quick = outcome(text, lenient=lenient, slowly=False)
    assert quick == outcome(text, lenient=lenient, slowly=True)


@pytest.mark.slow
@given(data=st.data(), lenient=st.booleans())
def test_a_damaged_deal_is_read_alike_or_refused_alike(
    data: st.DataObject, *, lenient: bool
) -> None:
    place = data.draw(st.integers(0, len(GOOD) - 1))
    change = data.draw(st.sampled_from(["", " ", ".", "-", ":", "A", "2", "x", "10", "\t", "\n"]))
    keep = data.draw(st.integers(0, 1))
    text = GOOD[:place] + change + GOOD[place + keep :]
    quick = outcome(text, lenient=lenient, slowly=False)
    assert quick == outcome(text, lenient=lenient, slowly=True)


BAD = [
    ("", "a deal starts with the first seat", ""),
    ("X:- - - -", "not 'X:- - - '", "X"),
    ("n:- - - -", "a deal starts with the first seat", "n"),
    ("N:- - -", "4 hands between single blanks ('-' for none), not 3", "- - -"),
    ("N:-  - - -", "not 5", "-  - - -"),
    ("N: - - - -", "not 5", " - - - -"),
    ("N:AK.. - - -", "a hand has 4 suits S.H.D.C between dots, not 3 in 'AK..'", "AK.."),
    ("N:- - .... -", "not 5 in '....'", "...."),
    ("N:AxK... - - -", "'x' in 'AxK...' is no rank; expected one of AKQJT98765432", "x"),
    ("N:- .a.. - -", "'a' in '.a..' is no rank", "a"),
    ("N:A.K.A. - - A...", "card SA is in two hands, North's and West's", "A"),
    ("N:AA... - - -", "card SA occurs twice in North's hand", "A"),
    ("W:- AKA... - -", "card SA occurs twice in North's hand", "A"),
]


@pytest.mark.parametrize(("text", "reason", "marked"), BAD)
def test_errors_name_the_place(text: str, reason: str, marked: str) -> None:
    with pytest.raises(TextError) as caught:
        Layout.from_pbn(text)
    error = caught.value
    assert reason in error.message
    start, stop = error.span
    assert error.source == text
    assert text[start:stop] == marked
    lines = str(error).split("\n")
    assert lines == [error.message, f"  {text}", f"  {' ' * start}{'^' * max(1, stop - start)}"]


@pytest.mark.parametrize(
    ("text", "span"),
    [
        ("N:K... - .A.. AK...", (15, 16)),  # the second of two equal cards
        ("N:SA10x... - - -", (6, 7)),
        ("N:SS... H... - -", (3, 4)),
        ("N:1... - - -", (2, 3)),
    ],
)
def test_places_in_lenient_texts(text: str, span: tuple[int, int]) -> None:
    with pytest.raises(TextError) as caught:
        Layout.from_pbn(text, lenient=True)
    assert caught.value.span == span


LENIENT = [
    ("n:ak... - - -", "N:AK... - - -"),
    ("N:A10... - - -", "N:AT... - - -"),
    ("N:KA2.T9.. - - -", "N:AK2.T9.. - - -"),
    ("  N:-  -\t- AK...  ", "N:- - - AK..."),
    ("N:SA7.H864.D.C2 - - -", "N:A7.864..2 - - -"),
    ("W:... AK... ... ...", "N:AK... - - -"),
]


@pytest.mark.parametrize(("text", "canonical"), LENIENT)
def test_lenient_reading(text: str, canonical: str) -> None:
    assert str(Layout.from_pbn(text, lenient=True)) == canonical


@given(mask=st.integers(0, (1 << 52) - 1))
def test_a_hand_text_is_its_mask(mask: int) -> None:
    assert parse_hand(str(Hand.from_mask(mask))) == mask
