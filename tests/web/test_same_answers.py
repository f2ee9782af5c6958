"""Every answer of an example names a command that runs and lines of Python that run.

Whether they give the same, the tests of each page compare.
"""

from __future__ import annotations

import os
import subprocess
import sys
from base64 import b64decode
from pathlib import Path
from typing import Any

import pytest
from same_support import value_of

from pavcodec.web.tasks.catalogue import TASKS

WITHOUT_COMMAND = {"build", "complete"}
"""Tasks for forms and editors; no command completes a text or writes a condition from a form."""
WITHOUT_LINES = {"build"}
WITH_PROBLEMS = {"check": 1, "tournament/verify": 1}
"""The exit code of commands whose example has a fault or a difference."""
ANSWERS = [task for task in TASKS if not task.is_download]
SLOW = pytest.mark.slow


def write_files(example: Any, folder: Path) -> None:
    """Write the files of a question, which its command and its lines read."""
    for file in example.model_dump(mode="json").get("file") or ():
        (folder / file["name"]).write_bytes(b64decode(file["content"]))


@SLOW
@pytest.mark.parametrize("task", ANSWERS, ids=lambda task: task.name)
def test_the_command_runs(task: Any, tmp_path: Path) -> None:
    command = task.work(task.example).command
    if task.name in WITHOUT_COMMAND:
        assert not command
        return
    assert "pavcodec " in command
    write_files(task.example, tmp_path)
    given = len(list(tmp_path.iterdir()))
    function = f'pavcodec() {{ {sys.executable} -m pavcodec "$@"; }}'
    script = f"set -e -o pipefail\n{function}\n{command}\n"
    root = str(Path(__file__).parents[2])
    ended = subprocess.run(
        ["bash", "-c", script],
        cwd=tmp_path,
        env=os.environ | {"PYTHONPATH": root},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert ended.returncode == WITH_PROBLEMS.get(task.name, 0), ended.stderr
    assert ended.stdout or len(list(tmp_path.iterdir())) > given


@SLOW
@pytest.mark.parametrize("task", ANSWERS, ids=lambda task: task.name)
def test_the_lines_of_python_run(
    task: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lines = task.work(task.example).python
    if task.name in WITHOUT_LINES:
        assert not lines
        return
    assert lines.startswith(("import pavcodec as pav\n", "from pavcodec"))
    write_files(task.example, tmp_path)
    monkeypatch.chdir(tmp_path)
    value_of(lines)
