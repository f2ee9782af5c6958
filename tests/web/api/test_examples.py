"""The examples in curl, Python and JavaScript: each runs against a real server, and is compared."""

from __future__ import annotations

import io
import json
import os
import shutil
import subprocess
from contextlib import redirect_stdout
from functools import cache
from typing import TYPE_CHECKING, Any

import pytest
from api_support import loopback_server
from web_tasks import content_of

from pavcodec.web.settings import API
from pavcodec.web.tasks.catalogue import TASKS
from pavcodec.web.tasks.usage import curl_lines, javascript_lines, python_lines

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

pytestmark = pytest.mark.slow

FRESH = {"tournament/make", "solve"}
"""Tasks that make other secrets each time."""


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    with loopback_server() as server:
        yield f"{server}{API}"


def run(words: list[str], folder: Path) -> str:
    ended = subprocess.run(
        words, cwd=folder, capture_output=True, text=True, timeout=60, check=False
    )
    assert ended.returncode == 0, ended.stderr
    return ended.stdout


@cache  # for the three languages
def expected(name: str) -> Any:
    """Return the answer of a task as JSON gives it, or its file."""
    [task] = [task for task in TASKS if task.name == name]
    answer = task.work(task.example)
    if task.is_download:
        return answer.name, content_of(answer)
    return json.loads(answer.model_dump_json())


def check_printed(task: Any, text: str) -> None:
    found, wanted = json.loads(text), expected(task.name)
    assert list(found) == list(wanted)
    assert task.name in FRESH or found == wanted


def check_saved(task: Any, folder: Path) -> None:
    name, content = expected(task.name)
    assert os.listdir(folder) == [name]
    assert (folder / name).read_bytes() == content


@pytest.mark.parametrize("task", TASKS, ids=lambda task: task.name)
def test_curl(task: Any, address: str, tmp_path: Path) -> None:
    if shutil.which("curl") is None:
        pytest.skip("there is no curl here")
    command = curl_lines(task, address).replace("curl ", "curl -sS --fail-with-body ", 1)
    text = run(["sh", "-c", command], tmp_path)
    check_saved(task, tmp_path) if task.is_download else check_printed(task, text)


@pytest.mark.parametrize("task", TASKS, ids=lambda task: task.name)
def test_python(task: Any, address: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    out = io.StringIO()
    with redirect_stdout(out):
        exec(python_lines(task, address), {})  # noqa: S102 (our own lines)
    check_saved(task, tmp_path) if task.is_download else check_printed(task, out.getvalue())


@pytest.mark.parametrize("task", TASKS, ids=lambda task: task.name)
def test_javascript(task: Any, address: str, tmp_path: Path) -> None:
    if shutil.which("node") is None:
        pytest.skip("there is no node here")
    script = tmp_path / "example.mjs"
    script.write_text(javascript_lines(task, address), encoding="utf-8")
    text = run(["node", str(script)], tmp_path)
    if task.is_download:
        assert int(text) == len(expected(task.name)[1])
    else:
        check_printed(task, text)
