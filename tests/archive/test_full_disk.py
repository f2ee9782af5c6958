"""Disks that fill and processes that are killed: an archive is complete, or as it was."""

from __future__ import annotations

import errno
import json
import os
import random
import signal
import stat
import subprocess
import sys
import time
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple, NoReturn

import pytest
from container_support import DEALS

import pavcodec as pav
from pavcodec import ReadError
from pavcodec.archive.operations import merge_archives, unite_archives
from pavcodec.archive.stream import repair_archive, verify_archive
from pavcodec.archive.writer import append_archive
from pavcodec.cli import main

MANY = 20_000
"""The deals of an archive that a full disk has no room for, of 240 kilobytes."""
ROOM = 24 << 12
"""There is room for most of the first block, so that only what waits in a buffer is too much."""
FEW = 100

JOBS = """
import contextlib, io, json, os, pathlib, sys
import pavcodec as pav
from pavcodec.archive import append_archive, merge_archives, repair_archive, unite_archives
from pavcodec.cli import main

folder, sources, limit = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]), int(sys.argv[3])
target, more = folder / "new.pav", folder / "old.pav"
deals = pav.numbering("deal").sample_many(20_000, seed=1)

def united(work, *names):
    with contextlib.ExitStack() as stack:
        work([stack.enter_context(pav.open_archive(sources / name)) for name in names], target)

jobs = {
    "write": lambda: pav.write_archive(deals, target),
    "write a set": lambda: pav.write_archive(deals, target, kind="set"),
    "write by its suffix": lambda: pav.write_owners(deals, target),
    "append": lambda: append_archive([deals], more),
    "append boards": lambda: append_archive(pav.numbering("deal").sample(8_200, seed=1), more),
    "repair": lambda: repair_archive(sources / "damaged.pav", target),
    "merge": lambda: united(merge_archives, "one.pav", "two.pav"),
    "unite": lambda: united(unite_archives, "one.set.pav", "two.set.pav"),
    "deal": lambda: main(["deal", "-n", "20000", "--seed", "1", "-o", str(target), "--force"]),
    "convert": lambda: main(["convert", str(sources / "deals.txt"), str(target), "--force"]),
}

if limit:
    import resource, signal
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))
for begin in (None, b"what stood here"):
    for name, job in jobs.items():
        if begin is not None and name.startswith("append"):
            continue
        if begin is not None:
            target.write_bytes(begin)
        more.write_bytes((sources / "old.pav").read_bytes())
        said = io.StringIO()
        with contextlib.redirect_stderr(said):
            try:
                outcome = job()
            except OSError as error:
                outcome = [error.filename, error.strerror]
        found = {path.name: path.read_bytes().hex() for path in folder.iterdir()}
        print(json.dumps([name, begin is not None, outcome, said.getvalue(), found]), flush=True)
        target.unlink(missing_ok=True)
"""


class Tried(NamedTuple):
    """What came of a job: an error or an exit code, what it said, and the files that there are."""

    name: str
    stood: bool
    outcome: object
    said: str
    found: dict[str, str]


@pytest.fixture(scope="module")
def sources(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Files that the jobs read."""
    folder = tmp_path_factory.mktemp("sources")
    deals = DEALS.sample_many(MANY, seed=1)
    pav.write_archive(deals[:FEW], folder / "old.pav")
    for kind, end in (("ordered", "pav"), ("set", "set.pav")):
        pav.write_archive(deals[: MANY // 2], folder / f"one.{end}", kind=kind)
        pav.write_archive(deals[MANY // 2 :], folder / f"two.{end}", kind=kind)
    pav.write_archive(deals, folder / "damaged.pav")
    with (folder / "damaged.pav").open("r+b") as stream:
        stream.truncate(stream.seek(0, os.SEEK_END) - 9)
    pav.write_owners(deals, folder / "deals.txt")
    return folder


def tried(folder: Path, sources: Path, limit: int, *before: str) -> list[Tried]:
    """What comes of all jobs in a process of their own."""
    command = [*before, sys.executable, "-c", JOBS, str(folder), str(sources), str(limit)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return [Tried(*json.loads(line)) for line in done.stdout.splitlines()]


def check_tried(results: list[Tried], folder: Path, sources: Path, reason: str) -> None:
    """Every job failed for a reason, said so in a line, and left what there was."""
    assert len(results) == 18
    old = (sources / "old.pav").read_bytes().hex()
    for name, stood, outcome, said, found in results:
        expected = {"old.pav": old} | ({"new.pav": b"what stood here".hex()} if stood else {})
        assert found == expected, name
        target = str(folder / ("old.pav" if name.startswith("append") else "new.pav"))
        if name in {"deal", "convert"}:
            assert outcome == 1, name
            lines = [line for line in said.splitlines() if not line.startswith("seed ")]
            assert lines == [f"pavcodec {name}: {target}: {reason}"]
        else:
            assert outcome == [target, reason], name
            assert said == ""


@pytest.mark.slow
@pytest.mark.skipif(os.name != "posix", reason="limits of POSIX")
def test_a_limit_of_the_size_of_files(sources: Path, tmp_path: Path) -> None:
    check_tried(tried(tmp_path, sources, ROOM), tmp_path, sources, "File too large")


@pytest.mark.slow
def test_a_small_disk_that_fills(sources: Path, tmp_path: Path) -> None:
    apart = ["unshare", "--mount", "--map-root-user"]
    mounting = f'mount -t tmpfs -o size={ROOM} tmpfs "$0" && exec "$@"'
    mount = [*apart, "sh", "-c", mounting, str(tmp_path)]  # seen by these processes alone
    try:
        subprocess.run([*mount, "true"], capture_output=True, check=True)
    except (OSError, subprocess.CalledProcessError):
        pytest.skip("needs to mount a file system, which this system does not allow")
    results = tried(tmp_path, sources, 0, *mount)
    check_tried(results, tmp_path, sources, "No space left on device")


# What is on the disk, and in which order


@pytest.fixture
def calls(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What is asked of the system for files and folders, in order."""
    said: list[str] = []
    fsync, replace = os.fsync, os.replace

    def synced(descriptor: int) -> None:
        is_folder = stat.S_ISDIR(os.fstat(descriptor).st_mode)
        said.append("sync the folder" if is_folder else "sync the file")
        fsync(descriptor)

    def renamed(source: str, target: str) -> None:
        said.append("rename")
        replace(source, target)

    monkeypatch.setattr(os, "fsync", synced)
    monkeypatch.setattr(os, "replace", renamed)
    return said


def ways(folder: Path) -> Iterator[Callable[[], object]]:
    """Ways to make an archive."""
    deals, path, target = DEALS.sample(9, seed=7), folder / "deals.txt", folder / "new.pav"
    pav.write(deals, path)
    pav.write_archive(deals, folder / "old.pav", kind="set")
    yield lambda: pav.write_archive(deals, target)
    yield lambda: pav.write(deals, target)
    output = ["-o", str(target), "--force"]
    yield lambda: main(["convert", str(path), str(target), "--force"])
    yield lambda: main(["deal", "-n", "9", "--seed", "7", *output])
    yield lambda: main(["grep", "1", str(path), "--to", "pav", *output])
    yield lambda: main(["decode", "5", "--to", "pav", *output])
    yield lambda: repair_archive(folder / "old.pav", target)
    with pav.open_archive(folder / "old.pav") as archive:
        yield lambda: merge_archives([archive], target)
        yield lambda: unite_archives([archive, archive], target)


@pytest.mark.skipif(not hasattr(os, "O_DIRECTORY"), reason="folders cannot be opened")
def test_an_archive_is_on_the_disk_before_its_name_and_its_name_at_the_end(
    tmp_path: Path, calls: list[str]
) -> None:
    for way in ways(tmp_path):
        calls.clear()
        way()
        rename = calls.index("rename")
        assert calls[rename - 1 :] == ["sync the file", "rename", "sync the folder"]
        assert set(calls[:rename]) == {"sync the file"}


def test_no_other_file_waits_for_the_disk(tmp_path: Path, calls: list[str]) -> None:
    for name in ("deals.pbn", "deals.txt", "deals.deal12"):
        pav.write(DEALS.sample(9, seed=7), tmp_path / name)
    assert calls == ["rename"] * 3


def test_a_folder_that_cannot_be_put_on_the_disk(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fsync = os.fsync

    def refused(descriptor: int) -> None:
        if stat.S_ISDIR(os.fstat(descriptor).st_mode):
            raise OSError(code, os.strerror(code))
        fsync(descriptor)

    monkeypatch.setattr(os, "fsync", refused)
    path = tmp_path / "new.pav"
    code = 22  # a file system that does not know how
    assert pav.write_archive(DEALS.sample(9, seed=7), path) == 9
    code = 5
    with pytest.raises(OSError, match=r"Input/output error: .*new\.pav"):
        pav.write_archive(DEALS.sample(9, seed=8), path)
    assert verify_archive(path) == []


# What is said of a disk that fails is true


@pytest.fixture
def failing(monkeypatch: pytest.MonkeyPatch) -> Callable[[str, int], None]:
    """Let the call number n of a function of the system fail, and all after it."""
    system = {name: getattr(os, name) for name in ("fsync", "replace")}

    def fail(name: str, number: int) -> None:
        calls = iter(range(number))

        def tried(*arguments: object) -> object:
            if next(calls, None) is None:
                raise OSError(errno.EIO, os.strerror(errno.EIO))
            return system[name](*arguments)

        for each, function in system.items():
            monkeypatch.setattr(os, each, tried if each == name else function)

    return fail


IN_PLACE = (
    "the new file is complete and in its place, but may be lost if the machine stops now: "
    "Input/output error"
)


JOBS_THAT_FAIL = {"pack": 5, "append": 2, "convert": 3, "cases": 1, "write": 5}
"""How many calls of each job fail before it ends well: of `replace` and of `fsync`."""


@pytest.mark.slow
@pytest.mark.parametrize("job", JOBS_THAT_FAIL)
def test_what_is_said_of_a_disk_that_fails_is_true(
    tmp_path: Path,
    failing: Callable[[str, int], None],
    capsys: pytest.CaptureFixture[str],
    job: str,
) -> None:
    new = tmp_path / ("new.cases" if job == "cases" else "new.pav")
    more, deals = tmp_path / "more.txt", DEALS.sample(20, seed=8)
    pav.write(deals, more)
    commands = {
        "pack": ["pack", str(more), "-o", str(new)],
        "append": ["append", str(new), str(more)],
        "convert": ["convert", str(more), str(new)],
        "cases": ["cases", "spades(west) == 9", "-o", str(new), "--resume"],
    }

    def said() -> str | None:
        """What the job says where it fails."""
        if job not in commands:
            try:
                pav.write(deals, new)
            except OSError as error:
                return error.strerror
            return None
        code, lines = main(commands[job]), capsys.readouterr().err
        return lines.partition(f"pavcodec {job}: {new}: ")[2].rstrip() if code else None

    if job in {"append", "write"}:
        pav.write_archive(DEALS.sample(5, seed=7), new)
    before = new.read_bytes() if new.exists() else None
    told = []
    for name in ("replace", "fsync"):
        for number in range(5):
            failing(name, number)
            reason = said()
            found = new.read_bytes() if new.exists() else None
            assert {path.name for path in tmp_path.iterdir()} <= {new.name, "more.txt"}
            assert (found == before) == (reason == "Input/output error")
            if found != before:
                assert job == "cases" or verify_archive(new) == []
                new.unlink() if before is None else new.write_bytes(before)
            if reason is None:
                break
            told.append(reason)
    assert len(told) == JOBS_THAT_FAIL[job]
    assert told.count(IN_PLACE) == (job in {"pack", "convert", "write"})
    assert set(told) <= {IN_PLACE, "Input/output error"}


# Processes that are killed


class Child:
    """A process that does one job after another, and counts those that it has done."""

    def __init__(self, job: Callable[[int], object]) -> None:
        self._reader, writer = os.pipe()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DeprecationWarning)  # threads of a test before this
            self._process = os.fork()
        if not self._process:
            self._work(job, writer)
        os.close(writer)

    def _work(self, job: Callable[[int], object], writer: int) -> NoReturn:
        try:
            for done in range(100_000):
                job(done)
                os.write(writer, b".")
        finally:
            os._exit(1)

    def killed(self) -> int:
        """Kill the process, and return how many jobs it said were done."""
        os.kill(self._process, signal.SIGKILL)
        assert os.waitstatus_to_exitcode(os.waitpid(self._process, 0)[1]) == -signal.SIGKILL
        with os.fdopen(self._reader, "rb") as stream:
            return len(stream.read())


def numbers_of(archive: pav.Archive) -> list[list[int]]:
    """The numbers of an archive, as two words each."""
    return [row for rows in archive.numbers() for row in rows.tolist()]


needs_fork = pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")


@pytest.mark.slow
@needs_fork
def test_killed_at_any_moment_while_archives_are_written(tmp_path: Path) -> None:
    path, moments = tmp_path / "deals.pav", random.Random(1)
    boards = [DEALS.sample_many(1000, seed=seed) for seed in range(7)]
    for _ in range(6):
        path.unlink(missing_ok=True)
        child = Child(lambda place: pav.write_archive(boards[place % 7], path))
        time.sleep(moments.uniform(0.02, 0.2))
        done = child.killed()
        if not path.exists():
            assert not done
            continue
        assert verify_archive(path) == []
        with pav.open_archive(path) as archive:
            found = numbers_of(archive)
        written = [DEALS.rank_many(boards[place % 7]).tolist() for place in (done - 1, done)]
        assert found in written[not done :]


@pytest.mark.slow
@needs_fork
def test_killed_at_any_moment_while_boards_are_added(tmp_path: Path) -> None:
    path, repaired, moments = tmp_path / "deals.pav", tmp_path / "repaired.pav", random.Random(2)
    batches = [DEALS.sample_many(10, seed=seed) for seed in range(2000)]
    expected = [row for batch in batches for row in DEALS.rank_many(batch).tolist()]
    for _ in range(8):
        pav.write_archive([], path)
        child = Child(lambda place: append_archive([batches[place]], path))
        time.sleep(moments.uniform(0.02, 0.2))
        done = child.killed()
        if verify_archive(path):
            with pytest.raises(ReadError, match="appending to it was interrupted"):
                pav.open_archive(path)
        repair_archive(path, repaired)
        for opened in [path, repaired] if not verify_archive(path) else [repaired]:
            with pav.open_archive(opened) as archive:
                rows = numbers_of(archive)
            assert rows == expected[: len(rows)]
            assert len(rows) in {10 * done, 10 * done + 10}


@pytest.mark.slow
@needs_fork
def test_readers_while_another_process_adds_boards(tmp_path: Path) -> None:
    path = tmp_path / "deals.pav"
    batches = [DEALS.sample_many(10, seed=seed) for seed in range(2000)]
    expected = [row for batch in batches for row in DEALS.rank_many(batch).tolist()]
    pav.write_archive(batches[0], path)
    sizes, latest = {10}, time.monotonic() + 10
    with pav.open_archive(path) as first, pav.open_archive(path) as second:
        child = Child(lambda place: append_archive([batches[place + 1]], path))
        try:
            while len(sizes) < 6 and time.monotonic() < latest:
                for early in (first, second):
                    assert numbers_of(early) == expected[:10]
                try:
                    later = pav.open_archive(path)
                except ReadError as error:
                    assert "appending to it was interrupted" in str(error)  # noqa: PT017
                    continue
                with later:
                    rows = numbers_of(later)
                assert rows == expected[: len(rows)]
                assert len(rows) >= max(sizes)
                sizes.add(len(rows))
        finally:
            done = child.killed()
    assert max(sizes) <= 10 * done + 20
