"""Safety: what every request goes through before a page or the JSON interface sees it.

shield       all of it in order, around an application
headers      what browsers may do with the answers
hosts        the names of this server, and forms of other sites
rates        so many requests of each client
bodies       the size and the time of what a client sends
leaving      a client that leaves ends the work on its question
replies      refusals as a page or as JSON
health       whether the server lives and is ready
watching     refusals as answers; no error shows the inside of the program
connections  slow clients, and clients with many connections
"""

from __future__ import annotations

import asyncio
import json
import logging
import math
import re
import time
import traceback
from collections import Counter, OrderedDict
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from itertools import chain
from typing import ClassVar

from fastapi import APIRouter, HTTPException, Request
from fastapi.responses import PlainTextResponse
from starlette.datastructures import Headers
from starlette.exceptions import HTTPException as AnyHTTPException
from starlette.requests import ClientDisconnect
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from uvicorn.protocols.http.h11_impl import H11Protocol

from pavcodec.limits import format_size
from pavcodec.web.requests import client_of, is_within, network_of, workers_of
from pavcodec.web.settings import API, Settings, is_loopback
from pavcodec.web.tasks.catalogue import TASKS
from pavcodec.web.tasks.problem import Problem
from pavcodec.web.tasks.task import BODY, FIELDS, UPLOAD
from pavcodec.web.workers.workers import Refusal

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


async def reply(scope: Scope, send: Send, refused: Refused, page: ErrorPage) -> None:
    """Send a refusal."""
    if is_interface(scope):
        kind = "application/json"
        text = json.dumps({"problem": Problem(message=refused.message).model_dump()})
    else:
        kind = "text/html; charset=utf-8"
        text = page(scope, refused.status, refused.message)
    body = text.encode()
    headers = {"content-type": kind, "content-length": str(len(body)), **refused.headers}
    await send(
        {
            "type": "http.response.start",
            "status": refused.status,
            "headers": [(name.encode(), value.encode()) for name, value in headers.items()],
        }
    )
    await send({"type": "http.response.body", "body": body})


# Headers that limit what browsers do with our answers, and what others can do with our pages.


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


# Whom a request is for, and where it comes from.
#
# There are no cookies and no users, so a form of another site can do nothing in anybody's name. It
# still gets no answer: it could let visitors of that site work for its questions.


MOST_ADDRESS = 60_000
"""The characters of an address; a condition with its signs encoded fits."""

_MOST_HEADERS = 100

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


# The rate of each client: a bucket of tokens that fills steadily, of which each request takes one.
#
# Memory is bounded: of too many clients, the one that was silent longest is forgotten. Its bucket
# was nearly always full, since a bucket fills within seconds.


_MOST_CLIENTS = 50_000


class Rates:
    """The buckets of all clients.

    >>> now = 0.0
    >>> rates = Rates(rate=2, burst=3, clock=lambda: now)
    >>> [rates.take("a") for _ in range(4)], rates.take("b")
    ([0, 0, 0, 1], 0)
    >>> now = 0.5
    >>> rates.take("a"), rates.take("a")
    (0, 1)
    """

    def __init__(
        self,
        rate: float,
        burst: float,
        most: int = _MOST_CLIENTS,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._rate = rate
        self._burst = burst
        self._most = most
        self._clock = clock
        self._buckets: OrderedDict[str, tuple[float, float]] = OrderedDict()
        """The tokens of a client and the time at which it had them; silent clients first."""

    def __len__(self) -> int:
        return len(self._buckets)

    def take(self, client: str, cost: float = 1.0) -> int:
        """Take tokens and return 0, or take none and return the seconds until there are enough."""
        if not self._rate:
            return 0
        now = self._clock()
        tokens, before = self._buckets.pop(client, (self._burst, now))
        tokens = min(self._burst, tokens + (now - before) * self._rate)
        is_enough = tokens >= cost
        self._buckets[client] = (tokens - cost if is_enough else tokens), now
        if len(self._buckets) > self._most:
            self._buckets.popitem(last=False)
        return 0 if is_enough else math.ceil((cost - tokens) / self._rate)


# The body of a request: its size, whether announced or not, and the time that it takes.


_FRAME = 64 << 10
"""The bytes of a form around its files."""

_MOST_MARKS = 100_000
"""The values of JSON, about: each takes many times its bytes of memory. Base64 has none of them."""

_FULL = "The server is busy with the files of others; try again soon."

_CLOSE = {"connection": "close"}
"""The server does not wait for the rest of what it has refused."""


class Room:
    """The memory for the bodies of all requests that are under way.

    One client gets half of it at most, so a crowd of uploads does not keep others from theirs.

    >>> room = Room(10)
    >>> room.take("a", 5), room.take("a", 1), room.take("b", 5), room.take("c", 1)
    (True, False, True, False)
    >>> room.give_back("b", 5)
    >>> room.take("c", 1)
    True
    """

    def __init__(self, size: int) -> None:
        self._size = size
        self._taken: Counter[str] = Counter()

    def take(self, client: str, size: int) -> bool:
        """Take bytes for a client and return True, or return False if there is no room."""
        if self._taken[client] + size > self._size // 2 or self._taken.total() + size > self._size:
            self.give_back(client, 0)
            return False
        self._taken[client] += size
        return True

    def give_back(self, client: str, size: int) -> None:
        """Give bytes back."""
        self._taken[client] -= size
        if not self._taken[client]:
            del self._taken[client]


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


def limited(
    scope: Scope, receive: Receive, seconds: float, has_room: Callable[[int], bool]
) -> Receive:
    """Return `receive` with limits; raises `Refused` for a body that announces too many bytes.

    The receiver raises `HTTPException` when more bytes come, when they come too slowly, or when
    the server `has_room` for no more, which all readers of bodies let through.
    """
    kind, most, said = _announced(Headers(scope=scope), scope["path"])
    size, marks, is_whole, end = 0, 0, False, asyncio.get_running_loop().time() + seconds

    async def received() -> Message:
        nonlocal size, marks, is_whole
        if is_whole:
            return await receive()  # the client may stay for the answer as long as it likes
        try:
            async with asyncio.timeout_at(end):
                message = await receive()
        except TimeoutError:
            raise HTTPException(408, "The request takes too long to arrive.", _CLOSE) from None
        body = message.get("body", b"")
        size += len(body)
        is_whole = not message.get("more_body")
        if size > most:
            raise HTTPException(413, said, _CLOSE)
        if body and not has_room(len(body)):
            raise HTTPException(503, _FULL, {**_CLOSE, "retry-after": "5"})
        if _is_json(kind):
            marks += len(body) - len(body.translate(None, b"[{,"))
            if marks > _MOST_MARKS:
                raise HTTPException(413, "The question has too many parts.", _CLOSE)
        return message

    return received


def _announced(headers: Headers, path: str) -> tuple[str, int, str]:
    """Return the type of a body, its most bytes, and the sentence for more; refuse it for more."""
    kind = headers.get("content-type", "").lower().partition(";")[0].strip()
    most, shown = _most(kind, path)
    said = f"The request has more than {format_size(shown)}."
    announced = headers.get("content-length", "0")
    if not announced.isdecimal() or int(announced[:20]) > most:
        raise Refused(413, said, _CLOSE)
    encoding = headers.get("content-encoding", "identity").strip().lower()
    if encoding != "identity":
        raise Refused(415, f"Send the request without the encoding {encoding[:20]!r}.", _CLOSE)
    return kind, most, said


# A client that leaves: the work on its question ends, and no process works for nobody.


_PIECE = 256 << 10
"""The bytes of an answer that go out before the client has taken some; answers wait in memory."""


class Leaving:
    """Runs an application for a request, and cancels it when the client closes the connection."""

    def __init__(self, application: ASGIApp) -> None:
        self._application = application

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        client = _Client(receive, send, is_read=scope["method"] in _QUIET)
        work = asyncio.ensure_future(self._application(scope, client.receive, client.send))
        watch = asyncio.create_task(client.leave())
        try:
            await asyncio.wait({work, watch}, return_when=asyncio.FIRST_COMPLETED)
            if not work.done() and not client.is_answered:
                watch.result()  # its body is too large or too slow
                work.cancel()
            with suppress(asyncio.CancelledError):  # the client sees nothing of it
                await work
        finally:
            work.cancel()
            watch.cancel()


class _Client:
    """The other end of a request: what it sends, and whether it is still there."""

    def __init__(self, receive: Receive, send: Send, *, is_read: bool) -> None:
        self._receive = receive
        self._send = send
        self._read = asyncio.Event()
        self._left = asyncio.Event()
        self._has_body = not is_read
        if is_read:
            self._read.set()
        self.is_answered = False

    async def receive(self) -> Message:
        """Return the next part of the body, and after the last one wait for the end."""
        if not self._has_body:
            self._has_body = True
            return {"type": "http.request", "body": b"", "more_body": False}
        if self._read.is_set():
            await self._left.wait()
            return {"type": "http.disconnect"}
        message = await self._receive()
        if message["type"] == "http.disconnect":
            self._left.set()
        if not message.get("more_body"):
            self._read.set()
        return message

    async def leave(self) -> None:
        """Wait until the client has left; what it sends after its request counts for nothing."""
        await self._read.wait()
        while not self._left.is_set():
            if (await self._receive())["type"] == "http.disconnect":
                self._left.set()

    async def send(self, message: Message) -> None:
        """Send a part of the answer, in pieces that wait for the client."""
        body = message.get("body", b"")
        for start in range(0, len(body) - _PIECE, _PIECE):
            piece = body[start : start + _PIECE]
            await self._send({"type": message["type"], "body": piece, "more_body": True})
            message = {**message, "body": body[start + _PIECE :]}
        self.is_answered = message["type"].endswith("body") and not message.get("more_body")
        await self._send(message)


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


# Turns refusals into answers, and errors of the program into one that shows nothing of its inside.


_SAID = "An error of this server, not of your question, has stopped it; its log has the place."
_STOPS = "The server stops; another may answer soon."
_log = logging.getLogger("pavcodec.web")


class Watching:
    """Runs an application; sends its refusals, and a page for its errors."""

    def __init__(self, application: ASGIApp, page: ErrorPage) -> None:
        self._application = application
        self._page = page

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        status = 0

        async def sent(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                _refuse_without_end(scope, message)
                status = message["status"]
            await send(message)

        try:
            await self._application(scope, receive, sent)
        except asyncio.CancelledError:  # the server stops, and its time for this is over
            if not status:
                await reply(scope, sent, Refused(503, _STOPS, {"retry-after": "5"}), self._page)
            raise
        except Exception as error:
            refused = self._refused(error, is_started=status > 0)
            if status:
                raise  # the server closes the connection, so the client sees no end
            await reply(scope, sent, refused, self._page)

    def _refused(self, error: Exception, *, is_started: bool) -> Refused:
        """Return an exception as a refusal; log errors of the program without their values."""
        if isinstance(error, Refused):
            return error
        if isinstance(error, AnyHTTPException):
            return Refused(error.status_code, str(error.detail), dict(error.headers or {}))
        if isinstance(error, Refusal):
            return Refused(error.status, error.message, error.headers)
        if isinstance(error, ClientDisconnect):
            return Refused(400, "The client has left.")  # nobody sees it
        trace = "".join(traceback.format_tb(error.__traceback__)[-12:])
        end = " after a part of the answer" if is_started else ""
        _log.error("%s%s:\n%s", type(error).__name__, end, trace)
        return Refused(500, _SAID)


def _refuse_without_end(scope: Scope, start: Message) -> None:
    """Refuse HTTP/1.0 for an answer of unknown length: such a client cannot see its end."""
    if scope.get("http_version") == "1.0" and start["status"] == 200:
        names = {name.lower() for name, _ in start.get("headers", ())}
        if b"content-length" not in names:
            raise Refused(505, "Files need HTTP/1.1, which marks their end.")


# All that a request goes through, in order, around an application.


_CHEAP = {"/health", "/ready"}
"""Addresses without a question: ten requests cost as much as a page, also of static files."""


class Shield:
    """An application behind the limits of requests; `page` makes a page for an error."""

    def __init__(self, application: ASGIApp, settings: Settings, page: ErrorPage) -> None:
        self._settings = settings
        self._rates = Rates(settings.rate, settings.burst)
        self._room = Room(settings.bodies)
        self._application = application
        self._inner = Leaving(application)
        self._watching = Watching(self._checked, page)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        if scope["type"] == "http":
            await self._watching(scope, receive, send)
        else:
            await self._application(scope, receive, send)

    async def _checked(self, scope: Scope, receive: Receive, send: Send) -> None:
        check_host(scope, self._settings)
        check_address(scope)
        client, path, taken = client_of(Request(scope)), scope["path"], 0
        cost = 0.1 if path in _CHEAP or path.startswith("/static/") else 1.0
        if seconds := self._rates.take(client, cost):
            said = "You send requests faster than this server takes them; wait a little."
            raise Refused(429, said, {"retry-after": str(seconds)})
        check_site(scope)

        def has_room(size: int) -> bool:
            nonlocal taken
            fits = self._room.take(client, size)
            taken += size if fits else 0
            return fits

        receive = limited(scope, receive, self._settings.body_seconds, has_room)
        if scope["method"] == "HEAD":
            scope, send = {**scope, "method": "GET"}, _without_body(send)
        try:
            await self._inner(scope, receive, send)
        finally:
            self._room.give_back(client, taken)


def _without_body(send: Send) -> Send:
    """Return `send` for HEAD: the headers of GET."""

    async def sent(message: Message) -> None:
        if message["type"] == "http.response.body":
            message = {**message, "body": b""}
        await send(message)

    return sent


# Connections of uvicorn that do not wait for ever: for a request, or for a client that takes none.
#
# Rule 1: the head of a request arrives within a time, counted from the end of the answer before it.
# Rule 2: a client that takes nothing of its answer for a time gets no more of it.
# Rule 3: one address has so many connections at a time, a proxy as many as it likes.


class _Connection(H11Protocol):
    """A connection with timers for its head and for the answer."""

    limits: ClassVar[Settings]
    counts: ClassVar[Counter[str]]
    """The connections of each client."""

    _head: asyncio.TimerHandle | None = None
    _stall: asyncio.TimerHandle | None = None
    _counted: str | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        host = self.client[0] if self.client else ""
        if not is_within(host, self.limits.proxies):
            self._counted = network_of(host)
            self.counts[self._counted] += 1
            if self.counts[self._counted] > self.limits.connections_by_client:
                transport.abort()
                return
        self._wait_for_head()

    def connection_lost(self, exc: Exception | None) -> None:
        if self._counted is not None:
            self.counts[self._counted] -= 1
            if not self.counts[self._counted]:
                del self.counts[self._counted]
            self._counted = None
        _stop(self._head)
        _stop(self._stall)
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        if not self.transport.is_closing():
            self._wait_for_head()

    def _wait_for_head(self) -> None:
        """Start the timer if a request is on its way, stop it if one has arrived."""
        if self.cycle is not None and not self.cycle.response_complete:
            _stop(self._head)
            self._head = None
        elif self._head is None and self.timeout_keep_alive_task is None:
            self._head = self.loop.call_later(self.limits.head_seconds, self.transport.abort)

    def pause_writing(self) -> None:
        super().pause_writing()
        self._stall = self.loop.call_later(self.limits.stalled, self.transport.abort)

    def resume_writing(self) -> None:
        _stop(self._stall)
        super().resume_writing()


def protocol_of(settings: Settings) -> type[H11Protocol]:
    """Return the class of connections for the settings of a server."""

    class Connection(_Connection):
        limits, counts = settings, Counter[str]()

    return Connection


def _stop(timer: asyncio.TimerHandle | None) -> None:
    if timer is not None:
        timer.cancel()
