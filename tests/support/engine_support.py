"""Work for the workers of engines, which import this module by its name."""

from __future__ import annotations

import os
import signal
import time
from multiprocessing import active_children
from multiprocessing.context import SpawnProcess
from pathlib import Path
from typing import Any

from pavcodec.errors import PavError
from pavcodec.limits import processors


def running_workers() -> list[SpawnProcess]:
    """Return the processes of engines; those of a web server are copies, and no matter of these."""
    return [each for each in active_children() if isinstance(each, SpawnProcess)]


def square(number: int) -> int:
    """Return a square."""
    return number * number


def slow_square(number: int) -> int:
    """Return a square after some hundredths of a second."""
    time.sleep(0.05)
    return number * number


def facts(_: int) -> tuple[int, int]:
    """Return the process and the threads of its batches."""
    time.sleep(0.02)
    return os.getpid(), processors()


class Unsendable(Exception):  # noqa: N818 (its point is its arguments)
    """An exception that no other process can make again."""

    def __init__(self, first: int, second: int) -> None:
        super().__init__()
        self.both = first, second


def failing(number: int) -> int:
    """Fail in several ways, each for one item."""
    if number == 1:
        raise PavError("item 1 is wrong")
    if number == 2:
        raise Unsendable(1, 2)
    if number == 3:
        raise FileNotFoundError(2, "there is none", "x")
    return number


def fatal(number: int) -> int:
    """End the process for item 3, and once for item 5."""
    if number == 3 or (number == 5 and _first_time("five")):
        os.kill(os.getpid(), signal.SIGKILL)
    time.sleep(0.02)
    return number


class Marked:
    """Writes a line into a file of a folder; several processes may do that together."""

    def __init__(self, folder: Path, name: str) -> None:
        self.path = str(folder / name)

    def __call__(self, number: int = 0) -> int:
        """Write the process and a number."""
        with open(self.path, "a", encoding="utf-8") as stream:
            stream.write(f"{os.getpid()} {number}\n")
        return number

    def lines(self) -> list[str]:
        """Return the lines that were written."""
        return Path(self.path).read_text(encoding="utf-8").splitlines()


def results(engine: Any, work: Any, items: Any, **keywords: Any) -> dict[Any, Any]:
    """Return the outcomes by item, each of which comes once."""
    found: dict[Any, Any] = {}
    for item, outcome in engine.run(work, items, **keywords):
        assert item not in found
        found[item] = outcome
    return found


def our_plugins(dask_worker: Any) -> list[str]:  # Dask passes the worker by this name
    """Return the names of our plugins on a worker of Dask."""
    return [name for name in dask_worker.plugins if "pavcodec" in name]


def _first_time(name: str) -> bool:
    """Return whether no process of this test has asked before."""
    try:
        with open(os.path.join(os.environ["ENGINE_FOLDER"], name), "x", encoding="utf-8"):
            return True
    except FileExistsError:
        return False
