"""`pavcodec convert`: one file into another format."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from formats_support import (
    DEAL,
    DEMO,
    ENDING,
    FOULED,
    NUMBER,
    OTHER,
    Cli,
    loss,
    read_text,
    write_bytes,
)

if TYPE_CHECKING:
    from pathlib import Path

PBN = f"""[Event "Club"]
[Board "2"]
[Deal "{DEAL}"]
[Room "Zoë"]
[Auction "E"]
1C AP

[Board "3"]
[Deal ""]

[Deal "{OTHER}"]
"""


@pytest.fixture
def event(tmp_path: Path) -> Path:
    """A file with two deals and a board without cards."""
    path = tmp_path / "event.pbn"
    path.write_text(PBN)
    return path


def test_pbn_becomes_the_export_format(cli: Cli, event: Path, tmp_path: Path) -> None:
    assert cli("convert", event, tmp_path / "out.pbn") == (0, "", "")
    data = (tmp_path / "out.pbn").read_bytes()
    assert data == write_bytes(read_text(PBN).boards, "utf-8")
    assert "Zoë".encode() in data
    assert cli("convert", tmp_path / "out.pbn", tmp_path / "again.pbn").code == 0
    assert (tmp_path / "again.pbn").read_bytes() == data
    event.write_text(PBN, "latin-1")
    assert cli("convert", event, tmp_path / "out.pbn", "--force") == (0, "", "")
    assert (tmp_path / "out.pbn").read_bytes() == write_bytes(read_text(PBN).boards)


def test_plain_formats_keep_the_cards_and_say_what_they_leave_out(
    cli: Cli, event: Path, tmp_path: Path
) -> None:
    outcome = cli("convert", event, tmp_path / "out.txt")
    assert (tmp_path / "out.txt").read_text() == f"{DEAL}\n{OTHER}\n"
    assert (outcome.code, outcome.out) == (0, "")
    assert "1 board without cards left out" in outcome.complaint
    lost = "number, dealer, vulnerability, auction and the tags Event and Room"
    assert outcome.err.endswith(loss("lines", 1, lost))
    assert cli("convert", tmp_path / "out.txt", tmp_path / "out.numbers") == (0, "", "")
    assert (tmp_path / "out.numbers").read_text().startswith(f"{NUMBER}\n")
    assert cli("convert", tmp_path / "out.numbers", tmp_path / "b.lines") == (0, "", "")
    assert (tmp_path / "b.lines").read_text() == f"{DEAL}\n{OTHER}\n"


@pytest.mark.parametrize("text", [DEAL, str(NUMBER), f'[Deal "{DEAL}"]'])
def test_streams_need_a_format_to_write_but_none_to_read(cli: Cli, text: str) -> None:
    assert cli("convert", "--to", "lines", "-", "-", stdin=text) == (0, f"{DEAL}\n", "")
    assert cli("convert", "-", "-", "--to=numbers", stdin=text) == (0, f"{NUMBER}\n", "")
    pbn = cli("convert", "-", "-", "--to", "pbn", stdin=text)
    assert read_text(pbn.out).layouts == [DEAL]


def test_formats_may_be_named_against_the_suffix(cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "in.pbn").write_text(DEAL)
    paths = (tmp_path / "in.pbn", tmp_path / "out.pbn")
    assert cli("convert", "--from", "lines", "--to", "numbers", *paths) == (0, "", "")
    assert paths[1].read_text() == f"{NUMBER}\n"


def test_numbers_may_be_of_any_numbering(cli: Cli, tmp_path: Path) -> None:
    out = tmp_path / "out.numbers"
    (tmp_path / "in.txt").write_text(f"{ENDING}\n{FOULED}\n{DEAL}\n")
    assert cli("convert", "--as", "base5", "--one-based", tmp_path / "in.txt", out).code == 0
    back = cli("convert", "--as", "base5", "--one-based", "--to", "lines", out, "-")
    assert back.out == (tmp_path / "in.txt").read_text()


def test_the_encoding_may_be_chosen(cli: Cli, event: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.pbn"
    assert cli("convert", "--encoding", "utf-8", event, out, "--force").code == 0
    assert "Zoë".encode() in out.read_bytes()
    event.write_text('[Board "1"]\n[West "Łukasz"]\n\n[Board "2"]\n[West "Zoë"]\n')
    outcome = cli("convert", "--encoding", "iso-8859-1", event, out, "--force")
    assert outcome.code == 1
    assert "'Ł' is not in" in outcome.complaint
    assert "board 1" in outcome.complaint
    assert [board.number for board in read_text(out.read_bytes()).boards] == [2]
    assert cli("convert", event, out, "--force") == (0, "", "")
    assert out.read_bytes().decode().count("Łukasz") == 1


def test_json_is_a_summary(cli: Cli, event: Path, tmp_path: Path) -> None:
    summary = json.loads(cli("convert", "--json", event, tmp_path / "x.txt").out)
    assert summary == {
        "boards": 3, "left_out": 1, "problems": 0, "format": "lines", "keeps": "cards",
        "loses": "all other tags",
        "lost": ["number", "dealer", "vulnerability", "Event", "Room", "auction"],
    }  # fmt: skip
    summary = json.loads(cli("convert", "--json", event, tmp_path / "x.pbn").out)
    assert (summary["boards"], summary["left_out"], summary["format"]) == (3, 0, "pbn")


def test_problems_are_told_and_the_rest_is_converted(cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "in.pbn").write_text(f'[Board "1"]\n[Deal "N:AX... - - -"]\n\n[Deal "{DEAL}"]\n')
    outcome = cli("convert", tmp_path / "in.pbn", tmp_path / "out.pbn")
    assert outcome.code == 1
    assert f"{tmp_path / 'in.pbn'}:2: board 1: 'X'" in outcome.complaint
    again = read_text((tmp_path / "out.pbn").read_bytes())
    assert again.layouts == [None, DEAL]
    summary = json.loads(cli("convert", "--json", tmp_path / "in.pbn", tmp_path / "o.pbn").out)
    assert (summary["boards"], summary["problems"]) == (2, 1)


@pytest.mark.parametrize("old", [None, "old"])
def test_where_nothing_could_be_read_nothing_is_written(
    cli: Cli, tmp_path: Path, old: str | None
) -> None:
    out = tmp_path / "out.pbn"
    if old:
        out.write_text(old)
    (tmp_path / "in.pbn").write_bytes(b"\x7fELF\0\0")
    for name in ("in.pbn", "missing.pbn"):
        outcome = cli("convert", "--force", tmp_path / name, out)
        assert outcome.code == 1
        assert name in outcome.err.splitlines()[0]
        assert f"{out}" in outcome.err.splitlines()[-1]
        assert "is left as it was" in outcome.err.splitlines()[-1]
        assert (out.read_text() if out.exists() else None) == old
    assert sorted(path.name for path in tmp_path.iterdir()) == ["in.pbn"] + ["out.pbn"] * bool(old)


@pytest.mark.parametrize("old", [None, "old"])
def test_strict_stops_at_the_first_problem_and_writes_nothing(
    cli: Cli, tmp_path: Path, old: str | None
) -> None:
    out = tmp_path / "out.txt"
    if old:
        out.write_text(old)
    (tmp_path / "in.pbn").write_text(f'[Deal "{DEAL}"]\n\n[Deal "{DEAL.lower()}"]\n\n[Event]\n')
    outcome = cli("convert", "--force", "--strict", tmp_path / "in.pbn", out)
    assert outcome.code == 1
    assert "in.pbn:3:" in outcome.complaint
    assert (out.read_text() if out.exists() else None) == old
    assert len(list(tmp_path.iterdir())) == 1 + bool(old)


def test_the_demonstration_file_goes_round(cli: Cli, tmp_path: Path) -> None:
    out = tmp_path / "out.pbn"
    assert cli("convert", DEMO, out) == (0, "", "")
    assert out.read_bytes().splitlines() == DEMO.read_bytes().splitlines()


def test_commas_in_lin_are_told_once_and_are_no_problem(cli: Cli, tmp_path: Path) -> None:
    game = f'[Event "Club, Monday"]\n[West "Smith, J"]\n[Deal "{DEAL}"]\n\n'
    outcome = cli("convert", "--to", "lin", "-", tmp_path / "out.lin", stdin=game * 3)
    assert outcome.code == 0
    assert outcome.err.splitlines() == [
        "LIN has no comma in the tag Event: each is written as a semicolon",
        "LIN has no comma in a name: each is written as a semicolon",
    ]
    assert (tmp_path / "out.lin").read_text().count("pn|,Smith; J,,|") == 3
