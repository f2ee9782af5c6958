"""Every numbering of the catalogue: vectors, laws, ends, views, values."""

from __future__ import annotations

import pickle
from itertools import islice
from typing import get_args

import pytest
from gmpy2 import mpz
from hypothesis import given, settings
from hypothesis import strategies as st
from oracles import DEALS, vectors
from plain_loop import rank_loop, unrank_loop
from strategies import deals, layouts, numbers_of, sparse_layouts

import pavcodec as pav
from pavcodec.numberings.catalogue import DealNumbering

NAMES = pav.numbering_names(classes=True)
CLASSES = {"deal-suits": "suits", "deal-suits-turns": "suits,turns"}
"""The numberings of classes, which have one number for all deals that are the same up to these."""
SIZES = {
    "balanced": (2058009868335972036308496616883640, 111, 14),
    "ending": (1068380067768858063542620835042803325, 120, 15),
    "base5": (5**52, 121, 16),
    "legal": (128231250273227354660026504584672, 107, 14),
    "deal-suits": (2235197513162569580480368800, 91, 12),
    "deal-suits-turns": (558799378290664206767572008, 89, 12),
}
DEAL_NAMES = [name for name in NAMES if name not in SIZES]
every_numbering = pytest.mark.parametrize("name", NAMES)


def test_the_names() -> None:
    whole = [
        "deal", "balanced", "ending", "base5", "andrews", "bigdeal", "deal-ranked", "deal-wnes",
        "deal-scrambled", "andrews-scrambled", "legal",
    ]  # fmt: skip
    assert pav.numbering_names() == whole
    assert pav.numbering_names(classes=True) == [*whole, *CLASSES]
    assert pav.numbering_names(partial=True) == [*whole, "rpdd"]
    every = pav.numbering_names(partial=True, classes=True)
    of_deals = {name for name in every if pav.numbering(name).layout_type is pav.Deal}
    assert of_deals == set(get_args(DealNumbering))


GOLDEN = dict.fromkeys(DEAL_NAMES, 114) | {"endings": 81}


@pytest.mark.parametrize("name", GOLDEN)
def test_golden_layouts(name: str) -> None:
    rows = vectors(name)
    assert len(rows) == GOLDEN[name]
    for row in rows:
        layout = pav.Layout.from_pbn(row["pbn"])
        known = {row.get("scheme", name): row["number"], "base5": row.get("base5")}
        for scheme, number in known.items():
            if number is not None:
                assert pav.numbering(scheme).rank(layout) == int(number)
                assert pav.numbering(scheme).unrank(int(number)) == layout


def test_published_deals() -> None:
    """Andrews's own worked example, and index 0 of Pavlicek's library of solved deals."""
    andrews = "N:8.AKQT4.AJ6.T742 9.J53.KQ92.QJ985 KQJT72.62.T84.K6 A6543.987.753.A3"
    pavlicek = "N:J873.J42.Q65.KT2 AT652.A976.AJ82. Q4.85.KT9.A87643 K9.KQT3.743.QJ95"
    for text, name, number in (
        (andrews, "andrews", 49321653299255886550697095352),
        (andrews, "deal", 49396184872049253508808625505),
        (andrews, "bigdeal", 47150147403223551779705348886),
        (andrews, "deal-ranked", 40958565147961533588277623299),
        (pavlicek, "deal-wnes", 29692842133927747033152745004),
    ):
        deal = pav.Deal.from_pbn(text)
        assert pav.numbering(name).rank(deal) == number
        assert pav.numbering(name)[number] == deal


@every_numbering
def test_the_ends_from_0_and_from_1(name: str) -> None:
    for first in (0, 1):
        ranks = pav.numbering(name, one_based=first == 1)
        size = ranks.cardinality
        assert (size, ranks.bits, ranks.width) == SIZES.get(name, (DEALS, 96, 12))
        assert (ranks.first, ranks.last) == (first, size - 1 + first)
        assert ranks.numbers == range(first, size + first)
        for position in (0, 1, size - 2, size - 1):
            layout = ranks.unrank(position + first)
            assert ranks.rank(layout) == position + first
            assert ranks.index(layout) == position
            assert ranks[position] == layout == pav.numbering(name).unrank(position)
            assert layout in ranks
        for number in (first - 1, ranks.last + 1, -size, 10**60):
            told = f"{name}' has numbers {first} to {ranks.last}, not {number}$"
            with pytest.raises(pav.NumberError, match=told):
                ranks.unrank(number)
    with pytest.raises(pav.NumberError, match="not one of 33220 bits"):
        ranks.unrank(10**10000)


@pytest.mark.slow
@every_numbering
@given(data=st.data(), deal=deals())
def test_rank_and_unrank_are_inverse(name: str, data: st.DataObject, deal: pav.Deal) -> None:
    ranks = pav.numbering(name)
    number = data.draw(numbers_of(ranks))
    layout = ranks.unrank(number)
    assert type(layout) is ranks.layout_type
    assert ranks.rank(layout) == number
    assert layout in ranks
    if name not in CLASSES:
        assert ranks.unrank(ranks.rank(deal)) == deal


@pytest.mark.slow
@given(layout=layouts() | sparse_layouts() | deals())
def test_membership_is_what_the_names_say(layout: pav.Layout) -> None:
    sizes = set(layout.sizes)
    members = {name for name in NAMES if layout in pav.numbering(name)}
    expected = {"base5"}
    expected |= {"ending"} if max(sizes) <= 13 else set()
    expected |= {"balanced"} if len(sizes) == 1 and 1 <= max(sizes) <= 13 else set()
    expected |= {*DEAL_NAMES, *CLASSES} if sizes == {13} else set()
    expected |= {"legal"} if "balanced" in expected and pav.legality(layout) else set()
    assert members == expected
    for name in set(NAMES) - members:
        why = "(here N holds |.* can have been led)"
        with pytest.raises(pav.LayoutError, match=f"{name}.* holds .*; {why}"):
            pav.numbering(name).rank(layout)


@given(number=st.integers(0, SIZES["balanced"][0] - 1))
def test_balanced_is_the_loop_of_the_article(number: int) -> None:
    owners = unrank_loop(number)
    balanced = pav.numbering("balanced")
    assert balanced.unrank(number).owners == owners
    assert balanced.rank(pav.Layout(owners)) == number == rank_loop(owners)
    if number < DEALS:
        assert pav.numbering("deal").unrank(number).owners == owners


def test_a_numbering_is_a_sequence_whose_slices_are_lazy() -> None:
    ranks = pav.numbering("deal", one_based=True)
    assert list(islice(ranks, 3)) == [ranks[0], ranks[1], ranks[2]]
    assert list(islice(reversed(ranks), 2)) == [ranks[-1], ranks[-2]]
    for past in (ranks.cardinality, -ranks.cardinality - 1):
        with pytest.raises(IndexError, match=f"{past} is past the end"):
            ranks[past]
    with pytest.raises(IndexError, match="one of 16610 bits is past the end"):
        ranks[10**5000]
    with pytest.raises(OverflowError, match=rf"hold {ranks.cardinality}; use \.cardinality"):
        len(ranks)
    view = ranks[10:20]
    assert (view.numbers, view.index(ranks[12])) == (range(11, 21), 2)
    assert [ranks[place] in view for place in (9, 10, 19, 20)] == [False, True, True, False]
    assert ranks[::-1][0] == ranks[-1]
    for step in (1, 7, -7):
        assert ranks[::step].cardinality == -(-ranks.cardinality // abs(step))
    assert pickle.loads(pickle.dumps(view)) == view
    assert len({view, ranks[10:20], ranks[10:21]}) == 2
    with pytest.raises(IndexError, match="10 is past the end: there are 10 layouts"):
        view[10]
    with pytest.raises(pav.LayoutError, match=r"number 21 of .* is not in this view"):
        view.index(ranks[20])


@pytest.mark.slow
@settings(max_examples=20)
@given(data=st.data())
def test_views_count_and_find_as_lists_do(data: st.DataObject) -> None:
    ranks = pav.numbering("deal")
    start, stop = (data.draw(st.integers(-40, 40) | st.none()) for _ in range(2))
    step = data.draw(st.integers(-7, 7).filter(bool))
    listed = [ranks[i] for i in range(30)]
    view = ranks[:30][start:stop:step]
    assert list(view) == listed[start:stop:step]
    assert list(reversed(view)) == listed[start:stop:step][::-1]
    assert len(view) == view.cardinality == len(listed[start:stop:step])
    assert [view[i] for i in range(len(view))] == [*view]
    assert view[::-2] == ranks[:30][start:stop:step][::-2]


@every_numbering
def test_numberings_are_values(name: str) -> None:
    ranks = pav.numbering(name)
    ranks.rank(ranks.unrank(ranks.cardinality // 3))
    copy = pickle.loads(pickle.dumps(ranks))
    assert (copy, hash(copy)) == (ranks, hash(ranks))
    assert copy.unrank(12345) == ranks.unrank(mpz(12345))
    assert type(ranks.rank(ranks[5])) is int
    assert len(pickle.dumps(ranks)) < 1200, "without tables"
    assert ranks.from_bytes(ranks.to_bytes(ranks[7**30])) == ranks[7**30]
    assert [other for other in NAMES if pav.numbering(other) == ranks] == [name]
    for one in (ranks, ranks.one_based()):
        assert eval(repr(one), {"numbering": pav.numbering}) == one  # noqa: S307 (our own repr)
    assert ranks.one_based() == pav.numbering(name, one_based=True) != ranks
