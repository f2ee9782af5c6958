"""Runs the command lines that tasks print."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from web_files_fixtures import command

from pavcodec.web.tasks.files.converting import FileQuestion

if TYPE_CHECKING:
    from pathlib import Path

    from web_files_support import Command, Runs

__all__ = ["command"]


@pytest.fixture
def with_files(command: Command, tmp_path: Path) -> Runs:
    """Return a function that runs a command line in a folder with the files of a question."""

    def run(question: FileQuestion, line: str) -> bytes:
        for file in question.files:
            (tmp_path / file.name).write_bytes(file.data())
        return command(line)

    return run
