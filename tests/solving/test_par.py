"""Par in bulk against the definition, which `tests/boards/test_par.py` checks by play of calls."""

from __future__ import annotations

import numpy as np
import pytest

from pavcodec import LayoutError, NumberError, Seat, TrickTable, Vulnerability, par_many
from pavcodec.boards.par import par


def some_tricks(count: int, seed: int) -> np.ndarray:
    """Return tricks at random: some rows of any numbers, some with partners nearly equal."""
    rng = np.random.default_rng(seed)
    tricks = rng.integers(0, 14, (count, 5, 4), np.uint8)
    near = tricks[::2]
    near[:, :, 2] = near[:, :, 0]
    near[:, :, 1] = near[:, :, 3] = 13 - near[:, :, 0]
    return tricks.reshape(count, 20)


def test_each_board_may_have_its_own_dealer_and_vulnerability() -> None:
    tricks, rng = some_tricks(200, seed=9), np.random.default_rng(2)
    dealers, codes = rng.integers(0, 4, (2, 200), np.uint8)
    expected = [
        par(TrickTable(row.tobytes()), Seat(dealer), [*Vulnerability][code]).score
        for row, dealer, code in zip(tricks, dealers, codes, strict=True)
    ]
    found = par_many(tricks, dealers, codes)
    assert found.dtype == np.int32
    assert found.tolist() == expected


def test_the_edges_of_all_tricks() -> None:
    rows = [[taken] * 20 for taken in range(14)] + [[0, 13] * 10, [13, 0] * 10]
    tricks = np.array(rows, np.uint8)
    for vulnerable in Vulnerability:
        expected = [par(TrickTable(bytes(row)), Seat.EAST, vulnerable).score for row in rows]
        assert par_many(tricks, "E", vulnerable.value).tolist() == expected


def test_parts_do_not_matter(monkeypatch: pytest.MonkeyPatch) -> None:
    tricks = some_tricks(50, seed=1)
    whole = par_many(tricks, "W", "EW")
    monkeypatch.setattr("pavcodec.solving.many._AT_ONCE", 7)
    assert par_many(tricks, "W", "EW").tolist() == whole.tolist()
    assert par_many(tricks[:0], "W", "EW").shape == (0,)


def test_other_arguments_are_refused() -> None:
    tricks = some_tricks(3, seed=1)
    codes = np.array([0, 1, 4], np.uint8)
    with pytest.raises(NumberError, match="row 2: dealer is 0 to 3, not 4"):
        par_many(tricks, codes, "NS")
    with pytest.raises(NumberError, match="row 2: vulnerable is 0 to 3, not 4"):
        par_many(tricks, "N", codes)
    with pytest.raises(TypeError, match=r"dealer is a value or an array uint8\[3\], not int64"):
        par_many(tricks, codes.astype(np.int64), "NS")
    tricks[1, 7] = 255
    with pytest.raises(LayoutError, match="row 1: par needs the tricks of all contracts"):
        par_many(tricks, "N", "NS")
