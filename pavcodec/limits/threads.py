"""The number of threads that share the work of arrays, for a whole process.

By default it is one for each processor that the process may use. A process that is one of several
workers limits it to one, so that the workers of a machine do not compete for its processors.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager

__all__ = ["available", "processors", "threads_limited"]

_limits: list[int] = []
"""The limits in force; blocks in several threads may begin and end in any order."""


def processors() -> int:
    """Return the number of threads for a batch: the processors of this process, up to the limits.

    >>> with threads_limited(1):
    ...     processors()
    1
    """
    return min([available(), *_limits])


def available() -> int:
    """Return the number of processors that this process may use."""
    if hasattr(os, "sched_getaffinity"):  # a batch queue may leave a process few of many
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


@contextmanager
def threads_limited(most: int) -> Iterator[None]:
    """Limit the threads of each batch in this process while the block runs, in all its threads."""
    _limits.append(most)
    try:
        yield
    finally:
        _limits.remove(most)
