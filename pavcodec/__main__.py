"""The program `pavcodec`, also as `python -m pavcodec`: it ends in order when a signal asks for it.

Rule 1: a signal raises `KeyboardInterrupt`, so that all open blocks remove what is unfinished.
Rule 2: compiled code and finalizers turn that into another error, or drop it. So the signal is
        noted: whatever ends the command then, it was interrupted.
Rule 3: a call of compiled code may last for minutes, and a wait for a lock for ever. Some seconds
        later the program ends all the same; its outputs get their names when they are complete.
"""

from __future__ import annotations

import _thread
import atexit
import gc
import os
import signal
import sys
import time
from contextlib import suppress
from types import FrameType
from typing import NoReturn

_GRACE = 6.0
"""The seconds after a signal in which the open blocks may end."""

_SAME = 1.0
"""The seconds after a signal in which another is the same request: `timeout` sends two."""

_SELDOM = 100_000
"""The number of new objects before a garbage collection: imports and parsers make many."""


class _Interrupts:
    """The signals that end the program, from its first line to its last one."""

    def __init__(self) -> None:
        self.number = 0
        self.is_done = False
        self._due = 0.0
        self._numbers: set[int] = set()
        for name in ("SIGINT", "SIGTERM", "SIGHUP"):
            number = getattr(signal, name, None)
            # a shell lets its background jobs ignore interrupts, and nohup the end of a terminal
            if number is not None and signal.getsignal(number) is not signal.SIG_IGN:
                signal.signal(number, self._take)
                self._numbers.add(number)
                # what Python does last of all cannot say that it was interrupted, and is short
                atexit.register(signal.signal, number, signal.SIG_IGN)
        sys.unraisablehook = self._report
        with suppress(AttributeError, RuntimeError):  # Windows, or no further thread can start
            told, teller = os.pipe()
            os.set_blocking(teller, False)
            _thread.start_new_thread(self._watch, (told,))
            signal.set_wakeup_fd(teller, warn_on_full_buffer=False)

    def _take(self, number: int, _: FrameType | None) -> None:
        """Note a signal, and interrupt the command."""
        self.number = self.number or number
        if self.is_done:
            self.end()
        if time.monotonic() > self._due:
            self._due = time.monotonic() + _SAME
            raise KeyboardInterrupt

    def _watch(self, told: int) -> None:
        """Wait for a signal, which comes here also during a call, and end after the grace."""
        number = 0
        while number not in self._numbers:  # others, such as the end of a child, come here too
            number = os.read(told, 1)[0]
        time.sleep(_GRACE)
        self.number = self.number or number
        self.end()

    def _report(self, dropped: sys.UnraisableHookArgs) -> None:
        """Repeat an interrupt that Python dropped; report other errors that it drops."""
        if dropped.exc_type is KeyboardInterrupt and self.number:
            self._due = 0.0
            _thread.start_new_thread(self._repeat, ())
        else:
            sys.__unraisablehook__(dropped)

    def _repeat(self) -> None:
        time.sleep(_SAME / 100)  # the finalizer has ended
        _thread.interrupt_main(signal.Signals(self.number))

    def end(self) -> NoReturn:
        """Say that the program was interrupted, and end it without waiting for anything."""
        files = sys.modules.get("pavcodec.files.paths")
        if files is not None:
            files.remove_unfinished()
        if sys.stderr is not None:  # otherwise, the number 2 may be that of any file
            with suppress(OSError):
                os.write(2, b"pavcodec: interrupted\n")
        os._exit(128 + self.number)


def run() -> int:
    """Run the command line of this process and return the exit code."""
    interrupts = _Interrupts()
    try:
        gc.set_threshold(_SELDOM, 20, 20)
        from pavcodec.cli import main

        code = main()
        interrupts.is_done = True
    except BaseException:
        if not interrupts.number:
            raise
    if interrupts.number:
        interrupts.end()
    return code


if __name__ == "__main__":
    sys.exit(run())
