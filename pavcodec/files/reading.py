"""Read as many bytes of a stream as asked for."""

from __future__ import annotations

from typing import BinaryIO

__all__ = ["read_up_to"]


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
