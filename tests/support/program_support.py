"""Programs of users as processes in sessions of their own, which tests interrupt or kill."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path


def environment() -> dict[str, str]:
    """Return the environment of a program that imports this package and the support of tests.

    A program of Dask waits some seconds for a scheduler that is lost, and not half a minute.
    """
    path = os.pathsep.join([str(Path(__file__).parent), *sys.path])
    return os.environ | {"PYTHONPATH": path, "DASK_DISTRIBUTED__COMM__TIMEOUTS__CONNECT": "3s"}


def started_program(text: str, *, folder: Path) -> subprocess.Popen[str]:
    """Start a program in a session of its own."""
    path = folder / "program.py"
    path.write_text(text, encoding="utf-8")
    return subprocess.Popen(
        [sys.executable, str(path)],
        env=environment(),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )


def of_session(session: int) -> list[int]:
    """Return the processes of a session that are alive; it reads `/proc`."""
    found = []
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = path.read_text(encoding="utf-8").rpartition(")")[2].split()
        except OSError:
            continue
        if int(fields[3]) == session and fields[0] != "Z":
            found.append(int(path.parent.name))
    return found


def end_of_session(session: int, seconds: float = 10) -> list[int]:
    """Wait until no process of a session is alive; return those that are after so many seconds."""
    deadline = time.monotonic() + seconds
    while (left := of_session(session)) and time.monotonic() < deadline:
        time.sleep(0.05)
    return left
