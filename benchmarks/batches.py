"""Print how fast batches are, as ratios to a plain loop in C measured in the same run.

    python benchmarks/batches.py            arrays: rank, unrank, draw, evaluate, write, read
    python benchmarks/batches.py --commands whole commands: start-up, a million deals, memory

The machine may be busy. So the loop and the rows take turns, and the best of all turns counts: CPU
time for one thread, the clock for all processors. The tables are in Markdown.
"""

from __future__ import annotations

import argparse
import io
import os
import resource
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from statistics import median
from time import perf_counter, process_time

import numpy as np
from cases import CASES
from yardstick import yardstick

import pavcodec as pav
from pavcodec.boards import Context
from pavcodec.boards.batch import BoardBatch
from pavcodec.formats import Format, format_of

TARGETS = {"unrank `deal`": 2.0, "rank `deal`": 3.0} | {
    f"draw {name}": 0.8 for name, case in CASES.items() if not case.is_slow
}
"""What batches must reach in one thread: times as fast as the loop in C unranks."""
MOST_SECONDS_OF_FIRST_BATCHES = 2.0
MOST_TIMES_A_WRITE = 5.0
EXPRESSIONS = {
    "South balanced 15-17": CASES["B South balanced 15-17"].where,
    "25 points of North and South": "hcp(north) + hcp(south) >= 25",
    "`cccc(north) >= 1500`": "cccc(north) >= 1500",
}


@dataclass(frozen=True)
class Row:
    """Something that is done to so many deals in so many threads."""

    name: str
    items: int
    call: Callable[[int], object]


def best(
    calls: Mapping[str, Callable[[], object]], clock: Callable[[], float], turns: int
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


def numbering_rows(count: int) -> Iterator[Row]:
    """Yield what ranks and unranks layouts of each numbering."""
    for name in pav.numbering_names():
        ranks = pav.numbering(name)
        numbers = ranks.draw(count, seed=1999)
        owners = ranks.unrank_many(numbers)
        yield Row(f"unrank `{name}`", count, partial(_with, ranks.unrank_many, numbers))
        yield Row(f"rank `{name}`", count, partial(_with, ranks.rank_many, owners))
    deals = pav.numbering("deal")
    yield Row("sample `deal`", count, lambda k: deals.sample_many(count, seed=1, threads=k))


def _with(function: Callable[..., object], rows: object, threads: int) -> object:
    return function(rows, threads=threads)


def constraint_rows(count: int, *, slow: bool) -> Iterator[Row]:
    """Yield what draws and ranks deals of each constraint."""
    for name, case in CASES.items():
        if case.is_slow and not slow:
            continue
        space = pav.deals(case.where, memory="4G")
        assert isinstance(space, pav.ConstrainedDeals)
        yield Row(f"draw {name}", count, partial(_draw, space, count))


def _draw(space: pav.ConstrainedDeals, count: int, threads: int) -> object:
    return space.draw(count, seed=1, threads=threads)


def expression_rows(count: int) -> Iterator[Row]:
    """Yield what evaluates expressions."""
    owners = pav.numbering("deal").sample_many(count, seed=1999)
    for name, text in EXPRESSIONS.items():
        values = pav.expression(text).values
        yield Row(f"evaluate {name}", count, partial(_with, values, owners))


def format_rows(count: int) -> Iterator[Row]:
    """Yield what writes and reads boards; writers and readers are of one thread and a helper."""
    deals = pav.numbering("deal")
    numbers = deals.draw(count, seed=1999)
    owners = deals.unrank_many(numbers)
    batch = BoardBatch(owners, first=1, tags={"Generator": "benchmark"}, numbers=numbers)
    context = Context("benchmark", numbering=deals)
    for name in ("pbn", "lin", "lines", "numbers", "deal12"):
        found, stream = format_of(name), io.BytesIO()
        found.write_batches([batch], stream, context)
        yield Row(f"write `{name}`", count, partial(_write, found, batch, context))
        yield Row(f"read `{name}`", count, partial(_read, name, stream.getvalue()))


def _write(to: Format, batch: BoardBatch, context: Context, _threads: int) -> int:
    return to.write_batches([batch], io.BytesIO(), context)


def _read(name: str, data: bytes, _threads: int) -> int:
    return sum(map(len, pav.read_owners(io.BytesIO(data), format=name)))


def tables(rows: Sequence[Row], count: int, turns: int) -> tuple[list[list[str]], dict[str, float]]:
    """Return the lines of a table for one thread and all, and the ratios of one thread."""
    numbers = pav.numbering("deal").draw(count, seed=1999)
    threads = os.cpu_count() or 1
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(threads) as pool:
        plain, loop = yardstick(Path(folder))
        parts = np.array_split(numbers, 4 * threads)
        alone: dict[str, Callable[[], object]] = {plain: lambda: loop(numbers)}
        shared: dict[str, Callable[[], object]] = {plain: lambda: list(pool.map(loop, parts))}
        alone |= {row.name: partial(row.call, 1) for row in rows}
        shared |= {row.name: partial(row.call, threads) for row in rows}
        one, every = best(alone, process_time, turns), best(shared, perf_counter, turns)
    rates = {row.name: row.items / one[row.name] for row in rows}
    ratios = {name: rate / (count / one[plain]) for name, rate in rates.items()}
    lines = [
        [f"*{plain}*", f"*{count / one[plain]:,.0f}*", "*1.0*", f"*{count / every[plain]:,.0f}*"]
    ]
    for row in rows:
        rate, clock = rates[row.name], row.items / every[row.name]
        lines.append([row.name, f"{rate:,.0f}", f"{ratios[row.name]:.1f}", f"{clock:,.0f}"])
    return lines, ratios


def markdown(heads: Sequence[str], lines: Iterable[Sequence[str]]) -> str:
    """Return a table."""
    rows = [heads, ["---", *["---:"] * (len(heads) - 1)], *lines]
    return "\n".join(f"| {' | '.join(row)} |" for row in rows)


def missed(ratios: Mapping[str, float]) -> list[str]:
    """Return what did not reach its target, with its ratio."""
    return [
        f"{name}: {ratios[name]:.2f}, and {least} were expected"
        for name, least in TARGETS.items()
        if name in ratios and ratios[name] < least
    ]


def arrays(count: int, turns: int, *, slow: bool) -> list[str]:
    """Print the tables of arrays; return what did not reach its target."""
    found: dict[str, float] = {}
    for rows in (
        [*numbering_rows(count)],
        [*constraint_rows(count, slow=slow)],
        [*expression_rows(count), *format_rows(count)],
    ):
        lines, ratios = tables(rows, count, turns)
        heads = ("deals", "one thread, a second", "ratio", f"{os.cpu_count()} processors, a second")
        print(markdown(heads, lines), end="\n\n", flush=True)
        found |= ratios
    return missed(found)


FIRST_BATCH = """
import sys, pavcodec as pav
for name in sys.argv[1:]:
    ranks = pav.numbering(name)
    ranks.rank_many(ranks.unrank_many(ranks.draw(10, seed=1)))
"""


def first_batches(names: Sequence[str]) -> float:
    """Return the CPU seconds of the first batches of a process."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([sys.executable, "-c", FIRST_BATCH, *names], check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def deal_and_write(path: Path, count: int) -> tuple[float, float]:
    """Return the seconds of `deal` to a file, and of one write of the same bytes to another."""
    command = [sys.executable, "-m", "pavcodec", "deal", "-n", str(count), "--seed", "7"]
    started = perf_counter()
    subprocess.run([*command, "-o", str(path), "--force"], check=True, stderr=subprocess.DEVNULL)
    dealt = perf_counter() - started
    data = path.read_bytes()
    started = perf_counter()
    with open(path.with_suffix(".copy"), "wb") as copy:
        copy.write(data)
    return dealt, perf_counter() - started


PEAK = """
import re, sys
from pavcodec.cli import main
code = main(sys.argv[1:])
print(re.search("VmHWM:\\s*(\\d+)", open("/proc/self/status").read())[1])
sys.exit(code)
"""
"""The system's own figure: that of `getrusage` begins with what the parent took."""


def peak_of(count: int, name: str) -> float:
    """Return the most megabytes that dealing so many deals takes."""
    words = ["deal", "-n", str(count), "--seed", "7", "--to", name, "-o", os.devnull]
    done = subprocess.run([sys.executable, "-c", PEAK, *words], check=True, capture_output=True)
    return int(done.stdout) / 1024


def commands(count: int, turns: int, *, every: bool = True) -> list[str]:
    """Print what whole commands take; return what did not reach its target."""
    faults = []
    with tempfile.TemporaryDirectory() as name:
        for names in (["deal"], pav.numbering_names())[: 1 + every]:
            seconds = first_batches(names)
            what = "`deal`" if len(names) == 1 else "all numberings"
            print(f"First batches of {what}: {seconds:.1f} s of CPU, imports included.")
            if seconds > MOST_SECONDS_OF_FIRST_BATCHES:
                faults.append(f"first batches of {what} took {seconds:.1f} s")
        path = Path(name) / "deals.pbn"
        pairs = [deal_and_write(path, count) for _ in range(turns + 1)][1:]
        dealt, written = (median(column) for column in zip(*pairs, strict=True))
        ratio = median(one / other for one, other in pairs)
        least, most = (choose(one / other for one, other in pairs) for choose in (min, max))
        print(
            f"{count:,} deals to PBN, {path.stat().st_size / 1e6:.0f} MB: {dealt:.2f} s; "
            f"one write of these bytes: {written:.2f} s (medians); ratio of pairs {ratio:.1f}, "
            f"from {least:.1f} to {most:.1f}."
        )
        if ratio > MOST_TIMES_A_WRITE:
            faults.append(f"dealing to PBN takes {ratio:.1f} times a write")
    for many in (count, 10 * count) if os.path.exists("/proc/self/status") else ():
        print(f"{many:,} deals to PBN: {peak_of(many, 'pbn'):.0f} MB at most.")
    return faults


def main(words: Sequence[str] | None = None) -> int:
    """Print the tables; return 1 where a target was missed."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--commands", action="store_true", help="measure whole commands")
    parser.add_argument("--count", type=int, help="deals (default: 65,536, or a million)")
    parser.add_argument("--turns", type=int, help="turns (default: 20, or 5)")
    parser.add_argument("--slow", action="store_true", help="also models that take long to build")
    parser.add_argument("--only-deal", action="store_true", help="first batches of `deal` alone")
    args = parser.parse_args(words)
    if args.commands:
        faults = commands(args.count or 1_000_000, args.turns or 5, every=not args.only_deal)
    else:
        faults = arrays(args.count or 1 << 16, args.turns or 20, slow=args.slow)
    for fault in faults:
        print(f"missed: {fault}", file=sys.stderr)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
