"""The engine for given numbers of workers."""

from __future__ import annotations

from operator import index as as_integer
from typing import SupportsIndex

from pavcodec.collection.engines.engine import Engine
from pavcodec.collection.engines.here import ThisProcess
from pavcodec.collection.engines.processes import Processes
from pavcodec.errors import NumberError, shown
from pavcodec.limits.threads import processors

__all__ = ["engine_of"]


def engine_of(workers: SupportsIndex | None = None) -> Engine:
    """Return the engine of so many worker processes, by default one for each processor.

    One worker is this process. Raises `NumberError` for less.

    >>> engine_of(1), engine_of(2)
    (ThisProcess(), Processes(workers=2))
    """
    count = processors() if workers is None else as_integer(workers)
    if count < 1:
        raise NumberError(f"workers are 1 or more, not {shown(count)}")
    return ThisProcess() if count == 1 else Processes(count)
