"""Many deals are written from arrays: byte for byte what they are one by one."""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING

import pytest

from pavcodec.questions import sources as drawing

if TYPE_CHECKING:
    from pathlib import Path

    from formats_support import Cli

DRAWS: dict[str, list[object]] = {
    "all deals": [],
    "one hand": ["spades(west) == 9"],
    "two hands": ["hcp(north) == 2 && hcp(south) <= 1"],
    "endings": ["--cards", 5, "spades(south) == 3"],
    "tested": ["hcp(south) >= 12 && rnd(2) == 1"],
    "mixed": ["--mix", "hcp(south) >= 20 : 1", "--mix", "hcp(south) >= 12 : 2"],
    "different ones": ["--distinct", "hcp(south) == 37"],
    "dealer and vulnerability": ["--dealer", "W", "--vulnerable", "NS"],
    "from a later one": ["--start", 97],
    "in order": ["--all", "hcp(south) == 37"],
    "all deals in order": ["--all", "--start", 2**64 - 120],
}
FORMATS = ["pbn", "lines", "numbers", "deal12", "deal13", "layout20"]
DEALS_ONLY = {"deal12", "deal13"}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "target"),
    [
        (name, target)
        for name, target in product(DRAWS, FORMATS)
        if name != "endings" or target not in DEALS_ONLY
    ],
)
def test_bytes_are_those_of_one_by_one(
    cli: Cli, name: str, target: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seed = [] if "--all" in DRAWS[name] else ["--seed", 7]
    written = []
    for few in (10_000, 0):
        monkeypatch.setattr("pavcodec.questions.dealing.FEW", few)
        monkeypatch.setattr(drawing, "FEW", few)
        monkeypatch.setattr(drawing, "_AT_ONCE", 100)
        path = tmp_path / f"{few}.{target}"
        outcome = cli("deal", *DRAWS[name], *seed, "-n", 250, "--to", target, "-o", path)
        assert outcome.code == 0
        written.append(path.read_bytes())
    assert written[0] == written[1] != b""


def test_a_screen_gets_what_a_file_gets(cli: Cli, tmp_path: Path) -> None:
    path = tmp_path / "deals.pbn"
    words = ("deal", "-n", 5000, "--seed", 7)
    cli(*words, "-o", path)
    assert cli(*words, "--to", "pbn").out.encode() == path.read_bytes()
