"""What an engine is, how a worker tries an item, and the engine of one process: this one.

Rule 1: an engine yields each item exactly once, with its result or the exception of its last try,
        in the order in which they end.
Rule 2: wrong data (`PavError`) stays wrong, so the first exception is the result. An error of a
        file or of the network that may pass is worth another try, and so is a worker that died.
Rule 3: few items are under way at a time, so that a million of them take no memory.
Rule 4: whatever ends the loop over the results, no worker process of this engine remains.
"""

from __future__ import annotations

import pickle
import time
import traceback
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, TypeVar, cast

from pavcodec.errors import PavError
from pavcodec.files.objects import is_transient
from pavcodec.limits import threads_limited

Item = TypeVar("Item")
Result = TypeVar("Result")

Prepare = Callable[[], object]
"""What a worker process calls once, before its first item."""

TRIES = 5
"""The tries of an item whose files fail with errors that may pass."""

DEATHS = 3
"""The workers that may die, one after the other, while they work on an item."""

GUARD = 'a script must start them under `if __name__ == "__main__":`, or use workers=1'
"""The advice where worker processes end as they start: each of them imports the script."""

_PAUSE = 0.1
"""The seconds before the second try; each further pause is twice as long."""


class Engine(Protocol):
    """Runs a function for many items, perhaps in other processes and on other machines."""

    def run(
        self,
        work: Callable[[Item], Result],
        items: Sequence[Item],
        *,
        prepare: Prepare | None = None,
    ) -> Iterator[tuple[Item, Result | Exception]]:
        """Yield each item with its result, or with the exception of its last try.

        Functions and items go to other processes, so they can be pickled. The order is that in
        which items end. `prepare` runs once in each worker process; its exception ends the run.
        """
        ...


def packed_work(work: Callable[[Item], Result], prepare: Prepare | None) -> bytes:
    """Return a function and the preparation of its workers as a pickle for `prepared_work`."""
    return pickle.dumps((work, prepare))


def prepared_work(packed: bytes) -> Callable[[Any], Any]:
    """Return the function of a driver, after its preparation in this process.

    >>> prepared_work(packed_work(abs, None))(-2)
    2
    """
    work, prepare = pickle.loads(packed)  # noqa: S301 (from our own driver)
    if prepare is not None:
        prepare()
    return cast("Callable[[Any], Any]", work)


def attempt(
    work: Callable[[Item], Result], item: Item, *, pause: Callable[[float], object] = time.sleep
) -> Result | Exception:
    """Return the result of an item, or the exception of its last try.

    >>> attempt(abs, -2)
    2
    >>> attempt(abs, "x")
    TypeError("bad operand type for abs(): 'str'")
    """
    for again in range(TRIES):
        try:
            return work(item)
        except OSError as error:
            if again + 1 == TRIES or not is_transient(error):
                return error
        except PavError as error:
            return error
        except Exception as error:  # noqa: BLE001 (the caller judges it)
            error.add_note("".join(traceback.format_exception(error)))
            return error
        pause(_PAUSE * 2**again)
    raise AssertionError("the last try returns")


def sendable(outcome: Result | Exception) -> bytes:
    """Return an outcome as a pickle; what cannot be pickled becomes an exception with its text."""
    try:
        data = pickle.dumps(outcome)
        if isinstance(outcome, Exception):
            pickle.loads(data)  # noqa: S301 (our own: some exceptions are lost only here)
    except Exception as error:  # noqa: BLE001 (any class may fail in any way)
        text = repr(outcome) if isinstance(outcome, Exception) else f"no pickle: {error!r}"
        return pickle.dumps(RuntimeError(text))
    return data


@dataclass(frozen=True)
class ThisProcess:
    """Runs items one after the other in this process, with one thread.

    >>> list(ThisProcess().run(abs, [-2, 3]))
    [(-2, 2), (3, 3)]
    """

    def run(
        self,
        work: Callable[[Item], Result],
        items: Sequence[Item],
        *,
        prepare: Prepare | None = None,
    ) -> Iterator[tuple[Item, Result | Exception]]:
        """Yield each item with its result or its exception, in the order of the items."""
        if prepare is not None and len(items):
            prepare()
        for item in items:
            with threads_limited(1):
                outcome = attempt(work, item)
            yield item, outcome
