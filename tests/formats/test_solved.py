"""Solved collections instead of a solver: look-ups, contracts, the language, the command line."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from random import Random

import numpy as np
import pytest

import pavcodec as pav
from pavcodec.boards.batch import BoardBatch
from pavcodec.cli.main import main
from pavcodec.solving.double_dummy import Engine, double_dummy
from pavcodec.solving.many import KnownTricks, known_tricks, solve_wanted
from pavcodec.symmetry import symmetry_of

DEALS = pav.numbering("deal").sample_many(60, seed=21)
TRICKS = np.random.default_rng(9).integers(0, 14, (60, 20)).astype(np.uint8)
WAYS = symmetry_of("suits,turns").permutations


@pytest.fixture(autouse=True)
def _forget() -> Iterator[None]:
    yield
    pav.forget_solved()


class NoEngine(Engine):
    """An engine that must not be called."""

    def contracts(self, asked: object) -> list[int]:
        raise AssertionError(f"asked to solve {asked}")

    def strain(self, deals: object, strain: object) -> list[list[int]]:
        raise AssertionError(f"asked to solve {deals} in {strain}")


def test_deals_are_known_under_other_names() -> None:
    known, random = KnownTricks(), Random(4)
    known.add(DEALS[:30], TRICKS[:30])
    known.add(DEALS[30:50], TRICKS[30:50])
    assert len(known) == 50
    for row in range(50):
        deal, way = pav.Deal(DEALS[row].tobytes()), random.choice(WAYS)
        expected = pav.TrickTable(TRICKS[row].tobytes()).permuted(way).tricks
        assert known.tricks_of(deal.permuted(way)) == expected
    assert (known.lookup(DEALS)[:50] == TRICKS[:50]).all()
    assert (known.lookup(DEALS)[50:] == 255).all()
    assert known.tricks_of(pav.Deal(DEALS[55].tobytes())) is None
    assert known.tricks_of(pav.Layout.from_pbn("N:AK.Q.. - .32.4. -")) is None
    known.clear()
    assert (len(known), (known.lookup(DEALS) == 255).all()) == (0, True)
    rows = np.full((3, 20), 255, np.uint8)
    rows[0, :4], rows[1, 2:6] = 7, 8
    known.add(np.repeat(DEALS[:1], 3, axis=0), rows)
    assert len(known) == 1
    assert known.lookup(DEALS[:1])[0, :8].tolist() == [7, 7, 7, 7, 8, 8, 255, 255]


def test_what_is_forgotten_is_solved_again(monkeypatch: pytest.MonkeyPatch) -> None:
    deal = pav.Deal(DEALS[3].tobytes())
    known_tricks.add(DEALS[:5], TRICKS[:5])
    double_dummy.use(known_tricks.tricks_of)
    monkeypatch.setattr(double_dummy, "_engine", NoEngine())
    table = pav.TrickTable(TRICKS[3].tobytes())
    for seat in pav.Seat:
        for strain in pav.Strain:
            assert double_dummy(deal, seat, strain) == table[seat, strain]
    pav.forget_solved()
    with pytest.raises(AssertionError, match="asked to solve"):
        double_dummy(deal, pav.Seat.EAST, pav.Strain.HEARTS)


def test_numbers_with_equal_first_words_are_told_apart() -> None:
    deals = pav.numbering("deal")
    first = deals.rank(pav.Deal(DEALS[0].tobytes()).canonical("suits,turns")[0])
    found = [deals.unrank(first + step) for step in range(-40, 40)]
    canonical = [deal for deal in found if deal.canonical("suits,turns")[0] == deal]
    owners = np.array([list(deal.owners) for deal in canonical], np.uint8)
    tricks = (np.arange(len(owners) * 20).reshape(-1, 20) % 14).astype(np.uint8)
    known = KnownTricks()
    known.add(owners[::2], tricks[::2])
    looked = known.lookup(owners)
    assert (looked[::2] == tricks[::2]).all()
    assert (looked[1::2] == 255).all()


@pytest.mark.parametrize("name", ["solved.zrd", "solved.pav", "solved.pbn", "solved.npy"])
def test_files_are_used(name: str, tmp_path: Path) -> None:
    path = tmp_path / name
    batch = BoardBatch(DEALS, tricks=TRICKS)
    pav.write_owners(batch, path, format="npy:solved" if name.endswith("npy") else None)
    assert pav.use_solved(path) == 60
    assert (known_tricks.lookup(DEALS) == TRICKS).all()
    turned = pav.Deal(DEALS[7].tobytes()).permuted(WAYS[33])
    table = pav.TrickTable(TRICKS[7].tobytes()).permuted(WAYS[33])
    assert double_dummy(turned, pav.Seat.EAST, pav.Strain.HEARTS) == table["E", "H"]
    owners = np.frombuffer(turned.owners, np.uint8)[np.newaxis]
    known: list[int] = []
    wanted = np.ones((1, 20), bool)
    rows = solve_wanted(owners, wanted, on_known=known.append)
    assert rows[0].tobytes() == table.tricks
    assert known == [1]


def test_the_language_looks_tricks_up(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    solved, deals = tmp_path / "solved.zrd", tmp_path / "deals.txt"
    pav.write_owners(BoardBatch(DEALS, tricks=TRICKS), solved)
    pav.write_owners(DEALS, deals, format="lines")
    where = "tricks(north, spades) >= 9"
    assert main(["grep", "-c", where, str(deals), "--solved", str(solved)]) == 0
    assert int(capsys.readouterr().out) == int((TRICKS[:, 4] >= 9).sum())
    assert main(["grep", "-c", where, str(deals), "--solved", str(deals)]) == 1
    assert "no deals with double-dummy tricks" in capsys.readouterr().err
