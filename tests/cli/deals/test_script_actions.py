"""`pavcodec deal -f`: actions on many deals, files of their own, and exact answers."""

from __future__ import annotations

import json
from fractions import Fraction
from typing import TYPE_CHECKING

import pytest

import pavcodec as pav
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


def test_rows_and_exports_have_files(cli: Cli, script: Path, tmp_path: Path) -> None:
    rows, exported = tmp_path / "rows.csv", tmp_path / "exported.txt"
    script.write_text('seed 7 produce 2 action csvrpt("x", hcp(north)), export(south), printew')
    both = cli("deal", "-f", script)
    found = cli("deal", "-f", script, "--csv", rows, "--export", exported)
    assert found.code == 0
    assert len(found.lines) == 10
    assert [line[:5] for line in rows.read_text().splitlines()] == [" 'x',"] * 2
    assert [line[:4] for line in exported.read_text().splitlines()] == ["-S S"] * 2
    assert len(both.lines) == 14


@pytest.mark.slow
def test_exact_averages_and_tables(cli: Cli, script: Path) -> None:
    script.write_text(
        "condition spades(south) == 7 && spades(north) + spades(east) == 5\n"
        'action average "n" spades(north), frequency "e" (spades(east), 1, 3),'
        " bktfreq (spades(north), 1, 4, 2)"
    )
    outcome = cli("deal", "-f", script, "--exact")
    assert outcome.code == 0
    given = "spades(south) == 7 && spades(north) + spades(east) == 5"
    total = pav.deals(given).cardinality
    assert outcome.err == f"exact: all {total:,} deals were counted\n"
    assert outcome.lines[0] == "n: 2.5 (5/2)"
    assert outcome.lines[1] == "e"
    assert cli("odds", "-f", script).out == outcome.out
    rows = json.loads(cli("deal", "-f", script, "--exact", "--json").out)
    assert [row["average"] for row in rows] == ["5/2"] * 3
    exact = pav.distribution("spades(east)", given=given)
    shares = {each["value"]: Fraction(each["probability"]) for each in rows[1]["values"]}
    assert shares == dict(exact)
    names = [line.split()[0] for line in outcome.lines[-5:-1]]
    assert names == ["low", "1", "3", "high"]


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("hcp(north) > 9 action printall, average hcp(south)", "printall needs deals"),
        ("hcp(north) > 9 action printside(EW)", "printew needs deals"),
        ("action evalcontract(NS, x3N, vul)", "evalcontract needs deals"),
        ("hcp(north) > 9", "no action"),
        ("action average rnd(6)", "rnd"),
        ('action frequency "t" (tricks(south, spades), 0, 13)', "t cannot be counted: tricks"),
        ("rnd(2) == 0 action average hcp(north)", "'rnd(2) == 0' cannot be counted"),
        ("hcp(north) > 40 action average hcp(north)", "there are no deals"),
    ],
)
def test_what_cannot_be_answered_exactly_is_named(
    cli: Cli, script: Path, text: str, named: str
) -> None:
    script.write_text(text)
    outcome = cli("deal", "-f", script, "--exact")
    assert outcome.code == 1
    assert outcome.out == ""
    assert named in outcome.err
    assert len(outcome.err.splitlines()) == 1
