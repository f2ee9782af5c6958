"""Headers that limit what browsers do with our answers, and what others can do with our pages."""

from __future__ import annotations

import re

from starlette.types import ASGIApp, Message, Receive, Scope, Send

__all__ = ["POLICY", "SafeHeaders"]

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "connect-src 'self'; font-src 'self'; form-action 'self'; base-uri 'none'; "
    "frame-ancestors 'none'"
)
"""What a page may load and do: only what this server sends, and nothing inside its text."""

_ALWAYS = (
    (b"content-security-policy", POLICY.encode()),
    (b"x-content-type-options", b"nosniff"),
    (b"x-frame-options", b"DENY"),
    (b"referrer-policy", b"same-origin"),
    (
        b"permissions-policy",
        b"camera=(), display-capture=(), geolocation=(), microphone=(), payment=(), usb=()",
    ),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
)
_SECURE = (b"strict-transport-security", b"max-age=31536000")
"""Sent where the client came by HTTPS: it comes by HTTPS for a year."""


_SITE = re.compile(rb"^https?://[^/]*/+")
"""The start of an address that names its host: every redirect is to this server."""


class SafeHeaders:
    """Adds the headers to each answer; browsers check a stored answer before they use it.

    A redirect names no host: routes would repeat the one that the client claims.
    """

    def __init__(self, application: ASGIApp) -> None:
        self._application = application

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        if scope["type"] != "http":
            await self._application(scope, receive, send)
            return
        caching = b"no-cache" if scope["method"] in {"GET", "HEAD"} else b"no-store"

        async def sent(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = [
                    (name, _SITE.sub(b"/", value) if name == b"location" else value)
                    for name, value in message.get("headers", ())
                ]
                names = {name.lower() for name, _ in headers}
                headers += [each for each in _ALWAYS if each[0] not in names]
                if b"cache-control" not in names:
                    headers.append((b"cache-control", caching))
                if scope.get("scheme") == "https":
                    headers.append(_SECURE)
                message = {**message, "headers": headers}
            await send(message)

        await self._application(scope, receive, sent)
