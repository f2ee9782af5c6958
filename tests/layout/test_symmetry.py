"""Layouts up to symmetry: canonical ones, permutations, tricks carried along, spot cards."""

from __future__ import annotations

from math import comb

import pytest
from hypothesis import given
from hypothesis import strategies as st
from oracles import words_of_sizes
from strategies import deals, layouts, sparse_layouts

import pavcodec as pav
from pavcodec.symmetry import symmetry_of

NAMES = ["suits", "turns", "half-turn", "seats", "suits,turns", "suits,half-turn", "suits,seats"]
every_name = pytest.mark.parametrize("name", NAMES)


@pytest.mark.slow
@every_name
@given(layout=layouts() | sparse_layouts() | deals(), data=st.data())
def test_a_class_has_one_canonical_layout(
    name: str, layout: pav.Layout, data: st.DataObject
) -> None:
    canonical, permutation = layout.canonical(name)
    assert layout.permuted(permutation) == canonical
    assert type(canonical) is type(layout)
    other = data.draw(st.sampled_from(symmetry_of(name).permutations))
    image = layout.permuted(other)
    again, back = image.canonical(name)
    assert again == canonical
    assert image.permuted(back.then(permutation.inverse)) == layout
    assert canonical.canonical(name)[0] == canonical


@pytest.mark.slow
@given(deal=deals())
def test_the_canonical_deal_is_the_first_of_its_class(deal: pav.Deal) -> None:
    ranked = pav.numbering("deal-ranked")
    for name in ("suits,turns", "turns"):
        images = map(deal.permuted, symmetry_of(name).permutations)
        assert deal.canonical(name)[0] == min(images, key=ranked.rank)


@pytest.mark.slow
@every_name
@given(tricks=st.binary(min_size=20, max_size=20), data=st.data())
def test_tricks_go_where_the_hands_go(name: str, tricks: bytes, data: st.DataObject) -> None:
    table = pav.TrickTable(bytes(byte % 14 for byte in tricks))
    permutation = data.draw(st.sampled_from(symmetry_of(name).permutations))
    if not permutation.is_turn:
        with pytest.raises(pav.LayoutError, match="keep their order around the table"):
            table.permuted(permutation)
        return
    found = table.permuted(permutation)
    assert found.permuted(permutation.inverse) == table
    for seat in pav.Seat:
        new = permutation.seats[seat]
        assert found[new, "NT"] == table[seat, "NT"]
        for suit in pav.Suit:
            strain, becomes = suit + 1, permutation.suits[suit] + 1
            assert found[new, becomes] == table[seat, strain]


def test_multiplicity_counts_what_hands_with_x_leave_open() -> None:
    """One suit whole: six spot cards, of which N has three, E two and nobody one."""
    owners = bytes([0, 1, 2, 3, 0, 1, 2] + [0, 0, 0, 1, 1, 4] + [4] * 39)
    layout = pav.Layout(owners)
    assert layout.multiplicity("7") == len(words_of_sizes((3, 2))) == 10
    assert layout.multiplicity("7") == layout.multiplicity(pav.Rank.SEVEN)
    assert layout.multiplicity("8") == len(words_of_sizes((3, 2, 1)))
    assert pav.Layout(bytes([4] * 52)).multiplicity() == 1
    whole = pav.numbering("deal")[0]
    assert (whole.multiplicity("2"), whole.multiplicity("A")) == (1, 1)
    halves = pav.Deal(
        bytes([0, 1] * 6 + [0] + [1, 0] * 6 + [1] + [2, 3] * 6 + [2] + [3, 2] * 6 + [3])
    )
    assert halves.multiplicity("A") == comb(13, 6) ** 4
    assert halves.multiplicity("10") == halves.multiplicity("t") == comb(9, 4) ** 4
    for wrong in ("X", "", "11", 13, -1):
        with pytest.raises(pav.UnknownNameError, match=r"no rank (is called|has the number)"):
            whole.multiplicity(wrong)
