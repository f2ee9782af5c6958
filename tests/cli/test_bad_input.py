"""Wrong data: one line for each problem, exit code 1, and the rest is still done."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING

import pytest
from formats_support import DEAL, NUMBER, OTHER, Cli

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize("text", ["0x" + "f" * 5000, "9" * 5000, "9" * 4000])
def test_a_number_of_thousands_of_digits(cli: Cli, text: str) -> None:
    outcome = cli("decode", stdin=f"{NUMBER}\n{text}\n")
    assert (outcome.code, outcome.lines) == (1, [DEAL])
    assert "stdin:2:" in outcome.complaint


def test_too_little_memory_is_one_line(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    from pavcodec.questions.numberings import Numberings

    def run(_: object) -> int:
        raise MemoryError

    monkeypatch.setattr(Numberings, "find", run)
    ended = cli("numberings")
    assert (ended.code, ended.out) == (1, "")
    assert ended.complaint == (
        "pavcodec numberings: the memory that this process may use does not suffice; "
        "where a command counts, --memory limits what it takes"
    )


def test_a_binary_file_is_one_line(cli: Cli, tmp_path: Path) -> None:
    path = tmp_path / "event.pbn"
    for data in (bytes(range(256)) * 100, b"PK\x03\x04" * 1000):
        path.write_bytes(data)
        outcome = cli("encode", path)
        assert (outcome.code, outcome.out) == (1, "")
        assert f"{path}:1:" in outcome.complaint
        assert "no text" in outcome.complaint
        path.with_suffix(".zip").write_bytes(data)
        assert cli("encode", path.with_suffix(".zip")).code == 1
        assert "not text" in cli("decode", path).complaint


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may read all")
def test_a_file_without_permission_is_named(cli: Cli, tmp_path: Path) -> None:
    path = tmp_path / "event.pbn"
    path.write_text(DEAL)
    path.chmod(0)
    for command in ("encode", "decode"):
        outcome = cli(command, path)
        assert outcome.code == 1
        assert outcome.complaint == f"{path}: cannot be read: Permission denied"


@pytest.mark.skipif(not os.path.exists("/proc/self/mem"), reason="needs a file that fails to read")
def test_a_file_that_fails_on_the_way_is_named(cli: Cli) -> None:
    outcome = cli("encode", "/proc/self/mem")
    assert (outcome.code, outcome.out) == (1, "")
    assert "/proc/self/mem" in outcome.complaint


def test_a_long_board_number_does_not_hurt(cli: Cli, tmp_path: Path) -> None:
    text = f'[Board "{"1" * 5000}"]\n[Deal "{DEAL}"]\n'
    assert cli("encode", stdin=text) == (0, f"{NUMBER}\n", "")
    assert cli("convert", "-", tmp_path / "out.pbn", stdin=text) == (0, "", "")


@pytest.mark.slow
def test_options_at_their_limits(cli: Cli, tmp_path: Path) -> None:
    assert "allow more with --memory" in cli("count", "--memory", "1", "1").complaint
    late = cli("deal", "--start", 2**64 - 1, "--json", "--seed", 7)
    row = json.loads(late.out)
    assert (late.code, row["board"], row["dealer"], row["vulnerable"]) == (0, 2**64, "W", "EW")
    tested = cli("deal", "rnd(2) == 1", "--start", 2**64 - 1, "--seed", 7)
    assert (tested.code, tested.out) == (1, "")
    assert "a start is at most 2^48 where deals are tested" in tested.err
    event = tmp_path / "t.sqd"
    made = ("--name", "T", "--delayed", "the value", "--phase", "1:2:S#:title")
    assert cli("squaredeal", "create", event, *made).code == 0
    assert cli("squaredeal", "value", event, "5").code == 0
    words = ("1,1 reserve", "--folder", tmp_path, "--to", "deal-digits")
    assert cli("squaredeal", "deal", event, *words).code == 0
    archive = tmp_path / "a.pav"
    assert cli("pack", "-o", archive, stdin=DEAL).code == 0
    nowhere = cli("get", archive, "--find", OTHER, "--json")
    assert (nowhere.code, json.loads(nowhere.out)["positions"]) == (1, [])
