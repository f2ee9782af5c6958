"""Mixes on the command line: options, scripts, what is told, what is refused."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

import pavcodec as pav

if TYPE_CHECKING:
    from formats_support import Cli

STRONG, REST = "hcp(south) >= 20", "hcp(south) >= 12"
OPTIONS = ("--mix", f"{STRONG} : 1", "--mix", f"{REST}:2.5")


def mix() -> pav.Mix:
    """The mix of `OPTIONS`."""
    return pav.mix([(STRONG, 1), (REST, "2.5")])


@pytest.mark.slow
def test_the_condition_and_what_is_dealt_hold_for_all_types(cli: Cli) -> None:
    options = ("--predeal", "north SA", "spades(east) == 0")
    outcome = cli("deal", *OPTIONS, *options, "-n", 30, "--seed", 1)
    for line in outcome.lines:
        deal = pav.Deal.from_pbn(line)
        assert "A" in str(deal["N"]).split(".")[0]
        assert deal["E"].shape[0] == 0
        assert deal["S"].hcp >= 12
