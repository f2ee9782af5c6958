"""Refusals of requests: a page for people, JSON for programs."""

from __future__ import annotations

import json
from collections.abc import Callable

from starlette.types import Scope, Send

from pavcodec.web.settings import API
from pavcodec.web.tasks.problem import Problem

__all__ = ["ErrorPage", "Refused", "is_interface", "reply"]

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
