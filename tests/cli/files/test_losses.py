"""The line of `convert` about the parts that boards lose, and `formats --survives`."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING
from unittest.mock import patch

import pytest
from formats_support import DEAL, Cli, loss

from pavcodec.formats import format as format_module
from pavcodec.formats import format_names, format_of
from pavcodec.formats.losing import GROUPS

if TYPE_CHECKING:
    from pathlib import Path

PLAYED = f"""[Board "7"]
[West "Wendy"]
[North "Nora"]
[Deal "{DEAL}"]
[Annotator "Anna"]
[Auction "S"]
1C $1 AP
[Play "W"]
S5 SA S2 S3 =1=
[Note "1:why"]

[Board "8"]
[Deal "{DEAL}"]
"""


@pytest.mark.parametrize(
    ("name", "boards", "parts"),
    [
        ("lin", 1, "auction marks, play notes and the tag Annotator"),
        ("rbn", 1, "play notes and the tag Annotator"),
        ("endplay-json", 1, "auction marks and play notes"),
        ("diagram", 1, "names, auction, auction marks, play, play notes and the tag Annotator"),
        ("dds", 2, "number, names, auction, auction marks, play, play notes and the tag Annotator"),
    ],
)
def test_the_lost_parts_are_named(
    cli: Cli, tmp_path: Path, name: str, boards: int, parts: str
) -> None:
    outcome = cli("convert", "--to", name, "-", tmp_path / "out", stdin=PLAYED)
    assert (outcome.code, outcome.err) == (0, loss(name, boards, parts))


PRINTED = f"""\
[Event "Club night"]
[Date "2026.11.24"]
[Board "7"]
[Vulnerable "None"]
[Deal "{DEAL}"]
[DoubleDummyTricks "77777777777777777777"]
[OptimumScore "NS 90"]
"""


@pytest.mark.parametrize("name", ["html", "pdf", "svg"])
def test_pages_lose_what_they_do_not_show(cli: Cli, tmp_path: Path, name: str) -> None:
    if name == "pdf":
        pytest.importorskip("typst")
    to_page = ("convert", "--to", name, "-")
    outcome = cli(*to_page, tmp_path / "one", stdin=PRINTED)
    lost = loss("svg", 1, "the tags Event and Date") if name == "svg" else ""
    assert lost in outcome.err
    assert outcome.err.count("lose") == bool(lost)
    extra = cli(*to_page, tmp_path / "two", stdin=f'{PRINTED}[North "Ann"]\n[Annotator "Bo"]\n')
    assert "names" in extra.err
    assert "Annotator" in extra.err
    assert "dealer" not in extra.err


@pytest.mark.parametrize("name", ["pbn", "json", "jsonl"])
def test_nothing_is_printed_if_nothing_is_lost(cli: Cli, name: str) -> None:
    assert cli("convert", "--to", name, "-", "-", stdin=PLAYED).err == ""
    simple = f'[Board "7"]\n[Deal "{DEAL}"]\n'
    assert cli("convert", "--to", "lin", "-", "-", stdin=simple).err == ""


def test_many_tags_are_counted(cli: Cli) -> None:
    tags = "".join(f'[Tag{letter} "x"]\n' for letter in "ABCDEFG")
    outcome = cli("convert", "--to", "lin", "-", "-", stdin=f'{tags}[Deal "{DEAL}"]\n')
    assert outcome.err == loss("lin", 1, "the tags TagA, TagB, TagC, TagD and 3 more")


def test_a_play_that_cannot_be_read_is_lost(cli: Cli) -> None:
    played = f'[Deal "{DEAL}"]\n[Play "W"]\nS5 SA $1 S2 S3 XY\n'
    for name in ("lin", "rbn", "endplay-json"):
        outcome = cli("convert", "--to", name, "-", "-", stdin=played)
        assert "Traceback" not in outcome.err
        assert "play" in outcome.err.splitlines()[-1]


def test_json_names_the_lost_parts(cli: Cli, tmp_path: Path) -> None:
    outcome = cli("convert", "--json", "--to", "lin", "-", tmp_path / "o.lin", stdin=PLAYED)
    row = json.loads(outcome.out)
    assert row["lost"] == ["Annotator", "auction marks", "play notes"]


def test_few_boards_of_a_large_file_are_examined(cli: Cli, tmp_path: Path) -> None:
    path = tmp_path / "many.pbn"
    plain, tagged = f'[Deal "{DEAL}"]\n\n', f'[Event "x"]\n[Deal "{DEAL}"]\n\n'
    path.write_text(plain * 1500 + tagged * 2000)
    with patch.object(format_module, "LARGE", 0):
        outcome = cli("convert", path, tmp_path / "out.txt")
    assert outcome.err == "lines: 1 of the first 1,501 boards loses the tag Event\n"
    path.write_text(tagged * 2000)
    with patch.object(format_module, "LARGE", 0):
        outcome = cli("convert", path, tmp_path / "out.txt", "--force")
    assert outcome.err == "lines: 1,024 of the first 1,024 boards lose the tag Event\n"


def test_the_table_of_all_formats(cli: Cli) -> None:
    outcome = cli("formats", "--survives")
    head, *rows = outcome.lines
    assert (outcome.code, outcome.err) == (0, "")
    assert head.split()[0] == "format"
    assert max(map(len, outcome.lines)) <= 80
    read = [name for name in format_names() if format_of(name).is_read]
    assert [row.split()[0] for row in rows[: len(read)]] == read
    assert rows[len(read) :] == ["", "html, pdf and svg are written, and not read."]
    assert rows[0].split() == ["pbn", *["yes"] * len(GROUPS)]


def test_the_description_of_a_format(cli: Cli) -> None:
    lines = cli("formats", "lin", "csv").lines
    assert [line.split()[-1] for line in lines if line.startswith("format")] == ["lin", "csv"]
    found = [" ".join(line.split()[3:]) for line in lines if line.startswith("what it loses")]
    assert found == [format_of("lin").loses, format_of("csv").loses]
    assert cli("formats", "linn").code == 2


def test_the_table_of_some_formats(cli: Cli) -> None:
    lines = cli("formats", "--survives", "csv", "dlm").lines
    assert [line.split() for line in lines[1:]] == [
        ["csv", "yes", "yes", "yes", *"---------"],
        ["dlm", "yes", "rule", "rule", "-", "part", *"-------"],
    ]
    (row,) = json.loads(cli("formats", "--survives", "csv", "--json").out)
    assert row["kept"] == ["cards", "number", "dealer", "vulnerability"]
    assert (row["format"], row["number"], row["names"]) == ("csv", "yes", "no")
    assert "Annotator" in row["lost"]
