"""Whom a request is for, and where it comes from.

There are no cookies and no users, so a form of another site can do nothing in anybody's name. It
still gets no answer: it could let visitors of that site work for its questions.
"""

from __future__ import annotations

import re
from itertools import chain
from urllib.parse import urlsplit

from starlette.datastructures import Headers
from starlette.types import Scope

from pavcodec.web.safety.replies import Refused, is_interface
from pavcodec.web.tasks.limits import FIELDS

__all__ = ["LOOPBACK", "MOST_ADDRESS", "check_address", "check_host", "check_site"]

LOOPBACK = ("localhost", "127.0.0.1", "[::1]")
"""The names of this machine for itself."""

MOST_ADDRESS = 60_000
"""The characters of an address; a condition with its signs encoded fits."""

_MOST_HEADERS = 100

_HOST = re.compile(r"(\[[0-9a-fA-F:.]+\]|[A-Za-z0-9_.-]+)(:[0-9]{1,5})?", re.ASCII)
_QUIET = {"GET", "HEAD", "OPTIONS"}


def check_host(scope: Scope, names: tuple[str, ...]) -> None:
    """Raise `Refused` if a request names another host; no names accept all."""
    hosts = [value for name, value in scope["headers"] if name == b"host"]
    found = _HOST.fullmatch(hosts[0].decode("latin-1")) if len(hosts) == 1 else None
    if found is None:
        raise Refused(400, "The request names no host, or several.")
    if names and found[1].lower().rstrip(".") not in (*names, *LOOPBACK):
        raise Refused(421, "This server has another name.")


def check_address(scope: Scope) -> None:
    """Raise `Refused` for an address or headers that are too long, or have too many fields."""
    query, headers = scope["query_string"], scope["headers"]
    if len(headers) > _MOST_HEADERS or sum(map(len, chain(*headers))) > MOST_ADDRESS:
        raise Refused(431, "The request has too many headers.")
    if len(scope.get("raw_path") or b"") + len(query) > MOST_ADDRESS:
        raise Refused(414, f"The address has more than {MOST_ADDRESS:,} characters.")
    if query.count(b"&") >= FIELDS:
        raise Refused(414, f"The address has more than {FIELDS:,} fields.")
    if "\0" in scope["path"]:
        raise Refused(400, "The address has a character that no address has.")


def check_site(scope: Scope) -> None:
    """Raise `Refused` for a form of another site; its pages may use the JSON interface."""
    if scope["method"] in _QUIET or is_interface(scope):
        return
    headers = Headers(scope=scope)
    site, origin = headers.get("sec-fetch-site"), headers.get("origin")
    if site is not None:
        is_own = site in {"same-origin", "none"}
    else:  # browsers before 2023, and programs, which may claim what they like
        is_own = origin is None or urlsplit(origin).netloc == headers.get("host")
    if not is_own:
        raise Refused(403, "A form of another site has sent this; open the page here.")
