"""The header of a `.npy` file: read strictly, and written with room for any number of rows."""

from __future__ import annotations

import io
from ast import literal_eval
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, BinaryIO, cast

from numpy.lib import format as npy

from pavcodec.errors import ReadError
from pavcodec.files.reading import read_up_to

if TYPE_CHECKING:
    import numpy as np

__all__ = ["NpyHeader", "header_bytes", "read_header"]

_LENGTHS = {(1, 0): 2, (2, 0): 4}
"""The bytes of the length of the header, by the version."""
_MOST = 10_000
"""The longest header; that of one array has about 100 bytes."""
_FIELDS = {"descr", "fortran_order", "shape"}


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
    if version not in _LENGTHS:
        raise ReadError(f"a file of numpy has version 1.0 or 2.0, not {version[0]}.{version[1]}")
    start = read_up_to(stream, _LENGTHS[version])
    length = int.from_bytes(start, "little")
    if len(start) < _LENGTHS[version] or length > _MOST:
        raise ReadError("the header of the file of numpy is damaged")
    text = read_up_to(stream, length)
    try:
        return _parsed(text.decode("latin-1"))
    except (ValueError, SyntaxError, TypeError, KeyError, RecursionError, MemoryError) as error:
        raise ReadError(f"the header of the file of numpy is damaged: {error}") from None


def _parsed(text: str) -> NpyHeader:
    """Return the header of a text: a dictionary of literals, of which nothing is executed."""
    fields: object = literal_eval(text.strip())
    if not isinstance(fields, dict) or set(fields) != _FIELDS:
        raise ValueError(f"it has the fields {', '.join(sorted(_FIELDS))}")
    shape, is_by_columns = fields["shape"], fields["fortran_order"]
    if not isinstance(shape, tuple) or not all(type(size) is int and size >= 0 for size in shape):
        raise ValueError(f"a shape is a tuple of sizes, not {shape!r}")
    if not isinstance(is_by_columns, bool):
        raise ValueError(f"fortran_order is True or False, not {is_by_columns!r}")  # noqa: TRY004
    return NpyHeader(shape, npy.descr_to_dtype(fields["descr"]), is_by_columns)


def header_bytes(shape: tuple[int, ...], dtype: np.dtype[Any]) -> bytes:
    """Return the bytes of a header; their number does not depend on the number of rows."""
    found = io.BytesIO()
    description = npy.dtype_to_descr(dtype)
    fields = {"descr": description, "fortran_order": False, "shape": shape}
    npy.write_array_header_1_0(cast("Any", found), fields)
    return found.getvalue()
