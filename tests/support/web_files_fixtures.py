"""Runs the command lines that tasks print."""

from __future__ import annotations

import io
import shlex
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from pavcodec.cli import main

if TYPE_CHECKING:
    from web_files_support import Command


@pytest.fixture
def command(
    monkeypatch: pytest.MonkeyPatch, capsysbinary: pytest.CaptureFixture[bytes], tmp_path: Path
) -> Command:
    """Return a function that runs a command line with pipes in an empty folder."""
    monkeypatch.chdir(tmp_path)

    def run(line: str) -> bytes:
        out = b""
        words = shlex.split(line)
        while words:
            end = words.index("|") if "|" in words else len(words)
            step, words = words[:end], words[end + 1 :]
            assert step[0] == "pavcodec"
            monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(out)))
            main(step[1:])
            out = capsysbinary.readouterr().out
        return out

    return run
