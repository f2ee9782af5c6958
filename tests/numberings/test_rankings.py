"""The rankings on toy decks, whole, each against its own slow definition; and many rows at once."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import accumulate
from random import Random
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from oracles import colex, integers, lex, limbs, places_by_hand, words, words_of_sizes

import pavcodec as pav
from pavcodec.kernel.reference.walk import Counter, Endings, Sizes
from pavcodec.numberings.chain import Chain
from pavcodec.numberings.legal import LegalEndings
from pavcodec.numberings.rankings import (
    Affine,
    EqualHands,
    HandByHand,
    OwnerDigits,
    Reordered,
    mirrored,
)
from pavcodec.walk import FixedSizes, LimitedSizes, NotAMemberError, Ranking, RowByRow

TOY_SIZES = [(2, 2, 2, 2), (1, 2, 3), (3, 3), (4, 0, 2), (1, 1, 1, 1, 2)]
every_numbering = pytest.mark.parametrize("name", pav.numbering_names())


def owners_of(found: Iterable[bytes], cards: int) -> Any:
    return np.frombuffer(b"".join(found), np.uint8).reshape(-1, cards).copy()


def assert_rows(ranking: Ranking, numbers: list[int], expected: list[bytes]) -> None:
    """Both ways, many rows have these numbers and words."""
    given_rows = limbs(numbers)
    owners = np.full((len(numbers), ranking.cards), 99, np.uint8)
    ranking.unrank_rows(len(numbers), given_rows, owners)
    assert [row.tobytes() for row in owners] == expected
    assert integers(given_rows) == numbers, "what is given is not changed"
    found = np.zeros((len(numbers), 2), np.uint64)
    assert ranking.rank_rows(len(numbers), owners, found) == -1
    assert integers(found) == numbers
    assert np.array_equal(owners, owners_of(expected, ranking.cards)), "so here"


def assert_order(ranking: Ranking, expected: list[bytes]) -> None:
    """The ranking numbers these words, in this order, and no others."""
    numbers = list(range(len(expected)))
    assert ranking.cardinality == len(expected)
    assert [ranking.unrank(number) for number in numbers] == expected
    assert [ranking.rank(word) for word in expected] == numbers
    assert_rows(ranking, numbers, expected)


@pytest.mark.parametrize(
    ("cards", "seats", "most"), [(8, 4, 2), (7, 3, 2), (6, 2, 3), (4, 4, 1), (6, 5, 1), (5, 1, 5)]
)
def test_equal_hands_come_fullest_first(cards: int, seats: int, most: int) -> None:
    expected = []
    for size in range(most, 0, -1):
        expected += words_of_sizes((size,) * seats + (cards - seats * size,))
    ranking = EqualHands(cards, seats, most)
    assert_order(ranking, expected)
    assert [expected[first].count(0) for first in ranking.firsts.values()] == list(ranking.firsts)
    assert [sum(word.count(0) == size for word in expected) for size in ranking.counts] == list(
        ranking.counts.values()
    )


def test_equal_hands_refuse_unequal_ones() -> None:
    ranking = EqualHands(6, 2, 2)
    for word in (b"\0\0\1\2\2\2", b"\2" * 6, b"\0\0\0\1\1\1", b"\0\1", b"\0\1\3\2\2\2"):
        with pytest.raises(NotAMemberError):
            ranking.rank(word)


@pytest.mark.slow
@pytest.mark.parametrize(("cards", "owners"), [(6, 5), (8, 3), (4, 2)])
def test_owner_digits_are_a_number_in_that_base(cards: int, owners: int) -> None:
    def value(word: bytes) -> int:
        return sum((owner + 1) % owners * owners**card for card, owner in enumerate(word))

    ranking = OwnerDigits(cards, owners)
    assert_order(ranking, sorted(words(cards, owners), key=value))
    for word in (b"", b"\0" * (cards + 1), bytes([owners]) * cards):
        with pytest.raises(NotAMemberError):
            ranking.rank(word)


@pytest.mark.parametrize("sizes", TOY_SIZES)
def test_hand_by_hand_is_the_dictionary_order_of_sets(sizes: tuple[int, ...]) -> None:
    def key(word: bytes) -> list[int]:
        left, ranks = len(word), []
        for places in places_by_hand(word, len(sizes)):
            ranks.append(lex(places, left))
            left -= len(places)
        return ranks

    in_order = sorted(words_of_sizes(sizes), key=key)
    assert in_order == sorted(in_order, key=lambda word: places_by_hand(word, len(sizes)))
    assert_order(HandByHand(sizes), in_order)


@pytest.mark.parametrize("sizes", TOY_SIZES)
def test_mirrored_hand_by_hand_is_colex(sizes: tuple[int, ...]) -> None:
    def key(word: bytes) -> list[int]:
        return [colex(places) for places in places_by_hand(word, len(sizes))]

    ranking = mirrored(HandByHand(sizes), len(sizes))
    assert_order(ranking, sorted(words_of_sizes(sizes), key=key))


def test_hand_by_hand_refuses_other_words() -> None:
    ranking = HandByHand((2, 2))
    for word in (b"\0\0\1", b"\0\0\0\1", b"\0\1\1\1", b"\0\1\2\2", b"\0\0\1\1\1"):
        with pytest.raises(NotAMemberError):
            ranking.rank(word)


def test_reordered_is_the_order_of_reordered_words() -> None:
    places, seats = (3, 0, 5, 1, 4, 2), (2, 0, 1)

    def key(word: bytes) -> bytes:
        return bytes(seats.index(word[card]) for card in places)

    ranking = Reordered(FixedSizes((2, 2, 2)), places, seats)
    assert_order(ranking, sorted(words_of_sizes((2, 2, 2)), key=key))
    for word in (b"\0\0\1", b"\0\0\1\1\2\3", b"\0\0\1\1\2\1"):
        with pytest.raises(NotAMemberError):
            ranking.rank(word)


@pytest.mark.parametrize(("factor", "shift"), [(1, 0), (11, 5), (13, 2519), (2519, 7), (-1, -1)])
def test_affine_scrambles_the_numbers(factor: int, shift: int) -> None:
    base = words_of_sizes((2, 2, 2, 2))
    expected = [base[(number * factor + shift) % len(base)] for number in range(len(base))]
    assert_order(Affine(FixedSizes((2, 2, 2, 2)), factor, shift), expected)


def test_affine_and_mirrored() -> None:
    inner = mirrored(HandByHand((2, 2, 1, 2)), 4)
    expected = [inner.unrank((number * 11 + 7) % 630) for number in range(630)]
    assert_order(Affine(inner, 11, 7), expected)


def test_what_the_kernel_does_not_hold() -> None:
    for ranking, reason in (
        (OwnerDigits(60, 5), "numbers below 2\\^128"),
        (OwnerDigits(3, 1), "digits are of 2 to 255 owners"),
        (HandByHand((64, 1)), "at most 64 cards"),
        (Affine(OwnerDigits(128, 2), 3, 1), "above 2\\^127 cannot be scrambled"),
        (EqualHands(256, 1, 1), "at most 255 cards"),
    ):
        assert ranking.cardinality
        with pytest.raises(ValueError, match=reason):
            ranking.unrank(0)


class Backwards(RowByRow):
    """The words of another ranking backwards, one by one."""

    inner = FixedSizes((2, 1, 2))
    cards, cardinality = 5, 30

    def rank(self, word: bytes) -> int:
        return self.inner.rank(word[::-1])

    def unrank(self, number: int) -> bytes:
        return self.inner.unrank(number)[::-1]


def test_a_ranking_without_loops_goes_row_by_row() -> None:
    ranking = Backwards()
    numbers = list(range(30))
    assert_rows(ranking, numbers, [ranking.unrank(number) for number in numbers])
    owners = owners_of(map(ranking.unrank, numbers), 5)
    owners[7] = 0
    assert ranking.rank_rows(30, owners, np.empty((30, 2), np.uint64)) == 7


def passed_by_counter(counter: Counter, word: bytes) -> Iterator[int]:
    """Every sum of completions on the way of a word."""
    state, start = counter.start, 0
    for owner in word:
        here = state
        for other in range(counter.owners):
            after = counter.place(here, other)
            yield start
            if other < owner and after:
                start += int(counter.completions(after))
            if other == owner:
                assert after is not None
                state = after


def passed_on_the_way(ranking: Ranking, number: int) -> Iterator[int]:
    """Every threshold that unranking a number compares with, as a number."""
    word = ranking.unrank(number)
    match ranking:
        case FixedSizes(sizes):
            yield from passed_by_counter(Sizes(sizes), word)
        case LimitedSizes(cards, limits):
            yield from passed_by_counter(Endings(cards, limits, is_full=False), word)
        case EqualHands(cards, seats, _):
            yield from ranking.firsts.values()
            size = word.count(0)
            counter = Endings(cards, (size,) * seats, is_full=True)
            yield from (ranking.firsts[size] + end for end in passed_by_counter(counter, word))
        case LegalEndings():
            yield from passed_by_legal_endings(ranking, number)
        case OwnerDigits(cards, base):
            for power in accumulate([base] * cards, int.__mul__, initial=1):
                yield from (number // (power * base) * base * power + d * power for d in range(6))
        case HandByHand():
            yield from passed_by_hands(ranking, number)
        case Reordered(inner):
            yield from passed_on_the_way(inner, number)
        case Affine(inner, factor, shift):
            total, inverse = inner.cardinality, pow(factor, -1, inner.cardinality)
            passed = passed_on_the_way(inner, (number * factor + shift) % total)
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
        for end in passed_on_the_way(FixedSizes((size, sum(after))), rank):
            yield start + end * following
        start += rank * following


@pytest.mark.slow
@every_numbering
def test_the_thresholds_on_the_way(name: str) -> None:
    """Every threshold along some ways, and its neighbours."""
    ranking, random = pav.numbering(name).ranking, Random(name)
    total = ranking.cardinality
    ways = [0, total - 1, *(random.randrange(total) for _ in range(4))]
    ends = {end for way in ways for end in passed_on_the_way(ranking, way)}
    near = {end + one for end in ends for one in (-1, 0, 1)}
    numbers = [number for number in sorted(near) if 0 <= number < total]
    assert len(numbers) > 1000
    found = [ranking.unrank(number) for number in numbers]
    assert len(set(found)) == len(numbers)
    if isinstance(ranking, FixedSizes | LimitedSizes):
        assert found == sorted(found)
    assert_rows(ranking, numbers, found)


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
    assert_rows(ranking, numbers, [ranking.unrank(number) for number in numbers])


@pytest.mark.slow
@settings(max_examples=20, deadline=None)
@given(st.tuples(*[st.integers(0, 15)] * 4), st.data())
def test_hands_of_any_size(sizes: tuple[int, int, int, int], data: st.DataObject) -> None:
    hands = HandByHand(sizes)
    for ranking in (FixedSizes(sizes), hands, mirrored(hands, 4)):
        if sum(sizes):
            numbers = data.draw(st.lists(st.integers(0, ranking.cardinality - 1), min_size=1))
            assert_rows(ranking, numbers, [ranking.unrank(number) for number in numbers])


@settings(max_examples=10, deadline=None)
@given(st.integers(1, 52), st.lists(st.integers(0, 14), min_size=1, max_size=4), st.data())
def test_endings_of_any_deck(cards: int, limits: list[int], data: st.DataObject) -> None:
    ranking = LimitedSizes(cards, tuple(limits))
    numbers = data.draw(st.lists(st.integers(0, ranking.cardinality - 1), min_size=1))
    assert_rows(ranking, numbers, [ranking.unrank(number) for number in numbers])


@pytest.mark.parametrize("sizes", [(3,), (2, 0, 1), (0, 4), (5, 2**64, 0, 7), (2**100, 2**64 - 1)])
def test_a_chain_has_its_parts_in_a_row(sizes: tuple[int, ...]) -> None:
    chain = Chain(sizes)
    assert chain.cardinality == sum(sizes)
    ends = {number for start in (*chain.starts, chain.cardinality) for number in (start - 1, start)}
    numbers = sorted(number for number in ends if 0 <= number < chain.cardinality)
    split = [chain.split(number) for number in numbers]
    assert [chain.join(*each) for each in split] == numbers
    assert all(number < sizes[part] for part, number in split)
    rows = limbs(numbers)
    assert chain.parts_of(rows).tolist() == [part for part, _ in split]
    for part, at, own in chain.split_rows(rows):
        assert [(part, number) for number in integers(own)] == [split[i] for i in at]
