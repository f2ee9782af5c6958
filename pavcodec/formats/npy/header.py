"""The header of a `.npy` file: read strictly, and written with room for any number of rows."""

from __future__ import annotations

import io
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, BinaryIO, cast

from numpy.lib import format as npy

from pavcodec.errors import ReadError
from pavcodec.files.reading import read_up_to

if TYPE_CHECKING:
    import numpy as np

__all__ = ["NpyHeader", "header_bytes", "read_header"]

_VERSIONS: dict[tuple[int, int], tuple[int, Any]] = {
    (1, 0): (2, npy.read_array_header_1_0),
    (2, 0): (4, npy.read_array_header_2_0),
}
"""The size of the length in the header, and the function that reads it, by the version."""
_MOST = 10_000
"""The longest header; that of one array has about 100 bytes."""


@dataclass(frozen=True)
class NpyHeader:
    """The shape and the dtype of an array, and its text for messages."""

    shape: tuple[int, ...]
    dtype: np.dtype[Any]
    is_by_columns: bool

    def __str__(self) -> str:
        sizes = ", ".join(map(str, self.shape))
        return f"{self.dtype}[{sizes}]"


def read_header(stream: BinaryIO) -> NpyHeader:
    """Read a header; raise `ReadError` for bytes that are none."""
    magic = read_up_to(stream, npy.MAGIC_LEN)
    if len(magic) < npy.MAGIC_LEN or not magic.startswith(npy.MAGIC_PREFIX):
        raise ReadError("this is no file of numpy: it does not begin with \\x93NUMPY")
    version = magic[-2], magic[-1]
    if version not in _VERSIONS:
        raise ReadError(f"a file of numpy has version 1.0 or 2.0, not {version[0]}.{version[1]}")
    size, read = _VERSIONS[version]
    start = read_up_to(stream, size)
    length = int.from_bytes(start, "little")
    if len(start) < size or length > _MOST:
        raise ReadError("the header of the file of numpy is damaged")
    whole = io.BytesIO(start + read_up_to(stream, length))
    try:
        shape, is_by_columns, dtype = read(whole, max_header_size=_MOST)
    except (ValueError, SyntaxError, TypeError, RecursionError, MemoryError) as error:
        raise ReadError(f"the header of the file of numpy is damaged: {error}") from None
    return NpyHeader(shape, dtype, is_by_columns)


def header_bytes(shape: tuple[int, ...], dtype: np.dtype[Any]) -> bytes:
    """Return the bytes of a header; their number does not depend on the number of rows."""
    found = io.BytesIO()
    description = npy.dtype_to_descr(dtype)
    fields = {"descr": description, "fortran_order": False, "shape": shape}
    npy.write_array_header_1_0(cast("Any", found), fields)
    return found.getvalue()
