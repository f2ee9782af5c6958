"""Wrong data: one line for each problem, exit code 1, and the rest is still done."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING

import pytest
from formats_support import DEAL, NUMBER, OTHER, Cli

from pavcodec import Layout, numbering

if TYPE_CHECKING:
    from pathlib import Path

OTHER_NUMBER = numbering("deal").rank(Layout.from_pbn(OTHER))

BAD_NUMBERS = {
    "53644737765488792839237440000": ["0 to 53644737765488792839237439999", ", not 5"],
    "-1": ["0 to ", "not -1"],
    "twelve": ["'twelve' is no number", "expected decimal, or hexadecimal after 0x"],
    "1.5": ["'1.5' is no number"],
    "": ["'' is no number"],
    "ff": ["'ff' is no number", "0x"],
    "1 2": ["'1 2' is no number"],
    "missing.numbers": ["'missing.numbers'", "no number"],
}  # fmt: skip


@pytest.mark.parametrize(("word", "reasons"), BAD_NUMBERS.items())
def test_a_bad_number_among_the_arguments(cli: Cli, word: str, reasons: list[str]) -> None:
    outcome = cli("decode", NUMBER, word, OTHER_NUMBER)
    assert (outcome.code, outcome.lines) == (1, [DEAL, OTHER])
    for reason in ["arguments:2:", *reasons]:
        assert reason in outcome.complaint


@pytest.mark.parametrize(("text", "reasons"), [(k, v) for k, v in BAD_NUMBERS.items() if k])
def test_a_bad_number_in_a_file(cli: Cli, tmp_path: Path, text: str, reasons: list[str]) -> None:
    path = tmp_path / "n.txt"
    path.write_text(f"# numbers\n{NUMBER}\n{text}\n{OTHER_NUMBER}\n")
    for words, stdin, name in (([path], "", str(path)), (["-"], path.read_text(), "stdin")):
        outcome = cli("decode", *words, stdin=stdin)
        assert (outcome.code, outcome.lines) == (1, [DEAL, OTHER])
        for reason in [f"{name}:3:", *reasons]:
            assert reason in outcome.complaint


@pytest.mark.parametrize("text", ["0x" + "f" * 5000, "9" * 5000, "9" * 4000])
def test_a_number_of_thousands_of_digits(cli: Cli, text: str) -> None:
    outcome = cli("decode", stdin=f"{NUMBER}\n{text}\n")
    assert (outcome.code, outcome.lines) == (1, [DEAL])
    assert "stdin:2:" in outcome.complaint


BAD_DEALS = {
    "N:AKQJT98765432.A.. - - -": ["13", "N holds 14"],
    "N:A... A... - -": ["SA is in two hands", "North", "East"],
    "N:AA... - - -": ["SA occurs twice"],
    "N:xxx.xx.xxxx.xxxx - - -": ["'x'", "expected one of AKQJT98765432"],
    "N:A... - -": ["4 hands", "not 3"],
    "N:A... - - -": ["13 cards in each hand", "N holds 1, E 0"],
}


@pytest.mark.parametrize(("deal", "reasons"), BAD_DEALS.items())
def test_a_bad_deal_in_a_pbn_file(cli: Cli, tmp_path: Path, deal: str, reasons: list[str]) -> None:
    path = tmp_path / "event.pbn"
    path.write_text(f'[Deal "{DEAL}"]\n\n[Board "7"]\n[Deal "{deal}"]\n\n[Deal "{OTHER}"]\n')
    outcome = cli("encode", path)
    assert (outcome.code, outcome.lines) == (1, [str(NUMBER), str(OTHER_NUMBER)])
    for reason in [f"{path}:4: board 7: ", deal, *reasons]:
        assert reason in outcome.complaint


@pytest.mark.parametrize(("deal", "reasons"), BAD_DEALS.items())
def test_a_bad_deal_in_a_file_of_lines(cli: Cli, deal: str, reasons: list[str]) -> None:
    outcome = cli("encode", stdin=f"{DEAL}\n\n{deal}\n{OTHER}\n")
    assert (outcome.code, outcome.lines) == (1, [str(NUMBER), str(OTHER_NUMBER)])
    for reason in ["stdin:3: ", deal, *reasons]:
        assert reason in outcome.complaint


def test_a_broken_tag(cli: Cli) -> None:
    outcome = cli("encode", stdin=f'[Event]\n[Deal "{DEAL}"]\n')
    assert (outcome.code, outcome.lines) == (1, [str(NUMBER)])
    assert "stdin:1:" in outcome.complaint
    assert "'[Event]'" in outcome.complaint


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["convert", "-", "OUT.pbn"], "no boards"),
        (["turn", "-", "--places", "1", "-o", "OUT.lin"], "no boards"),
        (["pack", "-", "-o", "OUT.pav"], "no boards"),
        (["show", "-", "-o", "OUT.txt"], "no boards"),
        (["encode", "-", "-o", "OUT.txt"], "no deals"),
        (["decode", "-", "-o", "OUT.pbn"], "no numbers"),
        (["ending", "-", "-o", "OUT.txt"], "no endings"),
    ],
    ids=lambda words: str(words[0]),
)
def test_an_empty_input_is_said(
    cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: list[str], said: str
) -> None:
    monkeypatch.chdir(tmp_path)
    outcome = cli(*words)
    summary = "OUT.pav: 0 boards, 350 bytes\n" if words[0] == "pack" else ""
    assert (outcome.code, outcome.out, outcome.err.splitlines()[0]) == (0, summary, said)
    [out] = tmp_path.iterdir()
    out.unlink()
    strict = cli(*words, "--strict")
    assert (strict.code, strict.out, strict.complaint) == (1, "", f"pavcodec {words[0]}: {said}")
    assert not out.exists()


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


def test_text_that_is_no_bridge_is_one_line(cli: Cli) -> None:
    outcome = cli("encode", stdin="Dear all,\nno deals today.\n")
    assert (outcome.code, outcome.out) == (1, "")
    assert "stdin:1:" in outcome.complaint
    assert "'Dear all,'" in outcome.complaint


@pytest.mark.parametrize("name", ["missing.pbn", ".", "file/x.pbn", "loop"])
def test_a_path_that_cannot_be_read_is_named_and_the_others_are_read(
    cli: Cli, tmp_path: Path, name: str
) -> None:
    (tmp_path / "file").write_text(DEAL)
    (tmp_path / "loop").symlink_to(tmp_path / "loop")
    path = f"{tmp_path}/{name}"
    outcome = cli("encode", tmp_path / "file", path, tmp_path / "file")
    assert (outcome.code, outcome.lines) == (1, [str(NUMBER)] * 2)
    assert outcome.complaint.startswith(f"{path}: cannot be read: ")


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


@pytest.mark.parametrize("command", [["encode"], ["decode"], ["convert", "--to", "lines", "-"]])
@pytest.mark.parametrize("where", ["missing/out.txt", "file/out.txt", "."])
def test_an_output_that_cannot_be_written_is_named(
    cli: Cli, tmp_path: Path, command: list[str], where: str
) -> None:
    (tmp_path / "file").write_text("x")
    out = f"{tmp_path}/{where}"
    words = [*command, out] if command[0] == "convert" else [*command, "-o", out]
    outcome = cli(*words, stdin=str(NUMBER))
    assert (outcome.code, outcome.out) == (1, "")
    assert outcome.complaint.startswith(f"pavcodec {command[0]}: ")
    assert os.path.normpath(out) in outcome.complaint.replace("/.:", ":")
    assert [path.name for path in tmp_path.iterdir()] == ["file"]


def test_what_could_be_read_is_in_the_output_file(cli: Cli, tmp_path: Path) -> None:
    out = tmp_path / "out.txt"
    assert cli("encode", "--force", "-o", out, stdin=f"{DEAL}\nx\n{OTHER}\n").code == 1
    assert out.read_text() == f"{NUMBER}\n{OTHER_NUMBER}\n"
    assert cli("decode", "--force", "-o", out, stdin=f"{NUMBER}\nx\n{OTHER_NUMBER}\n").code == 1
    assert out.read_text() == f"{DEAL}\n{OTHER}\n"
    assert list(tmp_path.iterdir()) == [out]


@pytest.mark.parametrize("old", [None, "old"])
@pytest.mark.parametrize(
    ("command", "stdin"),
    [
        ("encode", f"{DEAL}\nx\n"),
        ("encode", f"{DEAL}\n{DEAL.lower()}\n"),
        ("encode", f"{DEAL}\nN:A... - - -\n"),
        ("decode", f"{NUMBER}\nx\n"),
        ("decode", f"{NUMBER}\n-1\n"),
    ],
)
def test_strict_stops_at_the_first_problem_and_leaves_no_file(
    cli: Cli, tmp_path: Path, old: str | None, command: str, stdin: str
) -> None:
    out = tmp_path / "out.txt"
    if old:
        out.write_text(old)
    outcome = cli(command, "--strict", "--force", "-o", out, stdin=f"{stdin}x\nx\n")
    assert (outcome.code, outcome.out) == (1, "")
    assert "stdin:2:" in outcome.complaint
    assert (out.read_text() if out.exists() else None) == old
    assert len(list(tmp_path.iterdir())) == bool(old)
    shown = cli(command, "--strict", stdin=f"{stdin}x\n")
    assert (shown.code, len(shown.lines)) == (1, 1)


def test_every_problem_has_its_line(cli: Cli) -> None:
    outcome = cli("decode", stdin="a\n0\nb\nc\n")
    assert outcome.code == 1
    assert [line.split(":")[:2] for line in outcome.err.splitlines()] == [
        ["stdin", "1"],
        ["stdin", "3"],
        ["stdin", "4"],
    ]


def test_a_long_board_number_does_not_hurt(cli: Cli, tmp_path: Path) -> None:
    text = f'[Board "{"1" * 5000}"]\n[Deal "{DEAL}"]\n'
    assert cli("encode", stdin=text) == (0, f"{NUMBER}\n", "")
    assert cli("convert", "-", tmp_path / "out.pbn", stdin=text) == (0, "", "")


def test_numbers_that_a_numbering_does_not_have_name_it(cli: Cli) -> None:
    outcome = cli(
        "convert", "--to", "numbers", "--as", "balanced", "-", "-", stdin=f"{DEAL}\nN:A... - - -"
    )
    assert (outcome.code, len(outcome.lines)) == (1, 1)
    assert "stdin:2:" in outcome.complaint
    assert "'balanced'" in outcome.complaint
    assert "N holds 1" in outcome.complaint


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
