"""`--append`: boards at the end of existing files, which are complete or unchanged."""

from __future__ import annotations

import gzip
import io
import os
from typing import TYPE_CHECKING

import pytest
from formats_support import DEAL, DEMO, OTHER, Cli
from packages import needs

import pavcodec as pav
from pavcodec import Board, Deal, TrickTable
from pavcodec.formats import format_names, format_of
from pavcodec.questions.outputs import open_appended

if TYPE_CHECKING:
    from pathlib import Path

SOLVED = [
    Board.make(board.layout, number=board.number, tricks=TrickTable(bytes([7] * 20)))
    for board in pav.read(DEMO)
    if board.layout and board.layout.is_deal and board.number
][:6]


def written(boards: list[Board], name: str) -> bytes:
    stream = io.BytesIO()
    pav.write(boards, stream, format=name)
    return stream.getvalue()


GROWING = [
    name for name in format_names() if format_of(name).is_read and not format_of(name).cannot_grow
]


@pytest.mark.parametrize("name", GROWING)
def test_a_file_that_grew_holds_the_boards_of_both(tmp_path: Path, name: str) -> None:
    path = tmp_path / f"a.{name}"
    path.write_bytes(written(SOLVED[:3], name))
    old = path.read_bytes()
    with open_appended(str(path), format_of(name)) as stream:
        stream.write(written(SOLVED[3:], name))
    assert path.read_bytes().startswith(old)
    whole = list(pav.read(io.BytesIO(written(SOLVED, name)), format=name))
    assert list(pav.read(path, format=name, strict=True)) == whole
    assert len(whole) == 6


@pytest.mark.parametrize("name", ["pbn", "lines", "jsonl", "deal12", "csv"])
@pytest.mark.parametrize("suffix", ["", ".gz", ".bz2", ".xz", ".zst"])
def test_convert_grep_and_deal_add_boards(cli: Cli, tmp_path: Path, name: str, suffix: str) -> None:
    if suffix == ".zst":
        needs("pyarrow")
    source = tmp_path / "source.pbn"
    pav.write(SOLVED, source)
    out = tmp_path / f"out.{name}{suffix}"
    assert cli("convert", source, "-o", out, "--append").code == 0
    first = list(pav.read(out))
    assert cli("convert", source, out, "--append").code == 0
    assert cli("grep", "1", source, "-o", out, "--append").code == 0
    assert cli("deal", "-n", "2", "--seed", "1", "-o", out, "--append").code == 0
    found = list(pav.read(out, strict=True))
    assert [board.layout for board in found[:18]] == [board.layout for board in first] * 3
    assert len(found) == 20


@pytest.mark.parametrize("end", ["", "\n", "\r\n", "\n\n"])
def test_the_missing_line_ends_of_the_old_file_are_added(
    cli: Cli, tmp_path: Path, end: str
) -> None:
    path, source = tmp_path / "a.pbn", tmp_path / "b.pbn"
    path.write_bytes(f'% PBN 2.1\r\n[Board "1"]\r\n[Deal "{DEAL}"]{end}'.encode())
    pav.write([Board.make(Deal.from_pbn(OTHER), number=2)], source)
    assert cli("convert", source, path, "--append").code == 0
    assert [board.number for board in pav.read(path, strict=True)] == [1, 2]
    text = path.read_bytes().decode()
    assert text.count("% PBN") == 1
    assert cli("convert", source, path, "--append").code == 0
    assert [board.number for board in pav.read(path, strict=True)] == [1, 2, 2]
    lines = tmp_path / "a.lines"
    lines.write_text(DEAL)
    assert cli("convert", source, lines, "--append").code == 0
    assert lines.read_text() == f"{DEAL}\n{OTHER}\n"


@pytest.mark.parametrize("name", [name for name in format_names() if name not in GROWING])
def test_other_formats_are_refused_with_a_reason(cli: Cli, tmp_path: Path, name: str) -> None:
    out = tmp_path / "out"
    out.write_bytes(b"old")
    outcome = cli("convert", DEMO, "-o", out, "--to", name, "--append")
    assert (outcome.code, out.read_bytes()) == (2, b"old")
    reason = format_of(name).cannot_grow or "a file of it is one whole"
    assert f"cannot be added to a file of {name}: {reason}" in outcome.complaint


@pytest.mark.parametrize("suffix", ["", ".gz"])
def test_a_failure_leaves_the_old_file(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"a.lines{suffix}"
    old = gzip.compress(DEAL.encode()) if suffix else DEAL.encode()
    path.write_bytes(old)

    def fail() -> None:
        with open_appended(str(path), format_of("lines")) as stream:
            stream.write(b"new")
            raise KeyError

    with pytest.raises(KeyError):
        fail()
    assert path.read_bytes() == old
    assert os.listdir(tmp_path) == [path.name]
