"""A real server and clients that leave, lie, or come in crowds; nothing remains of it."""

from __future__ import annotations

import os
import time

import pytest

pytest.importorskip("fastapi")

from typing import TYPE_CHECKING

from web_server import Site, request, running, status

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(os.name != "posix", reason="processes of POSIX"),
]


@pytest.fixture(scope="module")
def site() -> Iterator[Site]:
    with running(
        file_seconds=1.5,
        seconds=2.0,
        patience=20,  # other tests keep the processors busy
        memory=50 << 20,
        workers=4,
    ) as site:
        yield site


def until(happens: Callable[[], bool], seconds: float = 10) -> None:
    """Wait until something happens."""
    end = time.monotonic() + seconds
    while not happens():
        assert time.monotonic() < end
        time.sleep(0.01)


GET, POST = b"GET / HTTP/1.1\r\nHost: localhost\r\n", b"POST / HTTP/1.1\r\nHost: localhost\r\n"


@pytest.mark.parametrize(
    "data",
    [
        b"GET / HTTP/9.9\r\nHost: localhost\r\n\r\n",
        b"GET / HTTP/1.1\r\n\r\n",
        GET + b"Host: evil.example\r\n\r\n",
        GET + b"X: " + b"a" * 70_000 + b"\r\n\r\n",
        b"GET /" + b"a" * 70_000 + b" HTTP/1.1\r\nHost: localhost\r\n\r\n",
        POST + b"Content-Length: 5\r\nContent-Length: 6\r\n\r\nabcdef",
        POST + b"Transfer-Encoding: chunked\r\n\r\nZZ\r\n",
        b"\r\n" * 40_000,
    ],
    ids=lambda data: repr(data[:60]),
)
def test_what_is_no_request_gets_400_or_nothing(site: Site, data: bytes) -> None:
    assert status(site.raw(data, 1)) in {0, 200, 400, 404, 405, 414, 421, 431}
    assert status(site.raw(request("/health"))) == 200


def test_an_error_shows_nothing_of_the_program(
    site: Site, caplog: pytest.LogCaptureFixture
) -> None:
    answer = site.raw(request("/test/error"))
    assert status(answer) == 500
    assert b"KeyError" not in answer
    assert b"words of a user" not in answer
    assert b"content-security-policy" in answer
    assert "KeyError" in caplog.text
    assert "words of a user" not in caplog.text.replace('KeyError("words of a user")', "")


def test_an_endless_body_is_refused_in_the_middle(site: Site) -> None:
    with site.connected() as link:
        link.sendall(request("/api/v1/decode", "POST", "Transfer-Encoding: chunked\r\n"))
        sent = 0
        try:
            while sent < 200 << 20:
                link.sendall(b"10000\r\n" + b"x" * 0x10000 + b"\r\n")
                sent += 0x10000
        except OSError:
            pass
        assert sent < 50 << 20


def ended(process: int) -> bool:
    """Return whether a process has ended."""
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return True
    return False


@pytest.mark.parametrize("kind", ["act", "file"])
def test_a_client_that_leaves_ends_its_process(site: Site, tmp_path: Path, kind: str) -> None:
    path = tmp_path / "process"
    with site.connected() as link:
        link.sendall(request(f"/test/{kind}?act=spin&size=60&path={path}"))
        until(lambda: site.taken == (0, 0, 1))
        until(lambda: path.exists() and path.read_text() != "")
    until(lambda: ended(int(path.read_text())))
    assert site.taken == (0, 0, 0)
    with site.connected() as link:  # it leaves in the middle of its file
        link.sendall(request("/test/file?size=1000"))
        assert link.recv(100)
    until(lambda: os.listdir(site.pool._folder) == [])


def test_a_question_that_fails_is_a_sentence(site: Site) -> None:
    """`test_workers.py` has all sentences."""
    refused = site.raw(request("/test/act?act=die"))
    assert status(refused) == 503
    assert b"retry-after: 60" in refused.lower()
    assert b"has ended, twice" in refused
    whole = site.raw(request("/test/file?size=4"))
    assert (status(whole), whole.count(b"content-length: 262144")) == (200, 1)
    broken = site.raw(request("/test/file?size=40&act=stumble"))
    assert status(broken) == 500
    assert len(broken) < 1 << 16
