"""Folders on this machine and in a store: the same promises."""

from __future__ import annotations

import itertools
import os
import pickle
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
import store_support
from s3_server import end_uploads, open_uploads

from pavcodec.files.objects import is_transient
from pavcodec.files.stores import Storage, storage_of

_COUNT = itertools.count()


@pytest.fixture(
    params=["path", "file", "memory", "renaming", pytest.param("s3", marks=pytest.mark.slow)]
)
def storage(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Storage]:
    """A folder that does not exist yet, of each kind."""
    if request.param in ("path", "file"):
        folder = tmp_path / "folder"
        yield storage_of(folder if request.param == "path" else f"file://{folder.as_posix()}")
    elif request.param == "s3":
        bucket = request.getfixturevalue("bucket")
        yield storage_of(f"{bucket}/storage-{next(_COUNT)}")
        assert open_uploads(bucket) == 0
    else:
        yield storage_of(f"{request.param}://storage-{next(_COUNT)}/folder")


def test_a_file_has_its_name_at_the_end(storage: Storage) -> None:
    with storage.put("part-000000.pav") as stream:
        assert stream.write(b"one") == 3
        stream.write(memoryview(b"two"))
        assert storage.names() == []
        assert not storage.exists("part-000000.pav")
    assert storage.names() == ["part-000000.pav"]
    assert storage.read("part-000000.pav") == b"onetwo"
    assert storage.size("part-000000.pav") == 6
    for content in (b"old content", b"new", b""):
        with storage.put("plan.json") as stream:
            stream.write(content)
            if storage.url.startswith(("memory", "renaming", "s3")):
                stream.close()  # as some writers do
        assert storage.read("plan.json") == content


def test_a_failed_put_leaves_what_was_there(storage: Storage) -> None:
    storage.create("old.pav", b"old")

    def fail(name: str, error: BaseException) -> None:
        with storage.put(name) as stream:
            stream.write(b"half")
            raise error

    for error in (ValueError("x"), KeyboardInterrupt(), SystemExit(1)):
        for name in ("old.pav", "new.pav"):
            with pytest.raises(type(error)):
                fail(name, error)
        assert storage.names() == ["old.pav"]
        assert storage.unfinished() == []
        assert storage.read("old.pav") == b"old"


def test_create_replaces_nothing(storage: Storage) -> None:
    storage.create("plan.json", b"{}")
    with pytest.raises(FileExistsError) as found:
        storage.create("plan.json", b"other")
    assert found.value.filename == storage.shown("plan.json")
    assert storage.read("plan.json") == b"{}"
    assert storage.unfinished() == []


def test_names_are_those_of_one_folder(storage: Storage) -> None:
    assert storage.names() == storage.names("rows/") == storage.names("rows/part-") == []
    for name in ("rows/part-000001.json", "part-000001.pav", "part-000000.pav", "plan.json"):
        storage.create(name, b"x")
    assert storage.names() == ["part-000000.pav", "part-000001.pav", "plan.json"]
    assert storage.names("part-") == ["part-000000.pav", "part-000001.pav"]
    assert storage.names("rows/") == storage.names("rows/part") == ["rows/part-000001.json"]
    assert storage.names("none") == []
    left = [".pavcodec-0123456789abcdef.part", "rows/.pavcodec-0123456789abcdef.part"]
    for name in left:
        storage.create(name, b"x")
    assert storage.names() == ["part-000000.pav", "part-000001.pav", "plan.json"]
    assert [*storage.unfinished(), *storage.unfinished("rows/")] == left
    storage.remove([*left, "rows/none", "part-000001.pav", "part-000001.pav"])
    assert storage.names() == ["part-000000.pav", "plan.json"]
    assert storage.unfinished() == storage.unfinished("rows/") == []
    storage.remove([])


@pytest.mark.slow
@pytest.mark.faults
@pytest.mark.skipif(os.name != "posix", reason="signals of POSIX")
@pytest.mark.parametrize("kind", ["path", "s3"])
def test_a_killed_writer_leaves_no_file(
    kind: str, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    folder = str(tmp_path) if kind == "path" else f"{request.getfixturevalue('bucket')}/killed"
    storage = storage_of(folder)
    writer = [sys.executable, store_support.__file__, folder]
    with subprocess.Popen(writer, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"half\n"
        assert storage.unfinished() == []
        process.kill()
    assert storage.names() == []
    left = storage.unfinished()
    assert len(left) == (kind == "path")
    storage.remove(left)
    assert not list(tmp_path.iterdir())
    if kind == "s3":
        assert end_uploads("s3://bucket") == 1  # as a rule of the bucket does


def test_a_missing_file_is_named(storage: Storage) -> None:
    for action in (storage.open, storage.read, storage.size):
        with pytest.raises(FileNotFoundError) as found:
            action("none.pav")
        assert found.value.filename == storage.shown("none.pav")
        assert found.value.strerror
        assert not is_transient(found.value)


def test_a_file_is_read_from_any_place_by_several_readers(storage: Storage) -> None:
    content = bytes(range(256)) * 1000
    with storage.put("a.pav") as stream:
        stream.write(content)
    with storage.open("a.pav") as first, storage.open("a.pav") as second:
        assert first.seekable()
        assert first.seek(-10, 2) == len(content) - 10
        assert second.read(5) == content[:5]
        assert first.read() == content[-10:]
        assert second.seek(100_000) == second.tell() == 100_000
        assert second.read(300) == content[100_000:100_300]
        assert second.readline() == content[100_300 : content.index(b"\n", 100_300) + 1]


def test_a_folder_may_look_like_a_pattern(storage: Storage) -> None:
    folder = storage.url
    if folder.startswith("renaming"):
        with pytest.raises(OSError, match="none of the characters"):
            storage_of(f"{folder}/set[12]").create("a", b"x")
        return
    for name in ("set1", "set2", "set[12]", "set*"):
        storage_of(f"{folder}/{name}").create("a", name.encode())
    for name in ("set[12]", "set*"):
        other = storage_of(f"{folder}/{name}")
        assert other.names() == ["a"]
        assert other.read("a") == name.encode()
        other.remove(["a", "b"])
        assert other.names() == []
    assert [storage_of(f"{folder}/set{k}").names() for k in (1, 2)] == [["a"], ["a"]]


def test_a_name_stays_in_the_folder(storage: Storage) -> None:
    actions: list[Callable[[str], Any]] = [
        *(storage.put, storage.open, storage.read, storage.size, storage.shown),
        lambda name: storage.create(name, b""),
        lambda name: storage.remove([name]),
    ]
    for name in ("", "/a", "a/", "a//b", "../a", "rows/../a", ".", "a\\b"):
        for action in actions:
            with pytest.raises(ValueError, match="parts between '/'"), ExitStack() as stack:
                stack.enter_context(action(name))


def test_a_storage_is_a_value(storage: Storage) -> None:
    storage.create("a", b"x")
    again = pickle.loads(pickle.dumps(storage))
    assert again == storage
    assert hash(again) == hash(storage)
    assert again.read("a") == b"x"
    assert str(storage) == storage.url


def test_paths_need_no_fsspec(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "fsspec", None)
    monkeypatch.setitem(sys.modules, "fsspec.core", None)
    storage = storage_of(tmp_path)
    storage.create("a", b"x")
    assert storage.names() == ["a"]
    for url, extra in (("s3://bucket/x", "s3"), ("memory://x", "cluster")):
        reason = rf"{url[: url.index('/')]}// needs the package fsspec.* 'pavcodec\[{extra}]'"
        with pytest.raises(OSError, match=reason):
            storage_of(url)
