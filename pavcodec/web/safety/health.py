"""Whether the server lives and is ready, and its metrics."""

from __future__ import annotations

from fastapi import APIRouter, Request
from fastapi.responses import PlainTextResponse
from starlette.exceptions import HTTPException

from pavcodec.web.requests import is_within, workers_of
from pavcodec.web.safety.metrics import Metrics
from pavcodec.web.settings import Settings

__all__ = ["make_router"]

_BY_PROXY = ("forwarded", "via", "x-forwarded-for", "x-real-ip")
_LOOPBACK = ("127.0.0.0/8", "::1")
_FORMAT = "text/plain; version=0.0.4; charset=utf-8"


def make_router(settings: Settings, metrics: Metrics) -> APIRouter:
    """Return the routes `/health`, `/ready` and `/metrics`."""
    router = APIRouter(default_response_class=PlainTextResponse, include_in_schema=False)

    @router.get("/health")
    async def health() -> PlainTextResponse:
        """Answer: the server lives."""
        return PlainTextResponse("ok\n")

    @router.get("/ready")
    async def ready(request: Request) -> PlainTextResponse:
        """Answer whether a question would be worked on now."""
        is_full = workers_of(request).figures().get("waiting", 0) >= settings.waiting // 2
        return PlainTextResponse("busy\n" if is_full else "ready\n", 503 if is_full else 200)

    @router.get("/metrics")
    async def counts(request: Request) -> PlainTextResponse:
        """Answer the counts, for this machine and the networks of the settings."""
        if not _may_watch(request, settings):
            raise HTTPException(404)
        return PlainTextResponse(
            metrics.text(workers_of(request).figures()), headers={"content-type": _FORMAT}
        )

    return router


def _may_watch(request: Request, settings: Settings) -> bool:
    client = request.client.host if request.client else ""
    if is_within(client, settings.watchers):
        return True
    return is_within(client, _LOOPBACK) and not any(name in request.headers for name in _BY_PROXY)
