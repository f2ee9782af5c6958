"""Numbers in order: the quick code against its definition, every refusal, memory and speed."""

from __future__ import annotations

import subprocess
import sys
import tracemalloc
from itertools import product

import numpy as np
import pytest
from archive_support import D, ordered_by_definition, uniform
from hypothesis import given
from hypothesis import strategies as st
from oracles import integers, limbs

from pavcodec.archive import OrderedCoder, ordered_bits
from pavcodec.errors import ReadError

EDGES = [1, 2, 3, 255, 256, 257, 756, 2**64 - 1, 2**64, 2**64 + 1, D, 2**128 - 1, 2**128]
COUNTS = [0, 1, 2, 255, 256, 257, 512, 700]


def check(numbers: list[int], cardinality: int) -> bytes:
    """The quick code is the definition, and goes back."""
    coder = OrderedCoder(cardinality)
    data = coder.encode(limbs(numbers))
    assert data == ordered_by_definition(numbers, cardinality)
    assert len(data) == coder.size(len(numbers))
    back = coder.decode(data, len(numbers))
    assert back.dtype == np.uint64
    assert back.shape == (len(numbers), 2)
    assert integers(back) == numbers
    return data


@pytest.mark.slow
@pytest.mark.parametrize("cardinality", [1, 2, 3, 4, 5, 7, 16, 17])
def test_all_short_sequences_of_toy_numbers(cardinality: int) -> None:
    for count in range(4 if cardinality > 7 else 5):
        for numbers in product(range(cardinality), repeat=count):
            data = check(list(numbers), cardinality)
            found = [OrderedCoder(cardinality).at(data, count, i) for i in range(count)]
            assert found == list(numbers)


@pytest.mark.slow
@pytest.mark.parametrize("cardinality", [1, 2, 6, 17])
def test_all_short_bytes_are_one_sequence_or_none(cardinality: int) -> None:
    coder = OrderedCoder(cardinality)
    for count in range(4 if cardinality < 17 else 3):
        known = {
            coder.encode(limbs(numbers)): list(numbers)
            for numbers in product(range(cardinality), repeat=count)
        }
        assert len(known) == cardinality**count
        for size in range(3):
            for value in range(256**size):
                data = value.to_bytes(size, "little")
                if data in known:
                    assert integers(coder.decode(data, count)) == known[data]
                    continue
                try:
                    coder.decode(data, count)
                except ReadError:
                    continue
                pytest.fail(f"{data!r} is no encoding")


@pytest.mark.slow
@pytest.mark.parametrize("cardinality", EDGES)
@pytest.mark.parametrize("count", COUNTS)
def test_edges(cardinality: int, count: int) -> None:
    last = cardinality - 1
    for numbers in (
        [0] * count,
        [last] * count,
        [last * (i % 2) for i in range(count)],
        uniform(count, cardinality)[::-1],
    ):
        data = check(numbers, cardinality)
        for index in {0, 254, 255, 256, 257, count - 1} & set(range(count)):
            assert OrderedCoder(cardinality).at(data, count, index) == numbers[index]


@pytest.mark.slow
def test_a_count_that_takes_several_passes() -> None:
    numbers = uniform(40_000, D)[::-1]
    data = check(numbers, D)
    assert OrderedCoder(D).at(data, 40_000, 33_333) == numbers[33_333]


@pytest.mark.slow
@given(data=st.data())
def test_any_numbers(data: st.DataObject) -> None:
    cardinality = data.draw(st.integers(1, 2**128) | st.sampled_from(EDGES))
    numbers = data.draw(st.lists(st.integers(0, cardinality - 1), max_size=300))
    coded = check(numbers, cardinality)
    if numbers:
        index = data.draw(st.integers(0, len(numbers) - 1))
        assert OrderedCoder(cardinality).at(coded, len(numbers), index) == numbers[index]


@given(data=st.data())
def test_any_bytes_are_numbers_that_encode_to_them_or_are_refused(data: st.DataObject) -> None:
    coder = OrderedCoder(data.draw(st.integers(1, 2**128)))
    count = data.draw(st.integers(0, 300))
    size = coder.size(count)
    coded = data.draw(st.binary(min_size=size, max_size=size))
    try:
        numbers = coder.decode(coded, count)
    except ReadError:
        return
    assert coder.encode(numbers) == coded


@pytest.mark.slow
@pytest.mark.parametrize("count", [1, 3, 256, 259])
def test_flipped_bits_and_cut_bytes(count: int) -> None:
    coder, numbers = OrderedCoder(D), uniform(count, D)
    data = coder.encode(limbs(numbers))
    for bit in range(0, 8 * len(data), 7 if count < 256 else 61):
        flipped = bytearray(data)
        flipped[bit // 8] ^= 1 << bit % 8
        try:
            found = coder.decode(bytes(flipped), count)
        except ReadError:
            continue
        assert integers(found) != numbers
        assert coder.encode(found) == flipped
    for cut in (data[:-1], data[1:], data + b"\0", b""):
        with pytest.raises(ReadError, match=f"take {len(data)} bytes, not {len(cut)}"):
            coder.decode(cut, count)
        with pytest.raises(ReadError, match="bytes, not"):
            coder.at(cut, count, 0)


def test_groups_that_are_too_great() -> None:
    coder = OrderedCoder(D)
    data = bytearray(coder.encode(limbs([0] * 600)))
    width = coder.size(256)
    data[width : 2 * width] = (D**256).to_bytes(width, "little")
    for index, is_read in ((0, True), (256, False), (511, False), (512, True)):
        if is_read:
            assert coder.at(bytes(data), 600, index) == 0
        else:
            with pytest.raises(ReadError, match="256 numbers below"):
                coder.at(bytes(data), 600, index)
    with pytest.raises(ReadError, match="group 1 is no 256 numbers below"):
        coder.decode(bytes(data), 600)


def test_a_size_that_is_wrong_costs_nothing() -> None:
    coder = OrderedCoder(D)
    tracemalloc.start()
    with pytest.raises(ReadError):
        coder.decode(bytes(10), 10**15)
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert most < 100_000


def test_bits_of_deals() -> None:
    assert OrderedCoder(D).size(8192) * 8 / 8192 < 95.4376
    assert OrderedCoder(D).size(8192) * 8 >= 8192 * ordered_bits(D)


@pytest.mark.slow
def test_one_number_is_found_without_arrays() -> None:
    code = (
        "import sys; from pavcodec.archive import OrderedCoder; "
        f"OrderedCoder({D}).at(bytes(OrderedCoder({D}).size(300)), 300, 299); "
        "assert 'numpy' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
