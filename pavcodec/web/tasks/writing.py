"""The media types of files that tasks return."""

from __future__ import annotations

import os
from collections.abc import Sequence

from pavcodec.formats.registry import FORMATS, format_by_suffix
from pavcodec.web.tasks.task import Download

_BY_SUFFIX = {".sqd": "text/plain", ".sqk": "text/plain", ".zip": "application/zip"}
"""Those of files that hold no boards, or other files."""


def media_type(name: str) -> str:
    """Return the media type of a file by the suffix of its name.

    >>> media_type("heat.pbn"), media_type("heat.lin"), media_type("heat.dup")
    ('text/x-pbn', 'text/plain', 'application/octet-stream')
    """
    suffix = os.path.splitext(name)[1].lower()
    known = format_by_suffix(name)
    return _BY_SUFFIX.get(suffix) or (known.media_type if known else "application/octet-stream")


def media_types(suffixes: Sequence[str]) -> tuple[str, ...]:
    """Return the media types of files with these suffixes, for the OpenAPI document.

    >>> media_types([".html", ".dlm"])
    ('text/html', 'text/plain')
    """
    return tuple(sorted({media_type(f"file{each}").partition(";")[0] for each in suffixes}))


MEDIA_TYPES = media_types([suffix for each in FORMATS.values() for suffix in each.suffixes])
"""The media types of the files of all formats."""


def file_of(name: str, data: bytes) -> Download:
    """Return a file of these bytes; the suffix of its name says what they are.

    >>> file_of("event.sqk", b"...").media_type
    'text/plain'
    """
    return Download(name, media_type(name), lambda stream: stream.write(data))
