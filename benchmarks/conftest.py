"""Prints each figure as a ratio to the yardstick of its group, measured in the same run."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

YARDSTICK = "yardstick"


def pytest_terminal_summary(terminalreporter: Any, config: pytest.Config) -> None:
    """Write, for each group, how many times as fast as the yardstick each row is."""
    session = getattr(config, "_benchmarksession", None)
    rows = [bench for bench in getattr(session, "benchmarks", []) if bench.stats.rounds]
    if not rows:
        return
    terminalreporter.section("ratios to the yardstick of each group (medians)")
    for line in _ratios(rows):
        terminalreporter.write_line(line)


def _ratios(rows: list[Any]) -> Iterator[str]:
    groups: dict[str, list[Any]] = {}
    for row in rows:
        groups.setdefault(row.group or "", []).append(row)
    for group, members in groups.items():
        times = {row.name: row.stats.median / row.extra_info.get("items", 1) for row in members}
        yardstick = next((times[name] for name in times if YARDSTICK in name), float("nan"))
        yield f"{group}"
        for name, time in times.items():
            yield f"  {name:<52} {time * 1e6:>12.2f} µs   {yardstick / time:>6.2f} times as fast"


@pytest.fixture(scope="session")
def numbers() -> list[int]:
    """Numbers of deals spread over the whole range."""
    from random import Random

    from pavcodec import numbering

    random = Random(1999)
    return [random.randrange(numbering("deal").cardinality) for _ in range(15_000)]
