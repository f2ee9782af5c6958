"""The application: its routes, and the workers that live as long as it."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from fastapi import FastAPI
from fastapi.staticfiles import StaticFiles
from starlette.exceptions import HTTPException

from pavcodec._version import __version__
from pavcodec.web.api.interface import make_interface
from pavcodec.web.api.sharing import SharedInterface
from pavcodec.web.pages import (
    deal,
    ending,
    files,
    home,
    notices,
    number,
    odds,
    programs,
    tournament,
)
from pavcodec.web.settings import API, Settings
from pavcodec.web.workers.here import Here
from pavcodec.web.workers.workers import Workers

__all__ = ["make_application"]


def make_application(settings: Settings | None = None, workers: Workers | None = None) -> FastAPI:
    """Return the application of ASGI; tests give their own workers."""
    settings, workers = settings or Settings(), workers or Here()

    @asynccontextmanager
    async def lifespan(_application: FastAPI) -> AsyncIterator[None]:
        await workers.start()
        yield
        await workers.stop()

    application = FastAPI(
        title="pavcodec", version=__version__, lifespan=lifespan, openapi_url=None
    )
    application.state.workers = workers
    application.state.settings = settings
    application.mount(API, make_interface(application.state))
    application.include_router(home.router)
    application.include_router(deal.router)
    application.include_router(number.router)
    application.include_router(ending.router)
    application.include_router(files.router)
    application.include_router(odds.router)
    application.include_router(programs.router)
    application.include_router(tournament.router)
    application.add_exception_handler(HTTPException, notices.notice)
    application.add_middleware(SharedInterface)
    application.mount("/static", StaticFiles(directory=Path(__file__).parent / "static"))
    return application
