"""The stream in the kernel and by its definition."""

from __future__ import annotations

import numpy as np
import pytest

from pavcodec import kernel
from pavcodec.kernel import reference

CARDINALITIES = [1, 2, 3, 52, 2**64 - 1, 2**64, 2**64 + 1, 53644737765488792839237440000]
CARDINALITIES += [2**127, 2**127 + 1, 3 * 2**126 + 5, 2**128 - 1, 2**128]


def words(number: int) -> np.ndarray:
    """Return a number modulo 2¹²⁸ as two words."""
    return np.array(divmod(number % 2**128, 2**64), np.uint64)


@pytest.mark.parametrize("cardinality", CARDINALITIES)
@pytest.mark.parametrize(("seed", "first"), [(0, 0), (7, 2**64 - 20), (2**128 - 1, 5)])
def test_samples(cardinality: int, seed: int, first: int) -> None:
    compiled, defined = np.empty((2, 50, 2), np.uint64)
    least = words(2**128 % cardinality)
    for rows, draw in ((compiled, kernel.stream_draw), (defined, reference.stream_draw)):
        draw(words(seed), words(cardinality - 1), least, 1, 3, first, len(rows), rows)
    assert compiled.tolist() == defined.tolist()


SEEDS = [0, 7, 2**64, 2**128 - 1]


@pytest.mark.parametrize("seed", SEEDS)
def test_blocks_and_their_bits(seed: int) -> None:
    compiled, defined = np.empty((2, 9, 4), np.uint64)
    counter = 2**64 - 1, 5, 2**63, 2**64 - 4
    kernel.stream_blocks(words(seed), *counter, 9, compiled)
    reference.stream_blocks(words(seed), *counter, 9, defined)
    assert compiled.tolist() == defined.tolist()
    ones = kernel.stream_ones(words(seed), *counter, 9)
    assert ones == reference.stream_ones(words(seed), *counter, 9)
    assert ones == sum(word.bit_count() for block in compiled.tolist() for word in block)


@pytest.mark.parametrize("seed", SEEDS)
def test_hashes(seed: int) -> None:
    numbers = np.array([words(number) for number in (0, 1, 2**64 - 1, 2**64, 2**128 - 1)])
    compiled, defined = np.empty((2, len(numbers)), np.uint64)
    kernel.stream_hash(words(seed), len(numbers), numbers, compiled)
    reference.stream_hash(words(seed), len(numbers), numbers, defined)
    assert compiled.tolist() == defined.tolist()


@pytest.mark.parametrize("cardinality", [1025, 1026, 2000, *CARDINALITIES[4:]])
@pytest.mark.parametrize("is_forward", [0, 1])
def test_permutations(cardinality: int, is_forward: int) -> None:
    keys = np.empty((8, 2), np.uint64)
    kernel.stream_blocks(words(7), 1, 2, 5, 0, 4, keys)
    numbers = [number for near in range(5) for number in (near, cardinality - 1 - near)]
    numbers += [cardinality * part // 77 for part in range(77)]
    compiled = np.array([words(number) for number in numbers])
    defined = compiled.copy()
    bits = (cardinality - 1).bit_length() // 2
    for permute, rows in ((kernel.permute, compiled), (reference.permute, defined)):
        permute(keys, bits, words(cardinality - 1), is_forward, len(rows), rows)
    assert compiled.tolist() == defined.tolist()


def test_sets_of_rows() -> None:
    rows = np.array([words(number % 40 << 60) for number in range(0, 300, 7)])
    flags = []
    for add in (kernel.add_to_set, reference.add_to_set):
        table, is_used = np.zeros((64, 2), np.uint64), np.zeros(64, np.uint8)
        is_new = np.empty((2, len(rows)), np.uint8)
        for flag in is_new:
            add(64, table, is_used, len(rows), rows, flag)
        flags.append(is_new.tolist())
    assert flags[0] == flags[1]
    assert sum(flags[0][0]) == len({tuple(row) for row in rows.tolist()})
    assert not any(flags[0][1])
