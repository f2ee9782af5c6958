"""The bytes of files that tasks return: their media types, and streams in chunks."""

from __future__ import annotations

from collections.abc import Iterator
from typing import BinaryIO

from pavcodec.formats import Format
from pavcodec.web.tasks.task import media_types_of

__all__ = ["MEDIA_TYPES", "chunks_of", "media_type"]

_AT_ONCE = 1 << 16
_MEDIA = {
    "pdf": "application/pdf",
    "html": "text/html; charset=utf-8",
    "svg": "image/svg+xml",
    "json": "application/json",
    "jsonl": "application/x-ndjson",
    "endplay-json": "application/json",
    "parquet": "application/vnd.apache.parquet",
}

MEDIA_TYPES = media_types_of(_MEDIA.values())
"""The media types of the files of all formats."""


def media_type(target: Format) -> str:
    """Return the media type of the files of a format.

    >>> from pavcodec.formats import format_of
    >>> media_type(format_of("pbn")), media_type(format_of("dup"))
    ('text/plain', 'application/octet-stream')
    """
    return _MEDIA.get(target.name, "text/plain" if target.is_text else "application/octet-stream")


def chunks_of(stream: BinaryIO) -> Iterator[bytes]:
    """Yield the bytes of a stream from its start in chunks, and close it.

    >>> import io
    >>> list(chunks_of(io.BytesIO(b"abc")))
    [b'abc']
    """
    with stream:
        stream.seek(0)
        while chunk := stream.read(_AT_ONCE):
            yield chunk
