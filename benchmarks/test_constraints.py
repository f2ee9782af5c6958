"""Constraints: how long a model takes to build, how large it is, how many deals it draws a second.

The yardstick of the draws is the same loop on all deals: `numbering("deal").draw`, and the batch
walk over the model of the condition that is always true.
"""

from __future__ import annotations

import os
import subprocess
import sys
from json import dumps, loads
from time import perf_counter
from typing import TYPE_CHECKING, Any

import pytest
from cases import CASES

import pavcodec as pav

if TYPE_CHECKING:
    from _pytest.terminal import TerminalReporter


def measured(name: str) -> dict[str, float]:
    """Build the model of a case in a new process, draw from it, and tell what it took."""
    environment = dict(os.environ)
    command = [sys.executable, __file__, name]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    found: dict[str, float] = loads(done.stdout)
    return found


def main(name: str) -> None:
    """Print the figures of a case; run in a process of its own."""
    from resource import RUSAGE_SELF, getrusage

    case, none = CASES[name], pav.deals(CASES["A none"].where)
    assert isinstance(none, pav.ConstrainedDeals)
    started = perf_counter()
    space = pav.deals(case.where, memory="4G", method="exact")
    assert isinstance(space, pav.ConstrainedDeals)
    assert space.cardinality == case.cardinality
    build = perf_counter() - started
    peak = getrusage(RUSAGE_SELF).ru_maxrss
    seconds: dict[str, list[float]] = {"draw": [], "all": []}
    for each in (space, none):
        each.draw(20_000, seed=1)  # touches the model
    for turn in range(3):
        for key, each in (("draw", space), ("all", none)):
            started = perf_counter()
            each.draw(case.draws, seed=turn)
            seconds[key].append(perf_counter() - started)
    rates = {key: case.draws / sorted(took)[1] for key, took in seconds.items()}
    print(
        dumps(
            {
                "build": build,
                "nodes": space.model.nodes,
                "memory": space.model.memory,
                "peak": peak * 1024,
                "draws": rates["draw"],
                "ratio": rates["draw"] / rates["all"],
            }
        )
    )


class Table:
    """Rows of figures, printed when all is done."""

    def __init__(self) -> None:
        self.rows: dict[str, dict[str, float]] = {}

    def pytest_terminal_summary(self, terminalreporter: TerminalReporter) -> None:
        """Print the rows that there are."""
        if not self.rows:
            return
        terminalreporter.section("constraints; ratios are to drawing from all deals")
        columns = ("build s", "nodes", "model MB", "peak MB", "draws/s", "ratio")
        terminalreporter.write_line(" " * 40 + "".join(f"{column:>12}" for column in columns))
        for name, row in self.rows.items():
            terminalreporter.write_line(
                f"{name:<40}{row['build']:>12.3f}{row['nodes']:>12,.0f}{row['memory'] / 1e6:>12.1f}"
                f"{row['peak'] / 1e6:>12.0f}{row['draws']:>12,.0f}{row['ratio']:>12.2f}"
            )


@pytest.fixture(scope="module")
def table(request: pytest.FixtureRequest) -> dict[str, dict[str, float]]:
    """Return the rows of a table that is printed at the end of the run."""
    made = Table()
    request.config.pluginmanager.register(made)
    return made.rows


@pytest.mark.parametrize("name", CASES)
def test_case(
    name: str, table: dict[str, dict[str, float]], request: pytest.FixtureRequest
) -> None:
    """Measure a case; a smoke test of the quick ones where benchmarks are disabled."""
    case = CASES[name]
    if request.config.getoption("benchmark_disable") and not request.config.getoption(
        "benchmark_enable"
    ):
        if case.is_slow:
            pytest.skip("a model of millions of nodes; --benchmark-enable measures it")
        space = pav.deals(case.where)
        assert space.cardinality == case.cardinality
        assert isinstance(space, pav.ConstrainedDeals)
        assert len(space.draw(100, seed=1)) == 100
        return
    table[name] = measured(name)


@pytest.mark.benchmark(group="one random deal of a constraint")
@pytest.mark.parametrize("name", ["A none", "B South balanced 15-17", "G North 2 HCP, South 0-1"])
def test_draw(benchmark: Any, name: str) -> None:
    """Time batches; A, all deals by the same loop, is the yardstick."""
    space = pav.deals(CASES[name].where)
    assert isinstance(space, pav.ConstrainedDeals)
    benchmark.extra_info["items"] = 100_000
    benchmark(lambda: space.draw(100_000, seed=1))


@pytest.mark.benchmark(group="one random deal of a constraint")
def test_draw_yardstick_all_deals(benchmark: Any) -> None:
    """Draw positions of all deals, and walk the model of the condition that is always true."""
    none = pav.deals("1")
    assert isinstance(none, pav.ConstrainedDeals)
    benchmark.extra_info["items"] = 100_000
    benchmark(lambda: none.unrank_many(pav.numbering("deal").draw(100_000, seed=1)))


if __name__ == "__main__":
    main(sys.argv[1])
