"""`convert` with several inputs: joined, chosen, sorted and numbered boards."""

from __future__ import annotations

import json
import zipfile
from typing import TYPE_CHECKING
from unittest.mock import patch

import pytest
from formats_support import DEAL, OTHER, Cli
from packages import needs

import pavcodec as pav
from pavcodec import Board, Deal
from pavcodec.formats import format as format_module

if TYPE_CHECKING:
    from pathlib import Path

FIRST, SECOND = Deal.from_pbn(DEAL), Deal.from_pbn(OTHER)


def file_of(path: Path, *boards: Board) -> Path:
    pav.write(boards, path)
    return path


def numbers(path: Path) -> list[int | None]:
    return [board.number for board in pav.read(path)]


@pytest.fixture
def monday(tmp_path: Path) -> Path:
    """Boards 1 to 4."""
    return file_of(tmp_path / "monday.pbn", *(Board.make(FIRST, number=n) for n in range(1, 5)))


@pytest.fixture
def tuesday(tmp_path: Path) -> Path:
    """Boards 9, 3 and 4."""
    return file_of(tmp_path / "tuesday.pbn", *(Board.make(SECOND, number=n) for n in (9, 3, 4)))


@pytest.mark.parametrize("at", [0, 1 << 40])
@pytest.mark.parametrize("suffix", ["pbn", "lines", "json", "pav", "parquet"])
def test_several_inputs_are_joined_in_order(
    cli: Cli, monday: Path, tuesday: Path, suffix: str, at: int
) -> None:
    tmp_path = monday.parent
    if suffix == "parquet":
        needs("pyarrow")
    lines = file_of(tmp_path / "more.lines", Board(SECOND), Board(FIRST))
    out = tmp_path / f"all.{suffix}"
    with patch.object(format_module, "LARGE", at):
        outcome = cli("convert", monday, lines, tuesday, "-o", out, "--json")
    assert outcome.code == 0
    assert json.loads(outcome.out)["boards"] == 9
    layouts = [board.layout for board in pav.read(out)]
    assert layouts == [FIRST] * 4 + [SECOND, FIRST] + [SECOND] * 3


@pytest.mark.slow
def test_many_inputs_are_not_open_together(cli: Cli, tmp_path: Path, monday: Path) -> None:
    resource = pytest.importorskip("resource")
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(soft, 256), hard))
    try:
        outcome = cli("convert", *[monday] * 400, "-o", tmp_path / "b.lines")
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    assert outcome.code == 0
    assert len((tmp_path / "b.lines").read_text().splitlines()) == 1600


def test_a_zip_file_and_a_plain_file_are_joined_into_a_zip_file(
    cli: Cli, tmp_path: Path, monday: Path, tuesday: Path
) -> None:
    path = tmp_path / "rounds.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.write(monday, "round1.pbn")
        archive.write(tuesday, "round2.pbn")
    out = tmp_path / "all.lin.zip"
    assert cli("convert", path, monday, "--renumber", "-o", out).code == 0
    with zipfile.ZipFile(out) as archive:
        assert archive.namelist() == ["all.lin"]
    assert numbers(out) == list(range(1, 12))


def test_a_page_has_no_checksum(cli: Cli, tmp_path: Path, monday: Path) -> None:
    needs("typst")
    assert cli("convert", monday, tmp_path / "a.pdf").out == ""
    assert "checksum" in cli("convert", monday, tmp_path / "a.deal12").out
