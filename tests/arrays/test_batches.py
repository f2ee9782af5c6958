"""The loops give the numbers of the rankings: whole toy decks, every threshold, large decks."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import accumulate, product
from math import comb
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from oracles import words
from walk_support import AnyOwner

import pavcodec as pav
from pavcodec.arrays.numberings import deals as affine
from pavcodec.arrays.numberings.deals import DealKernel, thresholds
from pavcodec.arrays.numberings.endings import completions, packed_rooms
from pavcodec.arrays.owners.rows import BLOCK, Owners
from pavcodec.arrays.words.limbs import Limbs, add, below, split, subtract
from pavcodec.numberings.batch import Batch, OneByOne, batch_of
from pavcodec.numberings.legal import LegalEndings
from pavcodec.numberings.rankings import (
    Affine,
    EqualHands,
    HandByHand,
    Mirrored,
    OwnerDigits,
    Ranking,
    Reordered,
)
from pavcodec.walk import (
    ByCounter,
    FixedSizes,
    FoldedWalk,
    LimitedSizes,
    NotAMemberError,
    Walk,
)

MOST = 2**128
TOYS: dict[str, tuple[Ranking, int]] = {
    "hands of two": (Walk(FixedSizes((2, 2, 2, 2))), 4),
    "three hands": (Walk(FixedSizes((1, 2, 3))), 4),
    "two hands": (FoldedWalk(FixedSizes((3, 3))), 3),
    "an empty hand": (Walk(FixedSizes((4, 0, 2))), 4),
    "endings": (EqualHands(6, 4, 1), 5),
    "endings of three": (EqualHands(7, 3, 2), 4),
    "endings of two": (EqualHands(6, 2, 3), 4),
    "one card each": (EqualHands(4, 4, 1), 6),
    "any ending": (Walk(LimitedSizes(6, (2, 2, 2, 2))), 5),
    "unequal limits": (FoldedWalk(LimitedSizes(6, (2, 1, 3))), 5),
    "limits past the deck": (Walk(LimitedSizes(4, (14, 0, 5))), 4),
    "digits": (OwnerDigits(4, 5), 7),
    "hand by hand": (HandByHand((2, 1, 2, 2)), 4),
    "hand by hand, unequal": (HandByHand((1, 0, 3, 2)), 4),
    "hand by hand, two": (HandByHand((3, 4)), 3),
    "mirrored": (Mirrored(HandByHand((2, 2, 2, 1))), 4),
    "reordered": (
        Reordered(Walk(FixedSizes((2, 1, 1, 2))), (3, 0, 5, 1, 4, 2), (2, 0, 3, 1)),
        5,
    ),
    "scrambled": (Affine(Walk(FixedSizes((2, 2, 2, 1))), 13, 2519), 4),
    "scrambled and mirrored": (Affine(Mirrored(HandByHand((2, 2, 1, 2))), 11, 7), 4),
}
every_toy = pytest.mark.parametrize("name", TOYS)
every_numbering = pytest.mark.parametrize("name", pav.numbering_names())


def rows_of(numbers: Iterable[int]) -> Limbs:
    """Integers as rows of two words."""
    return np.array([divmod(number, 2**64) for number in numbers], np.uint64).reshape(-1, 2)


def integers(rows: Limbs) -> list[int]:
    return [high << 64 | low for high, low in rows.tolist()]


def owners_of(found: Iterable[bytes], cards: int) -> Owners:
    return np.frombuffer(b"".join(found), np.uint8).reshape(-1, cards).copy()


def unranked(batch: Batch, numbers: Limbs, cards: int) -> Owners:
    owners = np.full((len(numbers), cards), 99, np.uint8)
    batch.unrank(numbers, owners)
    return owners


def assert_same(ranking: Ranking, batch: Batch, numbers: list[int]) -> None:
    """Both ways, the batch gives what the ranking gives for these numbers."""
    expected = [ranking.unrank(number) for number in numbers]
    cards = len(expected[0])
    given_rows = rows_of(numbers)
    owners = unranked(batch, given_rows, cards)
    assert [row.tobytes() for row in owners] == expected
    assert integers(given_rows) == numbers, "what is given is not changed"
    found = np.zeros((len(numbers), 2), np.uint64)
    assert batch.rank(owners, found) == -1
    assert integers(found) == numbers
    assert np.array_equal(owners, owners_of(expected, cards)), "what is given is not changed"


@every_toy
def test_all_numbers_of_a_toy_deck(name: str) -> None:
    ranking, _ = TOYS[name]
    batch = batch_of(ranking)
    assert not isinstance(batch, OneByOne)
    assert_same(ranking, batch, list(range(ranking.cardinality)))
    assert_same(ranking, OneByOne(ranking), list(range(ranking.cardinality)))


@pytest.mark.slow
@every_toy
def test_all_words_of_a_toy_deck(name: str) -> None:
    """Members have their number, and the first row that is none is told."""
    ranking, owners = TOYS[name]
    batch = batch_of(ranking)
    every_word = list(words(len(ranking.unrank(0)), owners))
    rows = owners_of(every_word, len(every_word[0]))
    numbers = np.empty((len(rows), 2), np.uint64)
    begin = 0
    while begin < len(rows):
        part = slice(begin, begin + 50)
        bad = batch.rank(rows[part], numbers[part])
        end = begin + bad if bad >= 0 else min(part.stop, len(rows))
        expected = [ranking.rank(word) for word in every_word[begin:end]]
        if expected:
            assert batch.rank(rows[begin:end], numbers[begin:end]) == -1
            assert integers(numbers[begin:end]) == expected
        if bad >= 0:
            with pytest.raises(NotAMemberError):
                ranking.rank(every_word[end])
        begin = end + (bad >= 0)


@pytest.mark.parametrize("name", ["hands of two", "endings", "digits", "hand by hand", "mirrored"])
def test_owners_that_nobody_is(name: str) -> None:
    ranking, _ = TOYS[name]
    batch = batch_of(ranking)
    word = ranking.unrank(0)
    for owner in (5, 6, 7, 8, 9, 15, 16, 64, 128, 255):
        for card in range(len(word)):
            spoilt = word[:card] + bytes([owner]) + word[card + 1 :]
            numbers = np.empty((2, 2), np.uint64)
            assert batch.rank(owners_of([word, spoilt], len(word)), numbers) == 1


@every_toy
@pytest.mark.parametrize("count", [0, 1, BLOCK - 1, BLOCK, BLOCK + 1, 3 * BLOCK + 1])
def test_blocks(name: str, count: int) -> None:
    ranking, _ = TOYS[name]
    batch, random = batch_of(ranking), Random(count)
    numbers = [random.randrange(ranking.cardinality) for _ in range(count)]
    owners = unranked(batch, rows_of(numbers), len(ranking.unrank(0)))
    assert [row.tobytes() for row in owners] == [ranking.unrank(number) for number in numbers]
    found = np.empty((count, 2), np.uint64)
    assert batch.rank(owners, found) == -1
    assert integers(found) == numbers


def passed_on_the_way(ranking: Ranking, number: int) -> Iterator[int]:
    """Every threshold that unranking a number compares with, as a number."""
    match ranking:
        case ByCounter(counter=counter):
            state, start = counter.start, 0
            for owner in ranking.unrank(number):
                ends = counter.cumulative_counts(state, counter.completions(state))
                yield from (start + end for end in [0, *ends])
                start += ends[owner - 1] if owner else 0
                after = counter.place(state, owner)
                assert after is not None
                state = after
        case EqualHands():
            yield from ranking.firsts.values()
            size = ranking.unrank(number).count(0)
            first = ranking.firsts[size]
            for end in passed_on_the_way(ranking.walks[size], number - first):
                yield first + end
        case LegalEndings():
            yield from passed_by_legal_endings(ranking, number)
        case OwnerDigits(cards, base):
            for power in accumulate([base] * cards, int.__mul__, initial=1):
                yield from (number // (power * base) * base * power + d * power for d in range(6))
        case HandByHand():
            yield from passed_by_hands(ranking, number)
        case Mirrored(inner):
            last = inner.cardinality - 1
            yield from (last - end for end in passed_on_the_way(inner, last - number))
        case Reordered(inner):
            yield from passed_on_the_way(inner, number)
        case Affine(inner, factor, shift):
            total, inverse = inner.cardinality, pow(factor, -1, inner.cardinality)
            there = (number * factor + shift) % total
            passed = passed_on_the_way(inner, there)
            near = (end + one for end in passed for one in (-1, 0, 1))
            yield from ((end - shift) * inverse % total for end in near)
        case _:
            raise NotImplementedError


def passed_by_legal_endings(ranking: LegalEndings, number: int) -> Iterator[int]:
    yield from ranking.firsts.values()
    word = ranking.unrank(number)
    low = ranking.firsts[word.count(0)]
    high = low + ranking.counts[word.count(0)]
    for end in range(1, len(word) + 1):
        prefix = word[:end]
        low = first_number(ranking, prefix, low, high)
        high = first_number(ranking, prefix[:-1] + bytes([prefix[-1] + 1]), low, high)
        yield from (low, high)


def first_number(ranking: Ranking, prefix: bytes, low: int, high: int) -> int:
    """The first number of some whose word is not before a prefix, by halving."""
    while low < high:
        middle = (low + high) // 2
        if ranking.unrank(middle)[: len(prefix)] < prefix:
            low = middle + 1
        else:
            high = middle
    return low


def passed_by_hands(ranking: HandByHand, number: int) -> Iterator[int]:
    rest, start = number, 0
    for hand, size in enumerate(ranking.sizes[:-1]):
        after = ranking.sizes[hand + 1 :]
        following = HandByHand(after).cardinality
        rank, rest = divmod(rest, following)
        for end in passed_on_the_way(Walk(FixedSizes((size, sum(after)))), rank):
            yield start + end * following
        start += rank * following


@pytest.mark.slow
@every_numbering
def test_the_thresholds_on_the_way(name: str) -> None:
    """Every threshold along some ways, and its neighbours."""
    ranking, random = pav.numbering(name).ranking, Random(name)
    total = ranking.cardinality
    ways = [0, total - 1, *(random.randrange(total) for _ in range(12))]
    ends = {end for way in ways for end in passed_on_the_way(ranking, way)}
    near = {end + one for end in ends for one in (-1, 0, 1)}
    numbers = [number for number in sorted(near) if 0 <= number < total]
    assert len(numbers) > 1000
    assert_same(ranking, batch_of(ranking), numbers)


@pytest.mark.slow
@every_numbering
def test_ends_powers_and_numbers_at_random(name: str) -> None:
    ranking, random = pav.numbering(name).ranking, Random(name)
    total = ranking.cardinality
    near = {2**power + near for power in range(128) for near in (-1, 0, 1)}
    near |= {total - one for one in (1, 2, 3)} | {total // part for part in range(1, 50)}
    numbers = [number for number in sorted(near) if number < total]
    numbers += [random.randrange(total) for _ in range(2000)]
    numbers += [random.randrange(2 ** random.randrange(1, total.bit_length())) for _ in range(500)]
    assert not isinstance(batch_of(ranking), OneByOne)
    assert_same(ranking, batch_of(ranking), numbers)


sizes_of_four = st.tuples(*[st.integers(0, 15)] * 4)


@settings(max_examples=20, deadline=None)
@given(sizes_of_four, st.data())
def test_hands_of_any_size(sizes: tuple[int, int, int, int], data: st.DataObject) -> None:
    for ranking in (Walk(FixedSizes(sizes)), HandByHand(sizes), Mirrored(HandByHand(sizes))):
        if sum(sizes):
            numbers = data.draw(st.lists(st.integers(0, ranking.cardinality - 1), min_size=1))
            assert_same(ranking, batch_of(ranking), numbers)


@settings(max_examples=10, deadline=None)
@given(st.integers(1, 52), st.lists(st.integers(0, 14), min_size=1, max_size=4), st.data())
def test_endings_of_any_deck(cards: int, limits: list[int], data: st.DataObject) -> None:
    ranking = FoldedWalk(LimitedSizes(cards, tuple(limits)))
    numbers = data.draw(st.lists(st.integers(0, ranking.cardinality - 1), min_size=1))
    batch = batch_of(ranking)
    assert not isinstance(batch, OneByOne)
    assert_same(ranking, batch, numbers)


def test_thresholds_are_the_counters() -> None:
    high, low, wide = thresholds((3, 2, 4, 3))
    counter = FixedSizes((3, 2, 4, 3))
    for rooms in product(range(4), range(3), range(5), range(4)):
        state = int("".join(f"{room:x}" for room in rooms), 16)
        if state:
            ends = counter.cumulative_counts(rooms, counter.completions(rooms))
            assert low[state].tolist() == [0, *ends[:-1]]
    assert wide == 0
    assert not high.any()


@pytest.mark.parametrize("wide", range(9))
def test_how_many_cards_have_two_words_changes_nothing(wide: int) -> None:
    ranking = Walk(FixedSizes((2, 2, 2, 2)))
    kernel = DealKernel((2, 2, 2, 2))
    kernel._wide = wide
    assert_same(ranking, kernel, list(range(ranking.cardinality)))


def test_with_35_cards_left_one_word_is_enough() -> None:
    _, _, wide = thresholds((13, 13, 13, 13))
    assert wide == 52 - 35
    assert FixedSizes((9, 9, 9, 8)).completions((9, 9, 9, 8)) < 2**64
    assert FixedSizes((9, 9, 9, 9)).completions((9, 9, 9, 9)) >= 2**64


def test_completions_are_the_counters() -> None:
    random = Random(5)
    limited, full = (completions(52, 4, 13, full=full) for full in (False, True))
    counter = LimitedSizes(52, (13, 13, 13, 13))
    for _ in range(2000):
        left, rooms = random.randrange(53), tuple(random.randrange(14) for _ in range(4))
        row = limited.folded[packed_rooms(rooms)]
        assert integers(limited.ways[left, row][None]) == [counter.completions((left, *rooms))]
        unused = left - sum(rooms)
        expected = FixedSizes(()).completions((*rooms, unused)) if unused >= 0 else 0
        assert integers(full.ways[left, row][None]) == [expected]
    assert not limited.folded[0xE0EE]
    assert not limited.ways[:, 0].any()


@pytest.mark.parametrize(
    "ranking",
    [
        Walk(AnyOwner(4, 3)),
        Walk(FixedSizes((1, 1, 1, 1, 1))),
        Walk(FixedSizes((16, 1))),
        Walk(LimitedSizes(6, (1, 1, 1, 1, 1))),
        EqualHands(18, 1, 15),
        OwnerDigits(6, 5),
        OwnerDigits(8, 3),
        HandByHand((1, 1, 1, 1, 1)),
        HandByHand((17, 1)),
        Reordered(OwnerDigits(3, 5), (1, 2, 0), (0, 1)),
    ],
    ids=repr,
)
def test_a_deck_without_loops_goes_one_by_one(ranking: Ranking) -> None:
    numbers = list(range(0, ranking.cardinality, ranking.cardinality // 300 + 1))
    assert_same(ranking, batch_of(ranking), numbers)
    word = b"\xff" * len(ranking.unrank(0))
    assert batch_of(ranking).rank(owners_of([word], len(word)), np.empty((1, 2), np.uint64)) == 0


def test_a_cardinality_past_two_words_goes_one_by_one() -> None:
    assert isinstance(batch_of(OwnerDigits(56, 5)), OneByOne)


wide_numbers = st.integers(0, MOST - 1)


@given(st.lists(wide_numbers, min_size=1), wide_numbers)
def test_sums_and_comparisons_of_two_words(numbers: list[int], number: int) -> None:
    rows = rows_of(numbers)
    assert integers(add(rows, number)) == [(one + number) % MOST for one in numbers]
    assert integers(subtract(rows, number)) == [(one - number) % MOST for one in numbers]
    assert below(rows, number).tolist() == [one < number for one in numbers]
    assert below(rows, MOST).all()
    assert not below(rows, 0).any()
    assert integers(np.array([split(number)])) == [number]


def test_the_greatest_sums_of_scrambling() -> None:
    """Every byte adds nearly the whole cardinality, and so does the shift."""
    cardinality = affine.MOST
    number = sum(256**place for place in range(16)) % cardinality
    kernel = affine.AffineKernel(cardinality - 1, cardinality - 1, cardinality)
    expected = (number * (cardinality - 1) - 1) % cardinality
    assert integers(kernel.map(rows_of([number]))) == [expected]


@settings(deadline=None)  # the first example compiles
@given(st.integers(2, affine.MOST), st.data())
def test_scrambling_is_arithmetic(cardinality: int, data: st.DataObject) -> None:
    below_it = st.integers(0, cardinality - 1)
    factor, shift = data.draw(below_it), data.draw(st.integers(-MOST, MOST))
    numbers = [0, cardinality - 1, *data.draw(st.lists(below_it))]
    mapped = affine.AffineKernel(factor, shift, cardinality).map(rows_of(numbers))
    assert integers(mapped) == [(one * factor + shift) % cardinality for one in numbers]


def test_hand_thresholds_are_binomials() -> None:
    kernel_table = batch_of(HandByHand((3, 2, 1)))._table  # type: ignore[attr-defined]
    for left, room in product(range(6), range(4)):
        following = comb(3, 2) if (left, room) else 3
        assert kernel_table[0, left, room, 1] == comb(left, room) * following
