"""Conditions on legal endings: toy decks enumerated whole, the published counts, exact odds."""

from __future__ import annotations

import json
from collections import Counter
from fractions import Fraction
from functools import cache
from math import comb
from pathlib import Path

import numpy as np
import pytest
from constraints_models import Deck
from legal_support import every_play

import pavcodec as pav
from pavcodec.constraints.counting.automaton import legal_factor
from pavcodec.legal import is_legal, signature

COUNTED = Path(__file__).parents[3] / "fixtures" / "vectors" / "legal-counts.json"
COUNTS = {row["cards"]: int(row["legal"]) for row in json.loads(COUNTED.read_text())}
TOYS = [
    Deck(2, 4, (3, 3, 2)),
    Deck(2, 4, (2, 2, 4)),
    Deck(2, 5, (3, 3, 4)),
    Deck(3, 3, (2, 2, 2, 3)),
    Deck(2, 4, (1, 1, 1, 1, 4)),
]
"""The last hand of each is what is gone."""


@cache
def legal_words(deck: Deck) -> set[bytes]:
    """The words of a deck that are legal, by their signatures."""
    seats = len(deck.sizes) - 1
    return {
        word
        for word in deck.words
        if is_legal(signature(word, suits=deck.suits, seats=seats), seats)
    }


@pytest.mark.slow
@pytest.mark.parametrize("deck", TOYS, ids=str)
def test_the_factor_is_the_criterion(deck: Deck) -> None:
    factor = legal_factor(deck.sizes, suits=deck.suits, suit_size=deck.suit_size)
    legal = legal_words(deck)
    assert {word for word in deck.words if factor.value(word)} == legal
    assert set(factor.values.tolist()) <= {0, 1}


@pytest.mark.slow
@pytest.mark.parametrize("deck", TOYS[:2], ids=str)
def test_the_factor_has_what_every_play_leaves(deck: Deck) -> None:
    seats = len(deck.sizes) - 1
    reached = set()
    for trump in (None, *range(deck.suits)):
        reached |= set(every_play(seats, deck.suits, deck.suit_size, trump))
    factor = legal_factor(deck.sizes, suits=deck.suits, suit_size=deck.suit_size)
    assert [word for word in deck.words if factor.value(word)] == [
        word for word in deck.words if word in reached
    ]


@pytest.mark.slow
@pytest.mark.parametrize("cards", [1, 4, 12])
def test_how_many_there_are(cards: int) -> None:
    space = pav.endings(cards=cards, legal=True)
    everything = pav.endings(cards=cards)
    assert space.cardinality == COUNTS[cards]
    assert space.probability == Fraction(COUNTS[cards], everything.cardinality)
    numbers = pav.numbering("legal")
    first = numbers.rank(space[0])
    assert first == sum(count for each, count in COUNTS.items() if each > cards)
    for ending in space.sample(20, seed=cards):
        assert numbers.rank(ending) - first == space.rank(ending)
        assert pav.legality(ending)
        assert ending in space


def not_legal_with(cards: int) -> int:
    """Placings of one card of a suit with each seat, where North has one of so many cards."""
    return cards * 12 * 11 * 10


@pytest.mark.slow
def test_a_card_in_four() -> None:
    """With four cards each, one of each suit in every hand is all that is not legal."""
    where = "hascard(north, SA)"
    everything = pav.endings(where, cards=4).cardinality
    space = pav.endings(where, cards=4, legal=True)
    assert space.cardinality == everything - not_legal_with(1) * not_legal_with(13) ** 3
    assert pav.probability(where, given=pav.endings(cards=4, legal=True)) == Fraction(
        space.cardinality, COUNTS[4]
    )


@pytest.mark.slow
def test_the_distribution_of_points_with_four_cards() -> None:
    suit = Counter({0: 9, 1: 1, 2: 1, 3: 1, 4: 1})
    four = Counter({0: 1})
    for _ in range(4):
        joined: Counter[int] = Counter()
        for total, ways in four.items():
            for points, cards in suit.items():
                joined[total + points] += ways * not_legal_with(cards)
        four = joined
    everything = pav.distribution("hcp(north)", given=pav.endings(cards=4))
    legal = pav.distribution("hcp(north)", given=pav.endings(cards=4, legal=True))
    total = pav.endings(cards=4).cardinality
    for value in range(17):
        share = everything[value]
        assert legal[value] * COUNTS[4] == share * total - four[value]


@pytest.mark.slow
def test_what_is_among_them_is_legal_and_satisfies_the_condition() -> None:
    where, cards = "spades(south) == 2", 5
    space = pav.endings(where, cards=cards, legal=True)
    plain = pav.endings(where, cards=cards)
    mixed = pav.endings(cards=cards).sample(300, seed=5)
    mixed += plain.sample(300, seed=6)
    assert space.contains_many(
        np.frombuffer(b"".join(each.owners for each in mixed), np.uint8).reshape(-1, 52)
    ).tolist() == [each in space for each in mixed]
    seen = set()
    for ending in mixed:
        legal, fits = bool(pav.legality(ending)), ending in plain
        seen.add((legal, fits))
        assert (ending in space) == (legal and fits)
        if legal and fits:
            assert space[space.rank(ending)] == ending
        else:
            message = "does not satisfy" if legal else "not legal: 8 tricks are over, but"
            with pytest.raises(pav.LayoutError, match=message):
                space.rank(ending)
    assert {(True, True), (True, False), (False, False)} <= seen


@pytest.mark.slow
def test_nothing_is_left() -> None:
    """Each has one of each suit: that satisfies the condition, but no play leads there."""
    seats = ("north", "east", "south", "west")
    where = " && ".join(
        f"{' * '.join(f'{suit}({seat})' for seat in seats)} == 1"
        for suit in ("spades", "hearts", "diamonds")
    )
    assert pav.endings(where, cards=4)
    space = pav.endings(where, cards=4, legal=True)
    assert not space
    assert len(space.conflict()) == 3
    with pytest.raises(pav.PavError, match="there are no legal endings of 4 cards with"):
        pav.probability("hcp(north) > 0", given=space)


def test_their_text() -> None:
    space = pav.endings("hearts(west) == 4", cards=5, legal=True)
    assert space != pav.endings("hearts(west) == 4", cards=5)
    assert repr(space) == "endings('hearts(west) == 4', cards=5, legal=True)"


@pytest.mark.slow
def test_what_takes_too_much_memory_is_refused() -> None:
    with pytest.raises(pav.ModelTooLarge, match="the model takes more than 1 MiB"):
        _ = pav.endings(cards=8, legal=True, memory="1M").cardinality


@pytest.mark.slow
def test_simulated_odds_come_from_legal_endings() -> None:
    space = pav.endings("spades(north) + spades(south) == 5", cards=5, legal=True)
    exact = pav.probability("spades(north) == 3", given=space)
    share = pav.probability("spades(north) == 3", given=space, simulate=400)
    assert share.low < exact < share.high
    assert exact != Fraction(comb(5, 3) * comb(5, 2), comb(10, 5))


@pytest.mark.slow
def test_an_archive_does_not_keep_them() -> None:
    space = pav.endings("hcp(north) == 0", cards=5, legal=True)
    with pytest.raises(pav.PavError, match="space='legal'"):
        pav.write_archive([], "never.pav", space=space)
