"""The deals of Pavlicek's collection by their index: golden vectors, and a toy collection."""

from __future__ import annotations

import numpy as np
import pytest
from formats_support import DEAL
from oracles import DEALS, integers, limbs, vectors
from ranking_support import Kernel, every_kernel

import pavcodec as pav
from pavcodec import kernel
from pavcodec.kernel import reference
from pavcodec.numberings.rpdd import BLOCK, BLOCKS, Collected, block_numbers
from pavcodec.walk import FixedSizes, NotAMemberError

RPDD = pav.numbering("rpdd")


def drawn_in(block: int, size: int) -> list[int]:
    words = block_numbers(block, size, DEALS)
    return [high << 64 | low for high, low in zip(words[::2], words[1::2], strict=True)]


@every_kernel
def test_a_toy_collection_is_searched_as_it_is_drawn(chosen: Kernel) -> None:
    with chosen():
        inner = FixedSizes((13, 13, 13, 13))
        toy = Collected(inner, blocks=3, size=20)
        drawn = [number for block in range(3) for number in drawn_in(block, 20)]
        assert len(set(drawn)) == toy.cardinality == 60
        assert max(drawn) < inner.cardinality
        for number in range(5):  # from the second search on with the table
            with pytest.raises(NotAMemberError):
                toy.rank(inner.unrank(number))
        for index in range(0, 60, 7):
            word = inner.unrank(drawn[index])
            assert toy.unrank(index) == word
            assert toy.rank(word) == index
        for blocks, size in ((2, 20), (3, 19)):
            with pytest.raises(NotAMemberError):
                Collected(inner, blocks, size).rank(inner.unrank(drawn[-1]))
        assert drawn_in(5, 10) == drawn_in(5, 30)[:10]


@pytest.mark.slow
def test_the_generator_and_its_marks_by_their_definition() -> None:
    total, numbers = limbs([DEALS])[0], np.empty((2, 50, 2), np.uint64)
    marks = np.zeros((2, 1 << 24), np.uint8)
    for room, drawn, marked in zip((kernel, reference), numbers, marks, strict=True):
        room.rpdd_draw(639, total, 50, drawn)
        room.rpdd_mark(3, 20, marked)
    assert np.array_equal(*numbers)
    assert np.array_equal(*marks)
    assert integers(numbers[0]) == drawn_in(639, 50)


@pytest.mark.slow
def test_golden_deals_both_ways() -> None:
    rows = vectors("rpdd")
    assert len(rows) == 25
    for place, row in enumerate(rows):
        index, deal = int(row["index"]), pav.Deal.from_pbn(row["pbn"])
        assert RPDD.unrank(index) == deal
        assert pav.numbering("deal-wnes").rank(deal) == int(row["number_wnes"])
        assert place % 12 or RPDD.rank(deal) == index


@pytest.mark.slow
def test_the_collection() -> None:
    assert RPDD.cardinality == BLOCK * BLOCKS == 10_485_760
    assert (RPDD.bits, RPDD.width) == (24, 3)
    numbers = [0, BLOCK - 1, BLOCK, RPDD.last]
    found = [RPDD[number] for number in numbers]
    owners = RPDD.unrank_many(limbs(numbers))
    assert [bytes(row) for row in owners] == [deal.owners for deal in found]
    assert integers(RPDD.rank_many(owners)) == numbers
    assert [RPDD.rank(deal) for deal in found] == numbers
    for number in (-1, RPDD.last + 1):
        with pytest.raises(pav.NumberError, match="'rpdd' has numbers 0 to 10485759"):
            RPDD.unrank(number)
    assert RPDD.from_bytes(RPDD.to_bytes(found[1])) == found[1] == RPDD[BLOCK - 1]
    assert pav.numbering("rpdd", one_based=True).unrank(1) == RPDD[0] == pav.Deal(found[0].owners)
    for text, reason in ((DEAL, "collection; this deal is"), ("N:AK.Q.. - .32.4. -", "N holds 3")):
        layout = pav.Layout.from_pbn(text)
        assert layout not in RPDD
        with pytest.raises(pav.LayoutError, match=reason):
            RPDD.rank(layout)
