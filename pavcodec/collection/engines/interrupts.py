"""Interrupts from the keyboard, which go to all processes of a terminal: only the driver acts."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing import resource_tracker
from threading import current_thread, main_thread
from types import FrameType

__all__ = ["interrupts_deferred", "interrupts_held"]


@contextmanager
def interrupts_held() -> Iterator[None]:
    """Hold back interrupts in this thread; processes and threads that start here never get them.

    So a worker prints no traceback, also while it starts. The interrupt comes after the block.
    """
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    resource_tracker.ensure_running()  # its start would let interrupts through again
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


@contextmanager
def interrupts_deferred() -> Iterator[None]:
    """Let an interrupt act only after the block; a second one acts at once.

    An interrupt that acts inside of a library can leave its locks locked, and its other threads
    then wait for ever; and Python drops one that acts while an object is deleted.
    """
    before = signal.getsignal(signal.SIGINT)
    if not callable(before) or current_thread() is not main_thread():
        yield
        return
    has_come = False

    def note(number: int, frame: FrameType | None) -> None:
        nonlocal has_come
        if has_come:
            before(number, frame)
        has_come = True

    signal.signal(signal.SIGINT, note)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
        if has_come:
            signal.raise_signal(signal.SIGINT)
