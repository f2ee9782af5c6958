"""The style sheets and scripts of the pages: few, small, in memory, and compressed once.

An address with the version, a hash of all files, is that of one content for ever, so browsers ask
for it once. Templates write `/static/NAME`, and the loader of templates puts the version in.
Scripts import each other by relative addresses, which then have the version too.
"""

from __future__ import annotations

import gzip
import hashlib
import mimetypes
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from jinja2 import Environment, PackageLoader
from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

_PLACE = "/static/"
_FOLDER = Path(__file__).parent.parent / "static"
_FOR_EVER = "public, max-age=31536000, immutable"
_TEXT = ("text/", "image/svg+xml")
_TYPES = {".js": "text/javascript", ".mjs": "text/javascript"}
"""Types that must not depend on the tables of the machine."""


@dataclass(frozen=True)
class _File:
    """A file, and its compressed form if that is smaller."""

    content: bytes
    compressed: bytes | None
    media_type: str
    tag: str

    @classmethod
    def read(cls, path: Path) -> _File:
        content = path.read_bytes()
        known_type = _TYPES.get(path.suffix) or mimetypes.guess_type(path.name)[0]
        media_type = known_type or "application/octet-stream"
        compressed = None
        if media_type.startswith(_TEXT):
            compressed = gzip.compress(content, 9, mtime=0)
        is_smaller = compressed is not None and len(compressed) < len(content) * 9 // 10
        tag = f'"{hashlib.sha256(content).hexdigest()[:16]}"'
        return cls(content, compressed if is_smaller else None, media_type, tag)


@cache
def _files() -> dict[str, _File]:
    return {path.name: _File.read(path) for path in sorted(_FOLDER.iterdir()) if path.is_file()}


@cache
def _version() -> str:
    """Return a name of the contents of all files."""
    tags = "".join(f"{name} {file.tag}\n" for name, file in _files().items())
    return hashlib.sha256(tags.encode()).hexdigest()[:12]


class StaticFiles:
    """The application at `/static`: `NAME`, or `VERSION/NAME`."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        if scope["method"] not in {"GET", "HEAD"}:
            raise HTTPException(405, headers={"Allow": "GET, HEAD"})
        name = scope["path"].removeprefix(_PLACE)
        is_versioned = name.startswith(f"{_version()}/")
        file = _files().get(name.removeprefix(f"{_version()}/"))
        if file is None:
            raise HTTPException(404)
        await _answer(file, Headers(scope=scope), is_versioned=is_versioned)(scope, receive, send)


def _answer(file: _File, asked: Headers, *, is_versioned: bool) -> Response:
    headers = {
        "Cache-Control": _FOR_EVER if is_versioned else "no-cache",
        "ETag": file.tag,
        "Vary": "Accept-Encoding",
    }
    if file.tag in asked.get("if-none-match", ""):
        return Response(status_code=304, headers=headers)
    content = file.content
    if file.compressed is not None and _takes_gzip(asked.get("accept-encoding", "")):
        content = file.compressed
        headers["Content-Encoding"] = "gzip"
    return Response(content, headers=headers, media_type=file.media_type)


def _takes_gzip(accepted: str) -> bool:
    """Return whether a client accepts gzip; a quality of 0 refuses it.

    >>> _takes_gzip("br, gzip;q=0.5"), _takes_gzip("gzip;q=0, br"), _takes_gzip("")
    (True, False, False)
    """
    for each in accepted.lower().split(","):
        name, _, quality = each.partition(";")
        if name.strip() == "gzip":
            return quality.partition("=")[2].strip() not in {"0", "0.0", "0.00", "0.000"}
    return False


class VersionedLoader(PackageLoader):
    """Loads templates, in which the addresses of static files get the version."""

    def get_source(self, environment: Environment, template: str) -> tuple[str, str, object]:  # type: ignore[override]
        """Return the text of a template, its path, and whether it is current."""
        text, path, current = super().get_source(environment, template)
        return text.replace(f'"{_PLACE}', f'"{_PLACE}{_version()}/'), path, current
