"""Engines, which run a function for many items: in this process, in processes, or with Dask.

`engine` says what an engine is; `processes` uses the standard library alone and `dask_cluster` the
public interfaces of Dask. `engine_of` returns that of a number of workers or of a scheduler.
"""

from __future__ import annotations

from operator import index as as_integer
from typing import TYPE_CHECKING, SupportsIndex

from pavcodec.collection.engines.engine import Engine, ThisProcess
from pavcodec.collection.engines.processes import Processes
from pavcodec.errors import MissingExtraError, NumberError, PavError, shown
from pavcodec.limits import processors

if TYPE_CHECKING:
    from distributed import Client


LOCAL = "local"
"""The scheduler of a Dask cluster of processes on this machine, which ends with the work."""


def engine_of(
    workers: SupportsIndex | None = None, scheduler: str | Client | None = None
) -> Engine:
    """Return the engine of so many worker processes, by default one for each processor.

    One worker is this process. A `scheduler` is the address of one of Dask's, such as
    `tcp://10.0.0.1:8786`, or a client of Dask, whose cluster has its own workers; or "local" for a
    Dask cluster on this machine. Raises `NumberError` for less than one worker, and `PavError` for
    workers of a cluster that runs already, and without the package of Dask.

    >>> engine_of(1), engine_of(2)
    (ThisProcess(), Processes(workers=2))
    >>> engine_of(3, "local")
    DaskCluster(scheduler='local', workers=3)
    """
    count = processors() if workers is None else as_integer(workers)
    if count < 1:
        raise NumberError(f"workers are 1 or more, not {shown(count)}")
    if scheduler is None:
        return ThisProcess() if count == 1 else Processes(count)
    if scheduler != LOCAL and workers is not None:
        raise PavError(
            f"a Dask cluster that runs has its own workers, not {count}: give a scheduler or "
            "a number of workers"
        )
    try:
        from pavcodec.collection.engines.dask_cluster import DaskCluster
    except ImportError:
        raise MissingExtraError("cluster") from None
    return DaskCluster(scheduler, count if scheduler == LOCAL else None)
