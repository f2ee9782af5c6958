"""The column of double-dummy tricks as arrays; `reader` has the definition of its meaning."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from pavcodec.boards.batch import CONTRACTS
from pavcodec.boards.tricks import NOT_SOLVED
from pavcodec.cards import HAND_SIZE
from pavcodec.formats.parquet.columns import TRICKS
from pavcodec.formats.parquet.from_numpy import column_of_values, validity
from pavcodec.formats.parquet.reader import RowBatch

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["tricks_column", "tricks_of_part"]

_TAKEN = np.array([*range(HAND_SIZE + 1), NOT_SOLVED])
"""The possible values of tricks."""


def tricks_column(tricks: NDArray[np.uint8]) -> pa.Array:
    """Return the column of tricks, with null for rows and contracts without results."""
    are_known = (tricks != NOT_SOLVED).any(axis=1)
    rows = tricks[are_known].reshape(-1)
    values = column_of_values(rows, rows != NOT_SOLVED)
    ends = CONTRACTS * np.cumsum(are_known, dtype=np.int32)
    offsets = np.concatenate([np.zeros(1, np.int32), ends]).astype(np.int32)
    buffers = [validity(are_known), pa.py_buffer(offsets)]
    kind = pa.list_(pa.uint8())
    return pa.Array.from_buffers(kind, len(tricks), buffers, children=[values])


def tricks_of_part(part: RowBatch) -> NDArray[np.uint8] | None:
    """Return the tricks of rows, `uint8[n, 20]`; None if some are wrong."""
    tricks = np.full((len(part.columns), CONTRACTS), NOT_SOLVED, np.uint8)
    if TRICKS not in part.columns.schema.names:
        return tricks
    column = part.columns.column(TRICKS)
    are_known = np.asarray(pc.is_valid(column))
    lengths = np.asarray(pc.fill_null(pc.list_value_length(column), CONTRACTS))
    values = column.flatten()
    rows = np.asarray(pc.fill_null(values.cast(pa.int64()), NOT_SOLVED))
    if (lengths != CONTRACTS).any() or not np.isin(rows, _TAKEN).all():
        return None
    tricks[are_known] = rows.reshape(-1, CONTRACTS)
    return tricks
