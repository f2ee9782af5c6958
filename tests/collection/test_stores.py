"""Whole collections in stores: a server of S3, stores that fail, full disks, late listings."""

from __future__ import annotations

import contextlib
import dataclasses
import json
import os
import resource
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from s3_server import open_uploads, s3_bucket
from store_support import KnownMaking, LateStore

import pavcodec as pav
from pavcodec.collection import Collection
from pavcodec.collection.deals import DealMaking
from pavcodec.files.stores import Storage, storage_of

pytestmark = pytest.mark.faults

CONDITION = "hcp(south) == 20"
NAMES = ["manifest.json", *(f"part-{k:06}.deal12" for k in range(12)), "plan.json"]


def plan(parts: int = 12, count: int = 600, to: str = "deal12") -> Collection:
    return pav.parts(CONDITION, count, parts=parts, seed=7, to=to)


def known(made: Collection) -> Collection:
    """Return a collection whose workers know the protocols of the tests."""
    making = made.making
    assert isinstance(making, DealMaking)
    fields = {field.name: getattr(making, field.name) for field in dataclasses.fields(making)}
    return dataclasses.replace(made, making=KnownMaking(**fields))


def contents(storage: Storage) -> dict[str, bytes]:
    names = [*storage.names(), *storage.names("rows/")]
    assert not [*storage.unfinished(), *storage.unfinished("rows/")]
    return {name: storage.read(name) for name in names}


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    """The files of the collection on a disk where nothing fails."""
    folder = tmp_path_factory.mktemp("whole")
    assert plan().make(folder, workers=1).is_complete
    found = contents(storage_of(folder))
    assert sorted(found) == NAMES
    return found


@pytest.fixture
def failing(tmp_path: Path) -> Iterator[tuple[Path, str]]:
    """The folder and the URL of a store in which one put in ten fails, always the same ones.

    The first put is that of the plan: it succeeds, and its answer is lost.
    """
    (tmp_path / "faults.json").write_text('{"seed": 43, "share": 0.1}')
    yield tmp_path, f"failing://{tmp_path.as_posix()}/set"
    uploads = tmp_path / ".uploads"
    assert not uploads.exists() or not list(uploads.iterdir())


@pytest.mark.slow
def test_a_collection_on_a_server_of_s3(bucket: str, whole: dict[str, bytes]) -> None:
    url = f"{bucket}/collection"
    storage = storage_of(url)
    first = plan().make(url, only=range(3, 9), workers=2)
    assert (first.made, first.is_complete) == (6, False)
    made = plan().make(url, workers=1)
    assert (made.made, made.verified, made.is_complete) == (6, 6, True)
    assert contents(storage) == whole
    listed = "".join(f"{sha256(whole[name]).hexdigest()}  {name}\n" for name in NAMES[1:-1])
    assert made.sha256 == sha256(listed.encode()).hexdigest()

    with storage.put("part-000005.deal12") as stream:  # of the same size
        stream.write(bytes(len(whole["part-000005.deal12"])))
    storage.remove(["part-000007.deal12"])
    assert not plan().check(url, workers=1).is_complete
    again = plan().make(url, workers=1)
    assert (again.made, again.verified, again.is_complete) == (2, 10, True)
    assert [name for name, _ in again.again] == ["part-000005.deal12"]
    assert contents(storage) == whole
    assert plan().check(url, workers=1).is_complete
    assert open_uploads(bucket) == 0


@pytest.mark.slow
def test_a_server_that_fails_one_request_in_ten(whole: dict[str, bytes]) -> None:
    faults = {"seed": 3, "share": 0.1, "methods": ["PUT"]}
    with contextlib.ExitStack() as stack:
        bucket = None
        while bucket is None:
            with contextlib.suppress(OSError):  # also the bucket's own request may fail
                bucket = stack.enter_context(s3_bucket(faults))
        made = plan().make(f"{bucket}/collection", workers=1)
        assert made.is_complete
        assert contents(storage_of(f"{bucket}/collection")) == whole


@pytest.mark.slow
@pytest.mark.parametrize("workers", [1, pytest.param(2, marks=pytest.mark.slow)])
def test_one_put_in_ten_fails(
    failing: tuple[Path, str],
    whole: dict[str, bytes],
    workers: int,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("pavcodec.collection.engines.engine._PAUSE", 0.001)  # in this process
    folder, url = failing
    made = known(plan()).make(url, workers=workers)
    assert made.is_complete
    assert (made.made + made.verified, made.failed, made.again) == (12, [], [])
    assert contents(storage_of(url)) == whole
    assert len((folder / "failed").read_text()) >= 4
    puts = len((folder / "puts").read_text())
    assert 2 + 2 * 12 < puts < 2 * (2 + 2 * 12)


@pytest.mark.slow
def test_one_put_in_four_fails_anywhere(
    failing: tuple[Path, str], whole: dict[str, bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of many seeds, some fail the puts of the plan and of the manifest, in each way."""
    monkeypatch.setattr("pavcodec.collection.engines.engine._PAUSE", 0)
    monkeypatch.setattr("pavcodec.collection.engines.engine.TRIES", 20)
    folder, url = failing
    for seed in range(8):
        (folder / "faults.json").write_text(json.dumps({"seed": seed, "share": 0.25}))
        (folder / "puts").unlink(missing_ok=True)
        made = plan().make(f"{url}-{seed}", workers=1)
        assert (made.made + made.verified, made.is_complete) == (12, True)
        assert contents(storage_of(f"{url}-{seed}")) == whole


@pytest.mark.slow
def test_half_of_the_puts_fail_and_runs_continue(
    failing: tuple[Path, str], whole: dict[str, bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where also the tries of a part come to an end, the next run makes what is missing."""
    folder, url = failing
    (folder / "faults.json").write_text('{"seed": 1, "share": 0.5}')
    monkeypatch.setattr("pavcodec.collection.engines.engine.TRIES", 2)
    monkeypatch.setattr("pavcodec.collection.engines.engine._PAUSE", 0)
    made, runs = 0, 0
    while "manifest.json" not in storage_of(url).names():
        runs += 1
        assert runs < 30
        with contextlib.suppress(OSError):
            made += plan().make(url, workers=1).made
    assert runs > 1
    assert contents(storage_of(url)).keys() - set(NAMES) == set()
    assert plan().make(url, workers=1).is_complete
    assert contents(storage_of(url)) == whole


def test_a_listing_that_is_late(whole: dict[str, bytes]) -> None:
    LateStore.seen.clear()
    url = "late://collection-of-deals"
    first = plan().make(url, only=range(4), workers=1)
    second = plan().make(url, only=range(4, 12), workers=1)
    assert (first.made, second.made) == (4, 8)
    for _ in range(3):  # a run after the listing shows all rows ends the collection
        last = plan().make(url, workers=1)
        assert (last.made, last.verified) == (0, 12)
    assert last.is_complete
    storage = storage_of(url)
    storage.names(), storage.names("rows/")
    assert contents(storage) == whole


@pytest.mark.slow
def test_two_writers_of_the_same_collection(tmp_path: Path, whole: dict[str, bytes]) -> None:
    results: list[Any] = []

    def run() -> None:
        results.append(plan().make(tmp_path / "set", workers=1))

    threads = [threading.Thread(target=run) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [result.is_complete for result in results] == [True] * 3
    assert contents(storage_of(tmp_path / "set")) == whole


SMALL = 3 << 20


@contextlib.contextmanager
def small_disk(folder: Path) -> Iterator[Path]:
    """Mount a file system of 3 MiB; skip the test where nobody may."""
    folder.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", f"size={SMALL}", "tmpfs", str(folder)]
    try:
        done = subprocess.run(mount, capture_output=True, check=False)
    except FileNotFoundError:
        pytest.skip("no mount")
    if done.returncode:
        pytest.skip("no right to mount a file system")
    try:
        yield folder
    finally:
        subprocess.run(["umount", "-l", str(folder)], check=True)


def command(*words: object, most: int | None = None) -> subprocess.CompletedProcess[str]:
    """Run a command in a process of its own whose files have at most so many bytes."""

    def limit() -> None:
        if most is not None:
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (most, most))

    return subprocess.run(
        [sys.executable, "-m", "pavcodec", *map(str, words)],
        capture_output=True,
        text=True,
        check=False,
        preexec_fn=limit,
    )


DEAL = ("deal", CONDITION, "-n", 40_000, "--seed", 7, "--to", "npy")


@pytest.mark.slow
@pytest.mark.skipif(os.name != "posix", reason="mounts")
def test_a_full_disk_and_the_run_after_it(tmp_path: Path) -> None:
    with small_disk(tmp_path / "small") as disk:
        (disk / "other").write_bytes(bytes(SMALL // 2))
        words = (*DEAL, "--parts", 8, "--workers", 1, "-o", disk / "set")
        full = command(*words)
        assert full.returncode == 1
        assert ": No space left on device" in full.stderr
        assert "Errno" not in full.stderr
        assert "Traceback" not in full.stderr
        found = contents(storage_of(disk / "set"))
        assert "manifest.json" not in found
        parts = [name for name in found if name.startswith("part-")]
        assert 1 <= len(parts) < 8
        rows = {name: json.loads(data) for name, data in found.items() if name.startswith("rows/")}
        for row in rows.values():
            assert sha256(found[row["name"]]).hexdigest() == row["sha256"]
        (disk / "other").unlink()
        again = command(*words)
        assert again.returncode == 0, again.stderr
        assert plan(8, 40_000, "npy").check(disk / "set", workers=1).is_complete


@pytest.mark.slow
@pytest.mark.skipif(os.name != "posix", reason="limits of POSIX")
def test_a_file_that_may_not_grow(tmp_path: Path) -> None:
    """The limit of the system for files stops a single file as a full disk does."""
    target = tmp_path / "a.npy"
    full = command(*DEAL, "-o", target, most=1 << 20)
    assert full.returncode == 1
    assert full.stderr.splitlines()[-1] == f"pavcodec deal: {target}: File too large"
    assert os.listdir(tmp_path) == []
