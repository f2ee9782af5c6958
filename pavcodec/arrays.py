"""Arrays of layouts and numbers: their types, numbers of two words, checks, and threads.

Many layouts are *owners*, `uint8[n, 52]`; many numbers below 2¹²⁸ are rows of two words (high,
low), `uint64[n, 2]`, with sums and differences modulo 2¹²⁸. The kernel reads and writes both.
Threads share the rows in chunks.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from operator import index as as_integer
from typing import Any, SupportsIndex, TypeAlias

import numpy as np
from numpy.typing import NDArray

from pavcodec.errors import NumberError, PavError, shown
from pavcodec.limits import processors

Owners: TypeAlias = NDArray[np.uint8]
Limbs: TypeAlias = NDArray[np.uint64]

MOST = 1 << 128
"""The smallest number that does not fit into two words."""

_WORD = (1 << 64) - 1
_HALF, _HALF_WORD = np.uint64(32), np.uint64((1 << 32) - 1)


def split(number: int) -> tuple[np.uint64, np.uint64]:
    """Return the words of a number modulo 2¹²⁸ (high, low).

    >>> split(2**64 + 7)
    (np.uint64(1), np.uint64(7))
    """
    return np.uint64(number >> 64 & _WORD), np.uint64(number & _WORD)


def integer(row: Limbs) -> int:
    """Return the number of a row.

    >>> integer(np.array([1, 5], np.uint64)) == 2**64 + 5
    True
    """
    high, low = row.tolist()
    return int(high << 64 | low)


def add(rows: Limbs, number: int) -> Limbs:
    """Return the rows plus a number.

    >>> add(np.array([[0, 2**64 - 1]], np.uint64), 1).tolist()
    [[1, 0]]
    """
    high, low = split(number)
    total = np.empty_like(rows)
    total[:, 1] = rows[:, 1] + low
    total[:, 0] = rows[:, 0] + high
    total[:, 0] += total[:, 1] < low
    return total


def consecutive(first: int, count: int) -> Limbs:
    """Return `count` consecutive numbers from `first` on.

    >>> consecutive(2**64 - 1, 2).tolist()
    [[0, 18446744073709551615], [1, 0]]
    """
    high, low = split(first)
    rows = np.empty((count, 2), np.uint64)
    rows[:, 0] = high
    np.add(np.arange(count, dtype=np.uint64), low, out=rows[:, 1])
    rows[_WORD + 1 - int(low) :, 0] += np.uint64(1)
    return rows


def subtract(rows: Limbs, number: int) -> Limbs:
    """Return the rows minus a number.

    >>> subtract(np.array([[1, 0]], np.uint64), 1).tolist()
    [[0, 18446744073709551615]]
    """
    return add(rows, -number)


def below(rows: Limbs, number: int) -> NDArray[np.bool_]:
    """Return which rows are below a number of 0 to 2¹²⁸, as `bool[n]`.

    >>> below(np.array([[0, 5], [1, 4]], np.uint64), 2**64 + 4).tolist()
    [True, False]
    """
    if not number:
        return np.zeros(len(rows), np.bool_)
    high, low = split(number - 1)
    less: NDArray[np.bool_] = (rows[:, 0] == high) & (rows[:, 1] <= low)
    less |= rows[:, 0] < high
    return less


def differences(rows: Limbs) -> Limbs:
    """Return the difference between each row and the row before it, from the second row on.

    >>> differences(np.array([[0, 7], [1, 0], [1, 5]], np.uint64)).tolist()
    [[0, 18446744073709551609], [0, 5]]
    """
    steps: Limbs = rows[1:] - rows[:-1]
    steps[:, 0] -= rows[1:, 1] < rows[:-1, 1]
    return steps


def running_sum(rows: Limbs) -> Limbs:
    """Return the sum of each row and all rows before it.

    >>> running_sum(np.array([[0, 7], [0, 2**64 - 7], [1, 5]], np.uint64)).tolist()
    [[0, 7], [1, 0], [2, 5]]
    """
    sums = np.empty_like(rows)
    np.cumsum(rows[:, 1], out=sums[:, 1])
    carries = sums[:, 1] < rows[:, 1]
    np.cumsum(rows[:, 0] + carries, out=sums[:, 0])
    return sums


def total(rows: Limbs) -> int:
    """Return the sum of all rows, modulo 2¹²⁸.

    >>> total(np.array([[0, 7], [0, 2**64 - 7], [1, 5]], np.uint64)) == 2**65 + 5
    True
    """
    return ((int(rows[:, 0].sum()) << 64) + total_of_words(rows[:, 1])) % MOST


def total_of_words(words: Limbs) -> int:
    """Return the sum of some words, `uint64[n]`, which may exceed 64 bits.

    >>> total_of_words(np.array([2**63, 2**63], np.uint64)) == 2**64
    True
    """
    return (int((words >> _HALF).sum()) << 32) + int((words & _HALF_WORD).sum())


def bit_lengths(rows: Limbs) -> NDArray[np.uint8]:
    """Return the bit length of each row; the length of 0 is 0.

    >>> bit_lengths(np.array([[0, 0], [0, 2**64 - 1], [1, 0]], np.uint64)).tolist()
    [0, 64, 65]
    """
    high, low = rows[:, 0], rows[:, 1]
    words = np.where(high > 0, high, low)
    # if the bit below the highest bit is 0, rounding to a float cannot reach the next power of two
    _, lengths = np.frexp((words & ~(words >> np.uint64(1))).astype(np.float64))
    bits: NDArray[np.uint8] = (lengths + 64 * (high > 0)).astype(np.uint8)
    return bits


def sorting(rows: Limbs) -> NDArray[np.intp]:
    """Return the places of the rows in increasing order; equal rows keep their order.

    >>> sorting(np.array([[1, 0], [0, 7], [1, 0], [0, 2]], np.uint64)).tolist()
    [3, 1, 0, 2]
    """
    return np.lexsort((rows[:, 1], rows[:, 0]))


def are_new(rows: Limbs) -> NDArray[np.bool_]:
    """Return which sorted rows differ from their predecessor, `bool[n]`.

    >>> are_new(np.array([[0, 2], [0, 2], [1, 2]], np.uint64)).tolist()
    [True, False, True]
    """
    differ = np.ones(len(rows), np.bool_)
    differ[1:] = (rows[1:] != rows[:-1]).any(axis=1)
    return differ


# Rows of arrays in chunks, which threads share.


_AT_ONCE = 1 << 14
"""The rows of a chunk. A thread needs temporary memory for a few arrays of this size."""

Threads = SupportsIndex | None
"""The number of threads that share the work; None is `limits.processors()`."""


def checked(what: str, array: Any, kind: type[np.generic], width: int) -> Any:
    """Return the array if it has this dtype and row width; otherwise, raise `TypeError`."""
    expected = f"{what} are an array {kind.__name__}[n, {width}]"
    if not isinstance(array, np.ndarray) or isinstance(array, np.ma.MaskedArray):
        raise TypeError(f"{expected}, not {type(array).__name__!r}")
    if array.dtype != kind or array.ndim != 2 or array.shape[1] != width:
        raise TypeError(f"{expected}, not {array.dtype}{list(array.shape)}")
    return array


def refuse(row: int, one: Callable[[], object]) -> None:
    """Call the definition `one` for a row, and raise its error with the row number."""
    try:
        one()
    except PavError as error:
        raise type(error)(f"row {row}: {error}") from None
    raise AssertionError(f"the loop rejects row {row}, but the definition accepts it")


def workers_of(threads: Threads) -> int:
    """Return a number of threads as an integer; raise `NumberError` below 1."""
    workers = processors() if threads is None else as_integer(threads)
    if workers < 1:
        raise NumberError(f"threads are 1 or more, not {shown(workers)}")
    return workers


def share(
    work: Callable[[slice], None], count: int, threads: Threads, at_once: int | None = None
) -> None:
    """Call `work` for each chunk of `count` rows; raise the error of the first chunk with one."""
    workers, most = workers_of(threads), at_once or _AT_ONCE
    parts = [slice(begin, min(begin + most, count)) for begin in range(0, count, most)]
    if min(workers, len(parts)) <= 1:
        for part in parts:
            work(part)
        return
    with ThreadPoolExecutor(min(workers, len(parts))) as pool:
        for _ in pool.map(work, parts):
            pass
