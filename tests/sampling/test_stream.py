"""The stream pav-1: its page and vectors, rejection, slices, different samples, arrays, errors."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterator
from itertools import islice
from typing import Any

import numpy as np
import pytest
from gmpy2 import mpz
from hypothesis import given
from hypothesis import strategies as st
from oracles import DEALS, integers, limbs, vectors
from ranking_support import Kernel, every_kernel
from stream_support import WORD, deviation, numpy_block, numpy_index, page_code, section

from pavcodec import NumberError, kernel
from pavcodec.kernel import reference
from pavcodec.kernel.reference.stream import Block, Key, index_of, philox4x64
from pavcodec.sampling import (
    RowSet,
    Stream,
    draw_distinct,
    draw_indexes,
    fresh_seed,
    hash_numbers,
    parse_seed,
    seed_of,
)

SECTION = section("pav-1")
CODE = page_code(SECTION)
MOST = 2**128
EDGES = sorted(
    {2**exponent + near for exponent in (1, 8, 32, 63, 64, 65, 127) for near in (-1, 0, 1)}
    | {2, 52, 200, DEALS, 5**52, MOST // 3, MOST // 2 + 2**64, MOST - 2**64, MOST - 1, MOST}
)
seeds = st.integers(0, MOST - 1)
cardinalities = st.integers(1, MOST) | st.sampled_from(EDGES)
words = st.integers(0, WORD)


@given(st.tuples(words, words, words, words), st.tuples(words, words))
def test_the_generator_is_that_of_numpy(counter: Block, key: Key) -> None:
    assert philox4x64(counter, key) == numpy_block(counter, key) == CODE["block"](counter, key)


def test_the_known_answers_of_the_page() -> None:
    """Those of the lines `philox4x64 10` in Random123's tests/kat_vectors."""
    answers = re.findall(r"^\| .* \| .* \| `([0-9a-f ]{67})` \|$", SECTION, re.MULTILINE)
    pi = (0x243F6A8885A308D3, 0x13198A2E03707344, 0xA4093822299F31D0, 0x082EFA98EC4E6C89)
    ones = (2**64 - 1,) * 4
    blocks = [
        philox4x64((0, 0, 0, 0), (0, 0)),
        philox4x64(ones, ones[:2]),
        philox4x64(pi, (0x452821E638D01377, 0xBE5466CF34E90C6C)),
    ]
    assert answers == [" ".join(f"{word:016x}" for word in block) for block in blocks]


def value(cell: str) -> int:
    """A cell of a table as an integer: digits, a power of two and 1 more or less, or a text."""
    if cell.startswith("`"):
        return int(CODE["seed_of"](cell.strip("`")))
    plain = cell.translate(str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹−", "0123456789-"))
    power = re.fullmatch(r"2(\d\d+)(?: ([+-]) 1)?", plain) if plain != cell else None
    return 2 ** int(power[1]) + {"+": 1, "-": -1, None: 0}[power[2]] if power else int(plain)


def test_the_golden_values_of_the_page() -> None:
    rows = re.findall(r"^\| (.*) \| (.*) \| (.*) \| (\d+) \|$", SECTION, re.MULTILINE)
    assert len(rows) == 10
    for row in rows:
        seed, k, cardinality, index = map(value, row)
        assert CODE["index"](seed, k, cardinality) == Stream(seed).index(k, cardinality) == index
    [(text, seed)] = re.findall(r"seed of the text `(.*)` is (\d+)\.", SECTION)
    assert CODE["seed_of"](text) == seed_of(text) == int(seed)


@every_kernel
def test_golden_samples(chosen: Kernel) -> None:
    rows = vectors("pav-1")
    assert len(rows) == 640
    with chosen():
        for row in rows:
            seed, place, cardinality = int(row["seed"]), int(row["k"]), int(row["cardinality"])
            assert seed_of(row.get("text", seed)) == seed
            assert Stream(seed).index(place, cardinality) == int(row["index"])


@given(seeds, st.integers(0, 2**64 - 9) | st.just(2**64 - 9), cardinalities, words)
def test_samples_are_those_of_the_definition(seed: int, k: int, cardinality: int, d: int) -> None:
    expected = [numpy_index(seed, k + i, cardinality) for i in range(9)]
    stream = Stream(seed)
    assert expected[0] == CODE["index"](seed, k, cardinality) == stream.index(k, cardinality)
    assert integers(draw_indexes(seed, k, 9, cardinality)) == expected
    assert list(stream.indexes(cardinality, 9, k)) == expected
    further = numpy_index(seed, k, cardinality, 1, d)
    assert stream.chance(k, first=d)(cardinality) == further
    assert integers(draw_indexes(seed, k, 1, cardinality, substream=d)) == [further]


class Script:
    """Words that a test has written down, two halves a block; it keeps what was asked for."""

    def __init__(self, *halves: int) -> None:
        self.left: Iterator[int] = iter(halves)
        self.asked: list[tuple[Block, Key]] = []

    def __call__(self, counter: Block, key: Key) -> Block:
        self.asked.append((counter, key))
        first, second = islice(self.left, 2)
        return first % 2**64, first >> 64, second % 2**64, second >> 64


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
        (1, [MOST - 1, 7], 0, 1),
        (2**127 + 1, [1, 2], 0, 1),  # 1 leaves 2^127 + 1 and is kept
        (2**127 + 1, [2, 4, 6, MOST - 1], 2**127, 2),  # 2 leaves 2; 2^128 - 1 just enough
        (2**128 - 1, [2, 0], 1, 1),
    ],
)
def test_rejection(cardinality: int, halves: list[int], index: int, blocks: int) -> None:
    script = Script(*halves)
    assert index_of(script, (3, 5), cardinality, 9) == index
    assert script.asked == [((9, attempt, 0, 0), (3, 5)) for attempt in range(blocks)]


def test_samples_are_made_when_they_are_asked_for() -> None:
    assert next(iter(Stream(7).indexes(1000, 2**60))) == Stream(7).index(0, 1000)
    for start in (0, 2**64):
        assert list(Stream(7).indexes(1000, 0, start)) == []
        assert draw_indexes(7, start, 0, 52).shape == (0, 2)


def test_many_samples_and_threads() -> None:
    """Just above 2^127 half of all words are thrown away; some samples take many blocks."""
    cardinality = 2**127 + 1
    drawn = draw_indexes(7, 2**63, 40_001, cardinality)
    together = draw_indexes(7, 2**63, 40_001, cardinality, threads=3)
    assert np.array_equal(drawn, together)
    for k in (0, 16_383, 16_384, 40_000):
        assert integers(drawn[k : k + 1]) == [numpy_index(7, 2**63 + k, cardinality)]


@pytest.mark.slow
@given(seeds, st.integers(1, 30), st.data())
def test_different_samples_are_the_first_different_ones(
    seed: int, cardinality: int, data: st.DataObject
) -> None:
    count, start = data.draw(st.integers(0, cardinality)), data.draw(st.integers(0, 100))
    found = list(Stream(seed).distinct_indexes(cardinality, count, start))
    every = Stream(seed).indexes(cardinality, 1000, start)
    assert found == list(dict.fromkeys(every))[:count]
    assert len(found) == count


@pytest.mark.parametrize(
    ("cardinality", "count", "start"), [(3, 3, 0), (500, 499, 7), (2**96, 90, 5)]
)
def test_different_samples_in_parts(cardinality: int, count: int, start: int) -> None:
    parts = list(draw_distinct(7, start, count, cardinality, at_once=64))
    found = [number for part in parts for number in integers(part)]
    assert found == list(Stream(7).distinct_indexes(cardinality, count, start))


def test_different_samples_up_to_the_end_of_the_stream() -> None:
    assert sorted(Stream(7).distinct_indexes(200, 200)) == list(range(200))
    assert list(Stream(7).distinct_indexes(1, 1, start=2**64 - 1)) == [0]
    assert len(set(Stream(7).distinct_indexes(52, 2, start=2**64 - 2))) == 2
    with pytest.raises(NumberError, match="53 different ones cannot be drawn from 52"):
        Stream(7).distinct_indexes(52, 53)
    with pytest.raises(NumberError, match="a seed has samples 0 to"):
        list(Stream(0)._parts(2**64 - 1, 2, 1, distinct=True))
    with pytest.raises(NumberError, match="no 2 different samples up to its end"):
        list(draw_distinct(7, 2**64 - 3, 2, 1))


@every_kernel
def test_rows_that_were_seen_before(chosen: Kernel) -> None:
    rows = draw_indexes(7, 0, 2000, 700)
    rows[::9, 0], rows[::5, 1] = 2**64 - 1, 2**63
    known: set[tuple[int, ...]] = set()
    with chosen():
        seen = RowSet()
        for part in np.array_split(rows, [0, 1, 7, 300, 1100]):
            expected = []
            for row in map(tuple, part.tolist()):
                expected.append(row not in known)
                known.add(row)
            assert seen.add(part).tolist() == expected
            assert len(seen) == len(known)
        assert not seen.add(rows).any()


@pytest.mark.parametrize("seed", [0, 7, 2**64, MOST - 1])
def test_blocks_bits_and_hashes(seed: int) -> None:
    counter, given = (2**64 - 1, 5, 2**63, 2**64 - 4), limbs([seed])[0]
    numbers = [0, 1, 2**64 - 1, 2**64, MOST - 1]
    key = seed % 2**64, seed >> 64
    blocks = [numpy_block((*counter[:3], (counter[3] + k) % 2**64), key) for k in range(9)]
    bits = sum(word.bit_count() for block in blocks for word in block)
    hashes = [numpy_block((n % 2**64, n >> 64, WORD, 0), key)[0] for n in numbers]
    for room in (kernel, reference):
        found = np.empty((9, 4), np.uint64)
        room.stream_blocks(given, *counter, 9, found)
        assert found.tolist() == [*map(list, blocks)]
        assert room.stream_ones(given, *counter, 9) == bits
        hashed = np.empty(len(numbers), np.uint64)
        room.stream_hash(given, len(numbers), limbs(numbers), hashed)
        assert hashed.tolist() == hashes
    assert hash_numbers(seed, limbs(numbers)).tolist() == hashes
    assert [Stream(seed).hash_of(number) for number in numbers] == hashes


@pytest.mark.slow
def test_small_spaces_are_drawn_evenly() -> None:
    """Chi-square over each whole space, a seed each, and over all spaces together."""
    deviations = []
    for cardinality in range(2, 201):
        rows = draw_indexes(cardinality, 0, 500 * cardinality, cardinality)
        assert not rows[:, 0].any()
        counts = np.bincount(rows[:, 1].astype(np.int64), minlength=cardinality)
        assert len(counts) == cardinality
        deviations.append(deviation(counts))
    assert max(map(abs, deviations)) < 4
    assert abs(sum(deviations)) < 4 * len(deviations) ** 0.5
    assert abs(sum(one * one for one in deviations) / len(deviations) - 1) < 0.4


def test_any_integer_will_do_and_nothing_else() -> None:
    assert Stream(7) == Stream(7) != Stream(8)
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


def test_arrays_of_samples_that_are_none() -> None:
    for arguments in (
        (-1, 0, 1, 52),
        (MOST, 0, 1, 52),
        (7, 0, 1, 0),
        (7, 0, 1, MOST + 1),
        (7, -1, 1, 52),
        (7, 2**64, 1, 52),
        (7, 2**64 - 1, 2, 52),
        (7, 0, -1, 52),
    ):
        with pytest.raises(NumberError, match="the stream has no"):
            draw_indexes(*arguments)
    for seed in (-1, MOST):
        with pytest.raises(NumberError, match="a seed is a number from 0 to"):
            Stream(seed)


# Seeds: numbers, texts, fresh ones, and what is none.


@pytest.mark.parametrize("seed", [0, 7, 2**64, MOST - 1])
def test_a_number_is_its_own_seed(seed: int) -> None:
    assert seed_of(seed) == parse_seed(str(seed)) == seed_of(mpz(seed)) == seed
    assert type(seed_of(mpz(seed))) is int


@given(st.text(st.characters(codec="utf-8")))
def test_a_text_is_hashed(text: str) -> None:
    digest = hashlib.sha256(text.encode("utf-8")).digest()
    assert seed_of(text) == sum(digest[place] * 256**place for place in range(16))


def test_texts_that_are_fixed_for_ever() -> None:
    assert seed_of("") == 48815046298653952574165987754911248611
    assert seed_of("Lisbon 2024, session 3") == 339855843104226345513859673413359226400
    assert parse_seed("0" * 5000 + "7") == parse_seed("007") == 7
    for text in ("0x10", "1e3", "1.0", "+7", "7 ", "1_000", "٧", "-"):
        assert parse_seed(text) == seed_of(text)


@pytest.mark.parametrize(
    ("reader", "given", "message"),
    [
        (seed_of, -1, f"a seed is a number from 0 to {MOST - 1}, not -1$"),
        (seed_of, MOST, f"not {MOST}$"),
        (seed_of, 10**5000, "not one of 16610 bits$"),
        (parse_seed, "-1", f"a seed is a number from 0 to {MOST - 1}, not -1$"),
        (parse_seed, str(MOST), f"not {MOST}$"),
        (parse_seed, "-" + "9" * 5000, "not one of 5000 digits$"),
        (parse_seed, "", "this one is empty"),
        (seed_of, "\udc80", r"is Unicode, not '\\udc80'"),
    ],
    ids=range(8),
)
def test_what_is_no_seed(reader: Callable[..., int], given: object, message: str) -> None:
    with pytest.raises(NumberError, match=message):
        reader(given)
    with pytest.raises(TypeError, match="not 'float'"):
        seed_of(7.0)  # type: ignore[arg-type]


def test_fresh_seeds_are_seeds_and_differ() -> None:
    seeds = {fresh_seed() for _ in range(100)}
    assert len(seeds) == 100
    assert all(seed_of(seed) == seed for seed in seeds)
    assert max(seeds).bit_length() > 110, "all 128 bits are used"
