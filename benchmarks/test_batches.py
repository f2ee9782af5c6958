"""Batches: rank and unrank many layouts, as ratios to a plain loop in C measured in the same run.

The machine may be busy. So the yardstick and the rows take turns, each figure is the best of all
turns, and what is measured is the CPU time of one thread.
"""

from __future__ import annotations

import ctypes
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from time import perf_counter, thread_time
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from plain_loop import unrank_loop

import pavcodec as pav

if TYPE_CHECKING:
    from _pytest.terminal import TerminalReporter

ROWS = 20_000
TURNS = 60
TARGETS = {"unrank deal": 2.0, "rank deal": 3.0}
"""What batches of deals must reach: times as fast as the loop in C unranks."""
MOST_SECONDS_TO_COMPILE = 20.0

PLAIN_LOOP = r"""
#include <stdint.h>
typedef unsigned __int128 number;
static number ways[14][14][14][14];

void fill(void) {
    for (int n = 0; n < 14; n++)
    for (int e = 0; e < 14; e++)
    for (int s = 0; s < 14; s++)
    for (int w = 0; w < 14; w++)
        ways[n][e][s][w] = n + e + s + w == 0 ? 1
            : (n ? ways[n - 1][e][s][w] : 0) + (e ? ways[n][e - 1][s][w] : 0)
            + (s ? ways[n][e][s - 1][w] : 0) + (w ? ways[n][e][s][w - 1] : 0);
}

void unrank(const uint64_t *numbers, uint8_t *owners, long count) {
    for (long deal = 0; deal < count; deal++, numbers += 2, owners += 52) {
        number left = (number) numbers[0] << 64 | numbers[1];
        int room[4] = {13, 13, 13, 13};
        for (int card = 0; card < 52; card++)
            for (int seat = 0; seat < 4; seat++) {
                if (!room[seat]) continue;
                room[seat]--;
                number part = ways[room[0]][room[1]][room[2]][room[3]];
                if (left < part) { owners[card] = seat; break; }
                left -= part;
                room[seat]++;
            }
    }
}
"""

Unrank = Callable[[Any], Any]


def yardstick(folder: Path) -> tuple[str, Unrank]:
    """Return the plain loop, in C if there is a compiler, and what it is called."""
    compiler = shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")
    if compiler is None:
        return "plain loop in Python", lambda numbers: [
            unrank_loop(high << 64 | low) for high, low in numbers.tolist()
        ]
    source, library = folder / "loop.c", folder / "loop.so"
    source.write_text(PLAIN_LOOP)
    subprocess.run([compiler, "-O2", "-shared", "-fPIC", source, "-o", library], check=True)
    loop = ctypes.CDLL(str(library))
    loop.fill()

    def unrank(numbers: Any) -> Any:  # noqa: ANN401
        owners = np.empty((len(numbers), 52), np.uint8)
        loop.unrank(
            numbers.ctypes.data_as(ctypes.c_void_p),
            owners.ctypes.data_as(ctypes.c_void_p),
            ctypes.c_long(len(numbers)),
        )
        return owners

    return "plain loop in C", unrank


def best(
    calls: Mapping[str, Callable[[], Any]], clock: Callable[[], float], turns: int = TURNS
) -> dict[str, float]:
    """Return the least time that each call took, of many turns after one that does not count."""
    times: dict[str, float] = {}
    for turn in range(turns + 1):
        for name, call in calls.items():
            started = clock()
            call()
            took = clock() - started
            if turn:
                times[name] = min(took, times.get(name, took))
    return times


class Table:
    """Lines that are printed when all is done."""

    def __init__(self) -> None:
        self.lines: list[str] = []

    def pytest_terminal_summary(self, terminalreporter: TerminalReporter) -> None:
        """Print the lines that there are."""
        if self.lines:
            terminalreporter.section("batches; ratios are to the plain loop, which unranks deals")
            for line in self.lines:
                terminalreporter.write_line(line)

    def add(self, name: str, rate: float, ratio: float) -> None:
        """Add a line with a figure and its ratio."""
        self.lines.append(f"{name:<36}{rate:>14,.0f} a second{ratio:>9.2f}")


@pytest.fixture(scope="module")
def table(request: pytest.FixtureRequest) -> Table:
    """Return the table that is printed at the end of the run."""
    made = Table()
    request.config.pluginmanager.register(made)
    return made


def is_measured(request: pytest.FixtureRequest) -> bool:
    """Tell whether figures are wanted, or only that everything runs."""
    enabled, disabled = map(request.config.getoption, ("benchmark_enable", "benchmark_disable"))
    return bool(enabled or not disabled)


def in_numbering(name: str, count: int) -> dict[str, Callable[[], Any]]:
    """Return the calls that rank and unrank layouts of a numbering in one thread."""
    ranks = pav.numbering(name)
    numbers = ranks.draw(count, seed=1999)
    owners = ranks.unrank_many(numbers)
    return {
        f"unrank {name}": lambda: ranks.unrank_many(numbers, threads=1),
        f"rank {name}": lambda: ranks.rank_many(owners, threads=1),
    }


def test_one_thread(table: Table, request: pytest.FixtureRequest, tmp_path: Path) -> None:
    """Rank and unrank in every numbering; the two that have targets must reach them."""
    count = ROWS if is_measured(request) else 100
    deals, (plain, loop) = pav.numbering("deal"), yardstick(tmp_path)
    numbers = deals.draw(count, seed=1999)
    assert [bytes(owners) for owners in loop(numbers)] == list(
        map(bytes, deals.unrank_many(numbers))
    )
    calls: dict[str, Callable[[], Any]] = {plain: lambda: loop(numbers)}
    for name in pav.numbering_names():
        calls |= in_numbering(name, count)
    calls["sample deal"] = lambda: deals.sample_many(count, seed=1, threads=1)
    if not is_measured(request):
        return
    times = best(calls, thread_time)
    for name, took in times.items():
        table.add(name, count / took, times[plain] / took)
    if "C" in plain:
        reached = {name: times[plain] / times[name] for name in TARGETS}
        assert all(reached[name] >= least for name, least in TARGETS.items()), reached


def test_all_processors(table: Table, request: pytest.FixtureRequest, tmp_path: Path) -> None:
    """Compare a thread for each processor with one thread, by the clock; and the plain loop too."""
    if not is_measured(request):
        return
    deals, (plain, loop), threads = pav.numbering("deal"), yardstick(tmp_path), os.cpu_count() or 1
    numbers = deals.draw(20 * ROWS, seed=1999)
    parts = np.array_split(numbers, 4 * threads)
    pools = {many: ThreadPoolExecutor(many) for many in (1, threads)}
    table.lines.append("by the clock; ratios are to one thread")
    for name, call in {
        plain: lambda many: list(pools[many].map(loop, parts)),
        "unrank deal": lambda many: deals.unrank_many(numbers, threads=many),
    }.items():
        times = best({str(many): partial(call, many) for many in pools}, perf_counter, 10)
        for many, took in times.items():
            table.add(f"{name}, threads: {many}", len(numbers) / took, times["1"] / took)


FIRST_BATCH = """
import sys, time
import pavcodec as pav
started = time.process_time()
for name in sys.argv[1:]:
    ranks = pav.numbering(name)
    ranks.rank_many(ranks.unrank_many(ranks.draw(10, seed=1)))
print(time.process_time() - started)
"""


@pytest.mark.parametrize("names", [["deal"], pav.numbering_names()], ids=["deal", "all ten"])
def test_first_batch(
    table: Table, request: pytest.FixtureRequest, names: list[str], tmp_path: Path
) -> None:
    """Time the first batches of a new installation, and those of a new process after it."""
    if not is_measured(request):
        return
    environment = os.environ | {"NUMBA_CACHE_DIR": str(tmp_path)}
    command = [sys.executable, "-c", FIRST_BATCH, *names]
    seconds = [
        float(subprocess.run(command, env=environment, capture_output=True, check=True).stdout)
        for _ in range(2)
    ]
    what = "all numberings" if len(names) > 1 else names[0]
    table.lines.append(
        f"first batches of {what}: {seconds[0]:.1f} s of CPU to compile, "
        f"{seconds[1]:.1f} s from the disk"
    )
    assert seconds[0] < MOST_SECONDS_TO_COMPILE
