"""A progress bar on the error stream, where somebody is waiting and watching."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from threading import Timer
from typing import TYPE_CHECKING, BinaryIO, TypeVar

if TYPE_CHECKING:
    from rich.progress import Progress as Bar
    from rich.status import Status

__all__ = ["Progress", "waiting"]

T = TypeVar("T")

AFTER = 1.0  # seconds before a bar is worth its line
EVERY = 256  # items from one look at the clock to the next


class Progress:
    """Watches what is read from a stream, or made; shows a bar once a second has passed.

    Without a stream, `total` is how many items there will be. There is no bar where the error
    stream is no terminal, nor where the results scroll over the same one.
    """

    def __init__(
        self,
        stream: BinaryIO | None,
        name: str,
        unit: str,
        *,
        output: str,
        total: int | None = None,
    ) -> None:
        self._stream = stream
        self._total = total
        self._name = name
        self._unit = unit
        results_scroll = output == "-" and sys.stdout is not None and sys.stdout.isatty()
        self._watched = sys.stderr is not None and sys.stderr.isatty() and not results_scroll
        self._start = time.monotonic()
        self._bar: Bar | None = None

    def watch(self, items: Iterable[T]) -> Iterator[T]:
        """Yield the items and show how far they have come."""
        if not self._watched:
            yield from items
            return
        try:
            for count, item in enumerate(items, start=1):
                if count % EVERY == 0:
                    self._show(count)
                yield item
        finally:
            if self._bar is not None:
                self._bar.stop()

    def _show(self, count: int) -> None:
        if self._bar is None and time.monotonic() - self._start > AFTER:
            self._bar = self._begin()
        if self._bar is not None:
            self._bar.update(self._bar.task_ids[0], completed=self._done(count), count=count)

    def _done(self, count: int) -> int | None:
        """Return how far it has come, in the unit of the total."""
        if self._stream is None:
            return count
        return self._stream.tell() if self._stream.seekable() else None

    def _begin(self) -> Bar:
        from rich.console import Console
        from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

        total = self._total
        if self._stream is not None and self._stream.seekable():
            total = os.fstat(self._stream.fileno()).st_size
        bar = Progress(
            TextColumn("{task.description}"),
            BarColumn(),
            TextColumn(f"{{task.fields[count]:,}} {self._unit}"),
            TimeRemainingColumn(),
            console=Console(stderr=True),
            transient=True,
        )
        bar.add_task(self._name, total=total, count=0)
        bar.start()
        return bar


@contextmanager
def waiting(what: str) -> Iterator[None]:
    """Say what is being done as soon as it has taken a second, if somebody watches."""
    if sys.stderr is None or not sys.stderr.isatty():
        yield
        return
    shown: list[Status] = []

    def show() -> None:
        from rich.console import Console

        shown.append(Console(stderr=True).status(what))
        shown[0].start()

    timer = Timer(AFTER, show)
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
        timer.join()
        if shown:
            shown[0].stop()
