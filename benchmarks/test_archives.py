"""The tables of archives: that they are made, and reach their target where they are measured."""

from __future__ import annotations

import archives
import pytest


@pytest.mark.parametrize("words", [[], ["--get"]], ids=["many", "get"])
def test_tables(
    words: list[str], request: pytest.FixtureRequest, capsys: pytest.CaptureFixture[str]
) -> None:
    """Make the tables of a few deals, or measure them where benchmarks are enabled."""
    if request.config.getoption("benchmark_enable"):
        with capsys.disabled():
            archives.main(words)
        return
    archives.main([*words, "--count", "5000", "--turns", "1"])
    printed = capsys.readouterr().out
    assert ("| 5,000 deals, set |" if words else "| pack boards with tags |") in printed
