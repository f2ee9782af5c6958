"""The progress bar: on a terminal only, never among the results, and gone at the end."""

from __future__ import annotations

import io
import sys
import time
from threading import Timer
from typing import TYPE_CHECKING

import pytest
from formats_support import DEMO
from packages import needs

from pavcodec.cli import main
from pavcodec.cli.output import progress

if TYPE_CHECKING:
    from pathlib import Path


class Screen(io.StringIO):
    """A text stream that is a terminal."""

    def isatty(self) -> bool:
        return True


class AtOnce(Timer):
    """A timer that does not wait."""

    def start(self) -> None:
        self.run()

    def run(self) -> None:
        if self.interval <= 1:
            self.function()

    def join(self, timeout: float | None = None) -> None:
        """Nothing runs."""


@pytest.fixture
def at_once(monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    """A bar that comes at once and is wide enough for any name."""
    monkeypatch.setattr(progress, "Timer", AtOnce)
    for name, value in {"TERM": "xterm", "COLUMNS": "500", "NO_COLOR": "1"}.items():
        monkeypatch.setenv(name, value)
    return monkeypatch


def watched(patch: pytest.MonkeyPatch) -> Screen:
    """Make the error stream a terminal; only inside the test, since pytest sets its own before."""
    screen = Screen()
    patch.setattr(sys, "stderr", screen)
    return screen


def test_a_bar_is_shown_while_a_file_is_read(at_once: pytest.MonkeyPatch, tmp_path: Path) -> None:
    screen = watched(at_once)
    numbers, back = str(tmp_path / "n.numbers"), str(tmp_path / "back.txt")
    assert main(["encode", "--as", "base5", str(DEMO), "-o", numbers]) == 0
    assert "36 boards" in screen.getvalue()
    assert main(["decode", "--as", "base5", numbers, "-o", back]) == 0
    assert "36 numbers" in screen.getvalue()
    assert main(["convert", back, str(tmp_path / "back.pbn")]) == 0
    assert screen.getvalue().endswith("\x1b[2K"), "the bar wipes its line at the end"


def test_no_bar_among_results_nor_early_nor_without_a_terminal(
    at_once: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    screen, plain = watched(at_once), io.StringIO()

    class Results(io.TextIOWrapper):
        def isatty(self) -> bool:
            return True

    words = ["encode", "--as", "base5", str(DEMO)]
    to_file = [*words, "-o", str(tmp_path / "n.txt")]
    with at_once.context() as patch:
        patch.setattr(sys, "stdout", Results(io.BytesIO(), "utf-8"))
        assert main(words) == 0
    with at_once.context() as patch:
        patch.setattr(sys, "stderr", plain)
        assert main(to_file) == 0
    at_once.setattr(progress, "AFTER", 3600.0)
    assert main([*to_file, "--force"]) == 0
    assert screen.getvalue() == plain.getvalue() == ""


def test_a_bar_tells_what_was_tested(at_once: pytest.MonkeyPatch, tmp_path: Path) -> None:
    screen = watched(at_once)
    words = ["deal", "rnd(3) == 1", "-n", "20", "--seed", "7", "-o", str(tmp_path / "d.txt")]
    assert main(words) == 0
    tried = screen.getvalue().split("deals passed")[0].split()[-1]
    assert f"20 deals, {tried} tested" in screen.getvalue()


@pytest.mark.slow
def test_a_bar_shows_what_is_solved_after_the_file_is_read(
    at_once: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    needs("endplay")
    path = tmp_path / "one.txt"
    path.write_text("N:A... K... Q... J...\n")
    screen = watched(at_once)
    assert main(["solve", str(path), "-o", str(tmp_path / "solved.pbn")]) == 0
    assert "1 boards, 0 solved, 0.0 a second" in screen.getvalue()
    assert "solving the last boards" in screen.getvalue()
    assert "1 solved, " in screen.getvalue()


def test_counting_that_takes_long_is_told(at_once: pytest.MonkeyPatch) -> None:
    at_once.setattr(progress, "AFTER", 0.0)
    screen = watched(at_once)
    with progress.waiting("counting"):
        time.sleep(0.5)
    assert "counting" in screen.getvalue()


def test_counting_is_quiet_at_first_and_without_a_terminal(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with progress.waiting("counting"):
        pass
    screen = watched(monkeypatch)
    with progress.waiting("counting"):
        pass
    assert screen.getvalue() == capsys.readouterr().err == ""
