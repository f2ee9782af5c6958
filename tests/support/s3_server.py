"""A server of S3 on the loopback, in a process of its own, that can fail on purpose.

`python s3_server.py` prints its port and serves until its standard input ends. `S3_FAULTS` is JSON:
`{"seed": 1, "share": 0.1, "kinds": ["before", "cut", "after"], "methods": ["PUT", "POST"]}`. Of the
requests with these methods that share fails: before anything is stored, in the middle of the body
(the server closes the connection), or after everything is stored (the answer is lost).
"""

from __future__ import annotations

import json
import logging
import os
import random
import socket
import subprocess
import sys
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest

BUSY = (
    b'<?xml version="1.0"?><Error><Code>InternalError</Code><Message>on purpose</Message></Error>'
)


class Faults:
    """A server of WSGI that lets some requests to another one fail."""

    def __init__(self, server: Callable[..., Iterable[bytes]], plan: dict[str, Any]) -> None:
        self._server = server
        self._random = random.Random(plan.get("seed", 0))
        self._share = plan.get("share", 0.0)
        self._kinds = plan.get("kinds", ["before", "cut", "after"])
        self._methods = plan.get("methods", ["PUT", "POST"])
        self._lock = threading.Lock()
        self.count = 0

    def __call__(self, request: dict[str, Any], start: Callable[..., Any]) -> Iterable[bytes]:
        if request["PATH_INFO"] == "/_faults":
            start("200 OK", [("Content-Type", "text/plain")])
            return [str(self.count).encode()]
        kind = self._kind(request)
        if kind == "cut":
            request["wsgi.input"].read(max(1, int(request.get("CONTENT_LENGTH") or 0) // 2))
            self._hang_up(request)
            return []
        if kind == "before":
            request["wsgi.input"].read(int(request.get("CONTENT_LENGTH") or 0))
            start("500 Internal Server Error", [("Content-Type", "application/xml")])
            return [BUSY]
        if "HTTP_IF_NONE_MATCH" in request:  # a store looks and writes in one step
            with self._lock:
                answer = self._server(request, start)
        else:
            answer = self._server(request, start)
        if kind == "after":
            for _ in answer:
                pass
            self._hang_up(request)
            return []
        return answer

    def _kind(self, request: dict[str, Any]) -> str:
        with self._lock:
            if request["REQUEST_METHOD"] not in self._methods:
                return ""
            if self._random.random() >= self._share:
                return ""
            self.count += 1
            return str(self._random.choice(self._kinds))

    @staticmethod
    def _hang_up(request: dict[str, Any]) -> None:
        request["werkzeug.socket"].shutdown(socket.SHUT_RDWR)


def serve() -> None:
    """Serve until the standard input ends."""
    from moto.moto_server.werkzeug_app import (
        DomainDispatcherApplication,
        MotoRequestHandler,
        create_backend_app,
    )
    from werkzeug.serving import make_server

    logging.getLogger("werkzeug").setLevel(logging.CRITICAL)
    app = DomainDispatcherApplication(create_backend_app)
    faults = Faults(app, json.loads(os.environ.get("S3_FAULTS", "{}")))
    server = make_server("127.0.0.1", 0, faults, threaded=True, request_handler=MotoRequestHandler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    print(server.server_port, flush=True)
    sys.stdin.read()
    os._exit(0)


@contextmanager
def s3_server(faults: dict[str, Any] | None = None) -> Iterator[str]:
    """Run a server, and yield the URL of its endpoint."""
    environment = {**os.environ, "S3_FAULTS": json.dumps(faults or {})}
    with subprocess.Popen(
        [sys.executable, __file__],
        env=environment,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        try:
            yield f"http://127.0.0.1:{int(process.stdout.readline())}"
        finally:
            process.stdin.close()
            process.wait(10)


def environment_of(endpoint: str) -> dict[str, str]:
    """Return the variables by which the packages of S3 find a server and its credentials."""
    return {
        "AWS_ENDPOINT_URL": endpoint,
        "AWS_ACCESS_KEY_ID": "test",
        "AWS_SECRET_ACCESS_KEY": "never-shown",
        "AWS_DEFAULT_REGION": "us-east-1",
        "AWS_EC2_METADATA_DISABLED": "true",
    }


@contextmanager
def s3_bucket(faults: dict[str, Any] | None = None) -> Iterator[str]:
    """Run a server with a bucket, and yield its URL; the environment names the server."""
    import s3fs

    with s3_server(faults) as endpoint, pytest.MonkeyPatch.context() as patch:
        for name, value in environment_of(endpoint).items():
            patch.setenv(name, value)
        s3fs.S3FileSystem.clear_instance_cache()
        s3fs.S3FileSystem().mkdir("bucket")
        yield "s3://bucket"
        s3fs.S3FileSystem.clear_instance_cache()


def open_uploads(bucket: str) -> int:
    """Return the number of uploads of a bucket that nobody completed or ended."""
    import s3fs

    name = bucket.removeprefix("s3://")
    answer = s3fs.S3FileSystem().call_s3("list_multipart_uploads", Bucket=name)
    return len(answer.get("Uploads") or [])


def end_uploads(bucket: str) -> int:
    """End the uploads of a bucket that nobody completed, and return their number."""
    import s3fs

    many = open_uploads(bucket)
    s3fs.S3FileSystem().clear_multipart_uploads(bucket.removeprefix("s3://"))
    assert open_uploads(bucket) == 0
    return many


def let_all_read(bucket: str) -> None:
    """Let a bucket be read without credentials."""
    import s3fs

    name = bucket.removeprefix("s3://")
    s3fs.S3FileSystem().call_s3("put_bucket_acl", Bucket=name, ACL="public-read")


if __name__ == "__main__":
    serve()
