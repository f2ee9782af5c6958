"""`pavcodec stats`: text, JSON, CSV, pictures, and what is wrong with the input."""

from __future__ import annotations

import csv
import io
import json
import re
from fractions import Fraction
from functools import cache
from typing import TYPE_CHECKING

import pytest
from formats_support import DEAL, DEMO, ENDING
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
    titles = ["Hearts", "Pattern", "Voids", "High-card points", "Longest suit of a side"]
    assert set(titles) <= set(outcome.lines)
    spades = outcome.lines[outcome.lines.index("Spades") + 2 :]
    [west] = [line.split() for line in spades if line.split() and line.split()[0] == "9"][:1]
    assert west[-2:] == ["5,000", "5,000.0"]
    assert "-0.0" not in outcome.out
    aces = [word for line in outcome.lines if line.startswith("SA") for word in line.split()[1:]]
    assert aces[1::3] == ["512.8", "512.8", "512.8", "3,461.5"]


@pytest.mark.slow
def test_every_count_of_the_text_adds_up(cli: Cli, tmp_path: Path) -> None:
    path = tmp_path / "some.deal12"
    write(numbering("deal").sample(400, seed=8), path)
    lines = cli("stats", path).lines
    start = lines.index("High-card points") + 2
    head, rows = lines[start - 1], lines[start : lines.index("", start)]
    for seat in ("north", "east", "south", "west"):
        end = head.index(seat) + len(seat)  # figures end where their head ends
        assert sum(int(row[:end].split()[-1]) for row in rows) == 400


@pytest.mark.slow
def test_few_expected_deals_have_no_difference(cli: Cli) -> None:
    lines = cli("stats", DEMO).lines
    start = lines.index("Spades") + 2
    rows = [line.split() for line in lines[start : lines.index("", start)]]
    assert {len(row) for row in rows if float(row[1]) < 5} == {6}
    assert {len(row) for row in rows if float(row[1]) >= 5} == {10}
    assert lines[0].startswith("as it should be: none of")


@pytest.mark.slow
def test_json(cli: Cli, nine: Path) -> None:
    found = json.loads(cli("stats", nine, "--given", NINE, "--json").out)
    assert (found["deals"], found["misfits"], found["departs"]) == (5000, 0, False)
    assert (found["given"], found["cardinality"]) == (NINE, "4968111751882804000476000")
    assert (found["level"], found["tricks"]) == ("1/100", None)
    assert len(found["tables"]) == 96
    assert len(found["tests"]) == 95
    tests = [(float(test["p"]), test["adjusted_p"]) for test in found["tests"]]
    assert tests == sorted(tests)
    for table in found["tables"]:
        assert sum(row["observed"] for row in table["values"]) == 5000
        assert sum(Fraction(row["expected"]) for row in table["values"]) == 5000
    [held] = [t for t in found["tables"] if (t["section"], t["of"]) == ("holder", "SA")]
    west = held["values"][3]
    assert (west["value"], west["expected"]) == ("W", "45000/13")


@pytest.mark.slow
def test_csv(cli: Cli, nine: Path, tmp_path: Path) -> None:
    path = tmp_path / "out.csv"
    assert cli("stats", nine, "--given", NINE, "--csv", "-o", path).code == 0
    rows = list(csv.DictReader(io.StringIO(path.read_text("utf-8"))))
    assert list(rows[0]) == [
        "section", "of", "value", "observed", "expected", "sd", "ways", "cardinality",
    ]  # fmt: skip
    shapes = [row for row in rows if (row["section"], row["of"]) == ("shape", "west")]
    assert len(shapes) == 560
    assert sum(int(row["ways"]) for row in shapes) == int(shapes[0]["cardinality"])
    [nine_two] = [row for row in shapes if row["value"] == "9=2=1=1"]
    assert nine_two["expected"] == f"{5000 * 9425130 / 58809465:.6f}"


@pytest.mark.slow
def test_several_files_are_one_collection(cli: Cli, nine: Path, tmp_path: Path) -> None:
    other = tmp_path / "other.pav"
    write(deals(NINE).sample(100, seed=9), other)
    found = json.loads(cli("stats", nine, other, "--given", NINE, "--json").out)
    assert found["deals"] == 5100
    data = other.read_bytes()
    found = json.loads(cli("stats", "-", nine, "--json", "--given", NINE, stdin=data).out)
    assert found["deals"] == 5100


@pytest.mark.slow
@pytest.mark.parametrize("suffix", ["png", "svg"])
def test_pictures(cli: Cli, nine: Path, tmp_path: Path, suffix: str) -> None:
    needs("matplotlib")
    path = tmp_path / f"plot.{suffix}"
    assert cli("stats", nine, "--given", NINE, "--plot", path).code == 0
    assert path.stat().st_size > 10_000


@pytest.mark.slow
def test_deals_outside_the_condition(cli: Cli, nine: Path) -> None:
    outcome = cli("stats", nine, "--given", "spades(west) == 9 && hcp(north) > 3")
    assert outcome.code == 1
    assert re.fullmatch(
        r"not what it should be: \d+ deals do not satisfy the condition", outcome.lines[0]
    )


@pytest.mark.slow
def test_a_departure(cli: Cli, nine: Path) -> None:
    outcome = cli("stats", nine)
    assert outcome.code == 1
    assert outcome.lines[0].startswith("not what it should be: ")
    assert "tests fail, " in outcome.lines[0]


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
def test_problems_are_told_and_the_rest_is_counted(cli: Cli, tmp_path: Path) -> None:
    path = tmp_path / "bad.txt"
    path.write_text(f"{DEAL}\nN:AX... - - -\n", "utf-8")
    outcome = cli("stats", path)
    assert outcome.code == 1
    assert outcome.lines[2] == "1 deal"
    assert outcome.err.startswith(f"{path}:2: ")
    missing = cli("stats", path, tmp_path / "none.pbn")
    assert "none.pbn: cannot be read: No such file" in missing.err


def test_nothing_to_count(cli: Cli) -> None:
    outcome = cli("stats", "-", "--from", "lines", stdin=f"{ENDING}\n")
    assert outcome.code == 1
    assert outcome.err == "pavcodec stats: there are no complete deals to count\n"
