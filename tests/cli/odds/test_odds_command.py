"""`pavcodec odds`: exact answers, estimates that say so, scripts, plots."""

from __future__ import annotations

import json
from fractions import Fraction
from typing import TYPE_CHECKING

import pytest
from packages import needs

import pavcodec as pav

if TYPE_CHECKING:
    from pathlib import Path

    from formats_support import Cli


@pytest.mark.slow
def test_what_cannot_be_counted_is_estimated(cli: Cli) -> None:
    outcome = cli("odds", "rnd(4) == 0", "--simulate", 1000)
    assert outcome.code == 0
    first, second = outcome.lines
    assert first.startswith("estimated probability: about 2")
    assert second.endswith(" of 1,000 deals passed")
    outcome = cli("odds", "rnd(4) == 0", "--json")
    told = "rnd(4) == 0: rnd is tested deal by deal, so this is an estimate\n"
    assert outcome.err == told
    row = json.loads(outcome.out)
    assert (row["exact"], row["probability"]) == (False, None)
    guess = row["estimate"]
    assert guess["low"] < 0.25 < guess["high"]
    assert guess["tried"] == 10_000


@pytest.mark.slow
def test_simulation_is_repeated_by_its_seed(cli: Cli) -> None:
    words = ("odds", "hcp(north)", "--simulate", 300)
    once = cli(*words)
    assert once.lines[0] == "estimated from 300 deals"
    assert once.lines[1].split() == ["hcp(north)", "deals", "share,", "%", "95", "%:", "from", "to"]
    assert once.lines[-1].startswith("average about ")
    assert "standard error" in once.lines[-1]
    assert cli(*words) == once
    assert cli(*words, "--seed", 7).out != once.out
    row = json.loads(cli(*words, "--json").out)
    assert row["exact"] is False
    assert row["standard_error"] > 0
    assert row["values"][5]["probability"] is None


@pytest.fixture
def script(tmp_path: Path) -> Path:
    path = tmp_path / "a.dlr"
    path.write_text(
        "condition hcp(south) >= 15 && hcp(south) <= 17\n"
        'action printall, average "points" hcp(north), frequency "spades" (spades(north), 3, 5),\n'
        "frequency (aces(north), 0, 4, aces(south), 1, 2)\n"
    )
    return path


@pytest.mark.slow
def test_actions_of_a_script_are_answered(cli: Cli, script: Path) -> None:
    outcome = cli("odds", "-f", script)
    lines = outcome.lines
    exact = pav.distribution("hcp(north)", given="hcp(south) >= 15 && hcp(south) <= 17")
    assert lines[0] == f"points: {float(exact.mean):.6g}"
    assert lines[1] == "spades"
    assert [line.split()[0] for line in lines[3:8]] == ["low", "3", "4", "5", "high"]
    ends = {len(line) - len(line.lstrip()) + len(line.split()[0]) for line in lines[3:8]}
    assert ends == {len("spades(north)")}
    assert lines[8] == "average 3.25 (13/4), standard deviation 1.364"
    assert lines[9] == "aces(north) down, aces(south) across, in percent"
    assert lines[10].split() == ["low", "1", "2", "high", "all"]
    rows = json.loads(cli("odds", "-f", script, "--json").out)
    assert [row["exact"] for row in rows] == [True, True, True]
    assert Fraction(rows[0]["average"]) == exact.mean
    assert sum(Fraction(each["probability"]) for each in rows[1]["values"]) == 1


@pytest.mark.slow
@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("12345678901234567890123456789", ""),
        ("N:A.KJ93.Q765.T962 972.A8764.A82.AK QJ643.QT5.K43.74 KT85.2.JT9.QJ853", ""),
        ("http://www.bridgebase.com/tools/handviewer.html?s=SQJ643HQT5DK43C74", ""),
        ("9" * 32, "--hand numbering 'deal' has numbers 0 to "),
        ("https://example.org/x", "--hand 'https://example.org/x' is no deal"),
    ],
)
def test_the_hand_of_a_deal_is_known(cli: Cli, text: str, told: str) -> None:
    outcome = cli("odds", "spades(east) == 2", "--hand", f"S {text}")
    assert told in outcome.err
    known = cli("odds", "spades(east) == 2", "--hand", "S QJ643.QT5.K43.74")
    assert (outcome.code, outcome.lines) == ((2, []) if told else (0, known.lines))


@pytest.mark.slow
@pytest.mark.parametrize("numbers", [["hcp(north)"], ["hcp(north)", "spades(north)"]])
@pytest.mark.parametrize("simulated", [(), ("--simulate", 50)])
def test_plots(cli: Cli, tmp_path: Path, numbers: list[str], simulated: tuple[object, ...]) -> None:
    needs("matplotlib")
    begins = {"png": b"\x89PNG", "svg": b"<?xml", "pdf": b"%PDF"}
    for suffix, begin in begins.items():
        path = tmp_path / f"plot.{suffix}"
        assert cli("odds", *numbers, *simulated, "--plot", path).code == 0
        first = path.read_bytes()
        assert first.startswith(begin)
        cli("odds", *numbers, *simulated, "--plot", path)
        assert path.read_bytes() == first
