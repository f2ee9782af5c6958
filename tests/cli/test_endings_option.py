"""Endings and templates on the command line: --cards and --template."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

import pavcodec as pav

if TYPE_CHECKING:
    from pathlib import Path

    from formats_support import Cli


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
