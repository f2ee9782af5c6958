"""Collections as tables and arrays of Dask, which makes each part when a result needs it.

Rule 1: partition k has the rows of part k of the collection in a folder: a part is written to
        memory as Parquet and read again, so both are the same by construction.
Rule 2: the plan and the models are one value of the graph, which a worker gets once.
"""

from __future__ import annotations

import io
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, Literal, SupportsIndex, cast, overload

from pavcodec.cards import DECK_SIZE
from pavcodec.collection.collection import Collection
from pavcodec.collection.collection import parts as plan_of
from pavcodec.collection.deals import DealMaking
from pavcodec.collection.plan import Part
from pavcodec.collection.run import Prepared, prepared
from pavcodec.constraints import TestedDeals
from pavcodec.constraints.operators import Expression
from pavcodec.errors import PavError, UnknownNameError, check_text, hint
from pavcodec.limits import threads_limited
from pavcodec.numberings.space import Space
from pavcodec.sampling import Seed

if TYPE_CHECKING:
    import dask.array as da
    import dask.dataframe as dd
    import pandas as pd

    from pavcodec.arrays import Owners


_WITHOUT = "tags"
"""The column that a table has only where the caller names it: lists of Python objects are slow."""


@dataclass(frozen=True)
class _Partitions:
    """What all partitions share; in a worker, the plan holds the models of the preparation."""

    plan: Collection
    prepare: Prepared
    columns: tuple[str, ...] = ()
    """The columns of a table."""

    def frame(self, index: int) -> pd.DataFrame:
        """Return the rows of a part as a table of pandas, with the types of Arrow.

        Dask takes other columns of bytes for texts.
        """
        import pandas as pd

        stream = io.BytesIO()
        part = self._part(index)
        with threads_limited(1):
            self.plan.making.write(part, stream)
        stream.seek(0)
        return pd.read_parquet(
            stream, engine="pyarrow", columns=list(self.columns), dtype_backend="pyarrow"
        )

    def owners(self, index: int) -> Owners:
        """Return the owners of a part: `uint8[n, 52]`."""
        import numpy as np

        making, part = cast("DealMaking", self.plan.making), self._part(index)
        with threads_limited(1):
            batches = [each.owners for each in making.order.layouts(making.space, part)]
        return np.concatenate(batches) if batches else np.empty((0, DECK_SIZE), np.uint8)

    def _part(self, index: int) -> Part:
        self.plan.check_versions()
        self.prepare()
        return self.plan[index]


@overload
def dask_deals(
    given: Space | Expression | str | int,
    n: SupportsIndex,
    *,
    parts: SupportsIndex,
    seed: Seed | None = ...,
    start: SupportsIndex = ...,
    order: str = ...,
    columns: Sequence[str] | None = ...,
    kind: Literal["dataframe"] = ...,
) -> dd.DataFrame: ...
@overload
def dask_deals(
    given: Space | Expression | str | int,
    n: SupportsIndex,
    *,
    parts: SupportsIndex,
    seed: Seed | None = ...,
    start: SupportsIndex = ...,
    order: str = ...,
    columns: None = ...,
    kind: Literal["array"],
) -> da.Array: ...
def dask_deals(  # noqa: PLR0913 (keywords)
    given: Space | Expression | str | int,
    n: SupportsIndex,
    *,
    parts: SupportsIndex,
    seed: Seed | None = None,
    start: SupportsIndex = 0,
    order: str = "drawn",
    columns: Sequence[str] | None = None,
    kind: Literal["dataframe", "array"] = "dataframe",
) -> dd.DataFrame | da.Array:
    """Return `n` deals as a lazy table or array of Dask; nothing is made before a result needs it.

    The arguments are those of `parts`, and partition k has the rows of part k. A table has the
    `columns` of Parquet files, by default all but `tags`: the number as 12 bytes that sort as
    numbers do, the hands, points, shapes and so on. The kind "array" is the owners of the cards,
    `uint8[n, 52]`; where deals are tested, Dask does not know the number of rows. Raises `PavError`
    without the packages of Dask and Parquet.

    >>> table = dask_deals("hcp(south) >= 20", 1000, parts=4, seed=7, columns=["south_hcp"])
    >>> int(table.south_hcp.min().compute())
    20
    >>> dask_deals("hcp(south) >= 20", 10**9, parts=1000, seed=7, kind="array").shape
    (1000000000, 52)
    """
    check_text("the kind of a result", kind)
    if kind not in {"dataframe", "array"}:
        raise UnknownNameError(
            f"the kind is 'dataframe' or 'array', not {kind!r}{hint(kind, ['dataframe', 'array'])}"
        )
    if kind == "array" and columns is not None:
        raise PavError("an array has the owners of the cards and no columns; leave them out")
    _need(kind)
    plan = plan_of(given, n, parts=parts, seed=seed, start=start, to="lines", order=order)
    making = cast("DealMaking", plan.making)
    if kind == "array":
        return _array(_Partitions(plan, prepared(making)))
    chosen = _names(columns)
    cards = "number" if making.session.ranks.name == "deal" else "hands"  # no file is without
    making = replace(making, format=f"parquet:{','.join([*chosen, cards])}")
    return _table(_Partitions(Collection(making, plan.ranges), prepared(making), chosen))


def _need(kind: str) -> None:
    """Raise `PavError` if a package of a kind is not installed."""
    needed = ("dask",) if kind == "array" else ("dask", "pandas", "pyarrow")
    missing = [name for name in needed if find_spec(name) is None]
    if missing:
        raise PavError(
            f"a lazy {kind} needs the package {missing[0]}: pip install 'pavcodec[cluster,parquet]'"
        )


def _names(columns: Sequence[str] | None) -> tuple[str, ...]:
    """Return the columns of a table in their order; raise `UnknownNameError` for other names."""
    from pavcodec.formats.parquet.columns import COLUMNS

    if isinstance(columns, str):
        raise TypeError(f"columns are names in a list, not one text: {columns!r}")
    known = [each.name for each in COLUMNS]
    for name in () if columns is None else columns:
        if name not in known:
            raise UnknownNameError(f"no column of a table is called {name!r}{hint(name, known)}")
    return tuple(name for name in known if name != _WITHOUT) if columns is None else tuple(columns)


def _made(source: _Partitions, make: Callable[[_Partitions, int], Any]) -> list[Any]:
    """Return the lazy result of a function for each part; all share the source.

    Equal plans and columns have equal keys.
    """
    from dask.delayed import delayed

    whole = json.dumps([source.plan.description, source.columns], sort_keys=True)
    token = sha256(whole.encode()).hexdigest()[:12]
    shared = delayed(source, name=f"pavcodec-plan-{token}", traverse=False)
    function = delayed(make, pure=True)
    return [
        function(shared, index, dask_key_name=f"pavcodec-{make.__name__}-{index:06d}-{token}")
        for index in range(len(source.plan))
    ]


def _table(source: _Partitions) -> dd.DataFrame:
    import dask.dataframe as dd

    making = cast("DealMaking", source.plan.making)
    one = plan_of(1, 1, parts=1, seed=0, to=making.format)
    empty = _Partitions(one, prepared(one.making), source.columns).frame(0).iloc[:0]
    made = _made(source, _Partitions.frame)
    table: dd.DataFrame = dd.from_delayed(made, meta=empty, prefix="pavcodec", verify_meta=False)
    return table


def _array(source: _Partitions) -> da.Array:
    import dask.array as da
    import numpy as np

    making = cast("DealMaking", source.plan.making)
    is_tested = isinstance(making.space, TestedDeals)
    pieces = []
    for index, made in enumerate(_made(source, _Partitions.owners)):
        rows = np.nan if is_tested else source.plan[index].count
        pieces.append(da.from_delayed(made, (rows, DECK_SIZE), dtype=np.uint8))
    array: da.Array = da.concatenate(pieces, allow_unknown_chunksizes=is_tested)
    return array
