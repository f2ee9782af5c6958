"""A progress bar on the error stream, where somebody is waiting and watching."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, BinaryIO, TypeVar

if TYPE_CHECKING:
    from rich.progress import Progress as Bar

__all__ = ["Progress"]

T = TypeVar("T")

AFTER = 1.0  # seconds before a bar is worth its line
EVERY = 256  # items from one look at the clock to the next


class Progress:
    """Watches what is read from a stream; shows a bar once a second has passed.

    There is no bar where the error stream is no terminal, nor where the results scroll over the
    same one.
    """

    def __init__(self, stream: BinaryIO, name: str, unit: str, *, output: str) -> None:
        self._stream = stream
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
            done = self._stream.tell() if self._stream.seekable() else None
            self._bar.update(self._bar.task_ids[0], completed=done, count=count)

    def _begin(self) -> Bar:
        from rich.console import Console
        from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

        total = os.fstat(self._stream.fileno()).st_size if self._stream.seekable() else None
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
