"""Read compressed files of any format, by their suffix: `.gz`, `.bz2`, `.xz` and `.zst`.

Data is decompressed block by block, so a small file that expands to a huge one needs little
memory. Zstandard needs pyarrow, which is optional.
"""

from __future__ import annotations

import os
import zlib
from collections.abc import Callable
from typing import Any, BinaryIO

from pavcodec.errors import PavError, ReadError

__all__ = ["Decompressed", "split_suffix"]


def _gzip(stream: BinaryIO) -> BinaryIO:
    from gzip import GzipFile

    return GzipFile(fileobj=stream)  # type: ignore[return-value]


def _bzip2(stream: BinaryIO) -> BinaryIO:
    from bz2 import BZ2File

    return BZ2File(stream)  # type: ignore[return-value]


def _xz(stream: BinaryIO) -> BinaryIO:
    from lzma import LZMAFile

    return LZMAFile(stream)  # type: ignore[return-value]


def _zstandard(stream: BinaryIO) -> BinaryIO:
    try:
        from pyarrow import CompressedInputStream
    except ImportError:
        raise PavError(
            "Zstandard files need pyarrow, which is not installed: pip install 'pavcodec[parquet]'"
        ) from None
    found: BinaryIO = CompressedInputStream(stream, "zstd")
    return found


_OPENERS: dict[str, Callable[[BinaryIO], BinaryIO]] = {
    ".gz": _gzip,
    ".bz2": _bzip2,
    ".xz": _xz,
    ".zst": _zstandard,
}
"""The functions that open compressed files, by suffix."""


def split_suffix(path: str) -> tuple[str, str]:
    """Return a path without the suffix of a compressed file, and that suffix in lower case.

    >>> split_suffix("event.pbn.GZ"), split_suffix("event.pbn")
    (('event.pbn', '.gz'), ('event.pbn', ''))
    """
    stem, suffix = os.path.splitext(path)
    suffix = suffix.lower()
    return (stem, suffix) if suffix in _OPENERS else (path, "")


class Decompressed:
    """The decompressed bytes of a stream; damaged data raises a `ReadError` that names the file."""

    def __init__(self, stream: BinaryIO, suffix: str, path: str) -> None:
        self._path = path
        self._stream: Any = _OPENERS[suffix](stream)

    def read(self, size: int = -1) -> bytes:
        """Return `size` bytes, or fewer at the end; without a size, all remaining bytes."""
        try:
            data: bytes = self._stream.read(None if size < 0 else size)
        except (EOFError, OSError, ValueError, zlib.error) as error:
            raise self._damaged(error) from None
        except Exception as error:
            if type(error).__name__ != "LZMAError":
                raise
            raise self._damaged(error) from None
        return data

    read1 = read

    def readable(self) -> bool:
        """Return True."""
        return True

    def seekable(self) -> bool:
        """Return False: the stream can be read only once, from start to end."""
        return False

    def _damaged(self, error: Exception) -> ReadError:
        reason = " ".join(str(error).split()) or type(error).__name__
        return ReadError(f"{self._path}: the compressed file is damaged or incomplete: {reason}")
