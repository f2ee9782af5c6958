"""The words of the walk: dictionary order on whole toy decks, the real deck, values, limits."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from random import Random

import numpy as np
import pytest
from oracles import DEALS, integers, words_of_sizes, words_within
from ranking_support import Kernel, assert_order, assert_rows, every_kernel

from pavcodec.kernel import reference
from pavcodec.kernel.reference.walk import Endings, Sizes, rank_word, unrank_word
from pavcodec.numberings.rankings import HandByHand
from pavcodec.walk import FixedSizes, LimitedSizes, Ranking

SIZES = [(2, 2, 2, 1), (1, 1, 1, 1, 2), (2, 1, 0, 1, 1), (3, 0, 2, 1), (3, 5), (5,), (1, 2, 3)]
LIMITS = [(4, (2, 2, 2, 2)), (5, (1, 2, 0, 3)), (6, (1, 1, 1)), (6, (2,)), (4, (9, 9))]


@every_kernel
@pytest.mark.parametrize("sizes", SIZES, ids=str)
def test_fixed_sizes_are_in_dictionary_order(sizes: tuple[int, ...], chosen: Kernel) -> None:
    with chosen():
        assert_order(FixedSizes(sizes), words_of_sizes(sizes), len(sizes))


@every_kernel
@pytest.mark.parametrize(("cards", "limits"), LIMITS, ids=str)
def test_limited_sizes_are_in_dictionary_order(
    cards: int, limits: tuple[int, ...], chosen: Kernel
) -> None:
    with chosen():
        expected = words_within(cards, limits)
        assert_order(LimitedSizes(cards, limits), expected, len(limits) + 1)


@pytest.mark.parametrize("counter", [Sizes((2, 0, 1)), Endings(3, (1, 2), is_full=False)])
def test_a_definition_has_no_word_past_the_end(counter: Sizes | Endings) -> None:
    with pytest.raises(IndexError, match="no word has this number"):
        unrank_word(counter, int(counter.completions(counter.start)))


def hand_by_hand(word: bytes) -> int:
    found, unread = np.zeros((1, 2), np.uint64), np.empty(0, np.uint64)
    row = np.frombuffer(word, np.uint8)
    assert reference.subsets_rank(np.full(4, 13), 4, unread, unread, unread, 1, row, found) == -1
    return integers(found)[0]


def counted(counter: Sizes | Endings) -> Callable[[bytes], int | None]:
    return lambda word: rank_word(counter, word)


REAL: dict[str, tuple[Ranking, tuple[int, ...], Callable[[bytes], int | None]]] = {
    "deal": (FixedSizes((13,) * 4), (13,) * 4, counted(Sizes((13,) * 4))),
    "halves": (FixedSizes((26, 26)), (26, 26), counted(Sizes((26, 26)))),
    "five hands": (
        FixedSizes((8, 9, 7, 8, 20)),
        (8, 9, 7, 8, 20),
        counted(Endings(52, (8, 9, 7, 8), is_full=True)),
    ),
    "ending": (
        LimitedSizes(52, (13,) * 4),
        (13, 13, 13, 13, 52),
        counted(Endings(52, (13,) * 4, is_full=False)),
    ),
    "hand by hand": (HandByHand((13,) * 4), (13,) * 4, hand_by_hand),
}


def firsts_on_the_way(word: bytes, rooms: tuple[int, ...]) -> list[bytes]:
    """The first word with each beginning of a word: their numbers are what the loops compare."""
    found = []
    for end in range(len(word)):
        left = [room - word[:end].count(owner) for owner, room in enumerate(rooms)]
        rest = b"".join(bytes([owner]) * room for owner, room in enumerate(left))
        found.append(word[:end] + rest[: len(word) - end])
    return found


@pytest.mark.slow
@pytest.mark.parametrize("name", REAL)
def test_the_real_deck(name: str) -> None:
    """The first words of all beginnings on some ways, and the words before them."""
    ranking, rooms, number_of = REAL[name]
    total, random = ranking.cardinality, Random(name)
    ways = [0, total - 1, random.randrange(total)]
    firsts = {w for way in ways for w in firsts_on_the_way(ranking.unrank(way), rooms)}
    numbers = {number_of(word) or 0 for word in firsts}
    numbers |= {max(0, number - 1) for number in numbers} | {*ways}
    in_order = sorted(numbers)
    found = [ranking.unrank(number) for number in in_order]
    assert [number_of(word) for word in found] == in_order
    assert_rows(ranking, in_order, found)


def test_published_counts() -> None:
    assert FixedSizes((13, 13, 13, 13)).cardinality == DEALS
    assert FixedSizes((13, 39)).cardinality == 635013559600
    assert FixedSizes((1, 1, 1, 1, 48)).cardinality == 6497400
    assert LimitedSizes(52, (13,) * 4).cardinality == 1068380067768858063542620835042803325


@pytest.mark.parametrize(
    ("ranking", "reason"),
    [
        (FixedSizes((40, 40, 40, 40)), "numbers below 2\\^128"),
        (FixedSizes((200, 56)), "at most 255 cards of 7 owners"),
        (LimitedSizes(9, (1,) * 7), "at most 255 cards of 7 owners"),
        (LimitedSizes(50, (40, 40, 40, 40)), "at most 65536 rooms of 4 seats, not 135752"),
    ],
)
def test_decks_that_no_table_holds(ranking: Ranking, reason: str) -> None:
    assert ranking.cardinality
    with pytest.raises(ValueError, match=reason):
        ranking.unrank(0)


def test_rankings_are_values_without_their_tables() -> None:
    one = LimitedSizes(6, (2, 1))
    one.unrank(5)
    assert (
        pickle.loads(pickle.dumps(one)) == one == LimitedSizes(6, (2, 1)) != LimitedSizes(6, (1, 2))
    )
    assert len(pickle.dumps(one)) < 100
