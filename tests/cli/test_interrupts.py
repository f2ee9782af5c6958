"""A signal ends every command with a line and its exit code, whatever the command was doing."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.skipif(os.name != "posix", reason="signals of POSIX")

PROGRAM = """
import atexit, signal, sys, time
import pavcodec.__main__ as program
from pavcodec.cli.commands import serve
from pavcodec.files.opening import open_output

def interrupt():
    signal.raise_signal({number})

def command(args):
    {moment}
    return 0

serve.run = command
sys.argv = ["pavcodec", "serve"]
{before}
sys.exit(program.run())
"""

MOMENTS = {
    "in Python": "interrupt(); time.sleep(60)",
    "in compiled code, which makes it another error": """
    try:
        interrupt()
    except KeyboardInterrupt as error:
        raise SystemError("CPUDispatcher(<function>) returned a result") from error""",
    "in an import, which makes it a missing package": """
    try:
        interrupt()
    except KeyboardInterrupt:
        raise ImportError("numpy") from None""",
    "where it is dropped": """
    try:
        interrupt()
    except KeyboardInterrupt:
        pass""",
    "in a finalizer": """
    class Object:
        def __del__(self):
            interrupt()
    Object()
    time.sleep(60)""",
    "twice, as `timeout` does": """
    try:
        interrupt()
    finally:
        interrupt()
        print("the end of the block", flush=True)""",
    "while a call does not return": """
    program._GRACE = 0
    with open_output("new.txt") as stream:
        try:
            interrupt()
        except KeyboardInterrupt:
            time.sleep(60)""",
    "at the end of Python": "atexit.register(interrupt)",
}
BEFORE = """
class Loading:
    @property
    def main(self):
        interrupt()
sys.modules["pavcodec.cli"] = Loading()
"""


def ended(
    folder: Path, number: int, moment: str, before: str = ""
) -> subprocess.CompletedProcess[str]:
    program = PROGRAM.format(number=int(number), moment=moment, before=before)
    words = [sys.executable, "-c", program]
    return subprocess.run(words, cwd=folder, capture_output=True, text=True, check=False)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("number", "code"),
    [(signal.SIGINT, 130), pytest.param(signal.SIGTERM, 143, marks=pytest.mark.slow)],
)
@pytest.mark.parametrize(
    ("moment", "before"),
    [*((moment, "") for moment in MOMENTS.values()), ("pass", BEFORE)],
    ids=[*MOMENTS, "while the program is loaded"],
)
def test_a_command_is_interrupted(
    tmp_path: Path, moment: str, before: str, number: int, code: int
) -> None:
    done = ended(tmp_path, number, moment, before)
    said = "the end of the block\n" if "print(" in moment else ""
    assert (done.returncode, done.stdout, done.stderr) == (code, said, "pavcodec: interrupted\n")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.slow
def test_a_signal_that_the_shell_ignores_ends_nothing(tmp_path: Path) -> None:
    ignore = "signal.signal(signal.SIGHUP, signal.SIG_IGN)"
    assert ended(tmp_path, signal.SIGHUP, "interrupt()", ignore).returncode == 0
    assert ended(tmp_path, signal.SIGHUP, "interrupt()").returncode == 128 + signal.SIGHUP


@pytest.mark.slow
def test_other_signals_end_nothing(tmp_path: Path) -> None:
    moment = """
    program._GRACE = 0
    signal.signal(signal.SIGCHLD, lambda *_: print("a child has ended"))
    signal.raise_signal(signal.SIGCHLD)
    time.sleep(0.1)"""
    done = ended(tmp_path, signal.SIGINT, moment)
    assert (done.returncode, done.stdout, done.stderr) == (0, "a child has ended\n", "")


@pytest.mark.slow
def test_errors_that_python_drops_are_reported(tmp_path: Path) -> None:
    broken = "type('Object', (), {'__del__': lambda self: 1 / 0})()"
    done = ended(tmp_path, signal.SIGINT, broken)
    assert done.returncode == 0
    assert "ZeroDivisionError" in done.stderr


COUNTING = """
import signal, sys
import pavcodec.__main__ as program
from pavcodec.constraints.counting import condition
from pavcodec.constraints.spaces.rejection import TestedDeals
from pavcodec.questions import count

known, calls = {owner}.{name}, 0

def interrupted(*arguments):
    global calls
    calls += 1
    if calls == {call}:
        signal.raise_signal(signal.SIGINT)
    return known(*arguments)

{owner}.{name} = interrupted
count._AT_ONCE, condition.WHOLE = 0, 1 << 16
where = "hcp(north) > 31 && hcp(south) < 2 && spades(west) > 5 && losers(east) > 9"
sys.argv = ["pavcodec", "count", where]
sys.exit(program.run())
"""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("owner", "name", "call", "told"),
    [
        pytest.param("count", "time_limited", 1, 0, id="counting at once"),
        pytest.param("count", "space_of", 1, 0, id="planning"),
        pytest.param("TestedDeals", "trials", 1, 0, id="testing deals"),
        pytest.param("count", "time_limited", 3, 1, id="counting for long"),
    ],
)
def test_count_is_interrupted(owner: str, name: str, call: int, told: int) -> None:
    program = COUNTING.format(owner=owner, name=name, call=call)
    words = [sys.executable, "-c", program]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    *before, last = done.stderr.splitlines()
    assert (done.returncode, done.stdout, last) == (130, "", "pavcodec: interrupted")
    assert [line.startswith("estimated: about ") for line in before] == [True] * told
