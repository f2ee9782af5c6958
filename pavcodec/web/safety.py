"""Safety: what every request goes through before a page or the JSON interface sees it.

shield       all of it in order, around an application
headers      what browsers may do with the answers
hosts        the names of this server, and forms of other sites
rates        so many requests of each client
bodies       the size of what a client sends
leaving      a client that leaves ends the work on its question
replies      refusals as a page or as JSON
health       whether the server lives and is ready
watching     refusals as answers; no error shows the inside of the program

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
from functools import cache

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse, JSONResponse, PlainTextResponse, Response
from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from pavcodec.limits import format_size
from pavcodec.web.requests import client_of, workers_of
from pavcodec.web.settings import API, Settings, is_loopback
from pavcodec.web.tasks.catalogue import TASKS
from pavcodec.web.tasks.problem import Problem
from pavcodec.web.tasks.task import BODY, FIELDS, UPLOAD
from pavcodec.web.workers import Refusal

# Refusals of requests: a page for people, JSON for programs.


ErrorPage = Callable[[Scope, int, str], str]
"""Returns a page for a status and a message."""


class Refused(Exception):  # noqa: N818 (the client has the fault)
    """A request that gets no answer: the status, a sentence, and further headers."""

    def __init__(self, status: int, message: str, headers: dict[str, str] | None = None) -> None:
        super().__init__(status, message, headers)
        self.status = status
        self.message = message
        self.headers = headers or {}


def is_interface(scope: Scope) -> bool:
    """Return whether a request is for the JSON interface."""
    path: str = scope["path"]
    return path.startswith(f"{API}/")


def refusal(scope: Scope, refused: Refused, page: ErrorPage) -> Response:
    """Return a refusal as an answer."""
    if is_interface(scope):
        problem = Problem(message=refused.message).model_dump()
        return JSONResponse({"problem": problem}, refused.status, refused.headers)
    text = page(scope, refused.status, refused.message)
    return HTMLResponse(text, refused.status, refused.headers)


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
_SECURE = "max-age=31536000"
"""Sent where the client came by HTTPS: it comes by HTTPS for a year."""


_SITE = re.compile(r"^https?://[^/]*/+")
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
        caching = "no-cache" if scope["method"] in {"GET", "HEAD"} else "no-store"

        async def sent(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in {**_ALWAYS, "cache-control": caching}.items():
                    headers.setdefault(name, value)
                if "location" in headers:
                    headers["location"] = _SITE.sub("/", headers["location"])
                if scope.get("scheme") == "https":
                    headers["strict-transport-security"] = _SECURE
            await send(message)

        await self._application(scope, receive, sent)


# Whom a request is for, and where it comes from.
#
# There are no cookies and no users, so a form of another site can do nothing in anybody's name. It
# still gets no answer: it could let visitors of that site work for its questions.


MOST_ADDRESS = 60_000
"""The characters of an address; a condition with its signs encoded fits."""

_HOST = re.compile(r"(\[[0-9a-fA-F:.]+\]|[A-Za-z0-9_.-]+)(:[0-9]{1,5})?", re.ASCII)
_QUIET = {"GET", "HEAD", "OPTIONS"}
"""The methods of requests that change nothing, and have no body."""


def check_host(scope: Scope, settings: Settings) -> None:
    """Raise `Refused` if a request names another host.

    Else a site could give its own name the address of this server, and read the pages in the
    browser of a visitor who reaches the server.
    """
    hosts = [value for name, value in scope["headers"] if name == b"host"]
    match = _HOST.fullmatch(hosts[0].decode("latin-1")) if len(hosts) == 1 else None
    if match is None:
        raise Refused(400, "The request names no host, or several.")
    name = match[1].lower().rstrip(".")
    if settings.is_reached and not settings.names:
        return
    if name not in map(str.lower, settings.names) and not is_loopback(name):
        raise Refused(421, "This server has another name; its owner can add one with --name.")


def check_address(scope: Scope) -> None:
    """Raise `Refused` for an address that is too long, or has too many fields."""
    query = scope["query_string"]
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


# The rate of each client: a bucket of tokens that fills steadily, of which each request takes one.
#
# Memory is bounded: of too many clients, the one that was silent longest is forgotten. Its bucket
# was nearly always full, since a bucket fills within seconds.


_MOST_CLIENTS = 50_000


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


# The body of a request: it is read as a whole, up to its limit, before a page or task sees it.


_FRAME = 64 << 10
"""The bytes of a form around its files."""

_MOST_MARKS = 100_000
"""The values of JSON, about: each takes many times its bytes of memory. Base64 has none of them."""

_CLOSE = {"connection": "close"}
"""The server does not wait for the rest of what it has refused."""


@cache
def _with_files() -> frozenset[str]:
    """Return the addresses of the operations whose questions have files."""
    return frozenset(f"{API}/{task.name}" for task in TASKS if "file" in task.question.model_fields)


def _most(kind: str, path: str) -> tuple[int, int]:
    """Return the most bytes of a body, and the number that its refusal names."""
    if kind == "multipart/form-data":
        return UPLOAD + _FRAME, UPLOAD
    if _is_json(kind) and path in _with_files():
        return UPLOAD * 4 // 3 + _FRAME, UPLOAD  # files stand in it as base64
    return BODY, BODY


def _is_json(kind: str) -> bool:
    return kind == "application/json" or kind.endswith("+json")


async def whole_body(scope: Scope, receive: Receive) -> bytes:
    """Return the body of a request; raises `Refused` for one that is too large or compressed."""
    headers = Headers(scope=scope)
    kind = headers.get("content-type", "").lower().partition(";")[0].strip()
    most, said = _most(kind, scope["path"])
    too_large = Refused(413, f"The request has more than {format_size(said)}.", _CLOSE)
    announced = headers.get("content-length", "0")
    if not announced.isdecimal() or int(announced[:20]) > most:
        raise too_large
    encoding = headers.get("content-encoding", "identity").strip().lower()
    if encoding != "identity":
        raise Refused(415, f"Send the request without the encoding {encoding[:20]!r}.", _CLOSE)
    body, marks, is_whole = bytearray(), 0, False
    while not is_whole:
        message = await receive()
        if message["type"] == "http.disconnect":
            raise Refused(400, "The client has left.")  # nobody sees it
        part = message.get("body", b"")
        body += part
        is_whole = not message.get("more_body")
        if len(body) > most:
            raise too_large
        if _is_json(kind):
            marks += len(part) - len(part.translate(None, b"[{,"))
            if marks > _MOST_MARKS:
                raise Refused(413, "The question has too many parts.", _CLOSE)
    return bytes(body)


# A client that leaves: the work on its question ends, and no process works for nobody.


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


# All that a request goes through, in order, around an application.


_CHEAP = {"/health", "/ready"}
"""Addresses without a question: ten requests cost as much as a page, also of static files."""

_SAID = "An error of this server, not of your question, has stopped it; its log has the place."
_STOPS = "The server stops; another may answer soon."
_log = logging.getLogger("pavcodec.web")


class Shield:
    """An application behind the limits of requests; `page` makes a page for an error."""

    def __init__(self, application: ASGIApp, settings: Settings, page: ErrorPage) -> None:
        self._application = application
        self._settings = settings
        self._page = page
        self._rates = Rates(settings.most_rate, settings.burst)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request; errors become refusals, which show nothing of the program."""
        if scope["type"] != "http":
            await self._application(scope, receive, send)
            return
        is_started = False

        async def sent(message: Message) -> None:
            nonlocal is_started
            is_started = True
            if scope["method"] == "HEAD" and message["type"] == "http.response.body":
                message = {**message, "body": b""}
            await send(message)

        try:
            await self._checked(scope, receive, sent)
        except asyncio.CancelledError:  # the server stops, and its time for this is over
            if not is_started:
                refused = Refused(503, _STOPS, {"retry-after": "5"})
                await refusal(scope, refused, self._page)(scope, receive, sent)
            raise
        except Exception as error:
            refused = _refused(error, is_started=is_started)
            if is_started:
                raise  # the server closes the connection, so the client sees no end
            await refusal(scope, refused, self._page)(scope, receive, sent)

    async def _checked(self, scope: Scope, receive: Receive, send: Send) -> None:
        check_host(scope, self._settings)
        check_address(scope)
        client, path = client_of(Request(scope)), scope["path"]
        cost = 0.1 if path in _CHEAP or path.startswith("/static/") else 1.0
        if seconds := self._rates.take(client, time.monotonic(), cost):
            said = "You send requests faster than this server takes them; wait a little."
            raise Refused(429, said, {"retry-after": str(seconds)})
        check_site(scope)
        body = await whole_body(scope, receive)
        if scope["method"] == "HEAD":
            scope = {**scope, "method": "GET"}
        await run_while_connected(self._application, scope, body, receive, send)


def _refused(error: Exception, *, is_started: bool) -> Refused:
    """Return an exception as a refusal; log errors of the program without their values."""
    if isinstance(error, Refused):
        return error
    if isinstance(error, HTTPException):
        return Refused(error.status_code, str(error.detail), dict(error.headers or {}))
    if isinstance(error, Refusal):
        return Refused(error.status, error.message, error.headers)
    trace = "".join(traceback.format_tb(error.__traceback__)[-12:])
    end = " after a part of the answer" if is_started else ""
    _log.error("%s%s:\n%s", type(error).__name__, end, trace)
    return Refused(500, _SAID)
