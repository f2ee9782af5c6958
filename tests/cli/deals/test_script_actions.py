"""`pavcodec deal -f`: actions on many deals, files of their own, and exact answers."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from pavcodec.questions import sources as drawing

if TYPE_CHECKING:
    from pathlib import Path

    from formats_support import Cli

TALLIES = """
action average "n" hcp(north), frequency "both" (hcp(north), 8, 12, spades(south), 2, 5),
 average hcp(south) * spades(west)
"""


@pytest.fixture
def script(tmp_path: Path) -> Path:
    return tmp_path / "some.dlr"


@pytest.mark.slow
@pytest.mark.parametrize(
    "condition",
    ["", "hcp(north) >= 12", "die = rnd(6) condition hcp(north) >= 12 && die > 1", "rnd(3) == 0"],
)
def test_many_deals_are_tallied_as_few(
    cli: Cli, script: Path, condition: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    drawn = ", average rnd(6)" if "die" not in condition else ", average die"
    script.write_text(f"seed 7 produce 300\n{condition}\n{TALLIES.rstrip()}{drawn}")
    few = cli("deal", "-f", script)
    assert few.code == 0
    assert few.lines[0].startswith("n: ")
    monkeypatch.setattr(drawing, "FEW", 10)
    assert cli("deal", "-f", script) == few
    parts = [cli("deal", "-f", script, "-n", n, "--start", k) for n, k in ((1, 0), (299, 1))]
    assert [part.code for part in parts] == [0, 0]


def test_deals_in_order_are_tallied_many_at_a_time(
    cli: Cli, script: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    script.write_text(f"spades(north) == 13\n{TALLIES}")
    few = cli("deal", "-f", script, "--all", "-n", 100, "--start", 7)
    monkeypatch.setattr(drawing, "FEW", 10)
    assert cli("deal", "-f", script, "--all", "-n", 100, "--start", 7) == few
