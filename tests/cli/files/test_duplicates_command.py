"""`pavcodec duplicates`: text, JSON, CSV, several files, wrong usage."""

from __future__ import annotations

import csv
import io
import json
from typing import TYPE_CHECKING

import pytest

from pavcodec import Board, Deal, Permutation, numbering, write

if TYPE_CHECKING:
    from pathlib import Path

    from formats_support import Cli

TURN = Permutation((1, 0, 2, 3), (1, 2, 3, 0))


@pytest.fixture
def files(tmp_path: Path) -> tuple[Path, Path, Deal]:
    """Two files: the second has the first deal of the first one as it is, and the second turned."""
    deals = numbering("deal").sample(6, seed=7)
    one, other = tmp_path / "one.pbn", tmp_path / "other.pbn"
    write([Board(layout=deal) for deal in deals[:4]], one)
    write([Board(layout=deal) for deal in (deals[4], deals[0], deals[1].permuted(TURN))], other)
    canonical = deals[1].canonical("suits,turns")[0]
    assert isinstance(canonical, Deal)
    return one, other, canonical


@pytest.mark.slow
def test_text(cli: Cli, files: tuple[Path, Path, Deal]) -> None:
    one, other, canonical = files
    outcome = cli("duplicates", one, other)
    assert (outcome.code, outcome.err) == (0, "")
    assert outcome.lines[0] == "7 boards with cards: 6 different, 1 again"
    assert outcome.lines[2] == f"2 times: {one}:1, {other}:2"
    assert len(outcome.lines) == 4
    outcome = cli("duplicates", one, other, "--up-to", "suits,turns")
    assert outcome.lines[0] == "7 boards with cards: 5 different up to suits and turns, 2 again"
    assert outcome.lines[5:] == [f"2 times: {one}:2, {other}:3", f"    {canonical}"]


def test_json_and_csv_have_all(cli: Cli, tmp_path: Path) -> None:
    path = tmp_path / "many.deal12"
    write([*numbering("deal").sample(30, seed=7)] * 2, path)
    shown = cli("duplicates", path).lines
    assert shown[-1] == "... and 10 layouts more; --json and --csv have all"
    value = json.loads(cli("duplicates", path, "--json").out)
    assert (value["boards"], value["different"], value["again"]) == (60, 30, 30)
    assert value["repeats"][29]["places"][1] == {"file": str(path), "board": 60}
    rows = list(csv.DictReader(io.StringIO(cli("duplicates", path, "--csv").out)))
    assert [row["board"] for row in rows[:4]] == ["1", "31", "2", "32"]
    assert (len(rows), rows[-1]["repeat"], rows[-1]["file"]) == (60, "30", str(path))


def test_a_file_that_is_not_there_is_a_problem(cli: Cli, files: tuple[Path, Path, Deal]) -> None:
    outcome = cli("duplicates", files[0], "nowhere.pbn")
    assert outcome.code == 1
    assert "nowhere.pbn: cannot be read" in outcome.err
    assert outcome.lines == ["4 boards with cards: 4 different, 0 again"]
