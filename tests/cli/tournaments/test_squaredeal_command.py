"""`pavcodec squaredeal` and `bigdeal`: sets from their keys to the check, and mistakes."""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
import stat
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from oracles import FIXTURES

import pavcodec as pav
from pavcodec.files.compressed import zipped
from pavcodec.tournament import open_event

if TYPE_CHECKING:
    from formats_support import Cli

CLUB = ("squaredeal", "club")
TITLE = ("--title", "Tuesday")
MAKE = (*CLUB, "--boards", "6", *TITLE, "--delayed", "DJI of 3 May")


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder, in which the tests run."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def contents(folder: str | Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in Path(folder).iterdir()}


@pytest.mark.slow
def test_two_steps(cli: Cli) -> None:
    made = cli(*MAKE, "--date", "2026-11-24", "--site", "Delft")
    assert made.code == 0
    name = "tuesday-2026-11-24"
    event = open_event(f"{name}/{name}.sqd")
    assert f"hash     {event.keys.hash}" in made.lines
    assert hashlib.sha256(Path(f"{name}/{name}.sqk").read_bytes()).hexdigest() == event.keys.hash
    assert event.description.value is None
    assert {f"{name}.sqd", f"{name}.sqk", f"{name}-notice.txt"} <= set(os.listdir(name))
    assert not list(Path(name).glob("*.pbn"))
    if os.name == "posix":
        assert stat.S_IMODE(os.stat(f"{name}/{name}.sqk").st_mode) == 0o600
    notice = Path(f"{name}/{name}-notice.txt").read_text()
    for text in (event.keys.hash, "DJI of 3 May", "2026-11-24", "Delft", "6 boards"):
        assert text in notice
    assert all(len(line) <= 78 for line in notice.splitlines())
    assert event.keys.table[1, 1] not in notice + made.out + made.err
    assert f"club --folder {name} --value VALUE" in made.err
    dealt = cli(*CLUB, *TITLE, "--date", "2026-11-24", "--value", "40829.12", "--to", "dlm")
    assert dealt.code == 0
    assert [line.split()[-1] for line in dealt.lines] == [
        "40829.12", f"{name}/{name}.pbn", f"{name}/{name}.dlm",
    ]  # fmt: skip
    boards = list(pav.read(f"{name}/{name}.pbn"))
    assert [board.number for board in boards] == [1, 2, 3, 4, 5, 6]
    assert boards[0].tags["Event"] == "Tuesday"
    assert (boards[0].tags["Date"], boards[0].tags["Site"]) == ("2026.11.24", "Delft")
    event = open_event(f"{name}/{name}.sqd")
    assert [deal for _, deal in event.deals(event.sessions[0])] == [one.layout for one in boards]
    checked = cli("squaredeal", "verify", name)
    assert (checked.code, checked.err) == (0, "")
    assert "All 6 boards are those that the published keys make." in checked.out


def test_one_step_says_what_it_proves_and_what_not(cli: Cli) -> None:
    made = cli(*CLUB, "--boards", "4", *TITLE)
    assert made.code == 0
    assert "you could make many" in made.err
    notice = Path("tuesday/tuesday-notice.txt").read_text()
    assert "It does not prove that the director made only one set" in notice
    assert len(list(pav.read("tuesday/tuesday.pbn"))) == 4
    checked = cli("squaredeal", "verify", "tuesday")
    assert checked.code == 0
    assert "Nobody could choose them" not in checked.out
    assert "could make several sets" in " ".join(checked.out.split())


def test_sessions(cli: Cli) -> None:
    words = ("--boards", "1-3,4-6", "--sessions", "2", *TITLE, "--session", "Round")
    assert cli(*CLUB, *words).code == 0
    assert [board.number for board in pav.read("tuesday/tuesday-2.pbn")] == [4, 5, 6]
    (board, *_) = pav.read("tuesday/tuesday-1.pbn")
    assert (board.tags["Stage"], board.tags["Session"]) == ("Round 1/2", "tuesday-1")


@pytest.mark.slow
def test_notices_and_hand_records_have_the_hash_and_its_code(cli: Cli) -> None:
    cli(*MAKE)
    event = open_event("tuesday/tuesday.sqd")
    page = Path("tuesday/tuesday-notice.html").read_text()
    assert event.keys.hash in page
    assert "DJI of 3 May" in page
    assert "<svg" in page or "svg+xml" in page
    dealt = cli(*CLUB, *TITLE, "--value", "40829.12", "--records")
    assert "deals    tuesday/tuesday-records.html" in dealt.lines
    page = Path("tuesday/tuesday-records.html").read_text()
    assert event.keys.hash in page
    if Path("tuesday/tuesday-notice.pdf").exists():
        assert Path("tuesday/tuesday-records.pdf").read_bytes().startswith(b"%PDF")


@pytest.mark.slow
def test_hand_records_with_tricks(cli: Cli) -> None:
    words = (*CLUB, "--boards", "2", *TITLE, "--date", "2026-11-24", "--folder")
    assert cli(*words, "a", "--records", "--solve").code == 0
    (boards,), (page,) = Path("a").glob("*.pbn"), Path("a").glob("*-records.html")
    assert "OptimumResultTable" not in boards.read_text()
    assert cli("solve", boards, "-o", "solved.pbn").code == 0
    assert cli("print", "solved.pbn", "-o", "again.html").code == 0
    records, again = page.read_text(), Path("again.html").read_text()
    assert "<h1>Tuesday</h1>\n<ul><li>24 November 2026</li></ul>" in records
    tricks = re.findall(r'<table class="tricks".*?</table>', again, re.DOTALL)
    assert len(tricks) == 2
    assert re.findall(r'<table class="tricks".*?</table>', records, re.DOTALL) == tricks
    assert "--solve is for the hand records of --records" in cli(*words, "b", "--solve").err


@pytest.mark.slow
def test_nothing_is_overwritten(cli: Cli) -> None:
    row = json.loads(cli(*MAKE, "--json").out)
    assert (row["event"], row["value"], row["deals"]) == ("Tuesday", None, [])
    before = contents("tuesday")
    for words in (MAKE, (*MAKE, "--force"), (*CLUB, "--boards", "6", *TITLE)):
        again = cli(*words)
        assert (again.code, "keys are never drawn again" in again.complaint) == (2, True)
    early = cli(*CLUB, *TITLE)
    assert (early.code, "the set waits for 'DJI of 3 May'" in early.complaint) == (2, True)
    assert contents("tuesday") == before
    row = json.loads(cli(*CLUB, *TITLE, "--value", "40829.12", "--json").out)
    assert (row["value"], row["deals"]) == ("40829.12", ["tuesday/tuesday.pbn"])
    other = cli(*CLUB, *TITLE, "--value", "40829,12")
    assert (other.code, "it cannot change" in other.complaint) == (1, True)
    before = contents("tuesday")
    assert cli(*CLUB, "--folder", "tuesday", "--to", "dlm", "--to", "lin").code == 0
    after = contents("tuesday")
    assert before.items() <= after.items()
    assert after.keys() - before.keys() == {"tuesday.dlm", "tuesday.lin"}
    Path("tuesday/tuesday.pbn").write_text("my notes")
    before = contents("tuesday")
    refused = cli(*CLUB, *TITLE)
    assert (refused.code, "tuesday.pbn exists: use --force" in refused.complaint) == (2, True)
    assert contents("tuesday") == before
    assert cli(*CLUB, *TITLE, "--force").code == 0
    assert cli("squaredeal", "verify", "tuesday").code == 0
    Path("tuesday/tuesday.sqd").unlink()
    before = contents("tuesday")
    assert cli(*MAKE).code == 1  # keys alone are a set
    assert contents("tuesday") == before


@pytest.mark.slow
def test_advice_about_the_value(cli: Cli) -> None:
    for value, *named in (
        ("40,829.12", "may write '40,829.12' in another way"),
        ("odd", "could try all such values"),
        ("40829.12", "the keys are 0 minutes old", "character by character: '40829.12'"),
    ):
        words = ("--title", value, "--boards", "2", "--delayed", "DJI", "--folder", f"set {value}")
        assert cli(*CLUB, *words).code == 0
        told = cli(*CLUB, "--folder", f"set {value}", "--value", value).err
        assert [text in told for text in named] == [True] * len(named)


DATE = "DJI of 3 May"
CHANGES = [
    (".pbn", r"(?s)\[Event (?!.*\[Event ).*", "", "session tuesday: board 6 is missing"),
    (".pbn", '(?<=Dealer ")E(?=")', "W", "session tuesday board 2: the dealer is W"),
    (".pbn", "(?s).*", "", "no deals to compare"),
    (".dlm", "(?s).*", "", "no deals to compare"),
    (".sqd", DATE, "DJI of 4 May", f"delayed information: '{DATE}' in the"),
    ("-notice.txt", DATE, "DJI of 4 May", "delayed information: 'DJI of 4 May'"),
    ("-notice.txt", "[0-9a-f]{64}", 64 * "0", "fingerprint: '00000000"),
    (".sqd", "TN Tuesday", "TN Monday", "title: 'Tuesday: boards that anybody"),
    ("-notice.txt", "\n", "\r\n", ""),
    (".pbn", "\n", "\r\n", ""),
]


@pytest.mark.slow
@pytest.mark.parametrize(("suffix", "old", "new", "told"), CHANGES)
def test_verify_names_the_file_of_a_set_that_somebody_changed(
    cli: Cli, suffix: str, old: str, new: str, told: str
) -> None:
    cli(*MAKE)
    cli(*CLUB, *TITLE, "--value", "40829.12", "--to", "dlm")
    path = Path(f"tuesday/tuesday{suffix}")
    text = path.read_text("latin-1")
    changed = re.sub(old, new, text, count=1 if old.startswith("(?<=") else 0)
    assert changed != text
    path.write_text(changed, "latin-1", newline="")
    outcome = cli("squaredeal", "verify", "tuesday")
    assert outcome.code == bool(told)
    if not told:
        assert outcome.err == ""
        return
    (line,) = outcome.err.splitlines()
    file = "-notice.txt" if suffix == ".sqd" else suffix  # what the notice says is compared
    assert re.match(rf"tuesday/tuesday{file}(:32)?: {re.escape(told)}", line)
    sentences = " ".join(outcome.lines[: outcome.lines.index("")])
    assert not sentences.startswith("All 6 boards are")
    assert line.rpartition(": ")[2] in sentences
    faults = json.loads(cli("squaredeal", "verify", "--json", "tuesday").out)
    assert len(faults["faults"]) + len(faults["differences"]) == 1


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
def event(folder: Path) -> Path:
    """A folder with a copy of the event, to be damaged."""
    for path in (SQD, SQK, PLAYED):
        shutil.copy(path, folder)
    return folder


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
