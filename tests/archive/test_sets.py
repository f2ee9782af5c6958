"""Sorted numbers: the quick code against its definition, every refusal, and memory."""

from __future__ import annotations

import io
import tracemalloc
from bisect import bisect_left
from contextlib import suppress
from dataclasses import replace
from itertools import accumulate, combinations, combinations_with_replacement, pairwise, product
from random import Random
from typing import Any, cast

import numpy as np
import pytest
from archive_support import D, distinct_uniform, in_groups, sorted_by_definition, uniform
from hypothesis import given
from hypothesis import strategies as st
from oracles import integers, limbs

import pavcodec as pav
from pavcodec import Layout
from pavcodec.archive import Coder, OrderedCoder, SortedCoder
from pavcodec.archive.coding.sorted import run_bits, write_run
from pavcodec.errors import NumberError, ReadError

EDGES = [1, 2, 3, 255, 256, 257, 756, 2**64 - 1, 2**64, 2**64 + 1, D, 2**128 - 1, 2**128]
COUNTS = [0, 1, 2, 3, 255, 256, 257, 700]
either = pytest.mark.parametrize("distinct", [True, False], ids=["set", "multiset"])


def check(numbers: list[int], cardinality: int, *, distinct: bool) -> bytes:
    """The quick code is the definition, and goes back."""
    coder = SortedCoder(cardinality, distinct)
    data = coder.encode(limbs(numbers))
    assert data == sorted_by_definition(numbers, cardinality, distinct=distinct)
    back = coder.decode(data, len(numbers))
    assert back.dtype == np.uint64
    assert back.shape == (len(numbers), 2)
    assert integers(back) == numbers
    return data


def check_finding(numbers: list[int], cardinality: int, *, distinct: bool, places: int) -> None:
    """Single numbers and their places, in so many places and at both ends."""
    coder = SortedCoder(cardinality, distinct)
    data, count = coder.encode(limbs(numbers)), len(numbers)
    step = max(1, count // places)
    for index in {*range(0, count, step), count - 1} & set(range(count)):
        assert coder.at(data, count, index) == numbers[index]
        for sought in range(numbers[index] - 1, numbers[index] + 2):
            assert coder.find(data, count, sought) == bisect_left(numbers, sought)
    for sought in (-(2**200), -1, 0, cardinality - 1, cardinality, 2**128, 2**200):
        assert coder.find(data, count, sought) == bisect_left(numbers, sought)


@pytest.mark.slow
@pytest.mark.parametrize("cardinality", [1, 2, 3, 6, 9])
def test_all_subsets_of_toys(cardinality: int) -> None:
    for count in range(cardinality + 1):
        for numbers in combinations(range(cardinality), count):
            check(list(numbers), cardinality, distinct=True)
            check_finding(list(numbers), cardinality, distinct=True, places=9)


@pytest.mark.slow
@pytest.mark.parametrize("cardinality", [1, 2, 3, 6])
def test_all_small_multisets_of_toys(cardinality: int) -> None:
    for count in range(5):
        for numbers in combinations_with_replacement(range(cardinality), count):
            check(list(numbers), cardinality, distinct=False)
            check_finding(list(numbers), cardinality, distinct=False, places=9)


@pytest.mark.slow
@either
@pytest.mark.parametrize("cardinality", [1, 2, 5, 8])
def test_all_short_bytes_are_one_collection_or_none(cardinality: int, *, distinct: bool) -> None:
    """All bytes behind all pairs of ends, and behind ends that are not below the cardinality."""
    coder = SortedCoder(cardinality, distinct)
    choose = combinations if distinct else combinations_with_replacement
    width = 0 if cardinality == 1 else 1
    for count in range(5):
        known = {
            coder.encode(limbs(numbers)): list(numbers)
            for numbers in choose(range(cardinality), count)
        }
        for size in range(4):
            head = min(size, 2 * width)
            for ends in product(range(cardinality + 1), repeat=head):
                for value in range(256 ** min(1, size - head)):
                    rest = value.to_bytes(min(1, size - head), "little")
                    data = bytes(ends) + rest + bytes(size - head - len(rest))
                    if data in known:
                        assert integers(coder.decode(data, count)) == known.pop(data)
                    else:
                        with pytest.raises(ReadError):
                            coder.decode(data, count)
        assert all(len(data) > 3 for data in known)


@pytest.mark.slow
def test_all_thirteen_bits_behind_some_ends() -> None:
    coder = SortedCoder(60, distinct=True)
    known = {
        coder.encode(limbs([2, *inner, 25])): [2, *inner, 25]
        for inner in combinations(range(3, 25), 2)
    }
    for value in range(2**13):
        data = bytes([2, 25, 0]) + value.to_bytes(2, "little")
        if data in known:
            assert integers(coder.decode(data, 4)) == known.pop(data)
        else:
            with pytest.raises(ReadError):
                coder.decode(data, 4)
    assert all(len(data) != 5 or data[-1] >= 32 for data in known)
    assert len(known) < 100


@pytest.mark.slow
@either
@pytest.mark.parametrize("cardinality", EDGES)
@pytest.mark.parametrize("count", COUNTS)
def test_edges(cardinality: int, count: int, *, distinct: bool) -> None:
    last = cardinality - 1
    if distinct:
        many = min(count, cardinality)
        sets = [
            list(range(many)),
            list(range(cardinality - many, cardinality)),
            sorted({*range(many // 2), *range(cardinality - many // 2, cardinality)}),
            distinct_uniform(many, cardinality),
        ]
    else:
        sets = [
            [0] * count,
            [last] * count,
            [0] * (count // 2) + [last] * (count // 2),
            uniform(count, cardinality),
            sorted(uniform(count // 4, cardinality) * 4),
        ]
    for numbers in sets:
        check(numbers, cardinality, distinct=distinct)
        check_finding(numbers, cardinality, distinct=distinct, places=3)


@pytest.mark.parametrize("cardinality", [1, 2, 257, 5000])
def test_the_densest_set_takes_its_ends_alone(cardinality: int) -> None:
    data = check(list(range(cardinality)), cardinality, distinct=True)
    assert len(data) == 2 * (((cardinality - 1).bit_length() + 7) // 8)


def clustered(seed: int) -> list[int]:
    """Numbers whose gaps differ in every way, some of them equal."""
    random, gaps = Random(seed), list[int]()
    for _ in range(random.randrange(100)):
        width = random.choice([0, 0, 1, 3, 20, 40, 85, 115])
        gaps += [random.randrange(2**width) for _ in range(random.randrange(30))]
    return list(accumulate(gaps, initial=random.randrange(2**120)))


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(30))
def test_gaps_of_many_kinds(seed: int) -> None:
    numbers = clustered(seed)
    check(numbers, 2**128, distinct=False)
    check_finding(numbers, 2**128, distinct=False, places=3)
    different = sorted(set(numbers))
    check(different, 2**128, distinct=True)
    check_finding(different, 2**128, distinct=True, places=3)


@pytest.mark.slow
@given(data=st.data(), distinct=st.booleans())
def test_any_numbers(data: st.DataObject, *, distinct: bool) -> None:
    cardinality = data.draw(st.integers(1, 2**128) | st.sampled_from(EDGES))
    numbers = st.integers(0, cardinality - 1)
    near = st.integers(0, min(cardinality, 50) - 1)
    drawn = data.draw(st.lists(numbers | near, max_size=200, unique=distinct))
    check(sorted(drawn), cardinality, distinct=distinct)
    check_finding(sorted(drawn), cardinality, distinct=distinct, places=2)


@pytest.mark.slow
@given(data=st.data(), distinct=st.booleans())
def test_any_bytes_are_numbers_that_encode_to_them_or_are_refused(
    data: st.DataObject, *, distinct: bool
) -> None:
    cardinality = data.draw(st.integers(1, 2**128) | st.sampled_from(EDGES))
    coder, count = SortedCoder(cardinality, distinct), data.draw(st.integers(0, 40))
    width = ((cardinality - 1).bit_length() + 7) // 8
    ends = sorted(data.draw(st.lists(st.integers(0, cardinality - 1), min_size=2, max_size=2)))
    head = b"".join(end.to_bytes(width, "little") for end in ends[: min(count, 2)])
    coded = head + data.draw(st.binary(max_size=80))
    try:
        numbers = coder.decode(coded, count)
    except ReadError:
        return
    assert coder.encode(numbers) == coded


@pytest.mark.slow
@pytest.mark.parametrize(
    "numbers",
    [
        distinct_uniform(25, D),
        distinct_uniform(12, 2**128),
        in_groups(40, 10, 1000),
        sorted(in_groups(20, 10, 2**20) + list(range(500, 540))),
        list(range(0, 1000, 3)),
        [5],
        [5, 2**80],
    ],
    ids=["uniform", "wide", "groups", "groups of both", "steps", "one", "two"],
)
def test_flipped_bits_and_cut_bytes(numbers: list[int]) -> None:
    count, coder = len(numbers), SortedCoder(2**128, distinct=True)
    data = coder.encode(limbs(numbers))
    for bit in range(0, 8 * len(data), 1 if len(data) < 100 else 3):
        flipped = bytearray(data)
        flipped[bit // 8] ^= 1 << bit % 8
        damaged = bytes(flipped)
        with suppress(ReadError):
            assert 0 <= coder.at(damaged, count, count // 2) < 2**128
        try:
            found = coder.decode(damaged, count)
        except ReadError:
            continue
        assert integers(found) != numbers
        assert coder.encode(found) == damaged
    for size in range(len(data)):
        with pytest.raises(ReadError):
            coder.decode(data[:size], count)
    for wrong, many in ((data + b"\0", count), (data, count - 1), (data, count + 1)):
        with pytest.raises(ReadError):
            coder.decode(wrong, many)


def test_reasons() -> None:
    coder = SortedCoder(1000, distinct=True)
    data = coder.encode(limbs([5, 77, 999]))
    for wrong, count, reason in (
        (data, 0, "7 bytes are no sorted numbers below 1000, 0 of them"),
        (data[:3], 3, "3 bytes are no sorted numbers below 1000, 3 of them"),
        (data[:-1], 3, "too few"),
        (data + b"\0", 3, "there are 1 bytes after"),
        (b"\xe8\3" + data[2:], 3, "from 1000 to 999 there are no 3 sorted numbers below 1000"),
        (b"\5\0\6\0", 3, "from 5 to 6 there are no 3"),
    ):
        with pytest.raises(ReadError, match=reason):
            coder.decode(wrong, count)


def test_a_split_where_a_run_is_shorter_is_refused() -> None:
    """Other bytes would stand for the same numbers: every gap is one that `run` codes."""
    numbers = [0, 3, 9, 11, 20]
    coder = SortedCoder(100, distinct=False)
    data = coder.encode(limbs(numbers))
    assert data[2] == 0
    gaps = [3, 6, 2, 9]
    short, long = [3, 2], [2, 5]
    places = write_run(limbs([1, 1, 0]), 2)
    split = (
        data[:2]
        + bytes([3, 2, 7])
        + places
        + bytes([0])
        + write_run(limbs(short), 5)
        + bytes([0])
        + write_run(limbs(long), 7)
    )
    assert sum(gaps) == 20
    assert coder.find(split, 5, 9) == 2
    assert [coder.at(split, 5, index) for index in range(5)] == numbers
    with pytest.raises(ReadError, match="the bytes are not those of 5 numbers below 100"):
        coder.decode(split, 5)


@pytest.mark.parametrize("tag", [1, 2, 60, 128, 129, 255])
def test_splits_that_no_gaps_have(tag: int) -> None:
    coder = SortedCoder(2**128, distinct=False)
    head = bytes(16) + b"\xff" * 16 + bytes([tag])
    for long in (0, 1, 99, 100):
        for rest in (bytes(16), b"\xff" * 16, b"\1" * 16):
            for tail in (bytes(5000), b"\xff" * 5000):
                with pytest.raises(ReadError):
                    coder.decode(head + bytes([long]) + rest + tail, 100)


CODERS: list[Coder] = [
    OrderedCoder(10),
    SortedCoder(10, distinct=True),
    SortedCoder(10, distinct=False),
]


@pytest.mark.parametrize("coder", CODERS, ids=repr)
def test_bad_arguments_of_all_coders(coder: Coder) -> None:
    for cardinality in (0, -1, 2**128 + 1):
        with pytest.raises(NumberError, match="a cardinality is from 1 to 2"):
            replace(cast("OrderedCoder", coder), cardinality=cardinality)
    with pytest.raises(NumberError, match="row 1: 10 is not below 10"):
        coder.encode(limbs([9, 10, 11]))
    wrongs: list[Any] = [np.zeros((3, 2), np.int64), np.zeros(3, np.uint64)]
    for wrong in wrongs:
        with pytest.raises(TypeError, match="numbers are an array uint64"):
            coder.encode(wrong)
    data = coder.encode(limbs([1, 2, 4]))
    for index in (-1, 3):
        with pytest.raises(IndexError, match=f"no number {index} among 3"):
            coder.at(data, 3, index)
    with pytest.raises(NumberError, match="0 numbers or more, not -1"):
        coder.decode(b"", -1)
    assert coder == replace(cast("OrderedCoder", coder))
    assert len({coder, *CODERS}) == len(CODERS)


@pytest.mark.parametrize(
    ("cardinality", "distinct", "numbers", "reason"),
    [
        (10, True, [4, 5, 5], "row 2: 5 is to be greater than the number before it, 5"),
        (10, False, [5, 5, 4], "row 2: 4 is to be at least the number before it, 5"),
        (2**128, False, [2**64, 9], "row 1: 9 is to be at least"),
    ],
)
def test_numbers_in_a_wrong_order(
    cardinality: int, numbers: list[int], reason: str, *, distinct: bool
) -> None:
    with pytest.raises(NumberError, match=reason):
        SortedCoder(cardinality, distinct).encode(limbs(numbers))


@either
@pytest.mark.parametrize("tag", [0, 1, 90])
def test_a_giant_count_costs_nothing(tag: int, *, distinct: bool) -> None:
    coder = SortedCoder(D, distinct)
    data = bytes(12) + (D - 1).to_bytes(12, "little") + bytes([tag]) + b"\1" * 500
    tracemalloc.start()
    with pytest.raises(ReadError):
        coder.decode(data, 10**15)
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert most < 100_000


@pytest.mark.slow
@given(head=st.binary(min_size=24, max_size=24), rest=st.binary(max_size=4000))
def test_memory_is_bounded_by_what_is_read(head: bytes, rest: bytes) -> None:
    coder, count = SortedCoder(2**96, distinct=False), 300
    tracemalloc.start()
    with suppress(ReadError):
        coder.decode(head + rest, count)
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert most < 20 * (16 * count + len(rest)) + 100_000


def test_estimates_are_near_for_gaps_at_random() -> None:
    for count, cardinality in ((1000, D), (8000, D), (3000, 9000), (500, 10**6), (8000, 2**40)):
        numbers = distinct_uniform(count, cardinality)
        gaps = [b - a - 1 for a, b in pairwise(numbers)]
        size = 8 * len(write_run(limbs(gaps), sum(gaps)))
        assert abs(run_bits(len(gaps), sum(gaps)) - size) < count // 16


@pytest.mark.parametrize("kind", ["set", "multiset"])
def test_arrays_and_boards_with_tags_are_sorted_together(kind: str) -> None:
    deals = pav.numbering("deal").sample(6, seed=5)
    tags = {"Event": "x"}
    boards = [pav.Board.make(deal, number=n, tags=tags) for n, deal in enumerate(deals, 1)]
    plain = np.frombuffer(b"".join(deal.owners for deal in deals[:4]), np.uint8).reshape(-1, 52)
    mixed: list[list[Any]] = [[plain, *boards[2:]], [*boards[2:], plain]]
    for items in mixed:
        stream = io.BytesIO()
        pav.write_archive(items, stream, kind=kind, all=True)
        one_by_one = io.BytesIO()
        each = [Layout(row.tobytes()) for row in plain]
        same: list[Any] = [*each, *boards[2:]] if items[0] is plain else [*boards[2:], *each]
        pav.write_archive(same, one_by_one, kind=kind, all=True)
        assert stream.getvalue() == one_by_one.getvalue()
