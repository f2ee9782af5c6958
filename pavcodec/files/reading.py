"""Read as many bytes of a stream as are needed, or all of them."""

from __future__ import annotations

from hashlib import file_digest
from io import BufferedReader
from typing import BinaryIO, cast

__all__ = ["read_up_to", "sha256_of"]


def read_up_to(stream: BinaryIO, size: int) -> bytes:
    """Return `size` bytes of a stream that may return fewer at a time, or the rest of them.

    >>> from io import BytesIO
    >>> read_up_to(BytesIO(b"abc"), 2), read_up_to(BytesIO(b"abc"), 5)
    (b'ab', b'abc')
    """
    parts: list[bytes] = []
    while size > 0 and (part := stream.read(size)):
        parts.append(part)
        size -= len(part)
    return b"".join(parts)


def sha256_of(stream: BinaryIO) -> str:
    """Return the SHA-256 of the rest of a stream as 64 hexadecimal digits.

    >>> from io import BytesIO
    >>> sha256_of(BytesIO(b"abc"))[:16]
    'ba7816bf8f01cfea'
    """
    return file_digest(cast("BufferedReader", stream), "sha256").hexdigest()
