"""The numbering `legal`: its order on toy decks whole, its counts, its batches, what it refuses."""

from __future__ import annotations

import json
import pickle
from pathlib import Path

import numpy as np
import pytest
from legal_support import layouts_of
from oracles import FIXTURES, vectors

import pavcodec as pav
from pavcodec.archive.spaces import ArchiveSpace, space_of
from pavcodec.arrays import consecutive
from pavcodec.kernel.reference.legal import LegalHands
from pavcodec.kernel.reference.walk import rank_word
from pavcodec.legal import LEGAL_ENDINGS, is_legal, signature
from pavcodec.numberings.legal import LegalEndings, are_legal, table_of
from pavcodec.walk import NotAMemberError

LEGAL = pav.numbering("legal")
DECKS = [(2, 2, 4), (2, 2, 5), (2, 3, 2), (2, 4, 2), (3, 2, 3), (3, 3, 2), (2, 1, 8)]
LARGER = [(2, 3, 4), (4, 2, 4), (4, 4, 2), (2, 4, 3), (3, 3, 4), (3, 2, 6)]
toy_decks = pytest.mark.parametrize(
    ("seats", "suits", "ranks"),
    [*DECKS, *(pytest.param(*deck, marks=pytest.mark.slow) for deck in LARGER)],
)


def by_legality(seats: int, suits: int, ranks: int) -> tuple[list[bytes], list[bytes]]:
    """The legal endings of a deck in the order of `balanced`, and the others."""
    cards = suits * ranks
    found: tuple[list[bytes], list[bytes]] = ([], [])
    for each in range(cards // seats, 0, -1):
        for word in layouts_of(seats, cards, each):
            legal = is_legal(signature(word, suits=suits, seats=seats), seats)
            found[not legal].append(word)
    return found


@toy_decks
def test_order_is_that_of_balanced(seats: int, suits: int, ranks: int) -> None:
    legal, others = by_legality(seats, suits, ranks)
    ranking = LegalEndings(seats, suits, ranks)
    assert ranking.cardinality == len(legal)
    numbers = consecutive(0, len(legal))
    owners = np.empty((len(legal), suits * ranks), np.uint8)
    ranking.unrank_rows(len(legal), numbers, owners)
    assert owners.tobytes() == b"".join(legal)
    found = np.empty_like(numbers)
    assert ranking.rank_rows(len(legal), owners, found) == -1
    assert (found == numbers).all()
    for number in range(0, len(legal), 1 + len(legal) // 200):
        assert ranking.unrank(number) == legal[number]
        assert ranking.rank(legal[number]) == number
    for word in others[:: 1 + len(others) // 50]:
        with pytest.raises(NotAMemberError):
            ranking.rank(word)
        rows = np.array([list(legal[-1]), list(word)], np.uint8)
        assert ranking.rank_rows(2, rows, found) == 1


def test_counts_of_the_real_deck() -> None:
    counts = table_of(4, 4, 13).counts
    assert dict(zip(range(13, 0, -1), counts, strict=True)) == LEGAL_ENDINGS
    rows = json.loads((FIXTURES / "vectors" / "legal-counts.json").read_text())
    assert {row["cards"]: int(row["legal"]) for row in rows} == LEGAL_ENDINGS
    assert sum(int(row["endings"]) for row in rows) == pav.numbering("balanced").cardinality
    assert LEGAL.cardinality == sum(counts) == 128231250273227354660026504584672
    assert (LEGAL.bits, LEGAL.width) == (107, 14)
    illegal = [pav.endings(cards=each).cardinality - LEGAL_ENDINGS[each] for each in range(1, 5)]
    assert illegal == [0, 0, 0, 17160**4]
    assert LEGAL_ENDINGS[13] == pav.numbering("deal").cardinality


@pytest.mark.slow
@pytest.mark.parametrize("each", [12, 6, 5, 4, 3])
def test_counts_by_the_counter(each: int) -> None:
    counter = LegalHands(4, 4, 13, each)
    assert counter.completions(counter.start) == LEGAL_ENDINGS[each]


def test_deals_have_the_numbers_of_deal() -> None:
    for number in (0, 12345678901234567890, LEGAL_ENDINGS[13] - 1):
        deal = pav.numbering("deal")[number]
        assert LEGAL.rank(deal) == number
        assert LEGAL.unrank(number) == deal


def test_the_order_is_that_of_balanced_on_the_real_deck() -> None:
    balanced = pav.numbering("balanced")
    numbers = np.array(sorted(LEGAL.draw(500, seed=8).tolist()), np.uint64)
    places = balanced.rank_many(LEGAL.unrank_many(numbers)).tolist()
    assert places == sorted(places)


def test_decisions_of_a_batch() -> None:
    layouts = pav.numbering("balanced").sample(300, seed=9) + LEGAL.sample(100, seed=9)
    owners = np.array([list(layout.owners) for layout in layouts], np.uint8)
    assert are_legal(owners).tolist() == [bool(pav.legality(layout)) for layout in layouts]
    odd = pav.Layout.from_pbn("N:A... K... Q... -")
    wrong = np.full((1, 52), 9, np.uint8)
    rows = np.concatenate([wrong, np.array([list(odd.owners)], np.uint8)])
    assert are_legal(rows).tolist() == [False, False]
    with pytest.raises(TypeError, match="owners are an array"):
        are_legal(rows[:, :51])


def test_what_it_refuses() -> None:
    ending = pav.Layout.from_pbn("N:AK.A.A.A QJ.K.K.K T9.Q.Q.Q 87.J.J.J")
    assert ending not in LEGAL
    with pytest.raises(pav.LayoutError, match="; 8 tricks are over, but at most 7 can have been"):
        LEGAL.rank(ending)
    rows = np.array([list(LEGAL[0].owners), list(ending.owners)], np.uint8)
    with pytest.raises(pav.LayoutError, match=r"row 1: .*; 8 tricks are over"):
        LEGAL.rank_many(rows)
    with pytest.raises(pav.LayoutError, match="here N holds 1, E 1, S 1, W 0"):
        LEGAL.rank(pav.Layout.from_pbn("N:A... K... Q... -"))


def test_values() -> None:
    assert pickle.loads(pickle.dumps(LEGAL)) == LEGAL
    assert hash(LegalEndings(4, 4, 13)) == hash(LEGAL.ranking)
    counter = LegalHands(2, 2, 4, 3)
    assert pickle.loads(pickle.dumps(counter)) == counter


def test_an_archive_of_legal_endings(tmp_path: Path) -> None:
    path = tmp_path / "legal.pav"
    layouts = LEGAL.sample(200, seed=10)
    pav.write_archive(layouts, path, space="legal")
    with pav.open_archive(path) as archive:
        assert [board.layout for board in archive] == layouts


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
