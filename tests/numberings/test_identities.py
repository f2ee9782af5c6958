"""The identity of a layout up to a symmetry."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import deals, layouts, sparse_layouts

import pavcodec as pav
from pavcodec.symmetry import symmetry_of

NAMES = ["turns", "suits", "half-turn", "seats", "suits,turns"]


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
@given(layout=deals() | layouts() | sparse_layouts(), data=st.data())
def test_the_same_for_all_that_are_the_same(
    name: str, layout: pav.Layout, data: st.DataObject
) -> None:
    permutation = data.draw(st.sampled_from(symmetry_of(name).permutations))
    found = pav.identity(layout, name)
    assert pav.identity(layout.permuted(permutation), name) == found
    ranks = pav.numbering("deal" if layout.is_deal else "base5")
    assert len(found) == (24 if layout.is_deal else 31)
    assert ranks.unrank(int(found, 16)) == layout.canonical(name)[0]


def test_turns_are_the_default() -> None:
    deal = pav.numbering("deal")[12345]
    turned = pav.Deal.from_pbn(deal.to_pbn().replace("N:", "E:"))
    assert turned != deal
    assert pav.identity(turned) == pav.identity(deal) == pav.identity(deal, "turns")
    other = deal.permuted(pav.Permutation((1, 0, 2, 3), (0, 1, 2, 3)))
    assert pav.identity(other) != pav.identity(deal)
    assert pav.identity(other, "suits") == pav.identity(deal, "suits")
