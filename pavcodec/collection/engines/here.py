"""The engine of one process: this one."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from pavcodec.collection.engines.engine import Item, Prepare, Result, attempt
from pavcodec.limits.threads import threads_limited

__all__ = ["ThisProcess"]


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
