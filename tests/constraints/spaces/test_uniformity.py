"""Every deal of a constraint is equally likely, and no deal depends on the one before."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from functools import cache
from itertools import islice
from random import Random
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from constraints_models import predealt
from oracles import integers
from stream_support import deviation

import pavcodec as pav
from pavcodec import ConstrainedDeals, Deal
from pavcodec.constraints.language.parser import parse_expression
from pavcodec.constraints.nodes.syntax import And
from pavcodec.kernel.reference.numbers import put_number
from pavcodec.kernel.reference.stream import Block, Key, index_of
from pavcodec.sampling import draw_indexes, stream

if TYPE_CHECKING:
    from numpy.typing import NDArray

LIMIT = 4
"""The deviates beyond which a test fails; seeds are fixed, so it does not by chance."""


@cache
def small_space(seed: int, kept: int, where: str) -> ConstrainedDeals:
    """The deals of a condition with so many cards of each hand where a random deal has them."""
    [deal] = pav.numbering("deal").sample(1, seed=seed)
    assert isinstance(deal, Deal)
    space = pav.deals(And((*predealt(deal, kept), parse_expression(where))))
    assert isinstance(space, ConstrainedDeals)
    return space


SMALL = {
    "all that is left": (1, "hcp(north) >= 0"),
    "one hand": (15, "hcp(north) >= 14"),
    "a pair": (1, "hcp(north) + hcp(south) >= 17"),
    "either": (108, "clubs(north) > clubs(south) || hcp(east) > 11"),
    "four hands": (119, "hcp(north) != hcp(south) && losers(east) >= 7 && controls(west) <= 4"),
}
"""Seeds and conditions of spaces of about 50 to 2520 deals."""


def small(name: str) -> ConstrainedDeals:
    """The space of a name."""
    seed, where = SMALL[name]
    return small_space(seed, 11, where)


@pytest.mark.slow
def test_seeds_are_as_even_as_samples() -> None:
    """The first deal of a thousand seeds, as of a thousand sessions."""
    space = small("one hand")
    counts = Counter(dict.fromkeys(space, 0))
    for seed in range(8 * space.cardinality):
        counts.update(space.sample(1, seed=seed))
    assert abs(deviation(counts.values())) < LIMIT


def last_cards() -> ConstrainedDeals:
    """The 24 ways to give out the last card of each hand."""
    return small_space(3, 12, "hcp(north) + hcp(east) > 0")


@pytest.mark.slow
@pytest.mark.parametrize("lag", [1, 2, 5])
def test_pairs_of_deals_are_unrelated(lag: int) -> None:
    space = last_cards()
    total = space.cardinality
    assert total == 24
    places = {pav.numbering("deal").rank(deal): place for place, deal in enumerate(space)}
    drawn = [places[number] for number in integers(space.draw(60_000, seed="pairs"))]
    pairs = Counter({(a, b): 0 for a in range(total) for b in range(total)})
    pairs.update(zip(drawn, drawn[lag:], strict=False))
    assert len(pairs) == total * total
    assert abs(deviation(pairs.values())) < LIMIT


ALL = pav.deals("1")
DRAWS = 20_000


def owners_of_all(count: int, seed: str) -> NDArray[np.uint8]:
    """The owners of random deals without a condition, as a batch of them is made."""
    assert isinstance(ALL, ConstrainedDeals)
    indexes = pav.numbering("deal").draw(count, seed=seed)
    owners = ALL.unrank_many(indexes)
    assert np.array_equal(pav.numbering("deal").rank_many(owners), indexes)
    return owners


def classic(count: int, seed: int) -> NDArray[np.uint8]:
    """The deals of a dealer that swaps each card with any of all 52, and keeps the deck.

    The first 13 cards of the deck are North's, the last 13 are West's.
    """
    random = Random(seed)
    deck = list(range(52))
    rows = np.empty((count, 52), np.uint8)
    for row in rows:
        for place in range(52):
            other = random.randrange(52)
            deck[place], deck[other] = deck[other], deck[place]
        row[deck] = np.arange(52) // 13
    return rows


def moves(owners: NDArray[np.uint8]) -> list[float]:
    """For each card, how far its owners in one deal and the next are from being unrelated.

    Each row of the table of owners, now and next, should be even; the deviate is that of the sum.
    """
    found = []
    for card in owners.T.astype(int):
        table = np.bincount(card[:-1] * 4 + card[1:], minlength=16).reshape(4, 4)
        chi_square = sum(((row - row.mean()) ** 2 / row.mean()).sum() for row in table)
        found.append(float((chi_square - 12) / 24**0.5))
    return found


def share_of_moves(owners: NDArray[np.uint8], now: int, after: int) -> float:
    """Of the cards that a seat has in one deal, the share that another has in the next."""
    held, later = owners[:-1] == now, owners[1:] == after
    return float((held & later).sum() / held.sum())


def test_a_card_goes_anywhere_in_the_next_deal() -> None:
    owners = owners_of_all(DRAWS, "moves")
    found = moves(owners)
    assert max(found) < 5.5
    assert abs(sum(found)) < 5 * 52**0.5
    for now in range(4):
        for after in range(4):
            assert abs(share_of_moves(owners, now, after) - 0.25) < 0.004
    assert np.bincount(owners[:, 0]).min() > DRAWS / 4 - 4 * (DRAWS * 3 / 16) ** 0.5


@pytest.mark.slow
def test_the_classic_dealer_is_caught() -> None:
    """A card of West is too seldom North's in its next deal; the same figures show it."""
    owners = classic(5000, 7)
    assert abs(share_of_moves(owners, 3, 0) - 0.209) < 0.005
    assert sum(moves(owners)) > 5 * 52**0.5


@pytest.mark.slow
def test_cards_of_a_condition_are_as_frequent_as_counted() -> None:
    """Marginals of a space too large to list: each seat and card against its exact share."""
    where = "hcp(north) >= 20 && spades(north) + spades(south) >= 9"
    space = pav.deals(where)
    assert isinstance(space, ConstrainedDeals)
    indexes = draw_indexes(3, 0, DRAWS, space.cardinality)
    owners = space.unrank_many(indexes)
    for seat, name in enumerate(("north", "east", "south", "west")):
        for card, text in ((0, "AS"), (12, "2S"), (13, "AH"), (29, "JD"), (51, "2C")):
            part = pav.deals(f"{where} && hascard({name}, {text})")
            assert isinstance(part, ConstrainedDeals)
            share = part.cardinality / space.cardinality
            found = int((owners[:, card] == seat).sum())
            spread = (share * (1 - share) * DRAWS) ** 0.5
            assert abs(found - share * DRAWS) <= 4 * spread


class Script:
    """Words that a test has written down, two halves a block."""

    def __init__(self, halves: list[int]) -> None:
        self.left: Iterator[int] = iter(halves)
        self.asked: list[Block] = []

    def __call__(self, counter: Block, _: Key) -> Block:
        self.asked.append(counter)
        first, second = islice(self.left, 2)
        return first % 2**64, first >> 64, second % 2**64, second >> 64


def scripted(monkeypatch: pytest.MonkeyPatch, script: Callable[[Block, Key], Block]) -> None:
    """Let samples be drawn from words of a test."""

    def drawing(_: int, cardinality: int) -> Callable[..., None]:
        def draw(use: int, draw: int, first: int, count: int, words: Any) -> None:
            for row in range(count):
                index = index_of(script, (0, 0), cardinality, first + row, use, draw)
                put_number(np.frombuffer(words, np.uint64), row, index)

        return draw

    monkeypatch.setattr(stream, "_drawing", drawing)


def test_words_that_would_favour_a_deal_are_rejected(monkeypatch: pytest.MonkeyPatch) -> None:
    space = small("one hand")
    total = space.cardinality
    least = 2**128 % total
    assert least > 0
    starts = [
        -(-(2**128) * index // total) for index in range(total)
    ]  # the first word of each deal
    rejected = [word for word in starts if word * total % 2**128 < least]
    kept = [word for word in starts if word not in rejected]
    assert rejected[0] == 0
    assert 0 < len(rejected) < total
    script = Script([rejected[0], rejected[-1], rejected[1], kept[3], kept[5], kept[7]])
    scripted(monkeypatch, script)
    sampled = space.sample(2, seed=0)
    assert sampled == [space[starts.index(kept[3])], space[starts.index(kept[5])]]
    assert [counter[:2] for counter in script.asked] == [(0, 0), (0, 1), (1, 0)]


@pytest.mark.slow
def test_the_last_word_is_that_of_the_last_deal(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, space in {name: small(name) for name in SMALL}.items():  # made before the script
        script = Script([2**128 - 1, 0])
        scripted(monkeypatch, script)
        assert space.sample(1, seed=0) == [space[-1]], name
