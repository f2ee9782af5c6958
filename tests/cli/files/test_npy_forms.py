"""Arrays of numpy on the command line."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

import pavcodec as pav

if TYPE_CHECKING:
    from pathlib import Path

    from formats_support import Cli

DEALS = pav.numbering("deal")


def test_convert_reports_boards_without_a_row_and_writes_the_others(
    cli: Cli, tmp_path: Path
) -> None:
    ending = pav.Board.make(pav.Layout.from_pbn("N:AK... - - -"), number=8)
    deals = [pav.Board.make(deal, number=n) for n, deal in enumerate(DEALS.sample(2, seed=7), 1)]
    pav.write([deals[0], ending, deals[1]], tmp_path / "a.pbn")
    done = cli("convert", tmp_path / "a.pbn", tmp_path / "a.npy", "--to", "npy:pgx")
    assert done.code == 1
    assert "board 8: view 'pgx' needs deals" in done.err
    assert len(np.load(tmp_path / "a.npy")) == 2


def test_deal_writes_what_python_computes(cli: Cli, tmp_path: Path) -> None:
    for count in (3, 5000):
        path = tmp_path / f"{count}.npy"
        assert cli("deal", "-n", count, "--seed", 7, "--to", "npy:dds", "-o", path).code == 0
        owners = DEALS.sample_many(count, seed=7)
        assert np.array_equal(np.load(path), pav.features(owners, "dds"))
