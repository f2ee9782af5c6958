"""Boards that keep the name of their file when several files become one."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

import pavcodec as pav

if TYPE_CHECKING:
    from pathlib import Path

    from formats_support import Cli

DEALS = pav.numbering("deal").sample(5, seed=1)
NAMES = ["monday.pbn", "monday.pbn", "monday.pbn", "tuesday.lines", "tuesday.lines"]


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two files: three boards of PBN, and two lines, of which the first repeats a deal."""
    monkeypatch.chdir(tmp_path)
    boards = [
        pav.Board.make(deal, number=k, tags={"Room": "A"}) for k, deal in enumerate(DEALS[:3], 1)
    ]
    pav.write(boards, "monday.pbn")
    pav.write([pav.Board(DEALS[0]), pav.Board(DEALS[4])], "tuesday.lines")


WAYS = {
    "pbn": ("convert", "-o", "all.pbn"),
    "jsonl": ("convert", "-o", "all.jsonl"),
    "parquet": ("convert", "-o", "all.parquet"),
    "pav": ("convert", "-o", "all.pav"),
    "pack": ("pack", "-o", "all.pav"),
    "pack --all": ("pack", "--all", "-o", "all.pav"),
    "pack --set": ("pack", "--multiset", "-o", "all.pav"),
}


@pytest.mark.slow
@pytest.mark.parametrize("way", WAYS)
def test_each_board_tells_its_file(cli: Cli, way: str) -> None:
    command, *options = WAYS[way]
    path = options[-1]
    assert cli(command, "monday.pbn", "tuesday.lines", *options, "--source-file").code == 0
    boards = list(pav.read(path))
    assert sorted(board.tags["SourceFile"] for board in boards) == NAMES
    assert [board.tags.get("Room", "") for board in boards].count("A") == (
        0 if way in ("pack", "pack --set") else 3
    )
    (facts,) = json.loads(cli("info", "--json", path).out)
    sources = facts.get("sources") or facts["session"]["sources"]
    assert sorted(sources) == ["monday.pbn", "tuesday.lines"]
    assert "sources              " in cli("info", path).out
    rows = [json.loads(line) for line in cli("grep", "--json", "hcp(north) >= 0", path).lines]
    assert [row["source"] for row in rows] == [board.tags["SourceFile"] for board in boards]
    (repeat,) = json.loads(cli("duplicates", "--json", path).out)["repeats"]
    assert [place["source"] for place in repeat["places"]] == ["monday.pbn", "tuesday.lines"]
    assert f"{path}:1 (monday.pbn), {path}:" in cli("duplicates", path).out or way == "pack --set"
    heads, first, *_ = cli("duplicates", "--csv", path).lines
    assert (heads.split(",")[-1], first.split(",")[-1]) == ("source", "monday.pbn")
    if path.endswith(".pav"):
        row = json.loads(cli("get", "--json", path, -1).out)
        assert row["source"] == boards[-1].tags["SourceFile"]


def test_the_first_name_stays(cli: Cli) -> None:
    cli("convert", "monday.pbn", "tuesday.lines", "-o", "one.pbn", "--source-file")
    cli("convert", "one.pbn", "tuesday.lines", "-o", "two.pbn", "--source-file")
    names = [board.tags["SourceFile"] for board in pav.read("two.pbn")]
    assert names == [*NAMES, "tuesday.lines", "tuesday.lines"]


def test_parquet_has_a_column(cli: Cli) -> None:
    pq = pytest.importorskip("pyarrow.parquet")
    cli("convert", "monday.pbn", "tuesday.lines", "-o", "all.parquet", "--source-file")
    assert pq.read_table("all.parquet").column("source_file").to_pylist() == NAMES
    cli("convert", "monday.pbn", "tuesday.lines", "-o", "none.parquet")
    assert "source_file" not in pq.read_table("none.parquet").column_names
    form = "parquet:number,source_file"
    assert cli("convert", "all.parquet", "short.parquet", "--to", form).code == 0
    assert [board.tags for board in pav.read("short.parquet")] == [
        {"SourceFile": name} for name in NAMES
    ]
