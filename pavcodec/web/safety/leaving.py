"""A client that leaves: the work on its question ends, and no process works for nobody."""

from __future__ import annotations

import asyncio
from contextlib import suppress

from starlette.types import ASGIApp, Message, Receive, Scope, Send

__all__ = ["Leaving"]

_PIECE = 256 << 10
"""The bytes of an answer that go out before the client has taken some; answers wait in memory."""

_WITHOUT_BODY = {"GET", "HEAD", "OPTIONS"}


class Leaving:
    """Runs an application for a request, and cancels it when the client closes the connection."""

    def __init__(self, application: ASGIApp) -> None:
        self._application = application

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        client = _Client(receive, send, is_read=scope["method"] in _WITHOUT_BODY)
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
