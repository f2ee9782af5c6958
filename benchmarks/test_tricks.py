"""The table of tricks: that it is made, from a small set of made-up tricks."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import tricks

import pavcodec as pav
from pavcodec.boards.batch import BoardBatch

if TYPE_CHECKING:
    import pytest


def test_table(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found = np.random.default_rng(3).integers(5, 9, (600, 20)).astype(np.uint8)
    deals = pav.numbering("deal").sample_many(600, seed=3)
    path = tmp_path / "solved.zrd"
    pav.write_owners(BoardBatch(deals, tricks=found), path)
    tricks.main(str(path), 100)
    printed = capsys.readouterr().out
    assert "500 deals" in printed
    assert "| the tricks of `zrd`, four bits each | 80.00 |" in printed
