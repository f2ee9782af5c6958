"""Numbers in order and sorted: their bytes, which stay as they are, refusals, and bounds."""

from __future__ import annotations

import tracemalloc
from bisect import bisect_left
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import replace
from decimal import Decimal, localcontext
from fractions import Fraction
from hashlib import sha256
from itertools import accumulate, combinations, combinations_with_replacement, product
from math import comb
from random import Random
from typing import Any, cast

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from oracles import integers, limbs

from pavcodec.archive import Coder, OrderedCoder, SortedCoder, multiset_bits, ordered_bits, set_bits
from pavcodec.archive.coding import coder as coder_module
from pavcodec.archive.coding.coder import PARTS
from pavcodec.archive.coding.sorted import write_run
from pavcodec.errors import NumberError, ReadError

D = 53_644_737_765_488_792_839_237_440_000
EDGES = [1, 2, 3, 255, 256, 257, 756, 2**64 - 1, 2**64, 2**64 + 1, D, 2**128 - 1, 2**128]
KINDS = ("ordered", "set", "multiset")
CHOOSE: dict[str, Callable[[range, int], Iterable[tuple[int, ...]]]] = {
    "ordered": lambda numbers, count: product(numbers, repeat=count),
    "set": combinations,
    "multiset": combinations_with_replacement,
}
"""All collections of so many numbers."""
every_kind = pytest.mark.parametrize("kind", KINDS)
SIGNS = st.sampled_from(KINDS)


def coder_of(kind: str, cardinality: int) -> Coder:
    """The coder of a kind of archive."""
    if kind == "ordered":
        return OrderedCoder(cardinality)
    return SortedCoder(cardinality, distinct=kind == "set")


def uniform(count: int, cardinality: int) -> list[int]:
    """Sorted random numbers, equal ones perhaps among them."""
    random = Random(1)
    return sorted(random.randrange(cardinality) for _ in range(count))


def distinct_uniform(count: int, cardinality: int) -> list[int]:
    """A random set of numbers."""
    random, found = Random(1), set[int]()
    while len(found) < count:
        found.add(random.randrange(cardinality))
    return sorted(found)


def check(kind: str, numbers: list[int], cardinality: int, places: int = 9) -> bytes:
    """The code goes back, and finds single numbers and their places."""
    coder, count = coder_of(kind, cardinality), len(numbers)
    data = coder.encode(limbs(numbers))
    back = coder.decode(data, count)
    assert back.dtype == np.uint64
    assert back.shape == (count, 2)
    assert integers(back) == numbers
    chosen = {*range(0, count, max(1, count // places)), 254, 255, 256, count - 1}
    for index in chosen & set(range(count)):
        assert coder.at(data, count, index) == numbers[index]
        if isinstance(coder, SortedCoder):
            for sought in range(numbers[index] - 1, numbers[index] + 2):
                assert coder.find(data, count, sought) == bisect_left(numbers, sought)
    if isinstance(coder, OrderedCoder):
        assert len(data) == coder.size(count)
        return data
    sorted_coder = cast("SortedCoder", coder)
    assert integers(sorted_coder.read(data, count)) == numbers
    for sought in (-(2**200), -1, 0, cardinality - 1, cardinality, 2**128, 2**200):
        assert sorted_coder.find(data, count, sought) == bisect_left(numbers, sought)
    return data


TOYS = {"ordered": "02e9e8ea", "set": "91746cfe", "multiset": "dbd12f31"}
AT_EDGES = {"ordered": "3a4e8164", "set": "d381f694", "multiset": "a7c2b1d0"}
GAPS = ["546f72cb", "b1eb3adf", "0f01a0f2", "3c7e3c79", "98bf6b08", "34f6a3f5"]
"""Hashes of bytes that were once compared with plain loops; "Numbers in a block" defines them."""


def hash_of(codes: Iterable[bytes]) -> str:
    return sha256(b"".join(len(code).to_bytes(4, "little") + code for code in codes)).hexdigest()[
        :8
    ]


@pytest.mark.slow
@every_kind
def test_all_short_collections_of_toys(kind: str) -> None:
    collections = [
        (list(numbers), cardinality)
        for cardinality in (1, 2, 3, 5)
        for count in range(6 if kind == "set" else 4)
        for numbers in CHOOSE[kind](range(cardinality), count)
    ]
    assert hash_of(check(kind, *each) for each in collections) == TOYS[kind]


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["set", "multiset"])
@pytest.mark.parametrize("cardinality", [1, 4])
def test_bytes_are_one_sorted_collection_or_none(cardinality: int, kind: str) -> None:
    """All bytes behind all pairs of ends, and behind ends that are not below the cardinality."""
    coder = coder_of(kind, cardinality)
    width = 0 if cardinality == 1 else 1
    for count in range(5):
        known = {
            coder.encode(limbs(numbers)): list(numbers)
            for numbers in CHOOSE[kind](range(cardinality), count)
        }
        for size in range(4):
            head = min(size, 2 * width)
            for ends in product(range(cardinality + 1), repeat=head):
                for value in range(256 ** min(1, size - head)):
                    data = bytes(ends) + value.to_bytes(size - head, "little")
                    if data in known:
                        assert integers(coder.decode(data, count)) == known.pop(data)
                    else:
                        with pytest.raises(ReadError):
                            coder.decode(data, count)
        assert all(len(data) > 3 for data in known)


@pytest.mark.slow
@every_kind
def test_edges(kind: str) -> None:
    codes = []
    counts = [(each, 3) for each in EDGES] + [(2**64, n) for n in (0, 1, 2, 255, 256, 257, 700)]
    for cardinality, count in counts:
        last, many, half = cardinality - 1, min(count, cardinality), min(count, cardinality) // 2
        if kind == "set":
            every = [
                list(range(many)),
                list(range(cardinality - many, cardinality)),
                sorted({*range(half), *range(cardinality - half, cardinality)}),
                distinct_uniform(many, cardinality),
            ]
        else:
            every = [
                [0] * count,
                [last] * count,
                [0] * (count // 2) + [last] * (count // 2),
                sorted(uniform(count // 4, cardinality) * 4),
                uniform(count, cardinality),
            ]
        for numbers in every:
            in_order = numbers[:: -1 if kind == "ordered" else 1]
            codes.append(check(kind, in_order, cardinality, places=3))
    assert hash_of(codes) == AT_EDGES[kind]


def test_several_passes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(coder_module, "_AT_ONCE", 512)
    check("ordered", uniform(1300, D)[::-1], D)


def clustered(seed: int) -> list[int]:
    """Numbers whose gaps differ in every way, some of them equal."""
    random, gaps = Random(seed), list[int]()
    for _ in range(random.randrange(100)):
        width = random.choice([0, 0, 1, 3, 20, 40, 85, 115])
        gaps += [random.randrange(2**width) for _ in range(random.randrange(30))]
    return list(accumulate(gaps, initial=random.randrange(2**120)))


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(6))
def test_gaps_of_many_kinds(seed: int) -> None:
    numbers = clustered(seed)
    bag = check("multiset", numbers, 2**128, places=3)
    assert hash_of([bag, check("set", sorted(set(numbers)), 2**128, places=3)]) == GAPS[seed]


@pytest.mark.slow
@given(data=st.data(), kind=SIGNS)
def test_any_numbers(data: st.DataObject, kind: str) -> None:
    cardinality = data.draw(st.integers(1, 2**128) | st.sampled_from(EDGES))
    numbers = st.integers(0, cardinality - 1) | st.integers(0, min(cardinality, 50) - 1)
    drawn = data.draw(st.lists(numbers, max_size=200, unique=kind == "set"))
    check(kind, drawn if kind == "ordered" else sorted(drawn), cardinality, places=2)


# damage


DAMAGED = {
    "ordered": uniform(3, D),
    "ordered, two groups": uniform(259, D),
    "set, wide": distinct_uniform(12, 2**128),
    "set, groups of both": sorted({*range(500, 540), *range(2**90, 2**90 + 2**20, 2**16)}),
    "set, one": [5],
    "set, two": [5, 2**80],
}


@pytest.mark.slow
@pytest.mark.parametrize("name", DAMAGED)
def test_flipped_bits_and_cut_bytes(name: str) -> None:
    numbers, kind = DAMAGED[name], name.partition(",")[0]
    count, coder = len(numbers), coder_of(kind, D if kind == "ordered" else 2**128)
    data = coder.encode(limbs(numbers))
    for bit in range(0, 8 * len(data), 1 + len(data) // 50):
        flipped = bytearray(data)
        flipped[bit // 8] ^= 1 << bit % 8
        with suppress(ReadError):
            assert 0 <= coder.at(bytes(flipped), count, count // 2) < coder.cardinality
        with suppress(ReadError):
            found = coder.decode(bytes(flipped), count)
            assert integers(found) != numbers
            assert coder.encode(found) == flipped
    cuts = [data[:size] for size in range(0, len(data), 1 + len(data) // 50)]
    for wrong, many in [(cut, count) for cut in cuts] + [(data + b"\0", count), (data, count + 1)]:
        with pytest.raises(ReadError):
            coder.decode(wrong, many)


def test_groups_that_are_too_great() -> None:
    coder = OrderedCoder(D)
    data = bytearray(coder.encode(limbs([0] * 600)))
    width = coder.size(256)
    data[width : 2 * width] = (D**256).to_bytes(width, "little")
    assert coder.at(bytes(data), 600, 255) == coder.at(bytes(data), 600, 512) == 0
    for index in (256, 511):
        with pytest.raises(ReadError, match="256 numbers below"):
            coder.at(bytes(data), 600, index)
    with pytest.raises(ReadError, match="group 1 is no 256 numbers below"):
        coder.decode(bytes(data), 600)
    with pytest.raises(ReadError, match=f"take {len(data)} bytes, not 9"):
        coder.decode(bytes(9), 600)
    with pytest.raises(ReadError, match="bytes, not 9"):
        coder.at(bytes(9), 600, 0)


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
    places = write_run(limbs([1, 1, 0]), 2)
    short, long = write_run(limbs([3, 2]), 5), write_run(limbs([2, 5]), 7)
    split = data[:2] + bytes([3, 2, 7]) + places + bytes([0]) + short + bytes([0]) + long
    assert coder.find(split, 5, 9) == 2
    assert [coder.at(split, 5, index) for index in range(5)] == numbers
    with pytest.raises(ReadError, match="the bytes are not those of 5 numbers below 100"):
        coder.decode(split, 5)


@pytest.mark.parametrize("tag", [1, 60, 128, 129, 255])
def test_splits_that_no_gaps_have(tag: int) -> None:
    coder = SortedCoder(2**128, distinct=False)
    head = bytes(16) + b"\xff" * 16 + bytes([tag])
    for long, rest, tail in product((0, 1, 99, 100), (0, 1, 255), (0, 255)):
        with pytest.raises(ReadError):
            coder.decode(head + bytes([long]) + bytes([rest]) * 16 + bytes([tail]) * 5000, 100)


@pytest.mark.parametrize("kind", KINDS)
def test_bad_arguments(kind: str) -> None:
    coder = coder_of(kind, 10)
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
    assert len({coder_of(kind, 10), *(coder_of(each, 10) for each in KINDS)}) == 3


@pytest.mark.parametrize(
    ("kind", "numbers", "reason"),
    [
        ("set", [4, 5, 5], "row 2: 5 is to be greater than the number before it, 5"),
        ("multiset", [5, 5, 4], "row 2: 4 is to be at least the number before it, 5"),
        ("multiset", [2**64, 9], "row 1: 9 is to be at least"),
    ],
)
def test_numbers_in_a_wrong_order(kind: str, numbers: list[int], reason: str) -> None:
    with pytest.raises(NumberError, match=reason):
        coder_of(kind, 2**128).encode(limbs(numbers))


def peak(coder: Coder, data: bytes, count: int) -> int:
    """The memory that decoding takes, right or wrong."""
    tracemalloc.start()
    with suppress(ReadError):
        coder.decode(data, count)
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return most


@pytest.mark.parametrize("tag", [0, 1, 90])
def test_a_giant_count_costs_nothing(tag: int) -> None:
    data = bytes(12) + (D - 1).to_bytes(12, "little") + bytes([tag]) + b"\1" * 500
    for kind in KINDS:
        assert peak(coder_of(kind, D), data, 10**15) < 100_000


# bounds


def bits_by_definition(ways: int, count: int) -> Fraction:
    """The logarithm of the ways for each of so many, rounded down, by decimal numbers.

    They have 60 digits, and a logarithm here has less than 10 before the point. Decimal logarithms
    are correctly rounded, and have nothing in common with those of MPFR.
    """
    if ways & (ways - 1) == 0:
        return Fraction((ways.bit_length() - 1) * PARTS // count, PARTS)
    with localcontext(prec=60):
        logarithm = Decimal(ways).ln() / Decimal(2).ln()
        return Fraction(int(logarithm * PARTS / count), PARTS)


@given(st.integers(1, 2**128) | st.integers(1, 13) | st.sampled_from(EDGES), st.integers(1, 60))
def test_bounds_of_small_collections(cardinality: int, count: int) -> None:
    assert ordered_bits(cardinality) == bits_by_definition(cardinality, 1)
    many = min(count, cardinality)
    assert set_bits(cardinality, many) == bits_by_definition(comb(cardinality, many), many)
    ways = comb(cardinality + count - 1, count)
    assert multiset_bits(cardinality, count) == bits_by_definition(ways, count)


@pytest.mark.slow
@pytest.mark.parametrize("cardinality", [D, 1000])
def test_bounds_of_sets_that_are_counted_in_full(cardinality: int) -> None:
    count = min(1000, cardinality // 3)
    for many in (count, cardinality - count):
        ways = comb(cardinality, count)
        assert set_bits(cardinality, many) == bits_by_definition(ways, many)


def test_figures_nothing_and_everything() -> None:
    for count, shown in ((10**3, "86.908"), (10**5, "80.270"), (10**7, "73.627")):
        assert f"{float(set_bits(D, count)):.3f}" == shown
        assert f"{float(multiset_bits(D, count)):.3f}" == shown
    assert set_bits(D, 0) == multiset_bits(D, 0) == 0
    assert set_bits(756, 756) == multiset_bits(1, 10**6) == 0
    wrong: list[tuple[Callable[..., Fraction], tuple[int, ...], str]] = [
        (set_bits, (5, 6), "a set of numbers below 5 has no 6 of them"),
        (multiset_bits, (5, -1), "0 deals or more, not -1"),
        (ordered_bits, (0,), "a cardinality is from 1 to 2"),
        (set_bits, (2**128 + 1, 1), "a cardinality is from 1 to 2"),
    ]
    for function, arguments, reason in wrong:
        with pytest.raises(NumberError, match=reason):
            function(*arguments)
