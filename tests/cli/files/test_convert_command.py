"""`pavcodec convert`: boards one by one and in arrays, joined files, records, losses, problems."""

from __future__ import annotations

import json
import struct
import sys
import zipfile
from typing import TYPE_CHECKING
from unittest.mock import patch

import numpy as np
import pytest
from formats_support import (
    DEAL,
    DEMO,
    ENDING,
    FOULED,
    NUMBER,
    OTHER,
    Cli,
    loss,
    read_text,
    write_bytes,
    write_format,
    writes_arrays,
)
from packages import needs
from records_support import BOARD_SIZES, by_hand

import pavcodec as pav
from pavcodec import Board, Deal, SolvedDeal, TrickTable
from pavcodec.formats import format as format_module
from pavcodec.formats import format_names, format_of

if TYPE_CHECKING:
    from pathlib import Path

TABLE = TrickTable(bytes([0, 10, 5, 6, 1, 11, 6, 5, 2, 12, 7, 4, 3, 13, 8, 3, 4, 7, 9, 2]))
SEVENS = TrickTable(bytes([7] * 20))
SOLVED = [
    Board.make(Deal.from_pbn(DEAL), number=1, tricks=TABLE, tags={"Event": "Club"}),
    Board.make(Deal.from_pbn(OTHER), number=2, tricks=SEVENS),
]
RAW = b"".join(
    by_hand("zrd", SolvedDeal(Deal.from_pbn(text), table))
    for text, table in ((DEAL, TABLE), (OTHER, SEVENS))
)
RULES = "number, dealer, vulnerability"


def told(name: str, data: bytes) -> str:
    """What `convert` prints of a file of records that it wrote."""
    whole = data + bytes(-len(data) % 4)
    total = sum(int(word) for (word,) in struct.iter_unpack("<I", whole)) % 2**64
    return f"{name}: {len(data):,} bytes, checksum {total:X}\n"


def test_streams_need_a_format_to_write_but_none_to_read(cli: Cli) -> None:
    for text in (DEAL, str(NUMBER), f'[Deal "{DEAL}"]'):
        assert cli("convert", "--to", "lines", "-", "-", stdin=text) == (0, f"{DEAL}\n", "")
        assert cli("convert", "-", "-", "--to=numbers", stdin=text) == (0, f"{NUMBER}\n", "")
    pbn = cli("convert", "-", "-", "--to", "pbn", stdin=DEAL)
    assert read_text(pbn.out).layouts == [DEAL]


def test_the_demonstration_file_goes_round(cli: Cli, tmp_path: Path) -> None:
    out = tmp_path / "out.pbn"
    assert cli("convert", DEMO, out) == (0, "", "")
    assert out.read_bytes().splitlines() == DEMO.read_bytes().splitlines()


@pytest.mark.parametrize("old", [None, "old"])
def test_where_nothing_could_be_read_nothing_is_written(
    cli: Cli, tmp_path: Path, old: str | None
) -> None:
    out = tmp_path / "out.pbn"
    if old:
        out.write_text(old)
    (tmp_path / "in.pbn").write_bytes(b"\x7fELF\0\0")
    (tmp_path / "in.zrd").write_bytes(b"\xff" * 45)
    for name in ("in.pbn", "in.zrd", "missing.pbn"):
        outcome = cli("convert", "--force", tmp_path / name, out)
        assert outcome.code == 1
        first, *_, last = outcome.err.splitlines()
        assert name in first
        assert last.endswith(f"nothing to write: {out} is left as it was")
    (tmp_path / "in.zrd").write_bytes(RAW + b"\xff" * 40)
    outcome = cli("convert", "--force", "--strict", tmp_path / "in.zrd", out)
    assert outcome.code == 1
    assert "zrd record 2 at byte 46: a deal has 13 cards" in outcome.complaint
    assert (out.read_text() if out.exists() else None) == old
    assert len([*tmp_path.iterdir()]) == 2 + bool(old)


QUICK = [name for name in format_names() if writes_arrays(name)]
EVENT = "\n".join([
    f'% PBN 2.1\n[Board "1"]\n[Deal "{DEAL}"]\n', f'[Board "2"]\n[Deal "{OTHER}"]\n',
    '[Board "3"]\n[Deal ""]\n', f'[Board "4"]\n[Deal "{ENDING}"]\n', '[Board "5"]\n{\n\n}\n',
    '[Board "6"]\n[Deal "N:AX... - - -"]\n', f'[Board "7"]\n[Deal "{DEAL}"]\n',
    f'[Board "8"]\n[Deal "{FOULED}"]\n', f'[Board "9"]\n[Deal "{OTHER}"]\n', '[Deal "?"]\n',
    f'[Board "10"]\n[Deal "{ENDING}"]\n',
])  # fmt: skip
LINES = "\n".join([DEAL, ENDING, "x", "", OTHER, FOULED, DEAL.lower(), "# remark", ENDING, DEAL])
NUMBERS = "\n".join(["5", "x", "0xff", "-1", "", str(10**30), "7"])
INPUTS = {
    "a.pbn": EVENT.encode(),
    "b.pbn": DEMO.read_bytes(),
    "c.txt": LINES.encode(),
    "d.numbers": NUMBERS.encode(),
    "e.deal12": bytes(24) + b"\xff" * 12 + bytes(5),
    "f.layout20": b"\x24\x49\x92" * 7,
    "g.pbn": b"",
    "h.txt": b'[Deal "x"]\n',
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


PRINTED = f"""\
[Event "Club night"]
[Date "2026.11.24"]
[Board "7"]
[Vulnerable "None"]
[Deal "{DEAL}"]
[DoubleDummyTricks "77777777777777777777"]
[OptimumScore "NS 90"]
"""


@pytest.mark.slow
@pytest.mark.parametrize("name", ["html", "pdf", "svg"])
def test_pages_lose_what_they_do_not_show(cli: Cli, tmp_path: Path, name: str) -> None:
    if name == "pdf":
        needs("typst")
    to_page = ("convert", "--to", name, "-")
    outcome = cli(*to_page, tmp_path / "one", stdin=PRINTED)
    lost = loss("svg", 1, "the tags Event and Date") if name == "svg" else ""
    assert lost in outcome.err
    assert (outcome.out, outcome.err.count("lose")) == ("", bool(lost))
    extra = cli(*to_page, tmp_path / "two", stdin=f'{PRINTED}[North "Ann"]\n[Annotator "Bo"]\n')
    assert [word in extra.err for word in ("names", "Annotator", "dealer")] == [True, True, False]


@pytest.mark.slow
@pytest.mark.parametrize("at", [0, 1 << 40])
@pytest.mark.parametrize("suffix", ["pbn", "lines", "json", "pav", "parquet"])
def test_several_inputs_are_joined_in_order(cli: Cli, tmp_path: Path, suffix: str, at: int) -> None:
    first, second, out = (tmp_path / name for name in ("a.pbn", "b.lines", f"all.{suffix}"))
    pav.write([SOLVED[0], SOLVED[1], SOLVED[0]], first)
    pav.write([Board(each.layout) for each in SOLVED], second)
    with patch.object(format_module, "LARGE", at):
        outcome = cli("convert", first, second, first, "-o", out, "--json")
    assert (outcome.code, json.loads(outcome.out)["boards"]) == (0, 8)
    one, other = (each.layout for each in SOLVED)
    wanted = [one, other, one, one, other, one, other, one]
    assert [board.layout for board in pav.read(out)] == wanted


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


@pytest.mark.slow
@pytest.mark.parametrize("name", BOARD_SIZES)
def test_records_keep_what_they_can_and_tell_their_checksum(
    cli: Cli, tmp_path: Path, name: str
) -> None:
    (tmp_path / "event.pbn").write_bytes(write_bytes(SOLVED))
    lost = f"{RULES}, double-dummy tricks and the tag Event"
    if name in ("zrd", "gib-library"):
        lost = f"{RULES} and the tag Event"
    elif name == "zdd":
        lost = f"cards, {RULES} and the tag Event"
    out = cli("convert", "--to", name, tmp_path / "event.pbn", "-")
    assert len(out.data) == 2 * BOARD_SIZES[name]
    assert (out.code, out.err) == (0, loss(name, 2, lost) + told(name, out.data))
    path = tmp_path / f"a.{name}"
    assert cli("convert", tmp_path / "event.pbn", path).out == told(name, out.data)
    assert path.read_bytes() == out.data
    back = cli("convert", "--from", name, "--to", "pbn", "-", "-", stdin=out.data)
    assert (back.code, back.err) == (0, "")
    boards = read_text(back.data).boards
    assert name == "zdd" or [b.layout for b in boards] == [b.layout for b in SOLVED]
    assert name not in ("zrd", "zdd") or [b.tricks for b in boards] == [TABLE, SEVENS]
    again = cli("convert", "--from", "pbn", "--to", name, "-", "-", stdin=back.out)
    assert again == (0, out.out, told(name, out.data))  # which loses nothing
    if name == "zrd":
        assert out.data == RAW


def test_json_tells_bytes_and_checksum(cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "in.txt").write_text(f"{DEAL}\n{ENDING}\n{FOULED}\n")
    outcome = cli("convert", "--json", tmp_path / "in.txt", tmp_path / "a.zbs")
    assert outcome.err == ""
    assert json.loads(outcome.out) == {
        "boards": 3,
        "left_out": 0,
        "problems": 0,
        "format": "zbs",
        "keeps": format_of("zbs").keeps,
        "loses": format_of("zbs").loses,
        "lost": [],
        "bytes": 48,
        "checksum": told("zbs", (tmp_path / "a.zbs").read_bytes()).split()[-1],
    }
    outcome = cli("convert", "--json", tmp_path / "in.txt", tmp_path / "a.deal12")
    summary = json.loads(outcome.out)
    assert (outcome.code, summary["boards"], summary["problems"], summary["bytes"]) == (1, 3, 2, 12)


def test_boards_without_cards_are_left_out_and_told(cli: Cli, tmp_path: Path) -> None:
    path, alone = tmp_path / "in.pbn", tmp_path / "tricks.pbn"
    path.write_text(f'[Board "1"]\n\n[Deal "{DEAL}"]\n\n[Board "3"]\n')
    alone.write_bytes(write_bytes([Board.make(None, number=1, tricks=TABLE)]))
    outcome = cli("convert", path, tmp_path / "a.deal13")
    assert outcome.code == 0
    assert outcome.complaint.startswith("2 boards without cards left out: deal13 keeps")
    assert cli("convert", path, tmp_path / "a.layout20").code == 0
    assert (tmp_path / "a.layout20").stat().st_size == 20
    lost = loss("zdd", 1, "number, dealer and vulnerability")
    wanted = (0, told("zdd", by_hand("zdd", TABLE)), lost)
    assert cli("convert", alone, tmp_path / "a.zdd") == wanted
    outcome = cli("convert", alone, tmp_path / "a.zrd")
    assert (outcome.code, (tmp_path / "a.zrd").read_bytes()) == (0, b"")
    assert outcome.complaint.startswith("1 board without cards left out")
    (tmp_path / "in.txt").write_text("")
    outcome = cli("convert", tmp_path / "in.txt", tmp_path / "a.zbs")
    assert outcome == (0, "zbs: 0 bytes, checksum 0\n", "no boards\n")


def test_boards_that_do_not_fit_are_told_with_their_numbers(cli: Cli, tmp_path: Path) -> None:
    out = tmp_path / "a.deal12"
    outcome = cli("convert", DEMO, out)
    *complaints, last = outcome.err.splitlines()
    lost = f"{RULES} and the tags Event, Date, Scoring, DealId and Description"
    assert (outcome.code, f"{last}\n") == (1, loss("deal12", 36, lost))
    bad = [board for board in read_text(DEMO.read_bytes()).boards if board.number in range(33, 37)]
    assert [line.split(": ")[:2] for line in complaints] == [
        [f"{DEMO}:{board.line}", f"board {board.number}"] for board in bad
    ]
    assert outcome.out == told("deal12", out.read_bytes())
    assert len(out.read_bytes()) == 12 * 32
    ending = pav.Board.make(pav.Layout.from_pbn(ENDING), number=8)
    pav.write([SOLVED[0], ending, SOLVED[1]], tmp_path / "a.pbn")
    done = cli("convert", tmp_path / "a.pbn", tmp_path / "a.npy", "--to", "npy:pgx")
    assert done.code == 1
    assert "board 8: view 'pgx' needs deals" in done.err
    assert len(np.load(tmp_path / "a.npy")) == 2


@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name in BOARD_SIZES if name not in ("zdd", "zbs")])
def test_a_file_of_records_that_is_cut_off(cli: Cli, tmp_path: Path, name: str) -> None:
    path, size = tmp_path / f"a.{name}", BOARD_SIZES[name]
    path.write_bytes(write_format(name, [*SOLVED, SOLVED[0]]).data[:-3])
    expected = f"{name} record 2 at byte {2 * size}: the file ends after {size - 3} of {size} bytes"
    outcome = cli("encode", path)
    assert outcome.lines == [str(pav.numbering("deal").rank(b.layout)) for b in SOLVED if b.layout]
    assert (outcome.code, outcome.complaint) == (1, f"{path}: {expected}")


def test_files_under_the_names_of_others(cli: Cli, tmp_path: Path) -> None:
    path = tmp_path / "event.zrd"
    path.write_bytes(DEMO.read_bytes()[:40])
    told_of = [line.split(": ")[1] for line in cli("encode", path).err.splitlines()]
    assert told_of == ["zrd record 0 at byte 0", "zrd record 1 at byte 23"]
    for name in ("a.pbn", "a.txt", "a.dat"):
        (tmp_path / name).write_bytes(RAW)
        outcome = cli("encode", tmp_path / name)
        assert (outcome.code, outcome.out) == (1, "")
        assert outcome.complaint.startswith(f"{tmp_path / name}")
    for name in ("a.zbs-word", "a.ZBS-DIAGRAM", "a.case16"):
        (tmp_path / name).write_bytes(bytes(16))
        outcome = cli("convert", tmp_path / name, tmp_path / "out.txt")
        assert (outcome.code, (tmp_path / "out.txt").exists()) == (1, False)
        assert f"{name}: a file of these records holds no boards" in outcome.complaint


@pytest.fixture
def parquet(tmp_path: Path, cli: Cli) -> Path:
    """The demonstration as Parquet."""
    needs("pyarrow")
    path = tmp_path / "event.parquet"
    assert cli("convert", DEMO, path).code == 0
    return path


def test_parquet_is_read_and_written_in_files_and_pipes(
    tmp_path: Path, parquet: Path, cli: Cli
) -> None:
    assert cli("convert", parquet, tmp_path / "again.pbn") == (0, "", "")
    assert cli("convert", DEMO, tmp_path / "direct.pbn").code == 0
    assert (tmp_path / "again.pbn").read_bytes() == (tmp_path / "direct.pbn").read_bytes()
    data = parquet.read_bytes()
    assert cli("convert", DEMO, "-", "--to", "parquet").data == data
    (facts,) = json.loads(cli("info", "--json", stdin=data).out)
    assert (facts["format"], facts["boards"], facts["bytes"]) == ("parquet", 36, len(data))
    for size in (0, 4, 1000):
        parquet.write_bytes(data[:size])
        outcome = cli("encode", parquet)
        assert (outcome.code, outcome.out) == (1, "")
        assert outcome.complaint.startswith(f"{parquet}: this is no whole Parquet file: ")


def test_parquet_needs_no_screen_and_a_package(
    tmp_path: Path, parquet: Path, cli: Cli, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as screen:
        screen.setattr(sys.stdout, "isatty", lambda: True, raising=False)
        outcome = cli("convert", DEMO, "-", "--to", "parquet")
    assert (outcome.code, "parquet is not a text format" in outcome.complaint) == (2, True)
    for name in [name for name in sys.modules if name.partition(".")[0] == "pyarrow"]:
        monkeypatch.setitem(sys.modules, name, None)
    for words in ((parquet, "-", "--to", "lines"), (DEMO, tmp_path / "new.parquet")):
        outcome = cli("convert", *words)
        assert (outcome.code, outcome.complaint) == (
            1,
            "pavcodec convert: Parquet needs the package pyarrow: pip install 'pavcodec[parquet]'",
        )
    assert not (tmp_path / "new.parquet").exists()


NAMES = ["monday.pbn", "monday.pbn", "tuesday.lines", "tuesday.lines"]
WAYS = {
    "pbn": ("convert", "-o", "all.pbn"),
    "jsonl": ("convert", "-o", "all.jsonl"),
    "parquet": ("convert", "-o", "all.parquet"),
    "pack": ("pack", "-o", "all.pav"),
    "pack --all": ("pack", "--all", "-o", "all.pav"),
    "pack --multiset": ("pack", "--multiset", "-o", "all.pav"),
}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two boards of PBN and two lines, of which the first repeats a deal."""
    monkeypatch.chdir(tmp_path)
    pav.write([board.with_tags({"Room": "A"}) for board in SOLVED], "monday.pbn")
    pav.write([Board(SOLVED[0].layout), Board(pav.numbering("deal")[4])], "tuesday.lines")


@pytest.mark.slow
@pytest.mark.parametrize("way", WAYS)
@pytest.mark.usefixtures("folder")
def test_each_board_tells_its_file(cli: Cli, way: str) -> None:
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


@pytest.mark.usefixtures("folder")
def test_the_first_name_stays(cli: Cli) -> None:
    cli("convert", "monday.pbn", "tuesday.lines", "-o", "one.jsonl", "--source-file")
    cli("convert", "one.jsonl", "tuesday.lines", "-o", "two.pbn", "--source-file")
    names = [board.tags["SourceFile"] for board in pav.read("two.pbn")]
    assert names == [*NAMES, "tuesday.lines", "tuesday.lines"]
    assert "sources              " in cli("info", "two.pbn").out
    assert "two.pbn:1 (monday.pbn), two.pbn:" in cli("duplicates", "two.pbn").out


@pytest.mark.usefixtures("folder")
def test_parquet_has_a_column_of_names(cli: Cli) -> None:
    pq = pytest.importorskip("pyarrow.parquet")
    cli("convert", "monday.pbn", "tuesday.lines", "-o", "all.parquet", "--source-file")
    assert pq.read_table("all.parquet").column("source_file").to_pylist() == NAMES
    form = "parquet:number,source_file"
    assert cli("convert", "all.parquet", "short.parquet", "--to", form).code == 0
    tags = [board.tags for board in pav.read("short.parquet")]
    assert tags == [{"SourceFile": name} for name in NAMES]
    cli("convert", "monday.pbn", "-o", "none.parquet")
    assert "source_file" not in pq.read_table("none.parquet").column_names
