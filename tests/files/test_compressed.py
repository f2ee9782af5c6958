"""Compressed files are read as the files that they hold."""

from __future__ import annotations

import bz2
import gzip
import lzma
from collections.abc import Callable
from pathlib import Path

import pytest
from formats_support import DEAL, DEMO, OTHER

import pavcodec
from pavcodec import ReadError, read
from pavcodec.cli import main

WAYS: dict[str, Callable[[bytes], bytes]] = {
    ".gz": gzip.compress,
    ".bz2": bz2.compress,
    ".xz": lzma.compress,
}


def zstandard(data: bytes) -> bytes:
    codec = pytest.importorskip("pyarrow").Codec("zstd")
    return bytes(codec.compress(data, asbytes=True))


@pytest.mark.parametrize("suffix", [*WAYS, ".zst"])
def test_every_way_is_read_by_suffix(tmp_path: Path, suffix: str) -> None:
    way = WAYS.get(suffix, zstandard)
    path = tmp_path / f"demo.pbn{suffix}"
    path.write_bytes(way(DEMO.read_bytes()))
    assert list(read(path)) == list(read(DEMO))
    unnamed = tmp_path / f"deals{suffix.upper()}"
    unnamed.write_bytes(way(f"{DEAL}\n{OTHER}\n".encode()))
    assert [str(board.layout) for board in read(unnamed)] == [DEAL, OTHER]
    assert [row.tobytes() for rows in pavcodec.read_owners(unnamed) for row in rows] == [
        bytes(board.layout.owners) for board in read(unnamed) if board.layout is not None
    ]


@pytest.mark.parametrize("name", ["bri", "deal13", "pav", "json", "lin"])
def test_formats_of_all_kinds_may_be_compressed(tmp_path: Path, name: str) -> None:
    plain = tmp_path / f"a.{name}"
    pavcodec.write([board for board in read(DEMO) if board.layout and board.layout.is_deal], plain)
    packed = tmp_path / f"a.{name}.gz"
    packed.write_bytes(gzip.compress(plain.read_bytes()))
    assert list(read(packed)) == list(read(plain))


@pytest.mark.parametrize("suffix", [*WAYS, ".zst"])
@pytest.mark.parametrize("damage", ["cut", "other"])
def test_damage_is_one_line_and_no_output(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], suffix: str, damage: str
) -> None:
    data = WAYS.get(suffix, zstandard)(DEMO.read_bytes())
    path = tmp_path / f"demo.pbn{suffix}"
    path.write_bytes(data[: len(data) // 2] if damage == "cut" else b"no compressed file at all")
    with pytest.raises(ReadError, match="is damaged or incomplete"):
        list(read(path))
    out = tmp_path / "out.pbn"
    assert main(["convert", str(path), str(out)]) == 1
    assert not out.exists()
    assert len(capsys.readouterr().err.splitlines()) == 1


@pytest.mark.slow
@pytest.mark.parametrize("command", ["encode", "info", "stats", "show"])
def test_commands_read_them(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], command: str
) -> None:
    path = tmp_path / "demo.pbn.gz"
    path.write_bytes(gzip.compress(DEMO.read_bytes()))
    codes = [main([command, str(each)]) for each in (path, DEMO)]
    assert codes[0] == codes[1]
    assert capsys.readouterr().out.count("\n") > 2
