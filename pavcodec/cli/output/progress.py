"""A progress bar on the error stream, if it is a terminal and the work lasts over a second."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, nullcontext, suppress
from threading import Timer
from typing import TYPE_CHECKING, Any, BinaryIO, TypeVar

from pavcodec.questions.asking import Progress

if TYPE_CHECKING:
    from rich.console import RenderableType
    from rich.progress import Progress as Bar
    from rich.status import Status


T = TypeVar("T")

AFTER = 1.0  # seconds before the bar appears


class ProgressBar(Progress):
    """A progress bar for items that are read from a stream or computed.

    The bar appears after one second. With a `stream`, it shows the part of the file that was read.
    Without a stream, `total` is the number of items, or None. `note` returns a further text each
    time the bar is drawn; without a `unit`, the bar shows only this text. There is no bar if the
    error stream is no terminal, or if the results are printed on the same terminal.
    """

    def __init__(  # noqa: PLR0913 (keywords)
        self,
        stream: BinaryIO | None,
        name: str,
        unit: str,
        *,
        output: str,
        total: int | None = None,
        note: Callable[[], str] | None = None,
    ) -> None:
        self._stream = stream
        self._total = total
        self._name = name
        self._unit = unit
        self._note = note
        results_scroll = output == "-" and sys.stdout is not None and sys.stdout.isatty()
        self._watched = sys.stderr is not None and sys.stderr.isatty() and not results_scroll
        self._count = 0

    def watch(self, items: Iterable[T], size: Callable[[T], int] | None = None) -> Iterator[T]:
        """Yield the items and show progress; `size` returns the count of an item (default: 1)."""
        if not self._watched:
            yield from items
            return
        with _later(self._bar):
            for item in items:
                self._count += 1 if size is None else size(item)
                yield item

    def add(self, count: int = 1) -> None:
        """Count items that are done while the bar is shown."""
        self._count += count

    @contextmanager
    def shown(self) -> Iterator[None]:
        """Show the bar while the block runs, for work that nothing counts but the note."""
        with _later(self._bar) if self._watched else nullcontext():
            yield

    def _bar(self) -> Bar:
        """Return a bar that updates itself, also while the program waits for the next item."""
        from rich.console import Console
        from rich.progress import BarColumn, TextColumn, TimeRemainingColumn
        from rich.progress import Progress as Shown

        show = self._show

        class Bar(Shown):
            def get_renderables(self) -> Iterable[RenderableType]:
                for task in self.tasks:
                    self.update(task.id, **show())
                return super().get_renderables()

        bar = Bar(
            TextColumn("{task.description}", markup=False),
            BarColumn(),
            TextColumn("{task.fields[text]}", markup=False),
            TimeRemainingColumn(),
            console=Console(stderr=True),
            transient=True,
        )
        total = self._total
        if self._stream is not None and self._stream.seekable():
            total = os.fstat(self._stream.fileno()).st_size
        bar.add_task(self._name, total=total, text="")
        return bar

    def _show(self) -> dict[str, Any]:
        """Return the fields of the bar: the progress in the unit of the total, and the text."""
        parts = [f"{self._count:,} {self._unit}"] if self._unit else []
        if self._note is not None:
            parts.append(self._note())
        return {"completed": self._done(), "text": ", ".join(parts)}

    def _done(self) -> int | None:
        if self._stream is None:
            return self._count
        with suppress(ValueError):  # the stream may be closed already
            return self._stream.tell() if self._stream.seekable() else None
        return None


@contextmanager
def waiting(what: str) -> Iterator[None]:
    """Show a status line on a terminal while the block runs, after one second."""
    if sys.stderr is None or not sys.stderr.isatty():
        yield
        return

    def status() -> Status:
        from rich.console import Console

        return Console(stderr=True).status(what)

    with _later(status):
        yield


@contextmanager
def _later(make: Callable[[], Bar | Status]) -> Iterator[None]:
    """Show a bar or a status line while the block runs, after one second."""
    shown: list[Bar | Status] = []

    def show() -> None:
        shown.append(make())
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
