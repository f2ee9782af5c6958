"""Who sent a request, and the workers that answer it."""

from __future__ import annotations

from fastapi import Request

from pavcodec.web.workers.workers import Workers

__all__ = ["client_of", "workers_of"]


def workers_of(request: Request) -> Workers:
    """Return the workers of the application."""
    found: Workers = request.app.state.workers
    return found


def client_of(request: Request) -> str:
    """Return the address of the client."""
    return request.client.host if request.client else "unknown"
