"""`pavcodec bigdeal` and `squaredeal`: an organiser's way from keys to verified deals."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from formats_support import Cli
from oracles import FIXTURES, vectors

import pavcodec as pav
from pavcodec.files.compressed import zipped
from pavcodec.tournament import open_event

if TYPE_CHECKING:
    from formats_support import Cli


def words_of(row: dict[str, str]) -> list[str]:
    if row["mode"] == "-h":
        return ["--seed", row["seed_random_hex"], "--owner", row["owner"]]
    return ["-W", row["wizard"], "-e", row["entropy"]]


@pytest.mark.slow
def test_the_golden_vectors_on_the_command_line(cli: Cli) -> None:
    for row in vectors("bigdeal-seed"):
        outcome = cli("bigdeal", *words_of(row), "-n", row["board_index"], "--json")
        assert (outcome.code, outcome.err) == (0, "")
        last = json.loads(outcome.lines[-1])
        assert last == {
            "board": int(row["board_index"]),
            "number": row["number"],
            "deal": row["pbn"],
        }


def test_a_fresh_seed_is_told_and_repeats_the_run(cli: Cli) -> None:
    once = cli("bigdeal", "--owner", "x", "-n", 3)
    word, seed = once.complaint.split()
    assert word == "seed"
    assert cli("bigdeal", "--owner", "x", "-n", 3, "--seed", seed).out == once.out
    assert cli("bigdeal", "--owner", "y", "-n", 3, "--seed", seed).out != once.out
    assert cli("bigdeal", "--owner", "x", "-n", 3).out != once.out


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


@pytest.mark.slow
def test_files_in_any_order_and_in_a_zip_file(cli: Cli, event: Path) -> None:
    files = ("cup.sqd", "cup.sqk", "RR01.pbn")
    wanted = cli("squaredeal", "verify", *files)
    assert wanted.code == 0
    (event / "all.zip").write_bytes(zipped({name: (event / name).read_bytes() for name in files}))
    for words in (files[::-1], (files[2], *files[:2]), ("all.zip",)):
        found = cli("squaredeal", "verify", *words)
        assert (found.code, found.out) == (0, wanted.out)


def test_a_folder_without_or_with_several_descriptions(cli: Cli, event: Path) -> None:
    shutil.copy("cup.sqd", "second.sqd")
    outcome = cli("squaredeal", "verify", ".")
    assert outcome.code == 1
    assert "cup.sqd, second.sqd: name one" in outcome.complaint
    (event / "empty").mkdir()
    assert "no description" in cli("squaredeal", "verify", "empty").complaint


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
