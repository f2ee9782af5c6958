"""`pavcodec bigdeal` and `squaredeal`: an organiser's way from keys to verified deals."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from formats_support import Cli
from oracles import FIXTURES

from pavcodec.files.compressed import zipped
from pavcodec.tournament import open_event

if TYPE_CHECKING:
    from formats_support import Cli


def test_a_fresh_seed_is_told_and_repeats_the_run(cli: Cli) -> None:
    once = cli("bigdeal", "--owner", "x", "-n", 3)
    word, seed = once.complaint.split()
    assert word == "seed"
    assert cli("bigdeal", "--owner", "x", "-n", 3, "--seed", seed).out == once.out
    assert cli("bigdeal", "--owner", "y", "-n", 3, "--seed", seed).out != once.out
    assert cli("bigdeal", "--owner", "x", "-n", 3).out != once.out


EVENTS = FIXTURES / "events"
SQD, SQK, PLAYED = EVENTS / "cup.sqd", EVENTS / "cup.sqk", EVENTS / "RR01.pbn"
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
    published = f"publish  club.sqd: the description, with KH {open_event('club.sqd').keys.hash}"
    assert (made.code, made.lines[:2]) == (0, [published, "keep     club.sqk: 2 keys"])
    early = cli("squaredeal", "deal", "club.sqd", "-o", "early.pbn")
    assert (early.code, early.out) == (1, "")
    assert "the delayed value is not known" in early.complaint
    assert cli("squaredeal", "value", "club.sqd", "40829.12") == (0, "", "")
    assert cli("squaredeal", "deal", "club.sqd", "--folder", ".") == (0, "", "")
    made_files = ["C1.pbn", "C2.pbn", "club.sqd", "club.sqk"]
    assert sorted(one.name for one in tmp_path.iterdir()) == made_files
    checked = cli("squaredeal", "verify", "club.sqd", "club.sqk", "C1.pbn", "C2.pbn")
    assert (checked.code, checked.err) == (0, "")
    assert checked.lines[-1] == "played    6 deals of 2 sessions: all as dealt"


@pytest.mark.slow
def test_files_in_a_zip_file(cli: Cli, event: Path) -> None:
    files = ("cup.sqd", "cup.sqk", "RR01.pbn")
    wanted = cli("squaredeal", "verify", *files)
    assert wanted.code == 0
    (event / "all.zip").write_bytes(zipped({name: (event / name).read_bytes() for name in files}))
    found = cli("squaredeal", "verify", "all.zip")
    assert (found.code, found.out) == (0, wanted.out)


def test_a_folder_without_or_with_several_descriptions(cli: Cli, event: Path) -> None:
    shutil.copy("cup.sqd", "second.sqd")
    outcome = cli("squaredeal", "verify", ".")
    assert outcome.code == 1
    assert "cup.sqd, second.sqd: name one" in outcome.complaint
    (event / "empty").mkdir()
    assert "no description" in cli("squaredeal", "verify", "empty").complaint
