"""The command line as processes: pipes that close, streams that are missing, no colours."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import pytest
from formats_support import DEAL, DEMO, NUMBER

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
    assert run("--version") == (0, f"pavcodec {pavcodec.__version__}{os.linesep}".encode(), b"")


@pytest.mark.slow
def test_lines_end_in_newlines_everywhere() -> None:
    assert run("encode", stdin=DEAL.encode()) == (0, f"{NUMBER}\n".encode(), b"")
    assert run("decode", stdin=str(NUMBER).encode()) == (0, f"{DEAL}\n".encode(), b"")


@pytest.mark.slow
@posix
def test_the_pipe_of_the_design_is_a_fixed_point(tmp_path: Path) -> None:
    once = shell(f'pavcodec encode --as ending "{DEMO}"', tmp_path)
    script = f'pavcodec encode --as ending "{DEMO}" | pavcodec decode --as ending'
    assert shell(f"{script} | pavcodec encode --as ending", tmp_path) == once
    assert (once.code, len(once.out.split()), once.err) == (0, 36, b"")


@pytest.mark.slow
@posix
@pytest.mark.parametrize(
    "command",
    ["encode big.txt", "encode --json big.txt", "decode n.txt", "convert big.txt - --to pbn"],
)
def test_a_closed_pipe_is_quiet(tmp_path: Path, command: str) -> None:
    (tmp_path / "big.txt").write_text(f"{DEAL}\n" * 20_000)
    (tmp_path / "n.txt").write_text(f"{NUMBER}\n" * 20_000)
    ended = shell(f"pavcodec {command} | head -n 1", tmp_path)
    assert (ended.code, ended.err) == (0, b"")
    assert len(ended.out.splitlines()) == 1


@pytest.mark.slow
@posix
@pytest.mark.parametrize("command", ["numberings", "formats", "demo", "--help"])
def test_a_pipe_closed_before_the_start_is_quiet(tmp_path: Path, command: str) -> None:
    assert shell(f"pavcodec {command} | true", tmp_path).err == b""


@pytest.mark.slow
@posix
@pytest.mark.parametrize(
    "script", ["pavcodec encode <&-", "pavcodec decode - <&-", "pavcodec convert - x.pbn <&-"]
)
def test_a_missing_standard_input_is_one_line(tmp_path: Path, script: str) -> None:
    ended = shell(script, tmp_path)
    assert ended.code == 1
    assert b"Traceback" not in ended.err
    assert b"stdin" in ended.err


@pytest.mark.slow
@posix
@pytest.mark.parametrize("command", ["numberings", "encode n.txt", "formats"])
def test_a_missing_standard_output_is_no_traceback(tmp_path: Path, command: str) -> None:
    (tmp_path / "n.txt").write_text("0\n")
    ended = shell(f"pavcodec {command} >&-", tmp_path)
    assert ended.code == 1
    assert b"Traceback" not in ended.err


@pytest.mark.slow
@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="no /dev/full")
@pytest.mark.parametrize(
    "command", ["encode n.txt", "decode 0", "numberings", "convert n.txt - --to pbn"]
)
def test_a_full_disk_is_one_line(tmp_path: Path, command: str) -> None:
    (tmp_path / "n.txt").write_text("0\n")
    ended = shell(f"pavcodec {command} > /dev/full", tmp_path)
    assert ended.code == 1
    assert b"No space left" in ended.err
    assert len(ended.err.splitlines()) == 1


@pytest.mark.slow
@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="no /dev/full")
@pytest.mark.parametrize(
    ("command", "code"), [("decode 0 x 0", 1), ("deal --seed 7", 0), ("decode --nonsense", 2)]
)
def test_a_full_error_stream_does_not_stop_the_output(
    tmp_path: Path, command: str, code: int
) -> None:
    ended = shell(f"pavcodec {command} 2>/dev/full", tmp_path)
    assert (ended.code, ended.out) == (code, shell(f"pavcodec {command}", tmp_path).out)


@pytest.mark.slow
@posix
@pytest.mark.parametrize("redirection", ["> out.pbn", ">> out.pbn", "| cat > out.pbn"])
def test_letters_beyond_the_standard_in_redirected_output(tmp_path: Path, redirection: str) -> None:
    names = "Łukasz" if "cat" in redirection else "Zoë Łukasz"  # a pipe cannot go back
    games = "\n".join(f'[West "{name}"]\n' for name in names.split())
    (tmp_path / "in.pbn").write_text(games)
    ended = shell(f"pavcodec convert in.pbn - --to pbn {redirection}", tmp_path)
    text = (tmp_path / "out.pbn").read_bytes()
    if ended.code:  # a file that cannot be read back may be refused, in one clear line
        assert b"choose the encoding utf-8" in ended.err
        assert len(ended.err.splitlines()) == 1
    else:
        assert ended.err == b""
        for name in names.split():
            assert f'[West "{name}"]' in text.decode()


@pytest.mark.slow
@pytest.mark.parametrize(
    "words", [["demo"], ["numberings"], ["formats"], ["numberings", "--table"]]
)
def test_there_are_no_colours_without_a_terminal(words: list[str]) -> None:
    ended = run(*words, TERM="xterm-256color", COLUMNS="40")
    assert (ended.code, ended.err) == (0, b"")
    assert b"\x1b" not in ended.out
    assert ended.out.decode()


@pytest.mark.slow
def test_there_is_no_progress_without_a_terminal(tmp_path: Path) -> None:
    (tmp_path / "big.txt").write_text(f"{DEAL}\n" * 3000)
    ended = run("encode", str(tmp_path / "big.txt"), TERM="xterm")
    assert (ended.code, len(ended.out.splitlines()), ended.err) == (0, 3000, b"")


@pytest.mark.slow
@pytest.mark.parametrize("words", [["demo"], ["numberings"], ["formats"], ["encode", "--help"]])
@pytest.mark.parametrize("encoding", ["cp1252", "ascii"])
def test_a_narrow_output_encoding_is_no_traceback(words: list[str], encoding: str) -> None:
    ended = run(*words, PYTHONIOENCODING=encoding, PYTHONUTF8="0")
    assert (ended.code, ended.err) == (0, b"")


@pytest.mark.slow
def test_odd_names_and_data_do_not_break_a_narrow_error_stream(tmp_path: Path) -> None:
    path = tmp_path / "Łódź.pbn"
    path.write_text('[Board "Ł"]\n[Deal "N:é... - - -"]\n')
    ended = run("encode", str(path), PYTHONIOENCODING="ascii", PYTHONUTF8="0")
    assert (ended.code, ended.out) == (1, b"")
    assert len(ended.err.splitlines()) == 1
    assert b"Traceback" not in ended.err


def test_ctrl_c_has_its_exit_code(monkeypatch: pytest.MonkeyPatch) -> None:
    from pavcodec.cli import main
    from pavcodec.questions.numberings import Numberings

    def stopped(_: object) -> int:
        raise KeyboardInterrupt

    monkeypatch.setattr(Numberings, "find", stopped)
    assert main(["numberings"]) == 130
