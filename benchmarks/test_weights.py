"""Weighted deals: how many a second, as a ratio to the deals of the same condition without weights.

Both are drawn in turns in one process; the ratio is that of the fastest turns.
"""

from __future__ import annotations

from time import perf_counter
from typing import TYPE_CHECKING, NamedTuple

import pytest
from cases import BALANCED

import pavcodec as pav

if TYPE_CHECKING:
    from _pytest.terminal import TerminalReporter

TURNS, DRAWS = 5, 500_000


class WeightedCase(NamedTuple):
    """A condition, and the weights of its deals as texts."""

    where: str
    weights: list[str]


CASES = {
    "no condition, points of South": WeightedCase("1", ["hcp(south) + 1"]),
    "balanced 15-17, by points": WeightedCase(
        f"shape(south, {BALANCED}) && hcp(south) >= 15 && hcp(south) <= 17",
        ["S: hcp {15: 3, 16: 2, 17: 1}"],
    ),
    "weak two, by points and quality": WeightedCase(
        "spades(north) == 6 && hcp(north) >= 5 && hcp(north) <= 11",
        ["N: hcp {5: 1, 6-7: 3, 8-10: 5, 11: 2}, quality(spades) {0-399: 1, else: 3}"],
    ),
    "opener and responder": WeightedCase(
        "spades(north) >= 5 && hcp(north) >= 11 && hcp(north) <= 21"
        " && spades(south) >= 3 && hcp(south) >= 6 && hcp(south) <= 12",
        ["N: hcp {11: 1, 12-15: 3, 16-21: 2}", "S: spades {3: 4, 4: 2, else: 1}"],
    ),
    "own hand, overcall of West": WeightedCase(
        "hascard(south, SA) && hascard(south, HK) && hascard(south, DA) && hcp(south) == 15"
        " && hearts(west) >= 5 && hearts(west) <= 7",
        ["W: hcp {8-10: 1, 11-15: 3}, hearts {5: 4, 6: 2, 7: 1}"],
    ),
    "rare shapes, points of a side": WeightedCase(
        "spades(west) == 9 && hearts(east) == 6 && clubs(east) == 6",
        ["hcp(west) + 1", "hcp(north) + hcp(south) {20-25: 1/3, else: 1}"],
    ),
}


class Table:
    """Rows of figures, printed when all is done."""

    def __init__(self) -> None:
        self.rows: dict[str, tuple[int, int, float, float]] = {}

    def pytest_terminal_summary(self, terminalreporter: TerminalReporter) -> None:
        """Print the rows that there are."""
        if not self.rows:
            return
        terminalreporter.section("weighted deals; ratios are to the condition without weights")
        columns = ("nodes", "weighted", "deals/s", "ratio")
        terminalreporter.write_line(" " * 40 + "".join(f"{column:>12}" for column in columns))
        for name, (plain, weighted, rate, ratio) in self.rows.items():
            terminalreporter.write_line(
                f"{name:<40}{plain:>12,}{weighted:>12,}{rate:>12,.0f}{ratio:>12.2f}"
            )


@pytest.fixture(scope="module")
def table(request: pytest.FixtureRequest) -> dict[str, tuple[int, int, float, float]]:
    """Return the rows of a table that is printed at the end of the run."""
    made = Table()
    request.config.pluginmanager.register(made)
    return made.rows


@pytest.mark.parametrize("name", CASES)
def test_case(
    name: str,
    table: dict[str, tuple[int, int, float, float]],
    request: pytest.FixtureRequest,
) -> None:
    """Measure a case; a smoke test where benchmarks are disabled."""
    where, weights = CASES[name]
    plain = pav.deals(where, method="counted")
    weighted = pav.weighted(plain, joint=weights)
    assert len(weighted.sample_many(100, seed=1)) == 100
    if not request.config.getoption("benchmark_enable"):
        return
    best: dict[object, float] = {}
    for turn in range(TURNS):
        for space in (plain, weighted):
            started = perf_counter()
            space.sample_many(DRAWS, seed=turn)
            took = perf_counter() - started
            best[space] = min(took, best.get(space, took))
    rate = DRAWS / best[weighted]
    nodes = plain.model.nodes, weighted.model.nodes
    table[name] = *nodes, rate, best[plain] / best[weighted]
