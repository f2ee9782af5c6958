"""Safety: what every request goes through before a page or the JSON interface sees it.

Rule 1: requests are for this server, from its own pages, and not too many of one client.
Rule 2: a body is read as a whole, up to its limit, before a page or task sees it.
Rule 3: a client that leaves ends the work on its question, so no process works for nobody.
Rule 4: browsers load and do only what this server says, and no redirect leads elsewhere.
Rule 5: a refusal is a page for people and JSON for programs; none shows the inside of the program.

Slow clients, and clients with many connections, are the business of a proxy.
"""

from __future__ import annotations

import asyncio
import logging
import math
import re
import time
import traceback
from collections.abc import Callable
from contextlib import suppress

from fastapi import APIRouter, Request
from fastapi.responses import JSONResponse, PlainTextResponse, Response
from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from pavcodec.limits import format_size
from pavcodec.web.settings import API, Settings, is_loopback
from pavcodec.web.tasks.problem import Problem
from pavcodec.web.tasks.task import BODY, UPLOAD
from pavcodec.web.workers import client_of, workers_of

_log = logging.getLogger("pavcodec.web")


def is_interface(scope: Scope) -> bool:
    """Return whether a request is for the JSON interface."""
    path: str = scope["path"]
    return path.startswith(f"{API}/")


# What a request says of itself.


MOST_ADDRESS = 60_000
"""The characters of an address; a condition with its signs encoded fits."""

_HOST = re.compile(r"(\[[0-9a-fA-F:.]+\]|[A-Za-z0-9_.-]+)(:[0-9]{1,5})?", re.ASCII)


def _check_head(scope: Scope, settings: Settings) -> None:
    """Raise `HTTPException` if a request names another host, is too long, or is of another site.

    Else a site could give its own name the address of this server, and read the pages in the
    browser of a visitor who reaches the server. There are no cookies and no users, so a form of
    another site can do nothing in anybody's name; it still could let its visitors work for its
    questions. Other sites may use the JSON interface.
    """
    headers = Headers(scope=scope)
    site, origin, host = (headers.get(name, "") for name in ("sec-fetch-site", "origin", "host"))
    match = _HOST.fullmatch(host)
    name = match[1].lower().rstrip(".") if match else ""
    is_for_all = settings.is_reached and not settings.names
    if not is_for_all and name not in map(str.lower, settings.names) and not is_loopback(name):
        raise HTTPException(421, "This server has another name; its owner can add one with --name.")
    if len(scope.get("raw_path") or b"") + len(scope["query_string"]) > MOST_ADDRESS:
        raise HTTPException(414, f"The address has more than {MOST_ADDRESS:,} characters.")
    if scope["method"] in {"GET", "HEAD", "OPTIONS"} or is_interface(scope):
        return
    if site:
        is_own = site in {"same-origin", "none"}
    else:  # browsers before 2023, and programs, which may claim what they like
        is_own = origin in {"", f"http://{host}", f"https://{host}"}
    if not is_own:
        raise HTTPException(403, "A form of another site has sent this; open the page here.")


# The rate of each client: a bucket of tokens that fills steadily, of which each request takes one.
#
# Memory is bounded: of too many clients, the one that was silent longest is forgotten. Its bucket
# was nearly always full, since a bucket fills within seconds.


_MOST_CLIENTS = 50_000

_CHEAP = {"/health", "/ready"}
"""Addresses without a question: ten requests cost as much as a page, also of static files."""


class Rates:
    """The buckets of all clients.

    >>> rates = Rates(rate=2, burst=3)
    >>> [rates.take("a", 0.0) for _ in range(4)], rates.take("b", 0.0)
    ([0, 0, 0, 1], 0)
    >>> rates.take("a", 0.5), rates.take("a", 0.5)
    (0, 1)
    """

    def __init__(self, rate: float, burst: float) -> None:
        self._rate = rate
        self._burst = burst
        self._buckets: dict[str, tuple[float, float]] = {}
        """The tokens of a client and the time at which it had them; silent clients first."""

    def take(self, client: str, now: float, cost: float = 1.0) -> int:
        """Take tokens and return 0, or take none and return the seconds until there are enough."""
        if not self._rate:
            return 0
        tokens, before = self._buckets.pop(client, (self._burst, now))
        tokens = min(self._burst, tokens + (now - before) * self._rate)
        is_enough = tokens >= cost
        self._buckets[client] = (tokens - cost if is_enough else tokens), now
        if len(self._buckets) > _MOST_CLIENTS:
            del self._buckets[next(iter(self._buckets))]
        return 0 if is_enough else math.ceil((cost - tokens) / self._rate)


# The body of a request.


_FRAME = 64 << 10
"""The bytes of a form around its files."""

_MOST_MARKS = 100_000
"""The values of JSON, about: each takes many times its bytes of memory. Base64 has none of them."""


async def _whole_body(scope: Scope, receive: Receive) -> bytes:
    """Return the body of a request; raises `HTTPException` for one that is too large."""
    kind = Headers(scope=scope).get("content-type", "").lower().partition(";")[0].strip()
    is_json = kind == "application/json" or kind.endswith("+json")
    most = BODY
    if is_json or kind == "multipart/form-data":
        most = UPLOAD * 4 // 3 + _FRAME  # files stand in JSON as base64
    close = {"connection": "close"}  # the server does not wait for the rest
    body, marks, is_whole = bytearray(), 0, False
    while not is_whole:
        message = await receive()
        if message["type"] == "http.disconnect":
            raise HTTPException(400, "The client has left.")  # nobody sees it
        part = message.get("body", b"")
        body += part
        is_whole = not message.get("more_body")
        marks += len(part) - len(part.translate(None, b"[{,")) if is_json else 0
        if len(body) > most:
            said = f"The request has more than {format_size(min(most, UPLOAD))}."
            raise HTTPException(413, said, close)
        if marks > _MOST_MARKS:
            raise HTTPException(413, "The question has too many parts.", close)
    return bytes(body)


async def run_while_connected(
    application: ASGIApp, scope: Scope, body: bytes, receive: Receive, send: Send
) -> None:
    """Run an application for a request, and cancel it when the client closes the connection."""
    bodies = [body]

    async def left() -> None:
        while (await receive())["type"] != "http.disconnect":
            pass

    async def received() -> Message:
        if bodies:
            return {"type": "http.request", "body": bodies.pop(), "more_body": False}
        await asyncio.wait({leaving})
        return {"type": "http.disconnect"}

    leaving = asyncio.create_task(left())
    work = asyncio.ensure_future(application(scope, received, send))
    try:
        await asyncio.wait({work, leaving}, return_when=asyncio.FIRST_COMPLETED)
        if not work.done():
            work.cancel()
        with suppress(asyncio.CancelledError):  # the client sees nothing of it
            await work
    finally:
        work.cancel()
        leaving.cancel()


# Headers that limit what browsers do with our answers, and what others can do with our pages.


POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "connect-src 'self'; font-src 'self'; form-action 'self'; base-uri 'none'; "
    "frame-ancestors 'none'"
)
"""What a page may load and do: only what this server sends, and nothing inside its text."""

_ALWAYS = {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "same-origin",
    "permissions-policy": "camera=(), display-capture=(), geolocation=(), microphone=(), "
    "payment=(), usb=()",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
}
_SHARED = {
    "access-control-allow-origin": "*",
    "access-control-expose-headers": "Content-Disposition, Retry-After",
}
"""Sent by the JSON interface, also where it refuses: scripts of other sites may read its answers.

It only reads, has no cookies and no users, and returns the same to everybody, so another page
learns nothing that its own reader could not see.
"""
_SECURE = "max-age=31536000"
"""Sent where the client came by HTTPS: it comes by HTTPS for a year."""


_SITE = re.compile(r"^https?://[^/]*/+")
"""The start of an address with its host: a route would repeat the one that a client claims."""


def _limit_browsers(scope: Scope, answer: Message) -> None:
    """Add the headers to an answer; browsers check a stored answer before they use it."""
    headers = MutableHeaders(scope=answer)
    caching = "no-cache" if scope["method"] in {"GET", "HEAD"} else "no-store"
    shared = _SHARED if is_interface(scope) else {}
    for name, value in {**_ALWAYS, **shared, "cache-control": caching}.items():
        headers.setdefault(name, value)
    if "location" in headers:
        headers["location"] = _SITE.sub("/", headers["location"])
    if scope.get("scheme") == "https":
        headers["strict-transport-security"] = _SECURE


# All of it, around an application.


class Shield:
    """An application behind the limits of requests.

    `page` returns the page for an error of a request.
    """

    def __init__(
        self,
        application: ASGIApp,
        settings: Settings,
        page: Callable[[Request, HTTPException], Response],
    ) -> None:
        self._application = application
        self._settings = settings
        self._page = page
        self._rates = Rates(settings.most_rate, settings.most_at_once)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request; log errors of the program without their values."""
        if scope["type"] != "http":
            await self._application(scope, receive, send)
            return
        is_started = False

        async def sent(message: Message) -> None:
            nonlocal is_started
            if message["type"] == "http.response.start":
                is_started = True
                _limit_browsers(scope, message)
            await send(message)

        try:
            await self._checked(scope, receive, sent)
        except Exception as error:
            if not isinstance(error, HTTPException):
                trace = "".join(traceback.format_tb(error.__traceback__)[-12:])
                _log.error("%s:\n%s", type(error).__name__, trace)
            if is_started:
                raise  # the server closes the connection, so the client sees no end
            refused = error if isinstance(error, HTTPException) else HTTPException(500, _SAID)
            await self._refusal(scope, refused)(scope, receive, sent)

    async def _checked(self, scope: Scope, receive: Receive, send: Send) -> None:
        _check_head(scope, self._settings)
        path: str = scope["path"]
        cost = 0.1 if path in _CHEAP or path.startswith("/static/") else 1.0
        if seconds := self._rates.take(client_of(Request(scope)), time.monotonic(), cost):
            said = "You send requests faster than this server takes them; wait a little."
            raise HTTPException(429, said, {"retry-after": str(seconds)})
        body = await _whole_body(scope, receive)
        if scope["method"] == "HEAD":  # the server sends no body
            scope = {**scope, "method": "GET"}
        await run_while_connected(self._application, scope, body, receive, send)

    def _refusal(self, scope: Scope, refused: HTTPException) -> Response:
        if not is_interface(scope):
            return self._page(Request(scope), refused)
        problem = Problem(message=refused.detail).model_dump()
        return JSONResponse({"problem": problem}, refused.status_code, refused.headers)


_SAID = "An error of this server, not of your question, has stopped it; its log has the place."


# Whether the server lives and is ready.


router = APIRouter(default_response_class=PlainTextResponse, include_in_schema=False)


@router.get("/health")
async def health() -> PlainTextResponse:
    """Answer: the server lives."""
    return PlainTextResponse("ok\n")


@router.get("/ready")
async def ready(request: Request) -> PlainTextResponse:
    """Answer whether a question would be worked on now."""
    settings: Settings = request.app.state.settings
    is_full = workers_of(request).waiting >= settings.waiting // 2
    return PlainTextResponse("busy\n" if is_full else "ready\n", 503 if is_full else 200)
