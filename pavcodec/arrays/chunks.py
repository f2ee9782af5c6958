"""Check arrays, process their rows in chunks, and share the chunks among threads."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from operator import index as as_integer
from typing import Any, SupportsIndex

import numpy as np

from pavcodec.errors import NumberError, PavError, shown
from pavcodec.limits import processors

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
