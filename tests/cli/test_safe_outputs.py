"""Every option of every command that names a file to write: what exists is asked for.

The test reads the options from the parsers, so a new one fails it until it has a row here.
"""

from __future__ import annotations

import gzip
import io
import os
import shlex
import sys
from contextlib import suppress
from pathlib import Path

import pytest
from cli_support import parsers
from formats_support import DEAL, DEMO, OTHER, Cli
from packages import needs

import pavcodec as pav
from pavcodec import Board, Deal, TrickTable
from pavcodec.cli import main
from pavcodec.cli.loading import COMMANDS
from pavcodec.formats import format_names, format_of
from pavcodec.questions.outputs import open_appended

OUT = "OUT"
"""Stands for the output in the words of a command."""
ROWS = r"""
.txt encode EVENT -o OUT
.pbn decode 5 -o OUT
.lines deal -o OUT
.json deal --json -o OUT
.txt deal -f REPORT -n 3 -o OUT
.csv deal -f REPORT -n 3 --csv OUT
.txt deal -f REPORT -n 3 --export OUT
.html practice stayman -n 4 -o OUT
.txt ending LEGAL -o OUT
.pbn ending LEGAL -o OUT
.txt odds 'hcp(north)' -o OUT
.svg odds 'hcp(north)' --plot OUT
.cases cases 'spades(west) == 9' -o OUT
.tsv cases 'spades(west) == 9' --tsv -o OUT
.lin convert EVENT -o OUT
.lin convert EVENT OUT
.pbn turn EVENT --places 1 -o OUT
.pbn solve EVENT --contracts '3NT by S' -o OUT
.svg show EVENT -o OUT
.html print EVENT -o OUT
.pbn grep 1 EVENT -o OUT
.txt grep 1 EVENT --count -o OUT
.txt stats EVENT -o OUT
.txt count 'hcp(south) >= 20' -o OUT
.txt duplicates EVENT -o OUT
.txt formats -o OUT
.txt info EVENT -o OUT
.txt rare 0 -o OUT
.txt shapes --patterns -o OUT
.png stats EVENT --plot OUT
.pav pack EVENT -o OUT
.pbn unpack ARCHIVE -o OUT
.pbn get ARCHIVE 0 -o OUT
.pav merge ARCHIVE -o OUT
.pav repair ARCHIVE -o OUT
.pbn bigdeal --owner me -n 1 -o OUT
.pbn squaredeal deal SQD -o OUT
.txt squaredeal verify SQD SQK PLAYED -o OUT
"""
"""The suffix of a file, and the words of a command that writes it."""
CASES = [(words, suffix) for suffix, *words in map(shlex.split, ROWS.strip().splitlines())]
NO_FILES = {"identify", "numberings", "check", "verify", "serve", "demo"}
GROWN = {"append"}  # the archive exists already


@pytest.mark.slow
def test_every_option_that_names_an_output_has_a_row() -> None:
    found = set()
    for name, parser in parsers().items():
        if name.split()[0] in NO_FILES | GROWN:
            continue
        for action in parser._actions:
            help_text = action.help or ""
            writes = help_text.startswith(
                ("write to", "draw the", "the file for", "the archive to")
            )
            if action.metavar == "FILE" and (action.dest == "output" or writes):
                found.add((name, action.option_strings[0]))
    rows = {
        (" ".join(words[: 1 + (words[0] == "squaredeal")]), words[words.index(OUT) - 1])
        for words, _ in CASES
    }
    assert found - rows == set()
    assert {words[0] for words, _ in CASES} | NO_FILES | GROWN >= set(COMMANDS)


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """The files that stand for names in the words; no command changes them."""
    folder = tmp_path_factory.mktemp("files")
    names = {"EVENT": "event.pbn", "ARCHIVE": "a.pav", "REPORT": "report.dl", "SQD": "club.sqd"}
    named = {name: str(folder / file) for name, file in names.items()}
    Path(named["EVENT"]).write_bytes(DEMO.read_bytes())
    Path(named["REPORT"]).write_text("action csvrpt(hcp(north)), export(north)\n")
    pav.write(list(pav.read(DEMO)), named["ARCHIVE"])
    named |= {"SQK": str(folder / "club.sqk"), "PLAYED": str(folder / "played.pbn")}
    assert main(["squaredeal", "create", named["SQD"], *CREATED]) == 0
    assert main(["squaredeal", "value", named["SQD"], "40829.12"]) == 0
    assert main(["squaredeal", "deal", named["SQD"], "-o", named["PLAYED"]]) == 0
    return named | {"LEGAL": "N:A... K... Q... J..."}


CREATED = ["--name", "Club", "--delayed", "close", "--phase", "1:2:C#:Club #"]


def filled(words: list[str], files: dict[str, str], out: Path) -> list[str]:
    """The words of a command with the names of files."""
    return [str(out) if word == OUT else files.get(word, word) for word in words]


@pytest.mark.slow
@pytest.mark.parametrize(("words", "suffix"), CASES, ids=lambda case: str(case)[:50])
def test_a_file_is_replaced_only_with_force_and_has_a_known_suffix(
    cli: Cli, tmp_path: Path, files: dict[str, str], words: list[str], suffix: str
) -> None:
    is_of_text = suffix in (".txt", ".csv", ".tsv", ".json", ".cases") and words[0] != "ending"
    for unknown in [".doc", *[".dup"] * is_of_text]:
        out = tmp_path / f"out{unknown}"
        outcome = cli(*filled(words, files, out))
        assert (outcome.code, out.exists()) == (2, False)
        assert str(out) in outcome.complaint
    out = tmp_path / f"out{suffix}"
    out.write_bytes(b"mine")
    outcome = cli(*filled(words, files, out))
    assert (outcome.code, outcome.out, out.read_bytes()) == (2, "", b"mine")
    told = f"pavcodec {words[0]}: {out} exists: use --force to replace it (see "
    assert outcome.complaint.startswith(told)
    assert cli(*filled(words, files, out), "--force").code in (0, 1)
    assert out.read_bytes() != b"mine"


def test_a_session_is_not_written_over_a_file(
    cli: Cli, tmp_path: Path, files: dict[str, str]
) -> None:
    (tmp_path / "C1.pbn").write_bytes(b"mine")
    outcome = cli("squaredeal", "deal", files["SQD"], "--folder", tmp_path)
    assert (outcome.code, (tmp_path / "C1.pbn").read_bytes()) == (2, b"mine")
    before = Path(files["SQD"]).read_bytes()
    assert cli("squaredeal", "create", files["SQD"], *CREATED).code != 0
    assert Path(files["SQD"]).read_bytes() == before


@pytest.mark.slow
def test_a_compressed_output_shows_its_format(cli: Cli, tmp_path: Path) -> None:
    for suffix in (".gz", ".zip"):
        out = tmp_path / f"deals{suffix}"
        outcome = cli("deal", "-n", "2", "-o", out)
        assert outcome.code == 2
        assert f"such as {tmp_path}/deals.pbn{suffix}" in outcome.complaint
        assert cli("deal", "-n", "2", "-o", out, "--to", "lines").code == 0
        assert cli("deal", "-n", "2", "-o", tmp_path / f"x.doc{suffix}").code == 2
        assert cli("odds", "hcp(north)", "-o", tmp_path / f"x.pdf{suffix}").code == 2
    for name, words in {"deals.foo": ["--to", "lines"], "rows.ndjson": ["--json"], "d": []}.items():
        assert cli("deal", *words, "-o", tmp_path / name).code == 0  # no suffix says nothing


def test_an_input_is_not_replaced_by_what_is_made_of_it(cli: Cli, tmp_path: Path) -> None:
    event, link, before = tmp_path / "event.pbn", tmp_path / "link.pbn", DEMO.read_bytes()
    event.write_bytes(before)
    link.symlink_to(event)
    for words in (
        ("encode", event, "-o", event),
        ("encode", event, "-o", link),
        ("decode", event, "-o", event),
        ("convert", event, event, "--to", "lines"),
    ):
        outcome = cli(*words)
        assert (outcome.code, event.read_bytes()) == (2, before)
        assert "is an input, so it cannot be the output" in outcome.complaint
    event.write_bytes(before.replace(b"\r\n", b"\n"))
    assert cli("convert", event, event).code == 2
    assert cli("convert", event, event, "--force") == (0, "", "")  # PBN is put in order
    assert event.read_bytes() == before


def test_a_terminal_is_asked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    out = tmp_path / "old.txt"
    for answer, is_replaced in (("", False), ("\n", False), ("no\n", False), ("y\n", True)):
        out.write_bytes(b"mine")
        monkeypatch.setattr(sys, "stdin", Terminal(answer))
        screen = Terminal()
        monkeypatch.setattr(sys, "stderr", screen)
        assert main(["decode", "5", "-o", str(out)]) == (0 if is_replaced else 2)
        assert screen.getvalue().startswith(f"{out} exists. Replace it? [y/N] ")
        assert (out.read_bytes() != b"mine") == is_replaced


SOLVED = [
    Board.make(board.layout, number=board.number, tricks=TrickTable(bytes([7] * 20)))
    for board in pav.read(DEMO)
    if board.layout and board.layout.is_deal and board.number
][:6]
GROWING = [
    name for name in format_names() if format_of(name).is_read and not format_of(name).cannot_grow
]


@pytest.mark.slow
@pytest.mark.parametrize("name", GROWING)
def test_a_file_that_grew_holds_the_boards_of_both(tmp_path: Path, name: str) -> None:
    old, more, both = (tmp_path / each for each in ("old", "more", "both"))
    for path, boards in ((old, SOLVED[:3]), (more, SOLVED[3:]), (both, SOLVED)):
        pav.write(boards, path, format=name)
    before = old.read_bytes()
    with open_appended(str(old), format_of(name)) as stream:
        stream.write(more.read_bytes())
    assert old.read_bytes().startswith(before)
    whole = list(pav.read(both, format=name))
    assert list(pav.read(old, format=name, strict=True)) == whole
    assert len(whole) == 6


@pytest.mark.slow
@pytest.mark.parametrize(
    "name", ["a.pbn", "a.csv", "a.lines.gz", "a.jsonl.bz2", "a.deal12.xz", "a.pbn.zst"]
)
def test_convert_grep_and_deal_add_boards(cli: Cli, tmp_path: Path, name: str) -> None:
    if name.endswith(".zst"):
        needs("pyarrow")
    source, out = tmp_path / "source.pbn", tmp_path / name
    pav.write(SOLVED, source)
    assert cli("convert", source, "-o", out, "--append").code == 0
    first = list(pav.read(out))
    assert cli("convert", source, out, "--append").code == 0
    assert cli("grep", "1", source, "-o", out, "--append").code == 0
    assert cli("deal", "-n", "2", "--seed", "1", "-o", out, "--append").code == 0
    found = list(pav.read(out, strict=True))
    assert [board.layout for board in found[:18]] == [board.layout for board in first] * 3
    assert len(found) == 20


def test_the_missing_line_ends_of_the_old_file_are_added(cli: Cli, tmp_path: Path) -> None:
    path, source, lines = (tmp_path / name for name in ("a.pbn", "b.pbn", "a.lines"))
    pav.write([Board.make(Deal.from_pbn(OTHER), number=2)], source)
    for end in ("", "\n", "\r\n", "\n\n"):
        path.write_bytes(f'% PBN 2.1\r\n[Board "1"]\r\n[Deal "{DEAL}"]{end}'.encode())
        for numbers in ([1, 2], [1, 2, 2]):
            assert cli("convert", source, path, "--append").code == 0
            assert [board.number for board in pav.read(path, strict=True)] == numbers
        assert path.read_bytes().count(b"% PBN") == 1
    lines.write_text(DEAL)
    assert cli("convert", source, lines, "--append").code == 0
    assert lines.read_text() == f"{DEAL}\n{OTHER}\n"


@pytest.mark.slow
def test_other_formats_do_not_grow_for_a_reason(cli: Cli, tmp_path: Path) -> None:
    out = tmp_path / "out"
    out.write_bytes(b"old")
    for name in [name for name in format_names() if name not in GROWING]:
        outcome = cli("convert", DEMO, "-o", out, "--to", name, "--append")
        assert (outcome.code, out.read_bytes()) == (2, b"old")
        reason = format_of(name).cannot_grow or "a file of it is one whole"
        assert f"cannot be added to a file of {name}: {reason}" in outcome.complaint


@pytest.mark.parametrize("suffix", ["", ".gz"])
def test_a_failure_leaves_the_old_file(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"a.lines{suffix}"
    old = gzip.compress(DEAL.encode()) if suffix else DEAL.encode()
    path.write_bytes(old)
    with suppress(KeyError), open_appended(str(path), format_of("lines")) as stream:
        stream.write(b"new")
        raise KeyError
    assert path.read_bytes() == old
    assert os.listdir(tmp_path) == [path.name]
