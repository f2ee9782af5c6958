"""The walks of the kernel and their definitions: tables, whole toy decks, edges of the real one."""

from __future__ import annotations

from itertools import product
from math import comb, prod
from random import Random
from typing import Any

import numpy as np
import pytest
from oracles import integers, limbs, words
from walk_support import AnyOwner

from pavcodec import kernel
from pavcodec.kernel import reference
from pavcodec.kernel.reference.walk import Endings, Sizes, multinomial, rank_word, unrank_word

DEALS = 53644737765488792839237440000
SIZES = [(2, 2, 2, 2), (1, 2, 3), (3, 3), (4, 0, 2), (0, 0), (5,), (1, 1, 1, 1, 2), (13, 1, 0, 0)]
BLOCK = 128


MANY = 3000
"""The words that are tried one by one."""


def assert_same(  # noqa: PLR0917 (two functions with their first arguments)
    rank: str, ranked: tuple[Any, ...], unrank: str, unranked: tuple[Any, ...],
    cards: int, numbers: list[int],
) -> Any:  # fmt: skip
    """Both ways, the kernel and the definition give the same, and the inverse; return the words."""
    given, n = limbs(numbers), len(numbers)
    both = np.full((2, n, cards), 99, np.uint8)
    getattr(kernel, unrank)(*unranked, n, given, both[0])
    getattr(reference, unrank)(*unranked, n, given, both[1])
    assert np.array_equal(*both)
    for room in (kernel, reference):
        found = np.zeros((n, 2), np.uint64)
        assert getattr(room, rank)(*ranked, n, both[0], found) == -1
        assert integers(found) == numbers
    assert np.array_equal(*both), "what is given is not changed"
    return both[0]


def assert_same_members(rank: str, ranked: tuple[Any, ...], cards: int, owners: int) -> None:
    """The kernel and the definition accept the same words of a toy deck, or of a part of them."""
    every = list(words(cards, owners))
    for word in every[:: len(every) // MANY | 1]:
        row = np.frombuffer(word, np.uint8)
        found = np.zeros((2, 1, 2), np.uint64)
        answers = [
            getattr(room, rank)(*ranked, 1, row, numbers)
            for room, numbers in zip((kernel, reference), found, strict=True)
        ]
        assert answers[0] == answers[1]
        if answers[0] < 0:
            assert np.array_equal(*found)


def some_numbers(total: int, count: int = 40) -> list[int]:
    """Return the ends, numbers around powers of two, and numbers at random."""
    random = Random(total)
    near = {2**power + near for power in (0, 31, 32, 63, 64, 65, 95, 96) for near in (-1, 0, 1)}
    near |= {0, total - 1, total // 2} | {random.randrange(total) for _ in range(count)}
    return sorted(number for number in near if number < total)


def size_tables(sizes: tuple[int, ...]) -> tuple[tuple[Any, ...], list[Any]]:
    """Return the tables of sizes, by the kernel and by definition."""
    states, made = prod(size + 1 for size in sizes), []
    for room in (kernel, reference):
        ways = np.full((states, 2), 9, np.uint64)
        high, low = np.full((2, states, len(sizes)), 9, np.uint64)
        wide = room.sizes_table(np.array(sizes, np.uint8), len(sizes), ways, high, low)
        made.append((wide, ways, high, low))
    return made[0], made[1]  # type: ignore[return-value]


@pytest.mark.parametrize("sizes", [*SIZES, (9, 9, 9, 9), (40, 40), (20, 21, 3)], ids=str)
def test_tables_of_sizes(sizes: tuple[int, ...]) -> None:
    compiled, defined = size_tables(sizes)
    assert compiled[0] == defined[0]
    assert all(map(np.array_equal, compiled[1:], defined[1:]))


@pytest.mark.slow
@pytest.mark.parametrize("sizes", SIZES, ids=str)
def test_whole_toy_decks_of_sizes(sizes: tuple[int, ...]) -> None:
    (wide, _, high, low), _ = size_tables(sizes)
    table = (np.array(sizes, np.uint8), len(sizes), wide, high, low)
    total = int(multinomial(sizes))
    numbers = list(range(total))
    found = assert_same("sizes_rank", table, "sizes_unrank", table, sum(sizes), numbers)
    assert [row.tobytes() for row in found] == sorted(row.tobytes() for row in found)
    for fewer in range(wide, sum(sizes) + 1):  # cards of two words more than needed
        table = (np.array(sizes, np.uint8), len(sizes), fewer, high, low)
        assert_same("sizes_rank", table, "sizes_unrank", table, sum(sizes), numbers[::7])
    if sum(sizes) < 8:
        assert_same_members("sizes_rank", table, sum(sizes), len(sizes) + 1)


def test_deals() -> None:
    sizes = np.full(4, 13, np.uint8)
    ways = np.empty((14**4, 2), np.uint64)
    high, low = np.empty((2, 14**4, 4), np.uint64)
    wide = kernel.sizes_table(sizes, 4, ways, high, low)
    assert wide == 52 - 35, "with 35 cards left, one word is enough"
    assert multinomial((9, 9, 9, 8)) < 2**64 <= multinomial((9, 9, 9, 9))
    random = Random(5)
    for _ in range(500):
        rooms = [random.randrange(14) for _ in range(4)]
        state = int(np.ravel_multi_index(rooms, (14,) * 4))
        assert integers(ways[state]) == [multinomial(rooms)]
        ends = [0]
        for owner in range(4):
            after = Sizes(tuple(rooms)).place(tuple(rooms), owner)
            ends.append(ends[-1] + (int(multinomial(after)) if after else 0))
        assert integers(np.stack([high[state], low[state]], 1)) == ends[:4]
    table = (sizes, 4, wide, high, low)
    assert_same("sizes_rank", table, "sizes_unrank", table, 52, some_numbers(DEALS))


ENDINGS = [
    (6, ((2, 2, 2, 2),), 0),
    (6, ((2, 1, 3),), 0),
    (4, ((4, 0, 4),), 0),
    (6, ((1, 1, 1, 1), ), 1),
    (7, ((2, 2, 2), (1, 1, 1)), 1),
    (6, ((3, 3), (2, 2), (1, 1)), 1),
    (7, ((1, 1, 1, 1, 1),), 1),
    (0, ((0,),), 1),
]  # fmt: skip


def ending_tables(cards: int, seats: int, most: int, is_full: int) -> list[tuple[Any, ...]]:
    """Return the tables of endings, by the kernel and by definition."""
    rows, made = comb(most + seats, seats) + 1, []
    for room in (kernel, reference):
        folded, states = np.full((most + 2) ** seats, 9, np.uint16), np.full(rows, 9, np.uint32)
        high, low = np.full((2, cards + 1, rows), 9, np.uint64)
        wide = room.endings_table(cards, seats, most, is_full, folded, states, high, low)
        made.append((wide, folded, states, high, low))
    return made


@pytest.mark.parametrize("is_full", [0, 1])
@pytest.mark.parametrize("deck", [(6, 4, 2), (7, 3, 3), (5, 1, 5), (30, 4, 4), (0, 2, 0)], ids=str)
def test_tables_of_endings(deck: tuple[int, int, int], is_full: int) -> None:
    compiled, defined = ending_tables(*deck, is_full)
    assert compiled[0] == defined[0]
    assert all(map(np.array_equal, compiled[1:], defined[1:]))


def shape_of(cards: int, parts: tuple[tuple[int, ...], ...], is_full: int) -> tuple[Any, ...]:
    """Return the arguments of endings, and their number."""
    seats, most, firsts = len(parts[0]), max(map(max, parts)), [0]
    rows = comb(most + seats, seats) + 1
    folded, states = np.empty((most + 2) ** seats, np.uint16), np.empty(rows, np.uint32)
    high, low = np.empty((2, cards + 1, rows), np.uint64)
    wide = kernel.endings_table(cards, seats, most, is_full, folded, states, high, low)
    for part in parts:
        row = folded[sum((room + 1) * (most + 2) ** seat for seat, room in enumerate(part))]
        firsts.append(firsts[-1] + integers(np.stack([high[cards, row], low[cards, row]]))[0])
    shape = np.array([cards, seats, most, is_full, wide, len(parts)])
    return (shape, np.array(parts, np.uint8), limbs(firsts), folded, high, low), firsts[-1]


@pytest.mark.slow
@pytest.mark.parametrize(("cards", "parts", "is_full"), ENDINGS)
def test_whole_toy_decks_of_endings(
    cards: int, parts: tuple[tuple[int, ...], ...], is_full: int
) -> None:
    table, total = shape_of(cards, parts, is_full)
    counters = [Endings(cards, part, bool(is_full)) for part in parts]
    assert total == sum(counter.completions(counter.start) for counter in counters)
    numbers = list(range(total))
    assert_same("endings_rank", table, "endings_unrank", table, cards, numbers)
    if cards < 7:
        assert_same_members("endings_rank", table, cards, len(parts[0]) + 2)


@pytest.mark.slow
@pytest.mark.parametrize("is_full", [0, 1])
def test_endings_of_the_deck(is_full: int) -> None:
    parts = tuple((size,) * 4 for size in range(13, 0, -1)) if is_full else ((13,) * 4,)
    table, total = shape_of(52, parts, is_full)
    expected = 2058009868335972036308496616883640, 1068380067768858063542620835042803325
    assert total == expected[not is_full]
    firsts = integers(table[2])
    near = {first + near for first in firsts for near in (-1, 0, 1)}
    numbers = sorted({number for number in near if 0 <= number < total} | {*some_numbers(total)})
    assert_same("endings_rank", table, "endings_unrank", table, 52, numbers)


def subset_tables(sizes: tuple[int, ...]) -> list[tuple[Any, ...]]:
    """Return the tables of subsets, by the kernel and by definition."""
    made = []
    for room in (kernel, reference):
        high, low = np.zeros((2, len(sizes), sum(sizes) + 1, max(sizes) + 1), np.uint64)
        wide = room.subsets_table(np.array(sizes, np.uint8), len(sizes), high, low)
        made.append((wide, high, low))
    return made


@pytest.mark.slow
@pytest.mark.parametrize("sizes", [*SIZES, (13,) * 4, (15,) * 4, (32, 32), (20, 10, 9)], ids=str)
def test_subsets(sizes: tuple[int, ...]) -> None:
    (wide, high, low), (wide_too, *defined) = subset_tables(sizes)
    assert wide == wide_too
    assert np.array_equal(high, defined[0])
    assert np.array_equal(low, defined[1])
    total, hands = int(multinomial(sizes)), (np.array(sizes, np.uint8), len(sizes))
    numbers = list(range(total)) if total < 3000 else some_numbers(total)
    last = limbs([total - 1])
    ranked = (*hands, high, low, last)
    unranked = (*hands, wide, high, low, last)
    assert_same("subsets_rank", ranked, "subsets_unrank", unranked, sum(sizes), numbers)
    if sum(sizes) < 7:
        assert_same_members("subsets_rank", ranked, sum(sizes), len(sizes) + 1)


@pytest.mark.parametrize(("cards", "base"), [(4, 5), (6, 3), (1, 2), (3, 7), (0, 5), (5, 1)])
def test_whole_toy_decks_of_digits(cards: int, base: int) -> None:
    numbers = list(range(base**cards))
    assert_same("digits_rank", (cards, base), "digits_unrank", (cards, base), cards, numbers)
    assert_same_members("digits_rank", (cards, base), cards, base + 1)


@pytest.mark.parametrize("deck", [(52, 5), (55, 5), (53, 5), (128, 2), (64, 4), (16, 255)], ids=str)
def test_digits(deck: tuple[int, int]) -> None:
    cards, base = deck
    near = {base**power * digit + near for power in range(cards) for digit in (1, 2, 4)
            for near in (-1, 0, 1)}  # fmt: skip
    numbers = [number for number in sorted(near) if number < base**cards]
    numbers += some_numbers(base**cards)
    assert_same("digits_rank", deck, "digits_unrank", deck, cards, numbers)


@pytest.mark.parametrize("base", [-1, 0, 257, 2**32])
def test_digits_of_no_base(base: int) -> None:
    word, found = np.full(6, 9, np.uint8), np.zeros((1, 2), np.uint64)
    if kernel.is_compiled():
        kernel.digits_unrank(6, base, 1, found, word)
        assert kernel.digits_rank(6, base, 1, word, found) == 0
    assert word.tolist() == [9] * 6


@pytest.mark.parametrize("owner", [5, 6, 7, 8, 15, 16, 64, 128, 255])
def test_owners_that_nobody_is(owner: int) -> None:
    (wide, _, high, low), _ = size_tables((2, 2, 2, 2))
    hands = (np.full(4, 2, np.uint8), 4)
    endings, _ = shape_of(8, ((2, 2, 2, 2),), 0)
    subsets = subset_tables((2, 2, 2, 2))[0][1:]
    for card in range(8):
        word = np.array([0, 0, 1, 1, 2, 2, 3, 3] * 2, np.uint8).reshape(2, 8)
        word[1, card] = owner
        found = np.empty((2, 2), np.uint64)
        assert kernel.sizes_rank(*hands, wide, high, low, 2, word, found) == 1
        assert kernel.endings_rank(*endings, 2, word, found) == 1
        assert kernel.subsets_rank(*hands, *subsets, limbs([2519]), 2, word, found) == 1
        assert kernel.digits_rank(8, 5, 2, word, found) == 1


@pytest.mark.parametrize("count", [0, 1, BLOCK - 1, BLOCK, BLOCK + 1, 3 * BLOCK + 1])
def test_blocks(count: int) -> None:
    (wide, _, high, low), _ = size_tables((2, 2, 2, 2))
    table = (np.full(4, 2, np.uint8), 4, wide, high, low)
    numbers = [Random(count).randrange(2520) for _ in range(count)]
    assert_same("sizes_rank", table, "sizes_unrank", table, 8, numbers)
    endings, total = shape_of(8, ((2, 2, 2, 2), (1, 1, 1, 1)), 1)
    numbers = [Random(count).randrange(total) for _ in range(count)]
    assert_same("endings_rank", endings, "endings_unrank", endings, 8, numbers)


def test_words_in_another_order() -> None:
    random = Random(3)
    for cards in (1, 6, 52, 255):
        order, names = list(range(cards)), list(range(256))
        random.shuffle(order)
        random.shuffle(names)
        renamed = np.array(order, np.uint8), np.array(names, np.uint8)
        given = np.frombuffer(random.randbytes(5 * cards), np.uint8).reshape(5, cards)
        made = np.zeros((2, 5, cards), np.uint8)
        for room, found in zip((kernel, reference), made, strict=True):
            room.reorder(cards, *renamed, 5, given.copy(), found)
        assert np.array_equal(*made)
        in_place = given.copy()
        kernel.reorder(cards, *renamed, 5, in_place, in_place)
        assert np.array_equal(in_place, made[0])


@pytest.mark.parametrize("total", [1, 2, 7, 2520, 2**64, 5**52, DEALS, 2**127 - 1, 2**127], ids=str)
def test_scrambled_numbers(total: int) -> None:
    random = Random(total)
    for _ in range(30):
        factor, shift = (random.choice([0, total - 1, random.randrange(total)]) for _ in range(2))
        numbers = some_numbers(total, 20)
        ratio = (factor << 128) // total
        given = [limbs([value]) for value in (factor, ratio, shift, total)]
        for room in (kernel, reference):
            found = limbs(numbers)
            room.scramble(*given, len(numbers), found, found)
            assert integers(found) == [(number * factor + shift) % total for number in numbers]


def test_the_definition_on_whole_toy_decks() -> None:
    """The words of a counter are in dictionary order, and no other word has a number."""
    for counter in (Sizes((2, 0, 1, 2)), Endings(5, (1, 2), is_full=False), AnyOwner(4, 3)):
        total = counter.completions(counter.start)
        members = [unrank_word(counter, number) for number in range(int(total))]
        assert members == sorted(set(members))
        assert [rank_word(counter, word) for word in members] == list(range(int(total)))
        for word in set(words(counter.cards, counter.owners + 1)) - set(members):
            assert rank_word(counter, word) is None
        with pytest.raises(IndexError):
            unrank_word(counter, int(total))


def test_limits_add_up_the_sizes() -> None:
    """The endings of all sizes of hands are those with limits."""
    total = sum(
        int(multinomial((*sizes, 7 - sum(sizes))))
        for sizes in product(range(3), repeat=4)
        if sum(sizes) <= 7
    )
    counter = Endings(7, (2, 2, 2, 2), is_full=False)
    assert counter.completions(counter.start) == total
