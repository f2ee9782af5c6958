"""Collections through faults: workers, schedulers, drivers, stores and disks; the same bytes."""

from __future__ import annotations

import contextlib
import errno
import json
import os
import re
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from typing import BinaryIO

import pytest
from program_support import end_of_session, environment
from s3_server import open_uploads
from store_support import LateStore

import pavcodec as pav
from pavcodec.collection import Collection
from pavcodec.files.stores import Folder, Storage, storage_of

pytestmark = pytest.mark.faults

CONDITION, COUNT, PARTS = "hcp(south) == 20", 6000, 12
NAMES = ["manifest.json", *(f"part-{k:06}.deal12" for k in range(PARTS)), "plan.json"]
Files = dict[str, bytes]


def plan() -> Collection:
    """Return the plan of most tests here."""
    return pav.parts(CONDITION, COUNT, parts=PARTS, seed=7, to="deal12")


def contents(place: Storage | Path) -> Files:
    """Return all files of a collection, among which are no unfinished ones."""
    storage = storage_of(place) if isinstance(place, Path) else place
    assert not [*storage.unfinished(), *storage.unfinished("rows/")]
    return {name: storage.read(name) for name in (*storage.names(), *storage.names("rows/"))}


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Files:
    """The files of an undisturbed run in one process, on a disk where nothing fails."""
    folder = tmp_path_factory.mktemp("whole")
    assert plan().make(folder, workers=1).is_complete
    found = contents(folder)
    assert sorted(found) == NAMES
    return found


def check_completed(folder: Path, whole: Files) -> None:
    """The parts of an interrupted run are right, and a run makes the others.

    Each of two workers may have ended before the row of its part was written.
    """
    kept = {path.name: path.read_bytes() for path in folder.glob("part-*")}
    assert kept.items() <= whole.items()
    assert len(kept) - 2 <= plan().make(folder, workers=1).verified <= len(kept)
    assert contents(folder) == whole


# processes that die


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="it reads /proc")
@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGINT, signal.SIGTERM])
def test_killed_drivers_and_interrupts(
    number: signal.Signals, whole: Files, tmp_path: Path
) -> None:
    words = [CONDITION, "-n", f"{COUNT}", "--parts", f"{PARTS}", "--seed", "7", "--to", "deal12"]
    program = subprocess.Popen(
        [sys.executable, "-m", "pavcodec", "deal", *words, "-o", tmp_path, "--workers", "2"],
        env=environment(),
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    while len(list(tmp_path.glob("part-*"))) < 2 and program.poll() is None:
        threading.Event().wait(0.002)
    if number == signal.SIGINT:
        os.killpg(program.pid, number)
    else:
        program.send_signal(number)
    _, errors = program.communicate(timeout=30)
    assert program.returncode in {-number, 128 + number}
    assert "Traceback" not in errors
    assert end_of_session(program.pid) == []
    check_completed(tmp_path, whole)


@pytest.mark.slow
def test_the_job_array_of_the_page(tmp_path: Path) -> None:
    page = Path(__file__).parents[2] / "docs" / "collection" / "index.md"
    blocks = re.findall(r"^```sh\n(#!.*?)^```", page.read_text("utf-8"), re.MULTILINE | re.DOTALL)
    (tmp_path / "job.sh").write_text(*blocks)
    program = tmp_path / "pavcodec"
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m pavcodec "$@"\n')
    program.chmod(0o755)
    there = environment() | {"SLURM_ARRAY_TASK_ID": "2"}
    there["PATH"] = f"{tmp_path}:{there['PATH']}"
    command = ["sh", "job.sh"]
    subprocess.run(command, cwd=tmp_path, env=there, check=True, stderr=subprocess.DEVNULL)
    same = pav.parts("hcp(south) >= 20", 4000, parts=4, seed=7, to="deal12")
    made = same.make(tmp_path / "deals", workers=1)
    assert (made.verified, made.made, made.is_complete) == (1, 3, True)


# stores that fail


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
def test_a_collection_on_a_server_of_s3(bucket: str, whole: Files) -> None:
    url = f"{bucket}/collection"
    storage = storage_of(url)
    first = plan().make(url, only=range(3, 9), workers=1)
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
    assert open_uploads(bucket) == 0


@pytest.mark.slow
@pytest.mark.parametrize("seed", [0, 1, 2])
def test_many_puts_fail_anywhere_and_runs_continue(
    seed: int, failing: tuple[Path, str], whole: Files, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where also the tries of a part come to an end, the next run makes what is missing."""
    folder, url = failing
    share, tries = (0.5, 2) if seed == 1 else (0.25, 20)
    monkeypatch.setattr("pavcodec.collection.engines.engine._PAUSE", 0)
    monkeypatch.setattr("pavcodec.collection.engines.engine.TRIES", tries)
    (folder / "faults.json").write_text(json.dumps({"seed": seed, "share": share}))
    runs = 0
    while "manifest.json" not in storage_of(url).names():
        runs += 1
        assert runs < 30
        with contextlib.suppress(OSError):
            plan().make(url, workers=1)
    assert (runs > 1) == (seed == 1)
    assert contents(storage_of(url)).keys() - set(NAMES) == set()
    assert plan().make(url, workers=1).is_complete
    assert contents(storage_of(url)) == whole


@pytest.mark.slow
def test_a_listing_that_is_late(whole: Files) -> None:
    LateStore.seen.clear()
    url = "late://collection-of-deals"
    first = plan().make(url, only=range(4), workers=1)
    second = plan().make(url, only=range(4, PARTS), workers=1)
    assert (first.made, second.made) == (4, 8)
    for _ in range(3):  # a run after the listing shows all rows ends the collection
        last = plan().make(url, workers=1)
        assert (last.made, last.verified) == (0, PARTS)
    assert last.is_complete
    storage = storage_of(url)
    storage.names(), storage.names("rows/")
    assert contents(storage) == whole


@pytest.mark.slow
def test_a_full_disk_and_the_run_after_it(
    tmp_path: Path, whole: Files, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = Folder.put

    @contextlib.contextmanager
    def put(self: Folder, name: str) -> Iterator[BinaryIO]:
        with real(self, name) as stream:
            yield stream
            if name.startswith("part-000003"):
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), name)

    with monkeypatch.context() as patch:
        patch.setattr(Folder, "put", put)
        full = plan().make(tmp_path, workers=1)
    [(name, reason)] = full.failed
    assert (name, full.made, full.is_complete) == ("part-000003.deal12", PARTS - 1, False)
    assert "No space left on device" in reason
    check_completed(tmp_path, whole)
