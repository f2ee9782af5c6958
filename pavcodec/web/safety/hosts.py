"""Whom a request is for, and where it comes from.

There are no cookies and no users, so a form of another site can do nothing in anybody's name. It
still gets no answer: it could let visitors of that site work for its questions.
"""

from __future__ import annotations

import re
from itertools import chain

from starlette.datastructures import Headers
from starlette.types import Scope

from pavcodec.web.safety.replies import Refused, is_interface
from pavcodec.web.settings import Settings, is_loopback
from pavcodec.web.tasks.limits import FIELDS

__all__ = ["MOST_ADDRESS", "check_address", "check_host", "check_site"]

MOST_ADDRESS = 60_000
"""The characters of an address; a condition with its signs encoded fits."""

_MOST_HEADERS = 100

_HOST = re.compile(r"(\[[0-9a-fA-F:.]+\]|[A-Za-z0-9_.-]+)(:[0-9]{1,5})?", re.ASCII)
_QUIET = {"GET", "HEAD", "OPTIONS"}


def check_host(scope: Scope, settings: Settings) -> None:
    """Raise `Refused` if a request names another host.

    Else a site could give its own name the address of this server, and read the pages in the
    browser of a visitor who reaches the server.
    """
    hosts = [value for name, value in scope["headers"] if name == b"host"]
    found = _HOST.fullmatch(hosts[0].decode("latin-1")) if len(hosts) == 1 else None
    if found is None:
        raise Refused(400, "The request names no host, or several.")
    name = found[1].lower().rstrip(".")
    if not settings.names and not settings.is_own_machine:
        return
    if name not in map(str.lower, settings.names) and not is_loopback(name):
        raise Refused(421, "This server has another name; its owner can add one with --name.")


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
    site, origin, host = (headers.get(name) for name in ("sec-fetch-site", "origin", "host"))
    if site is not None:
        is_own = site in {"same-origin", "none"}
    else:  # browsers before 2023, and programs, which may claim what they like
        is_own = origin in {None, f"http://{host}", f"https://{host}"}
    if not is_own:
        raise Refused(403, "A form of another site has sent this; open the page here.")
