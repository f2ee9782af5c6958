"""The formats of clubs on the command line: the same numbers from each, and there and back."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clubs_support import FOLDER, bdset36
from formats_support import DEAL, ENDING, Cli, loss

if TYPE_CHECKING:
    from pathlib import Path


def test_what_does_not_fit_is_told(cli: Cli, tmp_path: Path) -> None:
    outcome = cli("convert", "-", tmp_path / "a.dup", stdin=f"{DEAL}\n{ENDING}\n")
    assert outcome.code == 1
    assert outcome.complaint == (
        f"stdin:2: a deal has 13 cards in each hand; here N holds 3, E 0, S 3, W 0: '{ENDING}'"
    )
    assert (tmp_path / "a.dup").stat().st_size == 156


def test_strict_reading_stops_at_the_first_problem(cli: Cli, tmp_path: Path) -> None:
    source = tmp_path / "a.bri"
    source.write_bytes(bdset36("bri")[:128] + b"x" * 128 + bdset36("bri")[256:384] + b"y")
    outcome = cli("encode", "--strict", source)
    assert (outcome.code, len(outcome.lines)) == (1, 1)
    assert "bri record 1 at byte 128: " in outcome.complaint
    outcome = cli("encode", source)
    assert (outcome.code, len(outcome.lines), len(outcome.err.splitlines())) == (1, 2, 2)


def test_boards_on_the_cycle_are_no_news(cli: Cli, tmp_path: Path) -> None:
    outcome = cli("convert", FOLDER / "bdset36.pbn", tmp_path / "out.dup")
    assert outcome.err == loss("dup", 1, "the tag Generator")
    assert cli("convert", tmp_path / "out.dup", tmp_path / "out.dlm").err == ""
