"""Debian's dealer, the classic program, as an oracle: its deals, its values and what it prints."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

from pavcodec import Deal

_PLACES = ("/usr/games/dealer", "/usr/local/games/dealer")
_SUMMARY = re.compile(
    r"(Generated|Produced) \d+ hands\n|Initial random seed \d+\n|Time needed .*\n"
)
"""What the program prints at the end, which need not start a line."""


def _program() -> str | None:
    """Where the program is; it lies in a folder of games, which not everybody has on the path."""
    found = shutil.which("dealer")
    return found or next((place for place in _PLACES if Path(place).is_file()), None)


PROGRAM = _program()
needs_classic = pytest.mark.skipif(
    PROGRAM is None, reason="the classic program is not installed: apt-get install dealer"
)


class RefusedError(Exception):
    """The classic program does not take a script; it says no more than a line and two words."""


@dataclass(frozen=True)
class Dealt:
    """What the classic program dealt, and what expressions are worth for each deal."""

    deals: list[Deal]
    values: list[list[int]]


def run(script: str, *, deals: int, seed: int = 1) -> str:
    """Print what the program prints of so many generated deals, without its summary."""
    assert PROGRAM is not None
    words = [PROGRAM, "-s", str(seed), "-g", str(deals), "-p", str(deals)]
    done = subprocess.run(
        words, input=script, capture_output=True, check=False, encoding="utf-8", timeout=60
    )
    problem = re.search(r"^line \d+: .*", done.stdout + done.stderr, re.MULTILINE)
    if problem or done.returncode:
        raise RefusedError(problem.group() if problem else f"exit code {done.returncode}")
    return _SUMMARY.sub("", done.stdout)


def printed(script: str, *, deals: int, seed: int = 1) -> str:
    """Print what the actions of a script print, without the letters that come of its comments.

    The program prints some of the capital letters in comments between stars, before all else. A run
    that accepts no deal prints nothing but these.
    """
    echo = run(f"{script}\ncondition 0\naction printoneline\n", deals=1, seed=seed)
    return run(script, deals=deals, seed=seed).removeprefix(echo)


def values(statements: str, names: Sequence[str], *, deals: int, seed: int = 1) -> Dealt:
    """Return deals of a script without its condition, and the values of expressions for them.

    The last condition and the last actions of a script hold, so others are written behind it.
    """
    shown = "".join(f', " ", {name}' for name in names)
    listing = run(
        f'{statements}\ncondition 1\naction printoneline, printes("="{shown}, \\n)\n',
        deals=deals,
        seed=seed,
    )
    rows = listing.replace(" \n=", " =").splitlines()
    assert len(rows) == deals
    found = [row.split("=") for row in rows]
    return Dealt(
        [deal_of(line) for line, _ in found],
        [[int(number) for number in numbers.split()] for _, numbers in found],
    )


def deal_of(line: str) -> Deal:
    """Read a line of `printoneline`."""
    hands = re.findall(r"[nesw] ([^ ]*)", line)
    return Deal.from_pbn("N:" + " ".join(hand for hand in hands))


def is_read(script: str) -> bool:
    """Tell whether the program parses a script, be it that it cannot run it."""
    assert PROGRAM is not None
    words = [PROGRAM, "-s", "1", "-p", "1", "-g", "1"]
    done = subprocess.run(words, input=script.encode(), capture_output=True, check=False)
    return not done.stderr.startswith(b"line ")
