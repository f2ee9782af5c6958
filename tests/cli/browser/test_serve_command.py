"""`pavcodec serve`: it answers, it ends, and it says in a line why it cannot start."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest
from packages import needs

if TYPE_CHECKING:
    from formats_support import Cli

needs("fastapi")
httpx2 = pytest.importorskip("httpx2")

posix = pytest.mark.skipif(os.name != "posix", reason="signals of POSIX")


@pytest.mark.slow
@posix
@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_it_prints_its_address_once_it_answers_and_ends_by_a_signal(number: int, code: int) -> None:
    words = [sys.executable, "-m", "pavcodec", "serve", "--port", "0", "--json"]
    with subprocess.Popen(
        words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as server:
        try:
            assert server.stdout is not None
            line = server.stdout.readline()
            found = json.loads(line)
            assert found["process"] == server.pid
            assert httpx2.get(f"{found['address']}api/v1/openapi.json").status_code == 200
            server.send_signal(number)
            _, errors = server.communicate(timeout=30)
            assert (server.returncode, errors) == (code, "pavcodec: interrupted\n")
        finally:
            server.kill()


def test_a_port_of_another_program_is_one_line(cli: Cli) -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        ended = cli("serve", "--port", other.getsockname()[1])
    assert (ended.code, ended.out) == (1, "")
    assert "is taken by another program; choose another with --port" in ended.err
    assert len(ended.err.splitlines()) == 1


def test_an_address_of_another_machine_is_one_line(cli: Cli) -> None:
    ended = cli("serve", "--host", "192.0.2.1")
    assert (ended.code, ended.out) == (1, "")
    assert "'192.0.2.1' is no address of this machine" in ended.err


def test_a_missing_package_is_one_line_that_names_the_extra(
    cli: Cli, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delitem(sys.modules, "pavcodec.web.serving", raising=False)
    monkeypatch.setitem(sys.modules, "uvicorn", None)
    ended = cli("serve")
    assert ended.code == 1
    assert ended.err.strip().endswith(
        "the pages need the package uvicorn: pip install 'pavcodec[club]'"
    )
