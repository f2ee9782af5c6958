"""Scripts that average, against the classic program: CPU seconds of the whole command, in one run.

Tricks are measured against solving all twenty contracts of a deal.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from shutil import which
from typing import Any

import pytest

import pavcodec as pav
from pavcodec.cards import Seat, Strain
from pavcodec.solving.double_dummy import DoubleDummy, Engine

DEALER = which("dealer") or which("dealer", path="/usr/games")
DEALS, FEW = 5_000_000, 50_000
"""The deals of a script, and how many where nothing is measured."""
SOLVED = 20
ACTIONS = """
action average "points" hcp(north), average "fit" spades(north) + spades(south),
 average "major" (hearts(north) >= 5) || (spades(north) >= 5), average "losers" loser(west),
 average "balanced" shape(south, any 4333 + any 4432 + any 5332)
"""
SCRIPTS = {
    "all deals": "produce {deals} generate {deals} {actions}",
    "a condition": "produce {part} generate {deals} condition hcp(north) >= 12 {actions}",
    "a table": "produce {deals} generate {deals} "
    'action frequency "points, spades" (hcp(north), 5, 20, spades(south), 2, 6)',
}


def cpu_of_children() -> float:
    """Return the CPU seconds of all processes that were started here and have ended."""
    return os.times().children_user + os.times().children_system


every_script = pytest.mark.parametrize("name", SCRIPTS)
by_cpu = pytest.mark.benchmark(timer=cpu_of_children)


@pytest.fixture
def script(name: str, tmp_path: Path, request: pytest.FixtureRequest) -> Path:
    """Return the file of a script."""
    deals = DEALS if request.config.getoption("benchmark_enable") else FEW
    path = tmp_path / "some.dlr"
    path.write_text(SCRIPTS[name].format(deals=deals, part=deals // 5, actions=ACTIONS))
    return path


def run(words: list[str], path: Path) -> None:
    """Run a program on a script; what it prints is not looked at."""
    with path.open() as text:
        subprocess.run(words, stdin=text, capture_output=True, check=True)


@by_cpu
@every_script
@pytest.mark.skipif(DEALER is None, reason="the classic dealer is not installed")
def test_script_yardstick_dealer(benchmark: Any, name: str, script: Path) -> None:
    benchmark.group = f"averages and tables: {name}"
    benchmark.pedantic(run, ([str(DEALER), "-s", "7"], script), rounds=3)


@by_cpu
@every_script
def test_script_command(benchmark: Any, name: str, script: Path) -> None:
    words = [sys.executable, "-m", "pavcodec", "deal", "-f", str(script), "--seed", "7"]
    run(words, script)  # compiles the loops where that has not been done
    benchmark.group = f"averages and tables: {name}"
    benchmark.pedantic(run, (words, script), rounds=3)


def deals() -> list[pav.Deal]:
    pytest.importorskip("endplay")
    return pav.numbering("deal").sample(SOLVED, seed=7)


def test_tricks_yardstick_twenty_contracts(benchmark: Any) -> None:
    some, engine = deals(), Engine()
    benchmark.group = "tricks(south, spades) of a deal"
    benchmark.extra_info["items"] = SOLVED
    benchmark.pedantic(lambda: [engine.strain(some, strain) for strain in Strain], rounds=1)


def test_tricks_one_contract(benchmark: Any) -> None:
    some = [(deal, Seat.SOUTH, Strain.SPADES) for deal in deals()]
    benchmark.group = "tricks(south, spades) of a deal"
    benchmark.extra_info["items"] = SOLVED
    benchmark.pedantic(lambda: DoubleDummy(Engine()).solve(some), rounds=3)
