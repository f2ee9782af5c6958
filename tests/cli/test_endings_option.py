"""Endings and templates on the command line: --cards and --template."""

from __future__ import annotations

import json
from fractions import Fraction
from math import comb
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


def test_endings_are_counted(cli: Cli) -> None:
    row = json.loads(cli("count", "--cards", 2, "aces(north) == 2", "--json").out)
    assert row["probability"] == str(Fraction(comb(4, 2), comb(52, 2)))
    assert cli("count", "--cards", 1).lines == ["6,497,400 endings", "probability 1: all endings"]
    odds = cli("odds", "--cards", 2, "aces(north) == 2", "--json")
    assert json.loads(odds.out)["probability"] == row["probability"]


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
def test_legal_endings_are_counted(cli: Cli) -> None:
    all_of_4, legal = 653534134886878245000, 653447424897294885000
    with_ace = legal * 4 // 52
    words = ("count", "--cards", 4, "--legal")
    assert cli(*words).lines == [
        f"{legal:,} legal endings",
        f"probability {Fraction(legal, all_of_4)}: all but 1 in 7,537, 99.99 % of all endings",
    ]
    row = json.loads(cli(*words, "--json").out)
    assert row == {
        "cardinality": str(legal),
        "probability": str(Fraction(legal, all_of_4)),
        "exact": True,
        "legal": {"cardinality": str(legal), "probability": "1"},
    }
    row = json.loads(cli(*words, "hascard(north, SA)", "--json").out)
    assert row["cardinality"] == str(with_ace)
    assert row["probability"] == str(Fraction(with_ace, all_of_4))
    assert row["legal"] == {"cardinality": str(legal), "probability": str(Fraction(4, 52))}
    first, among, of_all = cli(*words, "hascard(north, SA)").lines
    assert first == f"{with_ace:,} legal endings"
    assert among == (
        f"probability 1/13: 1 in 13, 7.692 % of the {legal:,} legal endings of 4 cards"
    )
    assert of_all == (
        f"probability {Fraction(with_ace, all_of_4)}: 1 in 13, 7.691 % of all endings"
    )
    odds = cli("odds", "--cards", 4, "--legal", "hascard(north, SA)", "--json")
    assert json.loads(odds.out)["probability"] == "1/13"


@pytest.mark.slow
def test_legal_endings_with_cards_dealt_beforehand(cli: Cli) -> None:
    words = ("count", "--cards", 4, "--legal", "--predeal", "north SA")
    row = json.loads(cli(*words, "hascard(north, SK)", "--json").out)
    among = pav.endings("hascard(north, SA)", cards=4, legal=True).cardinality
    both = pav.endings("hascard(north, SA) && hascard(north, SK)", cards=4, legal=True).cardinality
    assert row["predealt"] == {"cardinality": str(among), "probability": str(Fraction(both, among))}
    assert "legal" in row
    lines = cli(*words, "hascard(north, SK)").lines
    assert lines[1].endswith(f"of the {among:,} legal endings with what is dealt beforehand")


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
