"""The stream pav-1: its definition, rejection, slices, different samples, evenness, errors."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from itertools import islice, permutations
from typing import Any

import pytest
from gmpy2 import mpz
from hypothesis import given
from hypothesis import strategies as st
from oracles import integers, vectors
from stream_support import deviation, numpy_index

from pavcodec import NumberError
from pavcodec.kernel.reference.stream import Block, Key, index_of
from pavcodec.sampling import Stream, draw_indexes, seed_of

MOST = 2**128
seeds = st.integers(0, 2**128 - 1)
cardinalities = st.integers(1, MOST) | st.builds(
    lambda exponent, near: min(max(2**exponent + near, 1), MOST),
    st.integers(0, 128),
    st.integers(-2, 2),
)


class Script:
    """Words that a test has written down, two halves a block; it keeps what was asked for."""

    def __init__(self, *halves: int) -> None:
        self.left: Iterator[int] = iter(halves)
        self.asked: list[tuple[Block, Key]] = []

    def __call__(self, counter: Block, key: Key) -> Block:
        self.asked.append((counter, key))
        first, second = islice(self.left, 2)
        return first % 2**64, first >> 64, second % 2**64, second >> 64


def test_golden_samples() -> None:
    rows = vectors("pav-1")
    assert len(rows) == 640
    for row in rows:
        seed = int(row["seed"])
        assert seed_of(row.get("text", seed)) == seed
        place, cardinality = int(row["k"]), int(row["cardinality"])
        assert Stream(seed).index(place, cardinality) == int(row["index"])
        assert integers(draw_indexes(seed, place, 1, cardinality)) == [int(row["index"])]


@given(seeds, st.integers(0, 2**64 - 1), cardinalities)
def test_every_sample_is_that_of_the_definition(seed: int, k: int, cardinality: int) -> None:
    assert Stream(seed).index(k, cardinality) == numpy_index(seed, k, cardinality)


def test_the_key_and_the_counter() -> None:
    script = Script(0, 0, 0, 2**127)
    assert index_of(script, (3, 5), 2**127 + 1, 9) == 2**126
    assert script.asked == [((9, 0, 0, 0), (3, 5)), ((9, 1, 0, 0), (3, 5))]


@pytest.mark.parametrize(
    ("cardinality", "halves", "index", "blocks"),
    [
        (3, [0, 1], 0, 1),  # 0 is rejected, since 2^128 mod 3 is 1; x = 1 leaves 3
        (3, [1, 0], 0, 1),
        (3, [0, 0, 0, 0, 0, 2**127], 1, 3),
        (3, [0, MOST - 1], 2, 1),
        (3, [(MOST - 1) // 3, 0], 0, 1),  # the last that gives 0: x · 3 = 2^128 - 1
        (3, [(MOST + 2) // 3, 0], 1, 1),  # the next is 2 more, 2^128 + 2
        (2, [0, 7], 0, 1),  # powers of two reject nothing
        (2, [2**127, 7], 1, 1),
        (2**128, [12345, 7], 12345, 1),
        (2**128, [0, 7], 0, 1),
        (1, [MOST - 1, 7], 0, 1),
        (2**127 + 1, [1, 2], 0, 1),  # 1 leaves 2^127 + 1 and is kept
        (2**127 + 1, [2, 4, 6, MOST - 1], 2**127, 2),  # 2 leaves 2; 2^128 - 1 just enough
        (2**128 - 1, [0, 1], 0, 1),
        (2**128 - 1, [2, 0], 1, 1),
    ],
)
def test_rejection(cardinality: int, halves: list[int], index: int, blocks: int) -> None:
    script = Script(*halves)
    assert index_of(script, (0, 0), cardinality, 0) == index
    assert [counter[1] for counter, _ in script.asked] == list(range(blocks))


@pytest.mark.parametrize("cardinality", range(1, 65))
def test_no_index_is_favoured_on_a_toy_of_six_bits(cardinality: int) -> None:
    """The rule with 2^6 in place of 2^128, whole: each index keeps the same number of words."""
    kept = Counter(
        x * cardinality // 64 for x in range(64) if x * cardinality % 64 >= 64 % cardinality
    )
    assert kept == dict.fromkeys(range(cardinality), 64 // cardinality)


def test_the_real_rule_keeps_as_many_words_for_each_index_at_the_edges() -> None:
    """Between two neighbouring indexes lie exactly 2^128 div T words that are kept."""
    cardinality = 53644737765488792839237440000
    least, kept = MOST % cardinality, MOST // cardinality
    for index in (0, 1, 2, cardinality // 2, cardinality - 2, cardinality - 1):
        begin, end = (-(-MOST * i // cardinality) for i in (index, index + 1))
        if begin * cardinality - MOST * index < least:
            begin += 1
        assert end - begin == kept
        for word in (begin, end - 1):
            assert index_of(Script(word, 0), (0, 0), cardinality, 0) == index


@given(seeds, st.integers(0, 2**64 - 100), st.integers(0, 50), st.integers(0, 50), cardinalities)
def test_slices_join(seed: int, start: int, some: int, more: int, cardinality: int) -> None:
    stream = Stream(seed)
    whole = list(stream.indexes(cardinality, some + more, start))
    assert whole == [
        *stream.indexes(cardinality, some, start),
        *stream.indexes(cardinality, more, start + some),
    ]
    assert whole == [stream.index(start + k, cardinality) for k in range(some + more)]
    assert all(0 <= index < cardinality for index in whole)


def test_samples_in_any_order_are_the_same() -> None:
    stream = Stream(7)
    forward = [stream.index(k, 1000) for k in range(100)]
    assert [stream.index(k, 1000) for k in reversed(range(100))] == forward[::-1]
    assert list(stream.indexes(1000, 0)) == []
    assert list(stream.indexes(1000, 0, start=2**64)) == []
    assert next(iter(stream.indexes(1000, 2**60))) == forward[0], "made when they are asked for"


@pytest.mark.slow
@given(seeds, st.integers(1, 30), st.data())
def test_different_samples_are_the_first_different_ones(
    seed: int, cardinality: int, data: st.DataObject
) -> None:
    count = data.draw(st.integers(0, cardinality))
    start = data.draw(st.integers(0, 100))
    stream = Stream(seed)
    found = list(stream.distinct_indexes(cardinality, count, start))
    assert found == list(dict.fromkeys(stream.indexes(cardinality, 1000, start)))[:count]
    assert len(found) == count


def test_different_samples_can_be_all_there_are() -> None:
    assert sorted(Stream(7).distinct_indexes(200, 200)) == list(range(200))
    assert list(Stream(7).distinct_indexes(1, 1, start=2**64 - 1)) == [0]


@pytest.mark.slow
def test_every_choice_of_different_samples_is_as_likely() -> None:
    counts = Counter(tuple(Stream(seed).distinct_indexes(5, 3)) for seed in range(12000))
    assert set(counts) == set(permutations(range(5), 3))
    assert abs(deviation(counts.values())) < 4


@pytest.mark.slow
@pytest.mark.parametrize("cardinality", [2, 3, 7, 24, 60])
def test_one_sample_of_many_seeds_is_even(cardinality: int) -> None:
    counts = Counter(Stream(seed).index(0, cardinality) for seed in range(6000))
    assert len(counts) == cardinality
    assert abs(deviation(counts.values())) < 4


def test_a_stream_is_a_value_and_takes_what_a_seed_may_be() -> None:
    assert Stream(7) == Stream(7) != Stream(8)
    for seed in (-1, 2**128):
        with pytest.raises(NumberError, match="a seed is a number from 0 to"):
            Stream(seed)


def test_any_integer_will_do_and_nothing_else() -> None:
    big: Any = mpz
    assert Stream(big(7)).index(big(0), big(52)) == 40
    assert type(Stream(7).index(big(0), big(52))) is int
    for arguments in ((0.0, 52), (0, 52.0), ("0", 52), (None, 52)):
        with pytest.raises(TypeError):
            Stream(7).index(*arguments)


@pytest.mark.parametrize(
    ("cardinality", "count", "start", "message"),
    [
        (0, 1, 0, "there is nothing to draw from: the cardinality is 0"),
        (-1, 1, 0, "there is nothing to draw from: the cardinality is -1"),
        (MOST + 1, 1, 0, f"a cardinality is at most 2\\^128 = {MOST}, not {MOST + 1}"),
        (52, -1, 0, "a count is 0 or more, not -1"),
        (52, 1, -1, "a seed has samples 0 to 18446744073709551615, not -1"),
        (52, 1, 2**64, "samples 0 to 18446744073709551615, not 18446744073709551616"),
        (52, 2, 2**64 - 1, "not 18446744073709551615 to 18446744073709551616"),
        (52, 2**64 + 1, 0, "not 0 to 18446744073709551616"),
        (52, 1, 10**5000, "not one of 16610 bits"),
        (10**5000, 1, 0, "not one of 16610 bits"),
    ],
    ids=range(10),
)
def test_slices_that_are_none(cardinality: int, count: int, start: int, message: str) -> None:
    stream = Stream(7)
    for choose in (stream.indexes, stream.distinct_indexes):
        with pytest.raises(NumberError, match=message):
            choose(cardinality, count, start)
    if count == 1:
        with pytest.raises(NumberError, match=message):
            stream.index(start, cardinality)


def test_more_different_ones_than_there_are() -> None:
    with pytest.raises(NumberError, match="53 different ones cannot be drawn from 52"):
        Stream(7).distinct_indexes(52, 53)
    late = Stream(7).distinct_indexes(52, 2, start=2**64 - 2)
    with pytest.raises(NumberError, match="a seed has samples 0 to"):
        list(Stream(0)._parts(2**64 - 1, 2, 1, distinct=True))
    assert len(set(late)) == 2


def test_vectors_are_json_with_numbers_as_texts() -> None:
    assert json.dumps(vectors("pav-1")[0]) == (
        '{"seed": "0", "k": "0", "cardinality": "1", "index": "0"}'
    )
