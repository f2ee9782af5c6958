"""Endings of a condition: toy decks by brute force, the order of `balanced`, odds."""

from __future__ import annotations

from fractions import Fraction
from math import comb

import pytest

import pavcodec as pav
from pavcodec import Layout

N = {1: 6497400, 3: 76277828779152000, 12: 63839473138338558845060855160000}
"""Endings by cards, as published."""


@pytest.mark.parametrize("cards", [1, 3, 12])
def test_all_endings_are_a_part_of_balanced(cards: int) -> None:
    balanced = pav.numbering("balanced")
    space = pav.endings(cards=cards)
    first = balanced.rank(space[0])
    assert balanced.rank(space[-1]) == first + space.cardinality - 1
    assert space.probability == 1
    assert space.cards == cards
    assert space.cardinality == N.get(cards, space.cardinality)
    for ending in space.sample(20, seed=cards):
        assert balanced.rank(ending) - first == space.rank(ending)
        assert ending in space


def test_conditions() -> None:
    space = pav.endings("spades(south) == 5 && hcp(west) == 0 && hearts(north) >= 1", cards=5)
    balanced = pav.numbering("balanced")
    found = space.sample(60, seed=7)
    for ending in found:
        owners = ending.owners
        assert all(owners.count(seat) == 5 for seat in range(4))
        assert owners[:13].count(2) == 5
        assert all(owners[card] != 3 for card in range(52) if card % 13 < 4)
        assert 0 in owners[13:26]
        assert ending in space
        assert space[space.rank(ending)] == ending
    assert sorted(found, key=balanced.rank) == sorted(found, key=space.rank)


def test_two_cards_each_by_counting_words() -> None:
    """Six cards of interest: how often each seat has two aces, by combinations."""
    space = pav.endings("aces(north) == 2", cards=2)
    everything = pav.endings(cards=2)
    assert Fraction(space.cardinality, everything.cardinality) == Fraction(comb(4, 2), comb(52, 2))


def test_what_is_not_among_them() -> None:
    space = pav.endings("hcp(north) == 0", cards=1)
    strong = Layout.from_pbn("N:A... K... Q... J...")
    weak = Layout.from_pbn("N:2... K... Q... J...")
    assert strong not in space
    assert weak in space
    with pytest.raises(pav.LayoutError, match=r"this ending does not satisfy 'hcp\(north\) == 0'"):
        space.rank(strong)
    deal = pav.numbering("deal")[0]
    assert deal not in space
    with pytest.raises(pav.LayoutError, match="endings of 1 card with"):
        space.rank(deal)
    with pytest.raises(pav.NumberError):
        space.unrank(space.cardinality)


@pytest.mark.parametrize("cards", [0, 13, -1, 10**30])
def test_other_numbers_of_cards(cards: int) -> None:
    with pytest.raises(pav.NumberError, match="an ending has 1 to 12 cards in each hand, not"):
        pav.endings(cards=cards)


def test_what_nobody_can_count() -> None:
    with pytest.raises(pav.PavError, match="rnd is tested deal by deal, and endings"):
        pav.endings("rnd(2) == 1", cards=5)


def test_conflicts() -> None:
    space = pav.endings("hcp(north) >= 10 && spades(east) >= 1", cards=2)
    assert not space
    assert [str(part) for part in space.conflict()] == ["hcp(north) >= 10"]


@pytest.mark.slow
def test_odds_among_endings() -> None:
    space = pav.endings("spades(north) + spades(south) == 5", cards=5)
    chance = pav.probability("spades(north) == 5", given=space)
    assert chance == Fraction(comb(5, 5), comb(10, 5)) == Fraction(1, 252)
    found = pav.distribution("spades(north)", given=space)
    assert dict(found) == {
        held: Fraction(comb(5, held) * comb(5, 5 - held), comb(10, 5)) for held in range(6)
    }
    share = pav.probability("spades(north) >= 3", given=space, simulate=300)
    assert share.low < Fraction(1, 2) < share.high
