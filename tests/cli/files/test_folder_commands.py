"""Commands over folders: the output of one process over all parts, and folders of parts."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from formats_support import DEAL

import pavcodec as pav
from pavcodec.collection.collection import verify_collection

if TYPE_CHECKING:
    from formats_support import Cli

WHERE = "hcp(south) >= 12"
STRONG = "hcp(north) > 14"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a collection of 90 boards in three parts of PBN; do not change it."""
    made = tmp_path_factory.mktemp("deals")
    pav.parts(WHERE, 90, parts=3, seed=7, to="pbn").make(made, workers=1)
    return made


@pytest.fixture
def own(folder: Path, tmp_path: Path) -> Path:
    """Return a copy of the collection."""
    return Path(shutil.copytree(folder, tmp_path / "own"))


def parts_of(folder: Path) -> list[Path]:
    return sorted(folder.glob("part-*"))


COMMANDS = [
    ["stats", "--csv", "--tricks"],
    ["duplicates", "--up-to", "turns", "--csv"],
    ["grep", STRONG, "--json", "-v"],
    ["grep", STRONG, "--to", "pbn", "--event", "Club night"],
    ["show", "--boards", "29-32"],
]


@pytest.mark.slow
@pytest.mark.parametrize("words", COMMANDS, ids=" ".join)
def test_a_folder_is_read_as_its_parts_in_order(words: list[str], folder: Path, cli: Cli) -> None:
    workers = ["--workers", "1"] if words[0] in ("stats", "grep") else []
    alone = cli(*words, *parts_of(folder))
    assert cli(*words, folder, *workers) == alone
    assert alone.out
    if workers:
        assert cli(*words, *parts_of(folder), *workers) == alone


@pytest.mark.slow
def test_a_folder_becomes_one_file(folder: Path, tmp_path: Path, cli: Cli) -> None:
    for words, name in (
        (["convert"], "one.parquet"),
        (["convert", "--sort", "deal", "--renumber", "1"], "one.pbn"),
        (["pack", "--cards-only", "--set"], "one.pav"),
        (["convert"], "one.txt.gz"),
    ):
        one, all_parts = tmp_path / name, tmp_path / f"all-{name}"
        assert cli(*words, folder, "-o", one).code == 0
        assert cli(*words, *parts_of(folder), "-o", all_parts).code == 0
        assert one.read_bytes() == all_parts.read_bytes()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("words", "suffix"),
    [
        (["convert", "--to", "pav"], "pav"),
        (["convert", "--to", "parquet", "--event", "Club", "--boards", "3,31-40,90"], "parquet"),
        (["pack", "--cards-only", "--where", WHERE], "pav"),
        (["grep", STRONG, "--to", "pbn"], "pbn"),
        (["grep", "-v", STRONG, "--to", "pav", "--title", "Weak"], "pav"),
    ],
)
def test_each_part_has_the_bytes_that_the_command_writes_for_it(
    words: list[str], suffix: str, folder: Path, tmp_path: Path, cli: Cli
) -> None:
    made = tmp_path / "made"
    done = cli(*words, folder, "-o", made, "--workers", 1)
    assert done.code == 0, done.err
    assert done.out.startswith(f"{made}: complete, 3 parts, ")
    assert done.out.endswith("; 3 made, 0 verified\n")
    for place, part in enumerate(parts_of(folder)):
        alone = tmp_path / f"alone-{place}.{suffix}"
        cli(*words, part, "-o", alone)
        assert (made / f"part-{place:06}.{suffix}").read_bytes() == alone.read_bytes()
    assert verify_collection(made, workers=1).is_complete
    plan = json.loads((made / "plan.json").read_text())
    assert plan["making"]["reading"]["numbering"] == "deal"  # bytes of plans stay


@pytest.mark.slow
def test_the_same_command_continues(folder: Path, tmp_path: Path, cli: Cli) -> None:
    made = tmp_path / "made"
    words = ["convert", folder, "-o", made, "--to", "pav", "--workers", 1, "--json"]
    first = json.loads(cli(*words).out)
    assert (first["made"], first["verified"], first["is_complete"]) == (3, 0, True)
    (made / "part-000002.pav").unlink()
    (made / "part-000001.pav").write_bytes(b"damaged")
    again = json.loads(cli(*words).out)
    assert (again["made"], again["verified"], again["sha256"]) == (2, 1, first["sha256"])
    other = cli("convert", folder, "-o", made, "--to", "parquet", "--workers", 1)
    assert (other.code, other.out) == (1, "")
    assert "this folder has another collection" in other.err


@pytest.mark.slow
def test_a_source_that_is_not_complete(own: Path, tmp_path: Path, cli: Cli) -> None:
    part = own / "part-000001.pbn"
    part.write_bytes(part.read_bytes() + b"\n")
    made = tmp_path / "made"
    done = cli("convert", own, "-o", made, "--to", "pav", "--workers", 1)
    assert done.code == 1
    assert done.out.startswith(f"{made}: not complete, 2 of 3 parts, 60 boards, ")
    assert f"{part}: the part is damaged: it has" in done.err
    stats = cli("stats", own, "--workers", 1)
    assert (stats.code, stats.out.splitlines()[2]) == (1, "60 deals")
    assert f"{part}: the part is damaged: it has" in stats.err
    one = cli("encode", own)
    assert (one.code, len(one.out.splitlines())) == (1, 60)
    assert f"{part}: cannot be read: the part is damaged" in one.err
    part.unlink()
    found = cli("grep", "-c", "1", own, "--workers", 1)
    assert (found.code, found.out) == (1, "60\n")
    assert f"{part}: the part is missing" in found.err
    assert cli("stats", own, "--strict", "--workers", 1).out == ""


@pytest.mark.parametrize("words", [("encode",), ("info",), ("stats", "--workers", 1)])
def test_a_folder_that_cannot_be_read_and_the_other_inputs(
    tmp_path: Path, cli: Cli, words: tuple[str, ...]
) -> None:
    good, damaged = tmp_path / "good", tmp_path / "damaged"
    for path in (good, damaged):
        path.mkdir()
    (damaged / "plan.json").write_text("[]")
    (good / "circle.pbn").symlink_to(good / "circle.pbn")
    (good / "deal.txt").write_text(DEAL)
    command, *options = words
    found = cli(command, damaged, good, *options)
    assert found.code == 1
    assert found.out == cli(command, good, *options).out != ""
    assert f"{damaged}: cannot be read: {damaged}/plan.json: expected an object" in found.err
    assert f"{good}/circle.pbn: cannot be read: " in found.err


@pytest.mark.slow
def test_files_of_boards_in_a_folder(folder: Path, tmp_path: Path, cli: Cli) -> None:
    plain, made = tmp_path / "plain", tmp_path / "made"
    plain.mkdir()
    (plain / "notes.md").write_text("no boards")
    empty = cli("stats", plain, "--workers", 1)
    assert (empty.code, empty.out) == (1, "")
    assert f"{plain}: cannot be read: this folder has no files of boards and no plan" in empty.err
    shutil.copy(folder / "part-000000.pbn", plain / "b.pbn")
    shutil.copy(folder / "part-000001.pbn", plain / "a.pbn")
    found = cli("encode", plain)
    assert found.out == cli("encode", plain / "a.pbn", plain / "b.pbn").out
    assert found.err == f"{plain}: 1 file skipped: the suffix is of no format of boards\n"
    assert cli("convert", plain, "-o", made, "--to", "pav.gz", "--workers", 1).code == 0
    assert sorted(path.name for path in made.glob("part-*")) == [
        "part-000000.pav.gz",
        "part-000001.pav.gz",
    ]


def test_formats_that_do_not_work_part_by_part(folder: Path, tmp_path: Path, cli: Cli) -> None:
    for words, code, reason in (
        (["convert", folder, "--to", "dup"], 1, "boards of a session"),
        (["convert", folder, "--to", "bba"], 1, "at most 256 boards"),
        (["pack", "--set", folder], 1, "not sorted, so archives of them are no set"),
        (["convert", folder, folder, "--to", "pav"], 2, "made from one folder, not from 2 inputs"),
    ):
        done = cli(*words, "-o", tmp_path / "made")
        assert (done.code, reason in done.err) == (code, True)
    assert not (tmp_path / "made").exists()


@pytest.mark.slow
def test_info_of_a_folder(folder: Path, tmp_path: Path, cli: Cli) -> None:
    made = tmp_path / "made"
    cli("grep", STRONG, folder, "-o", made, "--to", "pav", "--workers", 1)
    assert f"where                {STRONG}\n" in cli("info", folder, made).out
    first, second = json.loads(cli("info", "--json", folder, made).out)
    assert (first["parts"], first["boards"], first["problems"]) == (3, 90, 0)
    assert first["sha256"] == json.loads((folder / "manifest.json").read_text())["sha256"]
    assert [row["bytes"] for row in first["rows"]] == [p.stat().st_size for p in parts_of(folder)]
    assert second["plan"]["making"]["source"]["making"] == first["plan"]["making"]
