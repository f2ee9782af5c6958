"""What a text may be: all numberings and codes that it fits."""

from __future__ import annotations

import pytest
from formats_support import DEAL, NUMBER
from hypothesis import given
from hypothesis import strategies as st
from oracles import DEALS, vectors

import pavcodec as pav
from pavcodec.codes import identify

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


@pytest.mark.parametrize("mark", [",", ", ", ",\n", ".", "'", "’", "_", " ", "\u202f"])
def test_thousands_have_one_mark(mark: str) -> None:
    text = f"{NUMBER:,}".replace(",", mark)
    numbers = [one for one in pav.identify(str(NUMBER)) if one.number is not None]
    assert [*pav.identify(text)] == numbers
    assert not [one for one in pav.identify(f"12{mark}345") if one.number is None]  # no hex
    with pytest.raises(pav.PavError):
        identify(text.replace(mark, ";", 1))


def test_codes_in_groups() -> None:
    for deal, size in zip(pav.numbering("deal").sample(3, seed=2), (4, 5, 13), strict=True):
        for name in ("ber", "ww-deal", "bba"):
            text = pav.code(name).format(deal)
            groups = " ".join(text[start : start + size] for start in range(0, len(text), size))
            assert found(groups)[name].layout == deal


@pytest.mark.slow
def test_all_schemes_of_a_layout_and_numbers_from_one() -> None:
    deal, ending = pav.numbering("deal")[10**28], pav.Layout.from_pbn("N:A... K... Q... J...")
    encoded = pav.encode_all(deal, board=7)
    assert {one.scheme for one in encoded} == {
        *pav.numbering_names(classes=True),
        *pav.code_names(),
    }
    for one in encoded:
        if one.number is None:
            assert pav.code(one.scheme).parse(one.text, board=7) == deal
        else:
            assert one.number == pav.numbering(one.scheme).rank(deal) == int(one.text)
    numbers = {one.scheme: one.number or 0 for one in pav.encode_all(ending)}
    assert set(numbers) == {"balanced", "ending", "base5", "legal"}
    ones = {one.scheme: one.number for one in pav.encode_all(ending, one_based=True)}
    assert ones == {name: number + 1 for name, number in numbers.items()}
    readings = found(str(DEALS), one_based=True)
    assert (readings["deal"].layout, readings["andrews"].number) == (
        pav.numbering("deal")[-1],
        DEALS,
    )
    assert "deal" not in {**found(str(DEALS)), **found("0", one_based=True)}


def test_bba_and_its_board_come_first() -> None:
    for row in vectors("bba")[:20]:
        if not row["code"].isdecimal():
            first = pav.identify(row["code"])[0]
            assert (first.scheme, str(first.board)) == ("bba", str(row["board"]))


def test_two_bits_a_card_fit_several_codes() -> None:
    text = pav.code("kops").format(pav.Deal.from_pbn(DEAL))
    readings = found(text)
    assert {"kops", "cds", "zrd", "saycbridge"} <= set(readings)
    assert len({str(one.layout) for one in readings.values()}) >= 4


@pytest.mark.slow
@given(st.text(max_size=60))
def test_any_text_is_something_or_a_clear_error(text: str) -> None:
    try:
        readings = identify(text)
    except pav.PavError as error:
        assert "fits no numbering and no code" in str(error)  # noqa: PT017 (it may fit as well)
        return
    assert readings
    assert len({one.scheme for one in readings}) == len(readings)
