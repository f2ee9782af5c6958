"""Counting that is interrupted ends at once, with exit code 130, and leaves nothing behind."""

from __future__ import annotations

import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from pavcodec.constraints.counting.pairs import Workers, workers

H = """shape(north, any 4441) && hcp(north) >= 11 && hcp(north) <= 15
    && shape(south, any 4333 + any 4432 + any 5332) && hcp(south) >= 10 && hcp(south) <= 12
    && hearts(east) >= 6 && hcp(east) >= 5 && hcp(east) <= 10 && hcp(west) <= 7"""
PROGRAM = """
import os, signal, sys
import numpy
from pavcodec import kernel
from pavcodec.constraints.counting import pairs
from pavcodec.cli import main

known = {module}.{name}
calls = 0

def interrupted(*arguments, **named):
    global calls
    calls += 1
    if calls == {calls}:
        os.kill(os.getpid(), signal.SIGINT)
    return known(*arguments, **named)

{module}.{name} = interrupted
sys.exit(main(["count", "--explain", sys.argv[1]]))
"""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("module", "name", "calls"),
    [("pairs", "_after", 22), ("pairs", "_spans", 82), ("kernel", "blocks_join", 70)],
    ids=["going forward", "going back", "putting together"],
)
def test_counting_is_interrupted(module: str, name: str, calls: int) -> None:
    """The signal comes in the middle of millions of states, while other threads work."""
    program = PROGRAM.format(module=module, name=name, calls=calls)
    done = subprocess.run([sys.executable, "-c", program, H], capture_output=True, check=False)
    assert (done.returncode, done.stdout) == (130, b"")
    assert b"Traceback" not in done.stderr


def test_tasks_that_wait_are_dropped() -> None:
    begun: list[int] = []

    def task(number: int) -> None:
        begun.append(number)
        time.sleep(0.002)
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt), workers() as threads:
        Workers(threads.pool, 2).results(task, [(number,) for number in range(1000)])
    assert len(begun) < 1000
    with ThreadPoolExecutor(1) as pool:
        assert Workers(pool, 1).results(abs, [(-1,), (2,)]) == [1, 2]
