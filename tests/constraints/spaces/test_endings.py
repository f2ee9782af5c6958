"""Endings of a condition: all of them, those that play can reach, and those with tricks."""

from __future__ import annotations

import json
from collections import Counter
from fractions import Fraction
from itertools import product
from math import comb, perm, prod
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from constraints_models import Deck
from oracles import words_of_sizes

import pavcodec as pav
from pavcodec import Layout
from pavcodec.constraints.counting.automaton import legal_factor
from pavcodec.constraints.counting.condition import LARGEST_BY_CLASSES
from pavcodec.legal import is_legal, signature
from pavcodec.solving.endings import LARGEST_TABLE

N = {1: 6497400, 3: 76277828779152000, 12: 63839473138338558845060855160000}
"""Endings by cards, as published."""
COUNTED = Path(__file__).parents[3] / "fixtures" / "vectors" / "legal-counts.json"
LEGAL = {row["cards"]: int(row["legal"]) for row in json.loads(COUNTED.read_text())}
"""Endings that play can reach, as published."""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("cards", "legal"),
    [*((cards, False) for cards in range(1, 13)), *((cards, True) for cards in (4, 5, 12))],
)
def test_all_endings_are_a_part_of_their_numbering(cards: int, legal: bool) -> None:
    numbers = pav.numbering("legal" if legal else "balanced")
    space = pav.endings(cards=cards, legal=legal)
    every = pav.endings(cards=cards).cardinality
    first = numbers.rank(space[0])
    assert numbers.rank(space[-1]) == first + space.cardinality - 1
    assert (space.cards, space.legal) == (cards, legal)
    assert space.cardinality == (LEGAL[cards] if legal else N.get(cards, every))
    assert space.probability == Fraction(space.cardinality, every)
    assert first == sum(LEGAL[each] for each in range(cards + 1, 14)) or not legal
    for ending in space.sample(20, seed=cards):
        assert numbers.rank(ending) - first == space.rank(ending)
        assert pav.legality(ending) or not legal
        assert ending in space


def test_what_is_not_among_them() -> None:
    space = pav.endings("hcp(north) == 0", cards=1)
    strong, weak = (Layout.from_pbn(f"N:{card}... K... Q... J...") for card in "A2")
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


ONE_OF_EACH = [
    f"{suit}(north) * {suit}(east) * {suit}(south) * {suit}(west) == 1"
    for suit in ("spades", "hearts", "diamonds")
]
"""Of four cards each: no play leads there."""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("where", "options", "message"),
    [
        ("1", {"cards": 0}, "an ending has 1 to 12 cards in each hand, not 0"),
        ("1", {"cards": 13}, "an ending has 1 to 12 cards in each hand, not 13"),
        ("1", {"cards": 10**30}, "an ending has 1 to 12 cards in each hand, not"),
        ("1", {"cards": 8, "legal": True, "memory": "1M"}, "the model takes more than 1 MiB"),
        (" && ".join(ONE_OF_EACH), {"cards": 4, "legal": True}, "no legal endings of 4 cards with"),
        ("rnd(2) == 1", {"cards": 5}, "rnd is tested deal by deal, and endings"),
        ("tricks(west, spades) > rnd(2)", {"cards": 3}, "rnd is tested deal by deal"),
        ("tricks(west, spades) > 1 && hcp(north) > 3", {"cards": 3},
         "depends on ranks, and beside tricks only"),
        ("tricks(west, spades) / clubs(north) > 1", {"cards": 1}, "has no value for some endings"),
        ("tricks(west, spades) > 1", {"cards": 4},
         "tricks is tested deal by deal, and endings are only"),
    ],
)  # fmt: skip
def test_what_is_refused(where: str, options: dict[str, Any], message: str) -> None:
    with pytest.raises(pav.PavError, match=message):
        pav.probability("spades(north) > 0", given=pav.endings(where, **options))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("where", "options", "found"),
    [
        ("hcp(north) >= 10 && spades(east) >= 1", {"cards": 2}, ["hcp(north) >= 10"]),
        (" && ".join(ONE_OF_EACH), {"cards": 4, "legal": True}, ONE_OF_EACH),
        ("tricks(west, spades) > 1", {"cards": 1}, ["tricks(west, spades) > 1"]),
        ("tricks(west, spades) == 1", {"cards": 1}, []),
    ],
)
def test_conflicts(where: str, options: dict[str, Any], found: list[str]) -> None:
    space = pav.endings(where, **options)
    assert bool(space) == (not found)
    assert [str(part) for part in space.conflict()] == found


@pytest.mark.slow
def test_odds_among_endings() -> None:
    space = pav.endings("spades(north) + spades(south) == 5", cards=5)
    assert pav.probability("spades(north) == 5", given=space) == Fraction(1, comb(10, 5))
    found = pav.distribution("spades(north)", given=space)
    assert dict(found) == {
        held: Fraction(comb(5, held) * comb(5, 5 - held), comb(10, 5)) for held in range(6)
    }
    share = pav.probability("spades(north) >= 3", given=space, simulate=300)
    assert share.low < Fraction(1, 2) < share.high


TOYS = [
    Deck(2, 4, (3, 3, 2)),
    Deck(4, 2, (3, 3, 2)),
    Deck(3, 4, (4, 4, 4)),
    Deck(3, 3, (2, 2, 2, 3)),
    Deck(2, 4, (1, 1, 1, 1, 4)),
]
"""The last hand of each is what is gone."""


@pytest.mark.slow
@pytest.mark.parametrize("deck", TOYS, ids=str)
def test_the_factor_is_the_criterion(deck: Deck) -> None:
    factor = legal_factor(deck.sizes, suits=deck.suits, suit_size=deck.suit_size)
    seats = len(deck.sizes) - 1
    legal = [is_legal(signature(w, suits=deck.suits, seats=seats), seats) for w in deck.words]
    assert [factor.value(word) for word in deck.words] == legal


@pytest.mark.slow
def test_the_distribution_of_points_with_four_cards() -> None:
    """One card of each suit in every hand is all that is not legal."""
    suit = {0: 9, 1: 1, 2: 1, 3: 1, 4: 1}
    not_legal: Counter[int] = Counter()
    for held in product(suit, repeat=4):
        not_legal[sum(held)] += prod(suit[points] * perm(12, 3) for points in held)
    space = pav.endings(cards=4)
    everything = pav.distribution("hcp(north)", given=space)
    legal = pav.distribution("hcp(north)", given=pav.endings(cards=4, legal=True))
    for value in range(17):
        share = everything[value] * space.cardinality
        assert legal[value] * LEGAL[4] == share - not_legal[value]


@pytest.mark.slow
def test_legal_endings_of_a_condition() -> None:
    """They are legal and satisfy it, their odds are theirs, and with the opposite they are all."""
    where, cards = "spades(south) == 2", 5
    space = pav.endings(where, cards=cards, legal=True)
    plain = pav.endings(where, cards=cards)
    other = pav.endings(f"!({where})", cards=cards, legal=True)
    assert space.cardinality + other.cardinality == LEGAL[cards]
    assert space != plain
    assert repr(space) == "endings('spades(south) == 2', cards=5, legal=True)"
    mixed = [*pav.endings(cards=cards).sample(300, seed=5), *plain.sample(300, seed=6)]
    owners = np.frombuffer(b"".join(each.owners for each in mixed), np.uint8).reshape(-1, 52)
    assert space.contains_many(owners).tolist() == [each in space for each in mixed]
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
    exact = pav.probability("spades(north) == 0", given=space)
    share = pav.probability("spades(north) == 0", given=space, simulate=400, seed=1)
    assert share.low < exact < share.high
    assert exact != pav.probability("spades(north) == 0", given=plain)
    with pytest.raises(pav.PavError, match="space='legal'"):
        pav.write_archive([], "never.pav", space=space)


WITH_TRICKS = [
    "tricks(west, notrump) == 0",
    "tricks(south, hearts) == 1 && spades(north) == 1",
    "tricks(north, clubs) == tricks(east, clubs) && hearts(south) + hearts(west) != 1",
    "tricks(south, spades) > tricks(south, notrump) || tricks(east, diamonds) > 0",
    "(longest(north) == 1 ? tricks(south, hearts) : 0) + diamonds(south) == 2",
]


def chosen(owners: np.ndarray) -> list[np.ndarray]:
    """Return which endings satisfy each of the conditions, by arrays of tricks and of cards."""
    tricks = pav.tricks_of_endings(owners).reshape(-1, 5, 4)
    held = (owners.reshape(-1, 4, 13, 1) == np.arange(4)).sum(axis=2)
    return [
        tricks[:, 0, 3] == 0,
        (tricks[:, 2, 2] == 1) & (held[:, 0, 0] == 1),
        (tricks[:, 4, 0] == tricks[:, 4, 1]) & (held[:, 1, 2] + held[:, 1, 3] != 1),
        (tricks[:, 1, 2] > tricks[:, 0, 2]) | (tricks[:, 3, 1] > 0),
        np.where(held[:, :, 0].max(axis=1) == 1, tricks[:, 2, 2], 0) + held[:, 2, 2] == 2,
    ]


@pytest.mark.slow
def test_endings_with_tricks_are_counted_by_their_classes() -> None:
    """A class, the owners of the top cards of each suit, has an ending for any ranks below."""
    assert LARGEST_BY_CLASSES == LARGEST_TABLE
    for size in (1, 2):
        words = np.array([[*word] for word in words_of_sizes((size,) * 4)], np.uint8)
        counts = [0] * len(WITH_TRICKS)
        for lengths in product(range(4 * size + 1), repeat=4):
            if sum(lengths) != 4 * size:
                continue
            owners = np.full((len(words), 52), 4, np.uint8)
            owners[:, [13 * s + rank for s, held in enumerate(lengths) for rank in range(held)]] = (
                words
            )
            endings = prod(comb(13, held) for held in lengths)
            for place, are_chosen in enumerate(chosen(owners)):
                counts[place] += endings * int(np.count_nonzero(are_chosen))
        assert [pav.endings(w, cards=size).cardinality for w in WITH_TRICKS] == counts


@pytest.mark.slow
@pytest.mark.parametrize(
    ("size", "strain"), [(1, "notrump"), (1, "diamonds"), (2, "hearts"), (3, "notrump")]
)
def test_odds_of_tricks(size: int, strain: str) -> None:
    """The counts of the table, as a distribution; the side of South leads."""
    counts = pav.count_endings(size, trumps=strain != "notrump")
    taken, every = f"tricks(west, {strain})", pav.endings(cards=size)
    found = pav.distribution(taken, given=every)
    assert [found[size - k] * every.cardinality for k in range(size + 1)] == counts
    if size < 3:
        assert pav.probability(f"{taken} == 0", given=every) == found[0]
        some = pav.endings(f"{taken} <= 0", cards=size, legal=True)
        assert (some.cardinality, some.probability) == (counts[size], found[0])
        with pytest.raises(pav.PavError, match="depends on ranks"):
            pav.distribution(f"{taken} + hcp(west)", given=every)


@pytest.mark.slow
@pytest.mark.parametrize(("place", "size"), [(0, 2), (1, 1), (2, 1), (3, 2), (4, 2)])
def test_numbers_of_endings_with_tricks(place: int, size: int) -> None:
    condition = WITH_TRICKS[place]
    space = pav.endings(condition, cards=size)
    numbers = [k * (space.cardinality - 1) // 40 for k in range(41)]
    endings = [space.unrank(number) for number in numbers]
    assert [space.rank(ending) for ending in endings] == numbers
    assert all(ending in space for ending in endings)
    owners = space.sample_many(50, seed=7)
    assert [row.tobytes() for row in owners] == [each.owners for each in space.sample(50, seed=7)]
    for ending in pav.endings(cards=size).sample(30, seed=1):
        if ending in space:
            assert space.unrank(space.rank(ending)) == ending
        else:
            with pytest.raises(pav.LayoutError, match="does not satisfy"):
                space.rank(ending)
