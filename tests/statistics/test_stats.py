"""Statistics of collections of every kind, by the Python face."""

from __future__ import annotations

import io
from pathlib import Path

import pytest

from pavcodec import (
    Board,
    Layout,
    Tally,
    TrickTable,
    numbering,
    open_archive,
    stats,
    write,
)

SOME = numbering("deal").sample(300, seed=11)
WANTED = Tally.of(numbering("deal").sample_many(300, seed=11))
WRITTEN = ["pbn", "numbers", "ending15", "zbs", "parquet", "pav"]
TRICKS = TrickTable(bytes([7, 6, 7, 6] + [8, 5, 8, 5] * 4))


@pytest.mark.slow
@pytest.mark.parametrize("name", WRITTEN)
def test_every_way_of_reading(name: str, tmp_path: Path) -> None:
    """Archives and arrays are read in batches, the rest board by board."""
    path = tmp_path / "file"
    write(SOME, path, format=name)
    assert stats(path, format=name).observed == WANTED
    with open(path, "rb") as stream:
        assert stats(stream, format=name, tricks=True).observed == WANTED


@pytest.mark.slow
def test_archives_arrays_layouts_and_boards(tmp_path: Path) -> None:
    write(SOME, tmp_path / "some.pav")
    owners = numbering("deal").sample_many(300, seed=11)
    parts = (owners[start : start + 70] for start in range(0, 300, 70))
    with open_archive(tmp_path / "some.pav") as archive:
        for collection in (archive, owners, parts, SOME, map(Board, SOME)):
            assert stats(collection).observed == WANTED
        assert stats(archive[:10]).deals == 10


def test_what_is_passed_over() -> None:
    boards = [*map(Board, SOME[:5]), Board(None), Board(Layout.from_pbn("N:AK.Q.. - .32.4. -"))]
    tally = stats(boards).observed
    assert (tally.deals, tally.incomplete, tally.without_cards) == (5, 1, 1)
    stream = io.BytesIO(b'[Board "1"]\n[Deal ""]\n\n[Board "2"]\n[Deal "N:AK.Q.. - .32.4. -"]\n')
    tally = stats(stream, format="pbn").observed
    assert (tally.deals, tally.incomplete, tally.without_cards) == (0, 1, 1)


@pytest.mark.parametrize("name", ["pbn", "zrd", "zdd"])
def test_double_dummy_tricks(name: str, tmp_path: Path) -> None:
    path = tmp_path / f"solved.{name}"
    write([Board.make(deal, tricks=TRICKS) for deal in SOME[:4]], path)
    found = stats(path, tricks=True).observed
    assert found.boards_with_tricks == 4
    assert found.counts["tricks"][0, 0, 7] == found.counts["tricks"][4, 3, 5] == 4
    assert found.deals == (0 if name == "zdd" else 4)
    assert stats(path).observed.boards_with_tricks == (0 if name == "pbn" else 4)
