"""`pavcodec convert`: boards one by one and in arrays, joined files, records, losses, problems."""

from __future__ import annotations

import json
import struct
import sys
import zipfile
from typing import TYPE_CHECKING
from unittest.mock import patch

import pytest
from formats_support import (
    DEAL,
    DEMO,
    ENDING,
    FOULED,
    OTHER,
    Cli,
    loss,
    writes_arrays,
)
from packages import needs
from records_support import by_hand

import pavcodec as pav
from pavcodec import Board, Deal, TrickTable
from pavcodec.formats import format as format_module
from pavcodec.formats import format_names

if TYPE_CHECKING:
    from pathlib import Path

TABLE = TrickTable(bytes([0, 10, 5, 6, 1, 11, 6, 5, 2, 12, 7, 4, 3, 13, 8, 3, 4, 7, 9, 2]))
SEVENS = TrickTable(bytes([7] * 20))
SOLVED = [
    Board.make(Deal.from_pbn(DEAL), number=1, tricks=TABLE, tags={"Event": "Club"}),
    Board.make(Deal.from_pbn(OTHER), number=2, tricks=SEVENS),
]


def told(name: str, data: bytes) -> str:
    """What `convert` prints of a file of records that it wrote."""
    whole = data + bytes(-len(data) % 4)
    total = sum(int(word) for (word,) in struct.iter_unpack("<I", whole)) % 2**64
    return f"{name}: {len(data):,} bytes, checksum {total:X}\n"


QUICK = [name for name in format_names() if writes_arrays(name)]
EVENT = "\n\n".join([
    f'[Board "1"]\n[Deal "{DEAL}"]', '[Board "3"]\n[Deal ""]', f'[Board "4"]\n[Deal "{ENDING}"]',
    '[Board "5"]\n{\n\n}', '[Deal "N:AX... - - -"]', f'[Board "8"]\n[Deal "{FOULED}"]',
    f'[Board "9"]\n[Deal "{OTHER}"]', '[Deal "?"]',
])  # fmt: skip
LINES = "\n".join([DEAL, ENDING, "x", "", OTHER, FOULED, DEAL.lower(), "# remark", ENDING, DEAL])
INPUTS = {
    "a.pbn": EVENT.encode(),
    "c.txt": LINES.encode(),
    "d.numbers": f"5\nx\n0xff\n-1\n\n{10**30}\n7".encode(),
    "e.deal12": bytes(24) + b"\xff" * 12 + bytes(5),
    "g.pbn": b"",
    "i.pbn": b"\x00\x01",
}
OPTIONS = (["--json"], ["--json", "--as", "base5"], ["--strict"])


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "to", "options"),
    [
        *(("a.pbn", to, []) for to in QUICK),
        *((name, to, ["--json"]) for name in INPUTS for to in ("lines", "deal12")),
        *(("c.txt", "numbers", options) for options in OPTIONS),
    ],
)
def test_arrays_give_what_boards_give(
    cli: Cli, tmp_path: Path, name: str, to: str, options: list[str]
) -> None:
    """Large files are converted as arrays, and nobody can tell."""
    source, found = tmp_path / name, []
    source.write_bytes(INPUTS[name])
    for at in (1 << 40, 0):
        target = tmp_path / "out"
        target.unlink(missing_ok=True)
        with patch.object(format_module, "LARGE", at):
            outcome = cli("convert", source, target, "--to", to, *options)
        data = target.read_bytes() if target.exists() else None
        found.append((outcome.code, outcome.out, sorted(outcome.err.splitlines()), data))
    assert found[0] == found[1]


@pytest.mark.slow
@pytest.mark.parametrize("at", [0, 1 << 40])
@pytest.mark.parametrize("suffix", ["pbn", "parquet", "pav"])
def test_the_loss_of_tags_is_told_where_there_is_one(
    cli: Cli, tmp_path: Path, suffix: str, at: int
) -> None:
    place, event = ["number, dealer and vulnerability"], ["the tag Event"]
    for tags, lost in (
        ('[Event "x"]', event), ('[Site "?"]\n[Board "7"]', place), ('[Site "?"]\n[Date ""]', [])
    ):  # fmt: skip
        pbn, source = tmp_path / "a.pbn", tmp_path / f"b.{suffix}"
        pbn.write_text(f'{tags}\n[Deal "{DEAL}"]\n')
        pav.write(pav.read(pbn), source)
        with patch.object(format_module, "LARGE", at):
            outcome = cli("convert", source, "-", "--to", "lines")
            kept = cli("convert", source, "-", "--to", "lin")
        assert (outcome.err, kept.err) == ("".join(loss("lines", 1, each) for each in lost), "")


@pytest.mark.slow
def test_few_boards_of_a_large_file_are_examined(cli: Cli, tmp_path: Path) -> None:
    path = tmp_path / "many.pbn"
    plain, tagged = f'[Deal "{DEAL}"]\n\n', f'[Event "x"]\n[Deal "{DEAL}"]\n\n'
    for text, told_of in (
        (plain * 1500 + tagged * 2000, "1 of the first 1,501 boards loses"),
        (tagged * 2000, "1,024 of the first 1,024 boards lose"),
    ):
        path.write_text(text)
        with patch.object(format_module, "LARGE", 0):
            outcome = cli("convert", path, tmp_path / "out.txt", "--force")
        assert outcome.err == f"lines: {told_of} the tag Event\n"


@pytest.mark.slow
@pytest.mark.parametrize("at", [0, 1 << 40])
@pytest.mark.parametrize("suffix", ["pbn", "lines", "pav"])
def test_several_inputs_are_joined_in_order(cli: Cli, tmp_path: Path, suffix: str, at: int) -> None:
    first, second, out = (tmp_path / name for name in ("a.pbn", "b.lines", f"all.{suffix}"))
    pav.write(SOLVED, first)
    pav.write([Board(SOLVED[1].layout)], second)
    with patch.object(format_module, "LARGE", at):
        assert cli("convert", first, second, first, "-o", out).code == 0
    one, other = (each.layout for each in SOLVED)
    assert [board.layout for board in pav.read(out)] == [one, other, other, one, other]


def test_many_inputs_are_not_open_together(cli: Cli, tmp_path: Path) -> None:
    resource = pytest.importorskip("resource")
    (tmp_path / "a.lines").write_text(f"{DEAL}\n")
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(soft, 64), hard))
    try:
        outcome = cli("convert", *[tmp_path / "a.lines"] * 80, "-o", tmp_path / "b.lines")
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    assert outcome.code == 0
    assert (tmp_path / "b.lines").read_text() == f"{DEAL}\n" * 80


def test_a_zip_file_and_a_plain_file_are_joined_into_a_zip_file(cli: Cli, tmp_path: Path) -> None:
    path, plain, out = (tmp_path / name for name in ("rounds.zip", "a.pbn", "all.lin.zip"))
    pav.write(SOLVED, plain)
    with zipfile.ZipFile(path, "w") as archive:
        for name in ("round1.pbn", "round2.pbn"):
            archive.write(plain, name)
    assert cli("convert", path, plain, "--renumber", "-o", out).code == 0
    with zipfile.ZipFile(out) as archive:
        assert archive.namelist() == ["all.lin"]
    assert [board.number for board in pav.read(out)] == [1, 2, 3, 4, 5, 6]


def test_boards_without_cards_are_left_out_and_told(cli: Cli, tmp_path: Path) -> None:
    path, out = tmp_path / "tricks.pbn", tmp_path / "a.zrd"
    pav.write([Board.make(None, number=1, tricks=TABLE)], path)
    lost = loss("zdd", 1, "number, dealer and vulnerability")
    wanted = (0, told("zdd", by_hand("zdd", TABLE)), lost)
    assert cli("convert", path, tmp_path / "a.zdd") == wanted
    outcome = cli("convert", path, out)
    assert (outcome.code, out.read_bytes()) == (0, b"")
    assert outcome.complaint.startswith("1 board without cards left out")


def test_parquet_needs_no_screen_and_a_package(
    tmp_path: Path, cli: Cli, monkeypatch: pytest.MonkeyPatch
) -> None:
    needs("pyarrow")
    parquet = tmp_path / "event.parquet"
    assert cli("convert", DEMO, parquet).code == 0
    assert cli("convert", DEMO, "-", "--to", "parquet").data == parquet.read_bytes()
    with monkeypatch.context() as screen:
        screen.setattr(sys.stdout, "isatty", lambda: True, raising=False)
        outcome = cli("convert", DEMO, "-", "--to", "parquet")
    assert (outcome.code, "parquet is not a text format" in outcome.complaint) == (2, True)
    for name in [name for name in sys.modules if name.partition(".")[0] == "pyarrow"]:
        monkeypatch.setitem(sys.modules, name, None)
    said = "pavcodec convert: Parquet needs the package pyarrow: pip install 'pavcodec[parquet]'"
    for words in ((parquet, "-", "--to", "lines"), (DEMO, tmp_path / "new.parquet")):
        outcome = cli("convert", *words)
        assert (outcome.code, outcome.complaint) == (1, said)
    assert not (tmp_path / "new.parquet").exists()


NAMES = ["monday.pbn", "monday.pbn", "tuesday.lines", "tuesday.lines"]
WAYS = {
    "pbn": ("convert", "-o", "all.pbn"),
    "parquet": ("convert", "-o", "all.parquet"),
    "pack": ("pack", "-o", "all.pav"),
    "pack --multiset": ("pack", "--multiset", "-o", "all.pav"),
}


@pytest.mark.slow
@pytest.mark.parametrize("way", WAYS)
def test_each_board_tells_its_file(
    cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, way: str
) -> None:
    monkeypatch.chdir(tmp_path)
    pav.write([board.with_tags({"Room": "A"}) for board in SOLVED], "monday.pbn")
    pav.write([Board(SOLVED[0].layout), Board(pav.numbering("deal")[4])], "tuesday.lines")
    command, *options = WAYS[way]
    path = options[-1]
    assert cli(command, "monday.pbn", "tuesday.lines", *options, "--source-file").code == 0
    boards = list(pav.read(path))
    assert sorted(board.tags["SourceFile"] for board in boards) == NAMES
    rooms = [board.tags.get("Room", "") for board in boards].count("A")
    assert rooms == (0 if way in ("pack", "pack --multiset") else 2)
    (facts,) = json.loads(cli("info", "--json", path).out)
    sources = facts.get("sources") or facts["session"]["sources"]
    assert sorted(sources) == ["monday.pbn", "tuesday.lines"]
    rows = [json.loads(line) for line in cli("grep", "--json", "hcp(north) >= 0", path).lines]
    assert [row["source"] for row in rows] == [board.tags["SourceFile"] for board in boards]
    (repeat,) = json.loads(cli("duplicates", "--json", path).out)["repeats"]
    assert [place["source"] for place in repeat["places"]] == ["monday.pbn", "tuesday.lines"]
    heads, first, *_ = cli("duplicates", "--csv", path).lines
    assert (heads.split(",")[-1], first.split(",")[-1]) == ("source", "monday.pbn")
    if path.endswith(".pav"):
        row = json.loads(cli("get", "--json", path, -1).out)
        assert row["source"] == boards[-1].tags["SourceFile"]
    cli("convert", path, "tuesday.lines", "-o", "two.pbn", "--source-file")
    names = [board.tags["SourceFile"] for board in pav.read("two.pbn")]
    assert names == [*(board.tags["SourceFile"] for board in boards), *NAMES[2:]]
    if way == "parquet":
        pq = pytest.importorskip("pyarrow.parquet")
        assert pq.read_table(path).column("source_file").to_pylist() == NAMES
        cli("convert", "monday.pbn", "-o", "none.parquet")
        assert "source_file" not in pq.read_table("none.parquet").column_names
