"""The server: an application behind uvicorn."""

from __future__ import annotations

import uvicorn

from pavcodec.web.application import make_application
from pavcodec.web.settings import Settings

__all__ = ["serve"]


def serve(settings: Settings) -> None:
    """Serve the pages until an interrupt."""
    uvicorn.run(make_application(settings), host=settings.host, port=settings.port)
