"""Faults of stores are errors of the system, in plain words and without secrets."""

from __future__ import annotations

import asyncio
import errno
import os
import pickle
import re
import sys
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
import store_support  # noqa: F401 (its protocols)
from s3_server import environment_of, open_uploads

from pavcodec.files.objects import as_os_error, is_transient
from pavcodec.files.opening import exists, open_file, open_output
from pavcodec.files.paths import is_url, local_path, shown_url, without_secrets
from pavcodec.files.stores import Storage, storage_of

botocore = pytest.importorskip("botocore.exceptions")
FileExpired = pytest.importorskip("s3fs.utils").FileExpired
pytestmark = [pytest.mark.slow, pytest.mark.faults]

NAME = "s3://bucket/a.pav"


def answer(code: str, operation: str = "PutObject") -> Exception:
    """Return an error of S3 as s3fs raises it."""
    from s3fs.errors import translate_boto_error

    inner = botocore.ClientError({"Error": {"Code": code, "Message": "why not"}}, operation)
    found: Exception = translate_boto_error(inner)
    return found


class HttpError(Exception):
    """An error with a state of HTTP, as those of Google's and Azure's packages."""

    def __init__(self, status: int) -> None:
        super().__init__(f"answer {status}")
        self.status_code = status


class FSTimeoutError(asyncio.TimeoutError):
    """The class of fsspec for calls that take too long."""


GONE = botocore.EndpointConnectionError(endpoint_url="http://u:pw@host/b?sig=1")
FULL = OSError(errno.ENOSPC, "No space left on device")
FAULTS: list[tuple[Exception, type[OSError], str, bool]] = [
    (answer("NoSuchBucket"), FileNotFoundError, "the bucket does not exist", False),
    (answer("NoSuchKey"), FileNotFoundError, "there is no such object", False),
    (answer("404"), FileNotFoundError, "there is no such object", False),
    (answer("AccessDenied"), PermissionError, "the store refuses access: .*why not", False),
    (answer("403"), PermissionError, "the store refuses access", False),
    (answer("SignatureDoesNotMatch"), PermissionError, "refuses the credentials", False),
    (answer("ExpiredToken"), PermissionError, "refuses the credentials", False),
    (answer("PreconditionFailed"), FileExistsError, "exists already", False),
    (answer("SlowDown"), OSError, "the store is busy", True),
    (answer("503"), OSError, "the store is busy", True),
    (answer("InternalError"), OSError, "the store failed: .*why not", True),
    (answer("RequestTimeout"), TimeoutError, "did not answer in time", True),
    (answer("XMinioStorageFull"), OSError, "no space is left in the store", False),
    (answer("Unheard"), OSError, "why not", False),
    (botocore.NoCredentialsError(), PermissionError, "no credentials were found", False),
    (GONE, ConnectionRefusedError, "no connection to the store", True),
    (botocore.ReadTimeoutError(endpoint_url="http://h"), TimeoutError, "in time", True),
    (HttpError(429), OSError, "the store is busy", True),
    (HttpError(401), PermissionError, "refuses the credentials", False),
    (HttpError(404), FileNotFoundError, "no such object", False),
    (FSTimeoutError(), TimeoutError, "did not answer in time", True),
    (FileExpired("a", "tag"), OSError, "the object changed while it was read", True),
    (ConnectionResetError("gone"), ConnectionResetError, "no connection", True),
    (FileNotFoundError("/a"), FileNotFoundError, "no such object", False),
    (FULL, OSError, "No space left", False),
    (ValueError("odd"), OSError, "odd", False),
    (RuntimeError(), OSError, "RuntimeError", False),
]


def test_every_fault_is_an_error_of_the_system() -> None:
    for error, kind, reason, transient in FAULTS:
        found = as_os_error(error, NAME)
        assert isinstance(found, kind), error
        assert re.search(reason, str(found)), error
        assert (found.filename, found.errno is None) == (NAME, False)
        assert is_transient(found) is transient, error
        again = pickle.loads(pickle.dumps(found))
        assert (type(again), again.args, again.filename) == (type(found), found.args, NAME)
        assert "pw" not in str(found)
        assert "\n" not in str(found)


def test_the_cause_of_a_failed_block_decides() -> None:
    error = RuntimeError("Failed to upload block: busy!")
    error.__cause__ = HttpError(503)
    assert is_transient(as_os_error(error, NAME))


SHOWN = {
    "s3://KEY:SECRET@bucket/a.pav": "s3://bucket/a.pav",
    "sftp://anna:se/cret@host/a": "sftp://…/host/a",
    "ftp://anna@host:21/a@b": "ftp://host:21/a@b",
    "https://host/a.pav?X-Amz-Signature=SECRET#x": "https://host/a.pav?…",
    "abfs://box@name.dfs.core.windows.net/a": "abfs://box@name.dfs.core.windows.net/a",
    "zip://in.pbn::https://u:SECRET@h/z.zip?t=SECRET": "zip://in.pbn::https://h/z.zip?…",
    "s3://bucket/a#b": "s3://bucket/a#b",
}


def test_urls_are_shown_without_secrets() -> None:
    assert {url: shown_url(url) for url in SHOWN} == SHOWN
    for url in SHOWN:
        text = without_secrets(f"cannot read {url!r}, token=SECRET; key: SECRET2")
        assert "SECRET" not in text


def test_paths_are_no_urls() -> None:
    for path in (
        *("a.pav", "C:\\a.pav", "C:/a", "c://a", "/a/b", "a:b"),
        *("://a", "1s3://a", "", ":", "s3:/a", "a::b"),
    ):
        assert not is_url(path), path
        assert local_path(path) == path


def test_file_urls_are_paths(tmp_path: Path) -> None:
    (tmp_path / "a%20b.txt").write_bytes(b"x")
    url = f"file://{tmp_path.as_posix()}/a%20b.txt"
    assert local_path("file:///C:/a") == "C:/a"
    assert exists(url)
    with open_file(url) as stream:
        assert stream.read() == b"x"
    for name in (f"{url}2", "memory://fresh-objects/a"):
        with open_output(name) as stream:
            stream.write(b"y")
        with pytest.raises(FileExistsError), open_output(name, fresh=True):
            pass
        with open_file(name) as stream:
            assert stream.read() == b"y"


def test_a_folder_is_no_object() -> None:
    reason = "names a folder: add the name of a file"
    for url in ("memory://", "memory://a/", "renaming://a/"):
        with pytest.raises(IsADirectoryError, match=reason), open_output(url):
            pass


def test_a_store_that_cannot_be_written_says_so() -> None:
    url = "https://u:SECRET@name.invalid/a.pav"
    with pytest.raises(OSError, match="this store cannot do that") as found, open_output(url):
        pass
    assert found.value.filename == "https://name.invalid/a.pav"


def test_a_missing_package_is_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("gcsfs", "adlfs", "paramiko"):
        monkeypatch.setitem(sys.modules, name, None)
    for url, reason in (
        ("gs://bucket/a", r"gcsfs, which is not installed: pip install 'pavcodec\[gs]'"),
        ("abfs://box/a", r"adlfs, which is not installed: pip install 'pavcodec\[az]'"),
        ("sftp://u:SECRET@host/a", "paramiko, which is not installed: pip install paramiko"),
    ):
        with pytest.raises(OSError, match=reason) as found:
            storage_of(url)
        assert "SECRET" not in str(found.value)
        assert not is_transient(found.value)


def test_a_folder_is_a_path_or_a_url() -> None:
    with pytest.raises(TypeError, match="a folder is a path or a URL, not 'bytes'"):
        storage_of(b"a")  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="a URL is given as text, since a path loses a slash"):
        storage_of(Path("s3://bucket/set"))
    with pytest.raises(OSError, match="fsspec has no protocol 'S3'"):
        storage_of("S3://bucket/set")


def create_at_once(storage: Storage, name: str, many: int = 4) -> list[bytes | None]:
    """Let several threads create a file at the same time; return what those wrote that did."""
    start = threading.Barrier(many)

    def create(one: int) -> bytes | None:
        start.wait()
        data = b"%d" % one * 100
        try:
            storage.create(name, data)
        except FileExistsError:
            return None
        return data

    with ThreadPoolExecutor(many) as pool:
        return list(pool.map(create, range(many)))


@pytest.mark.parametrize("kind", ["path", "s3"])
def test_one_of_several_writers_creates_a_file(
    kind: str, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    storage = storage_of(
        tmp_path / "folder" if kind == "path" else f"{request.getfixturevalue('bucket')}/writers"
    )
    for name in ("a", "b", "c"):
        results = create_at_once(storage, name)
        assert sorted(results, key=bool) == [None, None, None, storage.read(name)]
    assert storage.unfinished() == []


@pytest.fixture
def other_variables(monkeypatch: pytest.MonkeyPatch) -> Iterator[pytest.MonkeyPatch]:
    """Let a test change the variables of S3, also those of the class; nothing old is used."""
    import s3fs

    s3fs.S3FileSystem.clear_instance_cache()
    yield monkeypatch
    monkeypatch.undo()
    s3fs.S3FileSystem.clear_instance_cache()


def test_large_objects_are_uploaded_in_parts_and_ended_by_errors(
    bucket: str, other_variables: pytest.MonkeyPatch
) -> None:
    other_variables.setattr("s3fs.core.S3FileSystem.default_block_size", 5 << 20)
    storage = storage_of(f"{bucket}/large")
    block, many = os.urandom(1 << 20), 11  # two parts and a rest

    def put(*, error: BaseException | None = None) -> None:
        with storage.put("a") as stream:
            for _ in range(many):
                stream.write(block)
            assert open_uploads(bucket) == 1
            if error is not None:
                raise error

    for error in (ValueError("x"), KeyboardInterrupt()):
        with pytest.raises(type(error)):
            put(error=error)
        assert storage.names() == []
        assert open_uploads(bucket) == 0
    put()
    assert open_uploads(bucket) == 0
    assert storage.size("a") == many << 20
    with storage.open("a") as stream:
        stream.seek(-(1 << 20), 2)
        assert stream.read() == block


def test_faults_of_a_real_server(bucket: str, other_variables: pytest.MonkeyPatch) -> None:
    storage = storage_of(f"{bucket}/faults")
    storage.create("a/b", b"x")
    with pytest.raises(IsADirectoryError, match="it is a folder and no object"):
        storage.open("a")
    with pytest.raises(FileNotFoundError, match="there is no such object"):
        storage.open("c")
    assert not storage.exists("a")
    for url in (bucket, f"{bucket}/", "s3://"):
        with pytest.raises(IsADirectoryError, match="add the name"), open_output(url):
            pass
    other = storage_of("s3://none/a")
    for action in (lambda: other.create("b", b""), lambda: other.read("b")):
        with pytest.raises(FileNotFoundError, match="the bucket does not exist"):
            action()
    other_variables.delenv("AWS_ACCESS_KEY_ID")
    other_variables.setenv("AWS_SHARED_CREDENTIALS_FILE", os.devnull)
    import s3fs

    s3fs.S3FileSystem.clear_instance_cache()
    with pytest.raises(PermissionError, match="no credentials were found for this store"):
        storage.create("d", b"")


def test_a_server_that_is_not_there(other_variables: pytest.MonkeyPatch) -> None:
    for name, value in environment_of("http://127.0.0.1:1").items():
        other_variables.setenv(name, value)
    other_variables.setenv("AWS_MAX_ATTEMPTS", "1")
    other_variables.setattr("s3fs.core.S3FileSystem.retries", 1)
    with pytest.raises(ConnectionRefusedError, match="no connection to the store") as found:
        storage_of("s3://bucket/a").create("b", b"")
    assert found.value.filename == "s3://bucket/a/b"
    assert is_transient(found.value)
