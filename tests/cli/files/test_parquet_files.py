"""Parquet on the command line."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING

import pytest
from formats_support import DEMO, Cli
from packages import needs

import pavcodec as pav

if TYPE_CHECKING:
    from pathlib import Path

needs("pyarrow")


@pytest.fixture
def event(tmp_path: Path, cli: Cli) -> Path:
    """The demonstration as Parquet."""
    path = tmp_path / "event.parquet"
    assert cli("convert", DEMO, path).code == 0
    return path


@pytest.mark.slow
def test_pbn_is_the_same_after_parquet(tmp_path: Path, event: Path, cli: Cli) -> None:
    outcome = cli("convert", event, tmp_path / "again.pbn")
    assert (outcome.code, outcome.out, outcome.err) == (0, "", "")
    cli("convert", DEMO, tmp_path / "direct.pbn")
    assert (tmp_path / "again.pbn").read_bytes() == (tmp_path / "direct.pbn").read_bytes()


def test_deals_are_written_for_tables(tmp_path: Path, cli: Cli) -> None:
    path = tmp_path / "x.parquet"
    options = ("hcp(south) >= 20", "-n", 100, "--seed", 7)
    assert cli("deal", *options, "-o", path).code == 0
    boards = list(pav.read(path))
    assert [board.number for board in boards] == list(range(1, 101))
    assert [str(board.layout) for board in boards] == cli("deal", *options).lines


def test_grep_and_info_read_parquet_from_files_and_pipes(event: Path, cli: Cli) -> None:
    condition = "hcp(north) >= 15"
    expected = cli("grep", condition, DEMO).lines
    assert expected
    assert cli("grep", condition, event).lines == expected
    data = event.read_bytes()
    assert cli("grep", condition, "-", stdin=data).lines == expected
    for outcome in (cli("info", "--json", event), cli("info", "--json", stdin=data)):
        (facts,) = json.loads(outcome.out)
        assert (facts["format"], facts["boards"], facts["bytes"]) == ("parquet", 36, len(data))


def test_a_pipe_gets_what_a_file_gets(event: Path, cli: Cli) -> None:
    assert cli("convert", DEMO, "-", "--to", "parquet").data == event.read_bytes()


def test_parquet_is_not_written_to_a_screen(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True, raising=False)
    outcome = cli("convert", DEMO, "-", "--to", "parquet")
    assert outcome.code == 2
    assert "parquet is not a text format" in outcome.complaint


@pytest.mark.slow
@pytest.mark.parametrize("size", [0, 3, 4, 1000])
def test_a_damaged_file_is_one_line(event: Path, cli: Cli, size: int) -> None:
    event.write_bytes(event.read_bytes()[:size])
    outcome = cli("encode", event)
    assert (outcome.code, outcome.out) == (1, "")
    assert outcome.complaint.startswith(f"{event}: this is no whole Parquet file: ")


def test_without_pyarrow_the_line_says_how_to_get_it(
    event: Path, tmp_path: Path, cli: Cli, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in [name for name in sys.modules if name.partition(".")[0] == "pyarrow"]:
        monkeypatch.setitem(sys.modules, name, None)
    target = tmp_path / "new.parquet"
    for words in (("convert", event, "-", "--to", "lines"), ("convert", DEMO, target)):
        outcome = cli(*words)
        assert outcome.code == 1
        assert outcome.complaint == (
            "pavcodec convert: Parquet needs the package pyarrow: pip install 'pavcodec[parquet]'"
        )
    assert not target.exists()
