"""Lazy tables and arrays of Dask: the rows of a collection in a folder, made when needed."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from packages import needs

import pavcodec as pav

needs("dask")
pytestmark = pytest.mark.slow

SPACES: dict[str, Callable[[], Any]] = {
    "a condition": lambda: "hcp(south) >= 20",
    "a test": lambda: "hcp(south) >= 20 && rnd(2) == 1",
    "a mix": lambda: pav.mix([("hcp(south) >= 22", 1), ("hcp(south) >= 12", 2)]),
    "all deals": lambda: pav.numbering("deal"),
    "endings": lambda: pav.endings("spades(south) == 2", cards=3),
}


@pytest.mark.parametrize("name", SPACES)
def test_rows_are_those_of_a_folder(name: str, tmp_path: Path) -> None:
    import dask
    import pandas as pd

    arguments: Any = {"parts": 3, "seed": 7, "start": 5}
    made = pav.parts(SPACES[name](), 40, **arguments).make(tmp_path / "set", workers=1)
    assert made.is_complete
    files = sorted((tmp_path / "set").glob("part-*.parquet"))
    with dask.config.set(scheduler="synchronous"):
        table = pav.dask_deals(SPACES[name](), 40, **arguments)
        assert table.npartitions == len(files) == 3
        whole = table.compute()
        for place, path in enumerate(files):
            expected = pd.read_parquet(path, dtype_backend="pyarrow").drop(columns="tags")
            found = table.partitions[place].compute()
            pd.testing.assert_frame_equal(found, expected)
        assert list(table.dtypes) == list(whole.dtypes)
        array = pav.dask_deals(SPACES[name](), 40, **arguments, kind="array")
        owners = array.compute()
    assert len(whole) == len(owners) == made.rows.rows
    assert owners.dtype == np.uint8
    layouts = [pav.Layout.from_pbn(f"N:{' '.join(hands)}") for hands in hands_of(whole)]
    assert [layout.owners for layout in layouts] == [row.tobytes() for row in owners]


def hands_of(table: Any) -> list[list[str]]:
    """Return the texts of the hands of each row."""
    found: list[list[str]] = table[["north", "east", "south", "west"]].to_numpy().tolist()
    return found


def test_columns_and_wrong_arguments() -> None:
    table = pav.dask_deals("hcp(south) >= 20", 10**9, parts=1000, seed=7, columns=["south_hcp"])
    assert list(table.columns) == ["south_hcp"]
    assert table.npartitions == 1000
    assert [str(kind) for kind in table.dtypes] == ["int8[pyarrow]"]
    wrong: Any = "matrix"
    with pytest.raises(pav.UnknownNameError, match="'dataframe' or 'array', not 'matrix'"):
        pav.dask_deals(1, 10, parts=2, seed=7, kind=wrong)
    wrong = 5
    with pytest.raises(TypeError, match=r"^the kind of a result is given as text, not 'int'"):
        pav.dask_deals(1, 10, parts=2, seed=7, kind=wrong)
    wrong = ["number"]
    with pytest.raises(pav.PavError, match="an array has the owners of the cards and no columns"):
        pav.dask_deals(1, 10, parts=2, seed=7, kind="array", columns=wrong)
    with pytest.raises(TypeError, match="columns are names in a list, not one text"):
        pav.dask_deals(1, 10, parts=2, seed=7, columns="number")
    with pytest.raises(pav.PavError, match="points"):
        pav.dask_deals(1, 10, parts=2, seed=7, columns=["points"])
    with pytest.raises(pav.NumberError, match="10 samples are divided into 1 to 10 parts, not 11"):
        pav.dask_deals(1, 10, parts=11, seed=7)


def test_a_cluster_makes_the_partitions() -> None:
    from distributed import Client, LocalCluster

    with (
        LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=":0") as local,
        Client(local),
    ):
        table = pav.dask_deals("hcp(south) >= 20", 4000, parts=4, seed=7, columns=["south_hcp"])
        found = table.south_hcp.value_counts().compute().to_dict()
        array = pav.dask_deals("hcp(south) >= 20", 4000, parts=4, seed=7, kind="array")
        spades = (array[:, :13] == 2).sum().compute()
    owners = pav.deals("hcp(south) >= 20", method="counted").sample_many(4000, seed=7)
    points = sum((owners[:, card::13] == 2).sum(axis=1) * (4 - card) for card in range(4))
    values, counts = np.unique(points, return_counts=True)
    assert found == dict(zip(values.tolist(), counts.tolist(), strict=True))
    assert spades == np.count_nonzero(owners[:, :13] == 2)
