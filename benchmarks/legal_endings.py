"""Print how fast legal endings are decided, explained and numbered, as ratios in one run.

    python benchmarks/legal_endings.py

The yardstick is the plain loop that most programs have, in C where there is a compiler; it unranks
deals. All is CPU time of one thread, the best of some turns, since the machine may be busy.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from time import process_time

from yardstick import yardstick

import pavcodec as pav
from pavcodec.numberings.legal import LegalTable


def best(call: Callable[[], object], turns: int) -> float:
    """Return the least CPU time of some turns."""
    times = []
    for _ in range(turns):
        start = process_time()
        call()
        times.append(process_time() - start)
    return min(times)


def main(words: Sequence[str] | None = None) -> int:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=200_000, help="endings in a batch")
    parser.add_argument("--turns", type=int, default=3, help="how often each row is measured")
    args = parser.parse_args(words)
    legal, balanced = pav.numbering("legal"), pav.numbering("balanced")
    numbers = legal.draw(args.count, seed=7)
    owners = legal.unrank_many(numbers, threads=1)
    mixed = balanced.sample_many(args.count, seed=7, threads=1)
    legal.rank_many(owners[:2], threads=1)
    pav.are_legal(mixed[:2], threads=1)
    few = max(1, args.count // 200)
    layouts = [pav.Layout(row.tobytes()) for row in owners[:few]]
    places = [legal.rank(layout) for layout in layouts]
    deals = pav.numbering("deal").draw(args.count, seed=7)
    with tempfile.TemporaryDirectory() as folder:
        name, loop = yardstick(Path(folder))
        rows: list[tuple[str, int, Callable[[], object]]] = [
            (f"unrank deals, {name}", args.count, lambda: loop(deals)),
            ("decide a batch", args.count, lambda: pav.are_legal(mixed, threads=1)),
            ("unrank a batch", args.count, lambda: legal.unrank_many(numbers, threads=1)),
            ("rank a batch", args.count, lambda: legal.rank_many(owners, threads=1)),
            ("unrank one by one", few, lambda: [legal.unrank(place) for place in places]),
            ("rank one by one", few, lambda: [legal.rank(layout) for layout in layouts]),
            ("decide one by one", few, lambda: [pav.legality(layout) for layout in layouts]),
            ("a line of play", few, lambda: [pav.legality(layout).line for layout in layouts]),
        ]
        each = {what: best(call, args.turns) / count for what, count, call in rows}
    yard = next(iter(each.values()))
    print("| work | µs each | a second | times the yardstick |")
    print("| --- | ---: | ---: | ---: |")
    for what, seconds in each.items():
        print(f"| {what} | {seconds * 1e6:.2f} | {1 / seconds:,.0f} | {yard / seconds:.3f} |")
    tables = best(lambda: LegalTable(4, 4, 13), 1)
    print(
        f"\nThe tables take {tables:.2f} s, as long as {tables / yard:,.0f} deals of the yardstick."
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
