"""`pavcodec stats`: text, JSON, CSV, pictures, and what is wrong with the input."""

from __future__ import annotations

import csv
import io
import json
from functools import cache
from typing import TYPE_CHECKING

import pytest
from formats_support import DEAL, ENDING
from packages import needs

from pavcodec import Board, TrickTable, deals, numbering, write
from pavcodec.statistics import tally as expectation

if TYPE_CHECKING:
    from pathlib import Path

    from formats_support import Cli

NINE = "spades(west) == 9"
counted = cache(expectation._Holdings)


@pytest.fixture(autouse=True)
def counted_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Count what is expected of a condition once for all tests."""
    monkeypatch.setattr(expectation, "_Holdings", counted)


@pytest.fixture
def nine(tmp_path: Path) -> Path:
    path = tmp_path / "nine.deal12"
    write(deals(NINE).sample(5000, seed=7), path)
    return path


@pytest.mark.slow
def test_text(cli: Cli, nine: Path) -> None:
    outcome = cli("stats", nine, "--given", NINE)
    assert (outcome.code, outcome.err) == (0, "")
    assert outcome.lines[:6] == [
        "as it should be: none of 95 tests fails",
        "",
        "5,000 deals",
        f"expected: 4,968,111,751,882,804,000,476,000 deals with {NINE}",
        "",
        "Spades",
    ]
    assert "-0.0" not in outcome.out
    aces = [word for line in outcome.lines if line.startswith("SA") for word in line.split()[1:]]
    assert aces[1::3] == ["512.8", "512.8", "512.8", "3,461.5"]


@pytest.mark.slow
def test_csv(cli: Cli, nine: Path, tmp_path: Path) -> None:
    path = tmp_path / "out.csv"
    assert cli("stats", nine, "--given", NINE, "--csv", "-o", path).code == 0
    rows = list(csv.DictReader(io.StringIO(path.read_text("utf-8"))))
    shapes = [row for row in rows if (row["section"], row["of"]) == ("shape", "west")]
    assert len(shapes) == 560
    assert sum(int(row["ways"]) for row in shapes) == int(shapes[0]["cardinality"])
    [nine_two] = [row for row in shapes if row["value"] == "9=2=1=1"]
    assert nine_two["expected"] == f"{5000 * 9425130 / 58809465:.6f}"


@pytest.mark.slow
def test_boards_that_are_passed_over(cli: Cli) -> None:
    pbn = f'[Deal "{DEAL}"]\n\n[Deal "{ENDING}"]\n\n[Board "3"]\n[Deal ""]\n'
    outcome = cli("stats", "-", "--from", "pbn", stdin=pbn)
    assert outcome.lines[2] == "1 deal"
    assert outcome.err.splitlines() == [
        "1 board without cards skipped",
        "1 board without a complete deal skipped",
    ]


@pytest.mark.slow
def test_tricks(cli: Cli, tmp_path: Path) -> None:
    table = TrickTable(bytes([7, 6, 7, 6] + [8, 5, 8, 5] * 4))
    path = tmp_path / "solved.pbn"
    write([Board.make(deal, tricks=table) for deal in numbering("deal").sample(3, seed=2)], path)
    assert "Double-dummy" not in cli("stats", path).out
    lines = cli("stats", path, "--tricks").lines
    start = lines.index("Double-dummy tricks of 3 boards: strain and declarer")
    assert lines[start + 1].split()[:6] == ["NT", "N", "NT", "E", "NT", "S"]
    assert lines[start + 9].split()[:5] == ["7", "3", "0", "3", "0"]
    assert lines[start + 16].split()[:5] == ["mean", "7.00", "6.00", "7.00", "6.00"]
    found = json.loads(cli("stats", path, "--tricks", "--json").out)
    assert found["tricks"]["NT"]["N"][7] == found["tricks"]["C"]["W"][5] == 3
    rows = cli("stats", path, "--tricks", "--csv").lines
    assert "tricks,north NT,7,3,,,," in rows


@pytest.mark.slow
def test_what_is_not_as_it_should_be(cli: Cli, nine: Path) -> None:
    departs = cli("stats", nine)
    assert (departs.code, departs.lines[0].startswith("not what it should be: ")) == (1, True)
    assert "tests fail, " in departs.lines[0]
    outcome = cli("stats", nine, "--given", "spades(west) == 10")
    outside = "not what it should be: 5,000 deals do not satisfy the condition"
    assert (outcome.code, outcome.lines[0]) == (1, outside)


@pytest.mark.slow
def test_levels(cli: Cli, tmp_path: Path) -> None:
    """The least probable of these tests is between the two levels."""
    path = tmp_path / "some.deal12"
    write(numbering("deal").sample(3000, seed=1), path)
    least = json.loads(cli("stats", path, "--json").out)["tests"][0]["adjusted_p"]
    assert 0.01 < least < 1
    assert cli("stats", path, "--level", f"{least * 0.9:.6f}").code == 0
    assert cli("stats", path, "--level", f"{least * 1.1:.6f}").code == 1


@pytest.mark.slow
def test_several_files_and_a_picture(cli: Cli, nine: Path, tmp_path: Path) -> None:
    bad, plot = tmp_path / "bad.txt", tmp_path / "plot.svg"
    bad.write_text(f"{DEAL}\nN:AX... - - -\n", "utf-8")
    outcome = cli("stats", nine, bad, "none.pbn", "-", stdin=f"{DEAL}\n")
    assert (outcome.code, outcome.lines[2]) == (1, "5,002 deals")
    problem, missing = outcome.err.splitlines()
    assert problem.startswith(f"{bad}:2: ")
    assert missing.startswith("none.pbn: cannot be read: No such file")
    needs("matplotlib")
    assert cli("stats", nine, "--given", NINE, "--plot", plot).code == 0
    assert plot.stat().st_size > 10_000
