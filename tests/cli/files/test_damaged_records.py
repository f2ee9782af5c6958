"""Damaged files of records on the command line: one clear line each, and the rest is done."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from formats_support import DEAL, DEMO, OTHER, Cli, write_format
from records_support import BOARD_SIZES

from pavcodec import Board, Deal, TrickTable, numbering

if TYPE_CHECKING:
    from pathlib import Path

TEXTS = [DEAL, OTHER, str(numbering("deal")[0])]
SOLVED = [
    Board.make(Deal.from_pbn(text), number=1, tricks=TrickTable(bytes([tricks] * 20)))
    for text, tricks in zip(TEXTS, (7, 13, 0), strict=True)
]
CARDS = [name for name in BOARD_SIZES if name not in ("zdd", "zbs")]
PAST = (5**13).to_bytes(4, "little")


def good(name: str) -> bytes:
    """The records of three boards."""
    return write_format(name, SOLVED).data


@pytest.mark.parametrize("name", CARDS)
@pytest.mark.parametrize("command", ["encode", "convert"])
def test_a_file_that_is_cut_off(cli: Cli, tmp_path: Path, name: str, command: str) -> None:
    path, size = tmp_path / f"a.{name}", BOARD_SIZES[name]
    path.write_bytes(good(name)[:-3])
    expected = f"{name} record 2 at byte {2 * size}: the file ends after {size - 3} of {size} bytes"
    if command == "encode":
        outcome = cli("encode", path)
        deals = map(Deal.from_pbn, TEXTS[:2])
        assert outcome.lines == [str(numbering("deal").rank(deal)) for deal in deals]
    else:
        outcome = cli("convert", path, tmp_path / "out.txt")
        assert (tmp_path / "out.txt").read_text() == f"{DEAL}\n{OTHER}\n"
    assert (outcome.code, outcome.complaint) == (1, f"{path}: {expected}")


@pytest.mark.slow
@pytest.mark.parametrize("old", [None, b"old"])
@pytest.mark.parametrize("name", list(BOARD_SIZES))
def test_where_no_record_is_one_nothing_is_written(
    cli: Cli, tmp_path: Path, name: str, old: bytes | None
) -> None:
    path, out = tmp_path / f"a.{name}", tmp_path / "out.pbn"
    if old is not None:
        out.write_bytes(old)
    bad = PAST if name == "zbs" else b"\xff" * BOARD_SIZES[name]
    for data in (bad * 2, bad[:-1], bad + b"\xff"):
        path.write_bytes(data)
        outcome = cli("convert", "--force", path, out)
        assert (outcome.code, outcome.out) == (1, "")
        *problems, last = outcome.err.splitlines()
        assert problems[0].startswith(f"{path}: {'zbs-word' if name == 'zbs' else name} record 0 ")
        assert last.endswith(f"nothing to write: {out} is left as it was")
        assert (out.read_bytes() if out.exists() else None) == old
    assert len(list(tmp_path.iterdir())) == 1 + (old is not None)


@pytest.mark.parametrize("old", [None, b"old"])
def test_strict_stops_at_the_first_problem_and_writes_nothing(
    cli: Cli, tmp_path: Path, old: bytes | None
) -> None:
    path, out = tmp_path / "a.zrd", tmp_path / "out.pbn"
    if old is not None:
        out.write_bytes(old)
    path.write_bytes(good("zrd") + b"\xff" * 40)
    outcome = cli("convert", "--force", "--strict", path, out)
    assert outcome.code == 1
    assert "zrd record 3 at byte 69: a deal has 13 cards" in outcome.complaint
    assert (out.read_bytes() if out.exists() else None) == old


def test_text_that_is_named_as_records(cli: Cli, tmp_path: Path) -> None:
    path = tmp_path / "event.zrd"
    path.write_bytes(DEMO.read_bytes()[:40])
    outcome = cli("encode", path)
    assert (outcome.code, outcome.out) == (1, "")
    assert [line.split(": ")[1] for line in outcome.err.splitlines()] == [
        "zrd record 0 at byte 0",
        "zrd record 1 at byte 23",
    ]


def test_records_that_are_named_as_text(cli: Cli, tmp_path: Path) -> None:
    for name in ("a.pbn", "a.txt", "a.dat"):
        (tmp_path / name).write_bytes(good("zrd"))
        outcome = cli("encode", tmp_path / name)
        assert (outcome.code, outcome.out) == (1, "")
        assert outcome.complaint.startswith(f"{tmp_path / name}")


@pytest.mark.parametrize("name", ["zbs-word", "zbs-diagram", "case16"])
@pytest.mark.parametrize("upper", [False, True])
def test_files_of_records_that_are_no_boards_are_told_so(
    cli: Cli, tmp_path: Path, name: str, *, upper: bool
) -> None:
    path = tmp_path / f"a.{name.upper() if upper else name}"
    path.write_bytes(bytes(16))
    for words in (["encode", path], ["convert", path, tmp_path / "out.txt"]):
        outcome = cli(*words)
        assert (outcome.code, outcome.out) == (1, "")
        assert f"{path}: a file of these records holds no boards" in outcome.complaint
    assert not (tmp_path / "out.txt").exists()
