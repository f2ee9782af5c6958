"""The permutation `pav-permutation-1` over arrays, as `sampling.KeyedPermutation` defines it.

Four numbers take each round together. So the processor has several independent products to compute,
where a number alone has only the next one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

import numpy as np
from numba import types

from pavcodec.arrays.chunks import share, workers_of
from pavcodec.arrays.compiler import compiled
from pavcodec.arrays.philox import block, draw_one
from pavcodec.arrays.words.limbs import split
from pavcodec.arrays.words.wide import at_least, multiply_add, select
from pavcodec.errors import NumberError

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from pavcodec.arrays.chunks import Threads
    from pavcodec.arrays.words.limbs import Limbs


Word = np.uint64
Mixed: TypeAlias = tuple[Word, Word, Word, Word, Word, Word, Word, Word]

_SHUFFLED = 1 << 10
_ROUNDS, _MIXES, _LANES = 8, 3, 4
_LANE_OF_KEYS, _LANE_OF_SHUFFLES = Word(5), Word(7)
_FACTOR, _STEP = Word(0xD2B74407B1CE6E93), Word(0x9E3779B97F4A7C15)
_ZERO, _ONE, _WORD_BITS = Word(0), Word(1), Word(64)
_FEWEST_A_THREAD = 1 << 14


class PermutationKernel:
    """The permutation of a seed and a cardinality over arrays of numbers, `uint64[n, 2]`.

    >>> kernel = PermutationKernel(7, 52)
    >>> numbers = kernel.numbers(np.array([[0, 0], [0, 1], [0, 2]], np.uint64))
    >>> numbers.tolist(), kernel.indexes(numbers).tolist()
    ([[0, 39], [0, 37], [0, 36]], [[0, 0], [0, 1], [0, 2]])
    """

    def __init__(self, seed: int, cardinality: int) -> None:
        if not (0 <= seed < 1 << 128 and 1 <= cardinality <= 1 << 128):
            raise NumberError(f"no permutation has seed {seed} with cardinality {cardinality}")
        last, key = split(cardinality - 1), split(seed)[::-1]
        self._table: Limbs | None = None
        if cardinality <= _SHUFFLED:
            self._table = np.arange(cardinality, dtype=np.uint64)
            _shuffle(self._table, *key)
            return
        bits = (cardinality - 1).bit_length() // 2
        self._keys = np.empty((_ROUNDS, 2), np.uint64)
        _fill_keys(self._keys, *last, *key)
        left = (cardinality - 1) >> bits
        self._words = (Word(bits), Word((1 << bits) - 1), Word(left), *last)

    def numbers(self, indexes: Limbs) -> Limbs:
        """Return the numbers at indexes below the cardinality."""
        rows = np.array(indexes, np.uint64, order="C")
        self._permute(rows, forward=True)
        return rows

    def indexes(self, numbers: Limbs) -> Limbs:
        """Return the indexes of numbers below the cardinality."""
        rows = np.array(numbers, np.uint64, order="C")
        self._permute(rows, forward=False)
        return rows

    def fill(self, rows: Limbs, start: int) -> None:
        """Write the numbers at the indexes from `start` on into contiguous rows."""
        _count(rows, *split(start))
        self._permute(rows, forward=True)

    def _permute(self, rows: Limbs, *, forward: bool) -> None:
        if self._table is None:
            _permute(rows, self._keys, *self._words, forward)
            return
        table = self._table if forward else np.argsort(self._table).astype(np.uint64)
        rows[:, 1] = table[rows[:, 1]]


def permuted_indexes(
    seed: int, start: int, count: int, cardinality: int, *, threads: Threads = 1
) -> NDArray[np.uint64]:
    """Return the numbers at the indexes `start` to `start + count - 1` as `uint64[count, 2]`.

    They are those of `sampling.KeyedPermutation`; the columns are the high and the low word. The
    number of threads does not change the result. Raises `NumberError` for indexes that are not
    below the cardinality.

    >>> permuted_indexes(7, 0, 5, 52)[:, 1].tolist()
    [39, 37, 36, 0, 15]
    """
    if not (start >= 0 <= count and start + count <= cardinality):
        raise NumberError(f"there are no {count} indexes below {cardinality} from {start} on")
    kernel = PermutationKernel(seed, cardinality)
    rows = np.empty((count, 2), np.uint64)
    at_once = max(_FEWEST_A_THREAD, -(-count // workers_of(threads)))
    share(lambda part: kernel.fill(rows[part], start + part.start), count, threads, at_once)
    return rows


@compiled(inline="always")
def _mixed(a: Word, b: Word, c: Word, d: Word, constant: Word, key: Word) -> Mixed:
    """Return 128 bits that depend on a half, for four halves: the high words, then the low words.

    They are rounds of Philox2x64.
    """
    e = f = g = h = constant
    for _ in range(_MIXES):
        high, low = multiply_add(_FACTOR, a, _ZERO, _ZERO)
        a, e = high ^ key ^ e, low
        high, low = multiply_add(_FACTOR, b, _ZERO, _ZERO)
        b, f = high ^ key ^ f, low
        high, low = multiply_add(_FACTOR, c, _ZERO, _ZERO)
        c, g = high ^ key ^ g, low
        high, low = multiply_add(_FACTOR, d, _ZERO, _ZERO)
        d, h = high ^ key ^ h, low
        key += _STEP
    return a, b, c, d, e, f, g, h


@compiled(inline="always")
def _step(high: Word, low: Word, last: Word) -> Word:
    """Return 128 bits scaled to the size of the left half, `last` + 1, which may be 2⁶⁴."""
    carry, _ = multiply_add(low, last, low, _ZERO)
    step: Word = multiply_add(high, last, high, carry)[0]
    return step


@compiled(inline="always")
def _moved(left: Word, step: Word, last: Word) -> Word:
    """Return left + step modulo `last` + 1."""
    room = last - step
    moved: Word = select(Word(left > room), left - room - _ONE, left + step)
    return moved


@compiled(inline="always")
def _moved_back(left: Word, step: Word, last: Word) -> Word:
    """Return left - step modulo `last` + 1."""
    moved: Word = select(Word(left >= step), left - step, left + (last - step) + _ONE)
    return moved


@compiled(inline="always")
def _halves(high: Word, low: Word, bits: Word, mask: Word) -> tuple[Word, Word]:
    """Return a number as two halves; a shift by 64 bits is two shifts."""
    return (high << (_WORD_BITS - bits)) | (low >> (bits - _ONE) >> _ONE), low & mask


@compiled(inline="always")
def _joined(left: Word, right: Word, bits: Word) -> tuple[Word, Word]:
    """Return the number of two halves."""
    return left >> (_WORD_BITS - bits), (left << (bits - _ONE) << _ONE) | right


@compiled(inline="always")
def _turn(rows: Limbs, row: int, keys: Limbs, bits: Word, mask: Word, last: Word) -> None:
    """Replace four numbers by those after all rounds."""
    a, b = _halves(rows[row, 0], rows[row, 1], bits, mask)
    c, d = _halves(rows[row + 1, 0], rows[row + 1, 1], bits, mask)
    e, f = _halves(rows[row + 2, 0], rows[row + 2, 1], bits, mask)
    g, h = _halves(rows[row + 3, 0], rows[row + 3, 1], bits, mask)
    shift = _WORD_BITS - bits
    for k in range(0, _ROUNDS, 2):
        p, q, r, s, t, u, v, w = _mixed(b, d, f, h, keys[k, 0], keys[k, 1])
        a, c = _moved(a, _step(p, t, last), last), _moved(c, _step(q, u, last), last)
        e, g = _moved(e, _step(r, v, last), last), _moved(g, _step(s, w, last), last)
        p, q, r, s, _, _, _, _ = _mixed(a, c, e, g, keys[k + 1, 0], keys[k + 1, 1])
        b, d = b + (p >> shift) & mask, d + (q >> shift) & mask
        f, h = f + (r >> shift) & mask, h + (s >> shift) & mask
    rows[row, 0], rows[row, 1] = _joined(a, b, bits)
    rows[row + 1, 0], rows[row + 1, 1] = _joined(c, d, bits)
    rows[row + 2, 0], rows[row + 2, 1] = _joined(e, f, bits)
    rows[row + 3, 0], rows[row + 3, 1] = _joined(g, h, bits)


@compiled(inline="always")
def _turn_back(rows: Limbs, row: int, keys: Limbs, bits: Word, mask: Word, last: Word) -> None:
    """Replace four numbers by those before all rounds."""
    a, b = _halves(rows[row, 0], rows[row, 1], bits, mask)
    c, d = _halves(rows[row + 1, 0], rows[row + 1, 1], bits, mask)
    e, f = _halves(rows[row + 2, 0], rows[row + 2, 1], bits, mask)
    g, h = _halves(rows[row + 3, 0], rows[row + 3, 1], bits, mask)
    shift = _WORD_BITS - bits
    for k in range(_ROUNDS - 2, -1, -2):
        p, q, r, s, _, _, _, _ = _mixed(a, c, e, g, keys[k + 1, 0], keys[k + 1, 1])
        b, d = b - (p >> shift) & mask, d - (q >> shift) & mask
        f, h = f - (r >> shift) & mask, h - (s >> shift) & mask
        p, q, r, s, t, u, v, w = _mixed(b, d, f, h, keys[k, 0], keys[k, 1])
        a = _moved_back(a, _step(p, t, last), last)
        c = _moved_back(c, _step(q, u, last), last)
        e = _moved_back(e, _step(r, v, last), last)
        g = _moved_back(g, _step(s, w, last), last)
    rows[row, 0], rows[row, 1] = _joined(a, b, bits)
    rows[row + 1, 0], rows[row + 1, 1] = _joined(c, d, bits)
    rows[row + 2, 0], rows[row + 2, 1] = _joined(e, f, bits)
    rows[row + 3, 0], rows[row + 3, 1] = _joined(g, h, bits)


@compiled(
    types.void(types.uint64[:, ::1], types.uint64[:, ::1], *[types.uint64] * 5, types.boolean)
)
def _permute(
    rows: Limbs,
    keys: Limbs,
    bits: Word,
    mask: Word,
    last: Word,
    most_high: Word,
    most_low: Word,
    forward: bool,  # noqa: FBT001 (a compiled loop has no keywords)
) -> None:
    """Replace numbers by those after all rounds, again while they are above the largest number."""
    four = np.zeros((_LANES, 2), np.uint64)
    for begin in range(0, rows.shape[0], _LANES):
        end = min(begin + _LANES, rows.shape[0])
        is_turned = end == begin + _LANES
        if is_turned and forward:
            _turn(rows, begin, keys, bits, mask, last)
        elif is_turned:
            _turn_back(rows, begin, keys, bits, mask, last)
        for row in range(begin, end):
            high, low = rows[row, 0], rows[row, 1]
            if is_turned and at_least(most_high, most_low, high, low):
                continue
            four[0, 0], four[0, 1] = high, low
            if forward:
                _turn(four, 0, keys, bits, mask, last)
                while not at_least(most_high, most_low, four[0, 0], four[0, 1]):
                    _turn(four, 0, keys, bits, mask, last)
            else:
                _turn_back(four, 0, keys, bits, mask, last)
                while not at_least(most_high, most_low, four[0, 0], four[0, 1]):
                    _turn_back(four, 0, keys, bits, mask, last)
            rows[row, 0], rows[row, 1] = four[0, 0], four[0, 1]


@compiled(types.void(types.uint64[:, ::1], types.uint64, types.uint64))
def _count(rows: Limbs, high: Word, low: Word) -> None:
    """Write consecutive numbers."""
    for row in range(rows.shape[0]):
        rows[row, 0], rows[row, 1] = high, low
        low += _ONE
        high += Word(low == _ZERO)


@compiled(types.void(types.uint64[:, ::1], *[types.uint64] * 4))
def _fill_keys(keys: Limbs, high: Word, low: Word, left: Word, right: Word) -> None:
    """Write the constant and the key of each round; high and low are the largest number."""
    for pair in range(_ROUNDS // 2):
        words = block(low, high, _LANE_OF_KEYS, Word(pair), left, right)
        keys[2 * pair, 0], keys[2 * pair, 1] = words[0], words[1]
        keys[2 * pair + 1, 0], keys[2 * pair + 1, 1] = words[2], words[3]


@compiled(types.void(types.uint64[::1], types.uint64, types.uint64))
def _shuffle(table: NDArray[np.uint64], left: Word, right: Word) -> None:
    """Shuffle the numbers of a table, whose length is the cardinality."""
    count = Word(table.shape[0])
    for draw in range(table.shape[0] - 1):
        last = count - _ONE - Word(draw)
        size = last + _ONE
        rest = (~_ZERO) % size + _ONE  # 2^64 modulo the size, or the size
        least = rest * rest % size
        _, other = draw_one(
            count, left, right, last, _ZERO, least, _ZERO, _LANE_OF_SHUFFLES, Word(draw)
        )
        table[last], table[other] = table[other], table[last]
