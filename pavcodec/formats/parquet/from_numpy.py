"""Arrays of numpy and texts as columns of Arrow, without `pyarrow.array`.

That function imports pandas where it is installed, which costs each process a quarter of a second
and 45 MB.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["column_of_values", "text_column", "validity"]


def column_of_values(values: NDArray[Any], are_known: NDArray[np.bool_] | None = None) -> pa.Array:
    """Return integers as a column of the same type; the values that are not known are null.

    >>> column_of_values(np.array([5, 0], np.int8), np.array([True, False])).to_pylist()
    [5, None]
    """
    data = np.ascontiguousarray(values)
    buffers = [validity(are_known), pa.py_buffer(data)]
    return pa.Array.from_buffers(pa.from_numpy_dtype(data.dtype), len(data), buffers)


def text_column(texts: Sequence[str | None]) -> pa.Array:
    """Return texts as a column.

    >>> text_column(["N", None, ""]).to_pylist()
    ['N', None, '']
    """
    encoded = [(text or "").encode() for text in texts]
    offsets = np.zeros(len(encoded) + 1, np.int32)
    np.cumsum([*map(len, encoded)], out=offsets[1:])
    known = validity(np.array([text is not None for text in texts], np.bool_))
    data = pa.py_buffer(b"".join(encoded))
    return pa.Array.from_buffers(pa.string(), len(texts), [known, pa.py_buffer(offsets), data])


def validity(are_known: NDArray[np.bool_] | None) -> pa.Buffer | None:
    """Return the bitmap of known values; None if all are known."""
    if are_known is None or are_known.all():
        return None
    return pa.py_buffer(np.packbits(are_known, bitorder="little"))
