"""Examples in curl, Python and JavaScript, and streams, on real servers."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode
from urllib.request import urlopen

import pytest
from web_commands import run_python
from web_server import running
from web_tasks import content_of

from pavcodec.web.settings import API
from pavcodec.web.tasks.catalogue import TASKS
from pavcodec.web.tasks.task import FILE_BOARDS
from pavcodec.web.tasks.usage import curl_lines, javascript_lines, python_lines

if TYPE_CHECKING:
    from collections.abc import Iterator

pytestmark = pytest.mark.slow

KINDS = ("odds", "read", "deal/file")
"""A task of texts, one of files, and one that makes a file."""


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    with running(seconds=30.0) as site:
        yield f"{site.address}{API}"


def run(words: list[str], folder: Path) -> str:
    ended = subprocess.run(
        words, cwd=folder, capture_output=True, text=True, timeout=60, check=False
    )
    assert ended.returncode == 0, ended.stderr
    return ended.stdout


@pytest.mark.parametrize("task", [task for task in TASKS if task.name in KINDS])
@pytest.mark.parametrize("language", ["curl", "python", "node"])
def test_the_lines_give_the_answer(
    task: Any, language: str, address: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if language != "python" and shutil.which(language) is None:
        pytest.skip(f"there is no {language} here")
    monkeypatch.chdir(tmp_path)
    answer = task.work(task.example)
    if language == "curl":
        command = curl_lines(task, address).replace("curl ", "curl -sS --fail-with-body ", 1)
        text = run(["sh", "-c", command], tmp_path)
    elif language == "python":
        text, _ = run_python(python_lines(task, address))
    else:
        text = run(["node", "--input-type=module", "-e", javascript_lines(task, address)], tmp_path)
    if not task.is_download:
        assert json.loads(text) == json.loads(answer.model_dump_json())
    elif language == "node":
        assert int(text) == len(content_of(answer))
    else:
        assert os.listdir(tmp_path) == [answer.name]
        assert (tmp_path / answer.name).read_bytes() == content_of(answer)


def peak(process: int) -> int:
    """Return the most bytes of memory that a process has had."""
    status = Path(f"/proc/{process}/status").read_text(encoding="utf-8")
    [line] = [line for line in status.splitlines() if line.startswith("VmHWM")]
    return int(line.split()[1]) << 10


@pytest.mark.long
@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="there is no /proc here")
def test_the_server_passes_a_hundred_thousand_boards_on() -> None:
    """Its memory does not grow with the file, which a worker makes."""
    command = [sys.executable, "-m", "pavcodec", "serve", "--port", "0", "--rate", "0", "--json"]
    command += ["--seconds", "100"]  # for the first byte, on a machine with other work
    with subprocess.Popen(command, stdout=subprocess.PIPE) as server:
        try:
            assert server.stdout is not None
            site = json.loads(server.stdout.readline())["address"].rstrip("/")
            file = f"{site}/api/v1/deal/file?{urlencode({'to': 'jsonl', 'seed': 7})}"
            with urlopen(f"{file}&n=500") as answer:  # noqa: S310 (our own server)
                kind = answer.headers.get_content_type()
                assert kind in {"application/x-ndjson", "application/jsonl"}
                assert len([json.loads(line) for line in answer]) == 500
            before = peak(server.pid)
            lines = size = 0
            with urlopen(f"{file}&n={FILE_BOARDS}") as answer:  # noqa: S310 (our own server)
                while chunk := answer.read(1 << 16):
                    lines, size = lines + chunk.count(b"\n"), size + len(chunk)
            assert lines == FILE_BOARDS
            assert peak(server.pid) - before < min(16 << 20, size // 2)
        finally:
            server.terminate()
            server.wait(20)
