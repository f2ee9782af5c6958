"""The style sheets and scripts of the pages.

An address with the version, a hash of all files, is that of one content for ever, so browsers ask
for it once. Templates write `/static/NAME`, and the loader of templates puts the version in.
Scripts import each other by relative addresses, which then have the version too.
"""

from __future__ import annotations

import hashlib
import mimetypes
from pathlib import Path
from typing import Any

from jinja2 import Environment, PackageLoader
from starlette.responses import Response
from starlette.staticfiles import StaticFiles

_FILES = sorted(each for each in (Path(__file__).parent.parent / "static").iterdir())
VERSION = hashlib.sha256(b"".join(each.read_bytes() for each in _FILES)).hexdigest()[:12]
"""A name of the contents of all files."""

mimetypes.add_type("text/javascript", ".js")  # tables of machines have other types


class Versioned(StaticFiles):
    """The files at an address with the version."""

    def file_response(self, *args: Any, **more: Any) -> Response:  # noqa: ANN401 (as above)
        """Return an answer that browsers keep."""
        response = super().file_response(*args, **more)
        response.headers["cache-control"] = "public, max-age=31536000, immutable"
        return response


class VersionedLoader(PackageLoader):
    """Loads templates, in which the addresses of static files get the version."""

    def get_source(self, environment: Environment, template: str) -> tuple[str, str, object]:  # type: ignore[override]
        """Return the text of a template, its path, and whether it is current."""
        text, path, current = super().get_source(environment, template)
        return text.replace('"/static/', f'"/static/{VERSION}/'), path, current
