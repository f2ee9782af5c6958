"""Runs the command lines and the lines of Python that tasks print."""

from __future__ import annotations

import io
import shlex
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from pavcodec.cli import main
from pavcodec.web.tasks.files.uploads import FileQuestion

if TYPE_CHECKING:
    from web_files_support import Command, Runs


@pytest.fixture
def command(
    monkeypatch: pytest.MonkeyPatch, capsysbinary: pytest.CaptureFixture[bytes], tmp_path: Path
) -> Command:
    """Return a function that runs a command line with pipes in an empty folder."""
    monkeypatch.setenv("PAVCODEC_CACHE", "")
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


@pytest.fixture
def with_files(command: Command, tmp_path: Path) -> Runs:
    """Return a function that runs a command line in a folder with the files of a question."""

    def run(question: FileQuestion, line: str) -> bytes:
        for file in question.files:
            (tmp_path / file.name).write_bytes(file.data())
        return command(line)

    return run
