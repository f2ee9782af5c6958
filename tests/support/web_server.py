"""A real server in a thread of the test, with routes for tasks that misbehave, and raw requests."""

from __future__ import annotations

import asyncio
import multiprocessing
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import Any

import uvicorn
from fastapi import FastAPI, Request  # noqa: TC002 (fastapi reads annotations)
from web_tasks import ACT, FILE, Act, taken

from pavcodec.web.application import make_application
from pavcodec.web.serving import configured, listen
from pavcodec.web.settings import Settings
from pavcodec.web.workers import Pool, client_of, workers_of


@dataclass(frozen=True)
class Site:
    """A server that answers at a port of this machine."""

    port: int
    pool: Pool

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def taken(self) -> tuple[int, int, int]:
        """How many questions wait, are brief, and are long."""
        return taken(self.pool)

    def raw(self, data: bytes, seconds: float = 10.0) -> bytes:
        """Return what the server sends after some bytes until it closes or is silent so long."""
        with self.connected() as link:
            link.settimeout(seconds)
            try:
                link.sendall(data)
            except OSError:
                return b""
            found = b""
            with suppress(TimeoutError, ConnectionError):
                while part := link.recv(1 << 16):
                    found += part
            return found

    @contextmanager
    def connected(self) -> Iterator[socket.socket]:
        with socket.create_connection(("127.0.0.1", self.port), timeout=10) as link:
            yield link


def request(path: str, method: str = "GET", headers: str = "", body: bytes = b"") -> bytes:
    """Return a request as bytes, after whose answer the server closes."""
    length = f"Content-Length: {len(body)}\r\n" if body else ""
    head = (
        f"{method} {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n{length}{headers}\r\n"
    )
    return head.encode() + body


def status(answer: bytes) -> int:
    """Return the status of an answer; 0 for none."""
    return int(answer.split(b" ", 2)[1]) if answer.startswith(b"HTTP/1.1 ") else 0


def _with_tests(application: FastAPI) -> FastAPI:
    @application.get("/test/act")
    async def test_act(request: Request) -> Any:
        question = Act.model_validate(dict(request.query_params))
        return await workers_of(request).answer(ACT, question, client_of(request))

    @application.get("/test/file")
    async def test_file(request: Request) -> Any:
        question = Act.model_validate(dict(request.query_params))
        return await workers_of(request).download(FILE, question, client_of(request))

    @application.get("/test/error")
    async def test_error() -> Any:
        raise KeyError("words of a user")

    return application


@contextmanager
def running(**limits: Any) -> Iterator[Site]:
    """Run a server; neither it nor its processes remain after the block."""
    settings = Settings(
        **{"port": 0, "workers": 2, "brief": 0.2, "seconds": 5.0, "rate": 0} | limits
    )
    before = set(multiprocessing.active_children())
    pool = Pool(settings)
    listener = listen(settings)
    server = uvicorn.Server(configured(_with_tests(make_application(settings, pool)), settings))
    thread = threading.Thread(target=lambda: asyncio.run(server.serve([listener])))
    thread.start()
    try:
        while not server.started:
            assert thread.is_alive(), "the server does not start"
            time.sleep(0.01)
        yield Site(listener.getsockname()[1], pool)
    finally:
        server.should_exit = True
        thread.join(20)
        listener.close()
        assert not thread.is_alive()
        assert set(multiprocessing.active_children()) <= before
