"""The application: its routes, and the workers that live as long as it."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from fastapi import FastAPI
from starlette.exceptions import HTTPException
from starlette.staticfiles import StaticFiles

from pavcodec._version import __version__
from pavcodec.web import safety
from pavcodec.web.api import make_interface
from pavcodec.web.pages import (
    deal,
    files,
    home,
    manual,
    number,
    odds,
    practice,
    programs,
    simple,
    tournament,
)
from pavcodec.web.pages.page import VERSION, Versioned, error_page, raised
from pavcodec.web.safety import Shield
from pavcodec.web.settings import API, Settings
from pavcodec.web.workers import Pool

PAGES = (home, deal, number, files, odds, programs, manual, tournament, practice, simple, safety)


def make_application(settings: Settings, workers: Pool) -> FastAPI:
    """Return the application of ASGI; tests give their own workers."""

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
    for each in PAGES:
        application.include_router(each.router)
    application.mount(f"/static/{VERSION}", Versioned(packages=[("pavcodec.web", "static")]))
    application.mount("/static", StaticFiles(packages=[("pavcodec.web", "static")]))
    application.add_exception_handler(HTTPException, raised)
    application.add_middleware(Shield, settings=settings, page=error_page)
    return application
