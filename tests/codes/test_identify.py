"""What a text may be: all numberings and codes that it fits."""

from __future__ import annotations

import pytest
from formats_support import DEAL, NUMBER
from hypothesis import given
from hypothesis import strategies as st
from oracles import DEALS, vectors
from strategies import deals

import pavcodec as pav

NAMES = pav.numbering_names(partial=True)


def found(text: str, *, one_based: bool = False) -> dict[str, pav.Reading]:
    return {one.scheme: one for one in pav.identify(text, one_based=one_based)}


@pytest.mark.parametrize("text", [f"{NUMBER}", f"{NUMBER:,}", f"{NUMBER:#x}", f" {NUMBER} "])
def test_a_number_is_of_every_numbering_in_range(text: str) -> None:
    readings = found(text)
    for name in NAMES:
        assert (name in readings) == (NUMBER in pav.numbering(name).numbers)
        if name in readings:
            assert readings[name].number == NUMBER
            assert readings[name].layout == pav.numbering(name).unrank(NUMBER)
    assert str(readings["deal"].layout) == DEAL


def test_numbers_from_one() -> None:
    readings = found(str(DEALS), one_based=True)
    assert readings["deal"].layout == pav.numbering("deal")[-1]
    assert readings["andrews"].number == DEALS
    assert "deal" not in found(str(DEALS))
    assert "deal" not in found("0", one_based=True)


@pytest.mark.slow
@pytest.mark.parametrize("name", pav.code_names())
@given(deal=deals())
def test_the_text_of_a_code_is_known_as_such(name: str, deal: pav.Deal) -> None:
    readings = found(pav.code(name).format(deal))
    assert readings[name].layout == deal


def test_bba_and_its_board_come_first() -> None:
    for row in vectors("bba")[:20]:
        if not row["code"].isdecimal():
            first = pav.identify(row["code"])[0]
            assert (first.scheme, str(first.board)) == ("bba", str(row["board"]))
            assert str(first.layout) == row["pbn"]


def test_two_bits_a_card_fit_several_codes() -> None:
    text = pav.code("kops").format(pav.Deal.from_pbn(DEAL))
    readings = found(text)
    assert {"kops", "cds", "zrd", "saycbridge"} <= set(readings)
    assert len({str(one.layout) for one in readings.values()}) >= 4


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("", "'' fits no numbering and no code"),
        ("hello-world", "'hello-world' fits no numbering and no code"),
        ("-5", "'-5' fits no numbering and no code"),
        (DEAL, "fits no numbering and no code"),
        ("9" * 150, "fits no numbering and no code"),
        ("9" * 5000, "fits no numbering and no code"),
        ("1" * 52, "as ber, a deal has 13 cards in each hand; here N holds 52"),
        ("gjacljgkbedpjpaadglmfnnhmk255", "as dlm, no board has the check 255"),
    ],
)
def test_what_fits_nothing(text: str, named: str) -> None:
    with pytest.raises(pav.PavError) as caught:
        pav.identify(text)
    assert named in str(caught.value)
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 600


@given(st.text(max_size=60))
def test_any_text_is_something_or_a_clear_error(text: str) -> None:
    try:
        readings = pav.identify(text)
    except pav.PavError as error:
        assert "fits no numbering and no code" in str(error)  # noqa: PT017 (it may fit as well)
        return
    assert readings
    assert len({one.scheme for one in readings}) == len(readings)
