"""The tables of batches: that they are made, and reach their targets where they are measured."""

from __future__ import annotations

import batches
import pytest


@pytest.mark.parametrize("words", [[], ["--commands"]], ids=["arrays", "commands"])
def test_tables(
    words: list[str], request: pytest.FixtureRequest, capsys: pytest.CaptureFixture[str]
) -> None:
    """Make the tables of a few deals, or measure them where benchmarks are enabled."""
    if request.config.getoption("benchmark_enable"):
        with capsys.disabled():
            assert batches.main(words) == 0
        return
    batches.main([*words, "--count", "5000", "--turns", "1", "--only-deal"])
    printed = capsys.readouterr().out
    assert ("5,000 deals to PBN" if words else "| rank `deal` |") in printed
