"""Disks that fill and disks that fail: an archive is complete, or as it was."""

from __future__ import annotations

import errno
import os
import stat
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from container_support import DEALS

import pavcodec as pav
from pavcodec.archive.stream import repair_archive, verify_archive
from pavcodec.cli import main

JOBS = """
import resource, signal, sys
from pavcodec.cli import main

signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (24 << 12, 24 << 12))  # most of the first block
sys.exit([main(job.split()) for job in sys.argv[1:]] != [1] * len(sys.argv[1:]))
"""


@pytest.mark.slow
@pytest.mark.skipif(os.name != "posix", reason="limits of POSIX")
def test_a_limit_of_the_size_of_files(tmp_path: Path) -> None:
    """Every job fails for a reason, says so in a line, and leaves what there was."""
    deals = DEALS.sample_many(20_000, seed=1)
    pav.write_archive(deals[:100], tmp_path / "old.pav")
    pav.write_owners(deals, tmp_path / "deals.txt")
    before = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    jobs = {
        "append old.pav deals.txt": "old.pav",
        "pack --set deals.txt -o new.pav": "new.pav",
        "convert deals.txt old.pav --force": "old.pav",
        "convert deals.txt new.pav": "new.pav",
    }
    command = [sys.executable, "-c", JOBS, *jobs]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.stderr.splitlines() == [
        f"pavcodec {job.split()[0]}: {target}: File too large" for job, target in jobs.items()
    ]
    assert done.returncode == 0
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == before


# What is on the disk, and in which order


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
    code = errno.EINVAL  # a file system that does not know how
    assert pav.write_archive(DEALS.sample(9, seed=7), path) == 9
    code = errno.EIO
    deals = DEALS.sample(9, seed=8)
    for way in (
        lambda: pav.write_archive(deals, path),
        lambda: pav.write(deals, path),
        lambda: repair_archive(path, tmp_path / "repaired-new.pav"),
    ):
        with pytest.raises(OSError, match=r"Input/output error: .*new\.pav"):
            way()
        assert verify_archive(path) == []
    monkeypatch.setattr(os, "fsync", lambda _: pytest.fail("no other file waits for the disk"))
    for name in ("deals.pbn", "deals.deal12"):
        pav.write(DEALS.sample(9, seed=7), tmp_path / name)


IN_PLACE = (
    "the new file is complete and in its place, but may be lost if the machine stops now: "
    "Input/output error"
)
JOBS_THAT_FAIL = {
    "pack": (["more.txt", "-o", "new.pav"], 5),
    "append": (["new.pav", "more.txt"], 2),
    "convert": (["more.txt", "new.pav"], 3),
    "cases": (["spades(west) == 9", "-o", "new.cases", "--resume"], 1),
}
"""How many calls of each job fail before it ends well: of `replace` and of `fsync`."""


@pytest.mark.slow
@pytest.mark.parametrize("job", JOBS_THAT_FAIL)
def test_what_is_said_of_a_disk_that_fails_is_true(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], job: str
) -> None:
    monkeypatch.chdir(tmp_path)
    words, failures = JOBS_THAT_FAIL[job]
    new = Path("new.cases" if job == "cases" else "new.pav")
    pav.write(DEALS.sample(20, seed=8), "more.txt")
    if job == "append":
        pav.write_archive(DEALS.sample(5, seed=7), new)
    before = new.read_bytes() if new.exists() else None
    told = []
    for name in ("replace", "fsync"):
        for number in range(5):
            with monkeypatch.context() as patch:
                patch.setattr(os, name, failing_after(getattr(os, name), number))
                code, lines = main([job, *words]), capsys.readouterr().err
            reason = lines.partition(f"pavcodec {job}: {new}: ")[2].rstrip() if code else None
            found = new.read_bytes() if new.exists() else None
            assert set(os.listdir()) <= {new.name, "more.txt"}
            assert (found == before) == (reason == "Input/output error")
            if found != before:
                assert job == "cases" or verify_archive(new) == []
                new.unlink() if before is None else new.write_bytes(before)
            if reason is None:
                break
            told.append(reason)
    assert len(told) == failures
    assert told.count(IN_PLACE) == (job in {"pack", "convert"})
    assert set(told) <= {IN_PLACE, "Input/output error"}


def failing_after(function: Callable[..., object], number: int) -> Callable[..., object]:
    """A function of the system whose call of this number fails, and all after it."""
    calls = iter(range(number))

    def tried(*arguments: object) -> object:
        if next(calls, None) is None:
            raise OSError(errno.EIO, os.strerror(errno.EIO))
        return function(*arguments)

    return tried
