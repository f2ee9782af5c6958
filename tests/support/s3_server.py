"""A server of S3 on the loopback, in a process of its own.

`python s3_server.py` prints its port and serves until its standard input ends.
"""

from __future__ import annotations

import logging
import os
import subprocess
import sys
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest


def serve() -> None:
    """Serve until the standard input ends."""
    from moto.moto_server.werkzeug_app import (
        DomainDispatcherApplication,
        MotoRequestHandler,
        create_backend_app,
    )
    from werkzeug.serving import make_server

    logging.getLogger("werkzeug").setLevel(logging.CRITICAL)
    app, lock = DomainDispatcherApplication(create_backend_app), threading.Lock()

    def answered(request: dict[str, Any], start: Callable[..., Any]) -> Iterable[bytes]:
        if "HTTP_IF_NONE_MATCH" not in request:
            return app(request, start)  # type: ignore[no-any-return]
        with lock:  # a store looks and writes in one step
            return app(request, start)  # type: ignore[no-any-return]

    handler = MotoRequestHandler
    server = make_server("127.0.0.1", 0, answered, threaded=True, request_handler=handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    print(server.server_port, flush=True)
    sys.stdin.read()
    os._exit(0)


@contextmanager
def s3_server() -> Iterator[str]:
    """Run a server, and yield the URL of its endpoint."""
    with subprocess.Popen(
        [sys.executable, __file__],
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
def s3_bucket() -> Iterator[str]:
    """Run a server with a bucket, and yield its URL; the environment names the server."""
    import s3fs

    with s3_server() as endpoint, pytest.MonkeyPatch.context() as patch:
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
