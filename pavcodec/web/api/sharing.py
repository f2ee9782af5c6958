"""Pages of other sites may use the JSON interface.

The interface only reads, has no cookies and no users, and returns the same to everybody, so another
page learns nothing that its own reader could not see. The header `Access-Control-Allow-Origin: *`
says so to browsers. It is on every answer below `/api/`, also on those that no operation made, such
as a refusal for too many questions; else a script of another site could not read the reason. The
pages do not have it.
"""

from __future__ import annotations

from starlette.middleware.cors import CORSMiddleware
from starlette.types import ASGIApp, Receive, Scope, Send

from pavcodec.web.safety.replies import is_interface

__all__ = ["SharedInterface"]


class SharedInterface:
    """An application whose JSON interface other sites may use; it goes around all others."""

    def __init__(self, application: ASGIApp) -> None:
        self._application = application
        self._shared = CORSMiddleware(
            application,
            allow_origins=["*"],
            allow_methods=["GET", "POST"],
            allow_headers=["Content-Type"],
            expose_headers=["Content-Disposition", "Retry-After"],
            max_age=86400,
        )

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        is_shared = scope["type"] == "http" and is_interface(scope)
        await (self._shared if is_shared else self._application)(scope, receive, send)
