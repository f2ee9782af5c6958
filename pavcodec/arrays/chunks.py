"""Arrays of many rows: checked, worked on chunk by chunk, and shared among threads."""

from __future__ import annotations

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from operator import index as as_integer
from typing import Any, SupportsIndex

import numpy as np

from pavcodec.errors import NumberError, PavError, shown

__all__ = ["Threads", "checked", "refuse", "share", "workers_of"]

_AT_ONCE = 1 << 14
"""The rows of a chunk. What a thread holds besides the result is a few times as large."""

Threads = SupportsIndex | None
"""How many threads share the work; None for one for each processor."""


def checked(what: str, array: Any, kind: type[np.generic], width: int) -> Any:
    """Return an array as it is if it has rows of this kind; raise `TypeError` if not."""
    expected = f"{what} are an array {kind.__name__}[n, {width}]"
    if not isinstance(array, np.ndarray):
        raise TypeError(f"{expected}, not {type(array).__name__!r}")
    if array.dtype != kind or array.ndim != 2 or array.shape[1] != width:
        raise TypeError(f"{expected}, not {array.dtype}{list(array.shape)}")
    return array


def refuse(row: int, one: Callable[[], object]) -> None:
    """Raise what the definition raises for a row, with the row."""
    try:
        one()
    except PavError as error:
        raise type(error)(f"row {row}: {error}") from None
    raise AssertionError(f"the loop refuses row {row}, and the definition does not")


def workers_of(threads: Threads) -> int:
    """Return a number of threads; raise `NumberError` where there is not even one."""
    workers = (os.cpu_count() or 1) if threads is None else as_integer(threads)
    if workers < 1:
        raise NumberError(f"threads are 1 or more, not {shown(workers)}")
    return workers


def share(work: Callable[[slice], None], count: int, threads: Threads) -> None:
    """Do some work on all rows, chunk by chunk; raise the error of the first chunk that has one."""
    workers = workers_of(threads)
    parts = [slice(begin, min(begin + _AT_ONCE, count)) for begin in range(0, count, _AT_ONCE)]
    if min(workers, len(parts)) <= 1:
        for part in parts:
            work(part)
        return
    with ThreadPoolExecutor(min(workers, len(parts))) as pool:
        for _ in pool.map(work, parts):
            pass
