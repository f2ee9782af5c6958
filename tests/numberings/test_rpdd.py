"""The deals of Pavlicek's collection by their index: golden vectors, and a toy collection."""

from __future__ import annotations

import pytest
from formats_support import DEAL
from hypothesis import given, settings
from hypothesis import strategies as st
from oracles import vectors

import pavcodec as pav
from pavcodec.numberings.rpdd import BLOCK, BLOCKS, Collected, block_numbers
from pavcodec.walk import FixedSizes, NotAMemberError

RPDD = pav.numbering("rpdd")


@pytest.mark.slow
def test_golden_deals_both_ways() -> None:
    rows = vectors("rpdd")
    assert len(rows) == 25
    for row in rows:
        index = int(row["index"])
        deal = RPDD.unrank(index)
        assert str(deal) == row["pbn"]
        assert pav.numbering("deal-wnes").rank(deal) == int(row["number_wnes"])
        assert RPDD.rank(deal) == index


@pytest.mark.slow
def test_the_size_and_the_ends() -> None:
    assert RPDD.cardinality == BLOCK * BLOCKS == 10_485_760
    assert (RPDD.bits, RPDD.width) == (24, 3)
    for number in (0, BLOCK - 1, BLOCK, RPDD.last):
        assert RPDD.rank(RPDD.unrank(number)) == number
    for number in (-1, RPDD.last + 1):
        with pytest.raises(pav.NumberError, match="'rpdd' has numbers 0 to 10485759"):
            RPDD.unrank(number)
    assert RPDD.from_bytes(RPDD.to_bytes(RPDD[258])) == RPDD[258]
    assert RPDD[-1] == RPDD.unrank(RPDD.last)
    assert isinstance(RPDD[0], pav.Deal)


def test_a_deal_that_was_not_drawn() -> None:
    deal = pav.Deal.from_pbn(DEAL)
    assert deal not in RPDD
    with pytest.raises(pav.LayoutError, match="the deals of Pavlicek's collection; this deal is"):
        RPDD.rank(deal)
    with pytest.raises(pav.LayoutError, match="here N holds 3"):
        RPDD.rank(pav.Layout.from_pbn("N:AK.Q.. - .32.4. -"))


@pytest.mark.slow
@given(st.integers(0, BLOCK * BLOCKS - 1))
@settings(max_examples=20, deadline=None)
def test_rank_undoes_unrank(number: int) -> None:
    assert RPDD.rank(RPDD.unrank(number)) == number


def test_a_toy_collection_is_searched_as_it_is_drawn() -> None:
    inner = FixedSizes((13, 13, 13, 13))
    toy = Collected(inner, blocks=3, size=20)
    drawn = [number for block in range(3) for number in drawn_in(block, 20, inner.cardinality)]
    assert len(set(drawn)) == toy.cardinality == 60
    assert max(drawn) < inner.cardinality
    for index, number in enumerate(drawn):  # the definition of the search: look at each in turn
        word = inner.unrank(number)
        assert toy.unrank(index) == word
        assert toy.rank(word) == drawn.index(number) == index
    with pytest.raises(NotAMemberError):
        Collected(inner, blocks=2, size=20).rank(inner.unrank(drawn[-1]))
    with pytest.raises(NotAMemberError):
        Collected(inner, blocks=3, size=19).rank(inner.unrank(drawn[-1]))


def test_the_table_of_marks_excludes_no_drawn_number() -> None:
    toy = Collected(FixedSizes((13, 13, 13, 13)), blocks=3, size=20)
    first = [_index(toy, number) for number in range(5)]  # from the second on with the table
    assert [_index(toy, number) for number in range(5)] == first == [-1] * 5
    words = [toy.unrank(index) for index in range(60)]
    assert [toy.rank(word) for word in words] == list(range(60))


def _index(toy: Collected, number: int) -> int:
    try:
        return toy.rank(toy.inner.unrank(number))
    except NotAMemberError:
        return -1


def drawn_in(block: int, size: int, total: int) -> list[int]:
    words = block_numbers(block, size, total)
    return [high << 64 | low for high, low in zip(words[::2], words[1::2], strict=True)]


def test_blocks_begin_as_those_of_the_whole() -> None:
    total = pav.numbering("deal").cardinality
    assert drawn_in(5, 10, total) == drawn_in(5, 30, total)[:10]


@pytest.mark.slow
def test_many_at_once() -> None:
    owners = RPDD.unrank_many(RPDD.draw(3, seed=7))
    assert [bytes(row) for row in owners] == [deal.owners for deal in RPDD.sample(3, seed=7)]
    assert RPDD.rank_many(owners)[:, 1].tolist() == RPDD.draw(3, seed=7)[:, 1].tolist()


def test_the_names_of_numberings_that_have_few_deals() -> None:
    assert "rpdd" not in pav.numbering_names()
    assert pav.numbering_names(partial=True) == [*pav.numbering_names(), "rpdd"]
    assert pav.numbering("rpdd", one_based=True).unrank(1) == RPDD[0]
