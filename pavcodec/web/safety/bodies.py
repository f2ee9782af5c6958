"""The body of a request: its size, whether announced or not, and the time that it takes."""

from __future__ import annotations

import asyncio

from fastapi import HTTPException
from starlette.datastructures import Headers
from starlette.types import Message, Receive, Scope

from pavcodec.limits.memory import format_size
from pavcodec.web.safety.replies import Refused
from pavcodec.web.tasks.limits import BODY, UPLOAD

__all__ = ["limited"]

_FRAME = 64 << 10
"""The bytes of a form around its files."""

_JSON = "application/json"
_MOST_MARKS = 100_000
"""The values of JSON, about: each takes many times its bytes of memory. Base64 has none of them."""

_CLOSE = {"connection": "close"}
"""The server does not wait for the rest of what it has refused."""


def limited(scope: Scope, receive: Receive, seconds: float) -> Receive:
    """Return `receive` with limits; raises `Refused` for a body that announces too many bytes.

    The receiver raises `HTTPException` when more bytes come, or when they come too slowly, which
    all readers of bodies let through.
    """
    kind, most, said = _announced(Headers(scope=scope))
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
        if kind == _JSON:
            marks += len(body) - len(body.translate(None, b"[{,"))
            if marks > _MOST_MARKS:
                raise HTTPException(413, "The question has too many parts.", _CLOSE)
        return message

    return received


def _announced(headers: Headers) -> tuple[str, int, str]:
    """Return the type of a body, its most bytes, and the sentence for more; refuse it for more."""
    kind = headers.get("content-type", "").lower().partition(";")[0].strip()
    most, shown = {
        "multipart/form-data": (UPLOAD + _FRAME, UPLOAD),
        _JSON: (UPLOAD * 4 // 3 + _FRAME, UPLOAD),  # files stand in it as base64
    }.get(kind, (BODY, BODY))
    said = f"The request has more than {format_size(shown)}."
    announced = headers.get("content-length", "0")
    if not announced.isdecimal() or int(announced[:20]) > most:
        raise Refused(413, said, _CLOSE)
    encoding = headers.get("content-encoding", "identity").strip().lower()
    if encoding != "identity":
        raise Refused(415, f"Send the request without the encoding {encoding[:20]!r}.", _CLOSE)
    return kind, most, said
