"""Endings and templates on the command line: --cards and --template."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

import pavcodec as pav

if TYPE_CHECKING:
    from pathlib import Path

    from formats_support import Cli

TEMPLATE = "N:AK... .Q.. - -"


def test_endings_are_dealt(cli: Cli) -> None:
    outcome = cli("deal", "--cards", 5, "spades(south) == 3", "-n", 4, "--seed", 7)
    space = pav.endings("spades(south) == 3", cards=5)
    assert outcome.lines == list(map(str, space.sample(4, seed=7)))
    numbers = cli("deal", "--cards", 5, "spades(south) == 3", "-n", 4, "--seed", 7, "--numbers")
    balanced = pav.numbering("balanced")
    assert list(map(int, numbers.lines)) == [
        balanced.rank(ending) for ending in space.sample(4, seed=7)
    ]
    back = cli("decode", "--as", "balanced", *numbers.lines)
    assert back.lines == outcome.lines


def test_endings_as_boards(cli: Cli) -> None:
    words = ("deal", "--cards", 2, "-n", 3, "--seed", 7)
    rows = [json.loads(line) for line in cli(*words, "--json").lines]
    pbn = cli(*words, "--to", "pbn").out
    for row, ending in zip(rows, pav.endings(cards=2).sample(3, seed=7), strict=True):
        assert row["deal"] == str(ending)
        assert row["number"] == str(pav.numbering("balanced").rank(ending))
        assert f'[DealId "balanced:{row["number"]}"]' in pbn


def test_all_endings_in_order(cli: Cli) -> None:
    outcome = cli("deal", "--cards", 1, "--all", "-n", 3, "--start", 10)
    assert outcome.lines == [str(pav.endings(cards=1)[place]) for place in range(10, 13)]


@pytest.mark.slow
def test_legal_endings_are_dealt(cli: Cli) -> None:
    words = ("deal", "--cards", 8, "--legal", "-n", 3, "--seed", 7)
    space = pav.endings(cards=8, legal=True)
    outcome = cli(*words)
    assert outcome.lines == list(map(str, space.sample(3, seed=7)))
    assert all(map(pav.legality, map(pav.Layout.from_pbn, outcome.lines)))
    pbn = cli(*words, "--to", "pbn").out
    assert (
        f'[DealId "balanced:{pav.numbering("balanced").rank(space.sample(1, seed=7)[0])}"]' in pbn
    )
    assert '"pavcodec ' in pbn
    assert "legal where=1" in pbn


@pytest.mark.slow
def test_a_script_is_answered_over_legal_endings(cli: Cli, tmp_path: Path) -> None:
    script = tmp_path / "points.dlr"
    script.write_text('action average "points" hcp(north)')
    outcome = cli("deal", "-f", script, "--exact", "--cards", 4, "--legal", "--json")
    (row,) = json.loads(outcome.out)
    found = pav.distribution("hcp(north)", given=pav.endings(cards=4, legal=True))
    assert row["average"] == str(found.mean)


@pytest.mark.slow
def test_templates(cli: Cli) -> None:
    outcome = cli("deal", "--template", TEMPLATE, "spades(north) == 2", "-n", 20, "--seed", 7)
    for line in outcome.lines:
        north, east, *_ = line.removeprefix("N:").split()
        assert north.startswith("AK.")
        assert "Q" in east.split(".")[1]
    row = json.loads(cli("count", "--template", TEMPLATE, "--json").out)
    assert row["cardinality"] == str(
        pav.deals("hascard(north, AS) && hascard(north, KS) && hascard(east, QH)").cardinality
    )
    ending = cli("deal", "--template", TEMPLATE, "--cards", 2, "--seed", 7).lines[0]
    assert ending.startswith("N:AK... ")
    assert "AK" in cli("deal", "--template", TEMPLATE, "--predeal", "south S2", "--seed", 7).out
