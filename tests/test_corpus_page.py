"""The page on the corpus says nothing where there is no corpus, and tells when it is old."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from clubs_support import bdset36

TOOL = Path(__file__).parent.parent / "tools" / "corpus_page.py"


def check(folder: str) -> tuple[int, str]:
    """Compare the page with what is read of a folder."""
    words = [sys.executable, str(TOOL), "--check"]
    environment = os.environ | {"PAVCODEC_CORPUS": folder}
    done = subprocess.run(
        words, capture_output=True, check=False, encoding="utf-8", env=environment
    )
    assert done.stderr == ""
    return done.returncode, done.stdout


@pytest.mark.slow
def test_without_a_folder_nothing_is_compared() -> None:
    for folder in ("", "/no/such/folder"):
        code, text = check(folder)
        assert (code, "is not compared" in text) == (0, True)


@pytest.mark.slow
def test_another_folder_makes_the_page_old(tmp_path: Path) -> None:
    (tmp_path / "SOURCES.tsv").write_text("file\trepo\na.bri\tsome/where\n")
    (tmp_path / "a.bri").write_bytes(bdset36("bri"))
    (tmp_path / "b.txt").write_text("nothing\n")
    assert check(str(tmp_path)) == (1, "docs/studies/corpus.md is old, run tools/corpus_page.py\n")
