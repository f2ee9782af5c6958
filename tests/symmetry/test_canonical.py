"""Canonical layouts in arrays: the same as one by one."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import deals, layouts, sparse_layouts

import pavcodec as pav

NAMES = ["suits", "turns", "half-turn", "seats", "suits,turns", "suits,half-turn", "suits,seats"]
every_name = pytest.mark.parametrize("name", NAMES)


def assert_same(name: str, given: list[pav.Layout], threads: int | None = None) -> None:
    owners = np.array([list(layout.owners) for layout in given], np.uint8).reshape(-1, 52)
    before = owners.copy()
    found, ways = pav.canonical_many(owners, name, threads=threads)
    assert np.array_equal(owners, before), "what is given is not changed"
    assert found.dtype == ways.dtype == np.uint8
    assert (found.shape, ways.shape) == ((len(given), 52), (len(given), 8))
    for layout, row, way in zip(given, found, ways.tolist(), strict=True):
        canonical, permutation = layout.canonical(name)
        assert row.tobytes() == canonical.owners
        assert pav.Permutation(tuple(way[:4]), tuple(way[4:])) == permutation


@pytest.mark.slow
@every_name
@settings(deadline=None)
@given(given=st.lists(layouts() | sparse_layouts() | deals()))
def test_the_same_as_one_by_one(name: str, given: list[pav.Layout]) -> None:
    assert_same(name, given)


@every_name
def test_deals_and_threads(name: str) -> None:
    assert_same(name, [*pav.numbering("deal").sample(300, seed=3)], threads=3)


def test_what_is_refused() -> None:
    owners = pav.numbering("deal").sample_many(20, seed=1)
    owners[11, 30] = 5
    with pytest.raises(pav.LayoutError, match=r"^row 11: an owner is 0 to 4, not 5"):
        pav.canonical_many(owners, "suits")
    with pytest.raises(TypeError, match=r"owners are an array uint8\[n, 52\], not "):
        pav.canonical_many(owners[:, :51], "suits")
    with pytest.raises(pav.UnknownNameError, match="no symmetry is called 'colours'"):
        pav.canonical_many(owners, "colours")
