"""Random numbers, defined: the stream `pav-1`, the permutation `pav-permutation-1`, sets of rows.

The generator is Philox, which maps a counter of four words and a key of two words to four random
words: Salmon, Moraes, Dror, Shaw: *Parallel random numbers: as easy as 1, 2, 3* (2011), which also
has the constants. There is no state, so each block can be computed on its own. The key of a seed is
its low and its high word.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from pavcodec.kernel.reference.numbers import WORD, Words, number_at, put_number

Block = tuple[int, int, int, int]
Key = tuple[int, int]
Flags = NDArray[np.uint8]

_ROUNDS = 10
_FACTORS = 0xD2E7470EE14C6C93, 0xCA5A826395121157
_STEPS = 0x9E3779B97F4A7C15, 0xBB67AE8584CAA73B


def philox4x64(counter: Block, key: Key) -> Block:
    """Return the block of a counter under a key, after ten rounds.

    >>> [f"{word:016x}" for word in philox4x64((0, 0, 0, 0), (0, 0))]
    ['16554d9eca36314c', 'db20fe9d672d0fdc', 'd7e772cee186176b', '7e68b68aec7ba23b']
    """
    a, b, c, d = counter
    left, right = key
    for _ in range(_ROUNDS):
        first, second = _FACTORS[0] * a, _FACTORS[1] * c
        a, b, c, d = second >> 64 ^ b ^ left, second & WORD, first >> 64 ^ d ^ right, first & WORD
        left, right = left + _STEPS[0] & WORD, right + _STEPS[1] & WORD
    return a, b, c, d


def index_of(
    block_of: Callable[[Block, Key], Block],
    key: Key,
    cardinality: int,
    k: int,
    use: int = 0,
    substream: int = 0,
) -> int:
    """Return sample k of a key and a cardinality up to 2¹²⁸, from the blocks of a generator.

    An attempt has the counter (k, attempt, use, substream), whose block is two numbers x below
    2¹²⁸. The index is x · cardinality div 2¹²⁸. Some indexes have one x more than others: the
    product modulo 2¹²⁸ must be at least 2¹²⁸ modulo the cardinality, so that all are equally
    likely; otherwise, the next x decides.
    """
    attempt = 0
    while True:
        w0, w1, w2, w3 = block_of((k, attempt, use, substream), key)
        for x in (w0 | w1 << 64, w2 | w3 << 64):
            index, rest = divmod(x * cardinality, 1 << 128)
            if rest >= (1 << 128) % cardinality:
                return index
        attempt += 1


def stream_draw(
    seed: Words,
    last: Words,
    least: Words,
    use: int,
    substream: int,
    first: int,
    n: int,
    rows: Words,
) -> None:
    """Write the samples from `first` on of the cardinality `last` + 1."""
    for row in range(n):
        k = first + row & WORD
        index = index_of(philox4x64, _key(seed), number_at(last) + 1, k, use, substream)
        put_number(rows, row, index)


def stream_blocks(seed: Words, a: int, b: int, c: int, first: int, n: int, blocks: Words) -> None:
    """Write the blocks of the counters (a, b, c, first), (a, b, c, first + 1) …."""
    for block in range(n):
        words = philox4x64((a, b, c, first + block & WORD), _key(seed))
        blocks.reshape(-1, 4)[block] = words


def stream_ones(seed: Words, a: int, b: int, c: int, first: int, n: int) -> int:
    """Return how many bits of the blocks of `stream_blocks` are 1."""
    blocks = (philox4x64((a, b, c, first + block & WORD), _key(seed)) for block in range(n))
    return sum(word.bit_count() for block in blocks for word in block)


def stream_hash(seed: Words, n: int, numbers: Words, words: Words) -> None:
    """Write the first word of the block of (low word, high word, 2⁶⁴ - 1, 0) for each number."""
    for row in range(n):
        high, low = divmod(number_at(numbers, row), 1 << 64)
        words[row] = philox4x64((low, high, WORD, 0), _key(seed))[0]


_MIXES = 3
_FACTOR, _STEP = 0xD2B74407B1CE6E93, 0x9E3779B97F4A7C15
"""The constants of Philox2x64."""


def permute(keys: Words, bits: int, last: Words, is_forward: int, n: int, rows: Words) -> None:
    """Replace each number by its image under the permutation of some keys, or the reverse.

    A number is two halves, the right one of `bits` bits. In each round, a value that depends on one
    half and on the keys of the round is added to the other half, modulo its size, so each round can
    be undone. A result above `last` takes all rounds again.
    """
    largest = number_at(last)
    sizes = (largest >> bits) + 1, 1 << bits
    rounds = list(enumerate(keys.reshape(-1, 2).tolist()))
    for row in range(n):
        number = number_at(rows, row)
        while True:
            halves = list(divmod(number, sizes[1]))
            for k, (constant, key) in rounds if is_forward else reversed(rounds):
                step = _mixed(halves[1 - k % 2], constant, key) * sizes[k % 2] >> 128
                moved = halves[k % 2] + (step if is_forward else -step)
                halves[k % 2] = moved % sizes[k % 2]
            number = halves[0] * sizes[1] + halves[1]
            if number <= largest:
                break
        put_number(rows, row, number)


def _mixed(half: int, constant: int, key: int) -> int:
    """Return 128 bits that depend on a half: three rounds of Philox2x64."""
    for _ in range(_MIXES):
        product = _FACTOR * half
        half, constant = product >> 64 ^ constant ^ key, product & WORD
        key = key + _STEP & WORD
    return half << 64 | constant


def add_to_set(size: int, table: Words, is_used: Flags, n: int, rows: Words, is_new: Flags) -> None:
    """Add rows to a set, which is in the slots of the table that are used; say which are new."""
    held = {number_at(table, slot) for slot in range(size) if is_used[slot]}
    free = (slot for slot in range(size) if not is_used[slot])
    for row in range(n):
        number = number_at(rows, row)
        is_new[row] = number not in held
        if is_new[row]:
            held.add(number)
            slot = next(free)
            is_used[slot] = 1
            put_number(table, slot, number)


def _key(seed: Words) -> Key:
    high, low = seed.tolist()
    return low, high
