"""The import of this module makes a process ready for tasks: it runs the example of each.

The server starts one process that imports it, and each worker is a copy of this process by fork,
so a new worker has all modules and tables within some milliseconds. That process
runs no threads when it makes copies: threads of loops end with the example that needs them, and
examples that start other threads are left to the copies. A worker that is no such copy imports it
itself, before its memory is limited.
"""

from __future__ import annotations

import gc
import io
import time
from contextlib import suppress

from pavcodec.errors import PavError
from pavcodec.limits import threads_limited
from pavcodec.printing.pages import check_pdf
from pavcodec.web.tasks.catalogue import TASKS
from pavcodec.web.tasks.number import ENCODE
from pavcodec.web.tasks.task import Download

_MOST_SECONDS = 3.0
"""The time of a processor after which the rest of the examples is left to the workers."""


def _run_examples() -> None:
    start = time.process_time()
    for task in (ENCODE, ENCODE, *TASKS):  # the second search makes a table that all share
        if time.process_time() - start > _MOST_SECONDS:
            return
        if task.starts_threads:
            continue
        with suppress(Exception):  # the tests run the examples, and see what is wrong
            answer = task.work(task.example)
            if isinstance(answer, Download):
                answer.write(io.BytesIO())


with threads_limited(1):
    _run_examples()
with suppress(PavError):
    check_pdf()  # its import starts no threads
gc.collect()
gc.freeze()  # the copies share these objects; a collection would touch each
