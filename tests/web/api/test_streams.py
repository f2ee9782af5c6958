"""Large answers are streams: a hundred thousand boards as JSON Lines, in little memory."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from urllib.parse import urlencode
from urllib.request import urlopen

import pytest
from api_support import loopback_server

from pavcodec.web.tasks.task import FILE_BOARDS

pytestmark = [pytest.mark.slow, pytest.mark.long]


def file_address(server: str, **fields: object) -> str:
    return f"{server}/api/v1/deal/file?{urlencode({'to': 'jsonl', 'seed': 7, **fields})}"


def test_json_lines_are_complete() -> None:
    with (
        loopback_server() as server,
        urlopen(  # noqa: S310 (our own server)
            file_address(server, condition="hcp(south) >= 20", n=500)
        ) as answer,
    ):
        assert answer.headers.get_content_type() in {"application/x-ndjson", "application/jsonl"}
        boards = [json.loads(line) for line in answer]
    assert len(boards) == 500


def peak(process: int) -> int:
    """Return the most bytes of memory that a process has had."""
    status = Path(f"/proc/{process}/status").read_text(encoding="utf-8")
    [line] = [line for line in status.splitlines() if line.startswith("VmHWM")]
    return int(line.split()[1]) << 10


def count_lines(address: str) -> tuple[int, int]:
    """Return the lines and the bytes of a file, without keeping it."""
    lines = size = 0
    with urlopen(address) as answer:  # noqa: S310 (our own server)
        while chunk := answer.read(1 << 16):
            lines += chunk.count(b"\n")
            size += len(chunk)
    return lines, size


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="there is no /proc here")
def test_the_server_passes_a_hundred_thousand_boards_on() -> None:
    """Its memory does not grow with the file, which a worker makes."""
    command = [sys.executable, "-m", "pavcodec", "serve", "--port", "0", "--rate", "0", "--json"]
    command += ["--seconds", "100"]  # for the first byte, on a machine with other work
    with subprocess.Popen(command, stdout=subprocess.PIPE) as server:
        try:
            assert server.stdout is not None
            site = json.loads(server.stdout.readline())["address"].rstrip("/")
            assert count_lines(file_address(site, n=1000))[0] == 1000
            before = peak(server.pid)
            lines, size = count_lines(file_address(site, n=FILE_BOARDS))
            assert lines == FILE_BOARDS
            assert peak(server.pid) - before < min(16 << 20, size // 2)
        finally:
            server.terminate()
            server.wait(20)
