"""Weights on the command line: deals, odds, scripts, and what is refused."""

from __future__ import annotations

import json
from fractions import Fraction
from typing import TYPE_CHECKING

import pytest

import pavcodec as pav

if TYPE_CHECKING:
    from pathlib import Path

    from formats_support import Cli

WHERE, TEXT = "spades(north) >= 5", "north: hcp {11: 1, 12-15: 3}"
WEIGHTS = {"N": {"hcp": {11: 1, "12-15": 3}}}
SCRIPT = f"weight {TEXT}\nweight 1 + aces(south)\nproduce 5\ncondition {WHERE}"


@pytest.mark.slow
def test_many_deals_are_those_of_few(cli: Cli, tmp_path: Path) -> None:
    few, many = tmp_path / "few.pbn", tmp_path / "many.pbn"
    for path, count in ((few, 100), (many, 5000)):
        outcome = cli("deal", WHERE, "--weights", TEXT, "-n", count, "--seed", 7, "-o", path)
        assert outcome.code == 0
    assert many.read_bytes().startswith(few.read_bytes())


@pytest.mark.slow
def test_a_script_and_its_tag(cli: Cli, tmp_path: Path) -> None:
    """The statement of a script, options beside it, and the tag from which it can be made again."""
    script = tmp_path / "weights.dlr"
    script.write_text(SCRIPT)
    both = pav.weighted(WHERE, WEIGHTS, joint="1 + aces(south)")
    outcome = cli("deal", "-f", script, "--seed", 3)
    assert outcome.lines == list(map(str, both.sample(5, seed=3)))
    more = cli("deal", "-f", script, "--seed", 3, "--weights", "W: clubs")
    assert more.code == 2
    more = cli("deal", "-f", script, "--seed", 3, "--weights", "clubs(west) + 0")
    assert more.lines == list(
        map(str, pav.weighted(both, joint="clubs(west) + 0").sample(5, seed=3))
    )
    written = cli("deal", "-f", script, "--seed", 3, "--to", "pbn").out
    lines = str(both).split("\n")
    assert [line.removeprefix("% ") for line in written.splitlines() if line[2:] in lines] == lines
    again = tmp_path / "again.dlr"
    again.write_text(f"{both}\nproduce 5")
    assert cli("deal", "-f", again, "--seed", 3).lines == outcome.lines


@pytest.mark.slow
def test_exact_actions(cli: Cli, tmp_path: Path) -> None:
    script = tmp_path / "weights.dlr"
    script.write_text(f"{SCRIPT}\naction average hcp(south), frequency (hcp(north), 11, 15)")
    both = pav.weighted(WHERE, WEIGHTS, joint="1 + aces(south)")
    rows = json.loads(cli("deal", "-f", script, "--exact", "--json").out)
    assert Fraction(rows[0]["average"]) == pav.distribution("hcp(south)", given=both).mean
    values = {each["value"]: Fraction(each["probability"]) for each in rows[1]["values"]}
    assert values == dict(pav.distribution("hcp(north)", given=both))
    asked = json.loads(cli("odds", "-f", script, "--json").out)
    assert [row["numbers"] for row in asked] == [row["numbers"] for row in rows]
    assert asked[0]["average"] == rows[0]["average"]
    assert asked[0]["weights"] == [weight.text for weight in both.weights]
