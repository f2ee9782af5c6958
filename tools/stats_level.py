"""Write the share of random collections that fail their tests into docs/studies/collections.md.

    python tools/stats_level.py [--collections N]

The tool replaces the text between `<!-- level -->` and `<!-- end of level -->`. Collection k of
each size has seed k, so each one can be dealt again. `--check` deals the first 20 of each size and
prints how many of them fail.
"""

from __future__ import annotations

import argparse
import re
import sys
from fractions import Fraction
from math import sqrt
from pathlib import Path
from typing import NamedTuple

from pavcodec import Statistics, Tally, expected_tally, numbering
from pavcodec.statistics.chi_square import tails

PAGE = Path(__file__).parent.parent / "docs" / "studies" / "collections.md"
MARKS = re.compile(r"(<!-- level -->\n)(.*?)(<!-- end of level -->)", re.DOTALL)
SIZES = (300, 500, 1000, 5000)
LEVELS = (Fraction(1, 100), Fraction(1, 20))
COLLECTIONS = 1500
FEW = 20


class Smallest(NamedTuple):
    """The smallest adjusted probability of a collection: as tested, and by chi-square alone."""

    tested: Fraction
    by_chi_square: Fraction


def smallest(size: int, seed: int, expected: Tally) -> Smallest:
    """Deal a random collection and test it."""
    start = sum(SIZES[: SIZES.index(size)])
    owners = numbering("deal").sample_many(size, seed=seed, start=start)
    found = Statistics(Tally.of(owners), expected)
    assert found.again is not None
    many = len(found.tests) + 1
    results = [test.result for test in found.tests]
    least = min(2 * min(tails(each.statistic, each.freedom)) for each in results)
    tested = min(found.tests[0].adjusted, found.again.probability * many)
    return Smallest(tested, Fraction(least) * many)


def rows(collections: int) -> dict[int, list[Smallest]]:
    """Deal and test `collections` collections of each size."""
    expected = expected_tally()
    found: dict[int, list[Smallest]] = {}
    for size in SIZES:
        found[size] = [smallest(size, seed, expected) for seed in range(collections)]
        print(f"{size:,} deals: {share(found[size], LEVELS[0])}", file=sys.stderr, flush=True)
    return found


def share(found: list[Smallest], level: Fraction) -> str:
    """Return the share of collections that fail at a level, with its standard error."""
    return _percent(sum(each.tested <= level for each in found), len(found))


def _percent(failed: int, many: int) -> str:
    part = failed / many
    return f"{100 * part:.2f} ± {100 * sqrt(part * (1 - part) / many):.2f} %"


def table(found: dict[int, list[Smallest]]) -> str:
    """Return the table of the page."""
    low, high = map(float, LEVELS)
    lines = [
        f"| deals | collections | fail at {low} | fail at {high} | by chi-square alone at {low} |",
        "| --: | --: | --: | --: | --: |",
    ]
    everything = [each for some in found.values() for each in some]
    for name, some in [*((f"{size:,}", some) for size, some in found.items()), ("all", everything)]:
        alone = _percent(sum(each.by_chi_square <= LEVELS[0] for each in some), len(some))
        cells = [name, f"{len(some):,}", *(share(some, level) for level in LEVELS), alone]
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(["", *lines, "", ""])


def main() -> int:
    """Write the table, or deal a few collections."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--collections", type=int, default=COLLECTIONS)
    parser.add_argument("--check", action="store_true")
    args = parser.parse_args()
    text = PAGE.read_text("utf-8")
    if not MARKS.search(text):
        print(f"{PAGE.name} has no marks for the table")
        return 1
    if args.check:
        failed = sum(each.tested <= LEVELS[1] for some in rows(FEW).values() for each in some)
        print(f"{failed} of {FEW * len(SIZES)} collections fail at {float(LEVELS[1])}")
        return int(failed > FEW * len(SIZES) * 3 * LEVELS[1])
    made = table(rows(args.collections))
    PAGE.write_text(MARKS.sub(lambda mark: f"{mark[1]}{made}{mark[3]}", text), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
