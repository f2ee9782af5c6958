"""A progress bar on the error stream, where somebody is waiting and watching."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from threading import Timer
from typing import TYPE_CHECKING, Any, BinaryIO, TypeVar

if TYPE_CHECKING:
    from rich.console import RenderableType
    from rich.progress import Progress as Bar
    from rich.status import Status

__all__ = ["Progress", "waiting"]

T = TypeVar("T")

AFTER = 1.0  # seconds before a bar is worth its line


class Progress:
    """Watches what is read from a stream, or made; shows a bar once a second has passed.

    Without a stream, `total` is how many items there will be; `note` tells more, whenever the bar
    is drawn. There is no bar where the error stream is no terminal, nor where the results scroll
    over the same one.
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
        """Yield the items and show how far they have come; `size` says how many an item is."""
        if not self._watched:
            yield from items
            return
        with _later(self._bar):
            for item in items:
                self._count += 1 if size is None else size(item)
                yield item

    def _bar(self) -> Bar:
        """Return a bar that looks itself how far it is, even while no item comes."""
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
            TextColumn("{task.description}"),
            BarColumn(),
            TextColumn("{task.fields[text]}"),
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
        """Return what the bar shows: how far it has come in the unit of the total, and as text."""
        text = f"{self._count:,} {self._unit}"
        if self._note is not None:
            text += f", {self._note()}"
        return {"completed": self._done(), "text": text}

    def _done(self) -> int | None:
        if self._stream is None:
            return self._count
        with suppress(ValueError):  # it may be closed by now
            return self._stream.tell() if self._stream.seekable() else None
        return None


@contextmanager
def waiting(what: str) -> Iterator[None]:
    """Say what is being done as soon as it has taken a second, if somebody watches."""
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
    """Show something from a second on until the end."""
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
