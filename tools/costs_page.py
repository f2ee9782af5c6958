"""Compute the tables of docs/collection/costs.md and write them; --check compares.

A table is between the lines `<!-- table NAME -->` and `<!-- end of table -->`. The rates of a
machine are in `collection_rates.json`, which `collection_rates.py` measures; all else is computed.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable, Iterator
from fractions import Fraction
from pathlib import Path

from pavcodec.collection.costs import HOUR, SECOND, Cluster, Job, Outcome, Prices, simulate

PAGE = Path(__file__).parent.parent / "docs" / "collection" / "costs.md"
RATES = json.loads(Path(__file__).with_name("collection_rates.json").read_text("utf-8"))
FORMATS: dict[str, dict[str, int]] = RATES["formats"]
MARKS = re.compile(r"(<!-- table (\S+) -->\n)(.*?)(<!-- end of table -->)", re.DOTALL)

SIZES = (10**9, 10**10, 10**12)
STORE = 10**9
"""The bytes that the store of the page takes in a second."""
PRICES = Prices(
    core_hour=Fraction(1, 20), terabyte_month=Fraction(20), thousand_puts=Fraction(1, 200)
)
_SEED = 7


def cluster(workers: int, **changed: int) -> Cluster:
    """Return the cluster of the page, with changes."""
    values = {
        "start": RATES["start"],
        "lifetime": 12 * HOUR,
        "replaced": 120 * SECOND,
        "slow": 100,
        "slowness": 3,
        "task": RATES["task"]["dask"],
        "bandwidth": STORE,
        "refused": 1000,
        "row": RATES["row"],
    }
    return Cluster(workers=workers, **values | changed)


def job(deals: int, parts: int, to: str) -> Job:
    """Return a collection in a format."""
    return Job(deals=deals, parts=parts, **FORMATS[to])


def power(number: int) -> str:
    """Return a power of ten as text."""
    return f"10^{len(str(number)) - 1}"


def figure(value: Fraction | float) -> str:
    """Return a value with three digits that count.

    >>> figure(12345.6), figure(12.345), figure(0.0123)
    ('12,346', '12.3', '0.0123')
    """
    number = float(value)
    if number >= 100:
        return f"{number:,.0f}"
    places = 1 if number >= 10 else 2 if number >= 1 else 3 if number >= 0.1 else 4
    return f"{number:.{places}f}"


def rates() -> Iterator[str]:
    """Yield the table of the measured formats."""
    yield "| format | deals a second | bits a deal | workers that fill 1 GB/s |"
    yield "| --- | ---: | ---: | ---: |"
    for name, rate in FORMATS.items():
        full = Fraction(STORE * 8 * rate["nanoseconds"], rate["bits"] * 10**9)
        each = 10**9 // rate["nanoseconds"]
        yield f"| `{name}` | {each:,} | {rate['bits']} | {figure(full)} |"


def sizes() -> Iterator[str]:
    """Yield the table of core-hours, terabytes and prices without faults."""
    yield "| deals | format | core-hours | TB | price to make | price of a month |"
    yield "| --- | --- | ---: | ---: | ---: | ---: |"
    for deals in SIZES:
        for name in FORMATS:
            made = job(deals, 1000, name)
            hours = Fraction(deals * made.nanoseconds, 3600 * 10**9)
            terabytes = Fraction(made.bytes, 10**12)
            prices = hours * PRICES.core_hour, made.price_of_month(PRICES)
            cells = map(figure, (hours, terabytes, *prices))
            yield f"| {power(deals)} | `{name}` | {' | '.join(cells)} |"


def row_of(found: Outcome) -> str:
    """Return the cells of an outcome."""
    share = found.shares[found.bottleneck]
    return (
        f"{figure(found.hours)} | {found.deaths:,} | {100 * float(found.loss):.2f} % | "
        f"{figure(found.price(PRICES))} | {found.bottleneck}, {round(100 * share)} %"
    )


_CASES = (
    (10**9, 1000, 2, "parquet"),
    (10**9, 1000, 16, "parquet"),
    (10**10, 10_000, 16, "parquet"),
    (10**10, 10_000, 100, "parquet"),
    (10**10, 10_000, 100, "parquet:number"),
    (10**12, 50_000, 100, "parquet"),
    (10**12, 50_000, 1000, "parquet"),
    (10**12, 50_000, 100, "parquet:number"),
    (10**12, 50_000, 1000, "parquet:number"),
)


def clusters() -> Iterator[str]:
    """Yield the table of simulated clusters."""
    yield "| deals | parts | workers | format | hours | deaths | lost | price | busiest |"
    yield "| --- | ---: | ---: | --- | ---: | ---: | ---: | ---: | --- |"
    for deals, parts, workers, to in _CASES:
        found = simulate(job(deals, parts, to), cluster(workers), seed=_SEED)
        yield f"| {power(deals)} | {parts:,} | {workers:,} | `{to}` | {row_of(found)} |"


def parts() -> Iterator[str]:
    """Yield the table of part sizes, on a cluster whose workers die every hour."""
    yield "| parts | seconds of a part | hours | deaths | lost | price | busiest |"
    yield "| ---: | ---: | ---: | ---: | ---: | ---: | --- |"
    for count in (64, 200, 1000, 10_000, 100_000):
        made = job(10**10, count, "parquet")
        found = simulate(made, cluster(64, lifetime=HOUR, bandwidth=10 * STORE), seed=_SEED)
        yield f"| {count:,} | {figure(Fraction(made.time_of(0), SECOND))} | {row_of(found)} |"


def limits() -> Iterator[str]:
    """Yield the table of the workers at which each part of the cluster becomes the limit."""
    yield "| deals in a part | format | store, 1 GB/s | store, 10 GB/s | scheduler |"
    yield "| ---: | --- | ---: | ---: | ---: |"
    for deals in (10**5, 10**6, 10**7):
        for to in ("parquet", "parquet:number"):
            made = job(deals, 1, to)
            time, size = made.time_of(0), made.bytes_of(0)
            stores = (Fraction(time * rate * STORE, SECOND * size) for rate in (1, 10))
            cells = [*map(figure, stores), figure(Fraction(time, RATES["task"]["dask"]))]
            yield f"| {power(deals)} | `{to}` | {' | '.join(cells)} |"


TABLES: dict[str, Callable[[], Iterator[str]]] = {
    "rates": rates,
    "sizes": sizes,
    "clusters": clusters,
    "parts": parts,
    "limits": limits,
}


def filled(text: str) -> str:
    """Return the page with its tables."""

    def table(found: re.Match[str]) -> str:
        return "\n".join([found[1], *TABLES[found[2]](), "", found[4]])

    return MARKS.sub(table, text)


def main() -> int:
    """Write the page, or compare it."""
    text = PAGE.read_text("utf-8")
    if sorted(name for _, name, _, _ in MARKS.findall(text)) != sorted(TABLES):
        print("docs/collection/costs.md has other tables than tools/costs_page.py")
        return 1
    new = filled(text)
    if "--check" in sys.argv[1:]:
        old = "docs/collection/costs.md is old, run tools/costs_page.py"
        print("docs/collection/costs.md is current" if new == text else old)
        return int(new != text)
    PAGE.write_text(new, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
