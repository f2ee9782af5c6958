"""The numbering `legal`: its order on toy decks whole, its counts, its batches, what it refuses."""

from __future__ import annotations

import json
import pickle
from contextlib import nullcontext
from ctypes import c_int32, c_uint64

import numpy as np
import pytest
from legal_support import layouts_of
from oracles import FIXTURES, vectors
from ranking_support import Kernel, assert_order, every_kernel

import pavcodec as pav
from pavcodec import kernel
from pavcodec.archive.spaces import ArchiveSpace, space_of
from pavcodec.kernel.reference.legal import LegalHands
from pavcodec.kernel.reference.walk import rank_word
from pavcodec.legal import LEGAL_ENDINGS, is_legal, signature
from pavcodec.numberings.legal import LegalEndings, are_legal, table_of

LEGAL = pav.numbering("legal")
ILLEGAL = pav.Layout.from_pbn("N:AK.A.A.A QJ.K.K.K T9.Q.Q.Q 87.J.J.J")
UNEQUAL = pav.Layout.from_pbn("N:A... K... Q... -")
DECKS = [(2, 2, 4), (2, 3, 2), (3, 2, 3), (3, 1, 5), (2, 1, 7), (4, 2, 3)]


def assert_order_of_balanced(deck: tuple[int, int, int], chosen: Kernel) -> None:
    """All layouts with equal hands, the fullest first, without the others."""
    seats, suits, ranks = deck
    cards = suits * ranks
    sizes = range(cards // seats, 0, -1)
    every = [word for each in sizes for word in layouts_of(seats, cards, each)]
    endings = [signature(word, suits=suits, seats=seats) for word in every]
    legal = [
        sum(ending.most_led) >= cards // seats - word.count(0)
        for word, ending in zip(every, endings, strict=True)
    ]
    assert cards % seats or legal == [is_legal(ending, seats) for ending in endings]
    with chosen():
        ranking = LegalEndings(*deck)
        in_order = [word for word, is_so in zip(every, legal, strict=True) if is_so]
        assert_order(ranking, in_order, seats + 1)
        firsts = [[word.count(0) for word in in_order].index(size) for size in ranking.counts]
        assert [*ranking.firsts.values()] == firsts
        with pytest.raises(IndexError, match=rf"-1 is not in 0\.\.{ranking.cardinality - 1}"):
            ranking.unrank(-1)
        rows = b"".join(every) + bytes([0] * cards + [9] * cards)
        answers = np.empty(len(every) + 2, np.uint8)
        kernel.legal_decide(*deck, len(answers), np.frombuffer(rows, np.uint8), answers)
        assert answers.tolist() == [*legal, False, False]


@every_kernel
@pytest.mark.parametrize("deck", DECKS, ids=str)
def test_whole_toy_decks(deck: tuple[int, int, int], chosen: Kernel) -> None:
    assert_order_of_balanced(deck, chosen)


@pytest.mark.slow
def test_a_whole_toy_deck_of_four_seats() -> None:
    assert_order_of_balanced((4, 2, 4), nullcontext)


def test_tables_that_are_too_small_are_refused() -> None:
    def filled(rows: int, places: int) -> int:
        states, steps = (c_uint64 * rows)(), (c_uint64 * (3 * rows))()
        ways, known = (c_uint64 * (2 * places))(), (c_int32 * (66 * 5))()
        return int(kernel.legal_tables(2, 2, 4, known, rows, places, states, steps, ways))

    if not kernel.is_compiled():
        pytest.skip("the definitions have no tables")
    rows = filled(500, 500)
    places = next(places for places in range(500) if filled(rows, places) > 0)
    assert filled(rows, places) == rows
    assert filled(rows - 1, places) == filled(rows, places - 1) == filled(3, places) == -1


def test_counts_of_the_real_deck() -> None:
    counts = table_of(4, 4, 13).counts
    assert dict(zip(range(13, 0, -1), counts, strict=True)) == LEGAL_ENDINGS
    rows = json.loads((FIXTURES / "vectors" / "legal-counts.json").read_text())
    assert {row["cards"]: int(row["legal"]) for row in rows} == LEGAL_ENDINGS
    assert sum(int(row["endings"]) for row in rows) == pav.numbering("balanced").cardinality
    assert LEGAL.cardinality == sum(counts) == 128231250273227354660026504584672
    assert LEGAL_ENDINGS[13] == pav.numbering("deal").cardinality
    illegal = [pav.endings(cards=each).cardinality - LEGAL_ENDINGS[each] for each in range(1, 5)]
    assert illegal == [0, 0, 0, 17160**4]


@pytest.mark.slow
def test_counts_by_the_definition() -> None:
    counter = LegalHands(4, 4, 13, 3)
    assert counter.completions(counter.start) == LEGAL_ENDINGS[3]
    assert pickle.loads(pickle.dumps(counter)) == counter


@pytest.mark.slow
def test_vectors_by_the_kernel_and_by_the_definition() -> None:
    rows = vectors("legal")
    assert len(rows) == 65
    for row in rows:
        layout, number = pav.Layout.from_pbn(row["pbn"]), int(row["number"])
        assert LEGAL.rank(layout) == number
        assert LEGAL.unrank(number) == layout
        each = layout.sizes[0]
        if each <= 3:
            first = LegalEndings(4, 4, 13).firsts[each]
            counter = LegalHands(4, 4, 13, each)
            assert rank_word(counter, layout.owners) == number - first


def test_the_order_on_the_real_deck() -> None:
    for number in (0, 12345678901234567890, LEGAL_ENDINGS[13] - 1):
        deal = pav.numbering("deal")[number]
        assert LEGAL.rank(deal) == number
        assert LEGAL.unrank(number) == deal
    numbers = np.array(sorted(LEGAL.draw(500, seed=8).tolist()), np.uint64)
    places = pav.numbering("balanced").rank_many(LEGAL.unrank_many(numbers)).tolist()
    assert places == sorted(places)


def test_decisions_of_a_batch() -> None:
    layouts = pav.numbering("balanced").sample(300, seed=9) + LEGAL.sample(100, seed=9)
    owners = np.array([list(layout.owners) for layout in layouts], np.uint8)
    assert are_legal(owners).tolist() == [bool(pav.legality(layout)) for layout in layouts]
    rows = np.array([[9] * 52, list(UNEQUAL.owners), *([each] * 52 for each in (0, 4, 255))])
    assert not are_legal(rows.astype(np.uint8))[[0, 1, 2, 4]].any()
    with pytest.raises(TypeError, match="owners are an array"):
        are_legal(owners[:, :51])


def test_what_it_refuses() -> None:
    assert ILLEGAL not in LEGAL
    with pytest.raises(pav.LayoutError, match="; 8 tricks are over, but at most 7 can have been"):
        LEGAL.rank(ILLEGAL)
    with pytest.raises(pav.LayoutError, match="here N holds 1, E 1, S 1, W 0"):
        LEGAL.rank(UNEQUAL)
    owners = LEGAL.sample_many(300, seed=4)
    for row, wrong in ((200, ILLEGAL.owners), (150, UNEQUAL.owners), (140, ILLEGAL.owners)):
        owners[row] = list(wrong)
        with pytest.raises(pav.LayoutError, match=f"row {row}: numbering 'legal' holds"):
            LEGAL.rank_many(owners)


def test_parts_of_an_archive_that_sizes_do_not_tell() -> None:
    """Endings with equally many cards: some of them legal, and the others in the second part."""
    endings = pav.numbering("balanced").sample(20, seed=11) + LEGAL.sample(20, seed=11)
    stored = [space_of(name).parts[0].stored for name in ("legal", "balanced")]
    space = ArchiveSpace.stored(stored)
    owners = np.array([list(layout.owners) for layout in endings], np.uint8)
    found = [high << 64 | low for high, low in space.numbers(owners).tolist()]
    assert found == [space.number(layout) for layout in endings]
    assert {number < LEGAL.cardinality for number in found} == {True, False}
    assert [space.layout(number) for number in found] == endings
