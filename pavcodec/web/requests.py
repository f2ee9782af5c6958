"""Who sent a request, and the workers that answer it."""

from __future__ import annotations

from urllib.parse import quote

from fastapi import Request

from pavcodec.web.workers.workers import Workers

__all__ = ["attachment", "client_of", "workers_of"]


def workers_of(request: Request) -> Workers:
    """Return the workers of the application."""
    found: Workers = request.app.state.workers
    return found


def client_of(request: Request) -> str:
    """Return the address of the client."""
    return request.client.host if request.client else "unknown"


def attachment(name: str) -> dict[str, str]:
    r"""Return the header that names a file which the browser saves, also with letters beyond ASCII.

    >>> attachment('a"é.pbn')["Content-Disposition"]
    "attachment; filename=\"a__.pbn\"; filename*=UTF-8''a%22%C3%A9.pbn"
    """
    plain = "".join(
        letter if " " <= letter <= "~" and letter not in '"\\%' else "_" for letter in name
    )
    exact = "" if plain == name else f"; filename*=UTF-8''{quote(name, safe='', errors='replace')}"
    return {"Content-Disposition": f'attachment; filename="{plain}"{exact}'}
