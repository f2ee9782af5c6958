"""Every answer of an example names a command that runs and lines of Python that run.

Whether they give the same, the tests of each page and of the questions compare.
"""

from __future__ import annotations

from base64 import b64decode
from pathlib import Path
from typing import Any

import pytest
from web_commands import run_command, run_python

from pavcodec.web.tasks.catalogue import TASKS

WITHOUT_COMMAND = {"build", "complete"}
"""Tasks for forms and editors; no command completes a text or writes a condition from a form."""
WITHOUT_LINES = {"build"}


@pytest.mark.slow
@pytest.mark.parametrize(
    "task", [task for task in TASKS if not task.is_download], ids=lambda task: task.name
)
def test_the_command_and_the_lines_of_python_run(
    task: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    answer = task.work(task.example)
    monkeypatch.chdir(tmp_path)
    files = task.example.model_dump(mode="json").get("file") or ()
    for file in files:
        Path(file["name"]).write_bytes(b64decode(file["content"]))
    if task.name in WITHOUT_LINES:
        assert not answer.python
    else:
        assert answer.python.startswith(("import pavcodec as pav\n", "from pavcodec"))
        run_python(answer.python)
    if task.name in WITHOUT_COMMAND:
        assert not answer.command
    else:
        printed = [run_command(line) for line in commands(answer.command)]
        assert any(printed) or len(list(tmp_path.iterdir())) > len(files)


def commands(text: str) -> list[str]:
    """Return the command lines of an answer; only a set has several."""
    return text.splitlines() if text.startswith("pavcodec squaredeal") else [text]
