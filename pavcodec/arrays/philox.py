"""Slices of the stream `pav-1` in a compiled loop, with the same integers as `sampling.Stream`.

Every operand is a `uint64`, because numba converts an operation on a `uint64` and a signed integer
to a float. A number below 2¹²⁸ is two words, high and low. The cardinality T may be 2¹²⁸, which two
words cannot store. So the loop gets M = T - 1 and computes x · T as x · M + x.
"""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

import numpy as np
from numba import types

from pavcodec.arrays.compiler import compiled
from pavcodec.arrays.seen import Seen
from pavcodec.arrays.words.wide import multiply_add
from pavcodec.errors import NumberError

if TYPE_CHECKING:
    from numpy.typing import NDArray


Word = np.uint64

_WORD = (1 << 64) - 1
_ROUNDS = 10
_FACTOR_0, _FACTOR_1 = Word(0xD2E7470EE14C6C93), Word(0xCA5A826395121157)
_STEP_0, _STEP_1 = Word(0x9E3779B97F4A7C15), Word(0xBB67AE8584CAA73B)
_ZERO, _ONE = Word(0), Word(1)
_FEWEST_A_THREAD = 1 << 14
_FEWEST_AT_ONCE = 1 << 10
SAMPLES = 1 << 64


def draw_indexes(
    seed: int,
    start: int,
    count: int,
    cardinality: int,
    *,
    substream: int | None = None,
    threads: int = 1,
) -> NDArray[np.uint64]:
    """Return samples `start` to `start + count - 1` of a seed as `uint64[count, 2]` (high, low).

    The samples are those of `sampling.Stream`, which documents and checks the arguments; here, only
    impossible values raise `NumberError`. The number of threads does not change the result. With
    `substream`, the result is draw number `substream` of each sample (see `Stream.chance`) instead
    of its index.

    >>> draw_indexes(7, 0, 3, 52).tolist()
    [[0, 40], [0, 15], [0, 36]]
    >>> draw_indexes(7, 1, 1, 2**128).tolist()
    [[5448529601018347655, 16086915834549238692]]
    >>> draw_indexes(7, 0, 1, 6, substream=1).tolist()
    [[0, 4]]
    """
    if not (start >= 0 <= count and start + count <= 1 << 64):
        raise NumberError(f"the stream has no {count} samples from {start} on")
    if not (0 <= seed < 1 << 128 and 1 <= cardinality <= 1 << 128):
        raise NumberError(f"the stream has no seed {seed} with cardinality {cardinality}")
    rows = np.empty((count, 2), np.uint64)
    wide = (seed, cardinality - 1, (1 << 128) % cardinality)
    words = [Word(word) for number in wide for word in (number & _WORD, number >> 64)]
    words += [_ZERO, _ZERO] if substream is None else [_ONE, Word(substream)]

    def fill(begin: int, end: int) -> None:
        _fill(rows[begin:end], Word(start + begin & _WORD), *words)

    parts = min(threads, count // _FEWEST_A_THREAD)
    if parts <= 1:
        fill(0, count)
        return rows
    cuts = [count * part // parts for part in range(parts + 1)]
    with ThreadPoolExecutor(parts) as pool:
        list(pool.map(fill, cuts[:-1], cuts[1:]))
    return rows


def draw_distinct(
    seed: int, start: int, count: int, cardinality: int, *, at_once: int = 1 << 16
) -> Iterator[NDArray[np.uint64]]:
    """Yield the first `count` different samples from `start` on, in arrays like `draw_indexes`.

    They are those of `sampling.Stream.distinct_indexes`, which documents the arguments.

    >>> [rows.tolist() for rows in draw_distinct(7, 0, 3, 3)]
    [[[0, 2], [0, 0], [0, 1]]]
    """
    seen = Seen()
    while (missing := count - len(seen)) > 0:
        size = min(at_once, max(missing, _FEWEST_AT_ONCE), SAMPLES - start)
        if not size:
            raise NumberError(f"the stream has no {count} different samples up to its end")
        rows = draw_indexes(seed, start, size, cardinality)
        start += size
        fresh = rows[seen.add(rows)][:missing]
        if len(fresh):
            yield fresh


def draw_distinct_indexes(
    seed: int, start: int, count: int, cardinality: int
) -> NDArray[np.uint64]:
    """Return the samples of `draw_distinct` as one array `uint64[count, 2]`.

    >>> draw_distinct_indexes(7, 0, 3, 3).tolist()
    [[0, 2], [0, 0], [0, 1]]
    """
    parts = list(draw_distinct(seed, start, count, cardinality))
    return np.concatenate([np.empty((0, 2), np.uint64), *parts])


def hash_numbers(seed: int, numbers: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Return a word for each number: `uint64[n, 2]` (high, low) to `uint64[n]`.

    The words are those of `sampling.Stream.hash_of`.

    >>> from pavcodec.sampling import Stream
    >>> int(hash_numbers(7, np.array([[1, 5]], np.uint64))[0]) == Stream(7).hash_of(2**64 + 5)
    True
    """
    words = np.empty(len(numbers), np.uint64)
    _hash(words, numbers, Word(seed & _WORD), Word(seed >> 64))
    return words


@compiled()
def block(
    a: Word, b: Word, c: Word, d: Word, left: Word, right: Word
) -> tuple[Word, Word, Word, Word]:
    """Return the block of a counter under a key, as `sampling.philox4x64` does."""
    for _ in range(_ROUNDS):
        high_0, low_0 = multiply_add(_FACTOR_0, a, _ZERO, _ZERO)
        high_1, low_1 = multiply_add(_FACTOR_1, c, _ZERO, _ZERO)
        a, b, c, d = high_1 ^ b ^ left, low_1, high_0 ^ d ^ right, low_0
        left, right = left + _STEP_0, right + _STEP_1
    return a, b, c, d


@compiled()
def _scale(x0: Word, x1: Word, m0: Word, m1: Word) -> tuple[Word, Word, Word, Word]:
    """Return the four words of x · m + x, the lowest word first."""
    carry, r0 = multiply_add(x0, m0, x0, _ZERO)
    upper, middle = multiply_add(x1, m0, x1, carry)
    carry, r1 = multiply_add(x0, m1, middle, _ZERO)
    r3, r2 = multiply_add(x1, m1, upper, carry)
    return r0, r1, r2, r3


@compiled()
def draw_one(
    k: Word,
    left: Word,
    right: Word,
    m0: Word,
    m1: Word,
    least0: Word,
    least1: Word,
    use: Word,
    substream: Word,
) -> tuple[Word, Word]:
    """Return one sample (high, low); the counters are (k, attempt, use, substream)."""
    attempt = _ZERO
    while True:
        w0, w1, w2, w3 = block(k, attempt, use, substream, left, right)
        r0, r1, low, high = _scale(w0, w1, m0, m1)
        if r1 < least1 or (r1 == least1 and r0 < least0):
            r0, r1, low, high = _scale(w2, w3, m0, m1)
            if r1 < least1 or (r1 == least1 and r0 < least0):
                attempt += _ONE
                continue
        break
    return high, low


@compiled(types.void(types.uint64[:, ::1], *[types.uint64] * 9))
def _fill(
    rows: NDArray[np.uint64],
    k: Word,
    left: Word,
    right: Word,
    m0: Word,
    m1: Word,
    least0: Word,
    least1: Word,
    use: Word,
    substream: Word,
) -> None:
    """Draw one sample for each row; `k` is the sample of the first row.

    `sampling.Stream` has the definition.
    """
    for row in range(rows.shape[0]):
        rows[row, 0], rows[row, 1] = draw_one(
            k, left, right, m0, m1, least0, least1, use, substream
        )
        k += _ONE


@compiled()
def _hash(words: NDArray[np.uint64], numbers: NDArray[np.uint64], left: Word, right: Word) -> None:
    """Write the first word of the block of each number."""
    for row in range(len(words)):
        low, high = numbers[row, 1], numbers[row, 0]
        words[row] = block(low, high, ~_ZERO, _ZERO, left, right)[0]
