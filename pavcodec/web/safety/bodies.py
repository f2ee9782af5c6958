"""The body of a request: its size, whether announced or not, and the time that it takes."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable
from functools import cache

from fastapi import HTTPException
from starlette.datastructures import Headers
from starlette.types import Message, Receive, Scope

from pavcodec.limits.memory import format_size
from pavcodec.web.safety.replies import Refused
from pavcodec.web.settings import API
from pavcodec.web.tasks.catalogue import TASKS
from pavcodec.web.tasks.limits import BODY, UPLOAD

__all__ = ["Room", "limited"]

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
