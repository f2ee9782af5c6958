"""All that a request goes through, in order, around an application."""

from __future__ import annotations

from collections.abc import Container

from starlette.requests import Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from pavcodec.web.requests import client_of
from pavcodec.web.safety.bodies import Room, limited
from pavcodec.web.safety.hosts import check_address, check_host, check_site
from pavcodec.web.safety.leaving import Leaving
from pavcodec.web.safety.metrics import Metrics
from pavcodec.web.safety.rates import Rates
from pavcodec.web.safety.replies import ErrorPage, Refused
from pavcodec.web.safety.watching import Watching
from pavcodec.web.settings import Settings

__all__ = ["Shield"]

_CHEAP = {"/health", "/ready", "/metrics"}
"""Addresses without a question: ten requests cost as much as a page, also of static files."""


class Shield:
    """An application behind the limits of requests.

    `pages` are the first parts of its addresses, for the metrics; `page` makes a page for an error.
    """

    def __init__(
        self,
        application: ASGIApp,
        settings: Settings,
        metrics: Metrics,
        pages: Container[str],
        page: ErrorPage,
    ) -> None:
        self._settings = settings
        self._rates = Rates(settings.rate, settings.burst)
        self._room = Room(settings.bodies)
        self._application = application
        self._inner = Leaving(application)
        self._watching = Watching(self._checked, metrics, pages, page)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        if scope["type"] == "http":
            await self._watching(scope, receive, send)
        else:
            await self._application(scope, receive, send)

    async def _checked(self, scope: Scope, receive: Receive, send: Send) -> None:
        check_host(scope, self._settings)
        check_address(scope)
        self._check_rate(scope)
        check_site(scope)
        client, taken = client_of(Request(scope)), 0

        def has_room(size: int) -> bool:
            nonlocal taken
            found = self._room.take(client, size)
            taken += size if found else 0
            return found

        receive = limited(scope, receive, self._settings.body_seconds, has_room)
        if scope["method"] == "HEAD":
            scope, send = {**scope, "method": "GET"}, _without_body(send)
        try:
            await self._inner(scope, receive, send)
        finally:
            self._room.give_back(client, taken)

    def _check_rate(self, scope: Scope) -> None:
        path: str = scope["path"]
        cost = 0.1 if path in _CHEAP or path.startswith("/static/") else 1.0
        if seconds := self._rates.take(client_of(Request(scope)), cost):
            said = "You send requests faster than this server takes them; wait a little."
            raise Refused(429, said, {"retry-after": str(seconds)})


def _without_body(send: Send) -> Send:
    """Return `send` for HEAD: the headers of GET."""

    async def sent(message: Message) -> None:
        if message["type"] == "http.response.body":
            message = {**message, "body": b""}
        await send(message)

    return sent
