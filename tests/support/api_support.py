"""A server of the application on the loopback, in a thread of the test."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

import uvicorn
from thread_workers import threaded_application

from pavcodec.web.settings import Settings

__all__ = ["loopback_server"]


@contextmanager
def loopback_server() -> Iterator[str]:
    """Serve the application at a free port; give its address without a slash."""
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        listening.listen()
        config = uvicorn.Config(threaded_application(Settings(rate=0)), log_level="error")
        server = uvicorn.Server(config)
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]})
        thread.start()
        try:
            while not server.started:
                time.sleep(0.01)
            yield f"http://127.0.0.1:{listening.getsockname()[1]}"
        finally:
            server.should_exit = True
            thread.join()
