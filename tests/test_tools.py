"""Tools that write pages of the documentation: on a folder of scripts, and on the corpus."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from clubs_support import bdset36

TOOLS = Path(__file__).parent.parent / "tools"


def run(name: str, *words: object, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run a tool."""
    return subprocess.run(
        [sys.executable, str(TOOLS / name), *map(str, words)],
        capture_output=True,
        check=False,
        encoding="utf-8",
        env=os.environ | environment,
    )


def tool(*words: object) -> subprocess.CompletedProcess[str]:
    return run("scripts_table.py", *words)


@pytest.mark.slow
def test_two_scripts_and_one_that_is_wrong(tmp_path: Path) -> None:
    (tmp_path / "first.dlr").write_text("produce 2\nspades(north) == 7\naction printoneline\n")
    (tmp_path / "more").mkdir()
    (tmp_path / "more" / "chance.dlr").write_text("produce 3\nrnd(2) == 0\n")
    (tmp_path / "wrong.dlr").write_text("unread = 3\nhcp(nroth) | 3 > 12\n")
    (tmp_path / "notes.md").write_text("no script\n")
    page = tmp_path / "table.md"
    done = tool(tmp_path, "-o", page)
    assert done.returncode == 0, done.stderr
    head, rule, *rows, blank, line = page.read_text().splitlines()
    assert head.count("|") == rule.count("|") == 8
    assert blank == ""
    cells = [re.split(r"(?<!\\)\|", row)[1:-1] for row in rows]
    assert [[cell.strip() for cell in row][:2] for row in cells] == [
        ["first", "3"],
        ["more/chance", "2"],
        ["wrong", "2"],
    ]
    assert re.fullmatch(r" [\d.]+ % ", cells[1][3])
    assert re.search(r"\*\*.*wrong\.dlr.*: .*nroth|expected", cells[2][2])
    assert "warning" not in cells[2][2]
    assert str(tmp_path) not in page.read_text()
    assert [cell.strip() for cell in cells[2][4:6]] == ["–", "–"]
    assert all(float(cell) > 0 for row in cells[:2] for cell in row[4:])
    assert re.fullmatch(r"2 of 3 scripts dealt\. .* at most [\d.]+ s; .* \d+ MB\.", line)
    assert done.stderr.splitlines() == rows


def test_a_run_that_takes_too_long_is_given_up(tmp_path: Path) -> None:
    (tmp_path / "slow.dlr").write_text("hcp(north) > 12\n")
    done = tool(tmp_path, "--seconds", 0.01)
    assert done.returncode == 0
    assert "**stopped after 0 s**" in done.stdout
    assert done.stdout.splitlines()[-1] == "None of 1 scripts dealt."


def test_no_folder_is_one_line_and_the_page_has_all_scripts() -> None:
    done = tool("/no/such/folder")
    assert done.returncode == 2
    assert "there is no folder '/no/such/folder'" in done.stderr
    done = tool("--check")
    assert (done.returncode, done.stdout) == (0, "")


def check(folder: object) -> tuple[int, str]:
    """Compare the page on the corpus with what is read of a folder."""
    done = run("corpus_page.py", "--check", PAVCODEC_CORPUS=str(folder))
    assert done.stderr == ""
    return done.returncode, done.stdout


@pytest.mark.slow
def test_the_page_on_the_corpus_is_old_with_another_folder_and_not_without(tmp_path: Path) -> None:
    for folder in ("", "/no/such/folder"):
        code, text = check(folder)
        assert (code, "is not compared" in text) == (0, True)
    (tmp_path / "SOURCES.tsv").write_text("file\trepo\na.bri\tsome/where\n")
    (tmp_path / "a.bri").write_bytes(bdset36("bri"))
    (tmp_path / "b.txt").write_text("nothing\n")
    assert check(tmp_path) == (1, "docs/studies/corpus.md is old, run tools/corpus_page.py\n")
