"""What the kernel has for walks beside rankings: tables, blocks of rows, digits, scrambling.

The rankings compare all words of toy decks, by the kernel and by its definitions.
"""

from __future__ import annotations

from math import comb, prod
from random import Random
from typing import Any

import numpy as np
import pytest
from oracles import DEALS, integers, limbs
from ranking_support import assert_rows

from pavcodec import kernel
from pavcodec.kernel import reference
from pavcodec.numberings.rankings import EqualHands, HandByHand, OwnerDigits
from pavcodec.walk import FixedSizes, LimitedSizes, Ranking

BOTH = kernel, reference
BLOCK = 128


def assert_same(tables: list[tuple[Any, ...]]) -> None:
    """The kernel and the definition give the same."""
    compiled, defined = tables
    assert compiled[0] == defined[0]
    assert all(map(np.array_equal, compiled[1:], defined[1:]))


@pytest.mark.slow
@pytest.mark.parametrize("sizes", [(2, 2, 2, 2), (4, 0, 2), (0, 0), (40, 40), (20, 21, 3)], ids=str)
def test_tables_of_sizes(sizes: tuple[int, ...]) -> None:
    states, made = prod(size + 1 for size in sizes), []
    for room in BOTH:
        ways = np.full((states, 2), 9, np.uint64)
        high, low = np.full((2, states, len(sizes)), 9, np.uint64)
        wide = room.sizes_table(np.array(sizes, np.uint8), len(sizes), ways, high, low)
        made.append((wide, ways, high, low))
    assert_same(made)


@pytest.mark.parametrize("is_full", [0, 1])
@pytest.mark.parametrize("deck", [(6, 4, 2), (7, 3, 3), (5, 1, 5), (30, 4, 4), (0, 2, 0)], ids=str)
def test_tables_of_endings(deck: tuple[int, int, int], is_full: int) -> None:
    (cards, seats, most), made = deck, []
    rows = comb(most + seats, seats) + 1
    for room in BOTH:
        folded, states = np.full((most + 2) ** seats, 9, np.uint16), np.full(rows, 9, np.uint32)
        high, low = np.full((2, cards + 1, rows), 9, np.uint64)
        wide = room.endings_table(*deck, is_full, folded, states, high, low)
        made.append((wide, folded, states, high, low))
    assert_same(made)


RANKINGS: list[Ranking] = [
    FixedSizes((2, 2, 2, 2)),
    LimitedSizes(8, (2, 2, 2, 2)),
    EqualHands(8, 4, 2),
    HandByHand((2, 2, 2, 2)),
    OwnerDigits(8, 5),
]


@pytest.mark.parametrize("ranking", RANKINGS, ids=lambda ranking: type(ranking).__name__)
def test_blocks_and_owners_that_nobody_is(ranking: Ranking) -> None:
    for count in (0, 1, BLOCK - 1, BLOCK, BLOCK + 1, 3 * BLOCK + 1):
        numbers = [Random(count).randrange(ranking.cardinality) for _ in range(count)]
        assert_rows(ranking, numbers, [ranking.unrank(number) for number in numbers])
    for owner in (5, 6, 7, 8, 15, 16, 64, 128, 255):
        for card in range(8):
            words = np.array([0, 0, 1, 1, 2, 2, 3, 3] * 2, np.uint8).reshape(2, 8)
            words[1, card] = owner
            assert ranking.rank_rows(2, words, np.empty((2, 2), np.uint64)) == 1


@pytest.mark.parametrize("deck", [(0, 5), (1, 2), (55, 5), (128, 2), (64, 4), (16, 255)], ids=str)
def test_digits(deck: tuple[int, int]) -> None:
    cards, base = deck
    near = {base**power * digit + near for power in range(cards) for digit in (1, 2, 4)
            for near in (-1, 0, 1)}  # fmt: skip
    numbers = [number for number in sorted(near) if number < base**cards]
    given, words = limbs(numbers), np.full((2, len(numbers), cards), 99, np.uint8)
    for room, found in zip(BOTH, words, strict=True):
        again = np.zeros_like(given)
        room.digits_unrank(*deck, len(numbers), given, found)
        assert room.digits_rank(*deck, len(numbers), found, again) == -1
        assert np.array_equal(again, given)
    assert np.array_equal(*words)


@pytest.mark.parametrize("base", [-1, 0, 257, 2**32])
def test_digits_of_no_base(base: int) -> None:
    word, found = np.full(6, 9, np.uint8), np.zeros((1, 2), np.uint64)
    if kernel.is_compiled():
        kernel.digits_unrank(6, base, 1, found, word)
        assert kernel.digits_rank(6, base, 1, word, found) == 0
    assert word.tolist() == [9] * 6


@pytest.mark.parametrize("cards", [1, 6, 52, 255])
def test_words_in_another_order(cards: int) -> None:
    random = Random(3)
    order, names = random.sample(range(cards), cards), random.sample(range(256), 256)
    renamed = np.array(order, np.uint8), np.array(names, np.uint8)
    given = np.frombuffer(random.randbytes(5 * cards), np.uint8).reshape(5, cards)
    made = np.zeros((2, 5, cards), np.uint8)
    for room, found in zip(BOTH, made, strict=True):
        room.reorder(cards, *renamed, 5, given.copy(), found)
    assert np.array_equal(*made)
    in_place = given.copy()
    kernel.reorder(cards, *renamed, 5, in_place, in_place)
    assert np.array_equal(in_place, made[0])


@pytest.mark.parametrize("total", [1, 2, 7, 2520, 2**64, 5**52, DEALS, 2**127 - 1, 2**127], ids=str)
def test_scrambled_numbers(total: int) -> None:
    random = Random(total)
    near = {2**power + near for power in (0, 32, 63, 64, 95, 96) for near in (-1, 0, 1)}
    near |= {0, total - 1, total // 2} | {random.randrange(total) for _ in range(20)}
    numbers = sorted(number for number in near if number < total)
    for _ in range(30):
        factor, shift = (random.choice([0, total - 1, random.randrange(total)]) for _ in range(2))
        given = [limbs([value]) for value in (factor, (factor << 128) // total, shift, total)]
        for room in BOTH:
            found = limbs(numbers)
            room.scramble(*given, len(numbers), found, found)
            assert integers(found) == [(number * factor + shift) % total for number in numbers]
