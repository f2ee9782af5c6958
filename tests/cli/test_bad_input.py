"""What is read: wrong data in one line for each problem, and deals in place of files."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from formats_support import DEAL, NUMBER, OTHER, Cli

from pavcodec import Layout, encode_all


def test_thousands_of_digits(cli: Cli, tmp_path: Path) -> None:
    for text in ("0x" + "f" * 5000, "9" * 5000, "9" * 4000):
        outcome = cli("decode", stdin=f"{NUMBER}\n{text}\n")
        assert (outcome.code, outcome.lines) == (1, [DEAL])
        assert "stdin:2:" in outcome.complaint
    board = f'[Board "{"1" * 5000}"]\n[Deal "{DEAL}"]\n'
    assert cli("encode", stdin=board) == (0, f"{NUMBER}\n", "")
    assert cli("convert", "-", tmp_path / "out.pbn", stdin=board) == (0, "", "")


def test_too_little_memory_is_one_line(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    from pavcodec.questions.numberings import Numberings

    def run(_: object) -> int:
        raise MemoryError

    monkeypatch.setattr(Numberings, "find", run)
    ended = cli("numberings")
    assert (ended.code, ended.out) == (1, "")
    assert "the memory that this process may use does not suffice; " in ended.complaint


def test_a_binary_file_is_one_line(cli: Cli, tmp_path: Path) -> None:
    path = tmp_path / "event.pbn"
    for data in (bytes(range(256)) * 100, b"PK\x03\x04" * 1000):
        path.write_bytes(data)
        outcome = cli("encode", path)
        assert (outcome.code, outcome.out) == (1, "")
        assert f"{path}:1:" in outcome.complaint
        assert "no text" in outcome.complaint
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


@pytest.mark.slow
def test_options_at_their_limits(cli: Cli) -> None:
    assert "allow more with --memory" in cli("count", "--memory", "1", "1").complaint
    late = cli("deal", "--start", 2**64 - 1, "--json", "--seed", 7)
    row = json.loads(late.out)
    assert (late.code, row["board"], row["dealer"], row["vulnerable"]) == (0, 2**64, "W", "EW")
    tested = cli("deal", "rnd(2) == 1", "--start", 2**64 - 1, "--seed", 7)
    assert (tested.code, tested.out) == (1, "")
    assert "a start is at most 2^48 where deals are tested" in tested.err


GAME = '[Board "{}"]\n[Dealer "X"]\n[Deal "{}"]\n\n'
REASON = "is not one of N E S W"


@pytest.fixture
def event(tmp_path: Path) -> Path:
    """A file with 100 problems of a kind and one of another."""
    path = tmp_path / "event.pbn"
    games = [GAME.format(number, DEAL) for number in range(1, 101)]
    path.write_text("".join(games) + '[Vulnerable "E"]\n[Board "101"]\n')
    return path


@pytest.mark.slow
@pytest.mark.parametrize(
    "words",
    [
        "convert FILE FILE.lines --json",
        "encode FILE",
        "info FILE",
        "grep 1 FILE",
        "stats FILE",
        "show FILE -o FILE.html",
        "pack FILE -o FILE.pav",
    ],
)
def test_problems_of_a_kind_are_counted(cli: Cli, event: Path, words: str) -> None:
    outcome = cli(*words.replace("FILE", str(event)).split())
    told = [line for line in outcome.err.splitlines() if REASON in line]
    assert told == [
        *(f"{event}:{4 * n - 2}: board {n}: dealer 'X' {REASON}" for n in (1, 2, 3)),
        f"{event}: 97 more of the same kind: dealer '…' {REASON}",
    ]
    other = [line for line in outcome.err.splitlines() if "vulnerability 'E'" in line]
    assert (outcome.code, len(other)) == (1, 1)
    assert "--json" not in words or json.loads(outcome.out)["problems"] == 101


def test_each_file_has_its_own_count(cli: Cli, tmp_path: Path) -> None:
    for name in ("a.pbn", "b.pbn"):
        (tmp_path / name).write_text("".join(GAME.format(n, DEAL) for n in range(1, 8)))
    outcome = cli("encode", tmp_path / "a.pbn", tmp_path / "b.pbn")
    more = [line for line in outcome.err.splitlines() if "more of the same kind" in line]
    assert more == [
        f"{tmp_path / name}: 4 more of the same kind: dealer '…' {REASON}"
        for name in ("a.pbn", "b.pbn")
    ]


def test_the_place_of_an_argument_is_its_line(cli: Cli) -> None:
    rows = [json.loads(line) for line in cli("encode", "--json", DEAL, NUMBER, OTHER).lines]
    assert [(row["deal"], row["line"]) for row in rows] == [(DEAL, 1), (DEAL, 2), (OTHER, 3)]
    assert cli("show", NUMBER, "N:AK - -").complaint.startswith("arguments:2: ")


def test_the_numbering_and_the_format_are_those_of_the_options(cli: Cli) -> None:
    number = {one.scheme: one.text for one in encode_all(Layout.from_pbn(DEAL))}
    for options in (["--as", "base5", number["base5"]], ["--from", "goe", number["bigdeal"]]):
        assert json.loads(cli("show", "--json", *options).out)["deal"] == DEAL
