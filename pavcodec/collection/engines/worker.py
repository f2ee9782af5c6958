"""A worker process of the standard library: it receives items through a pipe and returns results.

Rule 1: an interrupt from the keyboard goes to all processes of a terminal; only the driver acts on
        it. It then ends the workers by a signal, which lets them remove what they have not
        finished.
Rule 2: a worker ends when its driver does, however that ends, also in the middle of an item.
"""

from __future__ import annotations

import multiprocessing
import os
import pickle
import signal
import sys
import time
from multiprocessing.connection import Connection
from threading import Thread
from typing import NoReturn

from pavcodec.collection.engines.engine import attempt, prepared_work, sendable
from pavcodec.limits.threads import threads_limited

__all__ = ["GRACE", "end_with_driver", "serve"]

GRACE = 5.0
"""The seconds in which a worker that has to end may remove its files."""


def serve(pipe: Connection) -> None:
    """Receive (function, preparation) and then items; return `None` or an error, then results."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, _end)
    Thread(target=end_with_driver, daemon=True).start()
    try:
        with threads_limited(1):
            work = attempt(prepared_work, pipe.recv_bytes())
            if isinstance(work, Exception):
                pipe.send_bytes(sendable(work))
                return
            pipe.send_bytes(sendable(None))
            while True:
                item = pickle.loads(pipe.recv_bytes())  # noqa: S301 (from the driver)
                pipe.send_bytes(sendable(attempt(work, item)))
    except (EOFError, ConnectionError):
        return  # the driver has no more items, or ended


def _end(number: int, _: object) -> NoReturn:
    """End after the blocks that are open have removed what they wrote."""
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    sys.exit(128 + number)


def end_with_driver() -> None:
    """Wait until the process that started this one has ended; then end this one."""
    driver = multiprocessing.parent_process()
    assert driver is not None, "a worker is started by a driver"
    driver.join()
    os.kill(os.getpid(), signal.SIGTERM)
    time.sleep(GRACE)
    os._exit(1)
