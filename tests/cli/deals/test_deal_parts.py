"""`pavcodec deal --parts` and `pavcodec verify` of the folders that it writes."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from collection_support import contents

import pavcodec as pav
from pavcodec.cli import main

CONDITION = "hcp(south) == 20"
COMMON = ["-n", "23", "--seed", "7", "--parts", "5", "--to", "deal12", "--workers", "1"]
TESTED = "hcp(south) == 20 && rnd(2) == 1"


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("whole") / "c"
    assert main(["deal", CONDITION, *COMMON, "-o", str(folder)]) == 0
    return folder


@pytest.fixture
def copy(whole: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(whole, tmp_path / "c"))


def test_a_folder_answers_for_options(
    copy: Path, whole: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (copy / "part-000003.deal12").write_bytes(b"damaged")
    assert main(["deal", CONDITION, "-o", str(copy), "--json", "--workers", "1"]) == 0
    out, errors = capsys.readouterr()
    found = json.loads(out)
    wanted = {"parts": 5, "chosen": 5, "made": 1, "verified": 4, "missing": 0, "rows": 23}
    assert wanted.items() <= found.items()
    assert found["sha256"] == json.loads((whole / "manifest.json").read_bytes())["sha256"]
    assert "seed 7" in errors
    assert "part-000003.deal12: has 7 bytes, not 60; it was made again" in errors
    assert "complete, 5 parts, 23 deals, 276 bytes; 1 made, 4 verified in" in errors
    assert contents(copy) == contents(whole)


@pytest.mark.slow
def test_parts_are_made_by_their_indexes(
    whole: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "c"
    words = ["deal", CONDITION, *COMMON, "-o", str(folder)]
    assert main([*words, "--only", "1,3-"]) == 0
    assert "not complete, 3 of 5 parts chosen; 3 made, 0 verified" in capsys.readouterr().err
    assert main(["verify", str(folder), "--workers", "1"]) == 1
    assert "2 of 5 parts are missing: 0,2\n" in capsys.readouterr().err
    assert main(["deal", CONDITION, "-o", str(folder), "--only", "0-1", "--workers", "1"]) == 0
    assert "1 made, 1 verified" in capsys.readouterr().err
    assert main([*words, "--only", "2"]) == 0
    assert contents(folder) == contents(whole)


def test_a_script_gives_numbers_and_seat(tmp_path: Path) -> None:
    script = tmp_path / "s.dlr"
    script.write_text("produce 6\nseed 7\ndealer east\nhcp(south) == 20\naction printall\n")
    words = ["deal", "-f", str(script), "--parts", "2", "--workers", "1"]
    assert main([*words, "-o", str(tmp_path / "c")]) == 2
    assert main([*words, "--to", "pbn", "-o", str(tmp_path / "c")]) == 0
    boards = list(pav.read(tmp_path / "c" / "part-000001.pbn"))
    assert [board.tags["Dealer"] for board in boards] == ["E"] * 3
    assert [board.layout for board in boards] == pav.deals(CONDITION).sample(3, seed=7, start=3)
    assert "script=s" in boards[0].tags["Generator"] or "where=" in boards[0].tags["Generator"]


@pytest.mark.slow
def test_another_plan_is_refused(copy: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = contents(copy)
    of_condition = f"it has the condition '{CONDITION}', not"
    for words, message in (
        ([CONDITION, "-n", "24"], "it has 23 deals, not 24 deals"),
        ([CONDITION, "--event", "A B"], "it has no tags of an event, not the tags Event 'A B'"),
        ([], f"{of_condition} all deals"),
        ([TESTED], f"{of_condition} the condition '{TESTED}' with the test 'rnd(2) == 1'"),
        (["--mix", "hcp(south) >= 20: 1"], f"{of_condition} the mix "),
    ):
        assert main(["deal", *words, "-o", str(copy), "--workers", "1"]) == 1
        assert f"this folder has another collection: {message}" in capsys.readouterr().err
    assert main(["deal", CONDITION, "-o", str(copy), "-n", "4"]) == 1
    assert "this folder has another collection, of 5 parts: 4 samples" in capsys.readouterr().err
    assert contents(copy) == before


def test_verify_reads_all_parts(copy: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["verify", str(copy), "--workers", "1"]) == 0
    assert capsys.readouterr().out == f"{copy}: complete, 5 parts, 23 boards, 276 bytes\n"
    (copy / "part-000004.deal12").unlink()
    (copy / "part-000001.deal12").write_bytes(bytes(61))
    assert main(["verify", str(copy), "--workers", "1", "--json"]) == 1
    out, errors = capsys.readouterr()
    [row] = json.loads(out)
    assert (row["is_whole"], row["right"], row["missing_parts"]) == (False, 3, "4")
    assert [each["name"] for each in row["problems"]] == ["part-000001.deal12"]
    assert "part-000001.deal12: has 61 bytes, not 60" in errors
    assert "1 of 5 parts is missing: 4" in errors
    (copy / "plan.json").write_bytes(b"{")
    assert main(["verify", str(copy), "--workers", "1"]) == 1
    assert "plan.json: this is no JSON" in capsys.readouterr().err


def test_a_format_with_a_suffix_of_compressed_files(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "a.pbn.gz"
    assert main(["deal", "-n", "2", "--seed", "7", "--to", "pbn.gz", "-o", str(path)]) == 0
    assert len(list(pav.read(path))) == 2
    assert main(["deal", "-n", "2", "--to", "pbn.gz", "-o", str(tmp_path / "b.pbn")]) == 2
    assert "the suffix of -o compresses a file" in capsys.readouterr().err


LEVELS = """\
HandType_weak = hcp(south) < 10
HandType_strong = hcp(south) > 15
condition spades(south) >= 5
"""
SPACES: dict[str, list[str]] = {
    "all": [],
    "mix": ["--mix", "hcp(south) >= 20: 1, hcp(north) >= 20: 2"],
    "weights": ["spades(north) >= 5", "--weights", "N: hcp {11: 1, 12-15: 3}"],
    "levels": ["-f", "levels.dlr", "--level", "weak,strong"],
    "even": ["-f", "levels.dlr", "--level", "weak,strong", "--interleave"],
    "endings": ["hcp(south) == 6", "--cards", "3"],
    "legal": ["hcp(south) == 6", "--cards", "2", "--legal"],
    "rules": ["hcp(south) >= 15", "--dealer", "N", "--vulnerable", "all", "--title", "T"],
    "known": ["--hand", "S AKQ2.K85.AJ4.T63", "--predeal", "north SJ"],
}
"""Options of `deal`, by what they deal."""


FORMATS = dict.fromkeys(SPACES, "pbn") | {"all": "pav", "mix": "jsonl", "rules": "parquet"}


@pytest.mark.slow
@pytest.mark.parametrize("name", SPACES)
def test_parts_of_any_space_have_the_bytes_of_deal(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "levels.dlr").write_text(LEVELS)
    words = ["deal", *SPACES[name], "--seed", "7", "--to", FORMATS[name]]
    parts = ["-n", "12", "--start", "3", "--parts", "3", "--workers", "1"]
    assert main([*words, *parts, "-o", "c"]) == 0
    row = pav.open_collection("c").rows[1]
    assert (row.start, row.count, row.rows) == (7, 4, 4)
    assert main([*words, "-n", "4", "--start", "7", "-o", f"other-{row.name}"]) == 0
    assert (tmp_path / f"other-{row.name}").read_bytes() == (tmp_path / "c" / row.name).read_bytes()


@pytest.mark.slow
def test_wrong_formats_and_places(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["deal", CONDITION, "-n", "5", "--parts", "2", "--seed", "7", "--workers", "1"]
    folder, file = str(tmp_path / "c"), tmp_path / "file"
    file.write_text("mine")
    for more, code, message in (
        (["--to", "zrd", "-o", folder], 1, "needs the double-dummy tricks"),
        (["--to", "bba", "-o", folder], 1, "at most 256 boards"),
        (["--to", "zst", "-o", folder], 2, "no format is called 'zst'"),
        (["-o", str(tmp_path), "--force"], 1, "has other files, such as file, and no plan.json"),
        (["-o", str(file), "--force"], 2, "is a file, and --parts writes a folder"),
        (["-o", f"file://{file}"], 2, "is a file, and --parts writes a folder"),
        (["-o", ""], 1, "the folder has an empty name"),
    ):
        assert main([*words, *more]) == code, more
        assert message in capsys.readouterr().err
    assert contents(tmp_path) == {"file": b"mine"}


def test_counts_of_deals(capsys: pytest.CaptureFixture[str]) -> None:
    counts = {"1e1": 10, "1_2": 12, "2^3": 8, "1.2e1": 12, "5.0": 5, "0x3": 3}
    for text, count in counts.items():
        assert main(["deal", "-n", text, "--seed", "7"]) == 0
        assert len(capsys.readouterr().out.splitlines()) == count, text
