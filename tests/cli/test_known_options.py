"""Known cards on the command line: the same deals as in Python, and errors in one line."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

import pavcodec as pav

if TYPE_CHECKING:
    from formats_support import Cli

SOUTH, NORTH = "AKQ2.K85.AJ4.T63", "J754.A2.KQ3.A982"
HANDS = ["--hand", f"S {SOUTH}", "--hand", f"north: {NORTH}"]
PLAY = "W DT D3 D2 DJ, SA S9 S4 S3, SK S8 S5 H3, SQ"
TABLE = pav.position(hands={"S": SOUTH, "N": NORTH}, played=pav.Play("W", PLAY[2:], "NT"))


@pytest.mark.slow
@pytest.mark.parametrize("more", [[], ["--distinct"], ["--weights", "hcp(west)"]])
def test_deal_prints_what_remains(cli: Cli, more: list[str]) -> None:
    given = [*HANDS, "--play", PLAY, "--strain", "nt", "-n", "3", "--seed", "7", *more]
    original, remaining = cli("deal", *given), cli("deal", *given, "--remaining")
    layouts = [TABLE.remaining(pav.Deal.from_pbn(line)) for line in original.out.splitlines()]
    assert remaining.out.splitlines() == list(map(str, layouts))
    assert {layout.sizes for layout in layouts} == {(10, 10, 9, 10)}


@pytest.mark.slow
def test_many_layouts_that_remain_are_those_of_few(cli: Cli) -> None:
    given = ["deal", "--unused", "SA SK", "--remaining", "--seed", "7"]
    lines = cli(*given, "-n", "5000").out.splitlines()
    assert cli(*given, "-n", "3", "--start", "4997").out.splitlines() == lines[-3:]
    assert len(lines) == 5000
