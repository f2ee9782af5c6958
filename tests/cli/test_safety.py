"""Files that must not be lost: inputs, what stood before, and what an end in the middle leaves."""

from __future__ import annotations

import io
import os
import signal
import subprocess
import sys
import time
from importlib.resources import files
from typing import TYPE_CHECKING

import pytest
from formats_support import DEAL, Cli

from pavcodec.cli import main

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def event(tmp_path: Path) -> Path:
    path = tmp_path / "event.pbn"
    path.write_bytes((files("pavcodec") / "data" / "demo.pbn").read_bytes())
    return path


def test_an_input_is_not_replaced_by_what_is_made_of_it(cli: Cli, event: Path) -> None:
    before = event.read_bytes()
    link = event.with_name("link.pbn")
    link.symlink_to(event)
    for words in (
        ("encode", event, "-o", event),
        ("encode", event, "-o", link),
        ("decode", event, "-o", event),
        ("convert", event, event, "--to", "lines"),
    ):
        outcome = cli(*words)
        assert outcome.code == 2
        assert "is an input, so it cannot be the output" in outcome.complaint
        assert event.read_bytes() == before


def test_pbn_can_be_put_in_order_in_its_place(cli: Cli, event: Path) -> None:
    before = event.read_bytes()
    event.write_bytes(before.replace(b"\r\n", b"\n"))
    assert cli("convert", event, event).code == 2
    assert cli("convert", event, event, "--force") == (0, "", "")
    assert event.read_bytes() == before


def test_a_terminal_is_asked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    out = tmp_path / "old.txt"
    for answer, is_replaced in (("", False), ("\n", False), ("no\n", False), ("y\n", True)):
        out.write_bytes(b"mine")
        monkeypatch.setattr(sys, "stdin", Terminal(answer))
        screen = Terminal()
        monkeypatch.setattr(sys, "stderr", screen)
        assert main(["decode", "5", "-o", str(out)]) == (0 if is_replaced else 2)
        assert screen.getvalue().startswith(f"{out} exists. Replace it? [y/N] ")
        assert (out.read_bytes() != b"mine") == is_replaced


def test_suffixes_and_formats_that_are_named(cli: Cli, tmp_path: Path) -> None:
    assert cli("deal", "--to", "lines", "-o", tmp_path / "deals.foo").code == 0
    assert cli("deal", "--json", "-o", tmp_path / "rows.ndjson").code == 0
    assert cli("deal", "-o", tmp_path / "deals").code == 0  # no suffix says nothing
    assert cli("decode", "5", "-o", tmp_path / "five.pbn").code == 0
    assert b'[Deal "' in (tmp_path / "five.pbn").read_bytes()


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs a device that is always full")
def test_a_full_disk_is_named(cli: Cli, event: Path) -> None:
    for words in (("encode", "--as", "base5", event, "-o", "/dev/full"),):
        outcome = cli(*words)
        assert (outcome.code, outcome.complaint) == (
            1,
            "pavcodec encode: /dev/full: No space left on device",
        )


@pytest.mark.slow
def test_an_end_from_outside_leaves_no_file(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "pavcodec", "decode", "-o", str(tmp_path / "deals.txt")]
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
def test_a_closed_error_stream_changes_nothing() -> None:
    command = f'"{sys.executable}" -m pavcodec decode 5 x 7 2>&-'
    done = subprocess.run(["bash", "-c", command], capture_output=True, text=True, check=False)
    assert (done.returncode, len(done.stdout.splitlines())) == (1, 2)
    assert DEAL not in done.stdout
