"""`pavcodec squaredeal`: an organiser's way from keys to verified deals, and damage on it."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from formats_support import Cli, corpus_folder
from oracles import FIXTURES

import pavcodec as pav
from pavcodec.files.compressed import zipped
from pavcodec.tournament import open_event

EVENTS = FIXTURES / "events"
SQD, SQK, PLAYED = EVENTS / "cup.sqd", EVENTS / "cup.sqk", EVENTS / "RR01.pbn"
ALIEN = "N:A.KJ93.Q765.T962 972.A8764.A82.AK QJ643.QT5.K43.74 KT85.2.JT9.QJ853"
CREATE = ("--name", "Club", "--delayed", "DJI of 3 May", "--phase", "2:1-3,4-6:C#:Round #")


@pytest.fixture
def event(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a copy of the event, to be damaged; the tests run in it."""
    for path in (SQD, SQK, PLAYED):
        shutil.copy(path, tmp_path)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def edit(path: Path, old: str, new: str) -> None:
    data = path.read_bytes()
    assert old.encode() in data
    path.write_bytes(data.replace(old.encode(), new.encode()))


def test_from_keys_to_verified_deals(
    cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    made = cli("squaredeal", "create", "club.sqd", *CREATE)
    assert (made.code, made.err) == (0, "")
    assert made.lines[0] == (
        "publish  club.sqd: the description, with KH " + open_event("club.sqd").keys.hash
    )
    assert made.lines[1] == "keep     club.sqk: 2 keys"
    early = cli("squaredeal", "deal", "club.sqd", "-o", "early.pbn")
    assert (early.code, early.out) == (1, "")
    assert "the delayed value is not known" in early.complaint
    assert "DJI of 3 May" in early.complaint
    assert not Path("early.pbn").exists()
    assert cli("squaredeal", "value", "club.sqd", "40829.12") == (0, "", "")
    assert cli("squaredeal", "deal", "club.sqd", "--folder", ".") == (0, "", "")
    assert sorted(one.name for one in tmp_path.iterdir()) == [
        "C1.pbn", "C2.pbn", "club.sqd", "club.sqk",
    ]  # fmt: skip
    checked = cli("squaredeal", "verify", "club.sqd", "club.sqk", "C1.pbn", "C2.pbn")
    assert (checked.code, checked.err) == (0, "")
    assert checked.lines[-1] == "played    6 deals of 2 sessions: all as dealt"


def test_an_altered_deal(cli: Cli, event: Path) -> None:
    deals = [str(board.layout) for board in pav.read(PLAYED)]
    third = pav.Deal.from_pbn(deals[2]).to_pbn(first="S")  # as the dealer of board 3 writes it
    edit(event / "RR01.pbn", third, ALIEN)
    outcome = cli("squaredeal", "verify", "cup.sqd", "cup.sqk", "RR01.pbn")
    assert outcome.code == 1
    lines = (event / "RR01.pbn").read_text().splitlines()
    line = next(number for number, text in enumerate(lines, 1) if ALIEN in text)
    assert outcome.complaint == (
        f"RR01.pbn:{line}: session RR01 board 3: '{ALIEN}' was played, "
        f"and the event has '{deals[2]}'"
    )
    assert outcome.lines[-1] == "played    4 deals of 1 session: 1 difference"
    row = json.loads(cli("squaredeal", "verify", "--json", "cup.sqd", "cup.sqk", "RR01.pbn").out)
    (difference,) = row["differences"]
    assert difference["file"] == "RR01.pbn"
    assert (difference["session"], difference["board"], difference["line"]) == ("RR01", 3, line)


@pytest.mark.slow
def test_a_missing_board_and_a_session_in_another_format(cli: Cli, event: Path) -> None:
    cli("convert", "RR01.pbn", "x.lines")
    cli("convert", "RR01.pbn", "x.parquet")
    whole = cli("squaredeal", "verify", "cup.sqd", "cup.sqk", "x.parquet")
    assert (whole.code, whole.err) == (0, "")
    text = (event / "RR01.pbn").read_text()
    (event / "RR01.pbn").write_text(text[: text.index('[Board "3"]')])
    short = cli("squaredeal", "verify", "cup.sqd", "cup.sqk", "RR01.pbn")
    assert short.code == 0
    assert short.complaint == "played: session RR01: boards 3, 4 are in no file"


@pytest.mark.slow
def test_files_in_any_order_and_in_a_zip_file(cli: Cli, event: Path) -> None:
    files = ("cup.sqd", "cup.sqk", "RR01.pbn")
    wanted = cli("squaredeal", "verify", *files)
    assert wanted.code == 0
    (event / "all.zip").write_bytes(zipped({name: (event / name).read_bytes() for name in files}))
    for words in (files[::-1], (files[2], *files[:2]), ("all.zip",)):
        found = cli("squaredeal", "verify", *words)
        assert (found.code, found.out) == (0, wanted.out)


@pytest.mark.parametrize("action", ["club", "create", "value", "deal", "verify"])
def test_help_of_each_action(cli: Cli, action: str) -> None:
    outcome = cli("squaredeal", action, "--help")
    assert outcome.code == 0
    assert f"usage: pavcodec squaredeal {action}" in outcome.out
    assert f"  pavcodec squaredeal {action}" in outcome.out


def test_a_folder_without_or_with_several_descriptions(cli: Cli, event: Path) -> None:
    shutil.copy("cup.sqd", "second.sqd")
    outcome = cli("squaredeal", "verify", ".")
    assert outcome.code == 1
    assert "cup.sqd, second.sqd: name one" in outcome.complaint
    (event / "empty").mkdir()
    assert "no description" in cli("squaredeal", "verify", "empty").complaint


def test_deals_without_keys_beside_the_description(cli: Cli, event: Path) -> None:
    (event / "cup.sqk").unlink()
    outcome = cli("squaredeal", "verify", "cup.sqd", "RR01.pbn")
    assert outcome.code == 1
    assert "cup.sqk: No such file" in outcome.complaint


@pytest.mark.usefixtures("event")
def test_verify_says_in_words_which_board_differs(cli: Cli) -> None:
    boards = [pav.Deal.from_pbn(str(board.layout)) for board in pav.read(PLAYED)]
    turned = bytes((owner + 1) % 4 for owner in boards[2].owners)
    played = [boards[1], boards[1], pav.Deal(turned), pav.Deal.from_pbn(ALIEN)]
    pav.write([pav.Board.make(each, number=k) for k, each in enumerate(played, 1)], "RR01.pbn")
    outcome = cli("squaredeal", "verify", "cup.sqd")
    assert outcome.code == 1
    text = " ".join(outcome.lines[: outcome.lines.index("")])
    assert text.startswith("1 of 4 boards is one that the published keys make; 3 are not: ")
    assert "Board 1 of session RR01 differs: this is the deal of board 2." in text
    assert "Board 3 of session RR01 differs: the deal was played turned: North had the" in text
    assert "Board 4 of session RR01 differs: 'N:A.KJ93" in text
    assert "North had the cards of West" in outcome.err


@pytest.mark.usefixtures("event")
def test_verify_compares_the_hash_that_somebody_kept(cli: Cli) -> None:
    words = ("squaredeal", "verify", "cup.sqd", "cup.sqk", PLAYED)
    found = open_event("cup.sqd").keys.hash
    kept = cli(*words, "--hash", f" {found[:9].upper()} {found[9:]}")
    assert (kept.code, kept.err) == (0, "")
    assert f"The keys have the fingerprint (hash) that you kept: {found}" in " ".join(
        kept.out.split()
    )
    other = cli(*words, "--hash", "0" * 64)
    assert other.code == 1
    assert other.out.startswith("These keys do not have the fingerprint (hash) that you kept")
    wrong = cli(*words, "--hash", "abc")
    assert (wrong.code, wrong.out) == (2, "")
    assert "--hash: a SHA-256 has 64 digits" in wrong.complaint


@pytest.mark.slow
def test_a_world_championship(cli: Cli) -> None:
    folder = corpus_folder() / "squaredeal"
    if not folder.is_dir():
        pytest.skip("the corpus has no folder squaredeal")
    words = ("squaredeal", "verify", folder / "WBG2024.sqd", folder / "WBG2024.sqk", "--json")
    told = json.loads(cli(*words, "--as", "bigdeal").out)
    assert len(told["boards"]) == 1186
    assert told["boards"][0]["number"] == "6904023658446448646504663492"
