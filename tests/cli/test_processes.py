"""The command line as processes: pipes that close, streams that are missing, servers, signals."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path
from typing import NamedTuple

import pytest
from formats_support import DEAL, NUMBER, Cli
from packages import needs

import pavcodec

PYTHON = [sys.executable, "-m", "pavcodec"]
ROOT = Path(pavcodec.__file__).parent.parent

posix = pytest.mark.skipif(os.name != "posix", reason="needs a POSIX shell")


class Ended(NamedTuple):
    """How a process ended."""

    code: int
    out: bytes
    err: bytes


def run(*words: str, stdin: bytes = b"", **environment: str) -> Ended:
    """Run pavcodec as a process."""
    known = os.environ | {"PYTHONPATH": str(ROOT)} | environment
    done = subprocess.run(
        [*PYTHON, *words], input=stdin, capture_output=True, env=known, check=False
    )
    return Ended(done.returncode, done.stdout, done.stderr)


def shell(script: str, cwd: Path) -> Ended:
    """Run a shell script in which `pavcodec` is the command."""
    known = os.environ | {"PYTHONPATH": str(ROOT), "PYTHON": sys.executable}
    text = f'pavcodec() {{ "$PYTHON" -m pavcodec "$@"; }}\n{script}'
    done = subprocess.run(["sh", "-c", text], capture_output=True, env=known, cwd=cwd, check=False)
    return Ended(done.returncode, done.stdout, done.stderr)


def test_the_module_runs_as_a_program() -> None:
    """It prints lines that end in newlines everywhere, and no progress, whatever the terminal."""
    ended = run("encode", stdin=f"{DEAL}\n".encode() * 3000, TERM="xterm")
    assert ended == (0, f"{NUMBER}\n".encode() * 3000, b"")


SCRIPTS = """
encode big.txt | head -n 1 ⇒ 0, 1
decode n.txt | head -n 1 ⇒ 0, 1
convert big.txt - --to pbn | head -n 1 ⇒ 0, 1
numberings | true ⇒ 0, 0
--help | true ⇒ 0, 0
decode - <&- ⇒ 1, 0, stdin: cannot be read: it is closed
numberings >&- ⇒ 1, 0, pavcodec numberings: stdout: cannot be written: it is closed
encode one.txt >&- ⇒ 1, 0, pavcodec encode: stdout: cannot be written: it is closed
encode one.txt > /dev/full ⇒ 1, 0, pavcodec encode: output: No space left on device
numberings > /dev/full ⇒ 1, 0, pavcodec numberings: output: No space left on device
convert one.txt - --to pbn > /dev/full ⇒ 1, 0, pavcodec convert: output: No space left on device
decode 0 x 0 2>/dev/full ⇒ 1, 2
deal --seed 7 2>/dev/full ⇒ 0, 1
decode --nonsense 2>/dev/full ⇒ 2, 0
decode 5 x 7 2>&- ⇒ 1, 2
"""
"""Commands with pipes that close and with streams that are missing or full: the exit code, the
number of lines that they print, and what the error says."""


@pytest.mark.slow
@posix
@pytest.mark.parametrize("row", SCRIPTS.strip().splitlines())
def test_pipes_that_close_and_streams_that_are_missing_or_full(tmp_path: Path, row: str) -> None:
    script, _, wanted = row.partition(" ⇒ ")
    if "/dev/full" in script and not os.path.exists("/dev/full"):
        pytest.skip("no /dev/full")
    (tmp_path / "big.txt").write_text(f"{DEAL}\n" * 20_000)
    (tmp_path / "n.txt").write_text(f"{NUMBER}\n" * 20_000)
    (tmp_path / "one.txt").write_text("0\n")
    code, lines, *said = wanted.split(", ")
    ended = shell(f"pavcodec {script}", tmp_path)
    assert (ended.code, len(ended.out.splitlines())) == (int(code), int(lines))
    assert ended.err.decode().splitlines() == said


@pytest.mark.slow
@posix
@pytest.mark.parametrize(
    ("redirection", "names"),
    [("> out.pbn", ["Zoë", "Łukasz"]), ("| cat > out.pbn", ["Łukasz"])],  # a pipe cannot go back
)
def test_letters_beyond_the_standard_in_redirected_output(
    tmp_path: Path, redirection: str, names: list[str]
) -> None:
    (tmp_path / "in.pbn").write_text("\n".join(f'[West "{name}"]\n' for name in names))
    ended = shell(f"pavcodec convert in.pbn - --to pbn {redirection}", tmp_path)
    assert (ended.code, ended.err) == (0, b"")
    text = (tmp_path / "out.pbn").read_bytes().decode()
    wests = [line for line in text.splitlines() if line.startswith("[West")]
    assert wests == [f'[West "{name}"]' for name in names]


@pytest.mark.slow
@pytest.mark.parametrize("words", [["demo"], ["formats"], ["encode", "--help"]])
def test_a_narrow_encoding_is_no_traceback_and_without_colours(words: list[str]) -> None:
    ended = run(*words, PYTHONIOENCODING="ascii", PYTHONUTF8="0", TERM="xterm-256color")
    assert (ended.code, ended.err, b"\x1b" in ended.out) == (0, b"", False)
    assert ended.out


@pytest.mark.slow
def test_odd_names_and_data_do_not_break_a_narrow_error_stream(tmp_path: Path) -> None:
    path = tmp_path / "Łódź.pbn"
    path.write_text('[Board "Ł"]\n[Deal "N:é... - - -"]\n')
    ended = run("encode", str(path), PYTHONIOENCODING="ascii", PYTHONUTF8="0")
    assert (ended.code, ended.out) == (1, b"")
    assert len(ended.err.splitlines()) == 1
    assert b"Traceback" not in ended.err


@pytest.mark.slow
@posix
def test_an_end_from_outside_leaves_no_file(tmp_path: Path) -> None:
    command = [*PYTHON, "decode", "-o", str(tmp_path / "deals.txt")]
    process = subprocess.Popen(command, stdin=subprocess.PIPE)
    assert process.stdin is not None
    process.stdin.write(b"5\n" * 10)
    process.stdin.flush()
    for _ in range(500):
        if list(tmp_path.iterdir()):
            break
        time.sleep(0.02)
    assert [path.suffix for path in tmp_path.iterdir()] == [".part"]
    process.send_signal(signal.SIGTERM)
    assert process.wait(30) == 128 + signal.SIGTERM
    process.stdin.close()
    assert list(tmp_path.iterdir()) == []


@pytest.mark.slow
@posix
def test_a_server_prints_its_address_once_it_answers_and_ends_by_a_signal() -> None:
    needs("fastapi")
    httpx2 = pytest.importorskip("httpx2")
    words = [*PYTHON, "serve", "--port", "0", "--json"]
    with subprocess.Popen(
        words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as server:
        try:
            assert server.stdout is not None
            found = json.loads(server.stdout.readline())
            assert found["process"] == server.pid
            assert httpx2.get(f"{found['address']}api/v1/openapi.json").status_code == 200
            server.send_signal(signal.SIGTERM)
            _, errors = server.communicate(timeout=30)
            assert (server.returncode, errors) == (143, "pavcodec: interrupted\n")
        finally:
            server.kill()


@pytest.mark.slow
def test_a_server_that_cannot_start_says_why(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    needs("fastapi")
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        ended = cli("serve", "--port", other.getsockname()[1])
    assert (ended.code, ended.out) == (1, "")
    assert "is taken by another program; choose another with --port" in ended.complaint
    ended = cli("serve", "--host", "192.0.2.1")
    assert (ended.code, ended.out) == (1, "")
    assert "'192.0.2.1' is no address of this machine" in ended.err
    monkeypatch.delitem(sys.modules, "pavcodec.web.serving", raising=False)
    monkeypatch.setitem(sys.modules, "uvicorn", None)
    ended = cli("serve")
    assert (ended.code, ended.err.strip().endswith(
        "the pages need the package uvicorn: pip install 'pavcodec[club]'"
    )) == (1, True)  # fmt: skip


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

CAUGHT = """
    try:
        interrupt()
    except KeyboardInterrupt as error:
        {}"""
MOMENTS = {
    "in Python": "interrupt(); time.sleep(60)",
    "in compiled code, which makes it another error": CAUGHT.format(
        'raise SystemError("CPUDispatcher(<function>) returned a result") from error'
    ),
    "in an import, which makes it a missing package": CAUGHT.format(
        'raise ImportError("numpy") from None'
    ),
    "where it is dropped": CAUGHT.format("pass"),
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
@posix
@pytest.mark.parametrize(
    ("moment", "before", "number", "code"),
    [
        *((moment, "", signal.SIGINT, 130) for moment in MOMENTS.values()),
        ("pass", BEFORE, signal.SIGINT, 130),
        (MOMENTS["in Python"], "", signal.SIGTERM, 143),
    ],
    ids=[*MOMENTS, "while the program is loaded", "another signal"],
)
def test_a_command_is_interrupted(
    tmp_path: Path, moment: str, before: str, number: int, code: int
) -> None:
    done = ended(tmp_path, number, moment, before)
    said = "the end of the block\n" if "print(" in moment else ""
    assert (done.returncode, done.stdout, done.stderr) == (code, said, "pavcodec: interrupted\n")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.slow
@posix
def test_a_signal_that_the_shell_ignores_ends_nothing(tmp_path: Path) -> None:
    ignore = "signal.signal(signal.SIGHUP, signal.SIG_IGN)"
    assert ended(tmp_path, signal.SIGHUP, "interrupt()", ignore).returncode == 0
    assert ended(tmp_path, signal.SIGHUP, "interrupt()").returncode == 128 + signal.SIGHUP


@pytest.mark.slow
@posix
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
from pavcodec.questions import count

known, calls = count.time_limited, 0

def interrupted(*arguments):
    global calls
    calls += 1
    if calls == 3:
        signal.raise_signal(signal.SIGINT)
    return known(*arguments)

count.time_limited = interrupted
count._AT_ONCE, condition.WHOLE = 0, 1 << 16
where = "hcp(north) > 31 && hcp(south) < 2 && spades(west) > 5 && losers(east) > 9"
sys.argv = ["pavcodec", "count", where]
sys.exit(program.run())
"""


@pytest.mark.slow
def test_count_is_interrupted() -> None:
    words = [sys.executable, "-c", COUNTING]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    estimate, last = done.stderr.splitlines()
    assert (done.returncode, done.stdout, last) == (130, "", "pavcodec: interrupted")
    assert estimate.startswith("estimated: about ")
