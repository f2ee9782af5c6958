"""Recognise URLs, and show them without secrets."""

from __future__ import annotations

import os
import re

from pavcodec.errors import PavError

__all__ = [
    "is_url",
    "joined",
    "local_path",
    "protocol_of",
    "shown_path",
    "shown_url",
    "without_secrets",
]

# Patterns are texts: few programs need them, and compiling them would slow the start of all.
_URL = r"(?:[a-zA-Z][\w.+-]+::)*[a-zA-Z][\w.+-]+://"
"""The start of a URL, also of chained ones; drives of Windows have one letter, protocols more."""

_IN_TEXT = r"[a-zA-Z][\w.+-]+://[^\s'\"<>]+"
_NAMED_VALUE = (
    r"(?i)\b(\w*(?:password|passwd|secret|signature|token|credential|api_?key)\w*|sig|key)"
    r"(\s*[=:]\s*)[^\s&,;'\"]+"
)
_USER = r"(?<![^\s\"'(=])[^\s\"'(=/@:]+:[^\s\"'/@]+@(?=\w)"
"""A user name and a password before the name of a host, outside of a URL."""
_AT_IS_NO_SECRET = frozenset({"abfs", "abfss", "az", "wasb", "wasbs"})
"""Protocols that write container@account where others write user:password@host."""


def is_url(path: str | os.PathLike[str]) -> bool:
    r"""Return whether a path is a URL; a path with a drive of Windows is none.

    >>> is_url("s3://bucket/set.pav"), is_url("set.pav"), is_url("C:\\sets\\set.pav"), is_url("C://a")
    (True, False, False, False)
    """
    return isinstance(path, str) and "://" in path and re.match(_URL, path) is not None


def protocol_of(url: str) -> str:
    """Return the protocol of a URL; of chained ones, the first.

    >>> protocol_of("s3://bucket/set.pav")
    's3'
    """
    return re.split("::|://", url, maxsplit=1)[0].lower()


def local_path(path: str) -> str | None:
    """Return the path of this machine that a path or a `file://` URL names, or None.

    Characters of a `file://` URL are those of the path; `%20` is no blank. Raises `PavError` for a
    path with characters that no system allows.

    >>> local_path("file:///tmp/a"), local_path("a"), local_path("s3://bucket/a")
    ('/tmp/a', 'a', None)
    """
    try:
        is_name = b"\0" not in os.fsencode(path)
    except UnicodeEncodeError:  # half of a character
        is_name = False
    if not is_name:
        raise PavError(f"{path!r} is no name of a file: it has a null or half of a character")
    if not is_url(path):
        return path
    if protocol_of(path) not in {"file", "local"} or "::" in path:
        return None
    inner = path.split("://", 1)[1]
    return inner[1:] if re.match(r"/[a-zA-Z]:[\\/]", inner) else inner


def joined(folder: str, name: str) -> str:
    """Return the URL of a file in a folder.

    >>> joined("s3://bucket/set/", "plan.json"), joined("memory://", "plan.json")
    ('s3://bucket/set/plan.json', 'memory://plan.json')
    """
    return f"{folder}{name}" if folder.endswith(("://", "/")) else f"{folder}/{name}"


def shown_url(url: str) -> str:
    """Return a URL without user name, password and query, for messages.

    >>> shown_url("sftp://anna:secret@host/set"), shown_url("https://host/a.pav?sig=abc")
    ('sftp://host/set', 'https://host/a.pav?…')
    >>> shown_url("abfs://container@account.dfs.core.windows.net/set")
    'abfs://container@account.dfs.core.windows.net/set'
    """
    return "::".join(_shown_link(link) for link in url.split("::"))


def shown_path(path: str) -> str:
    """Return a path, or a URL without secrets, for messages.

    >>> shown_path("a?b"), shown_path("https://host/a?b")
    ('a?b', 'https://host/a?…')
    """
    return shown_url(path) if is_url(path) else path


def _shown_link(link: str) -> str:
    """Return one URL of a chain without its secrets."""
    protocol, mark, rest = link.partition("://")
    if not mark:
        return link
    rest, query, _ = rest.partition("?")
    rest = rest.split("#", 1)[0] if protocol.lower() in {"http", "https"} else rest
    place, slash, path = rest.partition("/")
    before, at, host = place.rpartition("@")
    if at and (protocol.lower() not in _AT_IS_NO_SECRET or ":" in before):
        place = host
    elif re.search(r":(?!\d+$)", place) and "[" not in place:  # a password with a slash
        place, path = "…", path.rpartition("@")[2]
    return f"{protocol}://{place}{slash}{path}{'?…' if query else ''}"


def without_secrets(text: str) -> str:
    """Return a text in which the URLs have no secrets, nor the names that are followed by values.

    >>> without_secrets("no answer from 'https://u:p@host/x?sig=1'; token=abc")
    "no answer from 'https://host/x?…'; token=…"
    >>> without_secrets("invalid bucket name 'anna:pw@bucket' at 12:30")
    "invalid bucket name 'bucket' at 12:30"
    """
    plain = re.sub(_IN_TEXT, lambda found: shown_url(found[0]), text)
    return re.sub(_NAMED_VALUE, r"\1\2…", re.sub(_USER, "", plain))
