"""`pavcodec pack --as deal-suits`: sets of classes of deals."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from pavcodec import Permutation, numbering, open_archive, write

if TYPE_CHECKING:
    from pathlib import Path

    from formats_support import Cli


@pytest.mark.slow
def test_pack_keeps_classes_as_a_set(cli: Cli, tmp_path: Path) -> None:
    deals = numbering("deal").sample(9, seed=7)
    lines, path = tmp_path / "deals.txt", tmp_path / "library.pav"
    write([*deals, deals[0].permuted(Permutation((3, 2, 1, 0), (0, 1, 2, 3)))], lines)
    outcome = cli("pack", "--set", "--as", "deal-suits", lines, "-o", path)
    assert outcome.code == 0
    with open_archive(path) as archive:
        assert len(archive) == 9
    assert cli("get", path, "--find", str(deals[3])).code == 0
    outcome = cli("pack", "--as", "deal-suits", lines, "-o", tmp_path / "y.pav")
    assert outcome.code == 1
    assert "use a set or a multiset" in outcome.err
