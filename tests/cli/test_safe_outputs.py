"""Every option of every command that names a file to write: what exists is asked for.

The test reads the options from the parsers, so a new one fails it until it has a row here.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from formats_support import DEMO, Cli

from pavcodec.cli.loading import COMMANDS
from pavcodec.cli.main import make_parser

if TYPE_CHECKING:
    from collections.abc import Iterator

OUT = "OUT"
"""Stands for the output in the words of a command."""

ROWS: dict[tuple[str, str], list[tuple[list[str], str]]] = {
    ("encode", "-o"): [(["encode", "EVENT", "-o", OUT], ".txt")],
    ("decode", "-o"): [(["decode", "5", "-o", OUT], ".pbn")],
    ("deal", "-o"): [
        (["deal", "-o", OUT], ".lines"),
        (["deal", "--json", "-o", OUT], ".json"),
        (["deal", "-f", "REPORT", "-n", "3", "-o", OUT], ".txt"),
    ],
    ("deal", "--csv"): [(["deal", "-f", "REPORT", "-n", "3", "--csv", OUT], ".csv")],
    ("deal", "--export"): [(["deal", "-f", "REPORT", "-n", "3", "--export", OUT], ".txt")],
    ("practice", "-o"): [(["practice", "stayman", "-n", "4", "-o", OUT], ".html")],
    ("ending", "-o"): [
        (["ending", "LEGAL", "-o", OUT], ".txt"),
        (["ending", "LEGAL", "-o", OUT], ".pbn"),
    ],
    ("odds", "-o"): [(["odds", "hcp(north)", "-o", OUT], ".txt")],
    ("odds", "--plot"): [(["odds", "hcp(north)", "--plot", OUT], ".svg")],
    ("cases", "-o"): [
        (["cases", "spades(west) == 9", "-o", OUT], ".cases"),
        (["cases", "spades(west) == 9", "--tsv", "-o", OUT], ".tsv"),
    ],
    ("convert", "-o"): [
        (["convert", "EVENT", "-o", OUT], ".lin"),
        (["convert", "EVENT", OUT], ".lin"),
    ],
    ("turn", "-o"): [(["turn", "EVENT", "--places", "1", "-o", OUT], ".pbn")],
    ("solve", "-o"): [(["solve", "EVENT", "--contracts", "3NT by S", "-o", OUT], ".pbn")],
    ("show", "-o"): [(["show", "EVENT", "-o", OUT], ".svg")],
    ("print", "-o"): [(["print", "EVENT", "-o", OUT], ".html")],
    ("grep", "-o"): [
        (["grep", "1", "EVENT", "-o", OUT], ".pbn"),
        (["grep", "1", "EVENT", "--count", "-o", OUT], ".txt"),
    ],
    ("stats", "-o"): [(["stats", "EVENT", "-o", OUT], ".txt")],
    ("count", "-o"): [(["count", "hcp(south) >= 20", "-o", OUT], ".txt")],
    ("duplicates", "-o"): [(["duplicates", "EVENT", "-o", OUT], ".txt")],
    ("formats", "-o"): [(["formats", "-o", OUT], ".txt")],
    ("info", "-o"): [(["info", "EVENT", "-o", OUT], ".txt")],
    ("rare", "-o"): [(["rare", "0", "-o", OUT], ".txt")],
    ("shapes", "-o"): [(["shapes", "--patterns", "-o", OUT], ".txt")],
    ("stats", "--plot"): [(["stats", "EVENT", "--plot", OUT], ".png")],
    ("pack", "-o"): [(["pack", "EVENT", "-o", OUT], ".pav")],
    ("unpack", "-o"): [(["unpack", "ARCHIVE", "-o", OUT], ".pbn")],
    ("get", "-o"): [(["get", "ARCHIVE", "0", "-o", OUT], ".pbn")],
    ("merge", "-o"): [(["merge", "ARCHIVE", "-o", OUT], ".pav")],
    ("repair", "-o"): [(["repair", "ARCHIVE", "-o", OUT], ".pav")],
    ("bigdeal", "-o"): [(["bigdeal", "--owner", "me", "-n", "1", "-o", OUT], ".pbn")],
    ("squaredeal deal", "-o"): [(["squaredeal", "deal", "SQD", "-o", OUT], ".pbn")],
    ("squaredeal verify", "-o"): [
        (["squaredeal", "verify", "SQD", "SQK", "PLAYED", "-o", OUT], ".txt")
    ],
}
"""The words of commands that write a file, and the suffix of the file."""
NO_FILES = {
    "identify",
    "numberings",
    "check",
    "verify",
    "serve",
    "demo",
}
GROWN = {"append"}
"""The archive that `append` extends exists already."""
CASES = [row for (name, _), rows in ROWS.items() if name.split()[0] in COMMANDS for row in rows]


def parsers() -> Iterator[tuple[str, argparse.ArgumentParser]]:
    """The parsers of all commands and of their actions, with their names."""
    for name in COMMANDS:
        parser = make_parser(name)
        found = subparsers(parser)[name]
        actions = subparsers(found)
        yield from ((f"{name} {action}", each) for action, each in actions.items())
        if not actions:
            yield name, found


def subparsers(parser: argparse.ArgumentParser) -> dict[str, argparse.ArgumentParser]:
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            return dict(action.choices)
    return {}


@pytest.mark.slow
def test_every_option_that_names_an_output_has_a_row() -> None:
    found = set()
    for name, parser in parsers():
        if name.split()[0] in NO_FILES | GROWN:
            continue
        for action in parser._actions:
            help_text = action.help or ""
            writes = help_text.startswith(
                ("write to", "draw the", "the file for", "the archive to")
            )
            if action.metavar == "FILE" and (action.dest == "output" or writes):
                found.add((name, action.option_strings[0]))
    assert found - set(ROWS) == set()
    assert {name.split()[0] for name, _ in ROWS} | NO_FILES | GROWN >= set(COMMANDS)


@pytest.fixture
def files(cli: Cli, tmp_path: Path) -> dict[str, str]:
    """The files that stand for names in the words."""
    event, archive, report = (tmp_path / name for name in ("event.pbn", "a.pav", "report.dl"))
    event.write_bytes(DEMO.read_bytes())
    report.write_text("action csvrpt(hcp(north)), export(north)\n")
    assert cli("pack", event, "-o", archive).code == 0
    sqd, played = tmp_path / "club.sqd", tmp_path / "played.pbn"
    made = ["--name", "Club", "--delayed", "close", "--phase", "1:2:C#:Club #"]
    assert cli("squaredeal", "create", sqd, *made).code == 0
    assert cli("squaredeal", "value", sqd, "40829.12").code == 0
    assert cli("squaredeal", "deal", sqd, "-o", played).code == 0
    named = {"EVENT": event, "ARCHIVE": archive, "REPORT": report, "SQD": sqd, "PLAYED": played}
    named["SQK"] = tmp_path / "club.sqk"
    return {name: str(path) for name, path in named.items()} | {"LEGAL": "N:A... K... Q... J..."}


def filled(words: list[str], files: dict[str, str], out: Path) -> list[str]:
    """The words of a command with the names of files."""
    return [str(out) if word == OUT else files.get(word, word) for word in words]


@pytest.mark.slow
@pytest.mark.parametrize(("words", "suffix"), CASES, ids=lambda case: str(case)[:50])
def test_a_file_is_replaced_only_with_force(
    cli: Cli, tmp_path: Path, files: dict[str, str], words: list[str], suffix: str
) -> None:
    out = tmp_path / f"out{suffix}"
    out.write_bytes(b"mine")
    outcome = cli(*filled(words, files, out))
    assert (outcome.code, outcome.out, out.read_bytes()) == (2, "", b"mine")
    told = f"pavcodec {words[0]}: {out} exists: use --force to replace it (see "
    assert outcome.complaint.startswith(told)
    assert cli(*filled(words, files, out), "--force").code in (0, 1)
    assert out.read_bytes() != b"mine"
    out.unlink()
    assert cli(*filled(words, files, out)).code in (0, 1)
    assert out.exists()


@pytest.mark.parametrize(
    "unknown",
    [".doc", *(pytest.param(each, marks=pytest.mark.slow) for each in (".jpg", ".pdf.doc"))],
)
@pytest.mark.parametrize(("words", "suffix"), CASES, ids=lambda case: str(case)[:50])
def test_an_unknown_suffix_is_refused(  # noqa: PLR0917 (parameters of the case)
    cli: Cli, tmp_path: Path, files: dict[str, str], words: list[str], suffix: str, unknown: str
) -> None:
    assert suffix
    out = tmp_path / f"out{unknown}"
    outcome = cli(*filled(words, files, out))
    assert outcome.code == 2
    assert str(out) in outcome.complaint
    assert not out.exists()


@pytest.mark.slow
@pytest.mark.parametrize(("words", "suffix"), CASES, ids=lambda case: str(case)[:50])
def test_the_suffix_of_another_kind_of_file_is_refused(
    cli: Cli, tmp_path: Path, files: dict[str, str], words: list[str], suffix: str
) -> None:
    if suffix not in (".txt", ".csv", ".tsv", ".json", ".cases"):
        return
    out = tmp_path / "out.dup"
    outcome = cli(*filled(words, files, out))
    if words[0] == "ending":  # its boards may be written in any format
        return
    assert outcome.code == 2
    assert not out.exists()


def test_a_session_is_not_written_over_a_file(
    cli: Cli, tmp_path: Path, files: dict[str, str]
) -> None:
    (tmp_path / "C1.pbn").write_bytes(b"mine")
    outcome = cli("squaredeal", "deal", files["SQD"], "--folder", tmp_path)
    assert (outcome.code, (tmp_path / "C1.pbn").read_bytes()) == (2, b"mine")
    made = ["--name", "Club", "--delayed", "close", "--phase", "1:2:C#:Club #"]
    before = Path(files["SQD"]).read_bytes()
    assert cli("squaredeal", "create", files["SQD"], *made).code != 0
    assert Path(files["SQD"]).read_bytes() == before


@pytest.mark.parametrize("suffix", [".gz", ".zip"])
def test_a_compressed_output_shows_its_format(cli: Cli, tmp_path: Path, suffix: str) -> None:
    out = tmp_path / f"deals{suffix}"
    outcome = cli("deal", "-n", "2", "-o", out)
    assert outcome.code == 2
    assert f"such as {tmp_path}/deals.pbn{suffix}" in outcome.complaint
    assert cli("deal", "-n", "2", "-o", out, "--to", "lines").code == 0
    assert cli("deal", "-n", "2", "-o", tmp_path / f"x.doc{suffix}").code == 2
    assert cli("odds", "hcp(north)", "-o", tmp_path / f"x.pdf{suffix}").code == 2
