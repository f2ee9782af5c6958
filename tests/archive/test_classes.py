"""Sets of classes of deals: kept by their canonical deals, found by any deal."""

from __future__ import annotations

from pathlib import Path

import pytest

import pavcodec as pav
from pavcodec.symmetry import symmetry_of

NAMES = {"deal-suits": "suits", "deal-suits-turns": "suits,turns"}
every_numbering = pytest.mark.parametrize("name", NAMES)


@pytest.mark.slow
@every_numbering
def test_a_set_keeps_each_class_once(name: str, tmp_path: Path) -> None:
    path = tmp_path / "library.pav"
    deals = pav.numbering("deal").sample(40, seed=7)
    last = symmetry_of(NAMES[name]).permutations[-1]
    images = [deal.permuted(last) for deal in deals[:15]]
    assert pav.write_archive([*deals, *images], path, kind="set", space=name) == 40
    ranks = pav.numbering(name)
    with pav.open_archive(path) as archive:
        kept = [board.layout for board in archive]
        assert kept == sorted((deal.canonical(NAMES[name])[0] for deal in deals), key=ranks.rank)
        assert all(deal in archive and deal.permuted(last) in archive for deal in deals)
        assert pav.numbering("deal").sample(41, seed=7)[-1] not in archive
        assert archive.cardinality == ranks.cardinality
    assert pav.write_archive([*deals, *images], path, kind="multiset", space=ranks) == 55


@every_numbering
@pytest.mark.parametrize("options", [{"kind": "ordered"}, {"kind": "set", "all": True}])
def test_what_would_not_come_back(name: str, options: dict[str, object], tmp_path: Path) -> None:
    path = tmp_path / "x.pav"
    with pytest.raises(pav.PavError, match=f"{name} numbers classes of deals .* use a set"):
        pav.write_archive(pav.numbering("deal").sample(2, seed=7), path, space=name, **options)  # type: ignore[arg-type]
    assert not path.exists()
