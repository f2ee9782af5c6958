"""Counts requests, and turns errors of the program into a page that shows nothing of its inside."""

from __future__ import annotations

import asyncio
import logging
import time
import traceback
from collections.abc import Container

from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from pavcodec.web.safety.metrics import Metrics
from pavcodec.web.safety.replies import ErrorPage, Refused, reply
from pavcodec.web.workers.workers import Refusal

__all__ = ["Watching"]

_METHODS = {"GET", "HEAD", "POST", "OPTIONS"}
_SAID = "An error of this server, not of your question, has stopped it; its log has the place."
_STOPS = "The server stops; another may answer soon."
_log = logging.getLogger("pavcodec.web")


class Watching:
    """Runs an application; sends its refusals, and a page for its errors."""

    def __init__(
        self, application: ASGIApp, metrics: Metrics, pages: Container[str], page: ErrorPage
    ) -> None:
        self._application = application
        self._metrics = metrics
        self._pages = pages
        self._page = page

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        status, start = 0, time.perf_counter()

        async def sent(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                _refuse_without_end(scope, message)
                status = message["status"]
            await send(message)

        self._metrics.open += 1
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
        finally:
            self._metrics.open -= 1
            name = scope["path"].split("/")[1] if scope["path"].startswith("/") else ""
            page = name if name in self._pages else "other"
            method = scope["method"] if scope["method"] in _METHODS else "other"
            self._metrics.add(page, method, status, time.perf_counter() - start)

    def _refused(self, error: Exception, *, is_started: bool) -> Refused:
        """Return an exception as a refusal; log errors of the program without their values."""
        if isinstance(error, Refused):
            return error
        if isinstance(error, HTTPException):
            return Refused(error.status_code, str(error.detail), dict(error.headers or {}))
        if isinstance(error, Refusal):
            return Refused(error.status, error.message, error.headers)
        if isinstance(error, ClientDisconnect):
            return Refused(400, "The client has left.")  # nobody sees it, but the metrics
        self._metrics.errors += 1
        place = "".join(traceback.format_tb(error.__traceback__)[-12:])
        end = " after a part of the answer" if is_started else ""
        _log.error("%s%s:\n%s", type(error).__name__, end, place)
        return Refused(500, _SAID)


def _refuse_without_end(scope: Scope, start: Message) -> None:
    """Refuse HTTP/1.0 for an answer of unknown length: such a client cannot see its end."""
    if scope.get("http_version") == "1.0" and start["status"] == 200:
        names = {name.lower() for name, _ in start.get("headers", ())}
        if b"content-length" not in names:
            raise Refused(505, "Files need HTTP/1.1, which marks their end.")
